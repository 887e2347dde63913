"""How exactly a camera that was learned from dice knows what size they have elsewhere."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.dice_set import UNKNOWN
from vision.geometry import Camera, size_of
from vision.sampling import Floats

_STEP = 1e-4


def vague(camera: Camera, covariance: Sequence[float], xy: Floats) -> Floats:
    """(n,) by how much (standard deviation, natural logarithm) dice at `xy` (n, 2), pixels, may seem larger or smaller
    than `camera` has them. `covariance`: (16,) of the `UNKNOWN`, row by row; empty when nothing is known of it."""
    if not len(covariance):
        return np.zeros(len(xy))
    way = slope(camera, xy)
    square = np.einsum("ni,ij,nj->n", way, np.reshape(covariance, (UNKNOWN, UNKNOWN)), way)
    return np.asarray(np.sqrt(np.maximum(square, 0)))


def slope(camera: Camera, xy: Floats) -> Floats:
    """(n, 4) how the natural logarithm of a die's size there changes with each of the `UNKNOWN`."""

    def size(of: Camera) -> Floats:
        return np.log(size_of(of.scale(xy)))

    changed = (
        replace(camera, tilt_x=camera.tilt_x + _STEP),
        replace(camera, tilt_y=camera.tilt_y + _STEP),
        replace(camera, bend=camera.bend + _STEP),
    )
    usual = size(camera)
    return np.stack([*((size(one) - usual) / _STEP for one in changed), np.ones(len(xy))], axis=1)
