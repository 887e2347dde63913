"""Whether places of a picture show a die or the floor."""

import numpy as np
from numpy.typing import NDArray

from vision import likeness
from vision.frame import Image
from vision.places import farthest
from vision.profile import Profile
from vision.sampling import Floats, look_up, sample

_DIE, _FLOOR = 165, 40  # likeness from which a colour counts as die, up to which as floor
_CHANGED = 14  # least difference to the empty tray that is no noise, 0-255
# A shadow leaves a floor its colour, to this share of it and this much more (sums over the channels).
_SHADE, _NOISE = 0.12, 8.0


def die_like(image: Image, at: Floats, profile: Profile) -> NDArray[np.bool_]:
    """Which places (n, m, 2), in pixels, show a colour of the dice that was not there before. None where the profile
    knows no colours."""
    if profile.likeness is None:
        return np.zeros(at.shape[:2], np.bool_)
    now = look_up(image, at[..., 0], at[..., 1])
    die = likeness.of(now, profile.likeness) > _DIE
    if profile.empty is not None:
        die &= farthest(now, look_up(profile.empty, at[..., 0], at[..., 1])) > _CHANGED
    return np.asarray(die)


def floor_like(image: Image, at: Floats, profile: Profile) -> NDArray[np.bool_]:
    """Which places (n, m, 2), in pixels, show a colour that only the floor has, or what was there before."""
    if profile.likeness is None:
        return np.zeros(at.shape[:2], np.bool_)
    now = look_up(image, at[..., 0], at[..., 1])
    like = likeness.of(now, profile.likeness)
    floor = like < _FLOOR
    if profile.empty is not None:
        floor |= (like < _DIE) & (farthest(now, look_up(profile.empty, at[..., 0], at[..., 1])) <= _CHANGED)
    return np.asarray(floor)


def shaded(image: Image, at: Floats, which: NDArray[np.bool_], profile: Profile) -> NDArray[np.bool_]:
    """(n,) whether the empty tray in a shadow would look as the places (n, m, 2) do, on the mean of those in `which`
    (n, m)."""
    if profile.empty is None:
        return np.zeros(len(at), np.bool_)
    weight = which[..., None] / np.maximum(which.sum(1), 1)[:, None, None]
    now, then = ((sample(p, at[..., 0], at[..., 1]) * weight).sum(1) + 1 for p in (image, profile.empty))
    return shadow(now, then, _NOISE)


def shadow(now: Floats, then: Floats, noise: float = 0.0) -> NDArray[np.bool_]:
    """(n,) whether colours `now` (n, 3) are those of `then` (n, 3) in a shadow."""
    light = now.sum(1) / np.maximum(then.sum(1), 1)
    off = np.abs(now - light[:, None] * then).sum(1)
    return np.asarray((off < _SHADE * now.sum(1) + noise) & (light < 1))
