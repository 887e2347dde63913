"""How exactly pips lie where a level face has them: a tilted face is foreshortened, a raised one larger."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.dice_set import Kind
from vision.faces import Faces
from vision.geometry import Camera, size_of
from vision.lattice import pips_of
from vision.pips import Pips
from vision.profile import Profile
from vision.sampling import Floats, middle

_LEVEL = 0.015  # stretch, and pip offsets that pips stay off: less than leaning by 15 degrees does to any three pips
_LONGER, _LARGER = 0.1, 1.15  # of a pip's short over long axis, and radius, against the middle one of its face
_PICTURE = 4  # pips that a picture counts for
_RING = 1.6  # radii around a pip that must be in the picture for it to be measured well


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """`long`, `short`: (n,) largest and smallest stretch of the pattern against a level face on the floor, 1 when it
    agrees; along the one diagonal for twos and threes, 1 for ones. `used`: (n,) pips the answer rests on. `squashed`:
    (n,) how much less round its roundest pip looks than those of its kind on flat dice, for ones, twos and threes: 0 as
    round, not a number where that is not known."""

    long: Floats
    short: Floats
    used: NDArray[np.int64]
    squashed: Floats


def measure(found: Faces, every: Pips, profile: Profile) -> Pose:
    n, aslant = len(found), oblique(found, profile)
    long, short, used, squashed = np.ones(n), np.ones(n), np.zeros(n, np.int64), np.full(n, np.nan)
    for k in range(n):
        kind = profile.kinds[found.kind[k]]
        at, which = pairs(found, k, every, profile.camera)
        seen = every.xy[which].astype(np.float64)
        used[k] = len(at)
        if len(at) and kind.round and found.value[k] < 4:
            # A gleam or a speck squashes one, a leaning face all.
            squashed[k] = 1 - every.ratio[which].max() * aslant[k] / kind.round
        if found.pictured[k]:
            long[k], short[k], used[k] = *_squeezed(found.xy[k], found.frame[k], kind, profile.camera), _PICTURE
        if len(at) < 2:
            continue
        # Through millimetres on the plane of the top face, so that perspective is no stretch.
        mm = profile.camera.table(seen, kind.edge_mm) / (kind.offset * kind.edge_mm)
        long[k], short[k] = _stretch(at * _six(found, k, kind), mm, _sound(every.pick(which)))
    return Pose(long, short, used, squashed)


def oblique(found: Faces, profile: Profile) -> Floats:
    """(n,) long over short axis that a circle on each face seems to have where it lies, level."""
    level = profile.camera.scale(found.xy.astype(np.float64), profile.looks.edge_mm[found.kind])
    spans = np.linalg.svd(level, compute_uv=False)
    return np.asarray(spans[:, 0] / spans[:, 1])


def _sound(seen: Pips) -> NDArray[np.bool_]:
    """Without those that run into a gleam or a speck, and so are longer or larger than their fellows."""
    ratio, radius = middle(np.stack([seen.ratio, seen.radius]))
    return np.asarray((seen.ratio > ratio - _LONGER) & (seen.radius < _LARGER * radius))


def _squeezed(xy: Floats, frame: Floats, kind: Kind, camera: Camera) -> tuple[float, float]:
    """Largest and smallest stretch of an emblem, of which its frame tells."""
    level = camera.scale(xy, kind.edge_mm) * kind.offset * kind.edge_mm
    long, short = (float(v) for v in np.linalg.svd(np.linalg.solve(level, frame), compute_uv=False))
    return long, short


def _stretch(at: Floats, mm: Floats, sound: NDArray[np.bool_]) -> tuple[float, float]:
    """Largest and smallest stretch of the places `at` (m, 2) onto `mm` (m, 2).

    A face that leans moves all its pips, a gleam or a speck moves one or two: where all but one, or all that are
    `sound` (m,), lie as on a level face, the others do not count.
    """
    whole = _affine(at, mm)
    if len(at) < 4 or whole[0] - whole[1] < _LEVEL:
        return whole[:2]
    parts = [np.arange(len(at)) != k for k in range(len(at))] + [sound] * (not _in_line(at[sound]))
    rest = [_affine(at[part], mm[part]) for part in parts]
    level = [one for one in rest if abs(one[0] - 1) < _LEVEL and abs(one[1] - 1) < _LEVEL and one[2] < _LEVEL]
    return (min(level, key=lambda one: one[0] - one[1]) if level else whole)[:2]


def _affine(at: Floats, mm: Floats) -> tuple[float, float, float]:
    at, mm = at - at.mean(0), mm - mm.mean(0)
    square = at.T @ at
    if _in_line(at):
        only = float(np.sqrt((mm**2).sum() / (at**2).sum()))
        return only, only, 0.0
    fit = np.linalg.solve(square, at.T @ mm)
    long, short = _spans(fit.T @ fit)
    return long, short, float(np.sqrt(((at @ fit - mm) ** 2).sum() / len(at)))


def _in_line(at: Floats) -> bool:
    """Whether places (m, 2) tell of one direction only."""
    off = at - at.mean(0) if len(at) else at
    return _spans(off.T @ off)[1] < 0.3


def _spans(square: Floats) -> tuple[float, float]:
    """The two singular values, the larger first, of the matrix m whose m' m (2, 2) this is."""
    (a, b), (_, d) = square.tolist()
    half, root = (a + d) / 2, float(np.hypot((a - d) / 2, b))
    return float(np.sqrt(half + root)), float(np.sqrt(max(half - root, 0.0)))


def _six(found: Faces, k: int, kind: Kind) -> Floats:
    """How much wider the places of this face lie along x and y than those of the other values."""
    if found.value[k] != 6:
        return np.ones(2)
    along, across = kind.six
    return np.array((across, along) if found.upright[k] else (along, across))


def six(found: Faces, every: Pips, profile: Profile) -> list[tuple[int, float, float]]:
    """For each six with all but one of its pips seen: its kind, and its spacing along and across its rows."""
    out = []
    for k in np.nonzero(found.value == 6)[0]:
        kind = profile.kinds[found.kind[k]]
        at, seen = matched(found, int(k), every, profile.camera)
        if len(at) > 4:
            mm = profile.camera.table(seen, kind.edge_mm) / (kind.offset * kind.edge_mm)
            fit, *_ = np.linalg.lstsq(at - at.mean(0), mm - mm.mean(0), rcond=None)
            x, y = np.linalg.norm(fit, axis=1)
            out.append(
                (int(found.kind[k]), float(y), float(x))
                if found.upright[k]
                else (int(found.kind[k]), float(x), float(y))
            )
    return out


def matched(found: Faces, k: int, every: Pips, camera: Camera) -> tuple[Floats, Floats]:
    """Places of the face's pattern and the pips seen there: two (m, 2). Without pips that the picture's border cuts:
    they seem to lie farther in."""
    places, which = pairs(found, k, every, camera)
    return places, every.xy[which].astype(np.float64)


def pairs(found: Faces, k: int, every: Pips, camera: Camera) -> tuple[Floats, NDArray[np.int64]]:
    """As `matched`, the pips by their indices."""
    if found.pictured[k]:
        return np.zeros((0, 2)), np.zeros(0, np.int64)
    if not len(every):
        return np.zeros((0, 2)), np.zeros(0, np.int64)
    places = pips_of(int(found.value[k]), bool(found.upright[k]))
    expect = places @ found.frame[k].T + found.xy[k]
    apart = np.hypot(expect[:, :1] - every.xy[:, 0], expect[:, 1:] - every.xy[:, 1])
    nearest = apart.argmin(1)
    good = apart[np.arange(len(places)), nearest] < 0.35 * size_of(found.frame[k])
    centre, reach = np.array([camera.cx, camera.cy]), _RING * every.radius[nearest, None]
    good &= (np.abs(every.xy[nearest] - centre) < centre - reach).all(1)
    return places[good].astype(np.float64), nearest[good]
