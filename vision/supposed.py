"""Flat dice supposed at places in the picture, in poses and with the colours that they may have there."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from vision import faces
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import size_of, turned
from vision.lattice import BARE
from vision.profile import Profile
from vision.sampling import Floats, middle

_KINDS = 2  # of a mixed set those that are tried, with a gleam and without
_GLEAM = 0.15  # how far from their own colours to a lamp's white dice are that gleam
_GRID = np.stack(np.meshgrid(*[np.linspace(-1, 1, 9)] * 2), -1).reshape(-1, 2)
_WHITE = 245  # in all channels
_REACH = 0.3  # edges around the middle that are looked at
Pose = tuple[float, float, float]  # edges right, edges down and degrees, from where a die is supposed
_DARKEST, _BRIGHTEST = 0.3, 2.0  # light, as a share of that in which the dice were learned


@dataclass(frozen=True, slots=True, eq=False)
class Supposed:
    """Dice, one a row. `xy`: (n, 2) pixels, the middles of their top faces. `turn`: (n,) radians. `kind`: (n,) index.
    `gleams`: (n,) whether a lamp is mirrored in them."""

    xy: Floats
    turn: Floats
    kind: NDArray[np.int64]
    gleams: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.turn)

    def pick(self, which: NDArray[np.int64]) -> "Supposed":
        return Supposed(*(getattr(self, field.name)[which] for field in fields(Supposed)))

    def varied(self, poses: Sequence[Pose], profile: Profile) -> "Supposed":
        """Each moved and turned by each of the poses."""
        way = np.array(poses, np.float64)
        each = np.repeat(np.arange(len(self)), len(way))
        edge = profile.looks.edge_mm[self.kind]
        step = profile.camera.scale(self.xy, edge) * edge[:, None, None]
        xy = (self.xy[:, None] + way[:, :2] @ step.transpose(0, 2, 1)).reshape(-1, 2)
        turn = np.tile(np.deg2rad(way[:, 2]), len(self))
        return Supposed(xy, self.turn[each] + turn, self.kind[each], self.gleams[each])

    def faces(self, image: Image, profile: Profile) -> Faces:
        """As faces, whose values are still to be told."""
        n, kinds = len(self), [profile.kinds[k] for k in self.kind]
        edge, offset = np.array([k.edge_mm for k in kinds]), np.array([k.offset for k in kinds])
        frame = profile.camera.scale(self.xy, edge) @ turned(self.turn) * (offset * edge)[:, None, None]
        radius = size_of(frame) * np.array([k.radius for k in kinds]) / offset
        body = middle(faces.looks(image, self.xy, frame, BARE, 0.25 * radius))
        own, pip = np.array([k.body for k in kinds]), np.array([k.pip for k in kinds])
        light = np.clip(body.sum(1) / np.maximum(1.0, own.sum(1)), _DARKEST, _BRIGHTEST)[:, None]
        # A lamp is not mirrored in a hollow as it is in the face around it.
        pip = np.where(self.gleams[:, None], pip, np.clip(body + light * (pip - own), 0, 255))
        one, whole = np.ones(n), np.ones(n, np.int64)
        return Faces(
            xy=self.xy,
            frame=frame,
            value=whole,
            radius=radius,
            body=body,
            pip=pip,
            misfit=0 * one,
            margin=one,
            rival=0 * whole,
            uneven=0 * one,
            strays=0 * one,
            score=one,
            half=size_of(frame) / offset / 2,
            sides=np.zeros((n, 4)),
            backed=0 * one,
            upright=0 * one,
            kind=self.kind,
        )


def join(parts: list[Supposed]) -> Supposed:
    return Supposed(*(np.concatenate([getattr(p, field.name) for p in parts]) for field in fields(Supposed)))


def at(image: Image, place: Floats, profile: Profile) -> Supposed:
    """One of each kind whose body is most like what is seen at `place` (2,), be it darker or brighter, or gleaming."""
    off, gleaming, white = np.zeros((3, len(profile.kinds)))
    for k, kind in enumerate(profile.kinds):
        reach = _REACH * kind.edge_mm * float(size_of(profile.camera.scale(place, kind.edge_mm)))
        seen = faces.looks(image, place[None], np.eye(2)[None] * reach, _GRID, np.ones(1))[0]
        body = np.array(kind.body)
        light = np.clip(_along(seen, body), _DARKEST, _BRIGHTEST)[:, None]
        off[k] = np.median(np.linalg.norm(seen - light * body, axis=1))
        share = np.clip(_along(seen - body, 255 - body), 0, 1)[:, None]
        gleaming[k], white[k] = np.median(np.linalg.norm(seen - body - share * (255 - body), axis=1)), np.median(share)
    plain, bright = np.argsort(off)[:_KINDS], np.argsort(gleaming)[:_KINDS]
    # Where the pips are as white as a lamp both say the same.
    bright = bright[(white[bright] > _GLEAM) & (profile.looks.pip[bright].min(1) < _WHITE)]
    kind_ = np.concatenate([plain, bright])
    n = len(kind_)
    return Supposed(np.tile(place, (n, 1)), np.zeros(n), kind_, np.arange(n) >= len(plain))


def _along(seen: Floats, way: Floats) -> Floats:
    """(n,) how far each of these (n, 3) is along `way` (3,), as a share of it."""
    return np.asarray(seen @ way / max(1.0, float(way @ way)))
