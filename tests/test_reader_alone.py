"""Promises of reading without a profile: views from the side, and dice that were missed are asked about."""

import cv2
import numpy as np
import pytest

from vision import alone, leftover, pips
from vision.frame import Frame, Image
from vision.lattice import PATTERNS, PLACES
from vision.reader import read
from vision.sampling import Floats
from vision.slant import Slant

_FLOOR, _BODY, _PIP = (70, 120, 70), (225, 230, 235), (25, 25, 25)
_SIZE = (640, 480)


def _table(*dice: tuple[int, float, float, float]) -> Image:
    """A floor of 640x480 seen from above; each die: value, x, y and turn in degrees."""
    big = np.full((4 * _SIZE[1], 4 * _SIZE[0], 3), _FLOOR, np.uint8)
    for value, x, y, turn in dice:
        axes = np.array([(np.cos(a), np.sin(a)) for a in np.deg2rad((turn, turn + 90))]) * 4 * 28
        middle = np.array((x, y)) * 4
        corners = middle + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axes
        cv2.fillPoly(big, [np.round(corners).astype(np.int32)], _BODY, cv2.LINE_AA)
        places = np.zeros((1, 2)) if value == 1 else PLACES[next(p for n, p in PATTERNS if n == value) > 0]
        for place in middle + 0.5 * places @ axes:
            cv2.circle(big, np.round(place).astype(np.int32).tolist(), 20, _PIP, -1, cv2.LINE_AA)
    return np.asarray(cv2.resize(big, _SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def _aslant(picture: Image, degrees: float) -> Image:
    """The same table where the camera looks away from straight down."""
    slant = Slant(degrees, *_SIZE)
    corners: Floats = np.array([(220.0, 170), (420, 170), (420, 310), (220, 310)])
    middle = np.array([_SIZE]) / 2
    from_table = cv2.getPerspectiveTransform(
        (slant.on_table(corners) - slant.on_table(middle) + middle).astype(np.float32), corners.astype(np.float32)
    )
    return np.asarray(cv2.warpPerspective(picture, from_table, _SIZE, borderValue=_FLOOR), np.uint8)


def test_a_round_spot_is_round_on_the_table_from_any_side() -> None:
    seen = _aslant(_table((5, 320, 240, 20)), 45)
    found = pips.find(seen, 4.5)
    found = found.pick((found.clean > 0.95) & (found.radius < 5))
    assert len(found) == 5
    assert found.ratio.max() < 0.85
    assert Slant(45.0, *_SIZE).seen(found).ratio.min() > 0.88


@pytest.mark.parametrize("degrees", [0.0, 30.0, 45.0, 54.0])
@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
def test_top_faces_are_read_from_the_side(value: int, degrees: float) -> None:
    found = alone.look(_aslant(_table((value, 300, 220, 25), (value, 380, 290, 64)), degrees))
    assert list(found.faces.value) == [value, value]
    # A narrow view of two or three pips in a row tells little of it.
    assert found.slant.degrees == pytest.approx(degrees, abs=12 if value > 3 else 30)


def test_what_a_camera_from_above_sees_needs_no_slant() -> None:
    slant = Slant(0.0, *_SIZE)
    places = np.array([(3.0, 5.0), (600.0, 400.0)])
    assert np.allclose(slant.scale(places), np.eye(2))
    assert slant.sees(places).all()


def test_a_die_whose_pips_are_not_seen_is_asked_about() -> None:
    assert read(Frame(_table((5, 150, 150, 10), (3, 450, 300, 40))), None).sure
    both = _table((5, 150, 150, 10))
    both[240:300, 440:500] = (40, 40, 220)
    reading = read(Frame(both), None)
    assert reading.values == (5,)
    assert [d.kind for d in reading.doubts] == ["count"]
    assert np.hypot(reading.doubts[0].x - 470, reading.doubts[0].y - 270) < 15


def test_pips_on_no_die_are_asked_about() -> None:
    picture = _table((5, 150, 150, 10))
    for x in (440, 465):
        cv2.circle(picture, (x, 330), 5, (235, 235, 235), -1, cv2.LINE_AA)
    reading = read(Frame(picture), None)
    assert reading.values == (5,)
    assert [d.kind for d in reading.doubts] == ["count"]


def test_a_plain_pip_where_no_face_is_found_is_asked_about() -> None:
    picture = _table()
    assert read(Frame(picture), None).sure
    cv2.ellipse(picture, (300, 200), (8, 6), 30, 0, 360, (235, 235, 235), -1, cv2.LINE_AA)
    reading = read(Frame(picture), None)
    assert reading.dice == ()
    assert [d.kind for d in reading.doubts] == ["count"]


def test_a_side_of_a_die_is_not_taken_for_its_top_for_sure() -> None:
    slant = Slant(47.0, *_SIZE)
    # The front face of a cube, seen as steeply as its top: both look like a top face of their own.
    found = alone.look(_aslant(_table((4, 320, 200, 0), (2, 320, 256, 0)), 47))
    assert sorted(found.faces.value) == [2, 4]
    beside = dict(zip(found.faces.value.tolist(), leftover.beside(found.pips, found.faces, slant), strict=True))
    assert beside[4] == 0
    assert beside[2] > 0


def test_a_die_too_faint_to_read_is_asked_about() -> None:
    picture = _table((5, 150, 150, 10))
    for x, y in ((430, 310), (458, 310), (430, 338), (458, 338)):
        cv2.circle(picture, (x, y), 5, (100, 160, 100), -1, cv2.LINE_AA)
    reading = read(Frame(picture), None)
    assert reading.values == (5,)
    assert [d.kind for d in reading.doubts] == ["count"]


def test_pips_of_a_larger_die_are_asked_about() -> None:
    picture = _table((5, 150, 150, 10))
    for x, y in ((400, 300), (458, 340)):
        cv2.circle(picture, (x, y), 10, (235, 235, 235), -1, cv2.LINE_AA)
    reading = read(Frame(picture), None)
    assert reading.values == (5,)
    assert [d.kind for d in reading.doubts] == ["count"]


def test_a_die_with_little_of_an_outline_is_read_beside_one_that_is_plain() -> None:
    picture = _table((3, 450, 300, 0))
    # As light as the die but for a trace, on all sides but one.
    light = (221, 226, 230)
    picture[240:274, 390:477] = light
    picture[327:360, 390:477] = light
    picture[240:360, 390:424] = light
    assert len(alone.look(picture).faces) == 0
    picture[100:200, 100:200] = _table((5, 150, 150, 10))[100:200, 100:200]
    assert sorted(alone.look(picture).faces.value) == [3, 5]


def test_a_clear_die_whose_pips_lie_on_unlike_grounds_is_asked_about() -> None:
    picture = _table((5, 150, 150, 10))
    for x, ground in ((440, (70, 120, 70)), (468, (110, 165, 110))):
        cv2.circle(picture, (x, 330), 11, ground, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, 330), 5, (225, 235, 225), -1, cv2.LINE_AA)
    assert [d.kind for d in read(Frame(picture), None).doubts] == ["count"]


def test_where_dice_of_several_sizes_may_lie_the_odd_one_counts_in_full() -> None:
    table = _table((5, 90, 90, 10), (5, 90, 240, 30), (5, 90, 390, 50), (5, 240, 90, 70))
    larger = cv2.resize(_table((6, 320, 240, 20)), None, fx=1.4, fy=1.4, interpolation=cv2.INTER_CUBIC)
    table[190:420, 330:560] = larger[221:451, 333:563]
    found = alone.from_above(table, np.ones(table.shape[:2], np.uint8)).faces
    assert sorted(found.value.tolist()) == [5, 5, 5, 5, 6]
    assert found.score[found.value == 6][0] > 4
