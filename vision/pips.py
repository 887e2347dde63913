"""Pips: small round spots that differ in colour from all that is around them."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.gauge import gauge, odd
from vision.sampling import Floats, smaller

# The radius, in pixels, at which spots are looked for; the picture is resized to bring the pips there. 4.5 keeps
# about 60 pixels in a pip, enough for a roundness, at a quarter of the cost of a phone photograph's full size.
LOOK_AT = 4.5
_MOST = 6000  # spots measured a picture and size: a coarse carpet must not cost more
# Of the last step to a spot's middle. Where its edge lies just between the places that are looked at, it swings to and
# fro for ever. On 3,000 drawn spots whole steps were off by 0.067 pixels (root mean square), these by 0.039.
_LAST = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Pips:
    """Spots, one a row in each array.

    `xy`: (n, 2) pixels. `radius`: (n,) pixels. `ratio`: (n,) short over long axis, 1 is a circle. `inner`, `outer`:
    (n, 3) BGR of the spot and of what is around it. `contrast`: (n,) colour distance between the two.
    `clean`: (n,) 0-1, how evenly the surroundings lie on one side of the spot's edge all the way round.
    `lean`: (n,) radians from the picture's x axis to the long axis, y down.
    """

    xy: Floats
    radius: Floats
    ratio: Floats
    inner: Floats
    outer: Floats
    contrast: Floats
    clean: Floats
    rough: Floats
    grain: Floats
    lean: Floats

    def __len__(self) -> int:
        return len(self.radius)

    def pick(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Pips":
        return Pips(*(getattr(self, name)[which] for name in Pips.__slots__))


def none() -> Pips:
    one, three = np.zeros(0), np.zeros((0, 3))
    return Pips(np.zeros((0, 2)), one, one, three, three, *[one] * 5)


def join(parts: list[Pips]) -> Pips:
    parts = [p for p in parts if len(p)]
    if not parts:
        return none()
    return Pips(*(np.concatenate([getattr(p, name) for p in parts]) for name in Pips.__slots__))


def smoothed(image: Image, radius: float) -> Image:
    """Each pixel the mean over a spot of this radius."""
    return np.asarray(cv2.blur(image, (odd(1.3 * radius),) * 2), np.uint8)


def spots(inside: Image, radius: float, floor: float = 10.0, share: float = 0.10) -> Floats:
    """Where something of about this radius differs from its surroundings: (n, 2) pixels.

    `inside`: see `smoothed`. `floor`: least colour difference, 0-255. `share`: least difference as a share of the
    surroundings' brightness, so that a dim corner is searched as well as a bright one.
    """
    around = cv2.blur(inside, (odd(4.2 * radius),) * 2)
    difference = cv2.absdiff(inside, around)
    strength = cv2.transform(difference, np.full((1, 3), 0.5, np.float32))
    light = cv2.transform(around, np.full((1, 3), 0.5 * share, np.float32))
    peak = cv2.dilate(strength, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (odd(1.8 * radius),) * 2))
    least = cv2.max(light, np.full_like(light, int(floor)))
    found = cv2.bitwise_and(cv2.compare(strength, peak, cv2.CMP_EQ), cv2.compare(strength, least, cv2.CMP_GT))
    # Whole numbers make every other peak a few pixels wide: these are one spot.
    at = cv2.connectedComponentsWithStats(found)[3][1:]
    if len(at) > _MOST:
        x, y = at.astype(int).T
        at = at[np.argpartition(-strength[y, x].astype(int), _MOST)[:_MOST]]
    return at.astype(np.float32)


def measure(image: Image, xy: Floats, radius: Floats, turns: int = 3, last: float = _LAST) -> Pips:
    """Measure a spot at each place, moving to its centre and to its own radius `turns` times.

    `last`: how much of the last step to its centre is made; 1 if it is measured again from there.
    """
    if not len(xy):
        return none()
    xy = start = xy.astype(np.float32)
    first = radius = radius.astype(np.float32)
    for turn in range(1, turns + 1):
        seen = gauge(image, xy, radius)
        xy = xy + (last if turn == turns else 1.0) * seen.shift * radius[:, None]
        radius = np.clip(radius * seen.size, 0.6 * first, 1.7 * first)
    rough, grain = seen.rough, seen.grain
    # Noise has no round shape: it varies along circles around its middle. Pips stay below 0.22, specks lie above 0.2.
    clean = (1 - seen.one_sided) * np.clip((0.36 - rough) / 0.12, 0, 1)
    stray = np.hypot(*(xy - start).T) > 1.5 * first
    clean = np.where(stray, 0, clean * np.clip((0.35 - grain) / 0.15, 0, 1))
    return Pips(xy, radius, seen.ratio, seen.inner, seen.outer, np.sqrt(seen.square), clean, rough, grain, seen.lean)


def measured(image: Image, xy: Floats, radius: float) -> Pips:
    """As `measure`, but what is no spot at the second look is left out before the rest is measured to the end: by whole
    steps, which is enough to find faces of any size by."""
    second = second_look(image, xy, radius)
    return measure(image, second.xy, second.radius, turns=1, last=1.0)


def second_look(image: Image, xy: Floats, radius: float) -> Pips:
    """Those that are spots at the second look."""
    first = measure(image, xy, np.full(len(xy), radius, np.float32), turns=1, last=1.0)
    # Of 9,400 that were pips in the end nine were as rough, or as grainy around, at first.
    first = first.pick((first.rough < 0.9) & (first.grain < 0.8) & (first.contrast > 4))
    second = measure(image, first.xy, first.radius, turns=1, last=1.0)
    return second.pick((second.ratio > 0.4) & (second.clean > 0.1) & (second.contrast > 8))


def find(image: Image, radius: float, floor: float = 10.0, share: float = 0.10) -> Pips:
    """Round clean spots of about `radius` pixels (within a factor 1.5) anywhere in the picture."""
    scale = LOOK_AT / radius
    small = resized(image, scale)
    places = spots(smoothed(small, LOOK_AT), LOOK_AT, floor, share)
    found = measured(small, places, LOOK_AT)
    sound = (found.ratio > 0.55) & (found.clean > 0.6) & (found.contrast > floor)
    sound &= (found.radius > 0.64 * LOOK_AT) & (found.radius < 1.6 * LOOK_AT)
    found = distinct(found.pick(sound))
    return replace(found, xy=(found.xy + 0.5) / scale - 0.5, radius=found.radius / scale)


def distinct(pips: Pips) -> Pips:
    """Without those that lie on a better one."""
    if len(pips) < 2:
        return pips
    worth = pips.clean * pips.ratio
    order = np.argsort(-worth)
    x, y = pips.xy[order].T
    radius = pips.radius[order]
    apart = np.hypot(x[:, None] - x, y[:, None] - y)
    # A small dark pip in the middle of a small light face: both are spots, of different sizes.
    size = np.maximum(radius[:, None], radius)
    close = (apart < 0.8 * size) & (size < np.exp(0.5) * np.minimum(radius[:, None], radius))
    return pips.pick(order[without(close)])


def without(rivals: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n,) which to keep, the best come first, when none that has a better rival is kept; `rivals`: (n, n)."""
    keep = np.ones(len(rivals), np.bool_)
    # Most have none.
    for k in np.nonzero(np.triu(rivals, 1).any(1))[0]:
        if keep[k]:
            keep[k + 1 :] &= ~rivals[k, k + 1 :]
    return keep


def resized(image: Image, scale: float) -> Image:
    """`scale`: of the sides, which are rounded to whole pixels."""
    if scale == 1:
        return image
    return smaller(image, max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
