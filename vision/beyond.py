"""What shows just beyond a top face where a die that lies flat has no side to show: there a leaning die does."""

import numpy as np
from numpy.typing import NDArray

from vision import cube, likeness
from vision.frame import Image
from vision.profile import Profile
from vision.sampling import Floats, sample

_ALONG = np.linspace(-0.6, 0.6, 7)  # along a side, in half edges: corners are round
_OUT = np.array([1.15, 1.22, 1.29])  # from the middle of the face, in half edges: past blur and a round edge
_HIDDEN = -0.02  # a side is turned away if the foot lies inwards of its top edge by this, in edges
_DIE, _CHANGED = 165, 14  # likeness from which a colour counts as die; least difference to the empty tray, 0-255
_WIDER = 1.12  # outlines of other dice are taken this much wider, for they may be a bit off


def beyond(image: Image, top: Floats, foot: Floats, profile: Profile) -> Floats:
    """(n,) largest share, over the sides turned away from the camera, of die colours just beyond the side.

    `top`, `foot`: (n, 4, 2) pixels, see `cube.flat`. What other dice may cover does not count. 0 where the profile
    knows no colours.
    """
    n = len(top)
    if not n or profile.likeness is None:
        return np.zeros(n)
    centre = top.mean(1)
    start, end = top, np.roll(top, -1, axis=1)
    out, along = (start + end) / 2 - centre[:, None], (end - start) / 2
    at = (
        centre[:, None, None, None]
        + out[:, :, None, None] * _OUT[:, None, None]
        + along[:, :, None, None] * _ALONG[:, None]
    )
    at = at.reshape(n, -1, 2)
    die = _die(image, at, profile)
    clear = ~covered(at, top, foot)
    die, clear = (die & clear).reshape(n, 4, -1), clear.reshape(n, 4, -1)
    # A third of the places at least must be in view, or the few that are would say too much.
    share = die.sum(2) / np.maximum(clear.sum(2), clear.shape[2] // 3)
    length = np.linalg.norm(out, axis=2)
    shift = (foot - top).mean(1)
    away = (out @ shift[:, :, None])[..., 0] / length / (2 * length.mean(1, keepdims=True)) < _HIDDEN
    return np.asarray(np.where(away, share, 0).max(1))


def _die(image: Image, at: Floats, profile: Profile) -> NDArray[np.bool_]:
    assert profile.likeness is not None
    now = sample(image, at[..., 0], at[..., 1])
    die = likeness.of(np.clip(now, 0, 255).astype(np.uint8), profile.likeness) > _DIE
    if profile.empty is not None:
        die &= np.abs(now - sample(profile.empty, at[..., 0], at[..., 1])).max(2) > _CHANGED
    return np.asarray(die)


def covered(at: Floats, top: Floats, foot: Floats) -> NDArray[np.bool_]:
    """Which places (n, m) other dice may cover."""
    covered = np.zeros(at.shape[:2], np.bool_)
    centre = top.mean(1)
    size = np.linalg.norm(top[:, 0] - top[:, 2], axis=1)
    for j in range(len(top)):
        near = np.nonzero(np.hypot(*(centre - centre[j]).T) < 1.3 * (size + size[j]))[0]
        near = near[near != j]
        if len(near):
            hull = cube.outline(top[j], foot[j])
            hull = hull.mean(0) + _WIDER * (hull - hull.mean(0))
            side = np.roll(hull, -1, axis=0) - hull
            way = at[near][:, :, None] - hull
            turn = side[:, 0] * way[..., 1] - side[:, 1] * way[..., 0]
            covered[near] |= (turn >= 0).all(2) | (turn <= 0).all(2)
    return covered
