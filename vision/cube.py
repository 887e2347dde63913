"""The outline in the picture of a die that lies flat: its top face, and what its sides add."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import Faces
from vision.geometry import turned, within
from vision.profile import Profile
from vision.sampling import Floats

_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
NEXT = [1, 2, 3, 0]  # the corner after each, round a face


@dataclass(frozen=True, slots=True, eq=False)
class Cubes:
    """Dice that lie flat on the floor, in the picture. `top`, `foot`: (n, 4, 2) pixels, corners of each one's top face
    and foot. `middle`: (n, 2) of the top faces. `hulls`: for each the corners (m, 2) of what is seen of it, see
    `outline`."""

    top: Floats
    foot: Floats
    middle: Floats
    hulls: tuple[Floats, ...]

    def __len__(self) -> int:
        return len(self.hulls)

    def pick(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Cubes":
        rows = np.arange(len(self.hulls))[which]
        return Cubes(self.top[rows], self.foot[rows], self.middle[rows], tuple(self.hulls[k] for k in rows))


def flat(found: Faces, profile: Profile) -> Cubes:
    """The dice whose top faces these would be, were all of them flat on the floor."""
    edge_mm = profile.looks.edge_mm[found.kind]
    mm = profile.camera.table(found.xy.astype(np.float64), edge_mm)
    axis = within(profile.camera.scale(found.xy.astype(np.float64), edge_mm), found.frame[..., 0])
    turn = turned(np.arctan2(axis[:, 1], axis[:, 0])).transpose(0, 2, 1)
    corners = _CORNERS * edge_mm[:, None, None] @ turn + mm[:, None]
    return of(profile.camera.pixels(corners, edge_mm[:, None]), profile.camera.pixels(corners, 0.0))


def of(top: Floats, foot: Floats) -> Cubes:
    """Those with these corners, (n, 4, 2) pixels each."""
    return Cubes(top, foot, top.mean(1), tuple(outline(one, two) for one, two in zip(top, foot, strict=True)))


def outline(top: Floats, foot: Floats) -> Floats:
    """Corners (m, 2) of what is seen of a die: the hull of its top face and foot."""
    return np.asarray(cv2.convexHull(np.concatenate([top, foot]).astype(np.float32)))[:, 0].astype(np.float64)


def filled(height: int, width: int, *shapes: Floats) -> NDArray[np.uint8]:
    """uint8 (height, width), 1 inside any of the convex `shapes`, corners (m, 2)."""
    mask: NDArray[np.uint8] = np.zeros((height, width), np.uint8)
    for corners in shapes:
        cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), (1,), cv2.LINE_8, 4)
    return mask


def covered(height: int, width: int, found: Faces, profile: Profile) -> NDArray[np.uint8]:
    """uint8 (height, width), 1 where flat dice stand."""
    return filled(height, width, *flat(found, profile).hulls)
