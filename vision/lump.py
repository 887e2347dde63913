"""What is die-like beside the dice that were read: a side, a shadow, a thing, or a die that was not read."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import Faces
from vision.frame import Image
from vision.ground import shadow
from vision.polygon import Box
from vision.sampling import Floats


@dataclass(frozen=True, slots=True)
class Lump:
    """Something die-like that no flat die explains. `x`, `y`: pixels of the picture. `size`: area in squared edges.
    `die`: index of the die it belongs to, -1 when it stands alone. `at_rim`: it touches the picture's border.
    `touching`: it adjoins a die. `shadow`: the empty tray in a shadow has its colours."""

    x: float
    y: float
    size: float
    die: int
    at_rim: bool
    touching: bool
    shadow: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The `box` of a picture `now`, and of the empty tray, at `scale`. `unit`: pixels an edge has there. `border`: of
    the picture, pixels (right, lower)."""

    box: Box
    scale: float
    unit: float
    now: Image
    then: Image | None
    border: tuple[int, int]


def lumps_in(left: NDArray[np.bool_], near: NDArray[np.bool_], part: Part) -> list[Lump]:
    """Those larger than specks. `left`: what is die-like and on no die; `near`: on the dice and close to them."""
    if not left.any():
        return []
    mask = cv2.morphologyEx(left.astype(np.uint8), cv2.MORPH_OPEN, _SPECK)
    count, label, stats, centre = cv2.connectedComponentsWithStats(mask)
    touching = np.zeros(count, np.bool_)
    touching[label[near]] = True
    out, box = [], part.box
    for k in range(1, count):
        x, y, dx, dy, area = stats[k]
        if area > 0.03 * part.unit**2:
            cx, cy = (centre[k] + 0.5) / part.scale - 0.5 + box[:2]
            rim = (box[0] == 0 and x <= 1) or (box[1] == 0 and y <= 1)
            rim |= box[2] == part.border[0] and x + dx >= left.shape[1] - 1
            rim |= box[3] == part.border[1] and y + dy >= left.shape[0] - 1
            dark = part.then is not None and _is_shadow(part.now, part.then, label == k)
            out.append(Lump(float(cx), float(cy), float(area / part.unit**2), -1, bool(rim), bool(touching[k]), dark))
    return out


_SPECK = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))


def _is_shadow(now: Image, then: Image, where: NDArray[np.bool_]) -> bool:
    mean, before = (np.array(cv2.mean(one, where.astype(np.uint8))[:3])[None] for one in (now, then))
    return bool(shadow(mean, before)[0])


def owned(lump: Lump, found: Faces, edge_px: Floats) -> Lump:
    """Part of the nearest die, when it is small and near enough to be its side."""
    if not len(found) or not lump.touching:
        return lump
    far = np.hypot(found.xy[:, 0] - lump.x, found.xy[:, 1] - lump.y) / edge_px
    nearest = int(far.argmin())
    if far[nearest] < 1.1 and lump.size < 0.6:
        return replace(lump, die=nearest)
    return lump
