"""Whether the pictures of a calibration belong together: one tray, one place of the camera, one light, and dice in
those that should show them, and in no other."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from speech.sentence import Sentence, say, say_many
from vision import cube, known, places
from vision.errors import VisionError
from vision.faces import Faces
from vision.frame import Image
from vision.profile import SHRINK, Profile, shrunk

# Of 54 rendered sessions an empty tray and its dice pictures agree in detail to at least 0.93, moved by 10 pixels to at
# most 0.56, turned by 5 degrees to at most 0.70 (a round tray about its middle), and two sessions to at most 0.1.
_ALIKE = 0.8
_BLOCK = 20  # of the shrunk picture: smaller than a die, large enough for some grain of the floor or an edge
_DETAIL = 1.0  # grey levels, twice the noise that is left of 6 levels in each pixel; less tells nothing
_BLOCKS = 12  # that have some detail; with fewer it cannot be told
# Between pictures of one calibration the rendered cameras flicker by up to 4 %. The reader bears with a fifth.
_BRIGHTER = 1.3
_DARK, _CLIPPED, _LEAST = 20, 250, 2000
# Twelve dice and their shadows change at most 0.11 of a picture, counted twice; other lamps change a third.
_CHANGED = 0.25
_MOVED = 0.3  # of a face's place differs from the other picture: something lies there now that did not, or lay there

Mask = NDArray[np.bool_]
EMPTY = say("the picture of the empty tray")


def dice_picture(number: int) -> Sentence:
    """What a picture of dice is called, counted from 1."""
    return say("dice picture {number}", number=number)


def one_tray(one: Image, other: Image, names: tuple[str, str], apart: Mask | None = None) -> None:
    """Raises `VisionError`, with the reason, when the pictures do not show one tray from one place in one light.

    `names`: what the pictures are called, such as "dice picture 2". `apart`: (h, w) of the shrunk pictures, where
    dice lie in one of them; without it dice are taken for a part of what differs."""
    first, second = names
    detail, turned = _detail(one), _detail(other)
    alike = _alike(detail, turned, apart)
    if alike < _ALIKE:
        far = _shift(detail, turned)
        if far is not None:
            raise VisionError(
                say(
                    "The camera or the tray was moved between {first} and {second} (by about {far} pixels): "
                    "fix both, and take the pictures again.",
                    first=first,
                    second=second,
                    far=far,
                )
            )
        raise VisionError(
            say(
                "There is another tray on {second} than on {first}, or the camera was moved between them: "
                "take all pictures of one tray with the camera fixed.",
                first=first,
                second=second,
            )
        )
    gains = _gains(one, other)
    worst = max(gains, key=lambda gain: abs(np.log(gain)))
    if not 1 / _BRIGHTER < worst < _BRIGHTER:
        if worst > 1:
            how = say("{times:.1f} times as bright", times=worst)
        else:
            how = say("{percent:.0f} % as bright", percent=100 * worst)
        raise VisionError(
            say(
                "The light is another one on {second} than on {first} ({how}): "
                "leave the lamps and the camera's exposure as they are, and take the pictures again.",
                first=first,
                second=second,
                how=how,
            )
        )
    lit = np.clip(shrunk(other) / np.array(gains), 0, 255).astype(np.uint8)
    differs = places.farthest(shrunk(one), lit) > places.CHANGED
    if (differs if apart is None else differs[~apart]).mean() > _CHANGED:
        raise VisionError(
            say(
                "The light falls otherwise on {second} than on {first}, or something large lies in one of them: "
                "clear the tray, leave the lamps as they are, and take the pictures again.",
                first=first,
                second=second,
            )
        )


def dice_in_place(empty: Image | None, dice: Sequence[Image], seen: Sequence[Faces], profile: Profile) -> None:
    """Raises `VisionError` when dice lie in the empty picture, or none in one of the dice pictures. `seen`: in each of
    these, `profile`: as learned from them."""
    if empty is not None:
        found = plain(known.look(empty, replace(profile, empty=None)).faces)
        lying = sum(all(_differs(found, k, empty, image) for image in dice) for k in range(len(found)))
        if lying:
            raise VisionError(
                say_many(
                    "The picture of the empty tray shows a die: take all dice out, and take it again.",
                    "The picture of the empty tray shows {count} dice: take all dice out, and take it again.",
                    lying,
                )
            )
    for at, (image, found) in enumerate(zip(dice, seen, strict=True)):
        others = [empty] if empty is not None else [*dice[:at], *dice[at + 1 :]]
        if others and not any(_differs(found, k, image, other) for k in range(len(found)) for other in others):
            raise VisionError(
                say(
                    "Dice picture {number} shows no dice, or none that were moved: throw them anew for each picture, "
                    "so that they lie flat inside the tray, and take it again.",
                    number=at + 1,
                )
            )


def plain(found: Faces) -> Faces:
    """Without those that may be a pattern of the floor: better to learn from fewer dice than from one of these."""
    if not len(found):
        return found
    bright = float(np.percentile(found.contrast, 75))
    keep = (found.strays == 0) & (found.contrast > 0.3 * bright) & (found.uneven < 0.35) & (found.misfit < 0.8)
    keep &= found.score > np.where(found.value > 1, 0.45 * found.value - 0.45, 0.15)
    # On dice a pip is 0.07 to 0.2 of the edge; specks are smaller.
    keep &= found.radius > 0.045 * 2 * found.half
    return found.pick(keep)


def where_dice_lie(image: Image, found: Faces, profile: Profile) -> Mask:
    """(h, w) of the shrunk picture: dice and the shadows around them."""
    mask = cube.covered(profile.height, profile.width, found, profile)
    reach = 2 * round(0.5 * float(np.median(2 * found.half))) + 1 if len(found) else 1
    wide = cv2.dilate(mask, np.ones((reach, reach), np.uint8))
    small = shrunk(image)
    size = (small.shape[1], small.shape[0])
    return np.asarray(cv2.resize(wide, size, interpolation=cv2.INTER_NEAREST) > 0)


def _differs(found: Faces, k: int, image: Image, other: Image) -> bool:
    """Whether the top face looks unlike the same place in another picture."""
    (x, y), half = found.xy[k], float(found.half[k])
    place = np.s_[max(0, round(y - half)) : round(y + half) + 1, max(0, round(x - half)) : round(x + half) + 1]
    return bool((places.farthest(image[place], other[place]) > places.CHANGED).mean() > _MOVED)


def _detail(image: Image) -> NDArray[np.float32]:
    """What is finer than a die, of the shrunk picture."""
    grey = cv2.GaussianBlur(cv2.cvtColor(shrunk(image), cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), 4.0), np.float32)


def _alike(one: NDArray[np.float32], other: NDArray[np.float32], apart: Mask | None = None) -> float:
    """How much the detail of most blocks agrees: 1 all of it, 0 none. 1 when there is too little detail to tell."""
    rows, columns = (side // _BLOCK for side in one.shape)

    def mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
        whole = values[: rows * _BLOCK, : columns * _BLOCK]
        return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)

    first, second = mean(one), mean(other)
    spread, wide = mean(one * one) - first**2, mean(other * other) - second**2
    told = np.maximum(spread, wide) > _DETAIL**2
    if apart is not None:
        told &= mean(apart.astype(np.float32)) == 0
    if told.sum() < _BLOCKS:
        return 1.0
    agreed = (mean(one * other) - first * second) / np.sqrt(np.maximum(spread * wide, 1e-6))
    return float(np.median(agreed[told]))


def _shift(one: NDArray[np.float32], other: NDArray[np.float32]) -> int | None:
    """Pixels of the whole picture by which one is moved against the other; None when that does not explain it."""
    window = cv2.createHanningWindow((one.shape[1], one.shape[0]), cv2.CV_32F)
    (x, y), _ = cv2.phaseCorrelate(one, other, window)
    back = np.array([[1, 0, x], [0, 1, y]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpAffine(other, back, (other.shape[1], other.shape[0]), flags=flags)
    far = round(SHRINK * float(np.hypot(x, y)))
    return far if far > 1 and _alike(one, np.asarray(moved, np.float32)) > _ALIKE else None


def _gains(one: Image, other: Image) -> tuple[float, float, float]:
    """How many times as bright the other is, by channel; that of all where a channel is too dark to tell."""
    first, second = shrunk(one), shrunk(other)

    def gain(now: NDArray[np.uint8], then: NDArray[np.uint8], otherwise: float) -> float:
        fit = (then > _DARK) & (then < _CLIPPED) & (now < _CLIPPED) & (now > 0)
        return float(np.median(now[fit] / then[fit])) if fit.sum() > _LEAST else otherwise

    whole = gain(second.max(2), first.max(2), 1.0)
    blue, green, red = (gain(second[..., k], first[..., k], whole) for k in range(3))
    return blue, green, red
