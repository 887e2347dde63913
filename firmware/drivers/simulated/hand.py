"""The hand that reaches into the simulated tray: modelled once as rounded limbs, then laid over the picture."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.drivers.simulated import box, lens, paint
from firmware.drivers.simulated.paint import Floats
from vision.frame import Image

_DOTS = 3.0  # sprite pixels a millimetre
_LEFT, _TOP, _WIDE, _LONG = (
    -70.0,
    -34.0,
    150.0,
    560.0,
)  # mm; the origin is where the fingertips meet, the arm runs to +y
_HEIGHT = 62.0  # mm of the hand's back above the floor, for its size in the picture and its shadow
_SKIN = np.array([118, 150, 204], np.float32)  # BGR
_REDDER = (0.1, 0.09, 0.0)  # how much less of each colour at the tips
_NAIL = (168.0, 186.0, 226.0)
_SLEEVE = np.array([96, 70, 58], np.float32)

# Limbs as (x0, y0, radius0, x1, y1, radius1) in mm: a right hand from above, fingers curled to pick a die up.
_LIMBS = (
    (-25, 2, 7.6, -42, 40, 9.0), (-42, 40, 9.0, -24, 88, 13.0),
    (-10, -10, 6.8, -16, 20, 7.8), (-16, 20, 7.6, -19, 52, 9.0),
    (4, -15, 7.0, 1, 18, 8.0), (1, 18, 7.8, -1, 52, 9.4),
    (18, -9, 6.7, 18, 22, 7.6), (18, 22, 7.4, 16, 54, 9.0),
    (30, 4, 5.8, 33, 32, 6.6), (33, 32, 6.4, 30, 60, 8.2),
    (-15, 58, 11, -8, 112, 17), (1, 58, 12, 2, 116, 18), (16, 60, 11, 11, 114, 17), (27, 66, 9, 14, 116, 14),
    (3, 112, 21, 3, 200, 25),
)  # fmt: skip
_NAILS = ((-10, -12, -12), (4, -17, -5), (18, -11, 0), (30, 2, 6), (-25, 0, -30))  # x, y, degrees
_NAIL_MM = 8.0  # from its middle nothing of it is farther
_CUFF_Y = 158.0


@dataclass(frozen=True, slots=True, eq=False)
class _Sprite:
    """`colour`: uint8 BGR, black outside. `through`: uint8, 255 beside the hand. `dim`: its soft shadow."""

    colour: Image
    through: Image
    dim: Image


def prepare() -> None:
    """Model the hand now, not when it first reaches in: it takes half a second."""
    _sprite()


def draw(picture: Image, x: float, y: float) -> None:
    """Lay the hand over the picture, in place, its fingertips above (x, y) mm on the floor."""
    sprite = _sprite()
    turn = math.atan2(x - box.ARM_FROM[0], y - box.ARM_FROM[1])  # 0: the arm comes straight from the player
    tips = lens.project(np.array([[x, y, 20.0]]))[0]
    scale = lens.FOCAL_PX / (lens.EYE[2] - _HEIGHT) / _DOTS
    shadow = lens.project(np.array([[x + 24.0, y - 14.0, 0.0]]))[0]
    _lay(picture, None, sprite.dim, _placing(shadow, turn, scale * 0.9))
    _lay(picture, sprite.colour, sprite.through, _placing(tips, turn, scale))


def _placing(tips: NDArray[np.float64], turn: float, scale: float) -> NDArray[np.float64]:
    """Sprite pixels to picture pixels, 2x3."""
    c, s = math.cos(turn) * scale, math.sin(turn) * scale
    ox, oy = -_LEFT * _DOTS, -_TOP * _DOTS
    return np.array([[c, -s, tips[0] - c * ox + s * oy], [s, c, tips[1] - s * ox - c * oy]])


def _lay(picture: Image, colour: Image | None, through: Image, placing: NDArray[np.float64]) -> None:
    rows, columns = through.shape
    corners = np.array([[0, 0, 1], [columns, 0, 1], [columns, rows, 1], [0, rows, 1]]) @ placing.T
    x0, y0 = np.maximum(0, np.floor(corners.min(0)).astype(int))
    x1, y1 = np.minimum((box.WIDTH, box.HEIGHT), np.ceil(corners.max(0)).astype(int))
    if x1 <= x0 or y1 <= y0:
        return
    here = placing - np.array([[0, 0, x0], [0, 0, y0]])
    size = (int(x1 - x0), int(y1 - y0))
    part = picture[y0:y1, x0:x1]
    past = cv2.warpAffine(through, here, size, borderValue=(255,))
    paint.dim(part, np.asarray(past, np.uint8))
    if colour is not None:
        cv2.add(part, cv2.warpAffine(colour, here, size), part)


@lru_cache(maxsize=1)
def _sprite() -> _Sprite:
    rows, columns = int(_LONG * _DOTS), int(_WIDE * _DOTS)
    x = np.arange(columns, dtype=np.float32)[None, :] / _DOTS + _LEFT
    y = np.arange(rows, dtype=np.float32)[:, None] / _DOTS + _TOP
    skin = _heights(x, y, _LIMBS)
    sleeve = _heights(x, y, ((3, _CUFF_Y + 30, 33, 8, 700, 46),))
    sleeve[y[:, 0] < _CUFF_Y] = 0
    sleeved = sleeve > 0
    height = paint.blur(np.where(sleeved, sleeve, skin), 2.2)
    lit = _lit(height, np.random.default_rng(5), sleeved)
    cover = paint.blur(((skin > 0) | sleeved).astype(np.float32), 1.2)
    nails = _nails(x, y)
    colour = np.empty((rows, columns, 3), np.uint8)
    for number in range(3):
        painted = np.where(sleeved, _SLEEVE[number], _painted(y, nails, number))
        colour[..., number] = np.clip(painted * lit, 0, 255) * cover
    dim = 255 - paint.blur(cover, 26) * 120
    return _Sprite(colour, (255 - cover * 255).astype(np.uint8), dim.astype(np.uint8))


def _heights(x: Floats, y: Floats, limbs: tuple[tuple[float, ...], ...]) -> Floats:
    """How high the limbs' union stands at each point, mm: balls of changing radius along each bone."""
    powers = np.zeros((y.shape[0], x.shape[1]), np.float32)
    for x0, y0, r0, x1, y1, r1 in limbs:
        reach = max(r0, r1)
        rows, columns = _near(y[:, 0], y0, y1, reach), _near(x[0], x0, x1, reach)
        here, down = x[:, columns], y[rows]
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((here - x0) * dx + (down - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        radius = r0 + (r1 - r0) * along
        off = (here - x0 - along * dx) ** 2 + (down - y0 - along * dy) ** 2
        powers[rows, columns] += np.maximum(radius * radius - off, 0) ** 2.5
    return np.asarray(powers**0.2, np.float32)  # a smooth greatest: limbs that meet swell a little, like joints


def _near(places: Floats, one: float, other: float, reach: float) -> slice:
    """Which of these places, that go up, lie between two or within reach of them: what is farther is not touched."""
    ends = np.searchsorted(places, (min(one, other) - reach, max(one, other) + reach))
    return slice(int(ends[0]), int(ends[1]))


def _lit(height: Floats, rng: np.random.Generator, sleeved: NDArray[np.bool_]) -> Floats:
    """Shade by slope, the lamp from the upper left, with the skin's and the cloth's own unevenness."""
    bumps = paint.blur(rng.standard_normal(height.shape, np.float32), 1.2)
    uneven = height + np.where(sleeved, np.float32(0.6), np.float32(0.12)) * bumps
    slope_x = cv2.Sobel(uneven, cv2.CV_32F, 1, 0, ksize=3, scale=_DOTS / 8)
    slope_y = cv2.Sobel(uneven, cv2.CV_32F, 0, 1, ksize=3, scale=_DOTS / 8)
    upright = 1 / np.sqrt(1 + slope_x**2 + slope_y**2)
    lamp = np.maximum(0, (0.5 * slope_x + 0.4 * slope_y + 0.77) * upright)
    hollow = np.clip((paint.blur(height, 9) - height) / 9, 0, 0.4)
    return np.asarray(0.34 + 0.36 * upright + 0.42 * lamp - 0.7 * hollow, np.float32)


def _nails(x: Floats, y: Floats) -> Floats:
    """How far each point is nail, 0-1."""
    bare = np.ones((y.shape[0], x.shape[1]), np.float32)
    for nx, ny, degrees in _NAILS:
        rows, columns = _near(y[:, 0], ny, ny, _NAIL_MM), _near(x[0], nx, nx, _NAIL_MM)
        across, down = x[:, columns] - nx, y[rows] - ny
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        u, v = across * c + down * s, down * c - across * s
        bare[rows, columns] *= 1 - 0.75 * np.clip(1.3 - (u / 3.8) ** 4 - (v / 5.2) ** 4, 0, 1)
    return np.asarray(1 - bare, np.float32)


def _painted(y: Floats, nails: Floats, number: int) -> Floats:
    """One colour of the skin, with redder fingertips and pale nails."""
    red = np.exp(-np.maximum(y + 10, 0) / 20)
    skin = _SKIN[number] * (1 - red * _REDDER[number])
    return np.asarray(skin + nails * (_NAIL[number] - skin), np.float32)
