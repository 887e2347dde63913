"""What all parts are made of: blocks, rods, and outlines pushed through a thickness."""

from collections.abc import Sequence

from build123d import Align, Box, Cylinder, Part, Plane, Polyline, Pos, Rot, extrude, make_face

from hardware.facts import Area, Tray

Span = tuple[float, float]


def block(x: Span, y: Span, z: Span) -> Part:
    """From one coordinate to the other on each axis."""
    size = [high - low for low, high in (x, y, z)]
    return Part() + Pos(x[0], y[0], z[0]) * Box(*size, align=(Align.MIN,) * 3)


def rod(at: tuple[float, float, float], axis: str, wide: float, long: float) -> Part:
    """A cylinder around `at`, half of its length on either side; for holes, longer than what it goes through."""
    turn = {"x": Rot(0, 90, 0), "y": Rot(90, 0, 0), "z": Rot(0, 0, 0)}[axis]
    return Part() + Pos(*at) * turn * Cylinder(wide / 2, long)


def side(outline: Sequence[tuple[float, float]], x: Span) -> Part:
    """An outline of (y, z) pushed from one x to the other."""
    return Part() + extrude(Plane.YZ.offset(x[0]) * make_face(Polyline(*outline, close=True)), x[1] - x[0])


def front(outline: Sequence[tuple[float, float]], y: Span) -> Part:
    """An outline of (x, z) pushed from one y to the other."""
    return Part() + extrude(Plane.XZ.offset(-y[1]) * make_face(Polyline(*outline, close=True)), y[1] - y[0])


def top(outline: Sequence[tuple[float, float]], z: Span) -> Part:
    """An outline of (x, y) pushed from one z to the other."""
    return Part() + extrude(Plane.XY.offset(z[0]) * make_face(Polyline(*outline, close=True)), z[1] - z[0])


def turned(area: Area, tray: Tray) -> tuple[Span, Span]:
    """An area of the tray as spans of X and Y."""
    far = tray.inner.depth_mm - area.y_mm
    return (area.x_mm, area.x_mm + area.width_mm), (far - area.depth_mm, far)
