"""A tray with one wall all round: a circle, an octagon or a hexagon."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.floor import CELLS, Plane, View, changes, steady
from vision.sampling import Floats

_SECTORS, _FINER = 64, 3
_LEAST = 2 * CELLS  # radius, cells: no tray is smaller
_WALL = 2 * CELLS  # shadowless feet of walls lie at most this far inside their rims
_LINE = 0.3  # of the strongest: a fainter ring inside it is no foot of a wall
_ANGLES = (np.arange(_SECTORS) + 0.5) * 2 * np.pi / _SECTORS


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """`middle`, `radius` (to the middle of a straight wall): cells. `walls`: 0 for a circle. `turn`: radians from x to
    the middle of a wall. `strength`: change of colour that all but a tenth of its length reaches, Lab units."""

    middle: Floats
    radius: float
    walls: int
    turn: float
    strength: float

    def outline(self, grow: float) -> Floats:
        """(n, 2) cells."""
        if self.walls:
            angle = self.turn + (np.arange(self.walls) + 0.5) * 2 * np.pi / self.walls
            far = (self.radius + grow) / np.cos(np.pi / self.walls)
        else:
            angle = np.arange(32) * 2 * np.pi / 32
            far = (self.radius + grow) / np.cos(np.pi / 32)
        return np.asarray(self.middle + far * np.stack([np.cos(angle), np.sin(angle)], -1))


def find(view: View, dice: Floats) -> Ring | None:
    """`dice`: (n, 2) cells of dice, that lie inside."""
    middle = np.array(view.cells.shape[1::-1]) / 2
    half = np.asarray(cv2.resize(view.cells, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    small = View(half, view.origin_mm, 2 * view.step_mm)
    for spacing, wide, reach in ((4.0, 3, 5), (2.0, 2, 2)):
        steps = np.arange(-reach, reach + 1) * spacing
        places = [middle / 2 + (x, y) for x in steps for y in steps]
        middle = 2 * max(places, key=lambda m: _roundness(small, m, wide))
    shapes = [(0, 0.0), *((n, turn) for n in (8, 6) for turn in np.arange(0, 2 * np.pi / n, np.deg2rad(3)))]
    best = max((_best(view, middle, n, turn, 2) for n, turn in shapes), key=lambda r: r.strength)
    for spacing, wide in ((4.0, 2), (1.5, 1)):
        best = _nearby(view, best, best.radius, spacing, wide)
    foot = _foot(view, best)
    for ring in (foot, best):
        if ring is not None and (np.hypot(*(dice - ring.middle).T) < ring.radius).all():
            return ring
    return None


def _roundness(small: View, middle: Floats, wide: int) -> float:
    """How much changes at one distance from there; much on one side counts less than some all round."""
    size = np.sqrt(np.nan_to_num(_around(small, middle, wide)))
    return float(size.mean(0)[_LEAST // 2 :].max())


def _around(view: View, middle: Floats, wide: int) -> Plane:
    """(sectors, radii) change of colour outwards from `middle`, each the largest of `wide` cells on either side."""
    far = int(np.hypot(*view.cells.shape[:2]) / 2)
    angle = (np.arange(_SECTORS * _FINER) + 0.5) * 2 * np.pi / (_SECTORS * _FINER)
    radius = np.arange(far)
    x = (middle[0] + np.outer(np.cos(angle), radius)).astype(np.float32)
    y = (middle[1] + np.outer(np.sin(angle), radius)).astype(np.float32)
    fine = cv2.remap(view.cells, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0,))
    rows = np.asarray(cv2.resize(fine, (far, _SECTORS), interpolation=cv2.INTER_AREA), np.float32)
    size = changes(rows)
    wider = cv2.dilate(np.nan_to_num(size, nan=-1), np.ones((1, 2 * wide + 1), np.uint8))
    wider[np.isnan(size)] = np.nan
    return np.asarray(wider, np.float32)


def _shaped(size: Plane, walls: int, turn: float) -> Plane:
    """The same with each sector drawn in so that the shape becomes a circle."""
    if not walls:
        return size
    part = 2 * np.pi / walls
    farther = 1 / np.cos((_ANGLES - turn + part / 2) % part - part / 2)
    x = np.outer(farther, np.arange(size.shape[1])).astype(np.float32)
    y = np.repeat(np.arange(_SECTORS, dtype=np.float32)[:, None], size.shape[1], 1)
    out = cv2.remap(size, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=(float("nan"),))
    return np.asarray(out, np.float32)


def _best(view: View, middle: Floats, walls: int, turn: float, wide: int, low: int = _LEAST, high: int = 9999) -> Ring:
    found = steady(_shaped(_around(view, middle, wide), walls, turn), 0.2)[low:high]
    if not len(found):
        return Ring(middle, 0.0, walls, turn, 0.0)
    at = int(found.argmax())
    return Ring(middle, float(low + at), walls, turn, float(found[at]))


def _nearby(view: View, ring: Ring, radius: float, spacing: float, wide: int) -> Ring:
    """The strongest near a ring, with another middle."""
    places = [ring.middle + spacing * np.array((x, y)) for x in range(-3, 4) for y in range(-3, 4)]
    low, high = round(radius - 5), round(radius + 6)
    every = [_best(view, m, ring.walls, ring.turn, wide, max(_LEAST, low), high) for m in places]
    return max(every, key=lambda r: r.strength)


def _foot(view: View, rim: Ring) -> Ring | None:
    """The innermost ring that shows well a little inside the strongest one, if any: the foot of the wall."""
    found = steady(_shaped(_around(view, rim.middle, 4), rim.walls, rim.turn), 0.2)
    for at in range(max(_LEAST, round(rim.radius) - _WALL), round(rim.radius) - 5):
        if found[at] > _LINE * rim.strength:
            ring = _nearby(view, rim, at + 4, 2.0, 1)
            if ring.strength > _LINE * rim.strength and ring.radius < rim.radius - 3:
                return ring
    return None
