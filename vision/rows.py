"""Sixes whose two rows lie nearer together, or farther apart, than the pips of a four: many dice have such."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import faces
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import turned, within
from vision.pips import Pips
from vision.sampling import Floats
from vision.slant import Slant

# Length of a row, from the first pip's middle to the last one's, in pip radii: dice have 5 (big pips) to 9 (dots).
_LONG = (4.2, 9.5)
# How far apart rows lie, as a share of their length: dice with an own pattern for the six have 0.6 to 0.85. What is
# nearly square the lattice finds.
_NARROW, _WIDE = (0.5, 0.88), (1.14, 1.3)
_EVEN = 0.07  # of a row's length: how far its middle pip may lie off its middle
# Two rows of a six: how far their lengths may differ (natural logarithm), their ways (radians), and how far the line
# between their middles may be from upright on them (of a row's length).
_LENGTH, _WAY, _SKEW = 0.1, 0.1, 0.12
_GROUND = 0.8  # see `faces.alike`: six pips in place say more than how even the light on them is
_MOST = 800  # rows looked at: on a dotted cloth there are thousands


def sixes(image: Image, pips: Pips, slant: Slant) -> Faces:
    """Faces with a pip found at each of the six places, and none besides. `frame` is that of a square lattice that is
    as large as theirs."""
    rows, way = _rows(pips, slant)
    one, two, apart = _beside(pips, rows, way, slant)
    if not len(one):
        return faces.no_faces()
    six = np.concatenate([rows[one], rows[two]], axis=1)
    xy: Floats = pips.xy[six].mean(1).astype(np.float64)
    # x from row to row, y along them.
    half = (np.hypot(*way[one].T) + np.hypot(*way[two].T)) / 4
    turn = turned(np.arctan2(way[one, 1], way[one, 0]) - np.pi / 2)
    axes = turn * (half[:, None] * np.column_stack([apart, np.ones(len(one))]))[:, None]
    worth = (pips.clean * np.clip((pips.ratio - 0.4) / 0.4, 0, 1))[six].min(1)
    radius, pip = pips.radius[six].mean(1), pips.inner[six].mean(1)
    found = faces.read(image, pips, xy, slant.scale(xy) @ axes, radius, pip, worth)
    whole = (found.value == 6) & (found.upright == 1) & (found.backed == 1) & (found.strays == 0)
    return _squared(found.pick(whole), slant)


def _rows(pips: Pips, slant: Slant) -> tuple[NDArray[np.int64], Floats]:
    """Three pips in a line, evenly spaced: (n, 3) indices, and (n, 2) the way from the first to the last on the
    table."""
    if len(pips) < 6:
        return np.zeros((0, 3), np.int64), np.zeros((0, 2))
    far = np.hypot(*(pips.xy[:, None] - pips.xy[None]).transpose(2, 0, 1))
    long = 2 * far / (pips.radius[:, None] + pips.radius)
    pairs = faces.alike(pips, (long > _LONG[0]) & (long < _LONG[1]), _GROUND)
    pairs = pairs[np.argsort(-(pips.clean * pips.ratio)[pairs].min(1), kind="stable")[: 4 * _MOST]]
    first, last = pips.xy[pairs[:, 0]].astype(np.float64), pips.xy[pairs[:, 1]].astype(np.float64)
    middle = (first + last) / 2
    off = np.hypot(*(pips.xy[None] - middle[:, None]).transpose(2, 0, 1))
    even = np.nonzero(off.min(1) < _EVEN * np.hypot(*(last - first).T))[0][:_MOST]
    rows = np.column_stack([pairs[even, 0], off[even].argmin(1), pairs[even, 1]])
    return rows, within(slant.scale(middle[even]), (last - first)[even])


def _beside(
    pips: Pips, rows: NDArray[np.int64], way: Floats, slant: Slant
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Which two rows may be a six, and how far apart they lie as a share of their length."""
    middle, length = pips.xy[rows].mean(1).astype(np.float64), np.hypot(*way.T)
    near = np.hypot(*(middle[:, None] - middle[None]).transpose(2, 0, 1))
    one, two = np.nonzero(np.triu(near < 2 * np.hypot(*(pips.xy[rows[:, 2]] - pips.xy[rows[:, 0]]).T), 1))
    between = within(slant.scale(middle[one]), middle[two] - middle[one])
    turn = np.arctan2(way[:, 1], way[:, 0])
    off = np.abs((turn[two] - turn[one] + np.pi / 2) % np.pi - np.pi / 2)
    skew = np.abs((between * way[one]).sum(1)) / length[one] ** 2
    apart = np.hypot(*between.T) / length[one]
    fits = (np.abs(np.log(length[two] / length[one])) < _LENGTH) & (off < _WAY) & (skew < _SKEW)
    fits &= ((apart > _NARROW[0]) & (apart < _NARROW[1])) | ((apart > _WIDE[0]) & (apart < _WIDE[1]))
    # On the side of a die, which looks narrow as well, pips are as narrow as their pattern.
    round_ = np.concatenate([pips.ratio[rows[one]], pips.ratio[rows[two]]], axis=1).mean(1)
    fits &= round_ > (1 + np.where(apart < 1, apart, 2 - apart)) / 2
    return one[fits], two[fits], apart[fits]


def _squared(found: Faces, slant: Slant) -> Faces:
    """With a frame whose axes are equally long on the table."""
    scale = slant.scale(found.xy)
    x, y = (np.hypot(*within(scale, found.frame[:, :, k]).T) for k in range(2))
    return replace(found, frame=found.frame * np.sqrt(np.stack([y / x, x / y], 1))[:, None])
