"""Pictures in more or less light than the profile's are brought to its light, so that colours keep their meaning."""

import cv2
import numpy as np

from vision.frame import Image
from vision.profile import SHRINK, Profile

# Cameras flicker by up to this share from picture to picture; that changes nothing.
_SAME = 0.05
DARKEST = 0.3  # beyond this share colours cannot be brought back, or it is a picture of something else
# Half the light and twice the light, as the picture shows them. What is read in less or more is asked about: of 216
# rendered throws in twice the light five were read wrong, in half of it two, dark dice above all.
_HALF, _TWICE = 0.74, 1.36
# Darker places than this (0-255) are mostly noise; lighter ones may be clipped.
DARK, CLIPPED = 20, 250
_EVERY = 6  # of the shrunk picture's rows and columns: some 2,000 places, enough floor and quick
LEAST = 200  # places that must be compared
_STRIP = 16  # rows: 61 kB of a usual picture


def other(gain: float) -> bool:
    """Whether so bright a picture, see `brightness`, is of other light than the profile's."""
    return not _HALF < gain < _TWICE


def as_learned(image: Image, profile: Profile) -> Image:
    """`image`, of the profile's size, as bright as the profile's empty tray; the same array where it is already, or
    never can be."""
    gain = brightness(image, profile)
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
    step = SHRINK * _EVERY
    now, then = (picture[step // 2 :: step, step // 2 :: step].max(2) for picture in (image, profile.empty))
    fit = (then > DARK) & (then < CLIPPED) & (now < CLIPPED)
    if fit.sum() < LEAST:
        return 1.0
    return float(np.median(now[fit] / then[fit]))
