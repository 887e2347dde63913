"""The light over the simulated tray: one lamp beside it, and a room that shines softly from all around."""

import numpy as np
from numpy.typing import NDArray

from firmware.drivers.simulated import box

Floats = NDArray[np.float32]

LAMP = np.array([-440.0, 360.0, 670.0], np.float32)
_LAMP_AT_CENTRE = float(np.linalg.norm(LAMP))
LAMP_COLOUR = np.array([0.59, 0.64, 0.67], np.float32)  # BGR: a warm white
ROOM_COLOUR = np.array([0.43, 0.41, 0.40], np.float32)  # BGR: a cooler one


def lamp_on(points: Floats, normals: Floats) -> Floats:
    """How strongly the lamp lights each point: 1 at the floor's middle facing the lamp. Shapes (..., 3) -> (...)."""
    to_lamp = LAMP - points
    distance = np.sqrt(np.einsum("...i,...i->...", to_lamp, to_lamp))
    facing = np.einsum("...i,...i->...", to_lamp, normals) / distance
    return np.asarray(np.maximum(facing, 0) * (_LAMP_AT_CENTRE / distance) ** 2, np.float32)


def lamp_reaching(place: NDArray[np.float64]) -> float:
    """How bright the lamp is at a place, against the floor's middle."""
    return float((_LAMP_AT_CENTRE / np.linalg.norm(LAMP - place)) ** 2)


def vignette(x: Floats | float, y: Floats | float) -> Floats:
    """How much light the lens lets through at a pixel: 1 in the middle, 0.8 in the corners."""
    dx, dy = (np.asarray(x) - box.WIDTH / 2) / 800, (np.asarray(y) - box.HEIGHT / 2) / 800
    return np.asarray(1 - 0.2 * (dx * dx + dy * dy), np.float32)


def shadow_of(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the lamp throws the shadow of each point (n, 3) on the floor: (n, 3), z = 0."""
    lamp = LAMP.astype(np.float64)
    t = lamp[2] / (lamp[2] - points[:, 2:])
    return np.asarray(lamp + (points - lamp) * t, np.float64)
