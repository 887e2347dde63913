"""What every camera promises, tried on each that this machine has. The real ones need a Pi: `-m device`."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.drivers import Camera, Hanging
from firmware.drivers.choose import open_camera
from firmware.drivers.found import detect
from firmware.drivers.hanging import Upright, as_it_hangs
from firmware.drivers.simulated.scene import Fault, Scene
from firmware.drivers.usb import UsbCamera, lasting_name
from firmware.errors import BadInput, CameraLost
from vision.control import Control
from vision.frame import Frame

WAIT_S = 1.0


class Plugged:
    """A film in place of a USB camera: paced as one, and unplugged at its end."""

    def __init__(self, path: Path) -> None:
        self._film = cv2.VideoCapture(str(path))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._film, name)

    def grab(self) -> bool:
        time.sleep(1 / 60)
        return self._film.grab()


@dataclass(frozen=True)
class Source:
    """`alive`: a camera that films. `dead`: one that gives nothing, None where that cannot be arranged."""

    alive: Callable[[], Camera]
    dead: Callable[[], Camera] | None


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (160, 120))
    for level in range(60):
        writer.write(np.full((120, 160, 3), 4 * level, np.uint8))
    writer.release()
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pictures")
    for number in range(3):
        cv2.imwrite(str(path / f"{number}.png"), np.full((120, 160, 3), 60 * number, np.uint8))
    return path


@pytest.fixture(
    params=[
        "simulated",
        "video",
        "pictures",
        "usb",
        pytest.param("usb-device", marks=pytest.mark.device),
        pytest.param("picamera", marks=pytest.mark.device),
    ]
)
def source(request: pytest.FixtureRequest, film: Path, folder: Path) -> Source:
    dead_scene = Scene(faults=(Fault("dead-camera", 0.0, float("inf")),))
    sources = {
        "simulated": Source(lambda: open_camera("simulated"), lambda: open_camera("simulated", scene=dead_scene)),
        "video": Source(lambda: open_camera(f"video:{film}"), None),
        "pictures": Source(lambda: open_camera(f"pictures:{folder}"), None),
        "usb": Source(
            lambda: UsbCamera("film", open_device=lambda: Plugged(film)),
            lambda: UsbCamera("nothing", open_device=cv2.VideoCapture),
        ),
        "usb-device": Source(lambda: open_camera("usb:0"), lambda: open_camera("usb:63")),
        "picamera": Source(lambda: open_camera("picamera"), None),
    }
    if "device" in {mark.name for mark in request.node.iter_markers()} and not _there(request.param):
        pytest.skip(f"no {request.param} here")
    return sources[request.param]


def _there(name: str) -> bool:
    return Path("/dev/video0").exists() if name == "usb-device" else detect() == "picamera"


@pytest.fixture
def camera(source: Source) -> Iterator[Camera]:
    camera = source.alive()
    yield camera
    camera.close()


def test_a_picture_is_whole_and_in_colour_and_nobody_writes_to_it(camera: Camera) -> None:
    image = camera.read(WAIT_S).image
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert image.shape[2] == 3
    assert not image.flags.writeable


def test_what_is_in_view_is_in_proportion_to_the_whole_picture(camera: Camera) -> None:
    frame = camera.read(WAIT_S)
    (rows, columns), (high, wide) = frame.size, frame.view.shape[:2]
    assert frame.image.shape[:2] == frame.size
    assert high <= rows
    assert abs(rows * wide / (columns * high) - 1) < 0.01
    assert not frame.view.flags.writeable


def test_frames_count_up_and_their_time_goes_on(camera: Camera) -> None:
    frames = [camera.read(WAIT_S) for _ in range(4)]
    assert all(a.seq < b.seq and a.at_s < b.at_s for a, b in pairwise(frames))


def test_a_frame_began_after_it_was_asked_for(camera: Camera) -> None:
    camera.read(WAIT_S)
    threading.Event().wait(0.08)  # frames pass that nobody reads
    asked_s = time.monotonic()
    assert camera.read(WAIT_S).at_s >= asked_s


def test_frames_that_nobody_read_are_counted(camera: Camera) -> None:
    first = camera.read(WAIT_S)
    threading.Event().wait(0.1)
    assert camera.read(WAIT_S).seq > first.seq + 1


def test_a_camera_may_be_read_in_another_thread_than_it_was_opened_in(camera: Camera) -> None:
    shapes: list[tuple[int, ...]] = []
    reader = threading.Thread(target=lambda: shapes.append(camera.read(WAIT_S).image.shape))
    reader.start()
    reader.join(2 * WAIT_S)
    assert len(shapes) == 1


def test_a_closed_camera_is_lost_at_once_and_may_be_closed_again(camera: Camera) -> None:
    camera.close()
    camera.close()
    with pytest.raises(CameraLost):
        camera.read(60.0)


def test_a_dead_camera_says_so_in_one_sentence_when_the_time_is_up(source: Source) -> None:
    if source.dead is None:
        pytest.skip("this one cannot be dead")
    camera = source.dead()
    asked_s = time.monotonic()
    with pytest.raises(CameraLost, match=r"^[A-Z].*[a-z]\.$"):
        camera.read(0.1)
    assert time.monotonic() - asked_s >= 0.1
    camera.close()


def test_a_usb_camera_that_was_unplugged_is_found_again(film: Path) -> None:
    plugged = iter([False, True])
    camera = UsbCamera("x", open_device=lambda: Plugged(film) if next(plugged, True) else cv2.VideoCapture())
    assert camera.read(5.0).image.shape == (120, 160, 3)
    camera.close()


@pytest.mark.parametrize(
    "spec", ["", "webcam", "usb:", "usb", "video:", "pictures", "simulated:3", "picamera:x", "Simulated"]
)
def test_an_unknown_camera_is_answered_with_those_that_exist(spec: str) -> None:
    with pytest.raises(BadInput, match="picamera, usb:N, video:FILE, pictures:DIR or simulated"):
        open_camera(spec)


def test_a_folder_given_as_a_video_is_answered_with_what_to_write(folder: Path) -> None:
    with pytest.raises(BadInput, match="write pictures:"):
        open_camera(f"video:{folder}")


def test_without_a_camera_the_tray_is_simulated() -> None:
    if _there("picamera"):
        pytest.skip("this machine has a Pi's camera")
    assert detect() == "simulated"


class Webcam:
    """A grey camera with controls, but none for white balance. `found`: what its automatic finds."""

    def __init__(self, found: float = 156.0) -> None:
        self.told: dict[int, float] = {}
        self.values = {cv2.CAP_PROP_EXPOSURE: found, cv2.CAP_PROP_GAIN: 20.0, cv2.CAP_PROP_FOCUS: 30.0}

    def isOpened(self) -> bool:
        return True

    def grab(self) -> bool:
        time.sleep(0.001)
        return True

    def retrieve(self) -> tuple[bool, Any]:
        return True, np.zeros((12, 16), np.uint8)

    def get(self, prop: int, /) -> float:
        return self.values.get(prop, 0.0)

    def set(self, prop: int, value: float, /) -> bool:
        self.told[prop] = value
        if prop in self.values:
            self.values[prop] = value
        return prop in self.values

    def release(self) -> None:
        pass


AUTOMATIC = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
MANUAL = {cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_AUTO_WB: 0.0, cv2.CAP_PROP_AUTOFOCUS: 0.0}


def test_a_usb_camera_settles_and_is_held_to_an_exposure_in_which_lamps_do_not_flicker() -> None:
    webcam = Webcam()
    camera = UsbCamera("webcam", open_device=lambda: webcam)
    assert camera.read(WAIT_S).image.shape == (12, 16, 3)
    assert webcam.told == AUTOMATIC
    while camera.read(WAIT_S).seq < 60:
        pass
    held = {cv2.CAP_PROP_EXPOSURE: 200.0, cv2.CAP_PROP_GAIN: 20.0, cv2.CAP_PROP_FOCUS: 30.0}
    assert webcam.told == {**MANUAL, **held}
    camera.close()


def test_a_usb_camera_is_held_at_once_to_what_the_profile_was_made_with() -> None:
    webcam = Webcam()
    kept = {"exposure_time_absolute": 300, "gain": 12.0, "focus_absolute": 25.0}
    camera = UsbCamera("webcam", open_device=lambda: webcam, controls={**kept, "white_balance_temperature": 4600.0})
    camera.read(WAIT_S)
    assert (webcam.values[cv2.CAP_PROP_EXPOSURE], webcam.values[cv2.CAP_PROP_GAIN]) == (300, 12)
    assert camera.lock(kept) == kept
    camera.close()


def test_a_usb_camera_can_be_let_settle_again() -> None:
    webcam = Webcam(50.0)
    camera = UsbCamera("webcam", open_device=lambda: webcam, controls={"exposure_time_absolute": 300})
    camera.read(WAIT_S)
    webcam.values[cv2.CAP_PROP_EXPOSURE] = 50.0
    assert camera.lock() == {"exposure_time_absolute": 50.0, "gain": 20.0, "focus_absolute": 30.0}  # day: no flicker
    camera.close()


def test_what_a_camera_is_locked_to_can_be_set_again(camera: Camera) -> None:
    camera.read(WAIT_S)
    found = camera.lock()
    assert camera.lock(found) == found
    assert camera.read(WAIT_S).image.size


class Cornered:
    """A camera whose pictures, a whole and a small one, are black but for their upper left corner."""

    name = "cornered"

    def read(self, timeout_s: float) -> Frame:
        assert timeout_s > 0
        image = np.zeros((12, 16, 3), np.uint8)
        image[0, 0] = 9
        image.flags.writeable = False
        return Frame(image, 1, 2.0, image[:6, :8])

    def lock(self, controls: Mapping[str, Control] | None = None) -> Mapping[str, Control]:
        return controls or {}

    def close(self) -> None:
        pass


# `corner`: where that corner is in the upright picture, row and column, 0 or -1.
@pytest.mark.parametrize(
    ("hanging", "corner"),
    [
        (Hanging(), (0, 0)),
        (Hanging(90), (0, -1)),
        (Hanging(180), (-1, -1)),
        (Hanging(270), (-1, 0)),
        (Hanging(mirrored=True), (0, -1)),
        (Hanging(90, mirrored=True), (0, 0)),
    ],
)
def test_a_camera_that_hangs_another_way_gives_upright_pictures(hanging: Hanging, corner: tuple[int, int]) -> None:
    with contextlib.closing(Upright(Cornered(), hanging)) as camera:
        frame = camera.read(WAIT_S)
        image = frame.image
    assert image[corner].tolist() == [9, 9, 9]
    assert image.sum() == 27
    assert not image.flags.writeable
    assert frame.small is not None
    assert frame.small[corner].tolist() == [9, 9, 9]
    assert frame.small.shape[:2] == (as_it_hangs((8, 6), hanging) or (0, 0))[::-1]
    assert frame.size == image.shape[:2] == (as_it_hangs((16, 12), hanging) or (0, 0))[::-1]


def test_a_usb_camera_named_by_number_keeps_its_lasting_name(tmp_path: Path) -> None:
    by_id = tmp_path / "v4l/by-id"
    by_id.mkdir(parents=True)
    (tmp_path / "video0").touch()
    (by_id / "usb-Maker_Cam_123-video-index0").symlink_to("../../video0")
    assert lasting_name(0, tmp_path) == str(by_id / "usb-Maker_Cam_123-video-index0")
    assert lasting_name(1, tmp_path) == 1
    assert lasting_name("/dev/v4l/by-id/x", tmp_path) == "/dev/v4l/by-id/x"
