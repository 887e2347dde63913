"""Marks on pictures: outlines, rings, badges and captions that are read on any ground. All draw on `out` itself."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sampling import Floats

Colour = tuple[int, int, int]  # BGR
# Sure, not sure, not counted, the tray's own lines.
GREEN, AMBER, GREY, LINE = (80, 200, 70), (0, 170, 255), (170, 170, 170), (220, 220, 220)
INK = (30, 25, 20)
_SHIFT = 4  # OpenCV draws at sixteenths of a pixel


def thickness(image: Image) -> int:
    """Of lines that are seen when the whole picture is."""
    return max(2, round(int(max(image.shape[:2])) / 500))


def dimmed(image: Image) -> Image:
    """A dark grey copy, on which marks stand out."""
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(image, 0.25, grey, 0.3, 0), np.uint8)


def polygon(out: Image, corners: Floats, colour: Colour, thick: int, edged: bool = True) -> None:
    """`corners`: (n, 2) pixels. `edged`: with a dark edge."""
    points = [np.asarray(np.round(corners * 16), np.int32)]
    if edged:
        cv2.polylines(out, points, True, INK, thick + 2, cv2.LINE_AA, _SHIFT)
    cv2.polylines(out, points, True, colour, thick, cv2.LINE_AA, _SHIFT)


def ring(out: Image, x: float, y: float, radius: float, colour: Colour, thick: int) -> None:
    """`thick`: -1 for a disc."""
    at = (round(x * 16), round(y * 16))
    cv2.circle(out, at, round(radius * 16), colour, thick, cv2.LINE_AA, _SHIFT)


def badge(out: Image, text: str, x: float, y: float, radius: float, colour: Colour) -> None:
    ring(out, x, y, radius + 1.5, INK, -1)
    ring(out, x, y, radius, colour, -1)
    scale, thick = radius / 15, max(1, round(radius / 7))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
    at = (round(x - w / 2), round(y + h / 2))
    cv2.putText(out, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, INK, thick, cv2.LINE_AA)


def caption(out: Image, text: str, x: float, y: float, colour: Colour, scale: float) -> None:
    """A line of text in a dark box, its middle at `x`, its foot at `y`, moved to lie inside the picture."""
    h, w = out.shape[:2]
    line = max(1, round(1.6 * scale))
    (wide, high), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, line)
    pad = round(0.5 * high)
    left = int(np.clip(x - wide / 2, pad, max(pad, w - wide - pad)))
    foot = int(np.clip(y, high + pad, max(high + pad, h - base - pad)))
    cv2.rectangle(out, (left - pad, foot - high - pad), (left + wide + pad, foot + base + pad), INK, -1)
    cv2.putText(out, text, (left, foot), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, line, cv2.LINE_AA)


def tinted(out: Image, where: NDArray[np.bool_], colour: Colour, share: float) -> None:
    """Mix `share` of the colour into the places `where` (h, w)."""
    out[where] = ((1 - share) * out[where] + share * np.array(colour)).astype(np.uint8)
