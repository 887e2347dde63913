"""The markers of a printed sheet, which say where the corners of the tray's floor are."""

import cv2
import numpy as np

from vision.frame import Image
from vision.polygon import Polygon

# Of this dictionary the markers 0 to 3 lie in the corners of the floor, clockwise from the far left one.
DICTIONARY = cv2.aruco.DICT_4X4_50
CORNERS = 4


def outline(image: Image) -> Polygon | None:
    """The floor's four corners, pixels, clockwise from marker 0; None unless all four markers are seen.

    Of each marker that corner counts that lies farthest from the middle of all."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    found, names, _ = detector.detectMarkers(image)
    if names is None:
        return None
    by_name = {int(name): corners.reshape(-1, 2) for name, corners in zip(names.ravel(), found, strict=True)}
    if not all(name in by_name for name in range(CORNERS)):
        return None
    four = np.stack([by_name[name] for name in range(CORNERS)])
    away = np.linalg.norm(four - four.mean((0, 1)), axis=2)
    outer = four[np.arange(CORNERS), away.argmax(1)]
    return tuple((float(x), float(y)) for x, y in outer)
