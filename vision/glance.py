"""Small grey views of the tray and how two of them differ, light and camera movement taken out.

All distances are pixels of the small view, about 320 wide.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Grey = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Shift = tuple[float, float]

LONG_SIDE = 320
# Grey levels after a 5 x 5 mean. Sensor and codec grain stays below 8 on rendered and real videos (two grainy
# renders reach 8 on a dozen scattered pixels), the slowest last wobble of a die is above on 60 and more.
CHANGED = 8
# Of the view. Where more changed at once, lamp light under a rolling shutter is tried as the reason: each row of the
# picture has its own brightness.
BANDED = 0.01
# Levels of a colour. Grain stays below 5 on rendered films; before a camera held by hand edges reach 28, but along thin
# lines, which `opened` takes away.
TINTED = 16.0
# From here on a pixel may have been brighter than the camera can tell, and its colour is wrong.
BLOWN_OUT = 245
STAYED: Shift = (0.0, 0.0)


def shrinks(image: Image) -> int:
    """How many pixels of the picture make one of its glance, along each side."""
    whole = max(1, round(int(max(image.shape[:2])) / LONG_SIDE))
    return whole if whole < 4 else whole - whole % 2


def glance(image: Image) -> Grey:
    """The picture as motion sees it: grey, long side about 320, grain smoothed away."""
    return smoothed(small(image))


def smoothed(small: Image) -> Grey:
    """The glance of a picture that was made small before."""
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return cv2.blur(grey, (5, 5)).astype(np.uint8, copy=False)


def coloured(image: Image) -> Image:
    """The same in colour, BGR: for what has come to rest, which may be as bright as what it lies on."""
    return smoothed_colours(small(image))


def smoothed_colours(small: Image) -> Image:
    """The same of a picture that was made small before."""
    return cv2.blur(small, (5, 5)).astype(np.uint8, copy=False)


def small(image: Image) -> Image:
    """The picture with its long side about 320; the same pixels when it is no longer than that.

    Whole factors only, and of large pictures only some of the pixels: ten times as fast as an exact size."""
    height, width = image.shape[:2]
    factor = shrinks(image)
    columns, rows = width // factor, height // factor
    part: cv2.typing.MatLike = image[: rows * factor, : columns * factor]
    if factor >= 4:
        part = cv2.resize(part, (2 * columns, 2 * rows), interpolation=cv2.INTER_NEAREST)
    if factor > 1:
        part = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(part, np.uint8)


def changes(now: Grey, then: Grey) -> Mask:
    """255 where the two views differ by more than light and grain."""
    some, were = now[4::8, 4::8].astype(np.float32) + 1.0, then[4::8, 4::8].astype(np.float32) + 1.0
    mask = _differing(now, _lit(then, float(_gain(some.reshape(1, -1), were.reshape(1, -1))[0])))
    if cv2.countNonZero(mask) > BANDED * mask.size:
        rows = np.interp(np.arange(now.shape[0]), np.arange(4, now.shape[0], 8), _gain(some, were))
        banded = np.clip(then * rows.astype(np.float32)[:, None], 0.0, 255.0).astype(np.uint8)
        by_rows = _differing(now, banded)
        # It must explain most of the change: to explain a few dice away a little it would blur everything else.
        return by_rows if 3 * cv2.countNonZero(by_rows) < cv2.countNonZero(mask) else mask
    return mask


def tinted(now: Image, then: Image) -> Mask:
    """255 where two views in colour differ in colour, however bright they are: shadows and lamps change no colour."""
    light = (cv2.cvtColor(now, cv2.COLOR_BGR2GRAY) + 4.0) / (cv2.cvtColor(then, cv2.COLOR_BGR2GRAY) + 4.0)
    away = np.abs(now - then * light[..., None]).max(axis=2)
    away[np.maximum(now, then).max(axis=2) >= BLOWN_OUT] = 0.0
    return np.where(away > TINTED, np.uint8(255), np.uint8(0))


def _gain(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much brighter each row of pixels is now: that of the most, the others left out.

    The middle ratio alone is too coarse: on dark felt a single grey level is 3 percent."""
    usual = np.median(now / then, axis=1, keepdims=True)
    keep = np.abs(now - usual * then) <= 3.0 + 0.04 * then
    gain = np.sum(now * keep, axis=1) / np.maximum(np.sum(then * keep, axis=1), 1.0)
    return np.asarray(np.where(np.any(keep, axis=1), gain, usual[:, 0]), np.float32)


def _differing(now: Grey, then: Grey) -> Mask:
    return cv2.threshold(cv2.absdiff(now, then), CHANGED, 255, cv2.THRESH_BINARY)[1].astype(np.uint8, copy=False)


def _lit(view: Grey, gain: float) -> Grey:
    if abs(gain - 1.0) <= 0.01:
        return view
    return cv2.convertScaleAbs(view, alpha=gain).astype(np.uint8, copy=False)


def opened(mask: Mask) -> Mask:
    """Without the slivers that a trembling camera leaves along every edge."""
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8, copy=False)


def moved(view: Grey, way: Shift) -> Grey:
    """An earlier view as the camera would see it after the picture has moved by `way`."""
    if abs(way[0]) < 0.05 and abs(way[1]) < 0.05:
        return view
    matrix = np.array([[1.0, 0.0, way[0]], [0.0, 1.0, way[1]]], dtype=np.float32)
    size = (view.shape[1], view.shape[0])
    return cv2.warpAffine(view, matrix, size, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)


def shift(then: Grey, now: Grey, changed: Mask) -> Shift:
    """How the whole picture moved between two views; (0, 0) when it did not, or dice moved instead.

    Least squares of brightness against slope, refined twice. It must explain most of the change, and the change
    must span a third of the view: a single die rolling over a plain floor looks like a shift as well.
    """
    _, _, width, height = cv2.boundingRect(changed)
    if width * 3 < changed.shape[1] and height * 3 < changed.shape[0]:
        return STAYED
    then, now = _halved(then), _halved(now)
    base = then.astype(np.float32)
    slopes = cv2.Sobel(base, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(base, cv2.CV_32F, 0, 1, scale=0.125)
    way = STAYED
    for _ in range(3):
        step = _step(now.astype(np.float32) - moved(then, way), slopes)
        if step is None:
            return STAYED
        way = way[0] - step[0], way[1] - step[1]
    if max(abs(way[0]), abs(way[1])) > LONG_SIDE / 32:
        return STAYED
    left = 4 * cv2.countNonZero(changes(now, moved(then, way)))
    return (2.0 * way[0], 2.0 * way[1]) if 2 * left < cv2.countNonZero(changed) else STAYED


def _step(difference: NDArray[np.float32], slopes: tuple[cv2.typing.MatLike, cv2.typing.MatLike]) -> Shift | None:
    """One step of the least squares, over the pixels that do not stand out; None where the view has no structure."""
    keep = np.abs(difference) < 3.0 * (float(np.mean(np.abs(difference))) + 1.0)
    gx, gy, d = slopes[0][keep], slopes[1][keep], difference[keep]
    xx, yy, xy = float(gx @ gx), float(gy @ gy), float(gx @ gy)
    det = xx * yy - xy * xy
    if xx + yy < 1.0 or det <= 1e-3 * (xx + yy) ** 2 / 4:
        return None
    bx, by = float(gx @ d), float(gy @ d)
    return (yy * bx - xy * by) / det, (xx * by - xy * bx) / det


def _halved(view: Grey) -> Grey:
    size = (view.shape[1] // 2, view.shape[0] // 2)
    return cv2.resize(view, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
