"""The die that somebody is asked about, cut out of the picture and made large."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Image
from vision.seen import Doubt, SeenDie

SIDE = 480  # pixels; of a phone that is held upright, all its width
# Edges of the die: what is shown of its surroundings tells how it lies.
_SHOWN = 2.4
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
