"""The empty simulated tray: felt, wooden walls, keep rail, and the table around it. Painted once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from firmware.drivers.simulated import box, lens, light, paint
from firmware.drivers.simulated.paint import Doubles, Floats
from vision.frame import Image

_DOTS = 3.5  # texture pixels a millimetre, a little finer than the picture
FELT = (77.5, 130.2, 52.7)  # BGR
OTHER_FELT = (52.0, 46.0, 148.0)
_OAK_DARK, _OAK_LIGHT = (62, 98, 142), (104, 150, 196)
_RAIL_DARK, _RAIL_LIGHT = (52, 78, 118), (80, 116, 162)
_TABLE_DARK, _TABLE_LIGHT = (38, 44, 56), (62, 70, 84)
_TABLE = (450.0, 350.0)  # mm; a little more than the camera sees
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Stuff:
    """What a board is made of. `tone` (rows, columns): 0 where it is `dark`, 1 where it is `pale`, BGR."""

    tone: Floats
    dark: Colour
    pale: Colour

    def channel(self, number: int) -> Floats:
        out = self.tone * (self.pale[number] - self.dark[number])
        out += self.dark[number]
        return np.asarray(out, np.float32)


@lru_cache(maxsize=2)
def empty_tray(grain: int, felt: Colour) -> Image:
    """The tray without dice, noise-free: uint8 (h, w, 3) BGR, not to be written to."""
    rng = np.random.default_rng(grain)
    picture = np.zeros((box.HEIGHT, box.WIDTH, 3), np.float32)
    left, right, near, far = box.FLOOR_LEFT, box.FLOOR_RIGHT, box.FLOOR_NEAR, box.FLOOR_FAR
    wide, deep = _TABLE
    table = _wood(rng, wide, deep, _TABLE_DARK, _TABLE_LIGHT)
    _board(picture, (-wide / 2, -deep / 2, -6), (wide, 0, 0), (0, deep, 0), table, _beside)
    play = box.RIDGE_LEFT - left
    _board(picture, (left, near, 0), (play, 0, 0), (0, far - near, 0), _felt(rng, play, far - near, felt), _in_tray)
    rail = _wood(rng, far - near, right - box.RIDGE_RIGHT, _RAIL_DARK, _RAIL_LIGHT)
    _board(picture, (box.RIDGE_RIGHT, near, 0), (0, far - near, 0), (right - box.RIDGE_RIGHT, 0, 0), rail, _on_rail)
    _walls(picture, rng)
    _ridge(picture, rng)
    _rims(picture, rng)
    x, y = np.arange(box.WIDTH, dtype=np.float32)[None, :], np.arange(box.HEIGHT, dtype=np.float32)[:, None]
    picture *= light.vignette(x, y)[..., None]
    np.clip(picture, 0, 255, out=picture)
    cv2.GaussianBlur(picture, (0, 0), 0.55, dst=picture)  # the lens is not razor-sharp
    done = np.round(picture, out=picture).astype(np.uint8)
    done.flags.writeable = False
    return done


def _walls(picture: Floats, rng: np.random.Generator) -> None:
    """The walls' inner sides, seen because the camera hangs over the middle."""
    left, right, near, far, top = box.FLOOR_LEFT, box.FLOOR_RIGHT, box.FLOOR_NEAR, box.FLOOR_FAR, box.WALL_TOP
    across, deep = right - left, far - near
    for origin, along, length, normal in (
        ((left, far, 0), (across, 0, 0), across, (0, -1, 0)),
        ((left, near, 0), (across, 0, 0), across, (0, 1, 0)),
        ((left, near, 0), (0, deep, 0), deep, (1, 0, 0)),
        ((right, near, 0), (0, deep, 0), deep, (-1, 0, 0)),
    ):
        wood = _wood(rng, length, top, _OAK_DARK, _OAK_LIGHT)
        _board(picture, origin, along, (0, 0, top), wood, _wall_shade, normal)


def _ridge(picture: Floats, rng: np.random.Generator) -> None:
    left, right, top = box.RIDGE_LEFT, box.RIDGE_RIGHT, box.RIDGE_TOP
    near, deep = box.FLOOR_NEAR, box.FLOOR_FAR - box.FLOOR_NEAR
    side = _wood(rng, deep, top, _OAK_DARK, _OAK_LIGHT)
    for x, normal in ((left, (-1, 0, 0)), (right, (1, 0, 0))):
        _board(picture, (x, near, 0), (0, deep, 0), (0, 0, top), side, _wall_shade, normal)
    crown = _wood(rng, deep, right - left, _OAK_LIGHT, (128, 172, 214))
    _board(picture, (left, near, top), (0, deep, 0), (right - left, 0, 0), crown, _open)


def _rims(picture: Floats, rng: np.random.Generator) -> None:
    """The walls' tops, far and near ones over the whole width."""
    thick, top = box.WALL_THICK, box.WALL_TOP
    left, right = box.FLOOR_LEFT - thick, box.FLOOR_RIGHT + thick
    deep = box.FLOOR_FAR - box.FLOOR_NEAR
    for x in (left, box.FLOOR_RIGHT):
        wood = _wood(rng, deep, thick, _OAK_DARK, _OAK_LIGHT)
        _board(picture, (x, box.FLOOR_NEAR, top), (0, deep, 0), (thick, 0, 0), wood, _open)
    for y in (box.FLOOR_FAR, box.FLOOR_NEAR - thick):
        wood = _wood(rng, right - left, thick, _OAK_DARK, _OAK_LIGHT)
        _board(picture, (left, y, top), (right - left, 0, 0), (0, thick, 0), wood, _open)


def _board(
    picture: Floats,
    origin: tuple[float, float, float],
    along: tuple[float, float, float],
    across: tuple[float, float, float],
    stuff: Stuff,
    shade: Callable[[Floats], Floats],
    normal: tuple[float, float, float] = (0, 0, 1),
) -> None:
    """Paint one flat rectangle. `stuff`: its columns run along, its rows across. `shade`: (n, m, 3) world points to
    (lamp's share, room's share) (n, m, 2)."""
    o, a, b = (np.array(v, np.float64) for v in (origin, along, across))
    rows, columns = stuff.tone.shape
    coarse_u, coarse_v = np.meshgrid(np.linspace(0, 1, 97), np.linspace(0, 1, 97))
    points = (o + coarse_u[..., None] * a + coarse_v[..., None] * b).astype(np.float32)
    shares = shade(points)
    lit = (
        shares[..., :1] * light.lamp_on(points, np.broadcast_to(np.array(normal, np.float32), points.shape))[..., None]
    )
    lit = (lit * light.LAMP_COLOUR + shares[..., 1:] * light.ROOM_COLOUR).astype(np.float32)
    corners = lens.project(np.array([o, o + a, o + a + b, o + b]))
    x0, y0 = np.maximum(0, np.floor(corners.min(0)).astype(int) - 1)
    x1, y1 = np.minimum((box.WIDTH, box.HEIGHT), np.ceil(corners.max(0)).astype(int) + 2)
    to_pixels = lens.plane(o, a / columns, b / rows) @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    to_pixels = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ to_pixels
    size = (int(x1 - x0), int(y1 - y0))
    mask = np.zeros(size[::-1], np.uint8)
    paint.fill(mask, corners - (x0, y0))
    for number in range(3):  # one colour after the other, and nothing held: the table alone takes 8 MB of each
        texture = stuff.channel(number)
        texture *= cv2.resize(lit[..., number], (columns, rows), interpolation=cv2.INTER_LINEAR)
        there = cv2.warpPerspective(texture, to_pixels, size, borderMode=cv2.BORDER_REPLICATE)
        del texture
        part = picture[y0:y1, x0:x1, number]
        there = np.asarray(cv2.subtract(there, part), np.float32)
        there *= np.asarray(mask / np.float32(255), np.float32)
        part += there
        del there


def _shares(lamp: Floats, room: Floats | Doubles) -> Floats:
    return np.stack(np.broadcast_arrays(lamp, room), axis=-1).astype(np.float32)


def _open(p: Floats) -> Floats:
    return _shares(np.ones_like(p[..., 0]), np.ones_like(p[..., 0]))


def _step(value: Floats, start: float, end: float) -> Floats:
    u = np.clip((value - start) / (end - start), 0, 1)
    return np.asarray(u * u * (3 - 2 * u), np.float32)


def _corner(p: Floats) -> Floats:
    """The room's light that reaches a floor between walls."""
    gaps = (
        p[..., 0] - box.FLOOR_LEFT,
        box.FLOOR_RIGHT - p[..., 0],
        p[..., 1] - box.FLOOR_NEAR,
        box.FLOOR_FAR - p[..., 1],
    )
    open_to = np.ones_like(p[..., 0])
    for gap in gaps:
        open_to = open_to * (1 - 0.42 * np.exp(-np.maximum(gap, 0) / 22))
    return np.asarray(open_to, np.float32)


def _beyond_walls(p: Floats) -> Floats:
    """The lamp's light on the floor: the left and the far wall shade a strip."""
    strip = box.WALL_TOP / (light.LAMP[2] - box.WALL_TOP)
    left = strip * (box.FLOOR_LEFT - light.LAMP[0])
    far = strip * (light.LAMP[1] - box.FLOOR_FAR)
    lit = _step(p[..., 0] - box.FLOOR_LEFT, left - 4, left + 4) * _step(box.FLOOR_FAR - p[..., 1], far - 4, far + 4)
    return np.asarray(0.35 + 0.65 * lit, np.float32)


def _in_tray(p: Floats) -> Floats:
    ridge = 1 - 0.3 * np.exp(-np.maximum(box.RIDGE_LEFT - p[..., 0], 0) / 5)
    return _shares(_beyond_walls(p), _corner(p) * ridge)


def _on_rail(p: Floats) -> Floats:
    gap = p[..., 0] - box.RIDGE_RIGHT
    reach = box.RIDGE_TOP * (box.RIDGE_RIGHT - float(light.LAMP[0])) / (float(light.LAMP[2]) - box.RIDGE_TOP)
    return _shares(
        _beyond_walls(p) * (0.15 + 0.85 * _step(gap, reach - 2, reach + 2)), _corner(p) * (1 - 0.3 * np.exp(-gap / 5))
    )


def _wall_shade(p: Floats) -> Floats:
    rise = np.clip(p[..., 2] / box.WALL_TOP, 0, 1)
    return _shares(0.6 + 0.4 * rise, 0.6 + 0.4 * rise)


def _beside(p: Floats) -> Floats:
    """The table: dim below the tray's outer walls."""
    x = np.maximum(np.abs(p[..., 0]) - box.FLOOR_RIGHT - box.WALL_THICK, 0)
    y = np.maximum(np.abs(p[..., 1]) - box.FLOOR_FAR - box.WALL_THICK, 0)
    away = np.hypot(x, y)
    shadow = np.where((p[..., 0] > 0) | (p[..., 1] < 0), np.exp(-away / 26), 0)
    return _shares(np.asarray(1 - 0.8 * shadow, np.float32), 1 - 0.6 * np.exp(-away / 30))


def _noise(rng: np.random.Generator, rows: int, columns: int, along: float, across: float) -> Floats:
    """Smooth noise of unit spread; `along`, `across`: the blur's sigmas over columns and rows."""
    small = max(1, int(min(along, across) / 2))
    grain = rng.standard_normal((rows // small + 2, columns // small + 2), np.float32)
    grain = np.asarray(cv2.resize(paint.blur(grain, along / small, across / small), (columns, rows)), np.float32)
    grain -= grain.mean()
    grain /= grain.std() + 1e-6
    return grain


def _wood(rng: np.random.Generator, long_mm: float, wide_mm: float, dark: Colour, pale: Colour) -> Stuff:
    """Planed wood, the grain along its columns."""
    columns, rows = int(long_mm * _DOTS), max(4, int(wide_mm * _DOTS))
    tone = _noise(rng, rows, columns, 160, 14)
    tone *= 2.2
    tone += np.arange(rows, dtype=np.float32)[:, None] / (2.4 * _DOTS) + rng.uniform(0, 6)
    np.sin(tone, out=tone)  # the rings
    tone *= 0.2
    tone += 0.5
    for share, along, across in ((0.13, 30, 0.8), (0.1, 60, 5)):  # streaks
        streaks = _noise(rng, rows, columns, along, across)
        streaks *= share
        tone += streaks
        del streaks
    pores = _noise(rng, rows, columns, 9, 0.6)
    pores -= 1.7
    np.clip(pores, 0, 1, out=pores)
    pores *= 0.3
    tone -= pores
    np.clip(tone, 0, 1, out=tone)
    return Stuff(tone, dark, pale)


def _felt(rng: np.random.Generator, wide_mm: float, deep_mm: float, colour: Colour) -> Stuff:
    """Woollen felt: fine grain, faint clouds, and single fibres."""
    columns, rows = int(wide_mm * _DOTS), int(deep_mm * _DOTS)
    tone = 1 + 0.07 * _noise(rng, rows, columns, 0.8, 0.8) + 0.045 * _noise(rng, rows, columns, 2.5, 2.5)
    tone += 0.03 * _noise(rng, rows, columns, 24, 24)
    fibres = np.zeros((rows, columns), np.uint8)
    for x, y, turn, length in zip(
        rng.uniform(0, columns, 9000),
        rng.uniform(0, rows, 9000),
        rng.uniform(0, 6.3, 9000),
        rng.uniform(4, 16, 9000),
        strict=True,
    ):
        start = np.array([x, y])
        paint.line(fibres, start, start + length * np.array([np.cos(turn), np.sin(turn)]), int(rng.integers(40, 160)))
    tone += 0.14 * (fibres.astype(np.float32) / 255)
    return Stuff(np.asarray(tone, np.float32), (0, 0, 0), colour)
