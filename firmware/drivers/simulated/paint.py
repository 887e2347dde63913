"""Drawing to a fraction of a pixel on masks, and smoothing, with the types that the rest of the simulation uses."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_SHIFT = 4  # OpenCV draws to a sixteenth of a pixel


def fill(mask: NDArray[np.uint8], polygon: Doubles, level: int = 255) -> None:
    """Fill a convex polygon (n, 2), smooth at its edge, in place."""
    points = np.round(polygon * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, (level,), cv2.LINE_AA, _SHIFT)


def hull(points: Doubles) -> Doubles:
    """The convex polygon around points (n, 2)."""
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


def line(mask: NDArray[np.uint8], start: Doubles, end: Doubles, level: int = 255) -> None:
    """A line one pixel wide, in place."""
    ends = np.round(np.stack([start, end]) * (1 << _SHIFT)).astype(int)
    cv2.line(mask, ends[0].tolist(), ends[1].tolist(), (level,), 1, cv2.LINE_AA, _SHIFT)


def blur(values: Floats, along: float, across: float | None = None) -> Floats:
    """Gaussian blur; the sigmas over columns and rows, in pixels."""
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigmaX=along, sigmaY=across or along), np.float32)


def blur_mask(mask: NDArray[np.uint8], sigma: float) -> NDArray[np.uint8]:
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.uint8)


def dim(picture: Image, left: NDArray[np.uint8]) -> None:
    """Multiply a picture, in place, by `left` (h, w), 255 meaning as it was."""
    cv2.multiply(picture, cv2.merge([left, left, left]), picture, 1 / 255)
