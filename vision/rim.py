"""The rim of a top face, side by side: there dice that lean differ from those that lie flat, whatever they show."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.sampling import Floats

# Flat, leaning, flat on another die.
ANSWERS = 3
# Bands along each side of a face, each a quarter of the side's middle two thirds, for corners are round.
BANDS = 4
# Of a patch's pixels, from just within the rim, clear of pips, outwards to the patch's end.
_FROM = 5 / 8
LENGTH = 18
_LEAST = 1e-7  # a probability of nothing
_OWN_SIDES = 0.5  # in the patch of the expected cubes, see `opinion.CUBE`


def strips(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 5, 4 * BANDS, LENGTH) what shows along the rim of each face: bands across it, from within outwards.

    `patches`: see `opinion.patches`. The side below which a flat die shows most of its own sides comes first, then, of
    those beside it, the one where it shows more, then on around: so a place in the picture makes no difference.
    """
    n = len(patches)
    views = patches.reshape(n, patches.shape[1], -1)[:, :, _sides(patches.shape[2])]
    shows = (np.abs(views[:, 4] - _OWN_SIDES) < 0.25).sum((2, 3))
    # (n, 5, 4, BANDS, LENGTH)
    bands = views.reshape(*views.shape[:3], BANDS, -1, LENGTH).mean(4)
    rows, most = np.arange(n), shows.argmax(1)
    other = shows[rows, (most + 1) % 4] < shows[rows, (most + 3) % 4]
    order = (most[:, None] + np.where(other, -1, 1)[:, None] * np.arange(4)) % 4
    out = bands[rows[:, None], :, order]
    out[other] = out[other][:, :, :, ::-1]
    return np.ascontiguousarray(out.transpose(0, 2, 1, 3, 4).reshape(n, -1, 4 * BANDS, LENGTH), np.float32)


@cache
def _sides(side: int) -> NDArray[np.int64]:
    """(4, along, LENGTH): which pixels of a patch lie along its right, lower, left and upper side, outwards."""
    low, start = side // 3, round(_FROM * side)
    places = np.arange(side * side).reshape(side, side)
    return np.stack([np.rot90(places, k)[low : side - low, start:] for k in range(4)])


def leans(share: Floats) -> Floats:
    """(n,) natural logarithm of how much likelier each lies askew than flat; `share`: (n, ANSWERS) probabilities."""
    return np.asarray(np.log(np.maximum(share[:, 1:].sum(1), _LEAST) / np.maximum(share[:, 0], _LEAST)))
