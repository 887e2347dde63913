"""A picture of the scene at one instant, as the simulated camera takes it.

Only what moves is drawn afresh: the empty tray is painted once, dice at rest once for each arrangement.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from firmware.drivers.simulated import box, cube, hand, lens
from firmware.drivers.simulated.floor import FELT, OTHER_FELT, empty_tray
from firmware.drivers.simulated.scene import Die, Look, Pose, Scene
from firmware.drivers.simulated.turns import support
from vision.frame import Image

_NOISE_MID = 12  # grey levels; the noise tile is never below zero
_NOISE_SPREAD = 2.3  # grey levels, a small sensor in a lit room
_TILE_SPARE = 64  # pixels by which the tile is larger than the picture, to lay it anew each frame
_DARK = 0.2  # share of the light left when the lamp fails
_KNOCKED = (2.5, 24.0, -14.0)  # the camera after a knock: degrees clockwise, pixels right and down
_HUM_HZ = 100.0  # mains light

Resting = tuple[tuple[Die, Pose], ...]
Arrangement = tuple[tuple[Look, float, Pose], ...]


class Renderer:
    """Renders scenes; keeps the last arrangement of resting dice. Owned by one thread. Making one takes a second."""

    def __init__(self, grain: int = 1) -> None:
        self._still: tuple[int, Arrangement, Image] = (grain, (), empty_tray(grain, FELT))
        self._felt = FELT
        self._tile = _noise_tile()
        hand.prepare()

    def render(self, scene: Scene, at_s: float, frame: int = 0, gain: float = 1.0) -> Image:
        """uint8 (box.HEIGHT, box.WIDTH, 3) BGR. The same scene, time and frame number give the same picture. `gain`: of
        the camera's electronics."""
        there = [(die, pose) for die in scene.dice if (pose := die.at(at_s)) is not None]
        moving = [(die, pose) for die, pose in there if die.moves(at_s)]
        resting = tuple((die, pose) for die, pose in there if not die.moves(at_s))
        felt = OTHER_FELT if scene.faulty("felt", at_s) else FELT
        picture = self._at_rest(scene.grain, resting, felt).copy()
        for _, pose in moving:
            cube.shade(picture, pose, box.EDGE)
        for die, pose in _far_first(moving):
            cube.draw(picture, die, pose, _smear(die, at_s))
        for reach in scene.hands:
            tips = reach.at(at_s)
            if tips is not None:
                hand.draw(picture, *tips)
        if scene.faulty("moved", at_s):
            picture = _knocked(picture)
        self._light(picture, scene, at_s)
        if gain != 1:
            cv2.convertScaleAbs(picture, picture, gain)
        return self._noisy(picture, frame)

    def _at_rest(self, grain: int, resting: Resting, felt: tuple[float, float, float]) -> Image:
        poses = tuple((die.look, die.edge_mm, pose) for die, pose in resting)
        if self._still[:2] != (grain, poses) or self._felt != felt:
            self._felt = felt
            picture = empty_tray(grain, felt).copy()
            for die, pose in resting:
                cube.shade(picture, pose, die.edge_mm)
            for die, pose in _far_first(resting):
                cube.draw(picture, die, pose)
            self._still = (grain, poses, picture)
        return self._still[2]

    def _light(self, picture: Image, scene: Scene, at_s: float) -> None:
        if scene.faulty("smudge", at_s):
            cv2.multiply(picture, _smudge(), picture, 1 / 255)
        if scene.faulty("glare", at_s):
            cv2.add(picture, _glare(), picture)
        if scene.faulty("dark", at_s):
            cv2.convertScaleAbs(picture, picture, _DARK)
        if scene.faulty("flicker", at_s):
            cv2.multiply(picture, _bands(at_s), picture, 1 / 255)

    def _noisy(self, picture: Image, frame: int) -> Image:
        x, y = (int(v) for v in np.random.default_rng(frame).integers(_TILE_SPARE, size=2))
        shifted = self._tile[y : y + box.HEIGHT, x : x + box.WIDTH]
        cv2.add(picture, shifted, picture)
        return np.asarray(cv2.subtract(picture, np.full(4, float(_NOISE_MID)), picture), np.uint8)


def render(scene: Scene, at_s: float, frame: int = 0) -> Image:
    """One picture, without a renderer kept: for stills."""
    return Renderer(scene.grain).render(scene, at_s, frame)


def _far_first(dice: Sequence[tuple[Die, Pose]]) -> list[tuple[Die, Pose]]:
    """Those farther from the lens first, so that nearer ones cover them."""

    def distance(item: tuple[Die, Pose]) -> float:
        die, pose = item
        return -math.dist((pose.x, pose.y, pose.gap + support(pose.turn, die.edge_mm)), lens.EYE.tolist())

    return sorted(dice, key=distance)


def _smear(die: Die, at_s: float) -> tuple[float, float]:
    """Pixels that the die's centre moves while the shutter is open."""
    begin, end = die.at(at_s - box.EXPOSURE_S / 2), die.at(at_s + box.EXPOSURE_S / 2)
    if begin is None or end is None:
        return 0.0, 0.0
    half = die.edge_mm / 2
    pixels = lens.project(np.array([[p.x, p.y, p.gap + half] for p in (begin, end)]))
    return float(pixels[1, 0] - pixels[0, 0]), float(pixels[1, 1] - pixels[0, 1])


@lru_cache(maxsize=1)
def _noise_tile() -> Image:
    """Sensor noise around `_NOISE_MID`, a little coarse and coloured as demosaicing leaves it."""
    rng = np.random.default_rng(11)
    shape = (box.HEIGHT + _TILE_SPARE, box.WIDTH + _TILE_SPARE)
    grey = rng.standard_normal((*shape, 1), np.float32)
    noise = rng.standard_normal((*shape, 3), np.float32)
    cv2.GaussianBlur(noise, (0, 0), 1.0, dst=noise)
    noise *= 0.6 * 1.6 * _NOISE_SPREAD
    noise += 0.8 * _NOISE_SPREAD * grey + _NOISE_MID
    return np.asarray(np.clip(np.round(noise, out=noise), 0, 2 * _NOISE_MID, out=noise), np.uint8)


@lru_cache(maxsize=1)
def _glare() -> Image:
    """A lamp mirrored over a part of the tray: blown out in the middle."""
    x, y = lens.project(np.array([[-40.0, 20.0, 0.0]]))[0]
    columns, rows = np.arange(box.WIDTH, dtype=np.float32)[None, :], np.arange(box.HEIGHT, dtype=np.float32)[:, None]
    away = np.hypot((columns - x) / 1.25, rows - y)
    shine = 250 / (1 + (away / 150) ** 4) + 40 * np.exp(-away / 300)
    return np.asarray(cv2.merge([np.clip(shine, 0, 255).astype(np.uint8)] * 3), np.uint8)


@lru_cache(maxsize=1)
def _smudge() -> Image:
    """Spilt coffee that has dried on the felt: how much light it leaves, 0-255."""
    x, y = lens.project(np.array([[-90.0, -70.0, 0.0]]))[0]
    level = np.full((box.HEIGHT, box.WIDTH), 255, np.uint8)
    cv2.ellipse(level, (round(x), round(y)), (46, 30), 20, 0, 360, (120,), -1)
    cv2.ellipse(level, (round(x), round(y)), (46, 30), 20, 0, 360, (80,), 6)
    return np.asarray(cv2.merge([cv2.GaussianBlur(level, (0, 0), 2)] * 3), np.uint8)


def _knocked(picture: Image) -> Image:
    """As a camera sees it whose arm was knocked."""
    degrees, right, down = _KNOCKED
    way = cv2.getRotationMatrix2D((box.WIDTH / 2, box.HEIGHT / 2), -degrees, 1.0)
    way[:, 2] += np.array((right, down))
    size = (box.WIDTH, box.HEIGHT)
    return np.asarray(cv2.warpAffine(picture, way, size, borderMode=cv2.BORDER_REFLECT_101), np.uint8)


def _bands(at_s: float) -> Image:
    """Dark bands that wander through the picture: mains light under a rolling shutter."""
    rows = np.arange(box.HEIGHT, dtype=np.float32) / box.HEIGHT / box.FRAMES_PER_S
    level = 0.8 + 0.2 * np.sin(2 * np.pi * (_HUM_HZ * 1.013) * (at_s + rows))
    column = np.round(255 * level).astype(np.uint8)[:, None, None]
    return np.ascontiguousarray(np.broadcast_to(column, (box.HEIGHT, box.WIDTH, 3)))
