"""What a profile is learned from: faces as large as their own pips say, and none that only seem to be dice."""

from dataclasses import replace

import numpy as np
import pytest

from calibration import belong, measure, patterns
from vision.dice_set import Kind
from vision.faces import Faces
from vision.geometry import Camera
from vision.known import Found
from vision.lattice import PATTERNS, PLACES
from vision.pips import Pips
from vision.pips import none as no_pips
from vision.profile import Profile

_WHITE, _GREEN, _BRIGHT = (250.0, 250.0, 250.0), (20.0, 110.0, 40.0), (10.0, 220.0, 50.0)
_KIND = Kind("green", _GREEN, _WHITE, 16.0, 0.25, 0.09, 0.09, 4)
_PROFILE = Profile(1280, 960, Camera(1000.0, 639.5, 479.5, 0.0, 0.0, 350.0), (_KIND,))
_FOUR = PLACES[next(p for v, p in PATTERNS if v == 4) > 0.5].astype(np.float64)


def _faces(n: int, pip: tuple[float, float, float] = _WHITE) -> Faces:
    """Fours in a row, as the profile has them."""
    xy, one = np.column_stack([300 + 100.0 * np.arange(n), np.full(n, 400.0)]), np.ones(n)
    frame = _PROFILE.camera.scale(xy, 16.0) * 16.0 * _KIND.offset
    size = np.sqrt(np.linalg.det(frame))
    return Faces(
        xy=xy,
        frame=frame,
        value=np.full(n, 4),
        radius=0.36 * size,
        body=np.repeat([_GREEN], n, 0),
        pip=np.repeat([pip], n, 0),
        misfit=0.1 * one,
        margin=one,
        rival=np.zeros(n, np.int64),
        uneven=0.1 * one,
        strays=0 * one,
        score=3 * one,
        half=2 * size,
        sides=np.zeros((n, 4)),
        backed=one,
        upright=0 * one,
        kind=np.zeros(n, np.int64),
    )


@pytest.mark.parametrize("size", [0.92, 1.0, 1.08])
def test_a_face_is_as_large_as_its_own_pips_say_and_not_its_kind(size: float) -> None:
    found = _faces(1)
    at = found.xy + size * _FOUR @ found.frame[0].T
    n, one = len(at), np.ones(len(at))
    three = np.zeros((n, 3))
    pips = Pips(at, 4 * one, one, three, three, 200 * one, one, 0 * one, 0 * one, 0 * one)
    spaced = patterns.as_spaced(Found(found, found, pips, (), None), _PROFILE)
    assert spaced.offset[0] == pytest.approx(size * found.offset[0], rel=0.01)


def test_a_faint_pattern_of_the_floor_is_no_die_to_learn_from() -> None:
    found = _faces(3)
    assert len(belong.plain(replace(found, score=np.array([3.0, 0.3, 3.0])))) == 2


@pytest.mark.parametrize(("size", "kept"), [(0.25, 0), (0.7, 2), (1.5, 2), (5.0, 0)])
def test_what_is_far_larger_or_smaller_than_most_is_no_die(size: float, kept: int) -> None:
    """Whole dice make a pattern, and so do the specks on one; dice of 12 and 19 mm may lie in one picture."""
    odd = replace(_faces(2), frame=size * _faces(2).frame)
    own = measure.of_one_set([measure.Seen(_faces(4), no_pips()), measure.Seen(odd, no_pips())])
    assert [len(one.faces) for one in own] == [4, kept]


@pytest.mark.parametrize(("often", "seldom", "kept"), [(9, 1, False), (9, 4, True), (3, 1, False)])
def test_what_shines_through_clear_dice_is_no_other_kind(often: int, seldom: int, kept: bool) -> None:
    """In the body's own colour, faint, and once among nine, or among three: four among nine are dice."""
    usual, through = _faces(often), _faces(seldom, _BRIGHT)
    both = Faces(*(np.concatenate([getattr(usual, f), getattr(through, f)]) for f in Faces.__slots__))
    shining = measure.shining(both, np.repeat([0, 1], [often, seldom]))
    assert not shining[:often].any()
    assert shining[often:].all() != kept
