"""Faces without pips: a logo, a numeral, a card. Each is known by a small picture, and found again in any turn.

Faces are compared ring by ring around their middle. What is the same all around a ring says nothing: there are gleams
and round edges. And what counts is where colours change together, not which they are, for a gleam washes them out.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sampling import Floats, sample

SIDE = 48  # pixels of a picture; top faces of the usual dice have no more
_INNER, _OUTER = 0.09, 0.76  # radii of the rings in half edges: farther out lie the round edges of the dice
_FAINT = 0.15  # of the first ink's strength: fainter ones are noise
_FARTHEST = 0.15  # half edges and radians: no step of the refinement goes farther
_HAIR = 0.03  # half edges and radians, to see how a face changes
_FAR = 3.0  # times what is usual on a face: what strays farther is something that lies on it
_EVEN = 1e-3  # a face that changes less has no picture
RIGID, SQUEEZED = 3, 6  # in how many ways a pose is refined
# What a turn does to the axes of a face, a stretch along x, along y, and a lean.
_CHANGES = np.array([[(0, -1), (1, 0)], [(1, 0), (0, 0)], [(0, 0), (0, 1)], [(0, 1), (1, 0)]], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Emblem:
    """`value`: 1-6, what it counts in play. `name`: what people call it. `picture`: uint8 (SIDE, SIDE, 3) BGR, the face
    from straight above, from edge to edge, in any of its four upright turns."""

    value: int
    name: str
    picture: Image


NO_PICTURE: Image = np.zeros((SIDE, SIDE, 3), np.uint8)


class Rings:
    """Where a face is looked at: so many places on each of so many rings. `inks`: how many of its colours, besides its
    own, are told apart."""

    def __init__(self, rings: int, turns: int, inks: int) -> None:
        radii, angles = np.linspace(_INNER, _OUTER, rings), np.arange(turns) * 2 * np.pi / turns
        self.shape, self.inks = (rings, turns), inks
        self.places: Floats = radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
        self.places = self.places.reshape(-1, 2)
        self._weight: Floats = np.sqrt(radii / radii.sum() / turns)[:, None, None]

    def seen(self, image: Image, xy: Floats, axes: Floats) -> Floats:
        """(n, d, 3) colours of the faces about `xy` (n, 2), see `levelled`; `axes`: (n, 2, 2), half edges along x and y
        in pixels."""
        at = self.places @ axes.transpose(0, 2, 1) + xy[:, None]
        return self.levelled(sample(image, at[..., 0], at[..., 1]))

    def levelled(self, colours: Floats) -> Floats:
        """(n, d, 3) by how much they differ from the mean of their ring; the outer rings, that are longer, more."""
        rings = colours.reshape(len(colours), *self.shape, 3)
        return np.asarray(((rings - rings.mean(2, keepdims=True)) * self._weight).reshape(colours.shape), np.float32)


# To find faces, in a picture of few pixels and in one of more, and to tell them.
COARSE, CLOSE, FINE = Rings(6, 32, 1), Rings(8, 48, 2), Rings(10, 64, 3)


@dataclass(frozen=True, eq=False)
class Album:
    """Emblems ready to be compared on `rings`. `inks`: (m, q, d) where each has its colours: maps that are
    perpendicular, of length 1. `slopes`: (m, 6, q, d) how these change when the face moves along x and y (half edges),
    turns (radians), becomes longer along x and y, and leans over (shares)."""

    rings: Rings
    inks: Floats
    slopes: Floats

    def __len__(self) -> int:
        return len(self.inks)

    def first(self, n: int) -> "Album":
        """The first `n` of these emblems alone."""
        return Album(self.rings, self.inks[:n], self.slopes[:n])

    @cached_property
    def _waves(self) -> NDArray[np.complexfloating]:
        """(waves, m * q, rings) each ring of each ink as waves."""
        waves = np.fft.rfft(self.inks.reshape(-1, *self.rings.shape), axis=-1)
        return np.ascontiguousarray(waves.transpose(2, 0, 1).conj(), np.complex64)

    def in_all_turns(self, colours: Floats) -> Floats:
        """(n, m, turns) 0-1: how well each emblem, turned clockwise by each step of a whole turn, explains `colours`
        (n, d, 3)."""
        n, (rings, turns) = len(colours), self.rings.shape
        waves = np.fft.rfft(colours.reshape(n, rings, turns, 3), axis=2).astype(np.complex64)
        mixes = self._waves @ waves.transpose(2, 1, 0, 3).reshape(-1, rings, 3 * n)
        mixes = mixes.reshape(-1, len(self), self.inks.shape[1], n, 3).transpose(3, 1, 2, 4, 0)
        whole = np.fft.irfft(mixes, turns, axis=-1)
        return np.asarray(np.sqrt((whole**2).sum((2, 3)) / _energy(colours)[:, None, None]), np.float32)

    def likeness(self, colours: Floats, which: NDArray[np.int64]) -> Floats:
        """(n,) 0-1: how well emblem `which` (n,) explains `colours` (n, d, 3)."""
        inks = self.inks[which]
        colours = _cleared(_cleared(colours, inks), inks)
        mixes = inks @ colours
        return np.asarray(np.sqrt((mixes**2).sum((1, 2)) / _energy(colours)))

    def refined(
        self, image: Image, xy: Floats, axes: Floats, which: NDArray[np.int64], steps: int, ways: int = RIGID
    ) -> tuple[Floats, Floats, Floats]:
        """Each pose (n, 2), (n, 2, 2) moved and turned to where emblem `which` (n,) lies best, and its likeness (n,).
        `ways`: `RIGID`, or `SQUEEZED` where it may be foreshortened as well.

        Inverse compositional alignment (Baker and Matthews 2004), with the inks' colours left open.
        """
        xy, axes = xy.astype(np.float64), axes.astype(np.float64)
        inks, slopes = self.inks[which], self.slopes[which, :ways]
        square = slopes[:, :, None] @ slopes[:, None].swapaxes(-1, -2)
        for _ in range(steps):
            colours = _cleared(self.rings.seen(image, xy, axes), inks)
            mixes = inks @ colours
            left = slopes @ (colours - inks.swapaxes(1, 2) @ mixes)[:, None]
            way = (left * mixes[:, None]).sum((2, 3))
            matrix = (square * (mixes @ mixes.swapaxes(1, 2))[:, None, None]).sum((3, 4))
            matrix = matrix + (1e-3 * np.trace(matrix, axis1=1, axis2=2) + _EVEN)[:, None, None] * np.eye(ways)
            off = np.clip(np.linalg.solve(matrix, way[..., None])[..., 0], -_FARTHEST, _FARTHEST)
            xy = xy - (axes @ off[:, :2, None])[..., 0]
            axes = axes @ (np.eye(2) - np.einsum("nk,kij->nij", off[:, 2:], _CHANGES[: ways - 2]))
            if ways == RIGID:
                axes = axes / np.hypot(1, off[:, 2])[:, None, None]
        return xy, axes, self.likeness(self.rings.seen(image, xy, axes), which)


def album(pictures: list[Image], rings: Rings) -> Album:
    """`pictures`: uint8 (side, side, 3) each, of one side."""
    inks, slopes = zip(*(_prepared(picture, rings) for picture in pictures), strict=True)
    return Album(rings, np.stack(inks).astype(np.float32), np.stack(slopes).astype(np.float32))


def _prepared(picture: Image, rings: Rings) -> tuple[Floats, Floats]:
    half, middle = len(picture) / 2, np.full(2, (len(picture) - 1) / 2)
    signs = np.array([1, -1])[:, None, None]
    shifts = np.concatenate([signs[..., 0] * way for way in np.eye(2)] + [np.zeros((9, 2))]) * _HAIR
    changes = np.concatenate([np.zeros((4, 2, 2))] + [signs * way for way in _CHANGES] + [np.zeros((1, 2, 2))]) * _HAIR
    colours = rings.seen(picture, middle + half * shifts, half * (np.eye(2) + changes))
    maps, strength, mixes = np.linalg.svd(colours[-1], full_matrices=False)
    plain = strength[: rings.inks, None] > _FAINT * strength[0]
    inks = maps.T[: rings.inks] * plain
    change = (colours[:-1:2] - colours[1::2]) / (2 * _HAIR)
    slopes = (change @ mixes.T / np.maximum(strength, _EVEN)).transpose(0, 2, 1)[:, : rings.inks] * plain
    # A change of its own colours is no move.
    return inks, slopes - slopes @ inks.T @ inks


def _cleared(colours: Floats, inks: Floats) -> Floats:
    """What strays far from the inks' picture, lines of light on round edges above all, brought nearer to it."""
    picture = inks.swapaxes(1, 2) @ (inks @ colours)
    left = colours - picture
    size = np.sqrt((left**2).sum(2, keepdims=True))
    return np.asarray(picture + left * np.minimum(1, _FAR * size.mean(1, keepdims=True) / np.maximum(size, _EVEN)))


def _energy(colours: Floats) -> Floats:
    return np.asarray(np.maximum((colours**2).sum((1, 2)), _EVEN))
