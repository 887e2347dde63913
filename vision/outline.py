"""Outlines: where the square of a top face ends on its four sides."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sampling import Floats, look_up

_ACROSS = np.linspace(-0.84, 0.84, 7)  # along a side, in half edges
_AS_GOOD = 0.94  # turns worth this share of the best are about as good: they lie on both sides of the true one
_OUT = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], np.float64)  # outward from each side, in the face's axes


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """One a row. `half`: (n,) from the centre to a side, in the frame's units. `turn`: (n,) which of the frames tried.
    `steps`: (n, 4) colour step (0-255, length of the BGR difference) across each side: up, right, down, left.
    `best`: (n,) mean of the steps, each held to `enough`."""

    half: Floats
    turn: NDArray[np.int64]
    steps: Floats
    best: Floats


def trace(
    image: Image,
    xy: Floats,
    frame: Floats,
    low: Floats,
    high: Floats,
    enough: Floats,
    grid: int,
    sharpest: bool = False,
    fair: Floats | None = None,
) -> Outlines:
    """The best square around each centre.

    `frame`: (n, k, 2, 2) the k frames to try. `low`, `high`: (n,) least and largest half edge in the frame's units.
    `enough`: (n,) a colour step that leaves no doubt; a stronger one adds no more to `best`. `grid`: how finely the
    half edge is tried. `sharpest`: of turns that all show an outline take the one whose steps are strongest, where the
    size is known well enough for that; the k turns lie evenly over 90 degrees. `fair`: (n, k) 0-1,
    what else each turn has for it.
    """
    n = len(frame)
    reach = low[:, None] * 0.85 + (high * 1.15 - low * 0.85)[:, None] * np.linspace(0, 1, grid + 4)  # (n, g)
    step = steps(image, xy, frame, reach, (low + high) / 2)
    # A side may lie a step nearer or farther than its fellows: perspective, and centres of ones that are a bit off.
    near = np.maximum(np.maximum(step[..., 1:-1], 0.85 * step[..., 2:]), 0.85 * step[..., :-2])
    held = np.minimum(near, enough[:, None, None, None]).sum(2)  # (n, k, g - 1)
    rows = np.arange(n)
    if sharpest:
        # Roots: four sides count more than one hard edge, yet of turns that show all four the sharpest is the true one.
        worth = np.sqrt(near).sum(2).max(2)
        turn = _middle(worth if fair is None else worth * fair)
        where = held[rows, turn].argmax(1)
    else:
        flat = held.reshape(n, -1).argmax(1)
        turn, where = flat // held.shape[2], flat % held.shape[2]
    half = (reach[rows, where + 2] + reach[rows, where + 3]) / 2
    return Outlines(half, turn, near[rows, turn, :, where], held[rows, turn, where] / 4)


def _middle(worth: Floats) -> NDArray[np.int64]:
    """(n,) the middle of the turns that are about as good as the best; `worth`: (n, k), the k turns evenly over 90
    degrees."""
    k = worth.shape[1]
    way = np.exp(2j * np.pi * np.arange(k) / k)
    best = worth.max(1, keepdims=True)
    mean = np.maximum(worth - _AS_GOOD * best, 0) @ way
    return np.asarray(np.round(np.angle(mean) * k / (2 * np.pi)).astype(np.int64) % k, np.int64)


def steps(image: Image, xy: Floats, frame: Floats, reach: Floats, half: Floats) -> Floats:
    """Colour steps across lines parallel to the four sides: (n, k, 4, g - 3) for `reach` (n, g) in the frames' units.

    Step j lies between reach j and j + 3, its middle at (reach[j + 1] + reach[j + 2]) / 2. `half`: (n,) half the
    length of the lines.
    """
    n, k = frame.shape[:2]
    a, g = len(_ACROSS), reach.shape[1]
    left = np.stack([-_OUT[:, 1], _OUT[:, 0]], 1)
    # (a, n, 4, g, 2): the places along a side come first, so that each is one piece when they are sorted.
    along = (_ACROSS[:, None] * half)[:, :, None, None, None]
    local = (_OUT[:, None] * reach[:, None, :, None] + left[:, None] * along).astype(np.float32)
    local = local.reshape(a, n, 1, 4 * g, 2)
    axes, middle = frame.astype(np.float32)[..., None], xy.astype(np.float32)[:, None, None]
    x = local[..., 0] * axes[:, :, 0, 0] + local[..., 1] * axes[:, :, 0, 1] + middle[..., 0]
    y = local[..., 0] * axes[:, :, 1, 0] + local[..., 1] * axes[:, :, 1, 1] + middle[..., 1]
    got = look_up(image, x.reshape(a * n, -1), y.reshape(a * n, -1)).reshape(a, -1)
    line = _middle_three(got).reshape(n, k, 4, g, 3)
    return np.asarray(np.linalg.norm(line[..., 3:, :] - line[..., :-3, :], axis=-1))


def _middle_three(seven: NDArray[np.uint8]) -> Floats:
    """Mean of the middle three of seven rows (7, m): a pip of the face beside, or a corner, does not move it.

    Two rounds from each end that let the largest and the smallest go; whole rows at a time, ten times as fast as to
    sort them.
    """
    rows = list(seven)
    for _ in range(2):
        for k in range(len(rows) - 1):
            rows[k], rows[k + 1] = np.minimum(rows[k], rows[k + 1]), np.maximum(rows[k], rows[k + 1])
        rows.pop()
        for k in range(len(rows) - 1, 0, -1):
            rows[k - 1], rows[k] = np.minimum(rows[k - 1], rows[k]), np.maximum(rows[k - 1], rows[k])
        rows.pop(0)
    return np.asarray(sum(row.astype(np.float32) for row in rows) / 3)
