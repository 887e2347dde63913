"""Straight walls: lines across the tray along which the colour changes, and the rectangle they make."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.floor import Plane, View, changes, steady
from vision.sampling import Floats

_BANDS = 16  # a line is looked at in this many pieces, each averaged along the line
_TURNS = np.deg2rad(np.arange(-15, 15.1, 3.0))  # of the tray in the picture
_LEANS = np.tan(np.deg2rad(np.arange(-3, 3.1, 0.5)))  # of one side against the others: the camera is known roughly
_COARSE = _LEANS[3:-3:1]


@dataclass(frozen=True, slots=True)
class Line:
    """Where it crosses the axis through the view's middle: `at` cells along the normal; `lean`: cells along the normal
    for each along the line; `strength`: change of colour across it, Lab units."""

    at: float
    lean: float
    strength: float


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """Lines across the direction `angle` (radians, from the view's x to its y) about `middle` (cells)."""

    angle: float
    middle: Floats

    @property
    def normal(self) -> Floats:
        return np.array([np.cos(self.angle), np.sin(self.angle)])

    @property
    def along(self) -> Floats:
        return np.array([-np.sin(self.angle), np.cos(self.angle)])

    def places(self, cells: Floats) -> Floats:
        """Cells (..., 2) to (..., 2): along the normal, along the line."""
        off = cells - self.middle
        return np.stack([off @ self.normal, off @ self.along], axis=-1)


def strip(view: View, axis: Axis, start: float, end: float, bands: int = _BANDS) -> tuple[Plane, int]:
    """(bands, w, 4) cells averaged along the lines between `start` and `end` cells, and the column of the middle."""
    half = int(np.ceil(np.hypot(*view.cells.shape[:2]) / 2)) + 8
    length = max(bands, round(end - start))
    to = np.empty((2, 3))
    to[:, 0], to[:, 1] = axis.normal, axis.along * (end - start) / length
    to[:, 2] = axis.middle - to[:, :2] @ np.array([half, -start * length / (end - start)])
    turned = cv2.warpAffine(view.cells, to, (2 * half + 1, length), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(cv2.resize(turned, (2 * half + 1, bands), interpolation=cv2.INTER_AREA)), half


def strengths(view: View, axis: Axis, start: float, end: float, leans: Floats, share: float = 0.25) -> Floats:
    """(leans, w): how steadily the colour changes along each line; column 0 lies `w // 2` cells before the middle."""
    rows, _ = strip(view, axis, start, end)
    size = changes(rows)
    far = (np.arange(_BANDS) + 0.5) * (end - start) / _BANDS + start
    out = []
    for lean in leans:
        moved = np.stack([np.roll(row, -round(float(lean * y))) for row, y in zip(size, far, strict=True)])
        out.append(steady(moved, share))
    return np.stack(out)


def lines(found: Floats, leans: Floats, least: float) -> list[Line]:
    """Peaks of `strengths`, by place."""
    best = found.max(0)
    peak = (best >= least) & (best >= np.roll(best, 1)) & (best > np.roll(best, -1))
    half = found.shape[1] // 2
    return [Line(float(i - half), float(leans[found[:, i].argmax()]), float(best[i])) for i in np.nonzero(peak)[0]]


def turn(view: View) -> float:
    """Angle of the tray in the view, radians."""
    middle = np.array(view.cells.shape[1::-1]) / 2
    tall, wide = 0.3 * view.cells.shape[0], 0.3 * view.cells.shape[1]

    def worth(angle: float) -> float:
        total = 0.0
        for quarter, reach in ((0.0, tall), (np.pi / 2, wide)):
            found = strengths(view, Axis(angle + quarter, middle), -reach, reach, _COARSE)
            total += float((found**2).sum(1).max())
        return total

    return float(max(_TURNS, key=worth))


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """`axes`: across the first two and the last two of `sides` (left, right, near, far in the tray's own turn).
    `strength`: of the weakest side in view."""

    axes: tuple[Axis, Axis]
    sides: tuple[Line, Line, Line, Line]
    strength: float

    def corners(self, grow: float = 0.0) -> Floats:
        """(4, 2) cells, in order round the box."""
        a, b, c, d = self.sides
        pairs = (
            (moved(a, -grow), moved(c, -grow)),
            (moved(b, grow), moved(c, -grow)),
            (moved(b, grow), moved(d, grow)),
            (moved(a, -grow), moved(d, grow)),
        )
        return np.array([crossing(self.axes[0], x, self.axes[1], y) for x, y in pairs])


def moved(line: Line, cells: float) -> Line:
    return Line(line.at + cells, line.lean, line.strength)


def crossing(one: Axis, first: Line, two: Axis, second: Line) -> Floats:
    """Where two lines meet, cells."""
    rows, right = [], []
    for axis, line in ((one, first), (two, second)):
        across = axis.normal - line.lean * axis.along
        rows.append(across)
        right.append(line.at + across @ axis.middle)
    return np.asarray(np.linalg.solve(np.stack(rows), np.array(right)))


def box(view: View, within: Floats, least: float) -> Box | None:
    """The rectangle of walls around the places `within` (n, 2) cells, or None."""
    middle = np.array(view.cells.shape[1::-1]) / 2
    angle = turn(view)
    axes = (Axis(angle, middle), Axis(angle + np.pi / 2, middle))
    spans = [(-0.3 * n, 0.3 * n) for n in view.cells.shape[:2]]
    sides: list[tuple[Line, Line] | None] = [None, None]
    for _ in range(2):
        for k in (0, 1):
            found = strengths(view, axes[k], *spans[k], _LEANS)
            sides[k] = _pair(view, axes[k], lines(found, _LEANS, least), within)
            pair = sides[k]
            if pair is not None:
                inset = 0.12 * (pair[1].at - pair[0].at)
                spans[1 - k] = (pair[0].at + inset, pair[1].at - inset)
    first, second = sides
    if first is None or second is None:
        return None
    seen = [line.strength for line in (*first, *second) if line.strength > 0]
    return Box(axes, (*first, *second), min(seen) if len(seen) > 1 else 0.0)


def _pair(view: View, axis: Axis, found: list[Line], within: Floats) -> tuple[Line, Line] | None:
    here = axis.places(within)[:, 0]
    edge = axis.places(_rim(view))[:, 0]
    low = _side([x for x in found if x.at < min(-0.2 * (edge.max() - edge.min()) / 2, here.min())], lambda x: x.at)
    high = _side([x for x in found if x.at > max(0.2 * (edge.max() - edge.min()) / 2, here.max())], lambda x: -x.at)
    if low is None and high is None:
        return None
    return low or Line(float(edge.min()), 0.0, 0.0), high or Line(float(edge.max()), 0.0, 0.0)


def _rim(view: View) -> Floats:
    h, w = view.cells.shape[:2]
    return np.array([(0, h / 2), (w, h / 2), (w / 2, 0), (w / 2, h)])


def _side(found: list[Line], outward: Callable[[Line], float]) -> Line | None:
    """The innermost line that is strong among those of its side. `outward`: the smaller, the farther out."""
    if not found:
        return None
    strongest = max(line.strength for line in found)
    return max((line for line in found if line.strength >= 0.25 * strongest), key=outward)
