"""A USB camera through OpenCV and V4L2. Its own thread takes every frame, so that none is ever an old one."""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.drivers.usb_controls import held, set_free, settled
from firmware.errors import CameraLost
from speech.sentence import say
from vision.control import Control
from vision.frame import Frame, Image

_USUAL_SIZE = (1280, 960)
_SETTLE_FRAMES = 45  # a second and a half of automatic exposure before it is locked
_BACK_OFF_S = (0.5, 1.0, 2.0, 4.0)
_LOCKED_S = 5.0


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool: ...

    def grab(self) -> bool: ...

    def retrieve(self) -> tuple[bool, Any]: ...

    def get(self, prop: int, /) -> float: ...

    def set(self, prop: int, value: float, /) -> bool: ...

    def release(self) -> None: ...


Open = Callable[[], Capture]


class UsbCamera:
    """A `Camera`. `device`: a number, or a path such as /dev/v4l/by-id/…, which does not change when plugged elsewhere.

    A camera that stops is closed and opened again for as long as this object lives; meanwhile `read` raises
    `CameraLost`. `controls`: what it is held to, by V4L2's names; None lets it settle when it is opened. `mains_hz`:
    of the lamps, which must not flicker. `open_device` stands in for the real thing.
    """

    def __init__(
        self,
        device: int | str,
        size: tuple[int, int] | None = None,
        open_device: Open | None = None,
        controls: Mapping[str, Control] | None = None,
        mains_hz: int = 50,
    ) -> None:
        self.name = f"usb:{device}"
        self._controls: Mapping[str, Control] | None = controls or None
        self._mains_hz = mains_hz
        self._unsettled = 0  # frames that are still to come before what the camera has found is held
        self._locks = 0
        self._device = device
        self._open = open_device or (lambda: _opened(self._node(), size or _USUAL_SIZE))
        self._news = threading.Condition()
        self._wanted: SimpleQueue[Mapping[str, Control] | None] = SimpleQueue()
        self._latest: Frame | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="usb camera", daemon=True)
        self._thread.start()

    def read(self, timeout_s: float) -> Frame:
        asked_s = time.monotonic()
        with self._news:
            while True:
                if self._latest is not None and self._latest.at_s >= asked_s:
                    return self._latest
                left = asked_s + timeout_s - time.monotonic()
                if left <= 0 or self._closed.is_set():
                    raise CameraLost(_silent(self.name))
                self._news.wait(left)

    def lock(self, controls: Mapping[str, Control] | None = None) -> Mapping[str, Control]:
        with self._news:
            before = self._locks
            self._wanted.put(controls)
            self._news.wait_for(lambda: self._locks > before or self._closed.is_set(), _LOCKED_S)
            if self._locks == before:
                raise CameraLost(_silent(self.name))
            return self._controls or {}

    def close(self) -> None:
        self._closed.set()
        with self._news:
            self._news.notify_all()
        self._thread.join(timeout=2)

    def _node(self) -> Path:
        """Where the camera is now. A number that has led to one becomes its lasting name: plugged in again, it may have
        another number, and another camera this one."""
        self._device = lasting_name(self._device)
        return Path(f"/dev/video{self._device}" if isinstance(self._device, int) else self._device)

    def _keep(self) -> None:
        """Open and film, again and again, until closed."""
        failures, seq = 0, 0
        while not self._closed.is_set():
            capture = self._open()
            before = seq
            if capture.isOpened():
                seq = self._film(capture, seq)
            capture.release()
            failures = 0 if seq > before else failures + 1
            self._closed.wait(_BACK_OFF_S[min(failures, len(_BACK_OFF_S) - 1)])

    def _film(self, capture: Capture, seq: int) -> int:
        """Take frames until one fails. Returns the last one's number."""
        begun_s = time.monotonic()
        self._hold(capture, self._controls)
        while not self._closed.is_set() and capture.grab():
            # A frame is handed over when it is read out; it began no earlier than the one before was handed over.
            at_s, begun_s = begun_s, time.monotonic()
            there, image = capture.retrieve()
            if not there:
                break
            seq += 1
            self._settle(capture)
            with self._news:
                self._latest = Frame(_bgr(np.asarray(image)), seq, at_s)
                self._news.notify_all()
        return seq

    def _hold(self, capture: Capture, controls: Mapping[str, Control] | None) -> None:
        """Hold the camera to these at once, or let it find its own."""
        if controls is None:
            set_free(capture)
            self._unsettled = _SETTLE_FRAMES
        else:
            self._locked(held(capture, controls))

    def _settle(self, capture: Capture) -> None:
        """After each frame: what was asked for, and the end of settling."""
        if not self._wanted.empty():
            self._hold(capture, self._wanted.get())
        elif self._unsettled:
            self._unsettled -= 1
            if not self._unsettled:
                self._locked(held(capture, settled(capture, self._mains_hz)))

    def _locked(self, controls: Mapping[str, Control]) -> None:
        with self._news:
            self._controls, self._unsettled, self._locks = controls, 0, self._locks + 1
            self._news.notify_all()


def lasting_name(device: int | str, devices: Path = Path("/dev")) -> int | str:
    """For the number of a camera that is plugged in its path by maker, model and serial number; else what was given."""
    if isinstance(device, str):
        return device
    node = devices / f"video{device}"
    links = sorted((devices / "v4l/by-id").glob("*"))
    return next((str(link) for link in links if link.resolve() == node.resolve()), device)


def _opened(node: Path, size: tuple[int, int]) -> cv2.VideoCapture:
    # OpenCV writes its own lines to stderr about a device that is not there, at every try.
    capture = cv2.VideoCapture(str(node), cv2.CAP_V4L2) if node.exists() else cv2.VideoCapture()
    if capture.isOpened():
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # USB 2 is too slow for raw pictures
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        capture.set(cv2.CAP_PROP_FPS, 30)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _bgr(image: NDArray[Any]) -> Image:
    frozen = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image, np.uint8)
    frozen.flags.writeable = False
    return frozen


def _silent(name: str) -> str:
    return say("The camera {name} gives no picture; check its plug and its cable.", name=name)
