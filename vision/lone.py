"""Pips that no die explains: a die of the floor's own colour shows little else."""

import cv2
import numpy as np

from vision.cube import Cubes
from vision.geometry import size_of
from vision.pips import Pips
from vision.profile import Profile
from vision.sampling import Floats

# As round and clean as nearly all pips of flat dice, and this share of their usual contrast at least.
_ROUND, _CLEAN, _CONTRAST = 0.8, 0.85, 0.5
# A lamp from one side leaves part of a hollow pip dark: what is as strong and clean as this need not be as round.
_LONG, _CLEANER, _STRONG = 0.7, 0.95, 0.8
_SMALLEST, _LARGEST = 0.75, 1.3  # of the pips' radius
_WIDER = 1.25  # outlines of dice are taken this much wider: a leaning one shows more of its sides


def lone(every: Pips, cubes: Cubes, profile: Profile) -> Floats:
    """Where good pips lie outside of all dice: (n, 2) pixels."""
    every = every.pick((every.ratio > _LONG) & (every.clean > _CLEAN))
    least = np.where(every.ratio > _ROUND, _CONTRAST, np.where(every.clean > _CLEANER, _STRONG, np.inf))
    edge_mm = profile.looks.edge_mm[:, None]
    share = every.radius / (size_of(profile.camera.scale(every.xy.astype(np.float64)[None], edge_mm)) * edge_mm)
    low = np.array([_SMALLEST * min(kind.radius, kind.one) for kind in profile.kinds])
    high = np.array([_LARGEST * max(kind.radius, kind.one) for kind in profile.kinds])
    fits = (share > low[:, None]) & (share < high[:, None])
    fits &= every.contrast > least * profile.looks.contrast[:, None]
    at = every.xy[fits.any(0)].astype(np.float64)
    free = np.ones(len(at), np.bool_)
    for hull in cubes.hulls:
        middle = hull.mean(0)
        wider = (middle + _WIDER * (hull - middle)).astype(np.float32)
        low, high = wider.min(0), wider.max(0)
        for k in np.nonzero(free & (at >= low).all(1) & (at <= high).all(1))[0]:
            free[k] = cv2.pointPolygonTest(wider, (float(at[k, 0]), float(at[k, 1])), False) < 0
    return at[free]
