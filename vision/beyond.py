"""What shows just beyond a top face, where a die that lies flat has no side to show and a leaning one does, and just
within it."""

import numpy as np
from numpy.typing import NDArray

from vision.cube import NEXT, Cubes
from vision.frame import Image
from vision.ground import die_like, floor_like, shaded
from vision.profile import Profile
from vision.sampling import Floats

_ALONG = np.linspace(-0.6, 0.6, 7)  # along a side, in half edges: corners are round
_OUT = np.array([1.15, 1.22, 1.29])  # from the middle of the face, in half edges: past blur and a round edge
_WITHIN = np.array([0.8, 0.86, 0.92])  # the same, inside of a round edge
_HIDDEN = -0.02  # a side is turned away if the foot lies inwards of its top edge by this, in edges
_WIDER = 1.12  # outlines of other dice are taken this much wider, for they may be a bit off


def beyond(image: Image, cubes: Cubes, profile: Profile) -> Floats:
    """(n,) largest share, over the sides turned away from the camera, of die colours just beyond the side.

    What other dice may cover does not count. 0 where the profile knows no colours.
    """
    n, top = len(cubes), cubes.top
    if not n or profile.likeness is None:
        return np.zeros(n)
    at = _along(top, _OUT)
    inside = (at > 0).all(2) & (at < (image.shape[1] - 1, image.shape[0] - 1)).all(2)
    clear = inside & ~covered(at, cubes)
    die = die_like(image, at, profile) & clear
    die, clear, at = die.reshape(n, 4, -1), clear.reshape(n, 4, -1), at.reshape(n, 4, -1, 2)
    # A floor in shadow may have the colours of dark dice.
    for k in range(4):
        die[shaded(image, at[:, k], die[:, k], profile), k] = False
    # A third of the places at least must be in view, or the few that are would say too much.
    share = die.sum(2) / np.maximum(clear.sum(2), clear.shape[2] // 3)
    out = (top + top[:, NEXT]) / 2 - top.mean(1)[:, None]
    length = np.linalg.norm(out, axis=2)
    shift = (cubes.foot - top).mean(1)
    away = (out @ shift[:, :, None])[..., 0] / length / (2 * length.mean(1, keepdims=True)) < _HIDDEN
    return np.asarray(np.where(away, share, 0).max(1))


def bare(image: Image, top: Floats, profile: Profile) -> Floats:
    """(n,) largest share, over the four sides, of floor just within the top face (n, 4, 2): where a die that lies flat
    has its own border."""
    n = len(top)
    if not n:
        return np.zeros(0)
    at = _along(top, _WITHIN)
    return np.asarray(floor_like(image, at, profile).reshape(n, 4, -1).mean(2).max(1))


def _along(top: Floats, out: Floats) -> Floats:
    """(n, m, 2) places along the four sides of `top` (n, 4, 2), side by side, at `out` half edges from its middle."""
    centre = top.mean(1)
    start, end = top, top[:, NEXT]
    way, along = (start + end) / 2 - centre[:, None], (end - start) / 2
    at = (
        centre[:, None, None, None]
        + way[:, :, None, None] * out[:, None, None]
        + along[:, :, None, None] * _ALONG[:, None]
    )
    return np.asarray(at.reshape(len(top), -1, 2))


def covered(at: Floats, cubes: Cubes) -> NDArray[np.bool_]:
    """Which places (n, m, 2), in pixels, beside each of the `cubes` others of them may cover."""
    top = cubes.top
    covered = np.zeros(at.shape[:2], np.bool_)
    centre = top.mean(1)
    size = np.linalg.norm(top[:, 0] - top[:, 2], axis=1)
    for j in range(len(top)):
        near = np.nonzero(np.hypot(*(centre - centre[j]).T) < 1.3 * (size + size[j]))[0]
        near = near[near != j]
        if len(near):
            hull = cubes.hulls[j]
            hull = hull.mean(0) + _WIDER * (hull - hull.mean(0))
            side = np.concatenate([hull[1:], hull[:1]]) - hull
            way = at[near][:, :, None] - hull
            turn = side[:, 0] * way[..., 1] - side[:, 1] * way[..., 0]
            covered[near] |= (turn >= 0).all(2) | (turn <= 0).all(2)
    return covered
