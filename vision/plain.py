"""Which faces of one picture are dice: those with an outline, of one size and contrast."""

from dataclasses import replace

import numpy as np

from vision import faces, outline
from vision.choice import choose
from vision.faces import Faces
from vision.frame import Image
from vision.sampling import Floats
from vision.slant import Slant


def settle(image: Image, found: Faces, slant: Slant, mixed: bool) -> Faces:
    """Which to keep, not clashing. `mixed`: dice of several sizes are as likely."""
    return _settle(_outlined(image, found), slant, mixed)


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


def mode(values: Floats, weights: Floats, width: float) -> float:
    """The value with most weight within `width` of it."""
    near = np.abs(values[:, None] - values[None]) < width
    best = int((near * weights[None]).sum(1).argmax())
    return float(np.average(values[near[best]], weights=weights[near[best]]))
