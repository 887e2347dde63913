"""The Pi's camera driver on the real picamera2, before a picture that is known: `make test-vcam` has both."""

import contextlib
import importlib.util
import itertools
import os
from collections.abc import Iterator

import numpy as np
import pytest

from firmware.drivers.pi import PiCamera
from vision.frame import Image

if "dmabuf_shim" not in os.environ.get("LD_PRELOAD", "") or importlib.util.find_spec("picamera2") is None:
    pytest.skip("make test-vcam runs these", allow_module_level=True)

RED, GREEN, BLUE, WHITE = (40, 40, 200), (40, 200, 40), (200, 40, 40), (200, 200, 200)
WAIT_S = 5.0


@pytest.fixture
def camera() -> Iterator[PiCamera]:
    opened = camera_over("a tray")
    yield opened
    opened.close()


def camera_over(what: str) -> PiCamera:
    """One of those that `tests/test_picamera2_in_debian.py` has."""
    from picamera2 import Picamera2

    models = [info["Model"] for info in Picamera2.global_camera_info()]
    return PiCamera(models.index(f"Virtual camera over {what}"))


def corners(image: Image) -> list[tuple[int, ...]]:
    """Mean colours, BGR, of the quarters: left above, right above, left below, right below."""
    height, width = (side // 2 for side in image.shape[:2])
    quarters = (image[:height, :width], image[:height, width:], image[height:, :width], image[height:, width:])
    return [tuple(round(v) for v in np.median(quarter.reshape(-1, 3), axis=0)) for quarter in quarters]


def near(found: list[tuple[int, ...]], filmed: list[tuple[int, int, int]]) -> bool:
    """The virtual camera sends the full range of its JPEG and says that it is that of video, 16 to 235, which the
    driver then rightly stretches. Where it makes the picture smaller it rounds its colours a little off."""
    wanted = [tuple((level - 16) * 255 / 219 for level in colour) for colour in filmed]
    return all(
        abs(a - b) <= 8 for some, other in zip(found, wanted, strict=True) for a, b in zip(some, other, strict=True)
    )


def test_colours_are_true_in_the_whole_picture_and_in_the_small_one(camera: PiCamera) -> None:
    frame = camera.read(WAIT_S)
    assert frame.small is not None
    assert (frame.size, frame.small.shape[:2]) == ((960, 1280), (320, 426))
    for found in (corners(frame.image), corners(frame.small)):
        assert near(found, [RED, GREEN, BLUE, WHITE]), found


def test_what_is_only_glanced_at_does_not_run_the_camera_dry(camera: PiCamera) -> None:
    """It has four buffers."""
    numbers = [camera.read(WAIT_S).seq for _ in range(12)]
    assert numbers == sorted(set(numbers))
    assert camera.read(WAIT_S).image.shape == (960, 1280, 3)


def test_both_pictures_are_of_one_moment() -> None:
    upright, upended = [RED, GREEN, BLUE, WHITE], [BLUE, WHITE, RED, GREEN]
    shown = set()
    with contextlib.closing(camera_over("a lively tray")) as camera:
        for _ in range(20):
            frame = camera.read(WAIT_S)
            turned = not near(corners(frame.image), upright)
            assert near(corners(frame.view), upended if turned else upright)
            shown.add(turned)
    assert shown == {False, True}


def test_a_camera_that_makes_no_small_pictures_sends_whole_ones() -> None:
    with contextlib.closing(camera_over("a tray, of one size")) as camera:
        frame = camera.read(WAIT_S)
        assert frame.small is None
        assert near(corners(frame.view), [RED, GREEN, BLUE, WHITE])


def test_frames_come_at_the_cameras_pace(camera: PiCamera) -> None:
    frames = [camera.read(WAIT_S) for _ in range(6)]
    assert all(later.at_s > earlier.at_s for earlier, later in itertools.pairwise(frames))


def test_it_can_be_closed_and_opened_again() -> None:
    for _ in range(3):
        camera = PiCamera()
        camera.read(WAIT_S)
        camera.close()


def test_a_camera_without_controls_is_locked_to_nothing(camera: PiCamera) -> None:
    assert camera.lock() == {}
    assert camera.lock({"ExposureTime": 20_000}) == {}
