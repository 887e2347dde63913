"""Which camera sees the tray how well: height, field of view, pixels on a pip, depth of field.

Angles, focal lengths, apertures and sensors are those of Raspberry Pi's documentation ("Camera", hardware
specification, and "Recommended lenses"); pictures are of the size that the program asks each camera for.
"""

from dataclasses import dataclass
from math import ceil, inf, radians, tan

from hardware.facts import Tray

PIP = 0.2  # of a die's edge: what a pip of ordinary dice measures across
GOOD_PIP_PX = 6.0  # below, a pip has no round outline left to tell it from a speck


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera with its lens. `angles`: of view along the picture's width and height, degrees; `picture`: pixels, width
    and height; `sensor_mm`: the width that picture comes from; `nearest_mm`: it cannot focus nearer."""

    name: str
    angles: tuple[float, float]
    picture: tuple[int, int]
    sensor_mm: float
    focal_mm: float
    f_number: float
    nearest_mm: float
    remark: str

    @property
    def blur_mm(self) -> float:
        """The circle of confusion: one pixel of the picture, on the sensor. A smaller blur cannot be seen."""
        return self.sensor_mm / self.picture[0]


CAMERAS = (
    Camera("Camera Module 3", (66, 41), (1536, 864), 6.45, 4.74, 1.8, 100, "the one the box is drawn for"),
    Camera("Camera Module 3 Wide", (102, 67), (1536, 864), 6.45, 2.75, 2.2, 50, "for low places only; bends the rim"),
    Camera("Camera Module 2", (62.2, 48.8), (1640, 1232), 3.68, 3.04, 2.0, 100, "turn its lens until dice are sharp"),
    Camera("HQ, 6 mm CS lens", (55, 45), (1352, 1012), 6.287, 6.0, 1.2, 200, "close the aperture a little"),
    Camera("HQ, 8 mm M12 lens", (49, 36), (1352, 1012), 6.287, 8.0, 1.8, 200, ""),
    Camera("HQ, 16 mm C lens", (22.2, 16.7), (1352, 1012), 6.287, 16.0, 1.4, 200, "needs a tall stand"),
    Camera("Global Shutter, 6 mm CS lens", (45, 34), (1456, 1088), 5.02, 6.0, 1.2, 200, "close the aperture a little"),
)


@dataclass(frozen=True, slots=True)
class View:
    """What a camera makes of a tray from `height_mm` above the floor: `field_mm` of the floor, `px_mm` pixels on a
    millimetre of a middling die's top, and heights above the floor between which everything is sharp."""

    camera: Camera
    height_mm: float
    field_mm: tuple[float, float]
    px_mm: float
    sharp_mm: tuple[float, float]

    def pip_px(self, die_mm: float) -> float:
        """Pixels across a pip of a die with this edge."""
        return PIP * die_mm * self.px_mm


def view(camera: Camera, tray: Tray) -> View:
    """What it sees from the tray's own camera height, or from the lowest that will do where that is too low."""
    height = max(tray.camera_height_mm, 10.0 * ceil(lowest(camera, tray) / 10))
    top = (tray.smallest_die_mm + tray.largest_die_mm) / 2
    distance = height - top
    near, far = sharp(distance, camera.focal_mm, camera.f_number, camera.blur_mm)
    across, along = (field(angle, height) for angle in camera.angles)
    return View(camera, height, (across, along), camera.picture[0] / field(camera.angles[0], distance),
                (height - far, height - near))  # fmt: skip


def field(angle: float, distance_mm: float) -> float:
    """Width that an angle of view, degrees, covers at a distance: 2 d tan(a / 2), the pinhole camera."""
    return 2 * distance_mm * tan(radians(angle / 2))


def lowest(camera: Camera, tray: Tray) -> float:
    """Lowest height of the lens above the floor from which the tops of all walls are in the picture, whose width lies
    along the tray's, and which the lens can focus from. The inverse of `field`, from the height of the walls."""
    wall, inner = tray.wall_thickness_mm, tray.inner
    across = max(tray.camera_x_mm, inner.width_mm - tray.camera_x_mm) + wall
    along = max(tray.camera_y_mm, inner.depth_mm - tray.camera_y_mm) + wall
    seen = max(half / tan(radians(angle / 2)) for half, angle in zip((across, along), camera.angles, strict=True))
    return max(tray.wall_height_mm + seen, tray.largest_die_mm + camera.nearest_mm)


def sharp(distance_mm: float, focal_mm: float, f_number: float, blur_mm: float) -> tuple[float, float]:
    """Nearest and farthest distance that look sharp when a lens is focused at `distance_mm`, inf for all that is
    farther. With the hyperfocal distance H = f² / (N c) + f: near = s (H - f) / (H + s - 2 f) and
    far = s (H - f) / (H - s). Source: Greenleaf, Photographic Optics (1950), pages 25 to 27."""
    hyperfocal = focal_mm**2 / (f_number * blur_mm) + focal_mm
    near = distance_mm * (hyperfocal - focal_mm) / (hyperfocal + distance_mm - 2 * focal_mm)
    if distance_mm >= hyperfocal:
        return near, inf
    return near, distance_mm * (hyperfocal - focal_mm) / (hyperfocal - distance_mm)
