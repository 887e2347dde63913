"""What a live picture lacks while a tray is calibrated: light, focus, stillness, a camera that stays."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sight import Hint, Sight
from speech.sentence import say
from vision.align import aligned, laid
from vision.frame import Image
from vision.glance import STAYED, Grey, changes, glance, opened, shrinks
from vision.motion import FEW
from vision.polygon import Box
from vision.presence import DIE_SHARE, EVERYWHERE, HAND_DICE

# Of the picture on each side: what lies there is seldom the tray.
_RIM = 0.125
# Grey levels: of the tray's brightest hundredth, and of its middle. 54 rendered trays, the darkest black velvet in dim
# light: 68 to 254, and 19 to 144. Below these, noise is as strong as what there is to see.
_DARK, _BLACK = 45, 8
# Share of the tray with a colour at the camera's end. Of the same trays at most 0.04 is, where white dice lie.
_BRIGHT = 0.1
_BLOWN = 252
# Blur of the sharpest edges, pixels of a picture 1280 wide. The same trays have at most 1.05 on a quarter of their
# edges; pips of the usual dice have radii of 4 to 6.
_BLURRED = 1.8
_FINE, _COARSE = 1.0, 2.0
_BAND = 128  # rows
# Pixels of a glance that a corner may wander: grain makes 0.2.
_WANDERED = 1.0
_EDGES = 95  # percent of the view that is no edge


def look(image: Image, before: Grey | None, empty: Grey | None = None) -> tuple[Sight, Grey]:
    """What the picture shows, and its glance for the next look. `before`: the glance of the look before. `empty`: of
    the empty tray, once it is known."""
    now, (height, width) = glance(image), image.shape[:2]
    if before is None or before.shape != now.shape:
        return Sight(width, height, hints=light(image)), now
    step = opened(changes(now, before))
    still = cv2.countNonZero(step) <= FEW
    hints = light(image)
    if not still:
        hints = (*_moving(step, shrinks(image)), *hints)
    elif empty is not None and empty.shape == now.shape:
        hints = (*_against(now, empty), *hints)
    return Sight(width, height, still, hints), now


def light(image: Image) -> tuple[Hint, ...]:
    """What is wrong with light and focus."""
    rows, columns = image.shape[:2]
    down, across = round(_RIM * rows), round(_RIM * columns)
    tray = image[down : rows - down, across : columns - across]
    grey = cv2.cvtColor(tray, cv2.COLOR_BGR2GRAY)
    middle, bright = np.percentile(grey[::4, ::4], (50, 99))
    if bright < _DARK or middle < _BLACK:
        return (Hint("dark", say("It is too dark: put a lamp nearer, or open the curtains.")),)
    hints = []
    if float((tray[::4, ::4].max(axis=2) >= _BLOWN).mean()) > _BRIGHT:
        hints.append(Hint("bright", say("It is too bright to tell white from white: turn the lamp down, or away.")))
    if blurred(image):
        hints.append(Hint("blurred", say("The picture is out of focus: turn the lens until it is sharp, or wipe it.")))
    return tuple(hints)


def blurred(image: Image) -> bool:
    """Whether even the sharpest edges are wide.

    An edge of width s, blurred a little more, loses a share of its slope that tells s (Zhuo and Sim, "Defocus map
    estimation from a single image", 2011)."""
    fine, coarse = _edges(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    clear = fine >= max(1.0, float(np.percentile(fine, 99)))
    if not clear.any():
        return False
    ratio = np.square(fine[clear] / np.maximum(coarse[clear], 1e-3))
    width = np.sqrt(np.maximum(_COARSE**2 - ratio * _FINE**2, 0) / np.maximum(ratio - 1, 1e-3))
    return bool(np.percentile(width, 25) > _BLURRED * max(image.shape[:2]) / 1280)


def _edges(grey: Grey) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(n,) the slopes at every edge, blurred by `_FINE` and by `_COARSE`. In bands, each with what the blur needs
    beside it: of the whole picture at once they would be ten times its size."""
    reach, found = math.ceil(4 * _COARSE) + 2, []
    for top in range(0, len(grey), _BAND):
        start, end = max(0, top - reach), top + _BAND + reach
        band = grey[start:end].astype(np.float32)
        fine, coarse = _slope(band, _FINE), _slope(band, _COARSE)
        own = slice(top - start, top - start + _BAND)
        peak = (fine >= cv2.dilate(fine, np.ones((3, 3), np.uint8)))[own]
        found.append((fine[own][peak], coarse[own][peak]))
    every_fine, every_coarse = zip(*found, strict=True)
    return np.concatenate(every_fine), np.concatenate(every_coarse)


def _slope(grey: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(grey, (0, 0), sigma)
    return np.asarray(
        cv2.magnitude(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)), np.float32
    )


def _moving(step: Grey, scale: int) -> tuple[Hint, ...]:
    """Something large moves; small things that move are dice coming to rest, and only waited for."""
    die = DIE_SHARE * max(step.shape)
    if cv2.countNonZero(step) < HAND_DICE * die * die:
        return ()
    x, y, wide, high = (scale * v for v in cv2.boundingRect(step))
    return (Hint("hand", say("Something moves here: take your hands out of the picture."), _box(x, y, wide, high)),)


def _against(now: Grey, empty: Grey) -> tuple[Hint, ...]:
    """What a still picture has that the empty one had not, dice apart."""
    changed = changes(now, empty)
    if cv2.countNonZero(changed) <= FEW:
        return ()
    if moved(now, empty):
        return (
            Hint("moved", say("The camera or the tray has moved since the picture of the empty tray: begin again.")),
        )
    if cv2.countNonZero(changed) > EVERYWHERE * changed.size:
        return (Hint("light", say("The light is another one than for the empty tray: put it back, or begin again.")),)
    return ()


def moved(now: Grey, empty: Grey) -> bool:
    """Whether the camera stands elsewhere than it did for the empty tray."""
    warp = aligned(empty, now, STAYED)
    height, width = now.shape
    corners = np.array([(0, 0, 1), (width, 0, 1), (0, height, 1), (width, height, 1)], np.float64)
    far = float(np.abs(corners @ warp.T - corners[:, :2]).max())
    if not _WANDERED < far < 0.2 * width:
        return False
    # The map must explain the tray's own edges better; dice that came lie on few of them.
    slope = _slope(empty.astype(np.float32), 1.0)
    edges = slope >= np.percentile(slope, _EDGES)
    there = laid(empty, warp)
    return 2 * _apart(now, there, edges) < _apart(now, empty, edges)


def _apart(now: Grey, then: Grey, where: NDArray[np.bool_]) -> float:
    """Grey levels between two views at these places, but for a fourth of them, with the light made equal."""
    one, other = now[where].astype(np.float32), then[where].astype(np.float32)
    gain = float(np.median((one + 1) / (other + 1)))
    return float(np.percentile(np.abs(one - gain * other), 75))


def _box(x: int, y: int, wide: int, high: int) -> Box:
    return x, y, x + wide, y + high
