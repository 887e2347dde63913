"""What is in view that was not there at the last rest: hands, and dice clear of them.

Distances are pixels of a glance unless said otherwise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from speech.sentence import say
from vision.glance import LONG_SIDE, Grey, Mask, changes
from vision.seen import Doubt, SeenDie

# Of the view. More than this changes only when the light or the camera does.
EVERYWHERE = 0.45
# A die that enters crosses the border too, but only a hand is this many dice large and hangs on to it.
HAND_DICE = 5.0
# A die before one was seen: its edge as a part of the picture's long side (a 16 mm die in a 270 mm tray).
DIE_SHARE = 0.06
# A hand has an outline: the difference it makes has a slope of more than so many levels a pixel on such a share of it.
# Rendered hands have it on 0.08 to 0.75 of theirs, a lamp's reflection nowhere.
OUTLINE_SLOPE = 4.0
OUTLINE_SHARE = 0.04
# A die that moves has an outline as well, a weaker one when it is dark on dark felt.
DIE_SLOPE = 1.5
DIE_SHARE_SHARP = 0.2
# Die faces: a patch of this many that no die was read in is asked about. Before one was read its size is a guess.
UNREAD = (0.5, 6.0)
UNREAD_GUESSED = (0.25, 6.0)
# Edges of a die: nearer to one it may be its shadow.
SHADOWED = 1.7
UNREAD_TEXT = say("Something lies here that could not be read.")

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Blob:
    """A patch that moves. `x`, `y`: its middle, pixels."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, eq=False)
class Altered:
    """Where a still view differs from that at the last rest.

    `mask`: None when there was none before, or everything differs; `tint`: where the colour does. `now`, `floor`: the
    two views. `scale`: pixels of
    the frame to one of these, `left` and `top`: pixels of the frame beside and above them. `both`: 255 where both views
    show the ground, None when they do everywhere. `far`: the camera, held by hand, has gone so far that also much that
    is the same may differ.
    """

    mask: Mask | None = None
    tint: Mask | None = None
    now: Grey | None = None
    floor: Grey | None = None
    scale: float = 1.0
    both: Mask | None = None
    left: int = 0
    top: int = 0
    far: bool = False

    def at(self, x: float, y: float, size: float) -> bool:
        """Whether a die (pixels of the frame) may have come, gone or turned here. True when that is unknown."""
        share = self.share(x, y, size)
        return share is None or share > 0.04

    def share(self, x: float, y: float, size: float) -> float | None:
        """0-1: how much of the place of a die (pixels of the frame) differs; None when that is unknown."""
        if self.mask is None:
            return None
        x, y = self.place(x, y)
        reach = max(1.0, 0.5 * size / self.scale)
        left, top = max(0, round(x - reach)), max(0, round(y - reach))
        part = np.s_[top : round(y + reach) + 1, left : round(x + reach) + 1]
        new = self.mask[part]
        if new.size == 0 or (self.both is not None and cv2.countNonZero(self.both[part]) < 0.5 * new.size):
            return None
        return cv2.countNonZero(new) / new.size

    def place(self, x: float, y: float) -> tuple[float, float]:
        """From pixels of the frame to those of the views."""
        return (x - self.left) / self.scale, (y - self.top) / self.scale


def clear_of_hands(
    now: Grey, before: Grey, step: Mask, floor: Grey | None, die: float
) -> tuple[bool, tuple[Blob, ...]]:
    """Whether a hand is in view, and the patches that move well clear of it. `before`: the glance before, `step`: what
    changed since, `floor`: the view at the last rest."""
    new, then = step, before
    if floor is not None:
        foreign = changes(now, floor)
        if cv2.countNonZero(foreign) <= EVERYWHERE * foreign.size:
            new, then = foreign, floor
    hand = _hand(new, now, then, die)
    going = _thinned(cv2.bitwise_and(new, step).astype(np.uint8, copy=False))
    if hand is None:
        return False, _blobs(going, now, then, die)
    # A die between the fingers moves with the hand; one that is a die's width away rolls by itself.
    wide = 2 * round(die / 2) + 1
    near = cv2.dilate(hand, np.ones((wide, wide), np.uint8))
    going = cv2.bitwise_and(going, cv2.bitwise_not(near)).astype(np.uint8, copy=False)
    return True, _blobs(going, now, then, die)


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """A hand that lies still in view. `mask`: 255 where it and its shadow may be; `doubt`: asks to take it away."""

    mask: Mask
    doubt: Doubt


def reaching(change: Altered, dice: Sequence[SeenDie], before: Sequence[SeenDie]) -> Hand | None:
    """The hand that lies still in view, if there is one. What dice cover themselves, with their shadows, is no
    hand, nor where those of the last rest, `before`, lay."""
    if change.mask is None or change.now is None or change.floor is None or change.far:
        return None
    new, die = change.mask.copy(), _edge(change, dice)
    for seen in (*dice, *before):
        x, y = change.place(seen.x, seen.y)
        cv2.circle(new, (round(x), round(y)), round(1.1 * die), (0.0,), -1)
    hand = _hand(new, change.now, change.floor, die, change.both)
    if hand is None:
        return None
    rows, columns = np.nonzero(hand)
    # Its innermost row or column may be a shadow's: the point of it nearest to its middle is on it for sure.
    nearest = int(np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2))
    x, y = 2.0 * float(columns[nearest]) * change.scale, 2.0 * float(rows[nearest]) * change.scale
    wide = 2 * round(die) + 1
    size = (change.mask.shape[1], change.mask.shape[0])
    around = cv2.dilate(cv2.resize(hand, size, interpolation=cv2.INTER_NEAREST), np.ones((wide, wide), np.uint8))
    text = say("Something reaches into the tray: please take it away.")
    return Hand(around.astype(np.uint8, copy=False), Doubt("hand", x + change.left, y + change.top, text))


def unread(change: Altered, dice: Sequence[SeenDie], before: Sequence[SeenDie]) -> tuple[Doubt, ...]:
    """What has come to lie in view, as large as a die, where none was read. `before`: dice at the last rest, whose
    places differ as well when they are gone."""
    if change.mask is None or change.now is None or change.floor is None or change.far:
        return ()
    die = _edge(change, dice)
    places = [change.place(seen.x, seen.y) for seen in (*dice, *before)]
    sharp = _slope(change.now, change.floor) > 2.0 * OUTLINE_SLOPE
    few, many = UNREAD if dice else UNREAD_GUESSED
    areas = few * die * die, many * die * die
    found = _lumps(change.mask, change.both, places, die, areas, sharp)
    if change.tint is not None:
        # Where colours differ there is no shadow, so no outline is asked for: a die may be as bright as its floor.
        found += [lump for lump in _lumps(change.tint, change.both, places, die, areas) if not _among(lump, found, die)]
    return tuple(
        Doubt("count", x * change.scale + change.left, y * change.scale + change.top, UNREAD_TEXT) for x, y in found
    )


def _lumps(
    mask: Mask,
    both: Mask | None,
    places: list[Place],
    die: float,
    areas: tuple[float, float],
    sharp: NDArray[np.bool_] | None = None,
) -> list[Place]:
    """The middles of patches of the size of dice, away from all `places`. `sharp`: of every other pixel, where the
    difference has an outline; they must have one."""
    _, found, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=8)
    labels = found.astype(np.int32, copy=False)
    known = {label for place in places for label in _labels_at(labels, place, die)}
    known |= set(_at_border(labels, both).tolist())
    lumps = []
    for label in range(1, len(stats)):
        _, _, width, height, area = (int(v) for v in stats[label])
        if label in known or not areas[0] < area < areas[1] or min(width, height) < 0.8 * math.sqrt(areas[0]):
            continue
        if sharp is not None and np.mean(sharp[labels[::2, ::2] == label]) < 0.2:
            continue
        lump = float(centres[label][0]), float(centres[label][1])
        if not _among(lump, places, SHADOWED * die):
            lumps.append(lump)
    return lumps


def _among(place: Place, places: Sequence[Place], within: float) -> bool:
    return any(math.hypot(place[0] - x, place[1] - y) < within for x, y in places)


def _labels_at(labels: NDArray[np.int32], place: Place, die: float) -> set[int]:
    """The patches that a die there may be a part of."""
    x, y = place
    left, top = max(0, round(x - 0.7 * die)), max(0, round(y - 0.7 * die))
    part = labels[top : max(0, round(y + 0.7 * die) + 1), left : max(0, round(x + 0.7 * die) + 1)]
    return {int(label) for label in np.unique(part)}


def _at_border(labels: NDArray[np.int32], both: Mask | None) -> NDArray[np.int32]:
    """The patches that hang on to the border of the view, or of what of it can be compared."""
    rim = [labels[0], labels[-1], labels[:, 0], labels[:, -1]]
    if both is not None:
        rim.append(labels[cv2.erode(both, np.ones((5, 5), np.uint8)) == 0])
    return np.unique(np.concatenate(rim))


def _edge(change: Altered, dice: Sequence[SeenDie]) -> float:
    """Edge of a die, pixels of a glance."""
    sizes = sorted(die.size for die in dice)
    return sizes[len(sizes) // 2] / change.scale if sizes else DIE_SHARE * LONG_SIDE


def _hand(new: Mask, now: Grey, then: Grey, die: float, both: Mask | None = None) -> Mask | None:
    """Of every other pixel: the patches of `new` that hang on to the border, too large for dice, with an outline."""
    new = _thinned(new)
    _, found, stats, _ = cv2.connectedComponentsWithStats(new, connectivity=8)
    labels = found.astype(np.int32, copy=False)
    areas = 4.0 * stats[:, cv2.CC_STAT_AREA]
    border = _at_border(labels, None if both is None else _thinned(both))
    large = [i for i in border if i and areas[i] > HAND_DICE * die * die]
    if not large:
        return None
    sharp = _slope(now, then) > 2.0 * OUTLINE_SLOPE
    hands = [i for i in large if np.mean(sharp[labels == i]) > OUTLINE_SHARE]
    return np.isin(labels, hands).astype(np.uint8) * np.uint8(255) if hands else None


def _slope(now: Grey, then: Grey) -> NDArray[np.float32]:
    """How steeply the difference changes, in levels for every other pixel."""
    difference = _thinned(now).astype(np.float32) - _thinned(then).astype(np.float32)
    along = cv2.Sobel(difference, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(difference, cv2.CV_32F, 0, 1, scale=0.125)
    return cv2.magnitude(along, down).astype(np.float32, copy=False)


def _thinned(view: Grey) -> Grey:
    """Every other pixel: enough for patches, a quarter of the work."""
    return np.ascontiguousarray(view[::2, ::2])


def _blobs(going: Mask, now: Grey, then: Grey, die: float) -> tuple[Blob, ...]:
    """Patches between a quarter of a die and a handful of dice, with an outline. `going`: every other pixel."""
    count, labels, stats, centres = cv2.connectedComponentsWithStats(going, connectivity=8)
    areas = 4.0 * stats[:, cv2.CC_STAT_AREA]
    fits = [i for i in range(1, count) if 0.25 * die * die < areas[i] < 8.0 * die * die]
    if not fits:
        return ()
    sharp = _slope(now, then) > 2.0 * DIE_SLOPE
    fits = [i for i in fits if np.mean(sharp[labels == i]) > DIE_SHARE_SHARP]
    return tuple(Blob(2.0 * float(centres[i][0]), 2.0 * float(centres[i][1])) for i in fits)
