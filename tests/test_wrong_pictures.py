"""Pictures that cannot be learned from are refused, with the reason; those that can are not."""

import re
from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from rendered import LABELS, picture

from calibration import belong, learn
from vision.errors import VisionError
from vision.frame import Image
from vision.seen import Reading

SESSIONS = sorted({label["session"] for label in LABELS})
NAMES = ("the picture of the empty tray", "dice picture 1")


@dataclass(frozen=True)
class Stills:
    empty: Image
    dice: tuple[Image, ...]


def stills(session: str) -> Stills:
    own = [label for label in LABELS if label["session"] == session]
    empty = next(label["file"] for label in own if label["kind"] == "empty")
    return Stills(picture(empty), tuple(picture(label["file"]) for label in own if label["kind"] == "calib"))


@pytest.fixture(scope="module")
def good() -> Stills:
    return stills(SESSIONS[0])


def nothing(*_: object) -> Reading:
    """A reader that takes no time: what is refused is refused before anything is read."""
    return Reading()


def refused(empty: Image | None, *dice: Image) -> str:
    with pytest.raises(VisionError) as caught:
        learn.build(empty, dice, read=nothing)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def moved(image: Image, x: float, y: float, degrees: float = 0.0) -> Image:
    height, width = image.shape[:2]
    where = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    where[:, 2] += (x, y)
    return np.asarray(cv2.warpAffine(image, where, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)


def lit(image: Image, *gain: float) -> Image:
    return np.asarray(np.clip(image * np.array(gain), 0, 255), np.uint8)


@pytest.mark.parametrize("session", SESSIONS)
def test_pictures_of_one_session_belong_together(session: str) -> None:
    own = stills(session)
    for image in own.dice:
        belong.one_tray(own.empty, image, NAMES)


@pytest.mark.parametrize("session", SESSIONS)
def test_a_little_more_or_less_light_is_no_other_light(session: str) -> None:
    own = stills(session)
    for gain in (0.87, 1.15):
        belong.one_tray(own.empty, lit(own.dice[0], gain), NAMES)


def test_a_die_in_the_picture_of_the_empty_tray_is_said(good: Stills) -> None:
    assert "picture of the empty tray shows" in refused(good.dice[0], good.dice[1])


def test_a_picture_without_dice_is_named_by_its_number(good: Stills) -> None:
    assert "Dice picture 2 shows no dice" in refused(good.empty, good.dice[0], good.empty)
    assert "Dice picture 1 shows no dice" in refused(good.empty, good.empty, good.dice[0])
    assert "Dice picture 1 shows no dice" in refused(good.dice[0], *good.dice)


def test_dice_that_lie_as_before_teach_nothing_without_an_empty_picture(good: Stills) -> None:
    assert "No dice were found" in refused(None, good.dice[0], good.dice[0])


@pytest.mark.parametrize("session", SESSIONS[1:])
def test_another_tray_is_said(good: Stills, session: str) -> None:
    other = stills(session)
    assert "another tray" in refused(other.empty, *good.dice)
    assert "another tray on dice picture 2" in refused(good.empty, good.dice[0], other.dice[0])


@pytest.mark.parametrize("session", SESSIONS)
def test_a_moved_camera_is_said(session: str) -> None:
    own = stills(session)
    assert "moved between" in refused(moved(own.empty, 24, 18), *own.dice)


def test_how_far_a_camera_was_moved_is_said(good: Stills) -> None:
    said = refused(moved(good.empty, 24, 18), *good.dice)
    far = re.search(r"between the picture of the empty tray and dice picture 1 \(by about (\d+) pixels\)", said)
    assert far is not None
    assert abs(int(far[1]) - 30) <= 2


@pytest.mark.parametrize("session", SESSIONS)
def test_a_turned_camera_is_said(session: str) -> None:
    own = stills(session)
    assert "camera was moved between" in refused(own.empty, moved(own.dice[0], 0, 0, 5))


def test_a_moved_camera_is_said_without_an_empty_picture_too(good: Stills) -> None:
    assert "moved between" in refused(None, good.dice[0], moved(good.dice[1], 24, 18))


@pytest.mark.parametrize("session", SESSIONS)
def test_other_light_is_said(session: str) -> None:
    own = stills(session)
    for light in (lit(own.dice[0], 0.5), lit(own.dice[0], 1.6), lit(own.dice[0], 0.55, 0.85, 1.1)):
        assert "light is another one" in refused(own.empty, light)


def test_a_lamp_from_another_side_is_said(good: Stills) -> None:
    across = np.linspace(1.45, 0.35, good.empty.shape[1])[None, :, None]
    said = refused(np.asarray(np.clip(good.empty * across, 0, 255), np.uint8), *good.dice)
    assert "light falls otherwise" in said or "light is another one" in said


def test_a_picture_with_nothing_to_see_is_taken_as_it_is() -> None:
    plain = np.full((480, 640, 3), 90, np.uint8)
    belong.one_tray(plain, plain, NAMES)
