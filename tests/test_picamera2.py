"""The Pi's camera driver on the real picamera2, before a picture that is known: `make test-vcam` has both."""

import importlib.util
import itertools
import os
from collections.abc import Iterator

import numpy as np
import pytest

from firmware.drivers.pi import PiCamera

if "dmabuf_shim" not in os.environ.get("LD_PRELOAD", "") or importlib.util.find_spec("picamera2") is None:
    pytest.skip("make test-vcam runs these", allow_module_level=True)

RED, GREEN, BLUE, WHITE = (40, 40, 200), (40, 200, 40), (200, 40, 40), (200, 200, 200)
WAIT_S = 5.0


@pytest.fixture
def camera() -> Iterator[PiCamera]:
    opened = PiCamera()
    yield opened
    opened.close()


def corners(camera: PiCamera) -> list[tuple[int, ...]]:
    """Mean colours, BGR, of the quarters: left above, right above, left below, right below."""
    image = camera.read(WAIT_S).image
    height, width = (side // 2 for side in image.shape[:2])
    quarters = (image[:height, :width], image[:height, width:], image[height:, :width], image[height:, width:])
    return [tuple(round(v) for v in np.median(quarter.reshape(-1, 3), axis=0)) for quarter in quarters]


def near(found: list[tuple[int, ...]], filmed: list[tuple[int, int, int]]) -> bool:
    """The virtual camera sends the full range of its JPEG and says that it is that of video, 16 to 235, which the
    driver then rightly stretches."""
    wanted = [tuple((level - 16) * 255 / 219 for level in colour) for colour in filmed]
    return all(
        abs(a - b) <= 6 for some, other in zip(found, wanted, strict=True) for a, b in zip(some, other, strict=True)
    )


def test_colours_are_true(camera: PiCamera) -> None:
    found = corners(camera)
    assert near(found, [RED, GREEN, BLUE, WHITE]), found


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
