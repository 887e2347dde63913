"""The guide's figures: what the camera sees, where the light hangs, how a transistor switches a stronger lamp."""

from collections.abc import Callable, Iterator
from math import radians, tan

from hardware import light
from hardware.drawing import FAINT, INK, Circle, Drawing, Path, Point, Shape, Text, box
from hardware.facts import Area, Tray
from hardware.optics import CAMERAS
from hardware.plan import divider

_SCALE = 0.28  # of the cuts, and of the view from above
_PLAN = 0.45
_RAY, _LAMP, _CLOTH = "#1f5fd0", "#e0a400", "#2e7d4f"


def camera(tray: Tray) -> Drawing:
    """The box cut across, from the players' side, with the view of the first camera."""
    draw = _Section(tray, 178, 148)
    lens, (across, _) = (tray.camera_x_mm, tray.camera_height_mm), CAMERAS[0].angles
    out = tray.camera_height_mm * tan(radians(across / 2))
    shapes: list[Shape] = [*draw.box(), *draw.lens()]
    for way in (-1, 1):
        shapes.append(Path((draw.at(*lens), draw.at(lens[0] + way * out, 0)), _RAY, 0.35, dash=(2, 1.2)))
    x, y = draw.at(lens[0], lens[1])
    shapes.append(Text(x + 5, y - 1, f"{CAMERAS[0].name}, {across:g}° across", 3.4))
    shapes += draw.height(-95, 0, tray.camera_height_mm)
    shapes += draw.height(-42, 0, tray.wall_height_mm)
    shapes += draw.width(0, tray.inner.width_mm, -40)
    shapes += draw.width(tray.rail.x_mm, tray.rail.x_mm + tray.rail.width_mm, -22)
    rail_x, rail_y = draw.at(tray.rail.x_mm + tray.rail.width_mm / 2, 26)
    shapes.append(Text(rail_x, rail_y, "rail", 3.2, "middle"))
    return Drawing(draw.wide, draw.high, "What the camera sees of the tray", tuple(shapes))


def measures(tray: Tray) -> Drawing:
    """The box from above with its measures, for whoever makes it of something else."""
    wall, inner = tray.wall_thickness_mm, tray.inner
    left, top = 26.0, 14.0

    def at(x: float, y: float) -> Point:
        return left + (x + wall) * _PLAN, top + (y + wall) * _PLAN

    def area(part: Area, fill: str) -> Path:
        return box(*at(part.x_mm, part.y_mm), part.width_mm * _PLAN, part.depth_mm * _PLAN, fill=fill)

    outer = Area(-wall, -wall, inner.width_mm + 2 * wall, inner.depth_mm + 2 * wall)
    high = top + outer.depth_mm * _PLAN
    lens = at(tray.camera_x_mm, tray.camera_y_mm)
    shapes: list[Shape] = [
        area(outer, "#d6d6d6"), area(tray.play, "#ffffff"), area(tray.rail, "#ffffff"), area(divider(tray), "#d6d6d6"),
        Circle(*lens, 2.2, fill=INK), Text(lens[0] + 4, lens[1] + 1.2, "lens", 3.4),
        Text(*_inside(at, tray.play), "play", 3.4, "middle"), Text(*_inside(at, tray.rail), "rail", 3.4, "middle"),
    ]  # fmt: skip
    says = (
        f"walls {wall:g} thick and {tray.wall_height_mm:g} high, divider {tray.divider_width_mm:g} wide and"
        f" {tray.divider_height_mm:g} high, lens {tray.camera_height_mm:g} above the floor; all in mm"
    )
    lines = [((0.0, tray.camera_x_mm), 5.0), ((tray.rail.x_mm, tray.rail.x_mm + tray.rail.width_mm), 5.0),
             ((0.0, inner.width_mm), 12.0)]  # fmt: skip
    for (start, end), down in lines:
        (ax, _), (bx, _) = at(start, 0), at(end, 0)
        shapes += _measure((ax, high + down), (bx, high + down), (0, 1.4))
        shapes.append(Text((ax + bx) / 2, high + down + 3.8, f"{end - start:g}", 3.4, "middle"))
    for (start, end), out in (((0.0, tray.camera_y_mm), 5.0), ((0.0, inner.depth_mm), 14.0)):
        (_, ay), (_, by) = at(0, start), at(0, end)
        shapes += _measure((left - out, ay), (left - out, by), (1.4, 0))
        shapes.append(Text(left - out - 1.5, (ay + by) / 2 + 1.2, f"{end - start:g}", 3.4, "end"))
    wide = 2 * left + outer.width_mm * _PLAN
    for words, y in (("far side; the players sit at the lower edge", 9.0), (says, high + 22)):
        shapes.append(Text(wide / 2, y, words, 3.4, "middle"))
    return Drawing(wide, high + 26, "The box from above", tuple(shapes))


def _inside(at: Callable[[float, float], Point], part: Area) -> Point:
    return at(part.x_mm + part.width_mm / 2, part.y_mm + part.depth_mm / 4)


def lamp(tray: Tray) -> Drawing:
    """A lamp on either side, so far out that its mirror image falls beyond the floor."""
    draw = _Section(tray, 178, 148)
    place, lens = light.place(tray, tray.lamp_height_mm), (tray.camera_x_mm, tray.camera_height_mm)
    middle, reach = tray.camera_x_mm, light.gleam(place.beside_mm, place.height_mm, tray.camera_height_mm)
    shapes: list[Shape] = [*draw.box(), *draw.lens()]
    for way in (-1, 1):
        hangs, edge = (middle + way * place.beside_mm, place.height_mm), (middle + way * reach, 0.0)
        shapes.append(Path((draw.at(*hangs), draw.at(*edge), draw.at(*lens)), _RAY, 0.35, dash=(2, 1.2)))
        shapes.append(Path((draw.at(*hangs), draw.at(middle, 0)), _LAMP, 0.5))
        (x, y), tilt = draw.at(*hangs), 2.5
        shapes.append(Path(((x - way * tilt - 4, y - 3), (x - way * tilt + 4, y - 3), (x + 4, y + 1), (x - 4, y + 1)),
                           fill=_LAMP, closed=True))  # fmt: skip
        shapes.append(Text(x, y - 5, "lamp, diffuser", 3.2, "middle"))
    shapes += draw.height(-95, 0, place.height_mm)
    shapes += draw.width(middle, middle + place.beside_mm, -40)
    says = "mirrored light comes to the lens from the edge of the floor at most"
    shapes.append(Text(draw.wide / 2, 8, says, 3.4, "middle"))
    return Drawing(draw.wide, draw.high, "Where the light hangs", tuple(shapes))


class _Section:
    """A cut through the tray across its width: from x right and z up, millimetres, to the paper."""

    def __init__(self, tray: Tray, wide: float, high: float) -> None:
        self.tray, self.wide, self.high = tray, wide, high
        self._left = wide / 2 - tray.inner.width_mm / 2 * _SCALE
        self._ground = high - 16

    def at(self, x: float, z: float) -> Point:
        return self._left + x * _SCALE, self._ground - z * _SCALE

    def box(self) -> Iterator[Shape]:
        tray = self.tray
        wide, wall, floor = tray.inner.width_mm, tray.wall_thickness_mm, tray.floor_thickness_mm
        high = tray.wall_height_mm
        outline = ((-wall, high), (-wall, -floor), (wide + wall, -floor), (wide + wall, high),
                   (wide, high), (wide, 0), (0, 0), (0, high))  # fmt: skip
        yield Path(tuple(self.at(*corner) for corner in outline), fill="#d6d6d6", closed=True)
        ridge = divider(tray)
        x, y = self.at(ridge.x_mm, tray.divider_height_mm)
        yield box(x, y, ridge.width_mm * _SCALE, tray.divider_height_mm * _SCALE, fill="#d6d6d6")
        yield Path((self.at(0, 1), self.at(ridge.x_mm, 1)), _CLOTH, 0.7)
        yield Path((self.at(ridge.x_mm + ridge.width_mm, 1), self.at(wide, 1)), _CLOTH, 0.7)
        for x_mm, edge in ((60.0, tray.smallest_die_mm), (150.0, tray.largest_die_mm), (tray.rail.x_mm + 12, 16.0)):
            x, y = self.at(x_mm, edge)
            yield box(x, y, edge * _SCALE, edge * _SCALE, fill="#ffffff")

    def lens(self) -> Iterator[Shape]:
        x, y = self.at(self.tray.camera_x_mm, self.tray.camera_height_mm)
        yield box(x - 3.5, y - 3.4, 7, 1.6, fill="#2e7d4f")
        yield box(x - 1.6, y - 1.8, 3.2, 1.8, fill=INK)

    def height(self, x: float, low: float, high: float) -> Iterator[Shape]:
        """A measure from one z to another, left of x."""
        (ax, ay), (bx, by) = self.at(x, low), self.at(x, high)
        yield from _measure((ax, ay), (bx, by), (1.6, 0))
        yield Text(ax - 1.5, (ay + by) / 2 + 1, f"{high - low:.0f}", 3.4, "end")

    def width(self, left: float, right: float, z: float) -> Iterator[Shape]:
        """A measure from one x to another, below."""
        (ax, ay), (bx, by) = self.at(left, z), self.at(right, z)
        yield from _measure((ax, ay), (bx, by), (0, 1.6))
        yield Text((ax + bx) / 2, ay + 3.8, f"{right - left:.0f}", 3.4, "middle")


def _measure(start: Point, end: Point, tick: Point) -> Iterator[Shape]:
    yield Path((start, end), FAINT, 0.25)
    for x, y in (start, end):
        yield Path(((x - tick[0], y - tick[1]), (x + tick[0], y + tick[1])), FAINT, 0.25)


def transistor() -> Drawing:
    """A pin that switches a stronger lamp through an NPN transistor."""
    shapes: list[Shape] = [
        Text(6, 41.2, "GPIO pin", 3.6, bold=True), Circle(25, 40, 1, fill="#ffffff"),
        Path(((26, 40), (58, 40))), box(34, 37.8, 14, 4.4, fill="#ffffff", width=0.4),
        Text(41, 41.2, "R", 3.4, "middle"), Text(41, 34.5, "see the table", 2.8, "middle", FAINT),
        Circle(62, 40, 8, fill="#ffffff"), Path(((54, 40), (58.5, 40))), Path(((58.5, 35), (58.5, 45)), width=0.8),
        Path(((58.5, 38), (65.5, 33.5), (65.5, 12))), Path(((58.5, 42), (65.5, 46.5), (65.5, 62))),
        Path(((63, 43.2), (65.5, 46.5), (61.4, 46.2)), fill=INK, closed=True),
        Text(73, 39, "NPN: BC337 or 2N2222", 3.4),
        Text(73, 43.5, "the leg with the arrow goes to ground", 2.8, colour=FAINT),
        Circle(65.5, 22, 4.6, fill="#ffffff"), Path(((62.4, 18.9), (68.6, 25.1))), Path(((68.6, 18.9), (62.4, 25.1))),
        Text(73, 23, "the lamp, with the resistor that its own label asks for", 3.4),
        Circle(65.5, 11, 1, fill="#ffffff"), Text(69, 12.2, "5 V, header pin 2 or 4", 3.4, bold=True),
        Path(((61, 62), (70, 62)), width=0.8), Text(73, 63, "ground", 3.4, bold=True),
    ]  # fmt: skip
    return Drawing(160, 70, "A transistor switches a stronger lamp", tuple(shapes))
