"""The Pi's own camera through picamera2; the only file that names it.

One configuration for the whole run: changing modes costs contiguous memory, which small Pis run out of. It has two
streams, the whole picture and a small one of the same moment, which is all that is looked at most of the time: see
`firmware.drivers.pi_streams`. Exposure, white balance and focus settle once and are then locked, so that the profile's
colours and scale stay true.
"""

import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from firmware.drivers.pi_controls import locked
from firmware.drivers.pi_streams import Stream, configured, streams_of
from firmware.errors import CameraLost
from speech.sentence import say
from vision.control import Control
from vision.frame import Fetched, Frame, Image

# By sensor: the picture, and the sensor mode with the full view and the speed. Smaller modes of these crop the view.
_MODES: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "imx708": ((1536, 864), (2304, 1296)),
    "imx219": ((1640, 1232), (1640, 1232)),
    "imx477": ((1352, 1012), (2028, 1520)),
    "imx296": ((1456, 1088), (1456, 1088)),
    "ov5647": ((1296, 972), (1296, 972)),
}
_OTHER_SIZE = (1280, 960)
_BACK_OFF_S = (0.0, 1.0, 2.0, 5.0)
_LET_GO_S = 2.0


def mode_of(model: str) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """Size of the picture and of the sensor's mode for a camera such as "imx708_wide_noir"; no mode for others."""
    return _MODES.get(model.partition("_")[0], (_OTHER_SIZE, None))


def noir_tuning(model: str) -> str:
    """The file that libcamera has for this sensor without infrared filter. It knows by itself which of the newer
    cameras have none; of the older ones their owner says so."""
    return f"{model}.json" if model.endswith("_noir") else f"{model}_noir.json"


def cameras_found() -> bool:
    """Whether libcamera finds a camera; False where it is not installed properly."""
    try:
        from picamera2 import Picamera2

        return bool(Picamera2.global_camera_info())
    except (ImportError, RuntimeError, OSError):
        return False


class PiCamera:
    """A `Camera`. `number`: among those found. `size`: the profile's; the sensor's usual one by default.

    `noir`: it has no infrared filter. `controls`: what it is held to, by libcamera's names; None lets it settle when it
    is opened. `mains_hz`: of the lamps, which must not flicker. A camera that stops is let go and opened again by later
    reads, less and less often; these raise `CameraLost` until it is back. `start` stands in for opening the real one.
    """

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] | None = None,
        noir: bool = False,
        start: Callable[[], Any] | None = None,
        controls: Mapping[str, Control] | None = None,
        mains_hz: int = 50,
    ) -> None:
        self.name = f"picamera:{number}"
        self._controls, self._mains_hz = controls, mains_hz
        self._start = start or (lambda: _started(number, size, noir))
        self._device: Any = None
        self._failures, self._again_s = 0, 0.0
        self._seq, self._last_ns = 0, 0
        self._held: Any = None  # the request of the last frame, while its whole picture may be asked for
        self._stuck: threading.Thread | None = None
        self._closed = threading.Event()
        self._opened()

    def read(self, timeout_s: float) -> Frame:
        asked_ns = time.monotonic_ns()
        until_s = time.monotonic() + timeout_s
        device = self._device
        self._give_back()
        while not self._closed.is_set():
            device = device or self._reopened(until_s)
            self._held = self._request(device, until_s)
            told = self._held.get_metadata()
            begun_ns = told.get("SensorTimestamp", asked_ns) - 1000 * told.get("ExposureTime", 0)
            if begun_ns >= asked_ns:
                return self._frame(self._held, streams_of(device), told, begun_ns)
            self._give_back()
        raise CameraLost(say("The Pi's camera is closed."))

    def lock(self, controls: Mapping[str, Control] | None = None) -> Mapping[str, Control]:
        device = self._device or self._reopened(time.monotonic())
        try:
            self._controls = locked(device, controls, self._mains_hz)
        except (TimeoutError, RuntimeError, OSError) as error:
            self._lost()
            raise CameraLost(
                say("The Pi's camera gives no picture; check its cable. It is being opened again.")
            ) from error
        return self._controls

    def close(self) -> None:
        self._closed.set()
        self._let_go()

    def _request(self, device: Any, until_s: float) -> Any:
        """The next completed request. picamera2's own flush needs ExposureTime, which not every camera tells."""
        try:
            job = device.capture_request(wait=False)
            return job.get_result(timeout=max(0.0, until_s - time.monotonic()))
        except (TimeoutError, RuntimeError, OSError) as error:
            self._lost()
            raise CameraLost(
                say("The Pi's camera gives no picture; check its cable. It is being opened again.")
            ) from error

    def _frame(self, request: Any, streams: tuple[Stream, Stream | None], told: dict[str, Any], begun_ns: int) -> Frame:
        every_ns = 1000 * told.get("FrameDuration", 33333)
        self._seq += max(1, round((begun_ns - self._last_ns) / every_ns)) if self._last_ns else 1
        self._last_ns = begun_ns
        whole, small = streams
        later = Fetched(whole.size[::-1], cache(lambda: self._fetched(request, whole)))
        if small is None:
            return Frame(later.fetch(), self._seq, begun_ns / 1e9)
        return Frame(later, self._seq, begun_ns / 1e9, small.half(request))

    def _fetched(self, request: Any, whole: Stream) -> Image:
        if request is not self._held:
            raise RuntimeError("The whole picture of a frame is gone once the next one is asked for.")
        image = whole.picture(request)
        self._give_back()
        return image

    def _give_back(self) -> None:
        """The camera has few buffers, and fills the same ones again and again."""
        request, self._held = self._held, None
        if request is not None:
            request.release()

    def _reopened(self, until_s: float) -> Any:
        now_s = time.monotonic()
        if now_s < self._again_s:
            self._closed.wait(min(until_s, self._again_s) - now_s)
            if time.monotonic() < self._again_s:
                raise CameraLost(say("The Pi's camera is lost; check its cable. It is tried again in a moment."))
        return self._opened()

    def _opened(self) -> Any:
        if self._stuck is not None and self._stuck.is_alive():
            raise CameraLost(say("The Pi's camera does not let go; take the power off and on again."))
        try:
            self._device = self._start()
            self._controls = locked(self._device, self._controls or None, self._mains_hz)
        except ImportError as error:
            raise CameraLost(
                say("The Pi's camera needs the package python3-picamera2; install it with apt.")
            ) from error
        except (RuntimeError, IndexError, TimeoutError, OSError) as error:
            self._lost()
            raise CameraLost(
                say("No Pi camera answers; check its cable, and that no other program uses it.")
            ) from error
        self._failures, self._last_ns = 0, 0
        return self._device

    def _lost(self) -> None:
        self._again_s = time.monotonic() + _BACK_OFF_S[min(self._failures, len(_BACK_OFF_S) - 1)]
        self._failures += 1
        self._let_go()

    def _let_go(self) -> None:
        """Close the device in a thread of its own: a camera whose cable has come loose may never answer."""
        self._give_back()
        device, self._device = self._device, None
        if device is not None:
            self._stuck = threading.Thread(target=_release, args=(device,), name="camera closing", daemon=True)
            self._stuck.start()
            self._stuck.join(_LET_GO_S)


def _started(number: int, size: tuple[int, int] | None, noir: bool) -> Any:
    """An open and filming Picamera2."""
    from picamera2 import Picamera2

    model = str(Picamera2.global_camera_info()[number].get("Model", ""))
    device = Picamera2(number, tuning=Picamera2.load_tuning_file(noir_tuning(model)) if noir else None)
    usual, sensor = mode_of(model)
    try:
        configured(device, size or usual, sensor)
        device.start()
    except BaseException:
        # A camera that was only half opened is held by this program, and could not be opened again.
        device.close()
        raise
    return device


def _release(device: Any) -> None:
    device.cancel_all_and_flush()  # else the request that never came keeps `close` waiting
    device.close()
