"""What is printed on faces of dice that have no pips: numerals, the letters of poker dice, a star for a logo."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.drivers.simulated.paint import Doubles
from firmware.drivers.simulated.scene import STAR

_SIDE = 96  # pixels of a sign as it is drawn once; a face has some 50 in the picture
_FONT, _SCALE, _BOLD = cv2.FONT_HERSHEY_TRIPLEX, 1.9, 5
_UNDERLINED = ("6", "9")  # or nobody knew which way up they are
_WIDE = 0.72  # of a face, at most
_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * (_SIDE - 1)


def stamp(mask: NDArray[np.uint8], text: str, corners: Doubles) -> None:
    """Print `text` over a face, in place. `corners`: (4, 2) pixels of the face, one after the other."""
    x, y = corners.T
    if (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() < 0:
        corners = corners[::-1]  # seen from the other side a sign would be mirrored
    way = cv2.getPerspectiveTransform(_SQUARE, corners.astype(np.float32))
    seen = cv2.warpPerspective(_sign(text), way, mask.shape[1::-1], flags=cv2.INTER_AREA)
    np.maximum(mask, seen, out=mask)


@lru_cache
def _sign(text: str) -> NDArray[np.uint8]:
    return _star() if text == STAR else _written(text)


def _star() -> NDArray[np.uint8]:
    turns = np.pi * (np.arange(10) / 5 - 0.5)
    radii = np.where(np.arange(10) % 2, 0.4, 1.0) * _WIDE / 2 * _SIDE
    points = np.stack([np.cos(turns), np.sin(turns)], axis=1) * radii[:, None] + _SIDE / 2
    out: NDArray[np.uint8] = np.zeros((_SIDE, _SIDE), np.uint8)
    cv2.fillPoly(out, [np.round(points * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    return out


def _written(text: str) -> NDArray[np.uint8]:
    (wide, high), _ = cv2.getTextSize(text, _FONT, _SCALE, _BOLD)
    scale = _SCALE * min(1.0, _WIDE * _SIDE / wide)
    (wide, high), _ = cv2.getTextSize(text, _FONT, scale, _BOLD)
    left, foot = (_SIDE - wide) // 2, (_SIDE + high) // 2
    out: NDArray[np.uint8] = np.zeros((_SIDE, _SIDE), np.uint8)
    cv2.putText(out, text, (left, foot), _FONT, scale, (255,), _BOLD, cv2.LINE_AA)
    if text in _UNDERLINED:
        cv2.line(out, (left, foot + 10), (left + wide, foot + 10), (255,), _BOLD, cv2.LINE_AA)
    return out
