"""The simulated camera's lens: a pinhole above the tray, a little askew as a clamped camera is."""

import math

import numpy as np
from numpy.typing import NDArray

from firmware.drivers.simulated import box

Points = NDArray[np.float64]

FOCAL_PX = 1150.0
EYE = np.array([6.0, -14.0, 370.0])  # a gooseneck's height above the floor
_TILT, _ROLL, _YAW = math.radians(-1.9), math.radians(0.8), math.radians(0.9)


def _world_to_camera() -> Points:
    """Camera axes: x right and y down in the picture, z away from the lens."""
    looks_down = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
    cx, sx, cy, sy, cz, sz = (f(a) for a in (_TILT, _ROLL, _YAW) for f in (math.cos, math.sin))
    tilt = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    roll = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    yaw = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.asarray(yaw @ roll @ tilt @ looks_down, np.float64)


TURN = _world_to_camera()
_K = np.array([[FOCAL_PX, 0, (box.WIDTH - 1) / 2], [0, FOCAL_PX, (box.HEIGHT - 1) / 2], [0, 0, 1]])
_PROJECT = _K @ TURN
_RAY = TURN.T @ np.linalg.inv(_K)


def project(points: Points) -> Points:
    """World points (n, 3) to pixels (n, 2), pixel centres at whole numbers."""
    p = (points - EYE) @ _PROJECT.T
    return np.asarray(p[:, :2] / p[:, 2:], np.float64)


def rays() -> Points:
    """3x3: its product with (x, y, 1) of a pixel is the direction, in the world, that the pixel looks along."""
    return _RAY


def plane(origin: Points, along: Points, across: Points) -> Points:
    """3x3 homography from (u, v, 1) on the plane `origin + u along + v across` to pixels."""
    return np.asarray(_PROJECT @ np.stack([along, across, origin - EYE], axis=1), np.float64)
