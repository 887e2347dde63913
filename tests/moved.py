"""The same throw seen by a camera that is turned, shifted or has finer pixels: the picture and its profile alike."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.polygon import Polygon
from vision.profile import Profile


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """`way`: (2, 3), takes pixels of the first picture to pixels of this one."""

    image: Image
    profile: Profile
    way: NDArray[np.float64]

    def at(self, x: float, y: float) -> tuple[float, float]:
        there = self.way @ (x, y, 1.0)
        return float(there[0]), float(there[1])


def turned(image: Image, profile: Profile, degrees: float) -> Moved:
    """By `degrees`, x towards y, on a canvas that holds all of it."""
    height, width = image.shape[:2]
    side = math.ceil(math.hypot(width, height))
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    middle, new = ((width - 1) / 2, (height - 1) / 2), (side - 1) / 2
    way = np.array(
        [
            [cos, -sin, new - cos * middle[0] + sin * middle[1]],
            [sin, cos, new - sin * middle[0] - cos * middle[1]],
        ]
    )
    return _moved(image, profile, way, (side, side), (cos, sin))


def shifted(image: Image, profile: Profile, dx: float, dy: float) -> Moved:
    """By pixels; what was in the corner lies farther in, and a margin like the picture's rim is added."""
    height, width = image.shape[:2]
    size = (width + math.ceil(abs(dx)), height + math.ceil(abs(dy)))
    return _moved(image, profile, np.array([[1, 0, max(0.0, dx)], [0, 1, max(0.0, dy)]]), size, (1.0, 0.0))


def scaled(image: Image, profile: Profile, factor: float) -> Moved:
    size = (round(image.shape[1] * factor), round(image.shape[0] * factor))
    larger = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    off = (factor - 1) / 2  # pixel centres are whole numbers
    return Moved(larger, profile.for_size(*size), np.array([[factor, 0, off], [0, factor, off]]))


def _moved(
    image: Image, profile: Profile, way: NDArray[np.float64], size: tuple[int, int], turn: tuple[float, float]
) -> Moved:
    def warped(picture: Image) -> Image:
        how = cv2.INTER_CUBIC
        return np.asarray(cv2.warpAffine(picture, way, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def there(polygon: Polygon | None) -> Polygon | None:
        if polygon is None:
            return None
        return tuple((float(x), float(y)) for x, y in np.array(polygon) @ way[:, :2].T + way[:, 2])

    cos, sin = turn
    camera = profile.camera
    cx, cy = way @ (camera.cx, camera.cy, 1.0)
    camera = replace(
        camera,
        cx=float(cx),
        cy=float(cy),
        tilt_x=cos * camera.tilt_x - sin * camera.tilt_y,
        tilt_y=sin * camera.tilt_x + cos * camera.tilt_y,
    )
    profile = replace(
        profile,
        width=size[0],
        height=size[1],
        camera=camera,
        tray=there(profile.tray),
        rail=there(profile.rail),
        empty=None if profile.empty is None else warped(profile.empty),
    )
    return Moved(warped(image), profile, way)
