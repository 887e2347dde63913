"""The same tray and dice with a new picture of the empty tray: for other light, a nudged camera, another felt."""

import math
from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from speech.sentence import say
from vision import drifting, landmarks, light, likeness
from vision.align import Warp
from vision.control import Control
from vision.displaced import Displaced, displaced
from vision.errors import VisionError
from vision.frame import Image
from vision.geometry import Camera
from vision.likeness import BINS, Likeness
from vision.polygon import Polygon
from vision.profile import Profile, shrunk
from vision.sampling import Floats

# A camera that went further, or nearer, sees dice from other sides and at another size than was learned.
_MM, _DEGREES, _GROWN = 20.0, 10.0, 0.01
# Shadows are told from dice by their colours too: the floor in so much of its light, and how often that is seen.
_SHADES = ((1.0, 0.7), (0.75, 0.2), (0.5, 0.1))
_BANDS = 16  # of a picture, one after the other: a small Pi has little memory


def relocked(profile: Profile, empty: Image, controls: Mapping[str, Control] | None = None) -> Profile:
    """`profile` as it is now that the empty tray looks like `empty`, of the profile's size, which is kept and not to be
    written to any more. `controls`: what the camera is locked to now, when that is known.

    Raises `VisionError` when the camera has moved too far for that.
    """
    if profile.empty is None:
        raise VisionError(say("This dice set has no picture of its empty tray: calibrate again, it takes a minute."))
    way = _moved(profile, empty)
    if way is not None:
        profile = _carried(profile, way)
    profile = _in_light(profile, empty)
    empty = empty.view()
    empty.setflags(write=False)
    return replace(profile, empty=empty, controls=profile.controls if controls is None else controls)


def _moved(profile: Profile, empty: Image) -> Displaced | None:
    """How far the camera has moved; None when it has not."""
    kept = landmarks.kept(shrunk(light.as_learned(empty, profile)), profile.landmarks)
    if kept >= landmarks.STEADY:
        return None
    way = displaced(empty, profile)
    if way is None or way.mm > _MM or abs(way.degrees) > _DEGREES or abs(way.grown - 1) > _GROWN:
        raise VisionError(
            say(
                "The camera or the tray has moved too far to go on with this calibration: calibrate again, it takes "
                "a minute."
            )
        )
    return way


def _carried(profile: Profile, way: Displaced) -> Profile:
    """The tray as the camera sees it now; its height and its lens are as they were."""
    assert profile.empty is not None
    camera, turn = profile.camera, math.radians(way.degrees)
    tilt_x = math.cos(turn) * camera.tilt_x - math.sin(turn) * camera.tilt_y
    tilt_y = math.sin(turn) * camera.tilt_x + math.cos(turn) * camera.tilt_y
    camera = Camera(camera.focal, camera.cx, camera.cy, tilt_x, tilt_y, camera.height_mm, camera.bend)
    size = (profile.width, profile.height)
    seen = cv2.warpAffine(profile.empty, way.way, size, borderMode=cv2.BORDER_REPLICATE)
    return replace(
        profile,
        camera=camera,
        tray=_there(profile.tray, way.way),
        rail=_there(profile.rail, way.way),
        empty=np.asarray(seen, np.uint8),
    )


def _there(polygon: Polygon | None, way: Warp) -> Polygon | None:
    if polygon is None:
        return None
    return tuple((float(x), float(y)) for x, y in np.array(polygon) @ way[:, :2].T + way[:, 2])


def _in_light(profile: Profile, empty: Image) -> Profile:
    """Colours as they are in the light of `empty`, and its floor known for floor."""
    before = profile.empty
    assert before is not None
    times = drifting.lit_times(shrunk(empty), profile)
    kinds = tuple(replace(kind, body=_times(kind.body, times), pip=_times(kind.pip, times)) for kind in profile.kinds)
    if profile.likeness is None:
        return replace(profile, kinds=kinds)
    table = _shown(profile.likeness, times)
    return replace(
        profile, kinds=kinds, likeness=likeness.on_other_floor(table, _floor(before, times), _floor(empty, np.ones(3)))
    )


def _times(colour: tuple[float, float, float], times: Floats) -> tuple[float, float, float]:
    blue, green, red = (min(255.0, float(c * t)) for c, t in zip(colour, times, strict=True))
    return blue, green, red


def _shown(table: Likeness, times: Floats) -> Likeness:
    """The table for colours that are `times` as bright."""
    if np.abs(np.log(times)).max() < 0.03:
        return table
    step = 256 / BINS
    middles = (np.arange(BINS) + 0.5) * step
    at = [np.clip(middles / t / step, 0, BINS - 1).astype(int) for t in times]
    return np.ascontiguousarray(table[np.ix_(*at)])


def _floor(empty: Image, times: Floats) -> NDArray[np.float64]:
    """How often each colour is seen on the floor, were it `times` as bright: in its own light and in shadows."""
    levels = np.clip(np.arange(256)[:, None] * times, 0, 255).astype(np.uint8)
    total = np.zeros((BINS,) * 3)
    for rows in np.array_split(empty, _BANDS):
        every = np.ones(rows.shape[:2], np.bool_)
        for shade, share in _SHADES:
            seen = cv2.LUT(rows, cv2.convertScaleAbs(levels, alpha=shade)[None])
            total += share * likeness.count(np.asarray(seen, np.uint8), every)
    return total
