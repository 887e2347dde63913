"""The Pi's camera, its device played by one that does as picamera2 does: jobs, requests, metadata, controls."""

import itertools
import threading
import time
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest

from firmware.drivers.pi import PiCamera, lock
from firmware.errors import CameraLost

WIDE, HIGH = 32, 16


class Request:
    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told
        self.released = False

    def get_metadata(self) -> dict[str, Any]:
        return self._told

    def make_buffer(self, name: str) -> np.ndarray:
        assert name == "main"
        assert not self.released
        return np.full(WIDE * HIGH * 3, 40, np.uint8)

    def release(self) -> None:
        self.released = True


class Job:
    def __init__(self, future: "Future[Request]") -> None:
        self._future = future

    def get_result(self, timeout: float) -> Request:
        return self._future.result(timeout)


class Device:
    """Completes a request every 10 ms; some, asked for early, began long ago. `silent`: completes none any more."""

    def __init__(self, silent: bool = False, stale: int = 0, told: dict[str, Any] | None = None) -> None:
        self.silent, self.stale = silent, stale
        self.told = {"ExposureTime": 1000, "FrameDuration": 10_000} if told is None else told
        self.camera_controls = {"ExposureTime": (1, 2, 3), "AeEnable": (False, True, True)}
        self.controls: dict[str, Any] = {}
        self.requests: list[Request] = []
        self.closed, self.cancelled = False, False

    def camera_configuration(self) -> dict[str, Any]:
        main = {"format": "RGB888", "size": (WIDE, HIGH), "stride": WIDE * 3}
        return {"main": main, "colour_space": "<libcamera.ColorSpace 'sYCC'>"}

    def capture_request(self, wait: bool) -> Job:
        assert not wait
        future: Future[Request] = Future()
        if not self.silent:
            age_s = 1.0 if self.stale > 0 else 0.0
            self.stale -= 1
            read_out_ns = time.monotonic_ns() + 10_000_000 - int(age_s * 1e9)
            self.requests.append(Request({"SensorTimestamp": read_out_ns, **self.told}))
            future.set_result(self.requests[-1])
        return Job(future)

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.controls.update(controls)

    def cancel_all_and_flush(self) -> None:
        self.cancelled = True

    def close(self) -> None:
        assert self.cancelled or not self.silent, "a request that never comes would keep it waiting"
        self.closed = True


def camera_on(*devices: Device | Exception) -> PiCamera:
    """Each opening takes the next device, the last one again and again."""
    turn = itertools.chain(devices, itertools.repeat(devices[-1]))

    def start() -> Device:
        device = next(turn)
        if isinstance(device, Exception):
            raise device
        return device

    return PiCamera(start=start)


def test_a_picture_that_began_before_it_was_asked_for_is_let_go() -> None:
    device = Device(stale=3)
    camera = camera_on(device)
    asked_s = time.monotonic()
    assert camera.read(1.0).at_s >= asked_s
    assert len(device.requests) == 4
    camera.close()


def test_every_request_is_given_back() -> None:
    device = Device(stale=2)
    camera = camera_on(device)
    for _ in range(3):
        camera.read(1.0)
    assert all(request.released for request in device.requests)
    camera.close()


def test_a_camera_that_does_not_tell_its_exposure_can_be_read() -> None:
    camera = camera_on(Device(told={}))
    assert camera.read(1.0).image.shape == (HIGH, WIDE, 3)
    camera.close()


def test_frames_that_the_sensor_made_meanwhile_are_counted() -> None:
    camera = camera_on(Device())
    first = camera.read(1.0)
    threading.Event().wait(0.06)
    assert 4 <= camera.read(1.0).seq - first.seq <= 20
    camera.close()


def test_a_silent_camera_is_lost_let_go_and_opened_again() -> None:
    silent, well = Device(silent=True), Device()
    camera = camera_on(silent, well)
    with pytest.raises(CameraLost, match="opened again"):
        camera.read(0.05)
    assert silent.closed
    first = camera.read(1.0)
    assert first.image.shape == (HIGH, WIDE, 3)
    camera.close()
    assert well.closed


def test_a_camera_that_stays_away_is_tried_less_often() -> None:
    camera = camera_on(Device(silent=True), RuntimeError("Camera __init__ sequence did not complete."))
    messages = []
    for _ in range(3):
        with pytest.raises(CameraLost) as caught:
            camera.read(0.02)
        messages.append(str(caught.value))
    assert "opened again" in messages[0]
    assert "No Pi camera answers" in messages[1]
    assert "tried again in a moment" in messages[2]
    camera.close()


@pytest.mark.parametrize(
    ("trouble", "cure"), [(IndexError("list index"), "check its cable"), (ImportError("picamera2"), "with apt")]
)
def test_a_camera_that_is_not_there_says_so_with_the_cure(trouble: Exception, cure: str) -> None:
    with pytest.raises(CameraLost, match=cure):
        camera_on(trouble)


def test_a_closed_camera_is_not_opened_again() -> None:
    device = Device()
    camera = camera_on(device)
    camera.close()
    camera.close()
    with pytest.raises(CameraLost, match="closed"):
        camera.read(1.0)
    assert device.requests == []


def test_only_controls_that_the_camera_has_are_locked() -> None:
    device = Device()
    lock(device, {"ExposureTime": 9000, "AnalogueGain": 2.0, "LensPosition": 2.5, "Lux": 80})
    assert device.controls == {"ExposureTime": 9000, "AeEnable": False}
