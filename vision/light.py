"""Pictures in more or less light than the profile's are brought to its light, so that colours keep their meaning."""

import cv2
import numpy as np

from vision.frame import Image
from vision.profile import SHRINK, Profile
from vision.sampling import Floats

# Cameras flicker by up to this share from picture to picture; that changes nothing.
_SAME = 0.05
DARKEST = 0.3  # beyond this share colours cannot be brought back, or it is a picture of something else
# Times as bright in the picture. Half the light makes it 0.68 to 0.73, twice the light 1.37 to 1.44: what is read
# then is asked about: of 216 rendered throws in twice the light five were read wrong, in half of it two.
_LESS, _MORE = 0.76, 1.27
# The strongest channel against the weakest, times: a warm lamp for a cold one is 1.4 and more, another picture 1.05.
_TINT = 1.25
# Darker places than this (0-255) are mostly noise; lighter ones may be clipped.
DARK, CLIPPED = 20, 250
_EVERY = 6  # of the shrunk picture's rows and columns: some 2,000 places, enough floor and quick
LEAST = 200  # places that must be compared
_STRIP = 16  # rows: 61 kB of a usual picture


def other(image: Image, profile: Profile, gain: float) -> bool:
    """Whether it is other light than the profile's: much more of it, much less, or of another colour. `gain`: see
    `brightness`."""
    return changed(gain) or tinted(tint(image, profile))


def changed(gain: float) -> bool:
    return not _LESS < gain < _MORE


def tinted(times: Floats) -> bool:
    """`times`: as in `tint`."""
    return bool(times.max() > _TINT * times.min())


def as_learned(image: Image, profile: Profile, gain: float | None = None) -> Image:
    """`image`, of the profile's size, as bright as the profile's empty tray; the same array where it is already, or
    never can be. `gain`: its `brightness`, where that is known."""
    gain = brightness(image, profile) if gain is None else gain
    if profile.empty is None or abs(gain - 1) < _SAME or not DARKEST < gain < 1 / DARKEST:
        return image
    out = np.asarray(cv2.convertScaleAbs(image, alpha=1 / gain), np.uint8)
    # What is clipped was at least as bright: no change to the empty tray, if that is brighter still. In strips, for to
    # fill a whole new picture takes longer than all of the rest.
    for top in range(0, len(image), _STRIP):
        rows = slice(top, top + _STRIP)
        clipped = cv2.threshold(image[rows], 254, 255, cv2.THRESH_BINARY)[1]
        cv2.max(out[rows], cv2.bitwise_and(clipped, profile.empty[rows]), out[rows])
    return out


def brightness(image: Image, profile: Profile) -> float:
    """How many times as bright as the empty tray the picture is: 1 without an empty picture, or where it is black.

    The middle of all places: dice and their shadows cover less than half of them.
    """
    if profile.empty is None:
        return 1.0
    return _times(*(np.maximum.reduce(cv2.split(_some(picture))) for picture in (image, profile.empty)))


def tint(image: Image, profile: Profile) -> Floats:
    """(3,) how many times as bright each channel is."""
    if profile.empty is None:
        return np.ones(3)
    now, then = _some(image), _some(profile.empty)
    return np.array([_times(now[..., channel], then[..., channel]) for channel in range(3)])


def _some(picture: Image) -> Image:
    """A few of its pixels, evenly spread."""
    step = SHRINK * _EVERY
    return picture[step // 2 :: step, step // 2 :: step]


def _times(now: Image, then: Image) -> float:
    """In the middle of all places where both can be told; 1 where that are too few."""
    # Chosen by both alike: by one alone those would be taken that noise made lighter in just that one.
    fit = (cv2.add(then >> 1, now >> 1) > DARK) & (then > 0) & (then < CLIPPED) & (now < CLIPPED)
    # Bytes are divided into half precision, which is slow.
    times = np.divide(now[fit], then[fit], dtype=np.float32)
    return float(np.partition(times, len(times) // 2)[len(times) // 2]) if len(times) > LEAST else 1.0
