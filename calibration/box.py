"""A tray with four straight walls, and the ridge that divides the keep rail from its floor."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.floor import CELLS, Plane, View
from calibration.lines import LEANS, Axis, Line, crossing, lines, moved, strengths, strip, turn
from vision.sampling import Floats

_LEAST = 1.5  # Lab units: fainter lines are not followed
_LEAST_WALL = 4.0  # Lab units: what a wall beyond a rail shows at least
_CLEAR_RIDGE = 20.0  # Lab units: with this a ridge is believed though the wall beyond is out of the picture
_STRONG = 0.2  # of the strongest line on its side: weaker ones are grain and seams
# The rail's width as a share of the tray across it, and the least in edges of a die.
_RAIL_SHARE = (0.18, 0.42)
_RAIL_EDGES = 1.4
_CLEAR = 0.4  # of the strongest line: weaker ones are not taken for the end of the floor, whatever their colour
_DEEP = 0.35  # share of the light left in a shadow so deep that its colour tells nothing
# How far colours of one material are apart, as unit vectors: in a shadow the lamp may be another one.
_HUE, _HUE_SHADE = 0.12, 0.3
_DARK = 0.004  # linear light: what noise adds where it is dark
_REACH = 80  # cells, four dice: shadow, foot and rim of a wall lie within this of each other


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """`axes`: across the walls `sides[0]`, `sides[1]` and `sides[2]`, `sides[3]`, the lower place first; a side that is
    not in the picture has no strength. `ridge`: axis and line nearest to the rail's floor, with its strength from wall
    to wall, and True when the rail lies at the axis' higher end; None without a rail. `strength`: change of colour that
    all but a tenth of the weakest wall in view reaches, Lab units; 0 when fewer than two are in view."""

    axes: tuple[Axis, Axis]
    sides: tuple[Line, Line, Line, Line]
    ridge: tuple[int, Line, bool] | None
    strength: float

    def outline(self, grow: float) -> Floats:
        """(4, 2) cells: the walls' lines moved out by `grow`, without the rail."""
        return self._around(self._grown(grow, of_rail=False))

    def rail(self, grow: float) -> Floats:
        """(4, 2) cells of the rail; of the same as `outline` without a ridge."""
        return self._around(self._grown(grow, of_rail=True))

    def _grown(self, grow: float, of_rail: bool) -> list[Line]:
        sides = [moved(line, -grow if k % 2 == 0 else grow) for k, line in enumerate(self.sides)]
        if self.ridge is not None:
            axis, line, high = self.ridge
            sides[2 * axis + int(high != of_rail)] = line
        return sides

    def _around(self, sides: list[Line]) -> Floats:
        turns = ((0, 2), (1, 2), (1, 3), (0, 3))
        return np.array([crossing(self.axes[0], sides[a], self.axes[1], sides[b]) for a, b in turns])


def find(view: View, dice: Floats, rail: bool) -> Box:
    """`dice`: (n, 2) cells of dice, that lie inside."""
    middle = np.array(view.cells.shape[1::-1]) / 2
    angle = turn(view)
    axes = (Axis(angle, middle), Axis(angle + np.pi / 2, middle))
    spans = [(-0.3 * n, 0.3 * n) for n in view.cells.shape[:2]]
    for _ in range(2):
        change = [strengths(view, axes[k], *spans[k], LEANS) for k in (0, 1)]
        found = [lines(change[k], LEANS, _LEAST) for k in (0, 1)]
        ridge = _ridge(axes, found, change, view) if rail else None
        pairs = []
        for k in (0, 1):
            pair = [_wall(view, axes[k], spans[k], found[k], dice, high, ridge, k) for high in (False, True)]
            pairs.append(pair)
            inset = 0.12 * (pair[1].at - pair[0].at)
            spans[1 - k] = (pair[0].at + inset, pair[1].at - inset)
    sides = (pairs[0][0], pairs[0][1], pairs[1][0], pairs[1][1])
    seen = [_throughout(view, axes, sides, k // 2, line, 2, 0.1) for k, line in enumerate(sides) if line.strength > 0]
    if ridge is not None:
        k, line, high = ridge
        strength = _throughout(view, axes, sides, k, line, round(0.6 * CELLS), 0.2)
        ridge = (k, replace(line, strength=strength), high)
    return Box(axes, sides, ridge, min(seen) if len(seen) > 1 else 0.0)


def _throughout(
    view: View,
    axes: tuple[Axis, Axis],
    sides: tuple[Line, Line, Line, Line],
    k: int,
    line: Line,
    slack: int,
    share: float,
) -> float:
    """Change of colour that all but `share` of a line from wall to wall reaches, within `slack` cells of it."""
    ends = sides[2:] if k == 0 else sides[:2]
    inset = 0.1 * (ends[1].at - ends[0].at)
    found = strengths(view, axes[k], ends[0].at + inset, ends[1].at - inset, np.array([line.lean]), share)[0]
    at = len(found) // 2 + round(line.at)
    return float(found[at - slack : at + slack + 1].max())


def _strong(found: list[Line], high: bool, start: float) -> list[Line]:
    """Those of one side of `start`, from the inside out, without the weak."""
    side = [x for x in found if (x.at > start if high else x.at < start)]
    strongest = max((x.strength for x in side), default=0.0)
    return sorted((x for x in side if x.strength > _STRONG * strongest), key=lambda x: x.at if high else -x.at)


def _ridge(
    axes: tuple[Axis, Axis], found: list[list[Line]], change: list[Floats], view: View
) -> tuple[int, Line, bool] | None:
    """The strongest line that leaves room for a rail, and not for more, between it and a wall."""
    best: tuple[int, Line, bool] | None = None
    most = (False, 0.0)
    for k, axis in enumerate(axes):
        far = axis.places(_rim(view))[:, 0]
        for high in (False, True):
            near, opposite = float(far.max() if high else far.min()), float(far.min() if high else far.max())
            side = _strong(found[k], high, 0.12 * near)
            other = _strong(found[k], not high, 0.12 * opposite)
            shows = max((x.strength for x in other), default=0.0) >= _LEAST_WALL
            end = other[0].at if shows else opposite
            for line in side:
                wall = _beyond(found[k], line, high)
                if wall is None and (line.strength < _CLEAR_RIDGE or not _alone(line, found[k])):
                    continue
                at = wall if wall is not None else near
                worth = (wall is not None, line.strength)
                if _RAIL_SHARE[0] < abs(at - line.at) / abs(at - end) < _RAIL_SHARE[1] and worth > most:
                    best, most = (k, line, high), worth
    if best is None:
        return None
    k, line, high = best
    return k, _last_edge(change[k], line, high), high


def _beyond(found: list[Line], line: Line, high: bool) -> float | None:
    """Where the wall beyond a ridge is: the strongest line that leaves room for dice, if one shows."""
    room = _strong(found, high, line.at + (1 if high else -1) * _RAIL_EDGES * CELLS)
    strongest = max(room, key=lambda x: x.strength, default=None)
    return None if strongest is None or strongest.strength < _LEAST_WALL else strongest.at


def _alone(line: Line, found: list[Line]) -> bool:
    """Whether only the ridge's own edges are near; beside a rim there is a foot, or the rim's other edge."""
    near = [x for x in found if 0.6 * CELLS < abs(x.at - line.at) < 3 * CELLS]
    return max((x.strength for x in near), default=0.0) < 0.3 * line.strength


def _last_edge(change: Floats, line: Line, high: bool) -> Line:
    """Both edges of the ridge and its shadow run alongside: the one nearest to the rail is the border."""
    row = int(np.abs(LEANS - line.lean).argmin())
    best = change[max(0, row - 1) : row + 2].max(0)
    at = change.shape[1] // 2 + round(line.at)
    way = 1 if high else -1
    beside = [k for k in range(round(0.6 * CELLS)) if best[at + way * k] > 0.4 * line.strength]
    return Line(float(line.at + way * max(beside, default=0)), line.lean, line.strength)


def _rim(view: View) -> Floats:
    h, w = view.cells.shape[:2]
    return np.array([(0, h / 2), (w, h / 2), (w / 2, 0), (w / 2, h)])


def _wall(
    view: View,
    axis: Axis,
    span: tuple[float, float],
    found: list[Line],
    dice: Floats,
    high: bool,
    ridge: tuple[int, Line, bool] | None,
    k: int,
) -> Line:
    """Where the floor's own colour ends on one side: the foot of a wall, or its rim where floor cloth lines it.

    Along the way out, a line beyond which the floor only gets darker or lighter is a shadow, or the foot of a lined
    wall; a little too far out is harmless, a wall is no place for dice, while dice do lie in shadows."""
    here = axis.places(dice)[:, 0]
    far = axis.places(_rim(view))[:, 0]
    edge = float(far.max() if high else far.min())
    start = max((0.2 * far.max(), *here)) if high else min((0.2 * far.min(), *here))
    if ridge is not None and ridge[0] == k and ridge[2] == high:
        beyond = ridge[1].at + _RAIL_EDGES * CELLS * (1 if high else -1)
        start = max(start, beyond) if high else min(start, beyond)
    side = _strong(found, high, float(start))
    if not side or max(line.strength for line in side) < 2 * _LEAST:
        return Line(edge, 0.0, 0.0)
    rows, zero = strip(view, axis, *span)
    near = _colour(rows, zero, side[0], span, -1 if high else 1)
    side = [line for line in side if abs(line.at - side[0].at) <= _REACH]
    strongest = max(line.strength for line in side)
    for line in side:
        chosen = line
        clear = line.strength > _CLEAR * strongest
        if clear and not _same(near, _colour(rows, zero, line, span, 1 if high else -1)):
            return chosen
    # The floor went on to the last line: if the picture ends soon after, so may the floor.
    return Line(edge, 0.0, 0.0) if abs(edge - chosen.at) < _REACH else chosen


def _colour(rows: Plane, zero: int, line: Line, span: tuple[float, float], way: int) -> Floats:
    """(bands, 3) linear light beside a line."""
    bands = len(rows)
    far = (np.arange(bands) + 0.5) * (span[1] - span[0]) / bands + span[0]
    x = np.rint(zero + line.at + line.lean * far[:, None] + way * np.arange(4, 9)).astype(int)
    x = np.clip(x, 0, rows.shape[1] - 1)
    lab = rows[np.arange(bands)[:, None], x, :3].mean(1) / np.array([1, 1.5, 1.5], np.float32)
    bgr = cv2.cvtColor(lab[None].astype(np.float32), cv2.COLOR_Lab2LBGR)[0]
    return np.asarray(bgr, np.float64)


def _same(one: Floats, two: Floats) -> bool:
    """Whether strip `two` may be of the same material in more or less light. In deep shadow the light is another."""
    a, b = np.maximum(one, 0) + _DARK, np.maximum(two, 0) + _DARK
    light = float(np.median(b.sum(1) / a.sum(1)))
    if light < _DEEP:
        return True
    a, b = a / np.linalg.norm(a, axis=1, keepdims=True), b / np.linalg.norm(b, axis=1, keepdims=True)
    return float(np.median(np.linalg.norm(a - b, axis=1))) < (_HUE_SHADE if light < 0.9 else _HUE)
