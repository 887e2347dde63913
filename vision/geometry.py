"""Where things on the table appear in the picture, and back."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.sampling import Floats


@dataclass(frozen=True)
class Camera:
    """A pinhole over a flat table.

    `focal`: pixels. `cx`, `cy`: pixels, the principal point. `tilt_x`, `tilt_y`: the first two parts of the unit
    vector from the camera straight down to the table, in camera axes (x right, y down, z into the picture); both 0
    for a camera that looks straight down. `height_mm`: from the table up to the camera. `bend`: how the lens bends
    straight lines, negative when they bulge outwards: a ray that meets the plane at distance 1 from the camera at
    radius r / (1 + bend r^2) shows at r focal lengths from the principal point (the division model, Fitzgibbon 2001).

    Table coordinates are millimetres; the origin is where the picture's middle meets the table, x to the right of the
    picture, y down it. Heights are millimetres above the table.
    """

    focal: float
    cx: float
    cy: float
    tilt_x: float
    tilt_y: float
    height_mm: float
    bend: float = 0.0

    @cached_property
    def _axes(self) -> NDArray[np.float64]:
        """Rows: table x, table y, down, in camera axes."""
        down = np.array([self.tilt_x, self.tilt_y, np.sqrt(max(0.0, 1 - self.tilt_x**2 - self.tilt_y**2))])
        right = np.array([1.0, 0, 0]) - down[0] * down
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(down, right), down])

    @cached_property
    def _origin(self) -> NDArray[np.float64]:
        middle = np.array([0, 0, 1.0])
        axes = self._axes
        return np.asarray(axes[:2] @ (middle * self.height_mm / (axes[2] @ middle)))

    def table(self, xy: Floats, up_mm: float | Floats = 0.0) -> Floats:
        """Pixels (..., 2) to millimetres (..., 2) on the plane `up_mm` above the table."""
        rays = self._rays(xy)
        ahead = rays @ self._axes.T
        far = (self.height_mm - up_mm) / ahead[..., 2]
        return np.asarray(ahead[..., :2] * far[..., None] - self._origin)

    def pixels(self, mm: Floats, up_mm: float | Floats = 0.0) -> Floats:
        """Millimetres (..., 2) on the plane `up_mm` above the table to pixels (..., 2)."""
        axes = self._axes
        at = (mm + self._origin) @ axes[:2] + np.asarray(self.height_mm - up_mm)[..., None] * axes[2]
        flat = at[..., :2] / at[..., 2:]
        # Lines that bulge inwards (positive bend) meet an end, far outside of any picture.
        root = np.sqrt(np.maximum(1 - 4 * self.bend * (flat[..., :1] ** 2 + flat[..., 1:] ** 2), 0))
        return np.asarray(2 * self.focal / (1 + root) * flat + (self.cx, self.cy))

    def scale(self, xy: Floats, up_mm: float | Floats = 0.0) -> Floats:
        """(..., 2, 2): pixels a millimetre on that plane at each pixel; columns are the table's x and y."""
        axes = self._axes
        rays = self._rays(xy)
        bent, straight = rays[..., :2], rays[..., 2:]
        # How deep the plane lies there, along the camera's own axis.
        deep = (self.height_mm - up_mm) * rays[..., 2] / (rays @ axes[2])
        flat = (axes[:2, :2].T - (bent / straight)[..., None] * axes[:2, 2]) / deep[..., None, None]
        # The division model bends a direction d to d / (1 + bend d^2): the inverse of its derivative, to the pixel.
        along = (bent[..., None, :] @ flat) * (2 * self.bend / (2 - straight[..., None]))
        return np.asarray(self.focal * straight[..., None] * (flat + bent[..., None] * along))

    def _rays(self, xy: Floats) -> Floats:
        """(..., 3) where each pixel looks, in camera axes."""
        rays = np.empty((*xy.shape[:-1], 3))
        ahead = (xy - (self.cx, self.cy)) / self.focal
        rays[..., :2] = ahead
        ahead *= ahead
        rays[..., 2] = 1 + self.bend * (ahead[..., 0] + ahead[..., 1])
        return rays

    def resized(self, factor: float) -> "Camera":
        """The same camera with its pictures scaled by `factor`."""
        return Camera(
            self.focal * factor,
            (self.cx + 0.5) * factor - 0.5,
            (self.cy + 0.5) * factor - 0.5,
            self.tilt_x,
            self.tilt_y,
            self.height_mm,
            self.bend,
        )


def turned(angle: Floats) -> Floats:
    """(n, 2, 2) rotations, x towards y."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)


def size_of(frame: Floats) -> Floats:
    """The length a frame (..., 2, 2) gives to one unit, whichever way."""
    a, b, c, d = _parts(frame)
    return np.asarray(np.sqrt(np.abs(a * d - b * c)))


def within(frame: Floats, way: Floats) -> Floats:
    """(..., 2): what `way` (..., 2), pixels, is in the units of each frame (..., 2, 2)."""
    a, b, c, d = _parts(frame)
    x, y = way[..., 0], way[..., 1]
    return np.asarray(np.stack([d * x - b * y, a * y - c * x], axis=-1) / (a * d - b * c)[..., None])


def _parts(frame: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    return frame[..., 0, 0], frame[..., 0, 1], frame[..., 1, 0], frame[..., 1, 1]


def angle_of(frame: Floats) -> Floats:
    """Radians from the picture's x axis to the frame's."""
    return np.asarray(np.arctan2(frame[..., 1, 0], frame[..., 0, 0]))
