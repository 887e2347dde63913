"""The nine places of a die's face and the six ways to set them with pips."""

import numpy as np
from numpy.typing import NDArray

# Places in units of the pip offset, x right, y down, origin at the face's centre.
PLACES: NDArray[np.float32] = np.array(
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)], np.float32
)

# Points of a face where no value has a pip, in the same units: where the body is looked at.
BARE: NDArray[np.float32] = np.array(
    [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
    + [(x, y) for x in (-1.45, 1.45) for y in (-0.5, 0.5)]
    + [(x, y) for y in (-1.45, 1.45) for x in (-0.5, 0.5)],
    np.float32,
)
# The same on a face with pips so large that they reach to those points: farther out.
BEYOND: NDArray[np.float32] = np.array(
    [(x, y) for x in (-1.9, 1.9) for y in (-1, 0, 1)] + [(x, y) for y in (-1.9, 1.9) for x in (-1, 0, 1)], np.float32
)
LARGE = 0.47  # pip radius in pip offsets from which on they are so large


def _pattern(*places: tuple[int, int]) -> NDArray[np.float32]:
    return np.array([float((int(x), int(y)) in places) for x, y in PLACES], np.float32)


_CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
# Each pattern that holds the diagonal from (-1, -1) to (1, 1); the other diagonal is the same face a quarter turn on.
PATTERNS: tuple[tuple[int, NDArray[np.float32]], ...] = (
    (2, _pattern((-1, -1), (1, 1))),
    (3, _pattern((-1, -1), (0, 0), (1, 1))),
    (4, _pattern(*_CORNERS)),
    (5, _pattern(*_CORNERS, (0, 0))),
    (6, _pattern(*_CORNERS, (-1, 0), (1, 0))),
    (6, _pattern(*_CORNERS, (0, -1), (0, 1))),
)
VALUES: NDArray[np.int64] = np.array([v for v, _ in PATTERNS], np.int64)
SETS: NDArray[np.float32] = np.stack([p for _, p in PATTERNS])
ONE: NDArray[np.float32] = _pattern((0, 0))
# By value, and whether a six has its rows along the y axis.
_PIPS = {(value, bool(pattern[3] and value == 6)): PLACES[pattern > 0] for value, pattern in ((1, ONE), *PATTERNS)}


def pips_of(value: int, upright: bool = False) -> NDArray[np.float32]:
    """(m, 2) places of a value's pips; `upright`: a six has its rows along the y axis."""
    return _PIPS[value, upright and value == 6]
