"""How large the top face is, from the outlines of many faces at once."""

import numpy as np

from vision import outline
from vision.faces import Faces
from vision.frame import Image
from vision.sampling import Floats

# Half edge over pip offset, on the dice measured 1.75 to 2.25 with the middle at 1.96.
_SHARES = np.arange(1.5, 2.6, 0.025)
_MIDDLE, _SPREAD = 1.96, 0.2


def votes(image: Image, found: Faces) -> Floats:
    """(n, g) how strongly each face speaks for each share of `shares()`; 0-1."""
    n = len(found)
    if not n:
        return np.zeros((0, len(shares())))
    reach = np.broadcast_to(_SHARES, (n, len(_SHARES)))
    steps = outline.steps(image, found.xy, found.frame[:, None], reach, np.full(n, _MIDDLE))[:, 0]
    enough = 0.3 * found.contrast
    return np.asarray(np.minimum(steps, enough[:, None, None]).mean(1) / enough[:, None])


def shares() -> Floats:
    """The half edges, in pip offsets, that are voted on."""
    return np.asarray((_SHARES[1:-2] + _SHARES[2:-1]) / 2)


def elected(votes_: Floats) -> float:
    """The half edge in pip offsets that faces (n, g) of one size agree on."""
    total = votes_.mean(0) * np.exp(-0.5 * ((shares() - _MIDDLE) / _SPREAD) ** 2)
    best = int(total.argmax())
    near = slice(max(0, best - 2), best + 3)
    weight = total[near] - 0.8 * total[best]
    return float(np.average(shares()[near], weights=np.maximum(weight, 1e-6)))
