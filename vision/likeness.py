"""How much each colour looks like a die of this set rather than like its tray."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

_BITS = 4  # of each channel: 16 steps, enough to part a dim die from a shadow, few enough to be filled by two pictures
BINS = 1 << _BITS
# A colour that makes less than this share of either side tells nothing.
_LITTLE = 2e-5
_STRIP = 64  # rows
_STEP = 40  # of the table, for a colour e times as frequent on dice
Likeness = NDArray[np.uint8]  # (16, 16, 16) by blue, green, red: 0 surely floor, 128 no idea, 255 surely a die


def of(image: Image, likeness: Likeness) -> NDArray[np.uint8]:
    """uint8 (h, w): the likeness of each pixel."""
    blue, green, red = (np.asarray(plane, np.uint8) for plane in cv2.split(image >> (8 - _BITS)))
    index = (blue.astype(np.uint16) << (2 * _BITS)) | (green << _BITS | red)
    return np.asarray(likeness.reshape(-1).take(index))


def count(image: Image, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(16, 16, 16) how often each colour occurs where `mask` is."""
    total = np.zeros(BINS**3)
    for top in range(0, len(image), _STRIP):  # at once a picture would take fifty times its size
        rows = slice(top, top + _STRIP)
        small = (image[rows][mask[rows]] >> (8 - _BITS)).astype(np.int64)
        index = (small[:, 0] << (2 * _BITS)) | (small[:, 1] << _BITS) | small[:, 2]
        total += np.bincount(index, minlength=BINS**3)
    return total.reshape(BINS, BINS, BINS)


def learned(dice: NDArray[np.float64], other: NDArray[np.float64]) -> Likeness:
    """From how often each colour occurs on dice and elsewhere. Colours near each other lend each other weight."""
    on, off = _smooth(dice / max(1.0, dice.sum())), _smooth(other / max(1.0, other.sum()))
    ratio = np.log((on + _LITTLE) / (off + _LITTLE))
    return np.asarray(np.clip(128 + _STEP * ratio, 0, 255), np.uint8)


def on_other_floor(table: Likeness, before: NDArray[np.float64], now: NDArray[np.float64]) -> Likeness:
    """The same dice on another floor. `before`, `now`: how often each colour occurs on the one and the other."""
    was, is_ = _smooth(before / max(1.0, before.sum())), _smooth(now / max(1.0, now.sum()))
    ratio = np.log((was + _LITTLE) / (is_ + _LITTLE))
    return np.asarray(np.clip(table + _STEP * ratio, 0, 255), np.uint8)


def _smooth(table: NDArray[np.float64]) -> NDArray[np.float64]:
    for axis in range(3):
        before, after = np.roll(table, 1, axis), np.roll(table, -1, axis)
        first: list[slice | int] = [slice(None)] * 3
        last: list[slice | int] = [slice(None)] * 3
        first[axis], last[axis] = 0, BINS - 1
        before[tuple(first)] = table[tuple(first)]
        after[tuple(last)] = table[tuple(last)]
        table = 0.25 * before + 0.5 * table + 0.25 * after
    return table
