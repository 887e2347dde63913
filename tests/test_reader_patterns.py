"""Without a profile dice are read that place their pips in their own way: near rows, large pips, another size."""

import cv2
import numpy as np
import pytest

from vision import alone, pips, rows
from vision.frame import Frame, Image
from vision.lattice import pips_of
from vision.reader import read
from vision.sampling import Floats
from vision.slant import Slant

_FLOOR, _BODY, _PIP = (70, 120, 70), (225, 230, 235), (25, 25, 25)
_ABOVE = Slant(0.0, 640, 480)


def _floor() -> Image:
    return np.full((480, 640, 3), _FLOOR, np.uint8)


def _lay(
    picture: Image, places: Floats, xy: tuple[float, float], turn: float, half: float = 28.0, radius: float = 5.0
) -> None:
    """A die with pips at `places` (n, 2), pixels from its middle; `turn`: degrees; `half`: of its edge, pixels."""
    finer = 16
    axes = np.array([(np.cos(a), np.sin(a)) for a in np.deg2rad((turn, turn + 90))])
    corners = xy + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axes
    cv2.fillPoly(picture, [np.round(finer * corners).astype(np.int32)], _BODY, cv2.LINE_AA, 4)
    for place in xy + places @ axes:
        at = np.round(finer * place).astype(np.int32).tolist()
        cv2.circle(picture, at, round(finer * radius), _PIP, -1, cv2.LINE_AA, 4)


def _plain(value: int, offset: float = 14.0) -> Floats:
    return offset * pips_of(value).astype(np.float64)


@pytest.mark.parametrize("turn", [0.0, 25.0, 70.0])
@pytest.mark.parametrize("near", [0.55, 0.7, 0.85, 1.0, 1.2])
def test_a_six_is_read_however_near_its_rows_lie(near: float, turn: float) -> None:
    picture = _floor()
    _lay(picture, _plain(5), (150, 150), 10)
    _lay(picture, _plain(6) * (1, near), (420, 300), turn)
    reading = read(Frame(picture), None)
    assert reading.sure
    assert sorted(reading.values) == [5, 6]


def test_six_pips_squeezed_like_their_pattern_are_the_side_of_a_die() -> None:
    picture = _floor()
    _lay(picture, _plain(6), (320, 240), 0)
    _lay(picture, _plain(6), (320, 100), 90)
    squeezed = np.asarray(cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    level = pips.find(squeezed, 4.5)
    assert len(level) >= 12
    assert len(rows.sixes(squeezed, level, _ABOVE)) == 0


def test_rows_of_two_dice_that_touch_are_no_six_of_their_own() -> None:
    picture = _floor()
    _lay(picture, _plain(6), (320, 240), 90, half=25)
    _lay(picture, _plain(6), (320 + 50, 240), 90, half=25)
    assert sorted(alone.look(picture).faces.value) == [6, 6]


def test_a_one_on_a_larger_die_is_read_beside_small_ones() -> None:
    picture = _floor()
    _lay(picture, _plain(5), (150, 150), 10)
    _lay(picture, _plain(3), (160, 330), 40)
    _lay(picture, np.zeros((1, 2)), (420, 280), 20, half=44, radius=10)
    reading = read(Frame(picture), None)
    assert reading.sure
    assert sorted(reading.values) == [1, 3, 5]


@pytest.mark.parametrize("value", [4, 5])
def test_pips_so_large_that_they_nearly_touch_are_read(value: int) -> None:
    picture = _floor()
    _lay(picture, _plain(value, 13), (320, 240), 25, half=33, radius=7.6)
    found = alone.look(picture).faces
    assert list(found.value) == [value]
    assert found.misfit[0] < 0.2
