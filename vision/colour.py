"""Names for colours, as people at a table say them."""

import cv2
import numpy as np
from numpy.typing import ArrayLike

# Hue limits in OpenCV's half degrees (0-179).
_HUES = (
    (8, "red"),
    (20, "orange"),
    (33, "yellow"),
    (85, "green"),
    (100, "turquoise"),
    (128, "blue"),
    (152, "purple"),
    (172, "pink"),
)


def name(bgr: ArrayLike) -> str:
    """The plain name of a body colour, BGR 0-255: "white", "black", "grey", "ivory", "red", "blue", ..."""
    pixel = np.clip(np.asarray(bgr, np.float32), 0, 255).astype(np.uint8).reshape(1, 1, 3)
    hue, saturation, value = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    if value < 45:
        return "black"
    if saturation < (38 if value > 150 else 45):
        return "white" if value > 150 else "grey" if value > 70 else "black"
    if saturation < 105 and 10 <= hue <= 33 and value > 120:
        return "ivory"
    if value < 75 and saturation < 90:
        return "black"
    if 4 <= hue <= 20 and value < 150:
        return "brown"
    if saturation < 130 and value > 150 and (hue >= 160 or hue < 8):
        return "pink"
    return next((said for limit, said in _HUES if hue < limit), "red")
