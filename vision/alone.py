"""Dice from a picture alone, when nothing is known of the tray, the camera or the dice."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import faces, outline, pips
from vision.faces import Faces
from vision.frame import Image
from vision.pips import Pips
from vision.sampling import Floats, sample

# Pip radii looked for, pixels of the work picture, a factor 1.4 apart: dice of 30 to 400 pixels.
_RADII = (2.3, 3.2, 4.5, 6.4, 9.0, 13.0, 18.0, 26.0, 36.0)
# Diagonal of a face's outer pips in pip radii, on the dice measured 5 (big pips) to 11 (dots).
_DIAGONAL = (4.4, 12.5)
WORK_SIDE = 1280


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What is in one picture. `faces`: chosen, not clashing. `half`: (n,) pixels, half edge of each top face.
    `sides`: (n, 4) colour step at each side as a share of the pips' contrast. `rest`: good pips on no face.
    `offset`: the usual pip offset in pixels, 0 when there is no die."""

    faces: Faces
    half: Floats
    sides: Floats
    rest: Pips
    offset: float


def look(image: Image) -> Found:
    """`image`: at most `WORK_SIDE` pixels on its longer side for the sake of time; any size is read."""
    levels = [pips.find(image, r) for r in _RADII if r * 8 < min(image.shape[:2])]
    every = pips.distinct(pips.join(levels)) if levels else pips.none()
    parts = []
    for level in levels:
        top = level.pick(np.argsort(-level.clean * level.ratio * level.contrast)[:1200])
        parts.append(faces.fit(image, top, faces.diagonals(top, *_DIAGONAL)))
    found = faces.distinct(faces.join(parts))
    found = found.pick(np.argsort(-found.score)[:400])
    found, sides, half = _outlined(image, found)
    chosen = _settle(found, sides, half)
    return _with_ones(image, every, found.pick(chosen), half[chosen], sides[chosen])


def _outlined(image: Image, found: Faces) -> tuple[Faces, Floats, Floats]:
    """Those with an outline: it is what tells a die from a pattern of the floor."""
    if not len(found):
        return found, np.zeros((0, 4), np.float32), np.zeros(0, np.float32)
    contrast = np.linalg.norm(found.pip - found.body, axis=1)
    lines = outline.trace(
        image, found.xy, found.angle[:, None], 1.65 * found.offset, 2.45 * found.offset, 0.3 * contrast
    )
    sides = lines.steps / contrast[:, None]
    clear = (sides > 0.07).sum(1)
    enough = clear >= np.where(found.value >= 4, 2, 3)
    worth = np.clip(lines.best / contrast / 0.15, 0, 1)
    score = np.where(enough, found.score * (0.4 + 0.6 * worth), 0).astype(np.float32)
    found = Faces(*(getattr(found, name) for name in Faces.__slots__[:-1]), score)
    keep = score > 0.15
    return found.pick(keep), sides[keep], lines.half[keep]


def _settle(found: Faces, sides: Floats, half: Floats) -> NDArray[np.int64]:
    """Which to keep: dice of one picture are mostly of one size and contrast; the odd one out must be plain."""
    if not len(found):
        return np.zeros(0, np.int64)
    first = _chosen(found)
    contrast = np.linalg.norm(found.pip - found.body, axis=1)
    weight = found.score[first] * np.where(found.value[first] >= 4, 1.5, 1.0) * contrast[first]
    usual = _mode(np.log(found.offset[first]), weight, 0.1)
    near = np.abs(np.log(found.offset[first]) - usual) < 0.12
    bright = float(np.median(contrast[first][near]))
    alike = np.abs(np.log(found.offset) - usual) < 0.14
    alike &= (contrast > 0.35 * bright) | ((found.value >= 4) & (contrast > 0.2 * bright) & (found.misfit < 0.3))
    plain = (found.value >= 4) & (found.misfit < 0.25) & (found.uneven < 0.2) & ((sides > 0.15).sum(1) >= 3)
    plain &= (contrast > 0.4 * bright) & (found.score > 1.5) & (np.abs(np.log(found.offset) - usual) < 0.7)
    kept = np.nonzero(alike | plain)[0]
    score = found.score[kept] * np.where(alike[kept], 1.0, 0.5)
    narrowed = found.pick(kept)
    narrowed = Faces(*(getattr(narrowed, name) for name in Faces.__slots__[:-1]), score.astype(np.float32))
    return kept[_chosen(narrowed)]


def _chosen(found: Faces) -> NDArray[np.int64]:
    tagged = Faces(
        *(getattr(found, name) for name in Faces.__slots__[:-3]),
        np.arange(len(found), dtype=np.float32),
        found.strays,
        found.score,
    )
    return faces.choose(tagged).uneven.astype(np.int64)


def _mode(values: Floats, weights: Floats, width: float) -> float:
    """The value with most weight within `width` of it."""
    near = np.abs(values[:, None] - values[None]) < width
    best = int((near * weights[None]).sum(1).argmax())
    return float(np.average(values[near[best]], weights=weights[near[best]]))


def _with_ones(image: Image, every: Pips, found: Faces, half: Floats, sides: Floats) -> Found:
    contrast = np.linalg.norm(found.pip - found.body, axis=1)
    if len(found):
        size = float(np.median(half))
        radius = float(np.median(found.radius))
        bright = float(np.median(contrast))
        fit = (every.radius > 0.65 * radius) & (every.radius < 2.2 * radius) & (every.contrast > 0.4 * bright)
        apart = np.hypot(*(every.xy[:, None] - found.xy[None]).transpose(2, 0, 1)) / found.offset[None]
        fit &= apart.min(1) > 2.9
        single = every.pick(fit & (every.ratio > 0.72) & (every.clean > 0.75))
        low, high = np.full(len(single), 0.85 * size), np.full(len(single), 1.15 * size)
    else:
        size = radius = bright = 0.0
        single = every.pick((every.ratio > 0.8) & (every.clean > 0.85) & (every.contrast > 60))
        low, high = 3.4 * single.radius, 7.5 * single.radius
    ones, one_half, one_sides = _ones(image, single, low, high, bool(len(found)))
    if not len(found) and len(ones):
        usual = _mode(np.log(one_half), ones.score, 0.12)
        keep = np.abs(np.log(one_half) - usual) < 0.15
        ones, one_half, one_sides = ones.pick(keep), one_half[keep], one_sides[keep]
    all_faces = faces.join([found, ones])
    all_half, all_sides = np.concatenate([half, one_half]), np.concatenate([sides, one_sides])
    if len(ones):
        kept = _chosen(all_faces)
        all_faces, all_half, all_sides = all_faces.pick(kept), all_half[kept], all_sides[kept]
    offset = float(np.median(all_faces.offset)) if len(all_faces) else 0.0
    return Found(all_faces, all_half, all_sides, _rest(every, all_faces, offset), offset)


def _ones(image: Image, single: Pips, low: Floats, high: Floats, known: bool) -> tuple[Faces, Floats, Floats]:
    """Single pips in the middle of an even square."""
    none = (faces.no_faces(), np.zeros(0, np.float32), np.zeros((0, 4), np.float32))
    if not len(single):
        return none
    turn = np.deg2rad(np.arange(0, 90, 4.5, dtype=np.float32))
    lines = outline.trace(
        image, single.xy, np.tile(turn, (len(single), 1)), low, high, 0.3 * single.contrast, grid=10 if known else 26
    )
    reach = 0.82 * lines.half
    inner = 1.45 * single.radius
    rounds = np.linspace(0, 2 * np.pi, 20, endpoint=False, dtype=np.float32)
    far = inner[:, None] + (reach - inner)[:, None] * np.linspace(0, 1, 4, dtype=np.float32)
    x = single.xy[:, :1] + (far[:, :, None] * np.cos(rounds)).reshape(len(single), -1)
    y = single.xy[:, 1:] + (far[:, :, None] * np.sin(rounds)).reshape(len(single), -1)
    around = sample(image, x, y)
    body = np.median(around, axis=1)
    way = single.inner - body
    contrast = np.maximum(np.linalg.norm(way, axis=1), 1)
    spread = np.linalg.norm(around - body[:, None], axis=2) / contrast[:, None]
    uneven = np.clip(spread / 0.6, 0, 1).mean(1)
    worst = np.sort(spread, axis=1)[:, -4]
    sides = lines.steps / contrast[:, None]
    clear = (sides > 0.08).sum(1)
    keep = (uneven < 0.22) & (worst < 0.6) & (clear >= (3 if known else 4)) & (reach > 1.6 * inner)
    worth = np.clip(lines.best / contrast / 0.15, 0, 1)
    quality = single.clean * np.clip((single.ratio - 0.5) / 0.35, 0, 1) * np.clip(1 - uneven / 0.35, 0, 1) * worth
    n = len(single)
    zero = np.zeros(n, np.float32)
    made = Faces(
        single.xy,
        (lines.half / 1.9).astype(np.float32),
        lines.angle,
        np.ones(n, np.int64),
        single.radius,
        body.astype(np.float32),
        single.inner,
        worst.astype(np.float32),
        np.ones(n, np.float32),
        uneven.astype(np.float32),
        zero,
        (0.6 * quality).astype(np.float32),
    )
    keep &= quality > 0.25
    return made.pick(keep), lines.half[keep], sides[keep].astype(np.float32)


def _rest(every: Pips, found: Faces, offset: float) -> Pips:
    """Good pips like those of the dice, too far from every chosen face to be on one or on its sides."""
    if not len(found):
        return pips.none()
    radius = float(np.median(found.radius))
    contrast = np.linalg.norm(found.pip - found.body, axis=1)
    near = np.hypot(*(every.xy[:, None] - found.xy[None]).transpose(2, 0, 1)).min(1) < 3.7 * offset
    like = np.linalg.norm(every.outer[:, None] - found.body[None], axis=2) < 0.3 * contrast[None]
    like &= np.linalg.norm(every.inner[:, None] - found.pip[None], axis=2) < 0.3 * contrast[None]
    good = like.any(1) & ~near & (every.ratio > 0.7) & (every.clean > 0.75)
    good &= np.abs(np.log(every.radius / radius)) < 0.3
    return every.pick(good)
