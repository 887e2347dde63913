"""Outlines: where the square of a top face ends on its four sides."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sampling import Floats, sample

_ACROSS = np.linspace(-0.42, 0.42, 7, dtype=np.float32)  # along a side, in edges
_OUT = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], np.float32)  # outward from each side, in the face's axes


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """One a row. `half`: (n,) pixels from the centre to a side. `angle`: (n,) radians. `steps`: (n, 4) colour step
    (0-255, length of the BGR difference) across each side. `best`: (n,) mean of the steps, each held to `enough`.
    `centre`: (n, 2) pixels, the middle of the square."""

    half: Floats
    angle: Floats
    steps: Floats
    best: Floats

    def clear(self, step: float | Floats) -> NDArray[np.int64]:
        """(n,) how many of the four sides show at least this step."""
        return np.asarray((self.steps >= np.asarray(step).reshape(-1, 1)).sum(1))


def trace(
    image: Image,
    xy: Floats,
    angles: Floats,
    lows: Floats,
    highs: Floats,
    enough: Floats,
    grid: int = 14,
) -> Outlines:
    """The best square around each centre.

    `angles`: (n, k) radians to try. `lows`, `highs`: (n,) least and largest half edge, pixels. `enough`: (n,) a
    colour step that leaves no doubt; a stronger one earns no more, so that one hard edge cannot outvote three.
    """
    n, k = angles.shape
    reach = lows[:, None] * 0.85 + (highs * 1.15 - lows * 0.85)[:, None] * np.linspace(0, 1, grid + 4)  # (n, g)
    cos, sin = np.cos(angles), np.sin(angles)
    mid = (lows + highs) / 2
    along = _ACROSS[None] * 2 * mid[:, None]  # (n, a)
    # local coordinates (n, side, g, a)
    lx = _OUT[None, :, None, None, 0] * reach[:, None, :, None] - _OUT[None, :, None, None, 1] * along[:, None, None, :]
    ly = _OUT[None, :, None, None, 1] * reach[:, None, :, None] + _OUT[None, :, None, None, 0] * along[:, None, None, :]
    lx, ly = lx.reshape(n, 1, -1), ly.reshape(n, 1, -1)
    x = xy[:, 0, None, None] + cos[..., None] * lx - sin[..., None] * ly
    y = xy[:, 1, None, None] + sin[..., None] * lx + cos[..., None] * ly
    got = sample(image, x.reshape(n * k, -1), y.reshape(n * k, -1)).reshape(n, k, 4, grid + 4, len(_ACROSS), 3)
    # The middle of the samples along a side: a pip of the face beside, or a corner, does not move it.
    line = np.sort(got, axis=4)[..., 2:-2, :].mean(4)
    step = np.linalg.norm(line[..., 3:, :] - line[..., :-3, :], axis=-1)  # (n, k, 4, g + 1)
    # A side may lie a step nearer or farther than its fellows: perspective, and centres of ones that are a bit off.
    near = np.maximum(np.maximum(step[..., 1:-1], 0.85 * step[..., 2:]), 0.85 * step[..., :-2])
    held = np.minimum(near, enough[:, None, None, None]).sum(2)  # (n, k, g - 1)
    flat = held.reshape(n, -1).argmax(1)
    which, where = flat // held.shape[2], flat % held.shape[2]
    rows = np.arange(n)
    half = (reach[rows, where + 2] + reach[rows, where + 3]) / 2
    return Outlines(
        half.astype(np.float32),
        angles[rows, which].astype(np.float32),
        near[rows, which, :, where].astype(np.float32),
        (held[rows, which, where] / 4).astype(np.float32),
    )
