"""How dice of this set differ in colour from this tray, learned from pictures in which all dice are known."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision import cube, emblems, known, likeness
from vision.frame import Image
from vision.likeness import Likeness
from vision.profile import Profile

# The floor far from dice and the empty tray tell less than the floor around the dice, where their shadows fall.
_FAR = 0.2


def learned(dice: Sequence[Image], profile: Profile) -> Likeness:
    on, off = (np.zeros((likeness.BINS,) * 3) for _ in range(2))
    if profile.empty is not None:
        off += _FAR * likeness.count(profile.empty, np.ones(profile.empty.shape[:2], np.bool_))
    for image in dice:
        found = known.look(image, profile).faces
        found = found.pick(emblems.sure(found))
        mask = cube.covered(image.shape[0], image.shape[1], found, profile)
        reach = max(3, round(0.05 * float(np.median(2 * found.half)))) if len(found) else 3
        on += likeness.count(image, cv2.erode(mask, _square(reach)) > 0)
        outside = cv2.dilate(mask, _square(2 * reach)) == 0
        around = cv2.dilate(mask, _square(30 * reach)) > 0
        off += likeness.count(image, outside & around)
        if profile.empty is None:
            off += _FAR * likeness.count(image, outside & ~around)
    return likeness.learned(on, off)


def _square(reach: int) -> Image:
    return np.ones((2 * (reach // 2) + 1,) * 2, np.uint8)
