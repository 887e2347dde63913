"""Where the nine places of a supposed face, each held against its own surroundings, put the face."""

from dataclasses import replace

import numpy as np

from vision import faces, pips
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import turned
from vision.lattice import ONE, PATTERNS, PLACES
from vision.pips import Pips
from vision.sampling import Floats, sample

# Each value's pattern as `Faces` that are not upright have it, one a row.
_OWN = np.array([ONE, *(next(p for v, p in PATTERNS if v == value and not (v == 6 and p[3])) for value in range(2, 7))])
# Poses that are tried around the last best one: steps to each side, their size in pip offsets, and turns in degrees.
_ROUNDS = ((3, 0.09, (-10, -6, -3, 0, 3, 6, 10)), (2, 0.04, (-2, -1, 0, 1, 2)), (2, 0.02, (-1, 0, 1)))
_AROUND = 1.55 * np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], 1)  # pip radii
_MIDDLE = 0.4  # of a pip's radius: how far from its middle it is looked at
_ROUND, _CLEAN = 0.8, 0.5  # where pips are less so, a gleam or a speck moves them
_FAINT = 10  # colour difference, 0-255, that noise makes
_MOST_OF_THEM = 0.8  # of the pips; with fewer nothing is said about where they lie


def settled(image: Image, face: Faces) -> tuple[Faces, Pips]:
    """`face`, one row whose value is known and whose pose about, where its pips put it; and the round clean ones of
    these, none if some are missing."""
    value, way = int(face.value[0]), (face.pip - face.body)[0]
    xy, frame = face.xy[0], face.frame[0]
    # A two, three or six has two ways to lie in a square.
    first, second = (_contrasts(image, xy[None], turn[None], face.radius, way)[0] for turn in (frame, frame @ _QUARTER))
    if second @ _wanted(value) > first @ _wanted(value):
        frame = frame @ _QUARTER
    for steps, size, degrees in _ROUNDS:
        place = size * np.arange(-steps, steps + 1)
        # A one looks the same however it is turned.
        turn = np.deg2rad(degrees) if value > 1 else np.zeros(1)
        x, y, angle = (axis.ravel() for axis in np.meshgrid(place, place, turn, indexing="ij"))
        at, frames = xy + np.stack([x, y], 1) @ frame.T, frame @ turned(angle)
        seen = _contrasts(image, at, frames, np.repeat(face.radius, len(at)), way)
        best = int((seen @ _wanted(value) - np.abs(seen) @ _unwanted(value)).argmax())
        xy, frame = at[best], frames[best]
    places = PLACES[_OWN[value - 1] > 0.5] @ frame.T + xy
    every = pips.measure(image, places, np.repeat(face.radius, value))
    sound = (every.ratio > _ROUND) & (every.clean > _CLEAN) & (every.contrast > _FAINT)
    return replace(face, xy=xy[None], frame=frame[None]), every.pick(sound & (sound.mean() > _MOST_OF_THEM))


_QUARTER = turned(np.array([np.pi / 2]))[0]


def _wanted(value: int) -> Floats:
    return np.asarray(_OWN[value - 1] / _OWN[value - 1].sum())


def _unwanted(value: int) -> Floats:
    return np.asarray((1 - _OWN[value - 1]) / (1 - _OWN[value - 1]).sum())


def _contrasts(image: Image, xy: Floats, frame: Floats, radius: Floats, way: Floats) -> Floats:
    """(n, 9) how far each place differs from what is right around it, towards the pips' colour (0-255)."""
    n = len(xy)
    middle = faces.looks(image, xy, frame, PLACES, _MIDDLE * radius)
    at = (PLACES @ frame.transpose(0, 2, 1) + xy[:, None])[:, :, None] + radius[:, None, None, None] * _AROUND
    around = sample(image, at[..., 0].reshape(n, -1), at[..., 1].reshape(n, -1)).reshape(
        n, len(PLACES), len(_AROUND), 3
    )
    unit = way / max(1.0, float(np.linalg.norm(way)))
    return np.asarray(middle @ unit - np.median(around @ unit, axis=2))
