"""Dice from a picture alone, when nothing is known of the tray, the camera or the dice."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import faces, pips, plain, rows, single
from vision.faces import Faces
from vision.frame import Image
from vision.pips import Pips
from vision.sampling import Floats
from vision.slant import Slant

# Pip radii looked for, pixels of the work picture, a factor 1.4 apart: dice of 30 to 400 pixels.
_RADII = (2.3, 3.2, 4.5, 6.4, 9.0, 13.0, 18.0, 26.0, 36.0)
# Diagonal of a face's outer pips in pip radii, on the dice measured 5 (big pips) to 11 (dots).
_DIAGONAL = (4.4, 12.5)
WORK_SIDE = 1280
# Degrees from overhead that are tried: one of them is near enough for a lattice to fit.
_SLANTS = (28.0, 38.0, 47.0, 56.0)
_FINER = 4.5  # degrees to either side of the likeliest of them: most dice have few pips, so more of them fit
# A view from the side must explain this much more than one from above, which needs no assumption.
_MORE = 1.15
# A view from the side makes round spots of a board's grain: less than this is none, a die's two has 0.8 and more.
_LEAST = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What is in one picture. `faces`: chosen, not clashing. `pips`: all spots, with the roundness they have on the
    table. `slant`: how the camera looks on it, the best of those tried. `round`: (n,) 0-1 short over long axis of each
    face's pips, on the table. `worth`: how much the faces explain."""

    faces: Faces
    pips: Pips
    slant: Slant
    round: Floats
    worth: float


def look(image: Image) -> Found:
    """`image`: at most `WORK_SIDE` pixels on its longer side for the sake of time; any size is read."""
    levels = _spots(image, None)
    height, width = image.shape[:2]
    above, *aside = (_from(image, levels, Slant(degrees, width, height), False) for degrees in (0.0, *_SLANTS))
    best = max(aside, key=lambda found: found.worth)
    near = (Slant(best.slant.degrees + way, width, height) for way in (-_FINER, _FINER))
    best = max(best, *(_from(image, levels, slant, False) for slant in near), key=lambda found: found.worth)
    return best if best.worth > max(_LEAST, _MORE * above.worth) else above


def from_above(image: Image, only: NDArray[np.uint8] | None = None) -> Found:
    """The same for a camera that looks straight down.

    `only`: (h, w), not 0 where dice can be. Within it dice of several sizes are taken as they come.
    """
    levels = _spots(image, only)
    return _from(image, levels, Slant(0.0, image.shape[1], image.shape[0]), only is not None)


def _spots(image: Image, only: NDArray[np.uint8] | None) -> list[Pips]:
    levels = [pips.find(image, r) for r in _RADII if r * 8 < min(image.shape[:2])]
    if only is not None:
        levels = [level.pick(_within(level.xy, only)) for level in levels]
    return [_above_grain(level) for level in levels]


def _from(image: Image, levels: list[Pips], slant: Slant, mixed: bool) -> Found:
    """What is there if the camera looks like that."""
    levels = [slant.seen(level) for level in levels]
    every = pips.distinct(pips.join(levels))
    parts = []
    for level in levels:
        top = level.pick(np.argsort(-level.clean * level.ratio * level.contrast)[:1200])
        pairs = faces.diagonals(top, *_DIAGONAL)
        middle = (top.xy[pairs[:, 0]] + top.xy[pairs[:, 1]]) / 2
        parts.append(faces.fit(image, top, pairs, faces.frames(top, pairs, slant.scale(middle))))
        if not mixed:
            # Not where dice are learned from: with a profile faces are read by the square lattice.
            parts.append(rows.sixes(image, top, slant))
    found = faces.distinct(faces.join(parts))
    found = found.pick(np.argsort(-found.score)[:400])
    found = single.with_ones(image, every, plain.settle(image, found, slant, mixed), slant, mixed)
    round_ = _roundness(every, found)
    # The rounder the pips of its faces lie on the table, the more a view explains.
    return Found(found, every, slant, round_, float((found.score * round_**3).sum()))


def _roundness(every: Pips, found: Faces) -> Floats:
    """(n,) 0-1 mean short over long axis of the pips on each face's lattice."""
    far = np.hypot(*(every.xy[None] - found.xy[:, None]).transpose(2, 0, 1)) / found.offset[:, None]
    like = np.abs(np.log(every.radius[None] / found.radius[:, None])) < 0.5
    on = (far < np.where(found.value > 1, 1.7, 0.3)[:, None]) & like
    return np.asarray((on * every.ratio[None]).sum(1) / np.maximum(on.sum(1), 1))


def _above_grain(level: Pips) -> Pips:
    """Without the grain of a carpet or a board: where ragged spots abound, pips must stand out from them."""
    ragged = (level.clean < 0.85) | (level.ratio < 0.8)
    if ragged.sum() < 80:
        return level
    return level.pick(level.contrast > 1.5 * np.percentile(level.contrast[ragged], 85))


def _within(xy: Floats, only: NDArray[np.uint8]) -> NDArray[np.bool_]:
    at = np.clip(np.round(xy).astype(int), 0, np.array(only.shape[::-1]) - 1)
    return np.asarray(only[at[:, 1], at[:, 0]] > 0)
