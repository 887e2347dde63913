"""Straight lines in the view from above along which the colour changes: the feet and rims of walls, and ridges."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.floor import Plane, View, changes, steady
from vision.sampling import Floats

_BANDS = 16  # a line is looked at in this many pieces, each averaged along the line
_TURNS = np.deg2rad(np.arange(-15, 15.1, 3.0))  # of the tray in the picture
LEANS = np.tan(np.deg2rad(np.arange(-3, 3.1, 0.5)))  # of one side against the others: the camera is known roughly
_COARSE = LEANS[3:-3]


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
