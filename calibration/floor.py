"""The tray without its dice, seen straight from above, and how strongly its colours change along lines."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.profile import Profile
from vision.sampling import Floats

# Cells to the edge of a die: fine enough for a ridge a quarter of a die wide, coarse enough to be quick.
CELLS = 20
# Widest view that is worked on, in cells; a picture of very small dice is looked at more coarsely.
_WIDEST = 640
Plane = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """`cells`: float32 (h, w, 4): CIE L, a, b with a and b weighted up, and 1 where the picture shows the cell, else 0.
    `origin_mm`: table place of the first cell's middle. `step_mm`: from one cell to the next."""

    cells: Plane
    origin_mm: Floats
    step_mm: float

    def of_table(self, mm: Floats) -> Floats:
        return np.asarray((mm - self.origin_mm) / self.step_mm)

    def to_table(self, cell: Floats) -> Floats:
        return np.asarray(cell * self.step_mm + self.origin_mm)


# Shadows change lightness most, materials change colour as well: so colour counts for more.
_COLOUR = 1.5


def above(image: Image, profile: Profile) -> View:
    """`image` has the profile's size."""
    height, width = image.shape[:2]
    rim = [(x, y) for x in (0, (width - 1) / 2, width - 1) for y in (0, (height - 1) / 2, height - 1)]
    mm = profile.camera.table(np.array(rim, np.float64))
    low, high = mm.min(0), mm.max(0)
    step = max(max(k.edge_mm for k in profile.kinds) / CELLS, float((high - low).max()) / _WIDEST)
    across, down = (int(n) for n in np.ceil((high - low) / step) + 1)
    cells = np.stack(np.meshgrid(np.arange(across), np.arange(down)), axis=-1)
    x, y = np.moveaxis(profile.camera.pixels(cells * step + low).astype(np.float32), -1, 0)
    shrink = float(np.sqrt(width * height / (across * down)))
    smooth = cv2.GaussianBlur(image, (0, 0), max(0.3, 0.4 * shrink))
    flat = cv2.remap(smooth, x, y, cv2.INTER_LINEAR).astype(np.float32) / 255
    lab = cv2.cvtColor(flat, cv2.COLOR_BGR2Lab) * np.array([1, _COLOUR, _COLOUR], np.float32)
    seen = cv2.remap(np.ones((height, width), np.float32), x, y, cv2.INTER_LINEAR)
    return View(np.dstack([lab, seen]).astype(np.float32), low, step)


def bare(dice: Sequence[Image], places: Sequence[Floats], profile: Profile) -> View:
    """The tray without dice, put together from pictures with dice in different places. What is under a die in all of
    them is filled in from around it."""
    views = [above(image, profile) for image in dice]
    stack = np.stack([view.cells for view in views])
    reach = round(1.2 * CELLS)  # the die, its sides and its darkest shadow
    for cells, xy in zip(stack, places, strict=True):
        for x, y in views[0].of_table(profile.camera.table(xy.astype(np.float64), profile.kinds[0].edge_mm)):
            cv2.circle(cells, (round(float(x)), round(float(y))), reach, (np.nan,) * 4, -1)
    covered = np.isnan(stack[..., 0]).all(0)
    stack[:, covered] = 0
    cells = np.asarray(np.nanmedian(stack, axis=0), np.float32)
    weight = cv2.GaussianBlur(np.asarray(~covered, np.float32), (0, 0), reach / 2)
    around = cv2.GaussianBlur(cells, (0, 0), reach / 2) / np.maximum(weight, 1e-3)[..., None]
    cells[covered] = np.asarray(around, np.float32)[covered]
    return View(cells, views[0].origin_mm, views[0].step_mm)


def changes(rows: Plane) -> Plane:
    """(n, w) how much the colour changes at each place of each row, Lab units; nan where the picture does not reach.
    `rows`: (n, w, 4) cells."""
    reach = np.arange(-4, 5)
    kernel = (-reach * np.exp(-(reach**2) / (2 * _SHARP**2))).astype(np.float32)
    kernel /= np.abs(kernel).sum() / 2
    turn = cv2.filter2D(np.ascontiguousarray(rows[..., :3]), -1, kernel[None])
    size = np.linalg.norm(turn, axis=-1).astype(np.float32)
    size = np.asarray(cv2.dilate(size, np.ones((1, 3), np.uint8)), np.float32)
    unseen = cv2.dilate((rows[..., 3] < 0.9).astype(np.uint8), np.ones((1, 9), np.uint8)) > 0
    size[unseen] = np.nan
    return size


_SHARP = 1.2  # cells; walls meet the floor in a sharp line, most shadows do not


def steady(size: Plane, share: float = 0.25) -> Floats:
    """(w,) change that all rows but the weakest `share` of them reach, 0 where less than half of them are in view."""
    n = np.isfinite(size).sum(0)
    ordered = np.sort(np.where(np.isfinite(size), size, -1), axis=0)
    rows = len(size)
    which = np.minimum(rows - 1, rows - n + (n * share).astype(int))
    out = ordered[which, np.arange(size.shape[1])]
    return np.asarray(np.where(n >= rows / 2, out, 0), np.float64)
