"""Where in the picture something lies: parts that differ from the empty tray."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.polygon import Box
from vision.profile import SHRINK, Profile, shrunk

CHANGED = 22  # difference that is more than noise, 0-255
# Share of the tray, and of the whole picture where the tray is not known; twelve dice and their shadows change at most
# 0.07 of 480 rendered pictures.
_STRANGE, _STRANGE_ANYWHERE = 0.4, 0.25


def difference(image: Image, empty: Image) -> NDArray[np.uint8]:
    """Where the picture differs from the empty tray: largest channel difference, 0-255.

    `empty`: at a quarter of the picture's size, see `Profile.empty_quarter`; so is the answer.
    """
    return farthest(shrunk(image), empty)


def farthest(one: Image, other: Image) -> NDArray[np.uint8]:
    """(h, w) largest channel difference, 0-255."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def strange(changed: NDArray[np.uint8] | None, tray: NDArray[np.bool_] | None = None) -> bool:
    """Whether so much differs from the empty tray that it is another picture: the lamp is off, the camera was turned,
    or the floor is another one. `tray`: where it is, see `Profile.tray_quarter`; None looks everywhere."""
    if changed is None:
        return False
    if tray is None or not tray.any() or tray.all():
        return bool((changed > CHANGED).mean() > _STRANGE_ANYWHERE)
    return bool((changed[tray] > CHANGED).mean() > _STRANGE)


def boxes(changed: NDArray[np.uint8] | None, image: Image, profile: Profile) -> tuple[Box, ...]:
    """Parts of the picture worth looking at, not overlapping."""
    h, w = image.shape[:2]
    size = float(profile.looks.edge_px.max())
    if changed is None:
        if profile.tray is None:
            return ((0, 0, w, h),)
        around = [p for p in (profile.tray, profile.rail) if p is not None]
        corners = np.concatenate([np.array(p) for p in around])
        low, high = corners.min(0) - size / 2, corners.max(0) + size / 2
        return (_clipped(low[0], low[1], high[0], high[1], w, h),)
    reach = max(1, round(0.12 * size / SHRINK))
    mask = cv2.dilate((changed > CHANGED).astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    least = 0.05 * (size / SHRINK) ** 2
    out = []
    for x, y, dx, dy, area in stats[1:count]:
        if area > least:
            out.append(_clipped(SHRINK * x - 4, SHRINK * y - 4, SHRINK * (x + dx) + 4, SHRINK * (y + dy) + 4, w, h))
    return tuple(_merged(out))


def _clipped(x0: float, y0: float, x1: float, y1: float, w: int, h: int) -> Box:
    return max(0, int(x0)), max(0, int(y0)), min(w, int(np.ceil(x1))), min(h, int(np.ceil(y1)))


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap become one, until none do."""
    out: list[Box] = []
    for box in boxes:
        while True:
            hit = next((b for b in out if b[0] < box[2] and box[0] < b[2] and b[1] < box[3] and box[1] < b[3]), None)
            if hit is None:
                break
            out.remove(hit)
            box = (min(hit[0], box[0]), min(hit[1], box[1]), max(hit[2], box[2]), max(hit[3], box[3]))
        out.append(box)
    return out
