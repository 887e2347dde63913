"""Has the camera moved? The edges of the empty tray are still where they were, or they are not."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sampling import Floats

# Grey levels over three pixels. Grain at a quarter of the size stays below 3.
_EDGE = 8.0
# Edges are taken from all over the tray, so many of each cell at most, so that neither dice nor a hand hide the most.
_CELL, _EACH = 40, 40
# With fewer in one direction that direction tells nothing.
_LEAST = 100
# Of the tray's size: how far beyond its floor edges are taken, which are its walls.
_BEYOND = 1.16
_RIM = 3  # pixels of the picture's own rim, where a lens and a codec do as they like
# Of 432 unmoved rendered pictures with dice, in half to three times the light, all keep more than 0.94; moved by 2 mm
# they keep 0.35 to 0.91, by 3 mm 0.64 at most, by 10 mm 0.08.
STEADY = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """Edges of one direction. `at`: (n,) places, counted along the rows of the picture. `slope`: (n, 2) grey levels
    that it rises there along x and y."""

    at: NDArray[np.intp]
    slope: NDArray[np.float32]


def find(empty: Image, outlines: Sequence[Floats]) -> tuple[Landmarks, ...]:
    """The edges of the empty tray that lie more across and those that lie more along. `outlines`: of tray and rail, in
    pixels of this picture; none where they are not known."""
    slope = _slopes(empty)
    steep = np.hypot(slope[..., 0], slope[..., 1]) * _around(empty.shape[:2], outlines)
    steep[steep < _EDGE] = 0
    across = np.abs(slope[..., 0]) > np.abs(slope[..., 1])
    out = []
    for way in (across, ~across):
        at = _steepest(np.where(way, steep, 0))
        if len(at) >= _LEAST:
            out.append(Landmarks(at, slope.reshape(-1, 2)[at]))
    return tuple(out)


def kept(picture: Image, marks: Sequence[Landmarks]) -> float:
    """How much of the edges is where it was: 1 all of it, 0 none; 1 too where there are none to go by. `picture`: as
    large and as bright as the one they were found in."""
    if not marks:
        return 1.0
    # Signed, and wide enough for a difference.
    grey = _grey(picture).astype(np.int16).ravel()
    # Moved along one kind of edges, a picture shows it by the other. What dice hide is the smaller part.
    return min(1.0, *(float(np.median(_share(grey, picture.shape[1], m))) for m in marks))


def _share(grey: NDArray[np.int16], width: int, marks: Landmarks) -> Floats:
    """(n,) how much of the slope at each place is there."""
    x, y = marks.slope.T
    across, down = grey[marks.at + 1] - grey[marks.at - 1], grey[marks.at + width] - grey[marks.at - width]
    return np.asarray((across * x + down * y) / (x * x + y * y))


def _grey(picture: Image) -> NDArray[np.uint8]:
    return np.asarray(cv2.blur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3)), np.uint8)


def _slopes(picture: Image) -> NDArray[np.float32]:
    grey = _grey(picture).astype(np.float32)
    slope = np.zeros((*grey.shape, 2), np.float32)
    slope[:, 1:-1, 0] = grey[:, 2:] - grey[:, :-2]
    slope[1:-1, :, 1] = grey[2:] - grey[:-2]
    return slope


def _around(shape: tuple[int, ...], outlines: Sequence[Floats]) -> NDArray[np.bool_]:
    """The tray with its walls, without the picture's rim."""
    mask = np.ones(shape, np.uint8)
    if outlines:
        hull = cv2.convexHull(np.concatenate(outlines).astype(np.float32))[:, 0]
        middle = hull.mean(0)
        mask[:] = 0
        cv2.fillConvexPoly(mask, np.rint(middle + _BEYOND * (hull - middle)).astype(np.int32), (1,))
    inner = np.zeros(shape, np.bool_)
    inner[_RIM:-_RIM, _RIM:-_RIM] = mask[_RIM:-_RIM, _RIM:-_RIM] > 0
    return inner


def _steepest(steep: NDArray[np.float32]) -> NDArray[np.intp]:
    """Places of the steepest edges of each cell."""
    places = np.arange(steep.size).reshape(steep.shape)
    out = []
    for top in range(0, steep.shape[0], _CELL):
        for left in range(0, steep.shape[1], _CELL):
            cell = (slice(top, top + _CELL), slice(left, left + _CELL))
            best = np.argsort(steep[cell], axis=None)[-_EACH:]
            out.append(places[cell].ravel()[best[steep[cell].ravel()[best] > 0]])
    return np.concatenate(out)
