"""Faces: pips that sit on the lattice of a die's face, on one even body."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.lattice import BARE, PLACES, SETS, VALUES
from vision.pips import Pips
from vision.sampling import Floats, sample

# Centres of two top faces lie at least an edge apart, and an edge is 3.6 to 4.4 pip offsets on the dice measured.
APART = 3.2


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Candidate top faces, one a row.

    `xy`: (n, 2) pixels. `offset`: (n,) pixels from the middle line of a face to its outer pips. `angle`: (n,)
    radians from the x axis to the face's own. `value`: (n,) 1-6. `radius`: (n,) pip radius in pixels. `body`, `pip`:
    (n, 3) BGR. `misfit`: (n,) 0 is a perfect pattern. `margin`: (n,) how much worse the next best value fits.
    `uneven`: (n,) 0-1, how much the bare places differ among themselves. `strays`: (n,) pips on the face off its
    pattern. `score`: (n,) larger is better, about one a pip.
    """

    xy: Floats
    offset: Floats
    angle: Floats
    value: NDArray[np.int64]
    radius: Floats
    body: Floats
    pip: Floats
    misfit: Floats
    margin: Floats
    uneven: Floats
    strays: Floats
    score: Floats

    def __len__(self) -> int:
        return len(self.value)

    def pick(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Faces":
        return Faces(*(getattr(self, name)[which] for name in Faces.__slots__))


def no_faces() -> Faces:
    one, two, three = np.zeros(0, np.float32), np.zeros((0, 2), np.float32), np.zeros((0, 3), np.float32)
    return Faces(two, one, one, np.zeros(0, np.int64), one, three, three, one, one, one, one, one)


def join(parts: list[Faces]) -> Faces:
    parts = [p for p in parts if len(p)]
    if not parts:
        return no_faces()
    return Faces(*(np.concatenate([getattr(p, name) for p in parts]) for name in Faces.__slots__))


def diagonals(pips: Pips, low: float, high: float) -> NDArray[np.int64]:
    """Pairs of alike pips whose distance is `low` to `high` of their radius: (n, 2) indices."""
    if len(pips) < 2:
        return np.zeros((0, 2), np.int64)
    apart = np.hypot(*(pips.xy[:, None] - pips.xy[None]).transpose(2, 0, 1))
    radius = (pips.radius[:, None] + pips.radius[None]) / 2
    fits = (apart > low * radius) & (apart < high * radius)
    fits &= np.abs(np.log(pips.radius[:, None] / pips.radius[None])) < 0.33
    first, second = np.nonzero(np.triu(fits))
    contrast = np.minimum(pips.contrast[first], pips.contrast[second])
    inner = np.linalg.norm(pips.inner[first] - pips.inner[second], axis=1)
    outer = np.linalg.norm(pips.outer[first] - pips.outer[second], axis=1)
    alike = (inner < 0.6 * contrast) & (outer < 0.5 * contrast)
    return np.column_stack([first[alike], second[alike]])


def fit(image: Image, pips: Pips, pairs: NDArray[np.int64]) -> Faces:
    """Read the face that has each pair on a diagonal. Those that are no face are left out."""
    if not len(pairs):
        return no_faces()
    a, b = pips.xy[pairs[:, 0]], pips.xy[pairs[:, 1]]
    way = b - a
    offset = np.hypot(way[:, 0], way[:, 1]) / np.float32(2 * np.sqrt(2))
    angle = np.arctan2(way[:, 1], way[:, 0]) - np.float32(np.pi / 4)
    radius = (pips.radius[pairs[:, 0]] + pips.radius[pairs[:, 1]]) / 2
    pip = (pips.inner[pairs[:, 0]] + pips.inner[pairs[:, 1]]) / 2
    clean = np.minimum(pips.clean[pairs[:, 0]], pips.clean[pairs[:, 1]])
    ratio = np.minimum(pips.ratio[pairs[:, 0]], pips.ratio[pairs[:, 1]])
    return read(image, pips, (a + b) / 2, offset, angle, radius, pip, clean * np.clip((ratio - 0.4) / 0.4, 0, 1))


def read(
    image: Image, pips: Pips, xy: Floats, offset: Floats, angle: Floats, radius: Floats, pip: Floats, worth: Floats
) -> Faces:
    """The value at each pose, by looking at all nine places of its lattice."""
    bare = _looks(image, xy, offset, angle, BARE, 0.25 * radius)
    body = np.median(bare, axis=1)
    way = pip - body
    contrast = np.maximum(np.linalg.norm(way, axis=1), 1.0)
    spread = np.linalg.norm(bare - body[:, None], axis=2) / contrast[:, None]
    uneven = np.clip(spread / 0.6, 0, 1).mean(1)
    places = _looks(image, xy, offset, angle, PLACES, 0.45 * radius)
    t = np.einsum("npc,nc->np", places - body[:, None], way) / (contrast**2)[:, None]
    t = np.clip(t, -0.6, 1.3)
    cost = ((t[:, None] - SETS[None]) ** 2).sum(2)
    best = cost.argmin(1)
    rows = np.arange(len(best))
    misfit = cost[rows, best]
    value = VALUES[best]
    cost[VALUES[None] == value[:, None]] = np.inf
    margin = cost.min(1) - misfit
    keep = (misfit < 1.6) & (uneven < 0.45) & (contrast > 12)
    keep &= worth > 0
    rows = rows[keep]
    strays = _strays(pips, xy[rows], offset[rows], angle[rows], SETS[best[rows]], body[rows], way[rows], radius[rows])
    quality = np.clip(1 - misfit[rows] / 2.0, 0, 1) * np.clip(1 - uneven[rows] / 0.5, 0, 1) * (0.4 + 0.6 * worth[rows])
    score = value[rows] * quality - 0.45 - 0.8 * strays
    return Faces(
        xy[rows],
        offset[rows],
        angle[rows],
        value[rows],
        radius[rows],
        body[rows],
        pip[rows],
        misfit[rows].astype(np.float32),
        margin[rows].astype(np.float32),
        uneven[rows].astype(np.float32),
        strays.astype(np.float32),
        score.astype(np.float32),
    )


def _looks(image: Image, xy: Floats, offset: Floats, angle: Floats, points: Floats, blur: Floats) -> Floats:
    """Mean colour around each point of each pose: (n, points, 3)."""
    cos, sin = np.cos(angle)[:, None] * offset[:, None], np.sin(angle)[:, None] * offset[:, None]
    x = xy[:, :1] + cos * points[:, 0] - sin * points[:, 1]
    y = xy[:, 1:] + sin * points[:, 0] + cos * points[:, 1]
    around = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)], np.float32)
    x = (x[:, :, None] + blur[:, None, None] * around[:, 0]).reshape(len(x), -1)
    y = (y[:, :, None] + blur[:, None, None] * around[:, 1]).reshape(len(y), -1)
    got = sample(image, x, y)
    return got.reshape(len(x), len(points), len(around), 3).mean(2)


def _strays(
    pips: Pips, xy: Floats, offset: Floats, angle: Floats, sets: Floats, body: Floats, way: Floats, radius: Floats
) -> Floats:
    """How many pips like the face's own lie on it, off its pattern."""
    from_centre = pips.xy[None] - xy[:, None]
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    u = (from_centre[..., 0] * cos + from_centre[..., 1] * sin) / offset[:, None]
    v = (-from_centre[..., 0] * sin + from_centre[..., 1] * cos) / offset[:, None]
    on_face = (np.abs(u) < 1.6) & (np.abs(v) < 1.6)
    row, col = np.nonzero(on_face)
    if not len(row):
        return np.zeros(len(xy), np.float32)
    u, v = u[row, col], v[row, col]
    off = np.hypot(u[:, None] - PLACES[:, 0], v[:, None] - PLACES[:, 1])
    off = np.where(sets[row] > 0.5, off, 9).min(1)
    t = ((pips.inner[col] - body[row]) * way[row]).sum(1) / np.maximum((way[row] ** 2).sum(1), 1)
    like = (t > 0.55) & (np.abs(np.log(pips.radius[col] / radius[row])) < 0.5)
    return np.bincount(row[(off > 0.45) & like], minlength=len(xy)).astype(np.float32)


def distinct(faces: Faces) -> Faces:
    """One of each group that reads the same face the same way."""
    if len(faces) < 2:
        return faces
    order = np.argsort(-faces.score)
    f = faces.pick(order)
    apart = np.hypot(*(f.xy[:, None] - f.xy[None]).transpose(2, 0, 1))
    same = (apart < 0.5 * f.offset[:, None]) & (np.abs(np.log(f.offset[:, None] / f.offset[None])) < 0.2)
    same &= f.value[:, None] == f.value[None]
    keep = np.ones(len(f), bool)
    for k in range(len(f)):
        if keep[k]:
            keep[k + 1 :] &= ~same[k, k + 1 :]
    return f.pick(keep)


def clashes(faces: Faces) -> NDArray[np.bool_]:
    """(n, n): the two cannot both be top faces, because they lie too close."""
    apart = np.hypot(*(faces.xy[:, None] - faces.xy[None]).transpose(2, 0, 1))
    clash = apart < APART * (faces.offset[:, None] + faces.offset[None]) / 2
    np.fill_diagonal(clash, False)
    return np.asarray(clash)


def choose(faces: Faces) -> Faces:
    """The set of faces that do not clash and score most in all."""
    faces = faces.pick(faces.score > 0)
    if not len(faces):
        return faces
    faces = faces.pick(np.argsort(-faces.score))
    clash = clashes(faces)
    chosen: list[int] = []
    for group in _groups(clash):
        chosen += _best(group, clash, faces.score)
    return faces.pick(np.array(sorted(chosen), np.int64))


def _groups(clash: NDArray[np.bool_]) -> list[list[int]]:
    left, groups = set(range(len(clash))), []
    while left:
        group, todo = [], [left.pop()]
        while todo:
            k = todo.pop()
            group.append(k)
            near = [int(j) for j in np.nonzero(clash[k])[0] if int(j) in left]
            left.difference_update(near)
            todo += near
        groups.append(sorted(group))
    return groups


# Beyond this many looks at a group the best set so far is taken: a heap of 70 dice must end too.
_PATIENCE = 4000


def _best(group: list[int], clash: NDArray[np.bool_], score: Floats) -> list[int]:
    """Exact search, best first; `group` is ordered by falling score."""
    worth = {k: float(score[k]) for k in group}
    foes = {k: {j for j in group if clash[k, j]} for k in group}
    best: list[int] = []
    best_sum = -1.0
    looks = 0

    def search(free: list[int], taken: list[int], total: float) -> None:
        nonlocal best, best_sum, looks
        looks += 1
        if total > best_sum:
            best, best_sum = list(taken), total
        if looks > _PATIENCE or not free or total + sum(worth[k] for k in free) <= best_sum:
            return
        first, rest = free[0], free[1:]
        search([k for k in rest if k not in foes[first]], [*taken, first], total + worth[first])
        if foes[first] & set(rest):
            search(rest, taken, total)

    search(group, [], 0.0)
    return best
