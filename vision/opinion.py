"""A second opinion on each face: a small network looks at the die and at what is around it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import likeness, rim
from vision.cube import Cubes
from vision.errors import VisionError
from vision.faces import Faces
from vision.frame import Image
from vision.profile import Profile
from vision.sampling import Floats

SIDE = 48  # pixels of a patch
EDGES = 1.9  # edges of the die that a patch shows, so that its sides, its shadow and its neighbours are in it
LABELS = 8  # 0: no top face; 1-6: flat, of that value; 7: a die that leans, lies on another or is half hidden
_ASKEW = 7
# Each sample of a patch is a mean of this many, squared, or the pips of large dice would flicker.
_FINER = 2
_AT_ONCE = 16  # patches; what the network needs for more would not stay in a small Pi's memory and cache
# What the patch of the expected cubes holds: floor, other dice, the die's own sides, its top face.
CUBE = np.array([0.0, -0.5, 0.5, 1.0], np.float32)
CHANGE = 60  # a colour difference to the empty tray that counts as whole, 0-255
Patches = NDArray[np.float32]  # (n, 5, SIDE, SIDE): see `patches`


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What the network says of each face: `share` (n, 8) float32, probabilities of the `LABELS`, rows add up to 1."""

    share: NDArray[np.float32]

    @property
    def value(self) -> NDArray[np.int64]:
        """(n,) 1-6, the likeliest value if it lies flat."""
        return np.asarray(1 + self.share[:, 1:_ASKEW].argmax(1))

    @property
    def flat(self) -> Floats:
        """(n,) that it lies flat and shows `value`."""
        return np.asarray(self.share[:, 1:_ASKEW].max(1))

    @property
    def nothing(self) -> Floats:
        """(n,) that no die's top face is here."""
        return self.share[:, 0]


class Network:
    """Owned by one thread, for OpenCV keeps the last patches in it."""

    def __init__(self, weights: bytes, rim_weights: bytes) -> None:
        """ONNX models from `training`: of whole patches, and of what shows along the rims of the faces. Raises
        `VisionError` when one is none."""
        try:
            self._net, self._rim = (
                cv2.dnn.readNetFromONNX(np.frombuffer(one, np.uint8)) for one in (weights, rim_weights)
            )
        except cv2.error:
            raise VisionError(
                "The weights of the second opinion cannot be used by this OpenCV: install Stickman again."
            ) from None

    def opinion(self, seen: Patches) -> Opinion:
        if not len(seen):
            return Opinion(np.zeros((0, LABELS), np.float32))
        parts = []
        for start in range(0, len(seen), _AT_ONCE):
            self._net.setInput(seen[start : start + _AT_ONCE])
            parts.append(np.array(self._net.forward(), np.float32))
        return Opinion(np.concatenate(parts))

    def leans(self, seen: Patches) -> Floats:
        """(n,) natural logarithm of how much likelier each die lies askew than flat for what shows along its rim."""
        if not len(seen):
            return np.zeros(0)
        self._rim.setInput(rim.strips(seen))
        return rim.leans(np.array(self._rim.forward(), np.float64))


def patches(image: Image, cubes: Cubes, found: Faces, profile: Profile, others: Cubes | None = None) -> Patches:
    """What the network looks at, for each of the dice `cubes`, whose faces were `found`. `others`: the dice that
    lie around each of them; None when these are `cubes` themselves.

    Of each pixel: how far it is from the body's colour to the pips' (0 to 1 on a die, whatever its colours and light);
    how far aside of that way; how die-like its colour is in this tray (-1 to 1); how much it differs from the empty
    tray (0 to 1); what stands there if all dice are flat (`CUBE`).
    """
    n = len(found)
    out = np.zeros((n, 5, SIDE, SIDE), np.float32)
    if not n:
        return out
    axes = axes_of(cubes.top)
    seen = windows(image, axes)
    out[:, 0], out[:, 1] = coloured(seen, found.body, found.pip)
    if profile.likeness is not None:
        stacked = likeness.of(seen.reshape(-1, SIDE, 3), profile.likeness)
        out[:, 2] = stacked.reshape(n, SIDE, SIDE) / np.float32(127.5) - 1
    if profile.empty is not None:
        before = windows(profile.empty, axes)
        blue, green, red = cv2.split(cv2.absdiff(seen.reshape(-1, SIDE, 3), before.reshape(-1, SIDE, 3)))
        change = cv2.max(cv2.max(blue, green), red).reshape(n, SIDE, SIDE)
        out[:, 3] = np.minimum(change, CHANGE) / np.float32(CHANGE)
    for k in range(n):
        hulls = _beside(axes[k], cubes if others is None else others, k if others is None else -1)
        out[k, 4] = CUBE[_drawn(axes[k], [*hulls, cubes.hulls[k], cubes.top[k]], SIDE, EDGES)]
    return out


def patches_alone(image: Image, found: Faces) -> Patches:
    """As `patches`, where neither tray nor camera are known: of what is not known there is 0."""
    out = np.zeros((len(found), 5, SIDE, SIDE), np.float32)
    if len(found):
        unit = found.frame / found.offset[:, None, None] * found.half[:, None, None]
        axes = np.concatenate([unit, found.xy[:, :, None]], axis=2)
        out[:, 0], out[:, 1] = coloured(windows(image, axes), found.body, found.pip)
    return out


def axes_of(top: Floats) -> Floats:
    """(n, 2, 3): half of a face's edges along x and y, in pixels, and its middle."""
    along = (top[:, 1] - top[:, 0] + top[:, 2] - top[:, 3]) / 4
    across = (top[:, 3] - top[:, 0] + top[:, 2] - top[:, 1]) / 4
    return np.stack([along, across, top.mean(1)], axis=2)


def windows(image: Image, axes: Floats, side: int = SIDE, edges: float = EDGES) -> Image:
    """uint8 (n, side, side, 3) BGR, each turned and scaled so that the face is upright and in the middle.

    `axes`: see `axes_of`. `edges`: how many of the face's edges a window shows.
    """
    fine = side * _FINER
    step = 2 * edges / fine
    # From a pixel of the window to half edges from its middle, pixel centres at whole numbers.
    start = -edges + step / 2
    out = np.empty((len(axes), side, side, 3), np.uint8)
    for k, axis in enumerate(axes):
        middle = axis[:, 2] + axis[:, :2] @ (start, start)
        way = np.column_stack([axis[:, :2] * step, middle])
        window = cv2.warpAffine(
            image, way, (fine, fine), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        out[k] = cv2.resize(window, (side, side), interpolation=cv2.INTER_AREA)
    return out


def coloured(seen: Image, body: Floats, pip: Floats) -> tuple[Floats, Floats]:
    """Each (n, h, w): how far along the way from the body's colour to the pips', and how far aside of it."""
    n, h, w = seen.shape[:3]
    way = (pip - body).astype(np.float32)
    square = np.maximum((way**2).sum(1), 1)[:, None]
    apart = seen.reshape(n, -1, 3) - body.astype(np.float32)[:, None]
    along = (apart @ way[:, :, None])[:, :, 0] / square
    far = np.einsum("nmc,nmc->nm", apart, apart)
    aside = np.sqrt(np.maximum(far / square - along * along, 0))
    return np.clip(along, -1, 2).reshape(n, h, w), np.minimum(aside, 2).reshape(n, h, w)


def expected(k: int, cubes: Cubes, side: int = SIDE, edges: float = EDGES) -> NDArray[np.uint8]:
    """uint8 (side, side): which part of `CUBE` each pixel of die `k`'s patch is."""
    axis = axes_of(cubes.top[k : k + 1])[0]
    return _drawn(axis, [*_beside(axis, cubes, k), cubes.hulls[k], cubes.top[k]], side, edges)


def _beside(axis: Floats, cubes: Cubes, own: int) -> list[Floats]:
    """Outlines of all dice but `own` that may be in the window of the one with this axis (2, 3)."""
    reach = 6 * np.hypot(axis[0, 0], axis[1, 0])
    near = np.abs(cubes.middle - axis[:, 2]).max(1) < reach
    return [cubes.hulls[j] for j in np.nonzero(near)[0] if j != own]


def _drawn(axis: Floats, shapes: list[Floats], side: int, edges: float) -> NDArray[np.uint8]:
    """The last of the convex `shapes`, corners in pixels, is a top face, the one before its die, the others are beside
    it."""
    mask: NDArray[np.uint8] = np.zeros((side, side), np.uint8)
    (a, b), (c, d) = axis[:, :2] * (2 * edges / side)
    back = np.array([(d, -c), (-b, a)]) / (a * d - b * c)
    corners = (np.concatenate(shapes) - axis[:, 2]) @ back + (side - 1) / 2
    fixed, start = np.round(corners * 16).astype(np.int32), 0
    for k, shape in enumerate(shapes):
        part = max(1, k - len(shapes) + 4)
        cv2.fillConvexPoly(mask, fixed[start : start + len(shape)], (part,), cv2.LINE_8, 4)
        start += len(shape)
    return mask
