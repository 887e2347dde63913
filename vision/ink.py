"""What is printed on a face: how far its colours differ from those around. Gleams and shadows leave next to nothing."""

from collections.abc import Sequence
from typing import Literal

import cv2
import numpy as np

from vision.frame import Image
from vision.polygon import Box

Way = Literal["darker", "lighter", "both"]

# Edges of a face. In a window so large the ink is less than half, and the border of a gleam is as good as straight.
_WINDOW = 0.35
_ONE_WAY = 0.25  # share of a face's ink that may go the other way: noise and gleams of the lesson's pictures
_MOST = 0.65  # of the faces: on one or two a gleam may lie
_WITHIN = 0.25  # edges from the border of a face's picture: farther out lie the corners of gleams


def way(pictures: Sequence[Image]) -> Way:
    """Whether what is on these faces (side, side, 3) is darker than they are, or lighter: on most of them."""
    ways = [_way(picture) for picture in pictures]
    darker, lighter = ways.count("darker") / len(ways), ways.count("lighter") / len(ways)
    return "darker" if darker > _MOST else "lighter" if lighter > _MOST else "both"


def _way(picture: Image) -> Way:
    border = round(_WITHIN * len(picture))
    part = np.s_[border:-border, border:-border]
    off = picture[part].astype(np.float64) - _around(picture, len(picture))[part]
    darker, lighter = (float((np.clip(sign * off, 0, None) ** 2).sum()) for sign in (-1, 1))
    if min(darker, lighter) > _ONE_WAY * (darker + lighter):
        return "both"
    return "darker" if darker > lighter else "lighter"


def of(image: Image, edge_px: float, which: Way, boxes: Sequence[Box] | None = None) -> Image:
    """uint8 of the picture's shape: how much each colour differs from those around it, only in this way.

    `edge_px`: of the faces. `boxes`: where to look; None everywhere. Elsewhere is no ink.
    """
    if boxes is None:
        return _off(image, _around(image, edge_px), which)
    out = np.full_like(image, _NONE[which])
    for x0, y0, x1, y1 in boxes:
        part = image[y0:y1, x0:x1]
        if part.size:
            out[y0:y1, x0:x1] = _off(part, _around(part, edge_px), which)
    return out


_NONE: dict[Way, int] = {"darker": 0, "lighter": 0, "both": 128}


def _off(image: Image, around: Image, which: Way) -> Image:
    if which == "darker":
        return np.asarray(cv2.subtract(around, image), np.uint8)
    if which == "lighter":
        return np.asarray(cv2.subtract(image, around), np.uint8)
    return np.asarray(128 + (image.astype(np.int16) - around) // 2, np.uint8)


def _around(image: Image, edge_px: float) -> Image:
    """The middle colour of what is about each place."""
    size = 2 * max(1, round(_WINDOW * edge_px / 2)) + 1
    reach = size // 2
    large = cv2.copyMakeBorder(image, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.medianBlur(large, size)[reach:-reach, reach:-reach], np.uint8)
