"""Which kind of die a face belongs to, by its colours and by how its pips are spaced."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.faces import Faces
from vision.geometry import size_of
from vision.profile import Profile
from vision.sampling import Floats

# Those of flat dice differ by less than this (natural logarithm): a pair that does not, be it on two dice, must not
# displace a good one. Not so sixes, whose rows some sets space otherwise.
_SPACED = 0.045
# Pips that are spaced unlike a kind's by more (natural logarithm) are of another size: 14 and 16 mm are 0.13 apart.
_OTHER_SIZE = 0.11
_FAR = 9.0  # more than any cost
_RAISED = 0.05  # what it costs to suppose a die on a die: as much as spacing that is off by a fortieth


def of_kind(found: Faces, profile: Profile) -> Faces:
    """Each with its likeliest kind; those that look like none are worth less."""
    return _likeliest(found, profile, np.repeat(np.arange(len(profile.kinds))[:, None], len(found), axis=1))


def of_its_kind(found: Faces, profile: Profile) -> Faces:
    """As `of_kind`, where each face's kind is given already."""
    return _likeliest(found, profile, found.kind[None])


def cost(found: Faces, profile: Profile) -> Floats:
    """(n,) how unlike its kind each face is, in colour and in size: 0 alike, about 1 nothing in common."""
    kinds = found.kind[None]
    return np.asarray((_unlike(found, profile, kinds) + 2 * np.abs(_misspaced(found, profile, kinds)))[0])


def _likeliest(found: Faces, profile: Profile, kinds: NDArray[np.int64]) -> Faces:
    """`kinds`: (k, n) those that each may be of."""
    rows = np.arange(len(found))
    apart, unlike = _misspaced(found, profile, kinds), _unlike(found, profile, kinds)
    spacing = np.abs(apart)
    cost = unlike + 2 * spacing
    # One that lies on another die is larger: it must not pass for one of another colour whose pips are farther apart.
    raised = unlike + 2 * np.abs(apart - _raised(profile)[kinds]) + _RAISED
    # A gleam makes a die look like another kind's, but no larger.
    best = np.where(spacing < _OTHER_SIZE, np.minimum(cost, raised), cost + _FAR).argmin(0)
    spacing, cost, kind = spacing[best, rows], cost[best, rows], kinds[best, rows]
    faint = found.contrast < 0.15 * profile.looks.contrast[kind]
    # Of two kinds that both would do, the likelier one; and a pair of pips that is spaced exactly, not nearly.
    off = np.where((found.value == 2) | (found.value == 3), np.clip(spacing / _SPACED, 0, 1), 0)
    dear = np.where(found.value == 1, 0.5, 0.2) * np.clip(cost, 0, 1)
    score = found.score * np.clip(1.35 - cost, 0.1, 1) * (1 - 0.65 * off**2) * (1 - dear)
    return replace(found, kind=kind, score=np.where(faint, 0, score))


def _raised(profile: Profile) -> Floats:
    """(kinds,) how much larger each kind's dice look on another one, natural logarithm, under the camera."""
    far = profile.camera.height_mm - profile.looks.edge_mm
    return np.asarray(np.log(far / np.maximum(far - profile.looks.edge_mm, 1.0)))


def _misspaced(found: Faces, profile: Profile, kinds: NDArray[np.int64]) -> Floats:
    """(k, n) how far a face's pips are farther apart than each kind's, natural logarithm."""
    edge, offset = profile.looks.edge_mm[kinds], profile.looks.offset[kinds]
    scale = size_of(profile.camera.scale(found.xy.astype(np.float64)[None], edge))
    return np.asarray(np.log(found.offset / (scale * offset * edge)))


def _unlike(found: Faces, profile: Profile, kinds: NDArray[np.int64]) -> Floats:
    """(k, n) how far a face's colours are from each kind's, in its contrast, whatever the brightness there."""
    looks = profile.looks
    gain = np.take_along_axis(looks.gain(found.body, found.pip, 0.3), kinds, 0)
    pip = found.pip / gain[..., None] - looks.pip[kinds]
    off = _off(found.body / gain[..., None], looks.body[kinds]) + np.linalg.norm(pip, axis=2)
    return np.asarray(off / (2 * looks.contrast[kinds]) + 0.15 * np.abs(np.log(gain)))


def _off(seen: Floats, body: Floats) -> Floats:
    """(k, n) colour distance from each body, on which a gleam may lie: that goes part of the way to white, at a
    price."""
    white = 255 - body
    far = np.maximum(np.linalg.norm(white, axis=2), 1)
    share = np.clip(((seen - body) * white).sum(2) / far**2, 0, 1)
    left = np.linalg.norm(seen - body - share[..., None] * white, axis=2)
    return np.asarray(np.minimum(np.linalg.norm(seen - body, axis=2), left + _GLEAM * share * far))


_GLEAM = 0.25
