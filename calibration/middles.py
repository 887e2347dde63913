"""Where the middle of a face lies in its picture: the outlines of all dice that show it tell, however they turn."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration import squares
from calibration.squares import Squares
from vision.frame import Image
from vision.geometry import Camera, angle_of, turned
from vision.sampling import Floats

# Half edges: rendered outlines lie beside their dice by so much, alike on dice that lie alike in the light or towards
# the camera, and besides by so much, each by chance; and a picture was cut so far from its face's middle.
_ALIKE, _CHANCE, _CUT = 0.06, 0.03, 0.08
_SHOWS = 0.3  # of an outline, to be believed


def of(
    images: Sequence[Image],
    empty: Image,
    found: Sequence[tuple[Floats, Floats, NDArray[np.int64]]],
    camera: Camera,
    edge_mm: float,
    pictures: int,
) -> tuple[Floats, Floats]:
    """Middles (pictures, 2), in half edges of each picture, and turns (pictures,), radians.

    `found`: of each image the faces' middles (n, 2) and half edges (n, 2, 2), as their pictures lie, and which (n,)
    picture each shows."""
    odd = [squares.strange(image, empty) for image in images]
    seen = [_level(xy, axes, camera, edge_mm) for xy, axes, _ in found]
    round_ = squares.roundness(odd, seen, camera, edge_mm)
    odd = squares.topped(images, odd, seen, camera, edge_mm)
    outlined = [squares.refined(o, one, camera, edge_mm, round_) for o, one in zip(odd, seen, strict=True)]
    before, after = (_all(each) for each in (seen, outlined))
    which = np.concatenate([each for _, _, each in found])
    shows = after.shown > _SHOWS
    back = turned(-before.turn)
    off = (back @ (after.mm - before.mm)[..., None])[..., 0] * 2 / edge_mm
    towards = before.mm / np.hypot(*np.abs(before.mm).max(0))
    alike = np.concatenate([back, (back @ towards[..., None])], 2)
    turns = np.zeros(pictures)
    for j in range(pictures):
        own = (after.turn - before.turn)[(which == j) & shows]
        turns[j] = float(np.median(own)) if len(own) else 0.0
    return _parted(off[shows], alike[shows], which[shows], pictures), turns


def _level(xy: Floats, axes: Floats, camera: Camera, edge_mm: float) -> Squares:
    turn = angle_of(np.linalg.solve(camera.scale(xy, edge_mm), axes))
    return Squares(camera.table(xy, edge_mm), turn, np.zeros(len(xy)))


def _all(parts: Sequence[Squares]) -> Squares:
    out = parts[0]
    for one in parts[1:]:
        out = squares.joined(out, one)
    return out


def _parted(off: Floats, alike: Floats, which: NDArray[np.int64], pictures: int) -> Floats:
    """What each picture's middle is of `off` (n, 2), when the rest is what all dice share, `alike` (n, 2, 3) of it."""
    n = len(off)
    matrix = np.zeros((n, 2, 2 * pictures + 3))
    for axis in range(2):
        matrix[np.arange(n), axis, 2 * which + axis] = 1
    matrix[:, :, -3:] = alike
    usual = np.concatenate([np.full(2 * pictures, _CUT), np.full(3, _ALIKE)])
    out, weight = np.zeros(2 * pictures + 3), np.full(n, 1 / _CHANCE)
    for _ in range(5):
        rows = np.concatenate([(matrix * weight[:, None, None]).reshape(2 * n, -1), np.diag(1 / usual)])
        out = np.linalg.lstsq(rows, np.concatenate([(off * weight[:, None]).ravel(), 0 * usual]), rcond=None)[0]
        left = np.hypot(*(off - matrix @ out).T) / _CHANCE
        # One that strays, beside a neighbour or in a shadow, counts less and less.
        weight = 1 / (1 + (left / 3) ** 2) / _CHANCE
    return np.asarray(out[: 2 * pictures].reshape(-1, 2))
