"""Line drawings of the parts: the box put together, the box pulled apart with names, and the parts in the printer."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from build123d import Compound, Edge, GeomType, Part, Pos, Vector

from hardware.cad.parts import Printed
from hardware.drawing import FAINT, INK, Drawing, Path, Point, Shape, Text, width
from hardware.facts import Tray

_FROM = Vector(0.62, -0.9, 0.62)  # over the players' right shoulders
_CURVE = 12  # points of a curved edge


@dataclass(frozen=True, slots=True)
class Eye:
    """Looks at `at` from far away, from the direction `back`; x of its pictures points right, y up, millimetres."""

    at: Vector
    back: Vector = _FROM

    def seen(self, point: Vector) -> tuple[float, float]:
        right = Vector(0, 0, 1).cross(self.back).normalized()
        return (point - self.at).dot(right), (point - self.at).dot(self.back.normalized().cross(right))

    def edges(self, solids: Sequence[Part]) -> list[tuple[tuple[float, float], ...]]:
        """The visible edges of all of them together."""
        whole = Compound(children=list(solids))
        visible, _ = whole.project_to_viewport(self.at + self.back * 4000, (0, 0, 1), self.at)
        return [tuple((point.X, point.Y) for point in _points(edge)) for edge in visible]


def drawings(tray: Tray, parts: Sequence[Printed]) -> dict[str, Drawing]:
    """Drawings for the guide by file name."""
    return {"box.svg": _whole(tray, parts), "parts.svg": _apart(tray, parts)}


def _whole(tray: Tray, parts: Sequence[Printed]) -> Drawing:
    middle = Vector(tray.inner.width_mm / 2, tray.inner.depth_mm / 2, tray.camera_height_mm / 2)
    eye = Eye(middle)
    lines = eye.edges([solid for part in parts for solid in part.solids])
    return _sheet("The box put together", lines, [], 0.3, 6)


def _apart(tray: Tray, parts: Sequence[Printed]) -> Drawing:
    """Each part moved away from its neighbours, with its name."""
    eye = Eye(Vector(tray.inner.width_mm / 2, tray.inner.depth_mm / 2, tray.camera_height_mm / 2))
    solids, names = [], []
    for part in parts:
        solid, copies = Pos(*_moved(part, tray, parts)) * part.solids[0], len(part.solids)
        solids.append(solid)
        names.append((part.name if copies == 1 else f"{part.name} ({copies} of them)", _mark(eye, solid)))
    return _sheet("The parts of the box", eye.edges(solids), names, 0.3, 42)


def _moved(part: Printed, tray: Tray, parts: Sequence[Printed]) -> tuple[float, float, float]:
    beams = [other.name for other in parts if other.name.startswith("mast") or other.name == "boom"]
    middle, at = Vector(tray.inner.width_mm / 2, tray.inner.depth_mm / 2, 0), part.solids[0].bounding_box().center()
    if part.name.startswith("tray"):
        away = at - middle
        return 28 * _sign(away.X), 28 * _sign(away.Y), 0
    if part.name in beams:
        return 0, 110, 25 + 40 * beams.index(part.name)
    return {
        "key": (0.0, -80.0, 60.0),
        "lamp-arm": (85.0, 0.0, 0.0),
        "lamp-bar": (150.0, -210.0, -70.0),
        "foot": (0.0, 110.0, 0.0),
        "camera-plate": (0.0, 110.0, 40.0 * len(beams) - 60),
        "pi-plate": (70.0, 110.0, 25.0),
        "panel": (0.0, -150.0, 0.0),
    }[part.name]


def _sign(value: float) -> int:
    return (value > 1) - (value < -1)


def _mark(eye: Eye, solid: Part) -> tuple[float, float]:
    """A point to say the name at: the middle of the face that shows most."""
    back = eye.back.normalized()
    return eye.seen(max(solid.faces(), key=lambda face: face.area * face.normal_at().dot(back)).center())


def _points(edge: Edge) -> Iterable[Vector]:
    if edge.geom_type == GeomType.LINE:
        return edge @ 0, edge @ 1
    return (edge @ (n / _CURVE) for n in range(_CURVE + 1))


def _sheet(
    title: str, lines: Sequence[tuple[tuple[float, float], ...]], names: Sequence[tuple[str, Point]],
    scale: float, margin: float,
) -> Drawing:  # fmt: skip
    """Lines and names on a sheet as large as they need; `margin` is left for the names on either side."""
    flat = [point for line in lines for point in line]
    left, right = min(x for x, _ in flat), max(x for x, _ in flat)
    low, high = min(y for _, y in flat), max(y for _, y in flat)

    def at(point: Point) -> Point:
        return margin + (point[0] - left) * scale, 6 + (high - point[1]) * scale

    wide, tall = 2 * margin + (right - left) * scale, 12 + (high - low) * scale
    shapes: list[Shape] = [Path(tuple(at(point) for point in line)) for line in lines]
    shapes += _names([(name, at(mark)) for name, mark in names], wide)
    return Drawing(wide, tall, title, tuple(shapes))


def _names(names: Sequence[tuple[str, Point]], wide: float) -> Iterator[Shape]:
    """Names in a column on the nearer side, each with a line to its part, none over another."""
    for left in (True, False):
        last = 0.0
        for name, (x, y) in sorted(
            (entry for entry in names if (entry[1][0] < wide / 2) == left), key=lambda e: e[1][1]
        ):
            last = max(y, last + 5.5)
            edge = 2.0 if left else wide - 2
            end = edge + (width(name, 3.4) + 1) * (1 if left else -1)
            yield Path(((end, last - 1.1), (x, y)), FAINT, 0.2)
            yield Text(edge, last, name, 3.4, "start" if left else "end", INK)
