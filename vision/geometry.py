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
        x, y = (xy[..., 0] - self.cx) / self.focal, (xy[..., 1] - self.cy) / self.focal
        rays = np.stack([x, y, 1 + self.bend * (x * x + y * y)], axis=-1)
        axes = self._axes
        far = (self.height_mm - up_mm) / (rays @ axes[2])
        return np.asarray((rays * far[..., None]) @ axes[:2].T - self._origin)

    def pixels(self, mm: Floats, up_mm: float | Floats = 0.0) -> Floats:
        """Millimetres (..., 2) on the plane `up_mm` above the table to pixels (..., 2)."""
        on = mm + self._origin
        down = np.broadcast_to(np.asarray(self.height_mm - up_mm, np.float64), on.shape[:-1])
        at = np.concatenate([on, down[..., None]], axis=-1) @ self._axes
        x, y = at[..., 0] / at[..., 2], at[..., 1] / at[..., 2]
        # Lines that bulge inwards (positive bend) meet an end, far outside of any picture.
        bent = 2 * self.focal / (1 + np.sqrt(np.maximum(1 - 4 * self.bend * (x * x + y * y), 0)))
        return np.stack([bent * x + self.cx, bent * y + self.cy], axis=-1)

    def scale(self, xy: Floats, up_mm: float | Floats = 0.0) -> Floats:
        """(..., 2, 2): pixels a millimetre on that plane at each pixel; columns are the table's x and y."""
        mm = self.table(xy, up_mm)
        around = np.array([(0.5, 0.0), (0.0, 0.5), (-0.5, 0.0), (0.0, -0.5)]).reshape(4, *[1] * (mm.ndim - 1), 2)
        at = self.pixels(mm + around, up_mm)
        return np.stack([at[0] - at[2], at[1] - at[3]], axis=-1)

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
    (a, b), (c, d) = np.moveaxis(frame, (-2, -1), (0, 1))
    return np.asarray(np.sqrt(np.abs(a * d - b * c)))


def within(frame: Floats, way: Floats) -> Floats:
    """(..., 2): what `way` (..., 2), pixels, is in the units of each frame (..., 2, 2)."""
    (a, b), (c, d) = np.moveaxis(frame, (-2, -1), (0, 1))
    x, y = way[..., 0], way[..., 1]
    return np.asarray(np.stack([d * x - b * y, a * y - c * x], axis=-1) / (a * d - b * c)[..., None])


def angle_of(frame: Floats) -> Floats:
    """Radians from the picture's x axis to the frame's."""
    return np.asarray(np.arctan2(frame[..., 1, 0], frame[..., 0, 0]))
