"""Ones with a pip larger than the others, as many sets have: looked for where no one of the usual size was seen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision import faces, known
from vision.faces import Faces
from vision.frame import Image
from vision.profile import Kind, Profile

# Times the radius of the other pips: a one just as large would have been seen, and none fills half its face.
_LEAST, _LARGEST = 1.25, 2.4
# Ones are looked for at this size; `vision.ones` sees those up to a third larger, and down to the usual one.
_TRIED = 1.8
# A face to be learned from is even, round and plain to see: see `learn`.
_UNEVEN, _MISFIT, _SCORE = 0.35, 0.8, 0.15


def learned(dice: Sequence[Image], profile: Profile) -> Profile:
    """The profile with the large ones of those kinds of which no other was seen."""
    if not any(map(_unseen, profile.kinds)):
        return profile
    tried = (replace(kind, one=_TRIED * kind.radius) if _unseen(kind) else kind for kind in profile.kinds)
    trial = replace(profile, kinds=tuple(tried))
    found = faces.join([known.look(image, trial).faces for image in dice])
    kinds = (_with_one(kind, found.pick(found.kind == k)) for k, kind in enumerate(profile.kinds))
    return replace(profile, kinds=tuple(kinds))


def _unseen(kind: Kind) -> bool:
    return kind.one == kind.radius


def _with_one(kind: Kind, found: Faces) -> Kind:
    plain = (found.uneven < _UNEVEN) & (found.misfit < _MISFIT) & (found.score > _SCORE)
    single = found.pick((found.value == 1) & plain)
    if not len(single) or not _unseen(kind):
        return kind
    radius = float(np.median(single.radius / (2 * single.half)))
    return replace(kind, one=radius) if _LEAST * kind.radius < radius < _LARGEST * kind.radius else kind
