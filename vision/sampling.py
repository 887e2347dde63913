"""Colours of a picture at any places between its pixels."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Floats = NDArray[np.floating[Any]]
_ROWS = 16384  # remap takes less than 2**15 rows at a time


def sample(image: Image, x: Floats, y: Floats) -> Floats:
    """The picture's colours at (x, y), each (n, m) pixels: float32 (n, m, 3). Beyond the edge the edge goes on."""
    return look_up(image, x, y).astype(np.float32)


def planes(image: Image, x: Floats, y: Floats) -> Floats:
    """As `sample`, but the channels come first, each in one piece: float32 (3, n, m)."""
    return split(look_up(image, x, y))


def split(colours: NDArray[np.uint8]) -> Floats:
    """(n, m, 3) to float32 (3, n, m)."""
    parts = cv2.split(colours) if colours.size else np.zeros((3, *colours.shape[:2]))
    return np.asarray(parts, np.float32)


def look_up(image: Image, x: Floats, y: Floats) -> NDArray[np.uint8]:
    """As `sample`, whole numbers."""
    x, y = x.astype(np.float32, copy=False), y.astype(np.float32, copy=False)
    parts = [
        cv2.remap(image, x[k : k + _ROWS], y[k : k + _ROWS], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for k in range(0, len(x), _ROWS)
    ]
    if not parts or not x.shape[1]:
        return np.zeros((*x.shape, 3), np.uint8)
    return np.asarray(np.concatenate(parts) if len(parts) > 1 else parts[0], np.uint8)


def smaller(image: Image, width: int, height: int) -> Image:
    """Halved as often as it goes, the rest bilinear: differs from cv2.INTER_AREA by one grey level in the mean and is
    six times as fast where the factor is not a whole one."""
    while 2 * width <= image.shape[1] and 2 * height <= image.shape[0]:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def middle(values: Floats) -> Floats:
    """np.median along the second axis, by sorting: up to seven times as fast for a thousand short rows."""
    count, ordered = values.shape[1], np.sort(values, axis=1)
    return np.asarray((ordered[:, (count - 1) // 2] + ordered[:, count // 2]) / 2)
