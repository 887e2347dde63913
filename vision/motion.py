"""What moves in front of the camera: cheap looks at a small grey picture, frame after frame.

All distances here are pixels of the small picture, about 320 wide; `Look.scale` leads back to the frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Grey = NDArray[np.uint8]
Mask = NDArray[np.uint8]

Shift = tuple[float, float]

LONG_SIDE = 320
# Grey levels after a 5 x 5 mean. Sensor and codec grain stays below 8 on rendered and real videos (two grainy
# renders reach 8 on a dozen scattered pixels), the slowest last wobble of a die is above on 60 and more.
CHANGED = 8
# Pixels that may differ by chance and still count as nothing.
FEW = 16
# Before a camera held by hand, of a die: edges tremble, a die that rocks changes more of itself.
HELD_SHARE = 0.08
# Pixels: where a hand-held camera has gone further, the view at the last rest cannot be laid over the present one.
HELD_FAR = 3.0
# Of the view. More than this changes only when the light or the camera does.
EVERYWHERE = 0.45
# A die that enters crosses the border too, but only a hand is this many dice large and hangs on to it.
HAND_DICE = 5.0
# A die before one was seen: its edge as a part of the picture's long side (a 16 mm die in a 270 mm tray).
DIE_SHARE = 0.06


@dataclass(frozen=True, slots=True)
class Blob:
    """A patch that moves. `x`, `y`: its middle; `area`: pixels."""

    x: float
    y: float
    area: float


@dataclass(frozen=True, slots=True)
class Look:
    """One glance compared with those before.

    `moving`: something changed since the last frame, or crept since the stillness began. `everywhere`: the change is
    the light's or the camera's. `hand`: something large reaches in from the border. `free`: dice-sized patches that
    move clear of it. `scale`: pixels of the frame to one pixel here. `drift`: how far the camera has moved, in
    pixels, since the first glance (a hand-held one does).
    """

    moving: bool
    everywhere: bool = False
    hand: bool = False
    free: tuple[Blob, ...] = ()
    scale: float = 1.0
    drift: Shift = (0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What looking remembers. `last`: the glance before; `anchor`: the one that the present stillness began with;
    `floor`: the view at the last rest, and `floor_drift` where the camera was then."""

    last: Grey | None = None
    anchor: Grey | None = None
    floor: Grey | None = None
    drift: Shift = (0.0, 0.0)
    anchor_drift: Shift = (0.0, 0.0)
    floor_drift: Shift = (0.0, 0.0)


def glance(image: Image) -> Grey:
    """The picture as motion sees it: grey, long side at most 320, grain smoothed away."""
    height, width = image.shape[:2]
    shrink = min(1.0, LONG_SIDE / max(height, width))
    if shrink < 1.0:
        size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return cv2.blur(grey, (5, 5)).astype(np.uint8, copy=False)


def rest(seen: Seen) -> Seen:
    """Take the present view as the floor: what differs from it later is new."""
    return replace(seen, floor=seen.last, floor_drift=seen.drift)


def look(seen: Seen, now: Grey, die: float, scale: float = 1.0, steady: bool = False) -> tuple[Seen, Look]:
    """Compare a glance with those before. `die`: edge of a die in pixels of the glance, 0 when unknown.
    `steady`: the camera is known to be fixed, so a shift of the picture is never its own."""
    if seen.last is None or seen.anchor is None or seen.last.shape != now.shape:
        return Seen(now, now, None), Look(moving=True, everywhere=seen.last is not None, scale=scale)
    die = die or DIE_SHARE * max(now.shape)
    drift, step, still = _steady(seen, now) if steady else _held(seen, now, die)
    if still:
        return replace(seen, last=now, drift=drift), Look(moving=False, scale=scale, drift=drift)
    following = replace(seen, last=now, anchor=now, drift=drift, anchor_drift=drift)
    if cv2.countNonZero(step) > EVERYWHERE * step.size:
        return following, Look(moving=True, everywhere=True, scale=scale, drift=drift)
    hand, free = _sort(now, following, step, die)
    return following, Look(moving=True, hand=hand, free=free, scale=scale, drift=drift)


def _steady(seen: Seen, now: Grey) -> tuple[Shift, Mask, bool]:
    """Before a fixed camera: no drift, what changed since the last glance, and whether all is still."""
    last, anchor = _views(seen)
    changed = _changes(now, anchor)
    still = cv2.countNonZero(changed) <= FEW
    return seen.drift, changed if still or anchor is last else _changes(now, last), still


def _held(seen: Seen, now: Grey, die: float) -> tuple[Shift, Mask, bool]:
    """The same before a camera that may be held by hand: where it is now, and what changed without its moving."""
    last, anchor = _views(seen)
    step, drift = _changes(now, last), seen.drift
    if cv2.countNonZero(step) > FEW:
        drift = _add(drift, _shift(last, now, step))
        step = _changes(now, _moved(last, seen.drift, drift))
    few = max(FEW, HELD_SHARE * die * die)
    still = cv2.countNonZero(_opened(step)) <= few
    if still and drift == seen.anchor_drift:
        crept = _changes(now, anchor)
        if cv2.countNonZero(_opened(crept)) > 3 * few:
            drift = _add(drift, _shift(anchor, now, crept))
            still = drift != seen.anchor_drift
    return drift, step, still


def _views(seen: Seen) -> tuple[Grey, Grey]:
    if seen.last is None or seen.anchor is None:
        raise AssertionError("compared without a glance before")
    return seen.last, seen.anchor


def _changes(now: Grey, then: Grey) -> Mask:
    """255 where the two views differ by more than light and grain."""
    ratio = now[4::8, 4::8].astype(np.float32) + 1.0
    ratio /= then[4::8, 4::8].astype(np.float32) + 1.0
    gain = float(np.median(ratio))
    if abs(gain - 1.0) > 0.01:
        then = cv2.convertScaleAbs(then, alpha=gain).astype(np.uint8, copy=False)
    _, mask = cv2.threshold(cv2.absdiff(now, then), CHANGED, 255, cv2.THRESH_BINARY)
    return mask.astype(np.uint8, copy=False)


def _moved(view: Grey, was: Shift, at: Shift) -> Grey:
    """An earlier view as the camera would see it from where it is now."""
    dx, dy = at[0] - was[0], at[1] - was[1]
    if abs(dx) < 0.05 and abs(dy) < 0.05:
        return view
    matrix = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]], dtype=np.float32)
    size = (view.shape[1], view.shape[0])
    return cv2.warpAffine(view, matrix, size, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)


def _shift(then: Grey, now: Grey, step: Mask) -> Shift:
    """How the whole picture moved between two glances; (0, 0) when it did not, or dice moved instead.

    Least squares of brightness against slope, refined twice. It must explain most of the change, and the change
    must span a third of the view: a single die rolling over a plain floor looks like a shift as well.
    """
    changed = cv2.countNonZero(step)
    _, _, width, height = cv2.boundingRect(step)
    if width * 3 < step.shape[1] and height * 3 < step.shape[0]:
        return 0.0, 0.0
    then, now = _halved(then), _halved(now)
    base = then.astype(np.float32)
    slope_x, slope_y = cv2.Sobel(base, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(base, cv2.CV_32F, 0, 1, scale=0.125)
    dx = dy = 0.0
    for _ in range(3):
        difference = now.astype(np.float32) - _moved(then, (0.0, 0.0), (dx, dy))
        keep = np.abs(difference) < 3.0 * (float(np.mean(np.abs(difference))) + 1.0)
        gx, gy, d = slope_x[keep], slope_y[keep], difference[keep]
        xx, yy, xy = float(gx @ gx), float(gy @ gy), float(gx @ gy)
        det = xx * yy - xy * xy
        if det <= 1e-3 * (xx + yy) ** 2 / 4 or xx + yy < 1.0:
            return 0.0, 0.0
        bx, by = float(gx @ d), float(gy @ d)
        dx -= (yy * bx - xy * by) / det
        dy -= (xx * by - xy * bx) / det
    if max(abs(dx), abs(dy)) > LONG_SIDE / 32:
        return 0.0, 0.0
    left = cv2.countNonZero(_changes(now, _moved(then, (0.0, 0.0), (dx, dy))))
    return (2.0 * dx, 2.0 * dy) if left * 2 * 4 < changed else (0.0, 0.0)


def _opened(mask: Mask) -> Mask:
    """Without the slivers that a trembling hand leaves along every edge."""
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8, copy=False)


def _halved(view: Grey) -> Grey:
    return cv2.resize(view, (view.shape[1] // 2, view.shape[0] // 2), interpolation=cv2.INTER_AREA).astype(
        np.uint8, copy=False
    )


def _add(a: Shift, b: Shift) -> Shift:
    return a[0] + b[0], a[1] + b[1]


def _sort(now: Grey, seen: Seen, step: Mask, die: float) -> tuple[bool, tuple[Blob, ...]]:
    """Tell a hand from dice: whether a hand is in view, and the patches that move well clear of it."""
    new = _new(now, seen)
    new = step if new is None else new
    new, step = np.ascontiguousarray(new[::2, ::2]), np.ascontiguousarray(step[::2, ::2])
    hand = _attached(new, die)
    going = cv2.bitwise_and(new, step).astype(np.uint8, copy=False)
    if hand is None:
        return False, _blobs(going, die)
    # A die between the fingers moves with the hand; one that is a die's width away rolls by itself.
    wide = 2 * round(die / 2) + 1
    near = cv2.dilate(hand, np.ones((wide, wide), np.uint8))
    return True, _blobs(cv2.bitwise_and(going, cv2.bitwise_not(near)).astype(np.uint8, copy=False), die)


@dataclass(frozen=True, slots=True, eq=False)
class Altered:
    """Where a still view differs from that at the last rest. `mask`: None when there was none, or it cannot be laid
    over this one. `scale`: pixels of the frame to one of the mask. `far`: the camera, held by hand, has gone so far
    that also much may differ that is the same."""

    mask: Mask | None = None
    scale: float = 1.0
    far: bool = False

    def at(self, x: float, y: float, size: float) -> bool:
        """Whether a die (pixels of the frame) may have come, gone or turned here. True when that is unknown."""
        if self.mask is None:
            return True
        reach = max(1.0, 0.5 * size / self.scale)
        left, top = max(0, round(x / self.scale - reach)), max(0, round(y / self.scale - reach))
        part = self.mask[top : round(y / self.scale + reach) + 1, left : round(x / self.scale + reach) + 1]
        return part.size == 0 or cv2.countNonZero(part) > 0.04 * part.size

    def nowhere(self) -> bool:
        return self.mask is not None and cv2.countNonZero(self.mask) <= FEW


def altered(seen: Seen, scale: float) -> Altered:
    """Compare the last glance with the floor."""
    if seen.last is None or seen.floor is None:
        return Altered(None, scale)
    floor = _moved(seen.floor, seen.floor_drift, seen.drift)
    new = _changes(seen.last, floor)
    if seen.drift != seen.floor_drift:
        # Small steps of a hand-held camera add up to a pixel or two of error.
        way = _shift(floor, seen.last, new)
        new = _opened(_changes(seen.last, _moved(floor, (0.0, 0.0), way)))
    known = cv2.countNonZero(new) < EVERYWHERE * new.size
    return Altered(new if known else None, scale, _is_far(seen))


def reaching(change: Altered, die: float, dice: Sequence[tuple[float, float]] = ()) -> bool:
    """Whether something large hangs in from the border of a still view.

    `die`: pixels of the frame, 0 when unknown. `dice`: where dice lie, in pixels of the frame: what they cover
    themselves, with their shadows, is no hand."""
    if change.mask is None or change.far:
        return False
    new, die = change.mask.copy(), die / change.scale or DIE_SHARE * max(change.mask.shape)
    for x, y in dice:
        cv2.circle(new, (round(x / change.scale), round(y / change.scale)), round(1.1 * die), (0.0,), -1)
    return _attached(np.ascontiguousarray(new[::2, ::2]), die) is not None


def _new(now: Grey, seen: Seen) -> Mask | None:
    """What differs from the view at the last rest; None when that is unknown or everything does."""
    if seen.floor is None or _is_far(seen):
        return None
    new = _changes(now, _moved(seen.floor, seen.floor_drift, seen.drift))
    return new if cv2.countNonZero(new) < EVERYWHERE * new.size else None


def _is_far(seen: Seen) -> bool:
    return max(abs(seen.drift[0] - seen.floor_drift[0]), abs(seen.drift[1] - seen.floor_drift[1])) > HELD_FAR


def _attached(new: Mask, die: float) -> Mask | None:
    """The patches that touch the border and are too large for dice. `new`: every other pixel of a glance."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(new, connectivity=8)
    areas = 4.0 * stats[:, cv2.CC_STAT_AREA]
    border = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    large = [i for i in border if i and areas[i] > HAND_DICE * die * die]
    return np.isin(labels, large).astype(np.uint8) * np.uint8(255) if large else None


def _blobs(mask: Mask, die: float) -> tuple[Blob, ...]:
    """Patches between a quarter of a die and a handful of dice. `mask`: every other pixel of a glance."""
    count, _, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=8)
    areas = 4.0 * stats[:, cv2.CC_STAT_AREA]
    fits = [i for i in range(1, count) if 0.25 * die * die < areas[i] < 8.0 * die * die]
    return tuple(Blob(2.0 * float(centres[i][0]), 2.0 * float(centres[i][1]), float(areas[i])) for i in fits)
