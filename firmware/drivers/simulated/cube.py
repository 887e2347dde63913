"""One die in perspective: rounded edges, drilled pips, its shadow, and the smear of its motion.

Every pixel of the die's patch looks along its ray at the cube, in the cube's own frame; near an edge the surface's
direction bends over as on a rounded die, which is what makes it shine like one. Costs about a millisecond a die.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.drivers.simulated import box, lens, light, paint, signs
from firmware.drivers.simulated.paint import Doubles, Floats
from firmware.drivers.simulated.scene import Die, Look, Pose
from firmware.drivers.simulated.turns import FACE_AXES, matrix, support
from vision.frame import Image

Area = tuple[int, int, int, int]  # x0, y0, x1, y1 in the picture

ROUND = 0.11  # radius of the edges, in edges: between a casino die and a board game's
PIP_RADIUS = 0.1  # in edges, as on true 16 mm dice
BIG_ONE = 0.19
PIP_OFFSET = 0.27
_GRAZING = 0.1  # faces seen at less than this sine hide their pips behind the rounded edge
_LENS_BLUR = 0.6  # pixels; no lens is razor-sharp
_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_ROUND_STEPS = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_CIRCLE = np.stack([np.cos(_ROUND_STEPS), np.sin(_ROUND_STEPS)], axis=1)
_FELT_GLOW = np.array([0.07, 0.12, 0.05], np.float32)  # light that the felt throws back on the sides

_LATTICE: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Cube:
    """A die at one instant. `centre`: mm, world. `turn`: cube to world."""

    centre: Doubles
    turn: Doubles
    half: float

    @classmethod
    def of(cls, pose: Pose, edge_mm: float) -> "Cube":
        z = pose.gap + support(pose.turn, edge_mm)
        return cls(np.array([pose.x, pose.y, z]), np.array(matrix(pose.turn)), edge_mm / 2)

    def corners(self, grow_mm: float = 0.0) -> Doubles:
        return np.asarray(self.centre + (_SIGNS * (self.half + grow_mm)) @ self.turn.T, np.float64)


@dataclass(frozen=True, slots=True)
class Patch:
    """A small picture to be laid over the big one. `colour`: float32 (n, m, 3), already times `cover` (n, m, 1)."""

    x: int
    y: int
    colour: Floats
    cover: Floats


def shade(picture: Image, pose: Pose, edge_mm: float) -> None:
    """Darken the floor under and beside a die, in place: the lamp's shadow, and the dimness below its body."""
    cube = Cube.of(pose, edge_mm)
    corners = cube.corners(-0.4)
    cast = lens.project(light.shadow_of(corners))
    under = lens.project(np.where([True, True, False], cube.corners(1.0), 0.0))
    soft = 1.6 + 0.13 * pose.gap
    margin = int(6 + 3 * soft)
    both = np.concatenate([cast, under])
    x0, y0 = np.floor(both.min(0)).astype(int) - margin
    x1, y1 = np.ceil(both.max(0)).astype(int) + margin
    x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(box.WIDTH, int(x1)), min(box.HEIGHT, int(y1))
    if x1 <= x0 or y1 <= y0:
        return
    area = (x0, y0, x1, y1)
    cast_left = _soft(cast, area, 150 / (1 + pose.gap / 60), soft)
    under_left = _soft(under, area, 110 / (1 + pose.gap / 5), 4.0)
    paint.dim(picture[y0:y1, x0:x1], np.asarray(cv2.multiply(cast_left, under_left, scale=1 / 255), np.uint8))


def draw(picture: Image, die: Die, pose: Pose, smear: tuple[float, float] = (0.0, 0.0)) -> None:
    """Lay a die over the picture, in place. `smear`: pixels that it moves while the shutter is open."""
    patch = _seen(Cube.of(pose, die.edge_mm), die.look, smear)
    if patch is None:
        return
    rows, columns = patch.cover.shape[:2]
    part = picture[patch.y : patch.y + rows, patch.x : patch.x + columns]
    laid = part * (1 - patch.cover) + patch.colour
    part[:] = np.clip(laid + 0.5, 0, 255).astype(np.uint8)


def _seen(cube: Cube, look: Look, smear: tuple[float, float]) -> Patch | None:
    outline = _outline(cube)
    x0, y0 = (int(v) - 3 for v in np.floor(outline.min(0)))
    x1, y1 = (int(v) + 4 for v in np.ceil(outline.max(0)))
    length = float(np.hypot(*smear))
    pad = int(1 + length / 2) if length > 0.7 else 0
    if x1 + pad <= 0 or y1 + pad <= 0 or x0 - pad >= box.WIDTH or y0 - pad >= box.HEIGHT:
        return None
    area = (x0, y0, x1, y1)
    cover = np.asarray(_filled(outline, area)[..., None] / np.float32(255))
    layers = paint.blur(np.concatenate([_surface(cube, look, area) * cover, cover], axis=2), _LENS_BLUR)
    if pad:
        layers = np.asarray(cv2.copyMakeBorder(layers, pad, pad, pad, pad, cv2.BORDER_CONSTANT), np.float32)
        layers = np.asarray(cv2.filter2D(layers, -1, _line(smear)), np.float32)
    x0, y0 = x0 - pad, y0 - pad
    layers = layers[max(0, -y0) : box.HEIGHT - y0, max(0, -x0) : box.WIDTH - x0]
    return Patch(max(0, x0), max(0, y0), layers[..., :3], layers[..., 3:])


def _outline(cube: Cube) -> Doubles:
    """The rounded cube's outline in pixels: the hull of the eight balls that its corners are."""
    radius = ROUND * 2 * cube.half
    centres = cube.corners(-radius)
    pixels = lens.project(centres)
    depth = ((centres - lens.EYE) @ lens.TURN.T)[:, 2]
    sizes = radius * lens.FOCAL_PX / depth
    balls = pixels[:, None, :] + sizes[:, None, None] * _CIRCLE[None]
    return paint.hull(balls.reshape(-1, 2))


def _surface(cube: Cube, look: Look, area: Area) -> Floats:
    """The lit colour at each pixel of `area`, as if the cube covered all of it: float32 (n, m, 3) BGR."""
    at = _where_rays_meet(cube, area)
    bend = np.maximum(np.abs(at) - (cube.half - ROUND * 2 * cube.half), 0)
    bend = np.copysign(bend, at)
    normal = bend / np.sqrt(np.einsum("...i,...i->...", bend, bend) + 1e-6)[..., None]
    to_lamp, to_eye = (cube.turn.T @ (place - cube.centre) for place in (light.LAMP, lens.EYE))
    to_lamp, to_eye = to_lamp / np.linalg.norm(to_lamp), to_eye / np.linalg.norm(to_eye)
    middle = (to_lamp + to_eye) / np.linalg.norm(to_lamp + to_eye)
    facing = normal @ np.stack([to_lamp, cube.turn[2], middle], axis=1).astype(np.float32)  # lamp, zenith, mirror
    lamp, up, mirror = (facing[..., n] for n in range(3))
    height = at @ cube.turn[2].astype(np.float32) + np.float32(cube.centre[2])
    shares = np.empty_like(at)
    shares[..., 0] = np.maximum(lamp, 0) * light.lamp_reaching(cube.centre)
    shares[..., 1] = (0.62 + 0.38 * up) * (0.6 + np.clip(height * (0.2 / cube.half), 0, 0.4))
    shares[..., 2] = np.maximum(0.6 - up, 0)
    lit = shares @ np.stack([light.LAMP_COLOUR, light.ROOM_COLOUR, _FELT_GLOW])
    holes, lips = _pips(cube, area, look)
    if look.signs:
        holes = np.maximum(holes, _printed(cube, area, look.signs))
    shiny = 45 * np.maximum(mirror, 0) ** 36 * (1 - 0.7 * holes) + 26 * lips
    drilled = holes[..., None] * np.subtract(look.body, look.pips).astype(np.float32)
    colour = lit * (np.array(look.body, np.float32) - drilled)
    x, y = (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
    return np.asarray(np.clip(colour + shiny[..., None], 0, 255) * light.vignette(x, y), np.float32)


def _where_rays_meet(cube: Cube, area: Area) -> Floats:
    """Where each pixel's ray enters the cube, in the cube's frame: float32 (n, m, 3), kept on the cube beside it."""
    x0, y0, x1, y1 = area
    to_cube = cube.turn.T
    start = (to_cube @ (lens.EYE - cube.centre)).astype(np.float32)
    steps = (to_cube @ lens.rays()).astype(np.float32)
    xs, ys = np.arange(x0, x1, dtype=np.float32)[None, :, None], np.arange(y0, y1, dtype=np.float32)[:, None, None]
    along = xs * steps[:, 0] + ys * steps[:, 1] + steps[:, 2]
    along[along == 0] = np.float32(1e-12)  # a ray along a face meets it far away
    enter = np.full(along.shape[:2], -np.inf, np.float32)
    for axis in range(3):
        if abs(start[axis]) > cube.half:
            np.maximum(enter, (np.sign(start[axis]) * cube.half - start[axis]) / along[..., axis], out=enter)
    return np.asarray(np.clip(start + enter[..., None] * along, -cube.half, cube.half), np.float32)


def _faces_in_view(cube: Cube) -> Iterator[tuple[int, Doubles, Doubles]]:
    """Value, middle (3,) and the two axes (3, 2) of each face that shows."""
    for value, (axis, sign) in FACE_AXES.items():
        normal = sign * cube.turn[:, axis]
        face = cube.centre + normal * cube.half
        to_eye = lens.EYE - face
        if normal @ to_eye > _GRAZING * np.linalg.norm(to_eye):
            yield value, face, cube.turn[:, [(axis + 1) % 3, (axis + 2) % 3]]


def _printed(cube: Cube, area: Area, texts: tuple[str, ...]) -> Floats:
    """How much of each pixel is covered by what is printed on the die."""
    ink = np.zeros((area[3] - area[1], area[2] - area[0]), np.uint8)
    for value, face, plane in _faces_in_view(cube):
        if text := texts[value - 1]:
            corners = face + _SQUARE @ plane.T * cube.half
            signs.stamp(ink, text, _in_patch(corners[None], area)[0])
    return np.asarray(ink / np.float32(255), np.float32)


def _pips(cube: Cube, area: Area, look: Look) -> tuple[Floats, Floats]:
    """How much of each pixel is pip, and how much of it is the far lip of a drilled pip, which catches the light."""
    holes = np.zeros((area[3] - area[1], area[2] - area[0]), np.uint8)
    lips = np.zeros_like(holes)
    edge, one = 2 * cube.half, BIG_ONE if look.big_one else PIP_RADIUS
    for value, face, plane in _faces_in_view(cube):
        if look.signs and look.signs[value - 1]:
            continue
        to_lamp = plane.T @ (light.LAMP - face)
        away = plane @ (-to_lamp / (np.linalg.norm(to_lamp) + 1e-6)) * (0.035 * edge)
        centres = face + np.array(_LATTICE[value]) @ plane.T * (PIP_OFFSET * edge)
        rims = centres[:, None] + _CIRCLE @ plane.T * ((one if value == 1 else PIP_RADIUS) * edge)
        for rim, shifted in zip(_in_patch(rims, area), _in_patch(rims - away, area), strict=True):
            paint.fill(holes, rim)
            paint.fill(lips, rim)
            paint.fill(lips, shifted, 0)
    return np.asarray(holes / np.float32(255)), np.asarray(lips / np.float32(255))


def _in_patch(polygons: Doubles, area: Area) -> Doubles:
    """World polygons (k, n, 3) to pixels of the patch (k, n, 2)."""
    return np.asarray(lens.project(polygons.reshape(-1, 3)).reshape(*polygons.shape[:2], 2) - area[:2], np.float64)


def _filled(points: Doubles, area: Area) -> NDArray[np.uint8]:
    mask = np.zeros((area[3] - area[1], area[2] - area[0]), np.uint8)
    paint.fill(mask, paint.hull(points) - area[:2])
    return mask


def _soft(points: Doubles, area: Area, strength: float, sigma: float) -> NDArray[np.uint8]:
    """What a shadow leaves of the light, 255 being all; wide blurs are made on a smaller mask."""
    wide, high = area[2] - area[0], area[3] - area[1]
    shrink = min(8, max(1, int(sigma / 1.2)))
    mask = np.zeros((high // shrink + 2, wide // shrink + 2), np.uint8)
    paint.fill(mask, (paint.hull(points) - area[:2] + 0.5) / shrink - 0.5, int(strength))
    mask = paint.blur_mask(255 - mask, sigma / shrink)
    if shrink == 1:
        return mask[:high, :wide]
    size = (mask.shape[1] * shrink, mask.shape[0] * shrink)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR), np.uint8)[:high, :wide]


def _line(smear: tuple[float, float]) -> Floats:
    """A kernel that spreads a point evenly along `smear`, centred."""
    reach = int(np.ceil(max(abs(smear[0]), abs(smear[1])) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    half = np.array(smear) / 2
    paint.line(kernel, reach - half, reach + half)
    return np.asarray(kernel / np.float32(kernel.sum()), np.float32)
