"""What is read does not depend on how the camera is turned, where it looks, how light it is, or how fine its pixels."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moved import Moved, scaled, shifted, turned
from reliability import reader
from rendered import Rendered, picture

from vision import light
from vision.dice_set import Kind
from vision.frame import Frame, Image
from vision.geometry import Camera
from vision.profile import Profile
from vision.seen import Reading

# Blue and gold on walnut; marble; clear blue; red under a desk lamp; with a leaning one; with one partly out.
each_throw = pytest.mark.parametrize(
    "throw", ["b05_03", "b15_05", "b18_03", "b39_03", "b39_06", "b05_10"], indirect=True
)
_KIND = Kind("ivory", (200, 220, 230), (20, 20, 20), 16.0, 0.25, 0.09, 0.1)
_FEW = settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])


@dataclass(frozen=True)
class Throw:
    image: Image
    profile: Profile
    reading: Reading


@pytest.fixture
def throw(request: pytest.FixtureRequest, rendered: Rendered) -> Throw:
    file = f"{request.param}_throw.jpg"
    return Throw(picture(file), rendered.profile(request.param[:3]), rendered.reading(file))


def _same(first: Reading, moved: Moved) -> None:
    """The reading of `moved` is the first picture's, each die in its place."""
    again = reader()(Frame(moved.image), moved.profile)
    scale = math.sqrt(abs(np.linalg.det(moved.way[:, :2])))
    left = list(again.dice)
    for die in first.dice:
        place = moved.at(die.x, die.y)
        there = min(left, key=lambda other: math.dist((other.x, other.y), place))
        left.remove(there)
        assert math.dist((there.x, there.y), place) < 0.03 * there.size
        assert (there.value, there.state, there.zone) == (die.value, die.state, die.zone)
        assert there.size == pytest.approx(scale * die.size, rel=0.01)
    assert left == []
    assert sorted(doubt.kind for doubt in again.doubts) == sorted(doubt.kind for doubt in first.doubts)


def _lit(image: Image, gain: float) -> Image:
    return np.asarray(np.clip(image.astype(np.float32) * gain, 0, 255), np.uint8)


@each_throw
@_FEW
@given(degrees=st.floats(0, 360))
def test_a_turned_camera_reads_the_same(throw: Throw, degrees: float) -> None:
    _same(throw.reading, turned(throw.image, throw.profile, degrees))


@each_throw
@_FEW
@given(dx=st.floats(-40, 40), dy=st.floats(-40, 40))
def test_a_shifted_picture_reads_the_same(throw: Throw, dx: float, dy: float) -> None:
    _same(throw.reading, shifted(throw.image, throw.profile, dx, dy))


@each_throw
@pytest.mark.parametrize("gain", [0.8, 0.9, 1.1, 1.2])
def test_a_fifth_more_or_less_light_reads_the_same(throw: Throw, gain: float) -> None:
    _same(throw.reading, Moved(_lit(throw.image, gain), throw.profile, np.eye(2, 3)))


@each_throw
def test_a_stronger_compression_reads_the_same(throw: Throw) -> None:
    packed = cv2.imencode(".jpg", throw.image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    _same(throw.reading, Moved(image, throw.profile, np.eye(2, 3)))


@each_throw
def test_half_as_many_pixels_again_read_the_same(throw: Throw) -> None:
    _same(throw.reading, scaled(throw.image, throw.profile, 1.5))


@each_throw
@pytest.mark.parametrize("gain", [0.7, 1.0, 1.2])
def test_how_light_it_is_is_measured_on_the_floor(throw: Throw, gain: float) -> None:
    assert light.brightness(_lit(throw.image, gain), throw.profile) == pytest.approx(gain, abs=0.05)


@each_throw
def test_a_picture_in_the_same_light_is_left_as_it_is(throw: Throw) -> None:
    assert light.as_learned(throw.image, throw.profile) is throw.image
    dim = light.as_learned(_lit(throw.image, 0.8), throw.profile)
    assert abs(float(dim.mean()) - float(throw.image.mean())) < 3


@pytest.mark.parametrize("level", [0, 3, 255])
def test_a_black_or_white_picture_cannot_be_brought_back(level: int, rendered: Rendered) -> None:
    flat = np.full_like(picture("b39_03_throw.jpg"), level)
    assert light.as_learned(flat, rendered.profile("b39")) is flat


@pytest.mark.parametrize("gain", [0.0, 0.1, 9.0])
def test_a_tray_that_looks_all_different_is_asked_about_not_read(gain: float, rendered: Rendered) -> None:
    seen = reader()(Frame(_lit(picture("b39_03_throw.jpg"), gain)), rendered.profile("b39"))
    assert ([doubt.kind for doubt in seen.doubts], seen.dice) == (["strange"], ())


def test_a_set_of_which_no_face_was_known_when_it_was_learned_is_asked_about_not_read(rendered: Rendered) -> None:
    profile = rendered.profile("b39")
    nameless = replace(profile, learned=replace(profile.learned, dice=0))
    seen = reader()(Frame(picture("b39_03_throw.jpg")), nameless)
    assert ([doubt.kind for doubt in seen.doubts], seen.dice) == (["unlearned"], ())
    assert seen.doubts[0].everywhere


def test_noise_in_a_colour_that_is_almost_dark_is_no_other_light() -> None:
    """A red floor in dim light: the few places where blue and green can be told owe that to noise."""
    rng, floor = np.random.default_rng(4), np.full((960, 1280, 3), (12, 14, 150), np.float64)
    empty, image = (np.clip(floor + rng.normal(0, 6, floor.shape), 0, 255).astype(np.uint8) for _ in range(2))
    profile = Profile(1280, 960, Camera(1000.0, 639.5, 479.5, 0.0, 0.0, 350.0), (_KIND,), empty=empty)
    assert not light.other(image, profile, light.brightness(image, profile))
    assert light.tint(image, profile) == pytest.approx(np.ones(3), abs=0.1)
