"""What somebody has to look at closely, cut out of the picture: a die that is asked about, or the dice of a throw."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.frame import Image
from vision.seen import Doubt, Reading, SeenDie

SIDE = 480  # pixels; of a phone that is held upright, all its width
# Edges of the die: what is shown of its surroundings tells how it lies.
_SHOWN = 2.4
# The same around the dice of a throw; and the least that is shown of the picture's width, to know one's way by.
_AROUND, _LEAST = 1.6, 0.4
_SHAPE = 4 / 3  # of that
# Of the picture's width, the edge of a die where none was read; as the calibration guesses it.
_USUAL = 0.042


def closeup(image: Image, doubt: Doubt, dice: Sequence[SeenDie]) -> Image | None:
    """uint8 (SIDE, SIDE, 3) BGR with the place of the doubt in the middle, or as near as the picture's border lets it
    be. `dice`: all that were read. None for a doubt about the picture as a whole, and outside of it."""
    height, width = image.shape[:2]
    if doubt.everywhere or not (0 <= doubt.x < width and 0 <= doubt.y < height):
        return None
    side = min(round(_SHOWN * _edge(doubt, dice, width)), width, height)
    left, top = _start(doubt.x, side, width), _start(doubt.y, side, height)
    part = image[top : top + side, left : left + side]
    how = cv2.INTER_CUBIC if side < SIDE else cv2.INTER_AREA
    return np.asarray(cv2.resize(part, (SIDE, SIDE), interpolation=how), np.uint8)


def _start(middle: float, side: int, whole: int) -> int:
    return min(max(0, round(middle - side / 2)), whole - side)


def _edge(doubt: Doubt, dice: Sequence[SeenDie], width: int) -> float:
    """Of the die at that place, or of one like the others; pixels."""
    here = [die.size for die in dice if abs(die.x - doubt.x) + abs(die.y - doubt.y) < die.size]
    sizes = here or sorted(die.size for die in dice)
    return max(8.0, sizes[len(sizes) // 2] if sizes else _USUAL * width)


def around(image: Image, reading: Reading, thrown: Sequence[SeenDie]) -> tuple[Image, Reading]:
    """The part of the picture with all dice of a throw and all places that are doubted, at its own size, 4:3 where the
    picture has room for that; and the reading as it is in that part. The whole where there is no such die or place."""
    height, width = image.shape[:2]
    places = [(die.x, die.y, _AROUND * die.size) for die in thrown]
    places += [(one.x, one.y, _AROUND * _edge(one, thrown, width)) for one in reading.doubts if not one.everywhere]
    left, right = _span([(x, far) for x, _, far in places], width)
    top, bottom = _span([(y, far) for _, y, far in places], height)
    wide = min(width, max(round(_LEAST * width), round(right - left), round(_SHAPE * (bottom - top))))
    high = min(height, max(round(wide / _SHAPE), round(bottom - top)))
    x, y = _start((left + right) / 2, wide, width), _start((top + bottom) / 2, high, height)
    dice = tuple(replace(die, x=die.x - x, y=die.y - y) for die in reading.dice)
    doubts = tuple(replace(doubt, x=doubt.x - x, y=doubt.y - y) for doubt in reading.doubts)
    return image[y : y + high, x : x + wide], Reading(dice, doubts)


def _span(places: Sequence[tuple[float, float]], whole: int) -> tuple[float, float]:
    """From the first to the last of these, each with its reach; of none the whole."""
    if not places:
        return 0.0, float(whole)
    return min(at - far for at, far in places), max(at + far for at, far in places)
