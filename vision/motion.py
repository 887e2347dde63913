"""What moves in front of the camera, told from glances at frame after frame."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.align import aligned, laid, shared
from vision.frame import Image
from vision.glance import STAYED, Grey, Mask, Shift, changes, moved, opened, shift, tinted
from vision.presence import DIE_SHARE, EVERYWHERE, Altered, Blob, clear_of_hands

# Pixels that may differ by chance and still count as nothing.
FEW = 16
# Before a camera held by hand, of a die: edges tremble, a die that rocks changes more of itself.
HELD_SHARE = 0.08
# Pixels: where a hand-held camera has gone further, the view at the last rest cannot be laid over the present one.
HELD_FAR = 3.0
# Of the view: where more differs before a hand-held camera, it has turned or come nearer, and hides what is new.
HELD_SHOWN = 0.1


@dataclass(frozen=True, slots=True)
class Look:
    """One glance compared with those before.

    `moving`: something changed since the last frame, or crept since the stillness began. `everywhere`: the change is
    the light's or the camera's. `hand`: something large reaches in from the border. `free`: dice-sized patches that
    move clear of it. `scale`: pixels of the frame to one of a glance, in which `free` and `drift` are. `drift`: how
    far the picture has moved since the first glance (a hand-held camera's does).
    """

    moving: bool
    everywhere: bool = False
    hand: bool = False
    free: tuple[Blob, ...] = ()
    scale: float = 1.0
    drift: Shift = STAYED


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What looking remembers. `last`: the glance before; `anchor`: the one that the present stillness began with;
    `floor`: the view at the last rest, and `ground` the same in colour; and where the camera was at each."""

    last: Grey | None = None
    anchor: Grey | None = None
    floor: Grey | None = None
    ground: Image | None = None
    drift: Shift = STAYED
    anchor_drift: Shift = STAYED
    floor_drift: Shift = STAYED


def rest(seen: Seen, ground: Image, hand: Mask | None = None) -> Seen:
    """Take the present view, `ground` in colour, as the floor: what differs from it later is new. Not so where a
    `hand` lies, 255 in its mask: the floor under it stays as it was."""
    floor = seen.last
    fixed = seen.drift == seen.floor_drift
    if hand is not None and floor is not None and seen.floor is not None and seen.ground is not None and fixed:
        floor = np.where(hand > 0, seen.floor, floor)
        ground = np.where(hand[..., None] > 0, seen.ground, ground)
    return replace(seen, floor=floor, ground=ground, floor_drift=seen.drift)


def look(seen: Seen, now: Grey, die: float, scale: float = 1.0, steady: bool = False) -> tuple[Seen, Look]:
    """Compare a glance with those before. `die`: edge of a die in pixels of the glance, 0 when unknown.
    `steady`: the camera is known to be fixed, so a shift of the picture is never its own."""
    if seen.last is None or seen.anchor is None or seen.last.shape != now.shape:
        return Seen(now, now), Look(moving=True, everywhere=seen.last is not None, scale=scale)
    die = die or DIE_SHARE * max(now.shape)
    drift, step, still = _steady(seen.last, seen.anchor, now) if steady else _held(seen, seen.last, now, die)
    if still:
        return replace(seen, last=now, drift=drift), Look(moving=False, scale=scale, drift=drift)
    before = moved(seen.last, _way(seen.drift, drift))
    seen = replace(seen, last=now, anchor=now, drift=drift, anchor_drift=drift)
    if cv2.countNonZero(step) > EVERYWHERE * step.size:
        return seen, Look(moving=True, everywhere=True, scale=scale, drift=drift)
    hand, free = clear_of_hands(now, before, step, _floor(seen), die)
    return seen, Look(moving=True, hand=hand, free=free, scale=scale, drift=drift)


def altered(seen: Seen, now: Image, scale: float) -> Altered:
    """Where the last glance differs from the floor. `now`: the same in colour."""
    if seen.last is None or seen.floor is None or seen.ground is None:
        return Altered(scale=scale)
    way = _way(seen.floor_drift, seen.drift)
    floor, ground, both = seen.floor, seen.ground, None
    if way != STAYED:
        warp = aligned(floor, seen.last, way)
        floor, ground, both = laid(floor, warp), laid(ground, warp), shared(warp, seen.last.shape)
    tint = opened(tinted(now, ground))
    new = cv2.bitwise_or(changes(seen.last, floor), tint).astype(np.uint8, copy=False)
    if both is not None:
        tint = cv2.bitwise_and(tint, both).astype(np.uint8, copy=False)
        new = opened(cv2.bitwise_and(new, both).astype(np.uint8, copy=False))
    share = cv2.countNonZero(new) / new.size
    if share > EVERYWHERE:
        return Altered(scale=scale)
    far = max(abs(way[0]), abs(way[1])) > HELD_FAR and share > HELD_SHOWN
    return Altered(new, tint, seen.last, floor, scale, both, far=far)


def _steady(last: Grey, anchor: Grey, now: Grey) -> tuple[Shift, Mask, bool]:
    """Before a fixed camera: no drift, what changed since the last glance, and whether all is still."""
    changed = changes(now, anchor)
    still = cv2.countNonZero(changed) <= FEW
    return STAYED, changed if still or anchor is last else changes(now, last), still


def _held(seen: Seen, last: Grey, now: Grey, die: float) -> tuple[Shift, Mask, bool]:
    """The same before a camera that may be held by hand: where it is now, and what changed without its moving."""
    step, drift = changes(now, last), seen.drift
    if cv2.countNonZero(step) > FEW:
        way = shift(last, now, step)
        drift = drift[0] + way[0], drift[1] + way[1]
        step = changes(now, moved(last, way))
    few = max(FEW, HELD_SHARE * die * die)
    still = cv2.countNonZero(opened(step)) <= few
    if still and drift == seen.anchor_drift and seen.anchor is not None:
        crept = changes(now, seen.anchor)
        if cv2.countNonZero(opened(crept)) > 3 * few:
            way = shift(seen.anchor, now, crept)
            drift, still = (drift[0] + way[0], drift[1] + way[1]), way != STAYED
    return drift, step, still


def _floor(seen: Seen) -> Grey | None:
    """The view at the last rest as the camera would see it now; None when there is none, or it is too far away."""
    if seen.floor is None or _is_far(seen):
        return None
    return moved(seen.floor, _way(seen.floor_drift, seen.drift))


def _is_far(seen: Seen) -> bool:
    way = _way(seen.floor_drift, seen.drift)
    return max(abs(way[0]), abs(way[1])) > HELD_FAR


def _way(was: Shift, now: Shift) -> Shift:
    return now[0] - was[0], now[1] - was[1]
