"""Which faces of one picture are dice: those with an outline, of one size and contrast."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import faces, outline
from vision.choice import choose
from vision.faces import Faces
from vision.frame import Image
from vision.sampling import Floats
from vision.slant import Slant


def settle(image: Image, found: Faces, slant: Slant, mixed: bool) -> Faces:
    """Which to keep, not clashing. `mixed`: dice of several sizes are as likely."""
    if not len(found):
        return found
    found, outlined = _outlined(image, found)
    plain = _settle(found.pick(outlined & (found.score > _LEAST)), slant, mixed)
    kin = _kin(found.pick(~outlined), plain, slant)
    if not len(kin):
        return plain
    both = faces.join([plain, kin])
    return both.pick(choose(both))


_LEAST = 0.15  # score


def _outlined(image: Image, found: Faces) -> tuple[Faces, NDArray[np.bool_]]:
    """With their outlines, and which have one: it is what tells a die from a pattern of the floor."""
    contrast, ones = found.contrast, np.ones(len(found))
    lines = outline.trace(image, found.xy, found.frame[:, None], 1.65 * ones, 2.45 * ones, 0.3 * contrast, grid=14)
    sides = lines.steps / contrast[:, None]
    worth = np.clip(lines.best / contrast / 0.15, 0, 1)
    score = found.score * (0.4 + 0.6 * worth)
    found = replace(found, score=score, half=lines.half * found.offset, sides=sides)
    return found, np.asarray((sides > 0.07).sum(1) >= np.where(found.value >= 4, 2, 3))


# How far kin may differ: colours, as a share of the contrast; pips' radius and spacing, natural logarithm. And how well
# their places must fit.
_COLOUR, _RADIUS, _SPACING, _FIT = 0.2, 0.15, 0.1, 0.15


def _kin(faint: Faces, plain: Faces, slant: Slant) -> Faces:
    """Those of the `faint` ones, that show little of an outline, that are like a plain die in all else: a light die on
    light wood has no sharp border, yet no floor has its very colours and pips."""
    perfect = (faint.misfit < _FIT) & (faint.uneven < _FIT) & (faint.backed == 1) & (faint.strays == 0)
    faint = faint.pick(perfect & (faint.score > _LEAST))
    if not len(faint) or not len(plain):
        return faint.pick(np.zeros(0, np.int64))

    def off(values: Floats, others: Floats) -> Floats:
        return np.asarray(np.abs(np.log(values[:, None] / others[None])))

    def apart(colours: Floats, others: Floats) -> Floats:
        return np.asarray(np.linalg.norm(colours[:, None] - others[None], axis=2) / plain.contrast[None])

    size, usual = slant.size(faint.xy), slant.size(plain.xy)
    like = off(faint.offset / size, plain.offset / usual) < _SPACING
    like &= off(faint.radius / size, plain.radius / usual) < _RADIUS
    like &= (apart(faint.body, plain.body) < _COLOUR) & (apart(faint.pip, plain.pip) < _COLOUR)
    half = float(np.median(plain.half / plain.offset))
    return replace(faint, half=half * faint.offset).pick(np.asarray(like.any(1)))


def _settle(found: Faces, slant: Slant, mixed: bool) -> Faces:
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
    sizes = np.log(first.offset / slant.size(first.xy))
    usual = mode(sizes, weight, 0.1)
    near = np.abs(sizes - usual) < 0.12
    bright = float(np.average(first.contrast[near], weights=weight[near]))
    size = np.abs(np.log(found.offset / slant.size(found.xy)) - usual)
    alike = (size < 0.14) & (found.contrast > 0.35 * bright) & (plain > 0.12)
    alike |= (size < 0.14) & (found.value >= 4) & (found.contrast > 0.2 * bright) & (plain > 0.3)
    # On many dice the pips of the two, or of the six, lie nearer together or farther apart than the others'.
    alike |= (not mixed) & (size < 0.22) & (found.contrast > 0.5 * bright) & (plain > 0.6)
    odd = (size < 0.7) & (plain > np.where(found.value >= 4, 0.45, 0.6)) & (found.contrast > 0.5 * bright)
    odd &= (found.sides > 0.12).sum(1) >= np.where(found.value >= 4, 3, 4)
    if mixed:
        odd |= (plain > 0.35) & (found.contrast > 0.3 * bright)
    kept = faces.scored(found, found.score * np.where(alike, 1.0, 0.5)).pick(alike | odd)
    chosen = choose(kept)
    return (found.pick(alike | odd) if mixed else kept).pick(chosen)


def _plainness(found: Faces) -> Floats:
    """0-1: a full pattern of found pips on an even ground with an outline; a pattern of grain has little of each."""
    even, fit = np.clip(1.05 - 2 * found.uneven, 0, 1), np.clip(1.05 - 1.5 * found.misfit, 0, 1)
    sides = np.clip((found.sides > 0.1).sum(1) / 3, 0, 1)
    return np.asarray(even * fit * sides * found.backed**2 * 0.6**found.strays)


def mode(values: Floats, weights: Floats, width: float) -> float:
    """The value with most weight within `width` of it."""
    near = np.abs(values[:, None] - values[None]) < width
    best = int((near * weights[None]).sum(1).argmax())
    return float(np.average(values[near[best]], weights=weights[near[best]]))
