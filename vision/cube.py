"""The outline in the picture of a die that lies flat: its top face, and what its sides add."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import Faces
from vision.geometry import turned
from vision.profile import Profile
from vision.sampling import Floats

_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2


def flat(found: Faces, profile: Profile) -> tuple[Floats, Floats]:
    """Corners (n, 4, 2) in pixels of the top face and of the foot of each die, were it flat on the floor."""
    top, foot = np.zeros((len(found), 4, 2)), np.zeros((len(found), 4, 2))
    for k, kind in enumerate(profile.kinds):
        rows = found.kind == k
        if not rows.any():
            continue
        corners = square_mm(found.pick(rows), profile, kind.edge_mm)
        top[rows] = profile.camera.pixels(corners, kind.edge_mm)
        foot[rows] = profile.camera.pixels(corners, 0.0)
    return top, foot


def square_mm(found: Faces, profile: Profile, edge_mm: float) -> Floats:
    """Corners (n, 4, 2) in millimetres of faces that lie `edge_mm` above the floor."""
    mm = profile.camera.table(found.xy.astype(np.float64), edge_mm)
    axis = np.linalg.solve(profile.camera.scale(found.xy.astype(np.float64), edge_mm), found.frame)[..., 0]
    turn = turned(np.arctan2(axis[:, 1], axis[:, 0]))
    return np.asarray(_CORNERS * edge_mm @ turn.transpose(0, 2, 1) + mm[:, None])


def outline(top: Floats, foot: Floats) -> Floats:
    """Corners (m, 2) of what is seen of a die: the hull of its top face and foot."""
    return np.asarray(cv2.convexHull(np.concatenate([top, foot]).astype(np.float32)))[:, 0].astype(np.float64)


def filled(height: int, width: int, corners: Floats) -> NDArray[np.uint8]:
    """uint8 (height, width), 1 inside the convex `corners` (m, 2)."""
    mask: NDArray[np.uint8] = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), (1,), cv2.LINE_8, 4)
    return mask


def covered(height: int, width: int, found: Faces, profile: Profile) -> NDArray[np.uint8]:
    """uint8 (height, width), 1 where flat dice stand."""
    mask: NDArray[np.uint8] = np.zeros((height, width), np.uint8)
    for one, two in zip(*flat(found, profile), strict=True):
        mask |= filled(height, width, outline(one, two))
    return mask
