"""Faces without pips sorted by what they show, and each sort set upright."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.asked import Unnamed
from vision import ink
from vision.dice_set import Kind
from vision.emblem import FINE, SIDE, Album, album
from vision.emblems import pipped
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import angle_of, size_of, turned
from vision.profile import Profile
from vision.sampling import Floats

# Pairs of rendered faces that show the same emblem are more alike than 0.93 in nine of ten cases, fives and sixes of
# some fonts up to 0.88. To ask twice about one face is better than to take two for one.
_SAME = (0.92, 0.94, 0.955, 0.965, 0.975, 0.98)  # the later ones where fewer sorts are found than there must be


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """Where one may lie. `image`: index of the dice picture. `kind`: index of the kind of dice. `xy`: (2,) pixels, its
    middle. `axes`: (2, 2) columns are its half edges, pixels."""

    image: int
    kind: int
    xy: Floats
    axes: Floats


def grouped(dice: Sequence[Image], found: list[Face], sorts: int = 1) -> list[list[Face]]:
    """Faces that show the same, the likest to all others first. `sorts`: so many there should be, at least."""
    n = len(found)
    if not n:
        return []
    like = np.eye(n)
    for j, one in enumerate(found):
        emblem = album([cut(dice[one.image], one.xy, one.axes)], FINE)
        for k, other in enumerate(found):
            if k != j:
                like[j, k] = _aligned(dice[other.image], other, emblem)[2]
    like = (like + like.T) / 2
    kind = np.array([one.kind for one in found])
    like[kind[:, None] != kind] = 0
    tried = (_sorted(like, same) for same in _SAME)
    groups = next((groups for groups in tried if len(groups) >= min(sorts, n)), None) or _sorted(like, _SAME[0])
    order = [sorted(group, key=lambda k: -float(like[k, group].mean())) for group in groups]
    return [[found[k] for k in group] for group in order]


def _sorted(like: Floats, same: float) -> list[list[int]]:
    """Indices of faces that are as alike (n, n) as `same`."""
    groups: list[list[int]] = []
    for k in range(len(like)):
        worth = [float(like[k, group].mean()) for group in groups]
        if worth and max(worth) > same:
            groups[int(np.argmax(worth))].append(k)
        else:
            groups.append([k])
    return groups


def _aligned(image: Image, face: Face, emblem: Album) -> tuple[Floats, Floats, float]:
    """Where the one emblem of `emblem` lies best about this face: its middle, half edges and likeness."""
    starts = face.xy + _STARTS @ face.axes.T
    axes = np.repeat(face.axes[None], len(starts), 0)
    turns = emblem.in_all_turns(emblem.rings.seen(image, starts, axes))[:, 0]
    likely = np.argsort(-turns.max(1))[:_TRIED]
    turn = turned(turns[likely].argmax(1) * 2 * np.pi / turns.shape[1])
    at, way, how = emblem.refined(image, starts[likely], axes[likely] @ turn, np.zeros(len(likely), np.int64), 8)
    best = int(how.argmax())
    return at[best], way[best], float(how[best])


# Squares are found to a tenth of an edge and better: half edges.
_STARTS = np.stack(np.meshgrid(*[np.linspace(-0.24, 0.24, 5)] * 2), -1).reshape(-1, 2)
_TRIED = 4


def upright(dice: Sequence[Image], group: list[Face], profile: Profile, pips: bool) -> Unnamed | None:
    """The middle one of a group, set upright by what all of its outlines say; None for a face with pips after all."""
    best = group[0]
    emblem = album([cut(dice[best.image], best.xy, best.axes)], FINE)
    poses = [(best.xy, best.axes), *(_aligned(dice[o.image], o, emblem)[:2] for o in group[1:])]
    # Where each one's own square lies, as its emblem sees it.
    shifts = [np.linalg.solve(axes, one.xy - xy) for one, (xy, axes) in zip(group, poses, strict=True)]
    turns = [_quarter(float(angle_of(np.linalg.solve(a, one.axes)))) for one, (_, a) in zip(group, poses, strict=True)]
    shift, turn = np.median(shifts, axis=0), turned(np.array(float(np.median(turns))))
    seen = [cut(dice[one.image], xy + axes @ shift, axes @ turn) for one, (xy, axes) in zip(group, poses, strict=True)]
    # Noise and gleams are not the same on all.
    picture = np.median(seen, axis=0).astype(np.uint8)
    xy, axes = best.xy + best.axes @ shift, best.axes @ turn
    kind = profile.kinds[best.kind]
    most = _PIPS if len(group) == 1 else _PIPS_AGAIN
    if pips and _has_pips(dice[best.image], replace(best, xy=xy, axes=axes), kind, most):
        return None
    others = ((one.image, float(one.xy[0]), float(one.xy[1])) for one in group[1:])
    return Unnamed(best.kind, picture, ((best.image, float(xy[0]), float(xy[1])), *others))


def _quarter(angle: float) -> float:
    """Radians to the nearest quarter turn."""
    return float((angle + np.pi / 4) % (np.pi / 2) - np.pi / 4)


def as_pips(image: Image, found: Faces, profile: Profile) -> Faces:
    """Those of the faces that look like the pips they were read as, or gleam: of a logo some spots may lie as those of
    a smaller die do."""
    line = np.eye(2)[None] * SIDE / 2
    keep = np.ones(len(found), np.bool_)
    for k in np.nonzero((found.value > 1) & (found.uneven < _EVEN))[0]:
        kind = profile.kinds[found.kind[k]]
        face = cut(image, found.xy[k], found.frame[k] / (2 * kind.offset))
        pattern, seen = (ink.of(one, SIDE, _pips_way(kind)) for one in (pipped(kind, int(found.value[k])), face))
        like = album([pattern], FINE).in_all_turns(FINE.seen(seen, np.full((1, 2), (SIDE - 1) / 2), line))
        keep[k] = like.max() > _AS_READ
    return found.pick(keep)


def as_ones(image: Image, found: Faces, profile: Profile) -> Faces:
    """Those of the faces that show a pip in the middle and nothing else."""
    keep = np.zeros(len(found), np.bool_)
    for k in range(len(found)):
        kind = profile.kinds[found.kind[k]]
        inked = ink.of(cut(image, found.xy[k], found.frame[k] / (2 * kind.offset)), SIDE, _pips_way(kind))
        keep[k] = _is_one(inked, kind)
    return found.pick(keep)


def _pips_way(kind: Kind) -> ink.Way:
    return "darker" if sum(kind.pip) < sum(kind.body) else "lighter"


def _has_pips(image: Image, face: Face, kind: Kind, most: float) -> bool:
    """Whether this is a face with pips after all, in a gleam or in a shadow: as like a pattern of them as `most`, or
    there is too little on it to be anything else."""
    way = _pips_way(kind)
    inked = ink.of(image, 2 * float(size_of(face.axes)), way)
    own = cut(inked, face.xy, face.axes)
    patterns = (album([ink.of(pipped(kind, value), SIDE, way)], FINE) for value in range(2, 7))
    return (
        float(np.percentile(own[_FAR < _FACE].max(1), 98)) < _FAINT * np.abs(np.subtract(kind.pip, kind.body)).max()
        or _is_one(own, kind)
        or any(_aligned(inked, face, pattern)[2] > most for pattern in patterns)
    )


def _is_one(inked: Image, kind: Kind) -> bool:
    """Whether next to all ink of this face is where a one has its pip."""
    amount = (inked.astype(np.float64) ** 2).sum(2)
    pip = _NEAR * max(kind.one, kind.radius) > _FAR
    return bool(amount[pip].sum() > _MOST * amount[_FAR < _FACE].sum())


# Of 690 rendered faces that were read by more than one pip, and even up to this, none is less like them than 0.84, a
# logo that was read as a five 0.78 at most.
_EVEN, _AS_READ = 0.2, 0.8
# Of letters in a disc there may be as little ink as of pips; but no gleam makes the same of two faces.
_PIPS, _PIPS_AGAIN = 0.9, 0.92
_NEAR, _MOST, _FACE = 1.5, 0.9, 0.38  # radii of a one's pip; share of the ink; edges from the middle of a face
_FAINT = 0.25  # of the contrast of pips: in a gleam that leaves no more nothing can be told
_LINE = (np.arange(SIDE) + 0.5) / SIDE - 0.5
_FAR = np.hypot(_LINE[:, None], _LINE)  # edges from the middle of a face's picture


def cut(image: Image, xy: Floats, axes: Floats) -> Image:
    """See `Emblem.picture`; each of its pixels is the mean of four places."""
    line = (np.arange(2 * SIDE) + 0.5) / SIDE - 1
    at = np.stack(np.meshgrid(line, line), -1) @ axes.T + xy
    x, y = np.moveaxis(at.astype(np.float32), -1, 0)
    large = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(large, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
