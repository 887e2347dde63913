"""The tray: floor, walls and the keep rail's divider, cut into parts that are bolted by lugs and keyed in the floor."""

from build123d import Axis, Cone, Part, Plane, Pos, RectangleRounded, Rot, chamfer, extrude

from hardware import face
from hardware.cad.frame import Span, block, rod, top, turned
from hardware.facts import Tray
from hardware.plan import (
    BOLT_MM,
    KEY_DEEP_MM,
    KEY_LONG_MM,
    KEY_NECK_MM,
    KEY_WIDE_MM,
    LUG_LONG_MM,
    LUG_THICK_MM,
    Plan,
    divider,
)

CORNER_MM = 2.0  # inner corners; a printed marker still finds its place in them
BOLT_Z_MM = 12.0  # from the table and from the top of the wall
BOLT_OUT_MM = 11.0  # from the wall: room for a nut
_GAP_MM = 0.15  # a key is so much smaller than its place, all around


def parts(tray: Tray, plan: Plan) -> dict[str, Part]:
    """Each part of the tray by name, as it stands in the box. `tray-1-1` is far left, the first number the row."""
    whole = _whole(tray, plan)
    low, high = -tray.floor_thickness_mm - 1, tray.wall_height_mm + 1
    cut: dict[str, Part] = {}
    for row, (start_y, end_y) in enumerate(plan.rows, 1):
        for column, (start_x, end_x) in enumerate(plan.columns, 1):
            # Outermost parts keep the lugs that stick out of them.
            x = _open(start_x, end_x, column == 1, column == len(plan.columns))
            y = _open(start_y, end_y, row == 1, row == len(plan.rows))
            depth = tray.inner.depth_mm
            cut[f"tray-{row}-{column}"] = Part() + (whole & block(x, (depth - y[1], depth - y[0]), (low, high)))
    return cut


def keys(tray: Tray, plan: Plan) -> tuple[Part, ...]:
    """The keys in their places: two dovetails each that meet at their necks."""
    return tuple(
        Part() + Pos(x, tray.inner.depth_mm - y, -KEY_DEEP_MM) * (_key() if upright else Rot(0, 0, 90) * _key())
        for x, y, upright in plan.keys
    )


def _key() -> Part:
    return top(_bow(KEY_LONG_MM - 2 * _GAP_MM, KEY_WIDE_MM - 2 * _GAP_MM, KEY_NECK_MM - 2 * _GAP_MM),
               (0.0, KEY_DEEP_MM - 0.2))  # fmt: skip


def _whole(tray: Tray, plan: Plan) -> Part:
    wide, deep, wall = tray.inner.width_mm, tray.inner.depth_mm, tray.wall_thickness_mm
    middle = Pos(wide / 2, deep / 2, 0)
    outer = RectangleRounded(wide + 2 * wall, deep + 2 * wall, CORNER_MM + wall)
    inner = RectangleRounded(wide, deep, CORNER_MM)
    body = middle * Pos(0, 0, -tray.floor_thickness_mm) * extrude(outer, tray.wall_height_mm + tray.floor_thickness_mm)
    body -= middle * extrude(inner, tray.wall_height_mm + 1)
    rim = body.edges().filter_by(Plane.XY).group_by(Axis.Z)[-1]
    body = chamfer(rim, 1.0)  # kind to wrists and to the printer's last layer
    body = Part() + body + _ridge(tray)
    for lug in _lugs(tray, plan):
        body += lug
    for x, y, upright in plan.keys:
        bow = top(_bow(KEY_LONG_MM, KEY_WIDE_MM, KEY_NECK_MM), (-KEY_DEEP_MM, 0.1))
        body -= Pos(x, deep - y, 0) * (bow if upright else Rot(0, 0, 90) * bow)
    for at in (-face.SCREW_X_MM, face.SCREW_X_MM):
        body -= _screw(tray, tray.camera_x_mm + at)
    return body


def _ridge(tray: Tray) -> Part:
    """The divider, its upper edges broken so that dice slide over rather than stand on it."""
    x, y = turned(divider(tray), tray)
    ridge = block(x, y, (-1.0, tray.divider_height_mm))
    upper = ridge.faces().sort_by(Axis.Z)[-1].edges()
    long = max(edge.length for edge in upper)
    return Part() + chamfer([edge for edge in upper if edge.length > long - 1e-6], 1.5)


def _lugs(tray: Tray, plan: Plan) -> list[Part]:
    """Ears outside the walls, a pair at each end of a seam and for each arm, with a bolt hole low and one high."""
    wide, deep, wall = tray.inner.width_mm, tray.inner.depth_mm, tray.wall_thickness_mm
    z = (-tray.floor_thickness_mm, tray.wall_height_mm)
    low = (z[0], min(z[1], face.inside_mm(tray)))  # the near ones stand inside the panel
    ears = []
    for posts, start, way, tall in ((plan.seams_x, -wall, -1, low), (plan.posts, deep + wall, 1, z)):
        out = _ordered(start - way, start + way * LUG_LONG_MM)
        for post in posts:
            ear = _ear((post - LUG_THICK_MM, post + LUG_THICK_MM), out, tall, "y", way)
            ears.append(ear - _holes(tray, post, start, way, "x"))
    for side in plan.sides:
        y = deep - side
        for start, way in ((-wall, -1), (wide + wall, 1)):
            out = _ordered(start - way, start + way * LUG_LONG_MM)
            ear = _ear(out, (y - LUG_THICK_MM, y + LUG_THICK_MM), z, "x", way)
            ears.append(ear - _holes(tray, y, start, way, "y"))
    return ears


def _ear(x: Span, y: Span, z: Span, out: str, way: int) -> Part:
    ear = block(x, y, z)
    outside = ear.faces().sort_by(Axis.X if out == "x" else Axis.Y)[-1 if way > 0 else 0]
    return Part() + chamfer(outside.edges().filter_by(Axis.Z), 2.0)


def _holes(tray: Tray, along: float, start: float, way: int, axis: str) -> Part:
    out = start + way * BOLT_OUT_MM
    holes = Part()
    for z in bolt_heights(tray):
        holes += rod((along, out, z) if axis == "x" else (out, along, z), axis, BOLT_MM, 4 * LUG_THICK_MM)
    return holes


def bolt_heights(tray: Tray) -> Span:
    """Where the bolts of a pair of lugs are."""
    return BOLT_Z_MM - tray.floor_thickness_mm, tray.wall_height_mm - BOLT_Z_MM


def _screw(tray: Tray, x: float) -> Part:
    """A countersunk M3 through the near wall, its head flush inside; it holds the panel."""
    z = face.SCREW_Z_MM - tray.floor_thickness_mm
    sink = Pos(x, -1.5, z) * Rot(-90, 0, 0) * Cone(1.7, 3.3, 3.05)
    return rod((x, -tray.wall_thickness_mm / 2, z), "y", 3.4, 3 * tray.wall_thickness_mm) + sink


def _bow(long: float, wide: float, neck: float) -> list[tuple[float, float]]:
    a, b, c = long / 2, wide / 2, neck / 2
    return [(-a, -b), (0, -c), (a, -b), (a, b), (0, c), (-a, b)]


def _open(start: float, end: float, first: bool, last: bool) -> Span:
    return start - (LUG_LONG_MM + 1) * first, end + (LUG_LONG_MM + 1) * last


def _ordered(a: float, b: float) -> Span:
    return min(a, b), max(a, b)
