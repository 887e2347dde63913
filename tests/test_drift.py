"""What has changed since the calibration is told, with the place and the cure; what has not, is not."""

import cv2
import numpy as np
import pytest
from rendered import Rendered, picture, throws

from vision import drifting
from vision.displaced import displaced
from vision.drift import Drift
from vision.frame import Frame, Image
from vision.geometry import size_of
from vision.profile import Profile
from vision.reader import read

SESSIONS = ["b05", "b15", "b18", "b19"]
each_session = pytest.mark.parametrize("session", SESSIONS)


def grainy(image: Image, seed: int = 1) -> Image:
    """Another picture of the same by the same camera."""
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)


def lit(image: Image, *gains: float) -> Image:
    return np.asarray(np.clip(image * np.array(gains if len(gains) == 3 else gains * 3), 0, 255), np.uint8)


def moved(image: Image, degrees: float, dx: float, dy: float) -> Image:
    """Clockwise about the middle, then right and down."""
    height, width = image.shape[:2]
    way = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1.0)
    way[:, 2] += (dx, dy)
    return np.asarray(cv2.warpAffine(image, way, (width, height), borderMode=cv2.BORDER_REFLECT_101), np.uint8)


def px_per_mm(profile: Profile) -> float:
    return float(size_of(profile.camera.scale(np.array([profile.width / 2, profile.height / 2]))))


def kinds(found: tuple[Drift, ...]) -> list[str]:
    return [one.kind for one in found]


def empty(session: str) -> Image:
    return picture(f"{session}_00_empty.jpg")


@each_session
@pytest.mark.parametrize("gain", [0.85, 1.0, 1.15])
def test_an_unchanged_tray_has_not_drifted_in_a_little_more_or_less_light(
    rendered: Rendered, session: str, gain: float
) -> None:
    assert drifting.compare(grainy(lit(empty(session), gain)), rendered.profile(session)) == ()


@each_session
def test_dice_are_no_drift(rendered: Rendered, session: str) -> None:
    for label in throws(session):
        seen = rendered.reading(label["file"])
        assert drifting.compare(picture(label["file"]), rendered.profile(session), seen.dice) == ()


@each_session
@pytest.mark.parametrize(("gain", "kind", "times"), [(0.6, "darker", 0.33), (1.45, "brighter", 2.3)])
def test_other_light_is_told_with_how_much_there_is(
    rendered: Rendered, session: str, gain: float, kind: str, times: float
) -> None:
    found = drifting.compare(grainy(lit(empty(session), gain)), rendered.profile(session))
    assert kinds(found) == [kind]
    assert found[0].amount == pytest.approx(times, rel=0.2)


@each_session
def test_light_of_another_colour_is_told(rendered: Rendered, session: str) -> None:
    found = drifting.compare(grainy(lit(empty(session), 0.8, 0.95, 1.1)), rendered.profile(session))
    assert kinds(found) == ["colour"]
    assert "redder" in found[0].text


@each_session
@pytest.mark.parametrize(("mm", "degrees"), [(10.0, 0.0), (0.0, 5.0), (6.0, -3.0)])
def test_a_camera_that_has_moved_is_told_with_how_far(
    rendered: Rendered, session: str, mm: float, degrees: float
) -> None:
    profile = rendered.profile(session)
    now = moved(grainy(empty(session)), degrees, mm * px_per_mm(profile), 0)
    way = displaced(now, profile)
    assert way is not None
    assert (way.mm, way.degrees) == (pytest.approx(mm, abs=0.6), pytest.approx(degrees, abs=0.3))
    assert kinds(drifting.compare(now, profile)) == ["moved"]


@each_session
def test_a_camera_that_trembles_has_not_moved(rendered: Rendered, session: str) -> None:
    profile = rendered.profile(session)
    assert drifting.compare(moved(grainy(empty(session)), 0.1, 1.0, -1.0), profile) == ()


@each_session
def test_a_thing_in_the_tray_is_told_with_its_place(rendered: Rendered, session: str) -> None:
    now, profile = grainy(empty(session)), rendered.profile(session)
    corners = np.array(profile.tray or [(0, 0), (profile.width, profile.height)])
    x, y = (int(v) for v in corners.mean(0))
    cv2.ellipse(now, (x, y), (30, 18), 25, 0, 360, (190, 200, 210), -1)
    (found,) = drifting.compare(now, profile)
    assert found.kind == "thing"
    assert found.box is not None
    left, top, width, height = found.box
    assert (left < x < left + width, top < y < top + height) == (True, True)
    assert max(width, height) < 90


def test_another_floor_is_told_from_other_light(rendered: Rendered) -> None:
    now, profile = grainy(empty("b05")), rendered.profile("b05")
    floor = np.zeros(now.shape[:2], np.uint8)
    for outline in (profile.tray, profile.rail):
        if outline is not None:
            cv2.fillPoly(floor, [np.rint(np.array(outline)).astype(np.int32)], (255,))
    on = cv2.mean(now, floor)[:3]
    now[floor > 0] = np.clip(now[floor > 0] * (np.array((150, 120, 60)) / np.maximum(on, 1)), 0, 255)
    (found,) = drifting.compare(now, profile)
    assert (found.kind, found.box is not None) == ("floor", True)


@each_session
@pytest.mark.parametrize(("mm", "degrees"), [(10.0, 0.0), (0.0, 5.0)])
def test_no_throw_is_read_for_sure_by_a_camera_that_has_moved(
    rendered: Rendered, session: str, mm: float, degrees: float
) -> None:
    profile, label = rendered.profile(session), throws(session)[0]
    now = moved(picture(label["file"]), degrees, 0, mm * px_per_mm(profile))
    doubts = [doubt.kind for doubt in read(Frame(now), profile).doubts]
    if session != "b18" or mm:  # a round tray is the same when it is turned
        assert {"moved", "strange"} & set(doubts)


@each_session
def test_every_sentence_says_what_to_do(rendered: Rendered, session: str) -> None:
    profile = rendered.profile(session)
    now = empty(session)
    for changed in (lit(now, 0.5), lit(now, 0.8, 1, 1.1), moved(now, 4, 9, 9)):
        for one in drifting.compare(changed, profile):
            assert one.text.endswith("or set the tray again.")
