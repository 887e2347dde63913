"""How the pips of each kind are set, once its faces are known: their spacing, sixes unlike the rest, large ones."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from calibration.alike import as_ones
from vision import faces, known, pose
from vision.dice_set import Kind
from vision.faces import Faces
from vision.frame import Image
from vision.profile import Profile

# Times the radius of the other pips: a one just as large would have been seen, and none fills half its face.
_LEAST, _LARGEST = 1.25, 3.0
# Ones are looked for at these sizes; `vision.ones` sees those up to a third larger, and down to the usual one.
_TRIED = (1.8, 2.4)
_FEW = 3  # pips
# A face to be learned from is even, round and plain to see: see `learn`.
_UNEVEN, _MISFIT, _SCORE = 0.35, 0.8, 0.15


def refined(dice: Sequence[Image], profile: Profile) -> Profile:
    """The profile with all of it."""
    profile = _with_sixes(dice, _with_spacing(dice, profile))
    return with_roundness(dice, _with_ones(dice, _without_logos(dice, profile)))


def as_spaced(found: known.Found, profile: Profile) -> Faces:
    """Its faces as large as their own pips say, and not as the kind does that each was taken for."""
    measured = pose.measure(found.faces, found.pips, profile)
    # Sixes are spaced unlike the rest in some sets.
    own = (measured.used > 1) & (found.faces.value < 6)
    size = np.where(own, np.sqrt(measured.long * measured.short), 1.0)
    return replace(found.faces, frame=found.faces.frame * size[:, None, None])


def _with_spacing(dice: Sequence[Image], profile: Profile) -> Profile:
    """With the pips of each kind as far apart as they are at the end, on the median of its faces."""
    stretch: dict[int, list[float]] = {}
    for image in dice:
        found = known.look(image, profile)
        measured = pose.measure(found.faces, found.pips, profile)
        for k in np.nonzero((measured.used > 1) & (found.faces.value < 6))[0]:
            stretch.setdefault(int(found.faces.kind[k]), []).append(float(measured.long[k] * measured.short[k]) ** 0.5)
    kinds = [
        replace(kind, offset=kind.offset * float(np.median(stretch[k]))) if len(stretch.get(k, ())) > 1 else kind
        for k, kind in enumerate(profile.kinds)
    ]
    return replace(profile, kinds=tuple(kinds))


def _with_sixes(dice: Sequence[Image], profile: Profile) -> Profile:
    spacing: list[tuple[int, float, float]] = []
    for image in dice:
        found = known.look(image, profile)
        spacing += pose.six(found.faces, found.pips, profile)
    out = []
    for k, kind in enumerate(profile.kinds):
        own = [(along, across) for name, along, across in spacing if name == k]
        middle = np.median(own, axis=0) if own else np.ones(2)
        # One six is no rule; and below two in a hundred it is not told from noise.
        plain = len(own) < 2 or np.abs(middle - 1).max() < 0.02
        out.append(kind if plain else replace(kind, six=(float(middle[0]), float(middle[1]))))
    return replace(profile, kinds=tuple(out))


def with_roundness(dice: Sequence[Image], profile: Profile) -> Profile:
    """With how round the pips of each kind look; those of which few were seen look as all do."""
    ratios: list[list[float]] = [[] for _ in profile.kinds]
    for image in dice:
        found = known.look(image, profile)
        aslant = pose.oblique(found.faces, profile)
        for k, number in enumerate(found.faces.kind):
            _, which = pose.pairs(found.faces, k, found.pips, profile.camera)
            ratios[number] += list(found.pips.ratio[which] * aslant[k])
    usual = float(np.median([ratio for own in ratios for ratio in own])) if any(ratios) else 0.0
    kinds = (
        replace(kind, round=float(np.median(own)) if len(own) >= _FEW else usual)
        for kind, own in zip(profile.kinds, ratios, strict=True)
    )
    return replace(profile, kinds=tuple(kinds))


def _without_logos(dice: Sequence[Image], profile: Profile) -> Profile:
    """With large ones only where they show nothing besides: a logo in a ring is none."""
    if all(kind.one <= _LEAST * kind.radius for kind in profile.kinds):
        return profile
    every = _ones(dice, profile)
    kinds = (
        replace(kind, one=kind.radius) if not _is_large(kind, every.pick(every.kind == k)) else kind
        for k, kind in enumerate(profile.kinds)
    )
    return replace(profile, kinds=tuple(kinds))


def _is_large(kind: Kind, found: Faces) -> bool:
    """`found`: its ones."""
    return len(found) > 0 and float(np.median(found.radius / (2 * found.half))) > _LEAST * kind.radius


def _ones(dice: Sequence[Image], profile: Profile) -> Faces:
    """Those of all pictures that show a pip and nothing else."""
    parts = []
    for image in dice:
        found = known.look(image, profile).faces
        parts.append(as_ones(image, found.pick(found.value == 1), profile))
    return faces.join(parts)


def _with_ones(dice: Sequence[Image], profile: Profile) -> Profile:
    """With the large ones of those kinds of which no other was seen."""
    if not any(map(_unseen, profile.kinds)):
        return profile
    every = faces.join([_ones(dice, trial) for trial in _trials(profile)])
    kinds = (_with_one(kind, every.pick(every.kind == k)) for k, kind in enumerate(profile.kinds))
    return replace(profile, kinds=tuple(kinds))


def _trials(profile: Profile) -> Iterator[Profile]:
    for times in _TRIED:
        tried = (replace(kind, one=times * kind.radius) if _unseen(kind) else kind for kind in profile.kinds)
        yield replace(profile, kinds=tuple(tried))


def _unseen(kind: Kind) -> bool:
    return kind.one == kind.radius


def _with_one(kind: Kind, found: Faces) -> Kind:
    """`found`: its ones."""
    plain = (found.uneven < _UNEVEN) & (found.misfit < _MISFIT) & (found.score > _SCORE)
    single = found.pick(plain)
    if not len(single) or not _unseen(kind):
        return kind
    radius = float(np.median(single.radius / (2 * single.half)))
    return replace(kind, one=radius) if _LEAST * kind.radius < radius < _LARGEST * kind.radius else kind
