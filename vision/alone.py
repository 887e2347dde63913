"""Dice from a picture alone, when nothing is known of the tray, the camera or the dice."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import faces, outline, pips
from vision.choice import choose
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import turned
from vision.pips import Pips
from vision.sampling import Floats, sample

# Pip radii looked for, pixels of the work picture, a factor 1.4 apart: dice of 30 to 400 pixels.
_RADII = (2.3, 3.2, 4.5, 6.4, 9.0, 13.0, 18.0, 26.0, 36.0)
# Diagonal of a face's outer pips in pip radii, on the dice measured 5 (big pips) to 11 (dots).
_DIAGONAL = (4.4, 12.5)
WORK_SIDE = 1280
_TURNS = turned(np.deg2rad(np.arange(0, 90, 4.5)))
_ROUND = np.linspace(0, 2 * np.pi, 20, endpoint=False)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What is in one picture. `faces`: chosen, not clashing. `pips`: all spots. `rest`: good ones on no face."""

    faces: Faces
    pips: Pips
    rest: Pips


def look(image: Image, only: NDArray[np.uint8] | None = None) -> Found:
    """`image`: at most `WORK_SIDE` pixels on its longer side for the sake of time; any size is read.

    `only`: (h, w), not 0 where dice can be. Within it dice of several sizes are taken as they come.
    """
    levels = [pips.find(image, r) for r in _RADII if r * 8 < min(image.shape[:2])]
    if only is not None:
        levels = [level.pick(_within(level.xy, only)) for level in levels]
    levels = [_above_grain(level) for level in levels]
    every = pips.distinct(pips.join(levels))
    parts = []
    for level in levels:
        top = level.pick(np.argsort(-level.clean * level.ratio * level.contrast)[:1200])
        pairs = faces.diagonals(top, *_DIAGONAL)
        parts.append(faces.fit(image, top, pairs, faces.frames(top, pairs)))
    found = faces.distinct(faces.join(parts))
    found = _settle(_outlined(image, found.pick(np.argsort(-found.score)[:400])), only is not None)
    return _with_ones(image, every, found)


def _above_grain(level: Pips) -> Pips:
    """Without the grain of a carpet or a board: where ragged spots abound, pips must stand out from them."""
    ragged = (level.clean < 0.85) | (level.ratio < 0.8)
    if ragged.sum() < 80:
        return level
    return level.pick(level.contrast > 1.5 * np.percentile(level.contrast[ragged], 85))


def _within(xy: Floats, only: NDArray[np.uint8]) -> NDArray[np.bool_]:
    at = np.clip(np.round(xy).astype(int), 0, np.array(only.shape[::-1]) - 1)
    return np.asarray(only[at[:, 1], at[:, 0]] > 0)


def _outlined(image: Image, found: Faces) -> Faces:
    """Those with an outline: it is what tells a die from a pattern of the floor."""
    if not len(found):
        return found
    contrast, ones = found.contrast, np.ones(len(found))
    lines = outline.trace(image, found.xy, found.frame[:, None], 1.65 * ones, 2.45 * ones, 0.3 * contrast, grid=14)
    sides = lines.steps / contrast[:, None]
    clear = (sides > 0.07).sum(1)
    enough = clear >= np.where(found.value >= 4, 2, 3)
    worth = np.clip(lines.best / contrast / 0.15, 0, 1)
    score = np.where(enough, found.score * (0.4 + 0.6 * worth), 0)
    found = replace(found, score=score, half=lines.half * found.offset, sides=sides)
    return found.pick(score > 0.15)


def _settle(found: Faces, mixed: bool) -> Faces:
    """Which to keep: dice of one picture are mostly of one size and contrast; the odd one out must be plain."""
    if not len(found):
        return found
    first = found.pick(choose(found))
    plain = _plainness(found)
    best = _plainness(first)
    anchors = (best > 0.4) & (first.contrast > 35)
    if not anchors.any():
        return found.pick(np.zeros(0, np.int64))
    # A carpet's false faces may be many, but they are faint and ragged: squares let the plain ones speak.
    weight = first.score * best**2 * first.contrast**2
    usual = _mode(np.log(first.offset), weight, 0.1)
    near = np.abs(np.log(first.offset) - usual) < 0.12
    bright = float(np.average(first.contrast[near], weights=weight[near]))
    size = np.abs(np.log(found.offset) - usual)
    alike = (size < 0.14) & (found.contrast > 0.35 * bright) & (plain > 0.12)
    alike |= (size < 0.14) & (found.value >= 4) & (found.contrast > 0.2 * bright) & (plain > 0.3)
    odd = (size < 0.7) & (plain > np.where(found.value >= 4, 0.45, 0.6)) & (found.contrast > 0.5 * bright)
    odd &= (found.sides > 0.12).sum(1) >= np.where(found.value >= 4, 3, 4)
    if mixed:
        odd |= (plain > 0.35) & (found.contrast > 0.3 * bright)
    kept = faces.scored(found, found.score * np.where(alike, 1.0, 0.5)).pick(alike | odd)
    return kept.pick(choose(kept))


def _plainness(found: Faces) -> Floats:
    """0-1: a full pattern of found pips on an even ground with an outline; a pattern of grain has little of each."""
    even, fit = np.clip(1.05 - 2 * found.uneven, 0, 1), np.clip(1.05 - 1.5 * found.misfit, 0, 1)
    sides = np.clip((found.sides > 0.1).sum(1) / 3, 0, 1)
    return np.asarray(even * fit * sides * found.backed**2 * 0.6**found.strays)


def _mode(values: Floats, weights: Floats, width: float) -> float:
    """The value with most weight within `width` of it."""
    near = np.abs(values[:, None] - values[None]) < width
    best = int((near * weights[None]).sum(1).argmax())
    return float(np.average(values[near[best]], weights=weights[near[best]]))


def _with_ones(image: Image, every: Pips, found: Faces) -> Found:
    if len(found):
        size = float(np.median(found.half))
        radius = float(np.median(found.radius))
        bright = float(np.median(found.contrast))
        fit = (every.radius > 0.65 * radius) & (every.radius < 2.2 * radius) & (every.contrast > 0.4 * bright)
        apart = np.hypot(*(every.xy[:, None] - found.xy[None]).transpose(2, 0, 1)) / found.offset[None]
        fit &= apart.min(1) > 2.9
        single = every.pick(fit & (every.ratio > 0.72) & (every.clean > 0.75))
        low, high = np.full(len(single), 0.85 * size), np.full(len(single), 1.15 * size)
    else:
        single = every.pick((every.ratio > 0.8) & (every.clean > 0.85) & (every.contrast > 60))
        low, high = 3.4 * single.radius, 7.5 * single.radius
    ones = _ones(image, every, single, low, high, bool(len(found)))
    if not len(found) and len(ones):
        usual = _mode(np.log(ones.half), ones.score, 0.12)
        ones = ones.pick(np.abs(np.log(ones.half) - usual) < 0.15)
    every_face = faces.join([found, ones])
    if len(ones):
        every_face = every_face.pick(choose(every_face))
    return Found(every_face, every, _rest(every, every_face))


def _ones(image: Image, every: Pips, single: Pips, low: Floats, high: Floats, known: bool) -> Faces:
    """Single pips in the middle of an even square. `low`, `high`: pixels, half edge; `known`: it is surely so."""
    n = len(single)
    if not n:
        return faces.no_faces()
    frame = np.broadcast_to(_TURNS, (n, *_TURNS.shape))
    lines = outline.trace(image, single.xy, frame, low, high, 0.3 * single.contrast, grid=10 if known else 26)
    reach, inner = 0.82 * lines.half, 1.45 * single.radius
    far = inner[:, None] + (reach - inner)[:, None] * np.linspace(0, 1, 4)
    x = single.xy[:, :1] + (far[:, :, None] * np.cos(_ROUND)).reshape(n, -1)
    y = single.xy[:, 1:] + (far[:, :, None] * np.sin(_ROUND)).reshape(n, -1)
    around = sample(image, x, y)
    body = np.median(around, axis=1)
    contrast = np.maximum(np.linalg.norm(single.inner - body, axis=1), 1)
    spread = faces.unlikeness(around, body, single.inner)
    uneven = np.clip(spread / 0.6, 0, 1).mean(1)
    worst = np.sort(spread, axis=1)[:, -4]
    sides = lines.steps / contrast[:, None]
    worth = np.clip(lines.best / contrast / 0.15, 0, 1)
    quality = single.clean * np.clip((single.ratio - 0.5) / 0.35, 0, 1) * np.clip(1 - uneven / 0.35, 0, 1) * worth
    keep = (uneven < 0.22) & (worst < 0.6) & ((sides > 0.08).sum(1) >= (3 if known else 4)) & (reach > 1.6 * inner)
    keep &= (quality > (0.25 if known else 0.5)) & ((sides > 0.15).sum(1) >= (2 if known else 4))
    keep &= faces.company(single, every, 0.9 * lines.half) == 0
    offset = lines.half / 1.9
    return Faces(
        xy=single.xy,
        frame=_TURNS[lines.turn] * offset[:, None, None],
        value=np.ones(n, np.int64),
        radius=single.radius,
        body=body,
        pip=single.inner,
        misfit=worst,
        margin=np.ones(n),
        rival=np.zeros(n, np.int64),
        uneven=uneven,
        strays=np.zeros(n),
        score=0.6 * quality,
        half=lines.half,
        sides=sides,
        backed=np.ones(n),
        upright=np.zeros(n),
        kind=np.full(n, -1),
    ).pick(keep)


def _rest(every: Pips, found: Faces) -> Pips:
    """Good pips, too far from every chosen face to be on one or on its sides: a die may have been missed there."""
    if not len(found):
        # No die, yet plain round spots: dice seen from aside, or too small. One alone is a knot or a screw.
        plain = (every.clean > 0.9) & (every.ratio > 0.75) & (every.contrast > 120)
        return every.pick(plain if plain.sum() > 1 else np.zeros(len(every), np.bool_))
    radius, contrast = float(np.median(found.radius)), found.contrast
    far = np.hypot(*(every.xy[:, None] - found.xy[None]).transpose(2, 0, 1)) / found.offset[None] > 3.7
    like = np.linalg.norm(every.outer[:, None] - found.body[None], axis=2) < 0.3 * contrast[None]
    like &= np.linalg.norm(every.inner[:, None] - found.pip[None], axis=2) < 0.3 * contrast[None]
    good = like.any(1) & (every.ratio > 0.7) & (every.clean > 0.75)
    good |= (every.ratio > 0.87) & (every.clean > 0.93) & (every.contrast > 0.7 * np.median(contrast))
    return every.pick(good & far.all(1) & (np.abs(np.log(every.radius / radius)) < 0.4))
