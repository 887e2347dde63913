"""What no face explains: things of a die's size, and pips in company. A die may have been missed there."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import pips
from vision.faces import Faces, alike
from vision.frame import Image
from vision.pips import Pips
from vision.sampling import Floats
from vision.slant import Slant

_SIDE = 14  # pixels an edge of a die has where things are looked for: enough for their shape, little for grain
_AROUND = 4.5  # edges: the floor is what is usual within this
# Contrast that no spot as clean has on an empty floor: 126 at most on wood, leather and cloth; most pips have over 170.
_PIP = 140
_FAINT, _PLAIN = 28.0, 60.0  # colour difference from the floor: a thing at all, and one that is no stain
_SEVERAL = 8.0  # squared edges: two dice that touch, with their sides, in a view from above
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)


def left_over(image: Image, every: Pips, found: Faces, slant: Slant) -> list[tuple[float, float]]:
    """Places (x, y) in pixels; none where all is explained. `every`: all spots; `found`: at least one face."""
    hulls = covers(found, slant)
    edge = float(np.median(2 * found.half))
    free = every.pick(_outside(every.xy, hulls, 0.15 * edge))
    return (
        _singles(free, found)
        + _things(image, free, hulls, edge, 1 + float(np.tan(np.deg2rad(slant.degrees))))
        + _company(free, found, edge)
        + _faint(free, found, edge)
    )


def beside(every: Pips, found: Faces, slant: Slant) -> NDArray[np.int64]:
    """(n,) what tells, in a view from the side, that each face is the side of a die: pips of its own kind beyond it,
    and faces whose cube it lies on."""
    out = np.zeros(len(found), np.int64)
    if not slant.degrees:
        return out
    hulls, edges = covers(found, slant), 2 * found.half / slant.size(found.xy)
    for k, edge in enumerate(edges):
        top = found.xy[k] + 1.1 * found.half[k] * _CORNERS @ (found.frame[k] / found.offset[k]).T
        beyond = _hull(np.concatenate([top, slant.away(top, edge)]))
        others = [hull for j, hull in enumerate(hulls) if j != k]
        way = found.pip[k] - found.body[k]
        like = (every.inner - found.body[k]) @ way > 0.4 * found.contrast[k] ** 2
        like &= (np.abs(np.log(every.radius / found.radius[k])) < 0.6) & (every.clean > 0.6)
        like &= _outside(every.xy, [*others, top.astype(np.float32)], 0.0) & ~_outside(every.xy, [beyond], 0.0)
        out[k] = like.sum() + int((~_outside(found.xy[k : k + 1], others, 0.0)).sum())
    return out


def unexplained(every: Pips) -> list[tuple[float, float]]:
    """The same where no face was found at all: spots as plain as only pips are, or alike ones in company."""
    plain = every.pick((every.clean > 0.9) & (every.contrast > _PIP) & (every.radius > 2))
    return [(float(x), float(y)) for x, y in plain.xy]


def _singles(free: Pips, found: Faces) -> list[tuple[float, float]]:
    """Pips in the colours of a die found, and spots as plain as its pips."""
    good = _alike(free, found, 0.3) & (free.ratio > 0.7) & (free.clean > 0.75)
    good |= (free.ratio > 0.87) & (free.clean > 0.93) & (free.contrast > 0.7 * np.median(found.contrast))
    good &= np.abs(np.log(free.radius / np.median(found.radius))) < 0.4
    return [(float(x), float(y)) for x, y in free.xy[good]]


def covers(found: Faces, slant: Slant) -> list[Floats]:
    """The outline (k, 2) that each die's cube has in the picture, with a bit of room around it."""
    out = []
    edges = 2 * found.half / slant.size(found.xy)
    for k, edge in enumerate(edges):
        axes = found.frame[k] / found.offset[k]
        top = found.xy[k] + 1.15 * found.half[k] * _CORNERS @ axes.T
        out.append(_hull(np.concatenate([top, slant.foot(top, edge)])))
    return out


def _hull(xy: Floats) -> Floats:
    return np.asarray(cv2.convexHull(xy.astype(np.float32))[:, 0], np.float32)


def _outside(xy: Floats, hulls: list[Floats], room: float) -> NDArray[np.bool_]:
    """(n,) farther than `room` pixels from each hull."""
    out = np.ones(len(xy), np.bool_)
    for hull in hulls:
        out &= np.array([cv2.pointPolygonTest(hull, (float(x), float(y)), True) < -room for x, y in xy], np.bool_)
    return out


def _things(image: Image, free: Pips, hulls: list[Floats], edge: float, room: float) -> list[tuple[float, float]]:
    """Middles of compact things, of the size of a die, that are no shadow: lighter, of another colour, or with pips.

    `edge`: pixels. `room`: how much larger a die is in this view than its top face.
    """
    small = pips.resized(image, min(1.0, _SIDE / edge))
    scale = small.shape[1] / image.shape[1]
    side = edge * scale
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), side / _SIDE), np.uint8)
    floor = _floor(small, int(_AROUND * side) | 1)
    apart = np.linalg.norm(small.astype(np.float32) - floor, axis=2)
    mask = (apart > np.clip(4.5 * np.median(apart), _FAINT, _PLAIN)).astype(np.uint8)
    outer, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, outer, -1, (1,), -1)
    for hull in hulls:
        cv2.fillPoly(mask, [np.round(hull * scale).astype(np.int32)], (0,))
    mask = np.pad(mask, 1)
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
    count, cores = cv2.connectedComponents((inside > 0.3 * side).astype(np.uint8))
    grow = np.ones((2 * int(0.35 * side) + 1,) * 2, np.uint8)
    out = []
    for core in range(1, count):
        deepest = inside * (cores == core)
        y, x = np.unravel_index(int(deepest.argmax()), deepest.shape)
        place = np.array([x - 0.5, y - 0.5]) / scale - 0.5
        body = cv2.dilate((cores == core).astype(np.uint8), grow) & mask
        on = np.clip(np.round((free.xy + 0.5) * scale - 0.5).astype(int), 0, np.array(small.shape[1::-1]) - 1)
        seen = body[1:-1, 1:-1] > 0
        spots = int(seen[on[:, 1], on[:, 0]].sum())
        if deepest.max() > 0.38 * side and _like_a_die(seen, small, floor, apart, side, spots, room):
            out.append((float(place[0]), float(place[1])))
    return out


def _floor(small: Image, size: int) -> Image:
    """What is usual around each place, within `size` pixels."""
    half = size // 2
    wide = cv2.copyMakeBorder(small, half, half, half, half, cv2.BORDER_REFLECT)
    return np.asarray(cv2.medianBlur(wide, size)[half:-half, half:-half], np.uint8)


def _like_a_die(
    body: NDArray[np.bool_], small: Image, floor: Image, apart: Floats, side: float, spots: int, room: float
) -> bool:
    ys, xs = np.nonzero(body)
    wide, high = np.ptp(xs) + 1, np.ptp(ys) + 1
    at_rim = xs.min() == 0 or ys.min() == 0 or xs.max() == body.shape[1] - 1 or ys.max() == body.shape[0] - 1
    if at_rim or not 0.5 < len(xs) / side**2 < _SEVERAL * room or max(wide, high) > 3.4 * side:
        return False
    colour, usual = np.median(small[body], axis=0), np.median(floor[body], axis=0)
    gain = float(colour @ usual) / max(1.0, float(usual @ usual))
    hue = float(np.linalg.norm(colour - gain * usual)) / max(1.0, float(np.linalg.norm(usual)))
    strength = float(apart[body].mean())
    if spots and (gain > 1.15 or hue > 0.2) and strength > _PLAIN:
        return True
    # A shadow beside a die is as dark as a dark die, and a label has print: only what is about square is one.
    _, (one, two), _ = cv2.minAreaRect(np.column_stack([xs, ys]).astype(np.float32))
    even = max(one, two) < 1.5 * min(one, two) and len(xs) < 4 * room * side**2
    return even and (spots >= 3 or (hue > 0.3 and strength > 1.2 * _PLAIN))


def _company(free: Pips, found: Faces, edge: float) -> list[tuple[float, float]]:
    """Middles of pairs of alike pips, as clear as those on the faces found."""
    clear = (free.clean > 0.8) & (free.ratio > 0.5) & (free.contrast > 0.5 * np.median(found.contrast))
    larger = free.radius / np.median(found.radius)
    size = (larger > 0.5) & (larger < 2.5)
    round_ = (free.clean > 0.87) & (free.ratio > 0.72)
    which = clear & size & (_alike(free, found, 0.3) | round_)
    good, reach = free.pick(which), 0.9 * edge * np.maximum(larger[which], 1)
    if len(good) < 2:
        return []
    apart = np.hypot(*(good.xy[:, None] - good.xy[None]).transpose(2, 0, 1))
    near = (apart < reach[:, None]) & (apart > 2.2 * good.radius[:, None])
    pairs = alike(good, near, 0.4)
    # Pips of a clear die lie on a ground that is never the same.
    perfect = (good.clean > 0.93) & (good.ratio > 0.93)
    pairs = np.concatenate([pairs, alike(good, near & perfect[:, None] & perfect, 0.8)])
    return [(float(x), float(y)) for x, y in good.xy[pairs].mean(1)]


def _faint(free: Pips, found: Faces, edge: float) -> list[tuple[float, float]]:
    """Spots of the size of the pips found that have two alike ones near them: a die of a fainter kind."""
    size = np.abs(np.log(free.radius / np.median(found.radius))) < 0.25
    good = free.pick((free.clean > 0.78) & (free.ratio > 0.85) & (free.contrast > _FAINT) & size)
    if len(good) < 3:
        return []
    apart = np.hypot(*(good.xy[:, None] - good.xy[None]).transpose(2, 0, 1))
    pairs = alike(good, (apart < edge) & (apart > 2.2 * good.radius[:, None]), 0.5)
    in_three = np.bincount(pairs.ravel(), minlength=len(good)) >= 2
    return [(float(x), float(y)) for x, y in good.xy[in_three]]


def _alike(free: Pips, found: Faces, share: float) -> NDArray[np.bool_]:
    """(n,) which pips have the colours of a die found, within `share` of its contrast."""
    limit = share * found.contrast[None]
    like = np.linalg.norm(free.outer[:, None] - found.body[None], axis=2) < limit
    like &= np.linalg.norm(free.inner[:, None] - found.pip[None], axis=2) < limit
    return np.asarray(like.any(1))
