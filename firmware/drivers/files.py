"""Footage instead of a camera: a video file, or a folder of pictures, unpaced for `watch` and paced for `run`."""

import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from firmware.drivers.pictures import LEAST_SIDE, check_pictures, fitted, picture_files, read_picture
from firmware.errors import BadInput, CameraLost
from speech.sentence import say
from vision.control import Control
from vision.frame import Frame, Image

WIDEST = 1640  # pixels; a reader gains nothing from more, and loses its speed
PICTURE_S = 2.0  # how long each picture of a folder is shown
PICTURES_PER_S = 20.0
_USUAL_FPS = 30.0

Size = tuple[int, int]


def frames_of(path: Path) -> Iterator[Frame]:
    """Each frame of a video, or each picture of a folder in natural order of names, at full size and full speed.

    `at_s` counts from 0 by the video's frame rate; pictures are 1/30 s apart. Raises `BadInput`.
    """
    if path.is_dir():
        files = picture_files(path)
        check_pictures(files)
        for number, file in enumerate(files):
            yield Frame(read_picture(file), number, number / _USUAL_FPS)
        return
    video = _Video(path, None)
    try:
        number = 0
        while (image := video.at(number)) is not None:
            yield Frame(image, number, number / video.per_s)
            number += 1
    finally:
        video.close()


class _Footage(Protocol):
    per_s: float

    def at(self, number: int) -> Image | None:
        """The frame with this number, never lower than the last asked for; None beyond the end."""
        ...

    def close(self) -> None: ...


class FileCamera:
    """A `Camera` that plays footage at its own pace by the monotonic clock. Once over, its last frame stays.

    `size`: width and height to bring pictures to when their shape agrees; else they are at most `WIDEST` wide.
    `started_at_s`: when the footage began, on `clock`; None holds the first frame until `start` is called.
    `sleep`: waits on that clock; closing the camera ends the usual one.
    Raises `BadInput`.
    """

    def __init__(
        self,
        path: Path,
        size: Size | None = None,
        started_at_s: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self.name = path.name
        self._clock = clock
        self._started_s = started_at_s
        self._closed = threading.Event()
        self._sleep = sleep or self._closed.wait
        self._footage: _Footage = _Pictures(path, size) if path.is_dir() else _Video(path, size)
        first = self._footage.at(0)
        if first is None:
            raise BadInput(f"{path} has no frames that can be read; give another video.")
        self._image = first
        self._frame_s = 1 / self._footage.per_s
        self._opened = self._last = math.floor(clock() / self._frame_s)

    def start(self, at_s: float) -> None:
        """Let the footage run, its first frame being shown at `at_s`. Does nothing when it runs already."""
        if self._started_s is None:
            self._started_s = at_s

    def read(self, timeout_s: float) -> Frame:
        now_s = self._clock()
        number = max(math.floor(now_s / self._frame_s), self._last) + 1
        at_s = number * self._frame_s
        self._wait(min(at_s, now_s + timeout_s))
        if at_s > now_s + timeout_s:
            raise CameraLost(say("No frame of {name} was due in {seconds:g} s.", name=self.name, seconds=timeout_s))
        self._last = number
        return Frame(self._shown(at_s), number - self._opened, at_s)

    def lock(self, controls: Mapping[str, Control] | None = None) -> Mapping[str, Control]:
        del controls  # footage is as it was filmed
        return {}

    def close(self) -> None:
        self._closed.set()
        self._footage.close()

    def _shown(self, at_s: float) -> Image:
        if self._started_s is not None:
            place = math.floor((at_s - self._started_s) * self._footage.per_s + 1e-6)
            image = self._footage.at(max(0, place))
            self._image = self._image if image is None else image
        return self._image

    def _wait(self, until_s: float) -> None:
        while not self._closed.is_set() and (left := until_s - self._clock()) > 1e-6:
            self._sleep(left)
        if self._closed.is_set():
            raise CameraLost(say("{name} is closed.", name=self.name))


class _Pictures:
    """A folder of pictures, each shown for `PICTURE_S`."""

    per_s = PICTURES_PER_S

    def __init__(self, folder: Path, size: Size | None) -> None:
        self._files = picture_files(folder)
        check_pictures(self._files)
        self._size = size
        self._index = -1
        self._image: Image | None = None

    def at(self, number: int) -> Image | None:
        index = int(number / (PICTURE_S * PICTURES_PER_S))
        index = min(index, len(self._files) - 1)
        if index != self._index or self._image is None:
            self._image = _frozen(fitted(read_picture(self._files[index]), self._size, WIDEST))
            self._index = index
        return self._image

    def close(self) -> None:
        self._image = None


class _Video:
    """A video file, decoded forwards only."""

    def __init__(self, path: Path, size: Size | None) -> None:
        if not path.exists():
            raise BadInput(f"There is no {path}; give a video file, or a folder of pictures.")
        if path.stat().st_size == 0:
            raise BadInput(f"{path} is empty; give another video.")
        # Else FFmpeg writes its own lines about a broken file to stderr, beside our sentence.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        self._path, self._size = path, size
        self._capture = cv2.VideoCapture(str(path))
        rate = float(self._capture.get(cv2.CAP_PROP_FPS)) if self._capture.isOpened() else 0.0
        self.per_s = rate if 1 <= rate <= 240 else _USUAL_FPS
        self._next = 0
        self._image: Image | None = None
        if self.at(0) is None:
            self.close()
            raise BadInput(f"{path} has no frames that can be read; give a video such as MP4 or AVI.")

    def at(self, number: int) -> Image | None:
        grabbed = False
        while self._next <= number:
            if not self._capture.grab():
                return self._last() if grabbed else None
            self._next += 1
            grabbed = True
        return self._last() if grabbed else self._image

    def close(self) -> None:
        self._capture.release()

    def _last(self) -> Image | None:
        """Decode what was grabbed last."""
        there, image = self._capture.retrieve()
        if not there:
            return None
        if min(image.shape[:2]) < LEAST_SIDE:
            raise BadInput(f"{self._path} is only {image.shape[1]}x{image.shape[0]} pixels; film the whole tray.")
        self._image = _frozen(np.asarray(image, np.uint8))
        if self._size is not None or image.shape[1] > WIDEST:
            self._image = _frozen(fitted(self._image, self._size, WIDEST))
        return self._image


def _frozen(image: Image) -> Image:
    image.flags.writeable = False
    return image
