"""Is the tray as it was calibrated? Compared at every idle moment, and set again when somebody asks for it."""

from collections.abc import Iterable

import numpy as np

from calibration.relock import relocked
from firmware.drivers import Camera
from firmware.link import AT_REST, Drifted
from speech.sentence import say
from vision import drifting
from vision.drift import Drift
from vision.errors import VisionError
from vision.frame import Frame, Image
from vision.happening import Happening
from vision.profile import Profile
from vision.seen import SeenDie
from vision.watcher import Read

# A rest is looked at soon, and then now and then for as long as it lasts: 20 ms each on a desktop.
_SOON_S, _EVERY_S = 0.5, 2.0
_FRAMES = 8  # put together to an empty picture without grain
_FRAME_S = 2.0
_DICE = say("There are dice in the tray: take them out, then set it again.")
_NO_PROFILE = say("No dice set is in use, so there is nothing to set again: calibrate first.")


class Keeper:
    """Compares what the eye sees at rest with the profile. Owned by the eye's thread.

    What differs is told when two looks agree on it, and again when it is over: somebody who leans over the tray is no
    drift.
    """

    def __init__(self) -> None:
        self._dice: tuple[SeenDie, ...] = ()
        self._resting, self._next_s = False, 0.0
        self._last: tuple[Drift, ...] | None = None
        # The table may have been told of something by an eye before this one.
        self._told: tuple[Drift, ...] | None = None

    def see(self, frame: Frame, happenings: Iterable[Happening], profile: Profile | None) -> Drifted | None:
        """After each frame: what there is to tell. `happenings`: in this frame."""
        for happening in happenings:
            self._resting = happening.kind in AT_REST
            if self._resting:
                self._dice, self._next_s = happening.dice, frame.at_s + _SOON_S
        if profile is None or not self._resting or frame.at_s < self._next_s:
            return None
        self._next_s = frame.at_s + _EVERY_S
        height, width = frame.image.shape[:2]
        found = drifting.compare(frame.image, profile.for_size(width, height), self._dice)
        before, self._last = self._last, found
        if (
            before is None
            or _kinds(found) != _kinds(before)
            or (self._told is not None and _kinds(found) == _kinds(self._told))
        ):
            return None
        self._told = found
        return Drifted(found)

    def afresh(self) -> Drifted | None:
        """With another profile: what was told of the one before is over."""
        told, self._told, self._last, self._resting = self._told, None, None, False
        return Drifted(()) if told else None

    def relock(self, camera: Camera, profile: Profile | None, read: Read) -> Profile:
        """Take the tray as it is for the empty one: the camera settles on it and is locked, and a new profile is made
        of the old. Takes some seconds. Raises `CameraLost`, and `VisionError` where that cannot be."""
        if profile is None or profile.empty is None:
            raise VisionError(_NO_PROFILE)
        if self._dice:
            raise VisionError(_DICE)
        controls = camera.lock()
        empty = _still(camera)
        try:
            profile = profile.for_size(empty.shape[1], empty.shape[0])
            if _shows_dice(empty, profile, read):
                raise VisionError(_DICE)
            return relocked(profile, empty, controls)
        except VisionError:
            camera.lock(profile.controls or None)
            raise


def _kinds(drifts: tuple[Drift, ...]) -> list[str]:
    return [one.kind for one in drifts]


def _still(camera: Camera) -> Image:
    """Several frames in one."""
    total = camera.read(_FRAME_S).image.astype(np.uint16)
    for _ in range(_FRAMES - 1):
        total += camera.read(_FRAME_S).image
    total += _FRAMES // 2
    total //= _FRAMES
    return total.astype(np.uint8)


def _shows_dice(picture: Image, profile: Profile, read: Read) -> bool:
    """By the profile where it fits; from a tray that looks all different, by the picture alone."""
    seen = read(Frame(picture), profile)
    if any(doubt.everywhere for doubt in seen.doubts):
        seen = read(Frame(picture), None)
    return any(die.confidence > 0.5 for die in seen.dice)
