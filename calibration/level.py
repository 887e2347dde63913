"""How the camera looks at dice without pips: flat faces that show the same differ by a turn and a place alone."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Camera
from vision.sampling import Floats

# Of 350 rendered faces two of three are found to this share of their size, along and across, and all but one in a
# hundred to four times as much.
_NOISE = 0.006
# What outlines tell of the camera's tilt and of a picture's shape is off by so much ...
_TILT, _SHAPE = 0.025, 0.2
# ... and lenses bend lines by so much.
_BEND = 0.03
_LENS = 3  # tilt x, tilt y, bend; then the shape of each picture


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Faces that were found by their pictures. `xy`: (n, 2) pixels. `axes`: (n, 2, 2) half edges of each picture as it
    lies there, pixels. `which`: (n,) index of the picture."""

    xy: Floats
    axes: Floats
    which: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Levelled:
    """`shapes`: (m, 2, 2) what each picture is, in half edges of a level face: symmetric, one for a picture that was
    cut as it should. `doubt`: how much (standard deviation, natural logarithm) faces may seem larger or smaller over
    the picture than the camera makes of them."""

    camera: Camera
    shapes: Floats
    doubt: float


def levelled(camera: Camera, edge_mm: float, seen: Faces, pictures: int) -> Levelled:
    """The tilt and bend that make all faces level, with what that says of the shape of each of so many `pictures`.

    The height stays: how large dice are is not told by what is on them.
    """
    start = np.concatenate([[camera.tilt_x, camera.tilt_y, camera.bend], np.zeros(3 * pictures)])
    a = start
    for _ in range(8):
        off, slope = _residue(camera, edge_mm, seen, a, start), _slopes(camera, edge_mm, seen, a, start)
        # Faces that stay off by more than the noise, in a gleam or not flat at all, count less and less.
        weight = 1 / (1 + (off / 3) ** 2)
        move = np.linalg.lstsq(slope * weight[:, None], -off * weight, rcond=None)[0]
        a = a + np.clip(move, -0.1, 0.1)
        a[:2] = np.clip(a[:2], -0.45, 0.45)
        if np.abs(move).max() < 1e-5:
            break
    spread = np.linalg.inv(slope.T @ slope)
    return Levelled(_at(camera, a), _shapes(a), _doubt(camera, edge_mm, a, spread))


def _at(camera: Camera, a: Floats) -> Camera:
    return replace(camera, tilt_x=float(a[0]), tilt_y=float(a[1]), bend=float(a[2]))


def _shapes(a: Floats) -> Floats:
    x, y, lean = a[_LENS:].reshape(-1, 3).T
    return np.stack([np.stack([1 + x, lean], -1), np.stack([lean, 1 + y], -1)], -2)


def _residue(camera: Camera, edge_mm: float, seen: Faces, a: Floats, start: Floats) -> Floats:
    """How far each face is from a level one with its picture, in units of the noise, and what was known before."""
    level = _at(camera, a).scale(seen.xy, edge_mm) * edge_mm / 2
    way = np.linalg.solve(level, seen.axes) @ np.linalg.inv(_shapes(a))[seen.which]
    # Nothing but a turn is left of a level one.
    off = (way.transpose(0, 2, 1) @ way - np.eye(2)) / 2
    found = np.stack([off[:, 0, 0], off[:, 1, 1], np.sqrt(2) * off[:, 0, 1]], 1) / _NOISE
    usual = np.concatenate([[_TILT, _TILT, _BEND], np.full(len(a) - _LENS, _SHAPE)])
    return np.concatenate([found.ravel(), (a - start) / usual])


def _slopes(camera: Camera, edge_mm: float, seen: Faces, a: Floats, start: Floats) -> Floats:
    step, here = 1e-4 * np.eye(len(a)), _residue(camera, edge_mm, seen, a, start)
    return np.stack([(_residue(camera, edge_mm, seen, a + one, start) - here) / 1e-4 for one in step], 1)


def _doubt(camera: Camera, edge_mm: float, a: Floats, spread: Floats) -> float:
    places = np.stack(np.meshgrid(2 * camera.cx * _SIXTHS, 2 * camera.cy * _SIXTHS), -1).reshape(-1, 2)

    def size(tried: Floats) -> Floats:
        return np.asarray(np.log(np.abs(np.linalg.det(_at(camera, tried).scale(places, edge_mm)))) / 2)

    here = size(a)
    larger = np.stack([(size(a + one) - here) / 1e-4 for one in 1e-4 * np.eye(len(a))[:_LENS]], 1)
    larger = larger - larger.mean(0)
    return float(np.sqrt(np.einsum("pi,ij,pj->p", larger, spread[:_LENS, :_LENS], larger).mean()))


_SIXTHS = np.array([1, 3, 5]) / 6  # of the picture's width and height
