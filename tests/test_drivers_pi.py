"""The Pi's camera, its device played by one that does as picamera2 does: jobs, requests, metadata, controls."""

import contextlib
import itertools
import sys
import threading
import time
from concurrent.futures import Future
from multiprocessing import Pipe
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.deeds import KeepStill, StillKept
from firmware.drivers import pi_controls
from firmware.drivers.pi import PiCamera, mode_of, noir_tuning
from firmware.drivers.pi_controls import flicker_free
from firmware.drivers.pi_streams import configured
from firmware.errors import CameraLost
from firmware.lessons import EMPTY
from firmware.link import Job as EyesJob
from firmware.link import Picture, WantPicture
from firmware.looking import _watch
from vision.frame import Frame
from vision.profile import Profile
from vision.seen import Reading
from vision.watcher import Watcher

WIDE, HIGH = 128, 64


class Request:
    """`number`: the level of every colour in both of its pictures. `copied`: which of them were asked for."""

    def __init__(self, told: dict[str, Any], number: int = 40) -> None:
        self._told, self._number = told, number
        self.released = False
        self.copied: list[str] = []

    def get_metadata(self) -> dict[str, Any]:
        return self._told

    def make_buffer(self, name: str) -> np.ndarray:
        assert not self.released
        self.copied.append(name)
        if name == "main":
            return np.full(WIDE * HIGH * 3, self._number, np.uint8)
        grey = np.full(WIDE * HIGH // 4 * 3 // 2, 128, np.uint8)  # YUV 4:2:0
        grey[: WIDE * HIGH // 4] = self._number
        return grey

    def release(self) -> None:
        self.released = True


class Job:
    def __init__(self, future: "Future[Request]") -> None:
        self._future = future

    def get_result(self, timeout: float) -> Request:
        return self._future.result(timeout)


class Device:
    """Completes a request every 10 ms; some, asked for early, began long ago. `silent`: completes none any more.
    `stubborn`: a control that it takes and ignores. `small`: width and height of its second pictures."""

    def __init__(
        self,
        silent: bool = False,
        stale: int = 0,
        told: dict[str, Any] | None = None,
        controls: dict[str, Any] | None = None,
        stubborn: str = "",
        small: tuple[int, int] | None = None,
    ) -> None:
        self.small = small
        self.silent, self.stale, self.stubborn = silent, stale, stubborn
        self.focused = False
        self.told = {"ExposureTime": 1000, "FrameDuration": 10_000} if told is None else told
        self.camera_controls = controls or {"ExposureTime": (1, 2, 3), "AeEnable": (False, True, True)}
        self.controls: dict[str, Any] = {}
        self.requests: list[Request] = []
        self.closed, self.cancelled = False, False

    def camera_configuration(self) -> dict[str, Any]:
        main = {"format": "RGB888", "size": (WIDE, HIGH), "stride": WIDE * 3}
        lores = {"format": "YUV420", "size": self.small, "stride": self.small[0]} if self.small else None
        return {"main": main, "lores": lores, "colour_space": "<libcamera.ColorSpace 'sYCC'>"}

    def capture_request(self, wait: bool) -> Job:
        assert not wait
        future: Future[Request] = Future()
        if not self.silent:
            age_s = 1.0 if self.stale > 0 else 0.0
            self.stale -= 1
            read_out_ns = time.monotonic_ns() + 10_000_000 - int(age_s * 1e9)
            self.requests.append(Request({"SensorTimestamp": read_out_ns, **self.told}, 40 + len(self.requests) % 9))
            future.set_result(self.requests[-1])
        return Job(future)

    def capture_metadata(self, wait: float) -> dict[str, Any]:
        assert wait > 0
        held = {name: value for name, value in self.controls.items() if name in self.told and name != self.stubborn}
        return {**self.told, **held}

    def autofocus_cycle(self, wait: float) -> bool:
        assert wait > 0
        self.focused = True
        return True

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


def camera_on(*devices: Device | Exception, controls: dict[str, Any] | None = None) -> PiCamera:
    """Each opening takes the next device, the last one again and again."""
    turn = itertools.chain(devices, itertools.repeat(devices[-1]))

    def start() -> Device:
        device = next(turn)
        if isinstance(device, Exception):
            raise device
        return device

    return PiCamera(start=start, controls=controls)


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


HALF = (WIDE // 2, HIGH // 2)


def test_the_whole_picture_is_copied_when_it_is_looked_at_and_is_of_the_same_moment() -> None:
    device = Device(stale=1, small=HALF)
    camera = camera_on(device)
    glanced, looked = camera.read(1.0), camera.read(1.0)
    assert (looked.size, looked.view.shape) == ((HIGH, WIDE), (HIGH // 4, WIDE // 4, 3))
    assert (device.requests[1].copied, device.requests[1].released) == (["lores"], True)
    assert not device.requests[2].released
    assert looked.image is looked.image
    assert (looked.image.shape, looked.image[0, 0].tolist(), looked.view[0, 0].tolist()) == (
        (HIGH, WIDE, 3),
        [42, 42, 42],
        [42, 42, 42],
    )
    assert (device.requests[2].copied, device.requests[2].released) == (["lores", "main"], True)
    assert not any(picture.flags.writeable for picture in (looked.image, looked.view))
    assert glanced.view[0, 0].tolist() == [41, 41, 41]
    with pytest.raises(RuntimeError, match="next one"):
        _ = glanced.image
    camera.close()


def test_a_picture_that_nobody_looked_at_is_given_back_when_the_camera_is_closed() -> None:
    device = Device(small=HALF)
    camera = camera_on(device)
    camera.read(1.0)
    camera.close()
    assert all(request.released for request in device.requests)


def nothing(_frame: Frame, _profile: Profile | None) -> Reading:
    return Reading(())


def test_the_eye_keeps_and_shows_pictures_however_many_are_asked_for_at_once(tmp_path: Path) -> None:
    camera, (ours, theirs), wishes = camera_on(Device(small=HALF)), Pipe(), SimpleQueue[Any]()
    for wish in (KeepStill(EMPTY), WantPicture()):
        wishes.put(wish)

    def watch() -> None:
        with contextlib.suppress(OSError):
            _watch(EyesJob("picamera", None, str(tmp_path)), camera, Watcher(None, nothing), nothing, theirs, wishes)

    eye = threading.Thread(target=watch)
    eye.start()
    told: list[object] = []
    while not any(isinstance(message, Picture) for message in told) and ours.poll(10.0):
        told.append(ours.recv())
    ours.close()
    eye.join(10.0)
    camera.close()
    assert [type(message) for message in told if isinstance(message, Picture | StillKept)] == [StillKept, Picture]


@pytest.mark.parametrize("small", [(WIDE, HIGH), (WIDE // 2, HIGH // 4), None])
def test_a_second_picture_that_is_not_the_same_in_small_is_not_used(small: tuple[int, int] | None) -> None:
    device = Device(small=small)
    camera = camera_on(device)
    frame = camera.read(1.0)
    assert frame.small is None
    assert frame.view is frame.image
    assert device.requests[-1].copied == ["main"]
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
    device = Device(told={"ExposureTime": 20_000, "AnalogueGain": 2.0, "LensPosition": 2.5, "Lux": 80})
    camera = camera_on(device)
    assert camera.lock() == {"ExposureTime": 20_000}
    assert device.controls == {"ExposureTime": 20_000, "AeEnable": False}
    camera.close()


SWITCHES = ("AeEnable", "AwbEnable", "ExposureTimeMode", "AnalogueGainMode", "AfMode")
MODERN = dict.fromkeys((*SWITCHES, "ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"), (0, 1, 1))
DAY = {"ExposureTime": 33_000, "AnalogueGain": 1.5, "ColourGains": (1.9, 2.1), "LensPosition": 2.4}


def test_a_camera_settles_when_it_is_opened_and_is_held_to_that_by_old_switches_and_new_modes() -> None:
    device = Device(told=DAY, controls=MODERN)
    camera = camera_on(device)
    assert device.focused
    assert [device.controls[name] for name in SWITCHES] == [False, False, 1, 1, 0]
    assert device.controls["ExposureTime"] == 30_000  # whole half periods of 50 Hz
    assert device.controls["AnalogueGain"] == pytest.approx(1.65)
    assert (device.controls["ColourGains"], device.controls["LensPosition"]) == ((1.9, 2.1), 2.4)
    camera.close()


def test_what_the_profile_was_made_with_is_set_again_without_settling() -> None:
    device = Device(told=DAY, controls=MODERN)
    kept = {"ExposureTime": 20_000, "AnalogueGain": 3.0, "ColourGains": (2.0, 1.5), "LensPosition": 3.1}
    camera = camera_on(device, controls=kept)
    assert not device.focused
    assert {name: device.controls[name] for name in kept} == kept
    assert camera.lock(kept) == kept
    camera.close()


def test_a_camera_that_is_opened_again_is_held_to_what_it_was() -> None:
    first, second = Device(told=DAY, controls=MODERN), Device(told={**DAY, "ExposureTime": 50_000}, controls=MODERN)
    camera = camera_on(first, second)
    first.silent = True
    with pytest.raises(CameraLost):
        camera.read(0.02)
    camera.read(1.0)
    assert second.controls["ExposureTime"] == 30_000
    camera.close()


def test_a_control_that_does_not_stick_is_not_said_to_hold() -> None:
    device = Device(told=DAY, controls=MODERN, stubborn="LensPosition")
    camera = camera_on(device)
    assert camera.lock({"ExposureTime": 20_000, "LensPosition": 9.0}) == {"ExposureTime": 20_000}
    camera.close()


@pytest.mark.parametrize(
    ("hertz", "exposure", "gain", "held"),
    [
        (50, 33_000, 1.5, (30_000, 1.65)),
        (60, 33_000, 1.5, (25_000, 1.98)),
        (50, 10_000, 1.0, (10_000, 1.0)),
        (50, 4_000, 6.0, (10_000, 2.4)),
        (50, 2_000, 1.0, (2_000, 1.0)),  # bright as day
    ],
)
def test_exposures_are_whole_half_periods_of_the_mains_where_light_allows(
    hertz: int, exposure: int, gain: float, held: tuple[int, float]
) -> None:
    found = flicker_free({"ExposureTime": exposure, "AnalogueGain": gain, "LensPosition": 2.0}, hertz)
    assert found == {"ExposureTime": held[0], "AnalogueGain": pytest.approx(held[1]), "LensPosition": 2.0}


def test_a_camera_that_never_says_it_has_settled_is_locked_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi_controls, "_SETTLE_S", 0.05)
    camera = camera_on(Device(told={**DAY, "AeState": 1}, controls=MODERN))
    assert camera.lock()["LensPosition"] == 2.4
    camera.close()


@pytest.mark.parametrize(
    ("model", "picture"),
    [("imx708_wide_noir", (1536, 864)), ("imx708", (1536, 864)), ("imx219", (1640, 1232)), ("ov9281", (1280, 960))],
)
def test_variants_of_a_sensor_have_its_modes(model: str, picture: tuple[int, int]) -> None:
    assert mode_of(model)[0] == picture


@pytest.mark.parametrize(
    ("model", "file"), [("imx219", "imx219_noir.json"), ("imx708_wide_noir", "imx708_wide_noir.json")]
)
def test_a_camera_without_infrared_filter_has_a_tuning_of_its_own(model: str, file: str) -> None:
    assert noir_tuning(model) == file


class Configured:
    """What picamera2 is asked for. `most`: streams that it has; what it makes of the second one's size."""

    def __init__(self, most: int, small: tuple[int, int] | None = None) -> None:
        self.most, self.small = most, small
        self.wanted: list[dict[str, Any]] = []

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, wanted: dict[str, Any]) -> None:
        self.wanted.append(wanted)
        if "lores" in wanted and self.most < 2:
            raise RuntimeError("Failed to configure camera")

    def camera_configuration(self) -> dict[str, Any]:
        streams = {
            name: {"stride": 0, **self.wanted[-1][name]} for name in ("main", "lores") if name in self.wanted[-1]
        }
        if "lores" in streams and self.small:
            streams["lores"]["size"] = self.small
        return streams


@pytest.mark.parametrize(
    ("device", "streams"),
    [(Configured(2), 2), (Configured(2, (1024, 572)), 2), (Configured(1), 1), (Configured(2, (1536, 864)), 1)],
)
def test_a_camera_is_asked_for_both_pictures_and_for_one_where_it_has_no_other(
    device: Configured, streams: int
) -> None:
    configured(device, (1536, 864), (2304, 1296))
    last = device.wanted[-1]
    assert last["main"] == {"size": (1536, 864), "format": "RGB888"}
    assert last["sensor"] == {"output_size": (2304, 1296)}
    assert device.wanted[0]["lores"] == {"size": (1024, 576), "format": "YUV420"}
    assert ("lores" in last) == (streams == 2)


def test_a_camera_that_cannot_be_configured_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        closed = False

        def __init__(self, number: int, tuning: object) -> None:
            assert (number, tuning) == (0, None)

        @staticmethod
        def global_camera_info() -> list[dict[str, str]]:
            return [{"Model": "imx219"}]

        def create_video_configuration(self, **wanted: object) -> dict[str, object]:
            return wanted

        def configure(self, wanted: object) -> None:
            raise OSError(12, f"Cannot allocate memory for {wanted}")

        def close(self) -> None:
            Full.closed = True

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Full))
    with pytest.raises(CameraLost, match="No Pi camera answers"):
        PiCamera()
    assert Full.closed
