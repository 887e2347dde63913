"""A tray with one wall all round: a circle, an octagon or a hexagon."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.floor import CELLS, Plane, View, changes, steady
from vision.sampling import Floats

_SECTORS, _FINER = 64, 3
_LEAST = 2 * CELLS  # radius, cells: no tray is smaller
_WALL = 2 * CELLS  # shadowless feet of walls lie at most this far inside their rims
_EVEN = 0.7  # a circle that shows this well beside the best corners is a circle
_LINE = 0.5  # of the strongest: a fainter ring inside it is no foot of a wall
# Share of a ring that the picture must show; six lines that are partly out of it fit many a square tray.
_IN_VIEW = {0: 0.7, 8: 0.7, 6: 0.9}
_ASKEW = 9  # cells that a wall may be off a regular shape: the camera's tilt is known roughly
_ANGLES = (np.arange(_SECTORS) + 0.5) * 2 * np.pi / _SECTORS


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """`middle`, `radius` (to the middle of a wall): cells. `walls`: 0 for a circle. `turn`: radians from x to a wall's
    middle. `strength`: change of colour that all but a tenth of its length reaches, Lab units. `pushed`: cells that
    each wall stands farther out than in a regular shape."""

    middle: Floats
    radius: float
    walls: int
    turn: float
    strength: float
    pushed: tuple[float, ...] = ()

    def outline(self, grow: float) -> Floats:
        """(n, 2) cells."""
        n = self.walls or 32
        angle = self.turn + np.arange(n) * 2 * np.pi / n
        normal = np.stack([np.cos(angle), np.sin(angle)], -1)
        far = self.radius + grow + (np.array(self.pushed) if self.pushed else np.zeros(n))
        both = np.stack([normal, np.roll(normal, -1, 0)], 1)
        corner = np.linalg.solve(both, np.stack([far, np.roll(far, -1)], 1)[..., None])
        return np.asarray(self.middle + corner[..., 0])


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """`change`: (radii,) of colour that shows nearly all round at each distance, cells, from `middle`, in this turn."""

    middle: Floats
    turn: float
    change: Floats


def find(view: View, dice: Floats) -> Ring | None:
    """`dice`: (n, 2) cells of dice, that lie inside."""
    middle = np.array(view.cells.shape[1::-1]) / 2
    half = np.asarray(cv2.resize(view.cells, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    small = View(half, view.origin_mm, 2 * view.step_mm)
    for spacing, wide, reach in ((4.0, 3, 5), (2.0, 2, 2)):
        steps = np.arange(-reach, reach + 1) * spacing
        places = [middle / 2 + (x, y) for x in steps for y in steps]
        middle = 2 * max(places, key=lambda m: _roundness(small, m, wide))
    circle = _settled(view, _strongest(_shown(view, middle, 0, (0.0,), 2), 0))
    turns = {n: np.arange(0, 2 * np.pi / n, np.deg2rad(3)) for n in (8, 6)}
    every = (_strongest(_shown(view, middle, n, turn, 2), n) for n, turn in turns.items())
    walls = max(every, key=lambda r: r.strength)
    walls = _settled(view, walls)
    best = walls if walls.strength * _EVEN > circle.strength else circle
    foot = _foot(view, best)
    for ring in (foot, best):
        if ring is not None and (np.hypot(*(dice - ring.middle).T) < ring.radius).all():
            return _fitted(view, ring)
    return None


def _fitted(view: View, ring: Ring) -> Ring:
    """Each straight wall where it shows best, but none nearer than in the regular shape."""
    if not ring.walls:
        return ring
    size = _shaped(_around(view, ring.middle, 1), ring.walls, ring.turn)
    part = 2 * np.pi / ring.walls
    wall = np.floor(((_ANGLES - ring.turn) / part + 0.5) % ring.walls).astype(int)
    low = round(ring.radius)
    shows = [steady(size[wall == k], 0.3)[low : low + _ASKEW] for k in range(ring.walls)]
    return replace(ring, pushed=tuple(float(s.argmax()) if s.max() > 0 else 0.0 for s in shows))


def _weighed(view: View, ring: Ring) -> Ring:
    """With the strength, above the grain, that nearly all of it reaches; none when too little of it is in view."""
    size = _shaped(_around(view, ring.middle, 1), ring.walls, ring.turn)
    at = round(ring.radius)
    part = np.nanmax(np.nan_to_num(size[:, at - 1 : at + 2], nan=-1), axis=1)
    seen = part[part >= 0]
    if len(seen) <= _IN_VIEW[ring.walls] * len(part):
        return replace(ring, strength=0.0)
    grain = float(np.median(steady(size, 0.1)[_LEAST : max(at, _LEAST + 1)]))
    return replace(ring, strength=max(0.0, float(np.quantile(seen, 0.1)) - 2 * grain))


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


def _shown(view: View, middle: Floats, walls: int, turns: Iterable[float], wide: int) -> list[_Shown]:
    size = _around(view, middle, wide)
    return [_Shown(middle, float(turn), steady(_shaped(size, walls, turn), 0.2)) for turn in turns]


def _strongest(shown: list[_Shown], walls: int, low: int = _LEAST, high: int = 9999) -> Ring:
    """That of a radius from `low` to `high`."""
    best = Ring(shown[0].middle, 0.0, walls, 0.0, 0.0)
    for one in shown:
        found = one.change[low:high]
        if len(found) and found.max() > best.strength:
            best = Ring(one.middle, float(low + found.argmax()), walls, one.turn, float(found.max()))
    return best


def _nearby(view: View, ring: Ring, spacing: float, wide: int) -> list[_Shown]:
    """From other middles near that of a ring."""
    places = [ring.middle + spacing * np.array((x, y)) for x in range(-3, 4) for y in range(-3, 4)]
    turns = ring.turn + np.deg2rad((-1.5, 0, 1.5)) if ring.walls else (0.0,)
    return [one for middle in places for one in _shown(view, middle, ring.walls, turns, wide)]


def _of_radius(shown: list[_Shown], walls: int, radius: float) -> Ring:
    return _strongest(shown, walls, max(_LEAST, round(radius - 5)), round(radius + 6))


def _settled(view: View, ring: Ring) -> Ring:
    for spacing, wide in ((4.0, 2), (1.5, 1)):
        ring = _of_radius(_nearby(view, ring, spacing, wide), ring.walls, ring.radius)
    return _weighed(view, ring)


def _foot(view: View, rim: Ring) -> Ring | None:
    """The innermost ring that shows well a little inside the strongest one, if any: the foot of the wall."""
    (wide,) = _shown(view, rim.middle, rim.walls, (rim.turn,), 4)
    shown = _nearby(view, rim, 2.0, 1)
    for at in range(max(_LEAST, round(rim.radius) - _WALL), round(rim.radius) - 5):
        if wide.change[at] > _LINE * rim.strength:
            ring = _weighed(view, _of_radius(shown, rim.walls, at + 4))
            if ring.strength > _LINE * rim.strength and ring.radius < rim.radius - 3:
                return ring
    return None
