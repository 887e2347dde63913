"""The reader on rendered pictures of two trays: right, or asked about, never silently wrong."""

import functools
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import learn
from calibration.learn import Lesson
from vision.frame import Frame, Image
from vision.overlay import draw
from vision.reader import read
from vision.seen import Reading

_DATA = Path(__file__).parent / "data" / "reader"
_PICTURES: list[dict[str, Any]] = json.loads((_DATA / "pictures.json").read_text())
_THROWS = [p for p in _PICTURES if p["kind"] == "throw"]
_FLAT = [p for p in _THROWS if all(d["value"] for d in p["dice"])]
_COCKED = [p for p in _THROWS if p not in _FLAT]
_SETS = sorted({p["set"] for p in _PICTURES})


def _image(picture: str) -> Image:
    image = cv2.imread(str(_DATA / picture))
    assert image is not None
    return np.asarray(image, np.uint8)


def _of(name: str, kind: str) -> list[dict[str, Any]]:
    return [p for p in _PICTURES if p["set"] == name and p["kind"] == kind]


@functools.cache
def _lesson(name: str, with_empty: bool = True) -> Lesson:
    empty = _image(_of(name, "empty")[0]["picture"]) if with_empty else None
    dice = [_image(p["picture"]) for p in _of(name, "calib")]
    return learn.build(empty, dice, _of(name, "calib")[0]["size_mm"], rail=True)


@functools.cache
def _reading(picture: str) -> Reading:
    name = next(p["set"] for p in _PICTURES if p["picture"] == picture)
    return read(Frame(_image(picture)), _lesson(name).profile)


def _names(known: dict[str, Any]) -> str:
    return str(known["picture"])


@pytest.mark.parametrize("known", _FLAT, ids=_names)
def test_flat_dice_are_read_right_and_for_sure(known: dict[str, Any]) -> None:
    reading = _reading(known["picture"])
    assert (list(reading.values), list(reading.rail_values)) == (sorted(known["values"]), sorted(known["rail_values"]))
    assert reading.sure, reading.doubts


@pytest.mark.parametrize("known", _FLAT, ids=_names)
def test_each_die_is_where_it_lies(known: dict[str, Any]) -> None:
    for die in known["dice"]:
        seen = min(_reading(known["picture"]).dice, key=lambda s: np.hypot(s.x - die["x"], s.y - die["y"]))
        assert np.hypot(seen.x - die["x"], seen.y - die["y"]) < 3
        assert seen.value == die["value"]


@pytest.mark.parametrize("known", _COCKED, ids=_names)
def test_a_cocked_die_is_asked_about_by_its_place(known: dict[str, Any]) -> None:
    reading = _reading(known["picture"])
    assert not reading.sure
    for die in known["dice"]:
        if die["value"] is None:
            doubt = min(reading.doubts, key=lambda d: np.hypot(d.x - die["x"], d.y - die["y"]))
            assert np.hypot(doubt.x - die["x"], doubt.y - die["y"]) < 30
            assert doubt.text.endswith(".")


@pytest.mark.parametrize("name", _SETS)
def test_an_empty_tray_is_empty_for_sure(name: str) -> None:
    reading = read(Frame(_image(_of(name, "empty")[0]["picture"])), _lesson(name).profile)
    assert reading.dice == ()
    assert reading.sure


@pytest.mark.parametrize("name", _SETS)
def test_calibration_reads_its_own_pictures(name: str) -> None:
    lesson = _lesson(name)
    for known, reading in zip(_of(name, "calib"), lesson.readings, strict=True):
        assert sorted(d.value or 0 for d in reading.dice) == sorted(known["values"] + known["rail_values"])
    assert lesson.profile.learned.sure == len(lesson.readings)


@pytest.mark.parametrize("name", _SETS)
def test_calibration_learns_the_size_of_the_pips(name: str) -> None:
    kinds = _lesson(name).profile.kinds
    assert 0.22 < kinds[0].offset < 0.29
    assert 0.06 < kinds[0].radius < 0.12


def test_without_an_empty_picture_one_is_made_from_the_dice_pictures() -> None:
    lesson = _lesson("yellow", with_empty=False)
    truth = _image(_of("yellow", "empty")[0]["picture"])
    assert lesson.profile.empty is not None
    off = np.abs(lesson.profile.empty.astype(int) - truth).max(2)
    assert (off > 40).mean() < 0.01


@pytest.mark.parametrize("known", _FLAT, ids=_names)
def test_without_a_profile_nothing_is_silently_wrong(known: dict[str, Any]) -> None:
    reading = read(Frame(_image(known["picture"])), None)
    truth = sorted(known["values"] + known["rail_values"])
    assert not reading.sure or list(reading.values) == truth


def test_most_dice_are_read_without_a_profile() -> None:
    hit = total = 0
    for known in _FLAT:
        left = list(read(Frame(_image(known["picture"])), None).values)
        for value in known["values"] + known["rail_values"]:
            total += 1
            if value in left:
                left.remove(value)
                hit += 1
    assert hit / total > 0.85


def test_a_picture_of_another_size_is_read_as_well() -> None:
    known = _FLAT[0]
    profile = _lesson(known["set"]).profile
    larger = cv2.resize(_image(known["picture"]), None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC)
    assert list(read(Frame(np.asarray(larger, np.uint8)), profile).values) == sorted(known["values"])


@pytest.mark.parametrize("gain", [0.8, 1.15])
def test_a_little_more_or_less_light_changes_no_value(gain: float) -> None:
    known = _FLAT[-1]
    lit = np.clip(_image(known["picture"]).astype(np.float32) * gain, 0, 255).astype(np.uint8)
    reading = read(Frame(lit), _lesson(known["set"]).profile)
    assert not reading.sure or list(reading.values) == sorted(known["values"])


def test_what_was_seen_is_drawn_on_a_copy() -> None:
    known = _COCKED[0]
    image = _image(known["picture"])
    before = image.copy()
    drawn = draw(image, _reading(known["picture"]), _lesson(known["set"]).profile)
    assert drawn.shape == image.shape
    assert (image == before).all()
    assert (drawn != image).any(2).mean() > 0.005


def test_reading_the_same_picture_twice_gives_the_same() -> None:
    picture = _FLAT[0]["picture"]
    assert read(Frame(_image(picture)), _lesson(_FLAT[0]["set"]).profile) == _reading(picture)
