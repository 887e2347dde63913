"""What holds a lamp on either side of the tray: an arm bolted to the lugs there, and a bar that the lamp is tied to."""

from math import atan2, cos, degrees, radians, sin

from build123d import Align, Box, Cone, Cylinder, Part, Pos, Rot

from hardware import light
from hardware.cad.frame import front, rod
from hardware.cad.tray import BOLT_OUT_MM, bolt_heights
from hardware.facts import Tray
from hardware.plan import BOLT_MM, LUG_LONG_MM, LUG_THICK_MM, Plan

_THICK_MM = 12.0
_WIDE_MM = 26.0  # of the arm's head and of the bar
_BAR_MM, _HEAD_MM = 4.0, 14.0  # thicknesses
_BAR_LONG_MM = 200.0  # a usual LED bar
_SCREWS_MM = 8.0  # on either side of the middle of the head
_TIES = (-0.4, -0.1, 0.4)  # where cable ties go through, in lengths of the bar; none where the arm is


def arms(tray: Tray, plan: Plan) -> tuple[Part, Part]:
    """Right and left: the same part, turned about the upright between them."""
    x, z = _head(tray)
    lean, wall = tilt(tray), tray.inner.width_mm + tray.wall_thickness_mm
    across, up = sin(radians(lean)), cos(radians(lean))  # away from the middle of the tray
    low, out, half = -tray.floor_thickness_mm, wall + LUG_LONG_MM, _WIDE_MM / 2
    foot, top = (x + half * up, z - half * across), (x - half * up, z + half * across)  # of the face for the bar
    outline = [
        (wall + 1, low), (out, low), (out, tray.wall_height_mm / 2),
        (foot[0] + _HEAD_MM * across, foot[1] + _HEAD_MM * up), (top[0] + _HEAD_MM * across, top[1] + _HEAD_MM * up),
        top, foot, (wall + 1, tray.wall_height_mm),
    ]  # fmt: skip
    near = _seam(tray, plan) + LUG_THICK_MM  # the arm stands behind the right lugs
    arm = front(outline, (near, near + _THICK_MM))
    for height in bolt_heights(tray):
        arm -= rod((wall + BOLT_OUT_MM, near, height), "y", BOLT_MM, 4 * _THICK_MM)
    for side in (-1, 1):
        arm -= (
            Pos(x, near + _THICK_MM / 2, z)
            * Rot(0, lean, 0)
            * Pos(side * _SCREWS_MM, 0, 0)
            * Cylinder(1.3, 2 * _HEAD_MM + 8)
        )
    return _both(Part() + arm, tray, plan)


def bars(tray: Tray, plan: Plan) -> tuple[Part, Part]:
    """Right and left, each on its arm's head; the lamp hangs below, square to its light."""
    (x, z), long = _head(tray), min(_BAR_LONG_MM, tray.inner.depth_mm)
    bar = Part() + Box(_WIDE_MM, long, _BAR_MM, align=(Align.CENTER, Align.CENTER, Align.MAX))
    for side in (-1, 1):
        for at in _TIES:
            bar -= Pos(side * (_WIDE_MM / 2 - 4), at * long, 0) * Box(3, 7, 20)
        screw = Pos(side * _SCREWS_MM, LUG_THICK_MM + _THICK_MM / 2, 0)
        bar -= screw * Cylinder(1.7, 20)
        bar -= screw * Pos(0, 0, -_BAR_MM) * Cone(3.4, 1.7, 1.7, align=(Align.CENTER, Align.CENTER, Align.MIN))
    return _both(Part() + Pos(x, _seam(tray, plan), z) * Rot(0, tilt(tray), 0) * bar, tray, plan)


def tilt(tray: Tray) -> float:
    """Degrees by which the right lamp leans out from hanging straight down."""
    return degrees(atan2(light.place(tray, tray.lamp_height_mm).beside_mm, tray.lamp_height_mm))


def _head(tray: Tray) -> tuple[float, float]:
    """Middle of the right arm's head, (x, z): behind the lamp by the thickness of its bar."""
    lean, place = radians(tilt(tray)), light.place(tray, tray.lamp_height_mm)
    # As far out as is needed on the side where it is more, so that both arms are one part.
    lamp = tray.inner.width_mm / 2 + abs(tray.camera_x_mm - tray.inner.width_mm / 2) + place.beside_mm
    return lamp + _BAR_MM * sin(lean), place.height_mm + _BAR_MM * cos(lean)


def _seam(tray: Tray, plan: Plan) -> float:
    """Y of the lugs that hold the arms."""
    return tray.inner.depth_mm - plan.lamps


def _both(right: Part, tray: Tray, plan: Plan) -> tuple[Part, Part]:
    x, y = tray.inner.width_mm / 2, _seam(tray, plan)
    return right, Part() + Pos(x, y, 0) * Rot(0, 0, 180) * Pos(-x, -y, 0) * right
