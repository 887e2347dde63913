"""Laying the view of the last rest over the present one, before a camera that is held by hand.

Such a camera shifts, turns and comes nearer while it looks at one place; with that taken out, what is new stands out.
Freer maps were worse: over a plain floor they follow the dice instead.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.glance import Grey, Shift

# 2x3, takes pixels of the present view to pixels of the earlier one.
Warp = NDArray[np.float64]

_TURNS = 8, 4  # at half the size, then at full; further ones move nothing by a tenth of a pixel
_OUTLIER = 2.5  # spreads of the difference; dice and hands that came are no part of the map


def aligned(then: Grey, now: Grey, guess: Shift) -> Warp:
    """How the picture has moved since, by least squares of brightness against slope. `guess`: about so far."""
    base, other = _halved(then), _halved(now)
    window = cv2.createHanningWindow((other.shape[1], other.shape[0]), cv2.CV_32F)
    warp = _shifted((guess[0] / 2, guess[1] / 2))
    (dx, dy), _ = cv2.phaseCorrelate(laid(base, warp).astype(np.float32), other.astype(np.float32), window)
    ways = [warp, _shifted((guess[0] / 2 + dx, guess[1] / 2 + dy))]
    warp = min(ways, key=lambda way: float(np.median(cv2.absdiff(laid(base, way), other))))
    warp = _refined(base, other, warp, _TURNS[0])
    # Pixel centres at whole numbers: x of the whole is 2 x + 0.5.
    warp[:, 2] = 2 * warp[:, 2] + 0.5 - 0.5 * warp[:, :2].sum(axis=1)
    return _refined(then, now, warp, _TURNS[1])


def laid(view: cv2.typing.MatLike, warp: Warp) -> Grey:
    """An earlier view, grey or BGR, as the camera would see it now."""
    size, how = (view.shape[1], view.shape[0]), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(view, warp, size, flags=how, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)


def shared(warp: Warp, shape: tuple[int, ...]) -> Grey:
    """255 where both views show the same ground, a few pixels from their borders."""
    inner = np.zeros(shape[:2], np.uint8)
    inner[4:-4, 4:-4] = 255
    size, how = (shape[1], shape[0]), cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(inner, warp, size, flags=how).astype(np.uint8, copy=False)


def _refined(then: Grey, now: Grey, warp: Warp, turns: int) -> Warp:
    height, width = now.shape
    x = (np.arange(width, dtype=np.float32) - width / 2)[None, :] / width
    y = (np.arange(height, dtype=np.float32) - height / 2)[:, None] / width
    across = np.broadcast_to(x, now.shape), np.broadcast_to(y, now.shape)
    seen = now.astype(np.float32)
    warp = warp.copy()
    for _ in range(turns):
        there = laid(then, warp).astype(np.float32)
        slopes = cv2.Sobel(there, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(there, cv2.CV_32F, 0, 1, scale=0.125)
        inside = shared(warp, now.shape) > 0
        if np.count_nonzero(inside) < 0.3 * inside.size:
            break
        gain = float(np.median(seen[inside] / (there[inside] + 1.0)))
        difference = seen - gain * there
        spread = 1.5 * float(np.median(np.abs(difference[inside]))) + 0.5
        keep = inside & (np.abs(difference) < _OUTLIER * spread)
        sx, sy, at_x, at_y = slopes[0][keep], slopes[1][keep], across[0][keep], across[1][keep]
        rows = np.stack([sx, sy, sx * at_x + sy * at_y, sy * at_x - sx * at_y])
        dx, dy, grown, turned = np.linalg.solve(rows @ rows.T + 1e-2 * np.eye(4), rows @ difference[keep])
        step = np.array([[grown, -turned], [turned, grown]]) / width
        warp[:, :2] += step
        warp[:, 2] += (dx, dy) - step @ (width / 2, height / 2)
    return warp


def _shifted(way: Shift) -> Warp:
    return np.array([[1.0, 0.0, -way[0]], [0.0, 1.0, -way[1]]])


def _halved(view: Grey) -> Grey:
    size = (view.shape[1] // 2, view.shape[0] // 2)
    return cv2.resize(view, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
