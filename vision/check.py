"""Does what was read explain what is seen? Flat dice are cubes on the floor: more or less than that is a doubt."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import cube, likeness, places
from vision.beyond import bare, beyond
from vision.cube import Cubes
from vision.faces import Faces
from vision.frame import Image
from vision.lump import Lump, Part, lumps_in, owned
from vision.polygon import Box
from vision.profile import Profile
from vision.sampling import Floats, smaller
from vision.sampling import middle as middle_of

# Pixels an edge has where this is looked at: small for speed, large enough to see a tenth of an edge.
_EDGE = 24
_DIE, _SURE_FLOOR = 165, 40  # likeness from which a colour counts as die, up to which as floor
# Half as bright again as the empty tray in its darkest channel and this much more, 0-255, but at most by this and as
# much more; over this many squared edges.
_DIM, _BRIGHT, _GLEAM = 20, 40, 0.5
# Squared edges of a side that tell whether it is there; where an emblem lies is known less exactly than where pips do.
_SLIVER, _SLIVER_PICTURE = 0.05, 0.1
_CHANGED = 14  # least difference to the empty tray that is no noise, 0-255, after shrinking


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """`gap`: (n,) share of a die's predicted visible sides that shows floor; 0 where too little would be visible.
    `inside`: (n,) edge lengths by which a die would stand inside another. `cut`: (n,) share of the top face outside
    the picture. `lumps`: what is left over. `beyond`: (n,) share of die colours beyond a side that is turned away.
    `bare`: (n,) share of floor just within the top face, at the side where there is most."""

    gap: Floats
    inside: Floats
    cut: Floats
    lumps: tuple[Lump, ...]
    beyond: Floats
    bare: Floats

    @property
    def owned(self) -> Floats:
        """(n,) area of the lumps that belong to each die, squared edges."""
        return self._of(self.lumps)

    @property
    def solid(self) -> Floats:
        """(n,) the same without those that may be shadows."""
        return self._of([lump for lump in self.lumps if not lump.shadow])

    def _of(self, lumps: Sequence[Lump]) -> Floats:
        out = np.zeros(len(self.gap))
        for lump in lumps:
            if lump.die >= 0:
                out[lump.die] += lump.size
        return out


def check(image: Image, found: Faces, cubes: Cubes, boxes: tuple[Box, ...], profile: Profile) -> Check:
    """`cubes`: of the dice `found`."""
    n = len(found)
    gap, lumps = np.zeros(n), []
    edge_px = 2 * found.half if n else np.zeros(0)
    middle = float(middle_of(edge_px[None])[0]) if n else float(profile.looks.edge_px[0])
    least = np.where(found.pictured, _SLIVER_PICTURE, _SLIVER)
    for box in boxes:
        rows = _in_box(found, box)
        part, left = _look(image, box, cubes.pick(rows), least[rows], middle, profile)
        gap[rows] = np.maximum(gap[rows], part)
        lumps += [owned(lump, found, edge_px) for lump in left]
    cut = _cut(cubes.top, image.shape[1], image.shape[0])
    hidden, within = beyond(image, cubes, profile), bare(image, cubes.top, profile)
    return Check(gap, _inside(cubes.top, edge_px), cut, tuple(lumps), hidden, within)


def _in_box(found: Faces, box: Box) -> NDArray[np.int64]:
    x, y = found.xy[:, 0], found.xy[:, 1]
    return np.nonzero((x >= box[0]) & (x < box[2]) & (y >= box[1]) & (y < box[3]))[0]


def _look(
    image: Image, box: Box, cubes: Cubes, least: Floats, edge: float, profile: Profile
) -> tuple[Floats, list[Lump]]:
    x0, y0, x1, y1 = box
    scale = min(1.0, _EDGE / edge)
    size = (max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale)))
    part = smaller(image[y0:y1, x0:x1], *size)
    then = None if profile.empty is None else smaller(profile.empty[y0:y1, x0:x1], *size)
    die, floor = _split(part, then, profile)
    unit = edge * scale
    top, foot, *hulls = ((c + 0.5 - (x0, y0)) * scale - 0.5 for c in (cubes.top, cubes.foot, *cubes.hulls))
    near = _near(top, foot)
    gaps = np.array([_gap(k, floor, top, near, hulls, least[k] * unit * unit) for k in range(len(top))])
    every = cube.filled(*floor.shape, *hulls)
    dice, near_dice = cv2.dilate(every, _DISC5) > 0, cv2.dilate(every, _DISC9) > 0
    left = die & ~dice
    if any(kind.emblems for kind in profile.kinds):
        # There no pips are left over on a face that is washed out, but its border shows.
        left = _filled(left) & ~dice
    whole = Part(box, scale, unit, part, then, (image.shape[1], image.shape[0]))
    lumps = lumps_in(left, near_dice, whole)
    if then is not None:
        # In a gleam no colour is left to know a die by; but no shadow is brighter than the empty tray.
        bright = lumps_in(_brighter(part, then) & ~dice, near_dice, whole)
        known = [(lump.x, lump.y) for lump in lumps if lump.size > _GLEAM]
        lumps += [
            lump
            for lump in bright
            if lump.size > _GLEAM and all(np.hypot(lump.x - x, lump.y - y) > edge / 2 for x, y in known)
        ]
    return gaps, lumps


def _filled(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """With what it surrounds."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _DISC3)
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(closed, contours, -1, (1,), cv2.FILLED) > 0)


def _near(top: Floats, foot: Floats) -> Floats:
    """(n, 4, 4, 2) corners of what is asked of each die's sides: the near part, for the foot is the least certain part
    of the prediction, and the middle, for some dice have round corners."""
    following = top[:, cube.NEXT]
    inset = 0.15 * (following - top)
    start, end = top + inset, following - inset
    down = 0.6 * (foot - top).mean(1)[:, None]
    return np.stack([start, end, end + down, start + down], axis=2)


def _gap(k: int, floor: NDArray[np.bool_], top: Floats, near: Floats, hulls: list[Floats], least: float) -> float:
    """Share of floor on the sides of die `k` that are in view, looked at in a window around it; 0 where less than
    `least` of them would be."""
    low = np.maximum(np.floor(near[k].min((0, 1))).astype(int) - 2, 0)
    high = np.minimum(np.ceil(near[k].max((0, 1))).astype(int) + 3, floor.shape[::-1])
    w, h = (int(v) for v in high - low)
    if w < 1 or h < 1:
        return 0.0
    beside = [hull - low for j, hull in enumerate(hulls) if j != k and (hull.max(0) > low - 2).all()]
    others = cv2.dilate(cube.filled(h, w, *beside), _DISC3)
    hidden = cv2.bitwise_or(others, cv2.dilate(cube.filled(h, w, top[k] - low), _DISC3))
    side = (cube.filled(h, w, *(near[k] - low)) > 0) & (hidden == 0)
    seen = int(side.sum())
    if seen <= least:
        return 0.0
    return float((side & floor[low[1] : high[1], low[0] : high[0]]).sum() / seen)


_DISC3 = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
_DISC5 = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
_DISC9 = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))


def _brighter(part: Image, then: Image) -> NDArray[np.bool_]:
    """Whiter than the light that dice throw on the floor makes it."""
    now, before = (np.asarray(cv2.min(cv2.min(*one[:2]), one[2]), np.uint8) for one in map(cv2.split, (part, then)))
    return np.asarray(cv2.subtract(cv2.subtract(now, before), np.minimum(before >> 1, _BRIGHT)) > _DIM)


def _split(part: Image, then: Image | None, profile: Profile) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where a die surely is, and where floor surely is. `then`: the same part of the empty tray."""
    like = np.full(part.shape[:2], 128, np.uint8)
    if profile.likeness is not None:
        like = likeness.of(part, profile.likeness)
    die, floor = like > _DIE, like < _SURE_FLOOR
    if then is not None:
        changed = places.farthest(part, then) > _CHANGED
        die, floor = die & changed, (~changed & (like < _DIE)) | floor
    return die, floor


def _inside(top: Floats, edge_px: Floats) -> Floats:
    """How deep each die stands in another one, in edges."""
    deep, centre = np.zeros(len(top)), top.mean(1)
    apart = np.hypot(*(centre[:, None] - centre[None]).transpose(2, 0, 1))
    near = np.tril(apart < 1.5 * np.maximum(edge_px[:, None], edge_px[None]), -1)
    for a, b in zip(*np.nonzero(near), strict=True):
        area, _ = cv2.intersectConvexConvex(top[a].astype(np.float32), top[b].astype(np.float32))
        share = area / (edge_px[a] * edge_px[b])
        deep[a], deep[b] = max(deep[a], share), max(deep[b], share)
    return deep


def _cut(top: Floats, width: int, height: int) -> Floats:
    frame = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)], np.float32)
    share = np.zeros(len(top))
    for k, corners in enumerate(top):
        if (corners < 0).any() or (corners > (width - 1, height - 1)).any():
            whole = abs(cv2.contourArea(corners.astype(np.float32)))
            seen, _ = cv2.intersectConvexConvex(corners.astype(np.float32), frame)
            share[k] = 1 - seen / max(1.0, whole)
    return share
