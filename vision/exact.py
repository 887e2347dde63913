"""Where the pips of a known die lie exactly, be one side of them in a gleam or at the face's own edge."""

from dataclasses import replace

import numpy as np

from vision import pose
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import size_of
from vision.pips import Pips
from vision.profile import Profile
from vision.sampling import Floats, sample

_TURN = np.linspace(0, 2 * np.pi, 20, endpoint=False)
_ROUND = np.stack([np.cos(_TURN), np.sin(_TURN)], 1)
_WAYS = np.column_stack([np.ones(len(_TURN)), _ROUND])
_SQUARES = (_WAYS[:, :, None] * _WAYS[:, None]).reshape(len(_TURN), 9)
_FAR = np.linspace(0.5, 1.6, 12)  # from a pip's middle, in radii
# Edges this far (in radii) from the best circle count half, twice as far a fifth.
_OFF = 0.08
# How firmly the known radius, and the place that was measured, are held to, against 20 edges that count 1 each.
_RADIUS, _PLACE = 8.0, 0.3
_HELD = np.diag([_RADIUS, _PLACE, _PLACE])
# Where edges and area agree to this, in radii, the area is less noisy.
_AGREED = 0.12
_LIKE = 0.4  # natural logarithm of the radius against a kind's
# Cleaner, rounder and no larger than this, against a kind's radius, pips are measured well already: a gleam or a speck
# that a pip runs into has its colour, so that the whole seems clean, but long and large.
_CLEAN, _ROUND_ENOUGH, _LARGE = 0.9, 0.88, 0.11
_SEEN = 0.5  # of the edges must lie on the circle for it to be better than the area


def pips(image: Image, every: Pips, profile: Profile) -> Pips:
    """The same pips; those of known size that run into something where their edges say that they lie."""
    if not len(every):
        return every
    scale = size_of(profile.camera.scale(every.xy.astype(np.float64), profile.kinds[0].edge_mm))
    mm = np.array(sorted({share * kind.edge_mm for kind in profile.kinds for share in (kind.radius, kind.one)}))
    off = np.abs(np.log(every.radius[:, None] / (scale[:, None] * mm)))
    radius = scale * mm[off.argmin(1)]
    merged = (every.ratio < _ROUND_ENOUGH) | (np.log(every.radius / radius) > _LARGE)
    on = np.nonzero((off.min(1) < _LIKE) & ((every.clean < _CLEAN) | merged))[0]
    at, seen = centres(image, every.pick(on), radius[on])
    moved = np.hypot(*(at - every.xy[on]).T) > _AGREED * radius[on]
    better = (moved | merged[on]) & (seen > _SEEN)
    xy = every.xy.copy()
    xy[on[better]] = at[better]
    return replace(every, xy=xy)


def centres(image: Image, every: Pips, radius: Floats) -> tuple[Floats, Floats]:
    """Centres (n, 2) of circles of about `radius` (n,) pixels, by their edges: each is where the colour is half way
    from the pip's to that of its own surroundings. And the share (n,) of edges that lie on the circle."""
    way = every.inner - every.outer
    way = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1)
    xy = every.xy.astype(np.float64)
    n = len(xy)
    seen = np.zeros(n)
    if not n:
        return xy, seen
    for _ in range(3):
        at = xy[:, None, None] + (radius[:, None] * _FAR)[:, None, :, None] * _ROUND[:, None]
        got = sample(image, at[..., 0].reshape(n, -1), at[..., 1].reshape(n, -1)).reshape(n, len(_TURN), len(_FAR), 3)
        edge = _edges((got @ way[:, None, :, None])[..., 0]) * radius[:, None]
        circle = np.column_stack([radius, np.zeros((n, 2))])
        for _ in range(5):
            off = (edge - circle @ _WAYS.T) / (_OFF * radius[:, None])
            weight = 1 / (1 + off**2)
            square = (weight @ _SQUARES).reshape(n, 3, 3) + _HELD
            right = (weight * edge) @ _WAYS
            right[:, 0] += _RADIUS * radius
            circle = np.linalg.solve(square, right[..., None])[..., 0]
        step = circle[:, 1:] * np.minimum(1, 0.6 * radius / np.maximum(np.hypot(*circle[:, 1:].T), 1e-6))[:, None]
        xy = xy + step
        seen = (np.abs(edge - circle @ _WAYS.T) < 1.5 * _OFF * radius[:, None]).mean(1)
    return xy, seen


def _edges(light: Floats) -> Floats:
    """Where each ray (n, rays, places) falls to half way, in radii. `light`: along the way from surroundings to pip."""
    top = light[..., :2].mean((1, 2))[:, None]
    around = np.sort(light[..., -4:-1], axis=2)[..., 1]
    middle = (top + around) / 2
    below = light < middle[..., None]
    j = np.maximum(np.where(below.any(2), below.argmax(2), len(_FAR) - 1), 1)
    before, after = (np.take_along_axis(light, k[..., None], 2)[..., 0] for k in (j - 1, j))
    part = np.clip((before - middle) / np.maximum(before - after, 1e-3), 0, 1)
    return np.asarray(_FAR[0] + (j - 1 + part) * (_FAR[1] - _FAR[0]))


def faces(every: Pips, found: Faces, profile: Profile) -> Faces:
    """The same faces where their pips put them: a level square of its kind's own size."""
    xy, frame = found.xy.copy().astype(np.float64), found.frame.copy()
    pairs = [pose.matched(found, k, every, profile.camera) for k in range(len(found))]
    better = [k for k, (at, _) in enumerate(pairs) if found.value[k] > 1 and len(at) > 1]
    if not better:
        return found
    edge_mm = profile.looks.edge_mm[found.kind[better]]
    count = [len(pairs[k][0]) for k in better]
    every_mm = profile.camera.table(np.concatenate([pairs[k][1] for k in better]), np.repeat(edge_mm, count))
    offset_mm = profile.looks.offset[found.kind[better]] * edge_mm
    level = [
        _level(pairs[k][0], mm, offset)
        for k, mm, offset in zip(better, np.split(every_mm, np.cumsum(count)[:-1]), offset_mm, strict=True)
    ]
    xy[better] = profile.camera.pixels(np.array([centre for centre, _ in level]), edge_mm)
    frame[better] = profile.camera.scale(xy[better], edge_mm) @ np.array([axes for _, axes in level])
    return replace(found, xy=xy, frame=frame)


def _level(at: Floats, mm: Floats, offset_mm: float) -> tuple[Floats, Floats]:
    """Centre and axes, in millimetres, of the level face whose places `at` (m, 2) lie best on the pips `mm` (m, 2)."""
    own, there = at.mean(0), mm.mean(0)
    (a, b), (c, d) = ((at - own).T @ (mm - there)).tolist()
    way = np.array((a + d, b - c))
    cos, sin = way * (offset_mm / max(float(np.hypot(*way)), 1e-9))
    axes = np.array([(cos, -sin), (sin, cos)])
    return there - axes @ own, axes
