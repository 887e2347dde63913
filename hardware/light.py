"""Where a lamp may hang so that the camera does not see it mirrored in the level tops of dice or in a shiny floor."""

from dataclasses import dataclass
from math import atan2, degrees

from hardware.facts import Tray


@dataclass(frozen=True, slots=True)
class Place:
    """A lamp `height_mm` above the floor, at least `beside_mm` and `before_mm` from the middle below the camera: to a
    side, or towards or away from the players. `slope`: degrees above level that it shines onto the middle with."""

    height_mm: float
    beside_mm: float
    before_mm: float

    @property
    def slope(self) -> float:
        return degrees(atan2(self.height_mm, self.beside_mm))


def gleam(lamp_mm: float, lamp_height_mm: float, lens_height_mm: float) -> float:
    """How far from the point below the lens a lamp is seen mirrored in a level plane, when the lamp itself is so far
    from there. Its image lies as deep below the plane as it hangs above it: similar triangles."""
    return lamp_mm * lens_height_mm / (lens_height_mm + lamp_height_mm)


def clear(reach_mm: float, lamp_height_mm: float, lens_height_mm: float) -> float:
    """How far out a lamp must be so that its mirror image lies `reach_mm` out: the inverse of `gleam`."""
    return reach_mm * (lens_height_mm + lamp_height_mm) / lens_height_mm


def place(tray: Tray, height_mm: float) -> Place:
    """For lamps so high above the floor, how far out they have to be. Counted on the floor itself: on tops of dice,
    which are nearer to lamp and lens, gleams lie a little further out."""
    beside = max(tray.camera_x_mm, tray.inner.width_mm - tray.camera_x_mm)
    before = max(tray.camera_y_mm, tray.inner.depth_mm - tray.camera_y_mm)
    lens = tray.camera_height_mm
    return Place(height_mm, clear(beside, height_mm, lens), clear(before, height_mm, lens))
