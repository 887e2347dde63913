"""What tells flat dice: the turn of a one, sides that should not show, pips on no die, spots the floor had before."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import attitude, beyond, check, cube, known, likeness, lone, pose, spots
from vision.dice_set import Kind, Slack
from vision.faces import no_faces
from vision.frame import Frame, Image
from vision.geometry import Camera, size_of, turned
from vision.lump import Lump
from vision.pips import Pips
from vision.polygon import Box
from vision.profile import Profile
from vision.reader import read

_FLOOR, _BODY, _PIP = (60, 110, 60), (225, 230, 235), (25, 25, 25)
_KIND = Kind("white", _BODY, _PIP, 16.0, 0.25, 0.09, 0.09, 12)
# Straight above and far away: a die's sides hardly show, so that a plain square is a flat die.
_CAMERA = Camera(16000.0, 199.5, 199.5, 0.0, 0.0, 16 * 250.0 + 16.0)


def _likeness() -> likeness.Likeness:
    dice, floor = np.zeros((16, 16, 16)), np.zeros((16, 16, 16))
    for table, colours in ((dice, (_BODY, _PIP)), (floor, (_FLOOR,))):
        for b, g, r in colours:
            table[b >> 4, g >> 4, r >> 4] = 100
    return likeness.learned(dice, floor)


def _empty() -> Image:
    return np.full((400, 400, 3), _FLOOR, np.uint8)


def _profile(empty: Image | None = None) -> Profile:
    return Profile(400, 400, _CAMERA, (_KIND,), empty=_empty() if empty is None else empty, likeness=_likeness())


def _one(angle: float, side: float = 0.0) -> Image:
    """A one of 64 pixels in the middle; `side`: how far it reaches beyond its right side, in edges."""
    big = np.repeat(np.repeat(_empty(), 4, 0), 4, 1)
    ys, xs = np.mgrid[0:1600, 0:1600] / 4 - 200 + 0.125
    turn = turned(np.array([angle]))[0]
    u, v = turn[0, 0] * xs + turn[1, 0] * ys, turn[0, 1] * xs + turn[1, 1] * ys
    big[(u > -32) & (u < 32 + 64 * side) & (np.abs(v) < 32)] = _BODY
    big[np.hypot(u, v) < 5.8] = _PIP
    return np.asarray(big.reshape(400, 4, 400, 4, 3).mean((1, 3)), np.uint8)


def _four() -> Image:
    """A four of 64 pixels in the middle."""
    image = _one(0.0)
    image[190:210, 190:210] = _BODY
    for x, y in ((184, 184), (216, 184), (184, 216), (216, 216)):
        cv2.circle(image, (x * 16, y * 16), 92, _PIP, -1, cv2.LINE_AA, 4)
    return image


@settings(max_examples=20)
@given(st.floats(0, 1.57))
def test_the_turn_of_a_one_is_read_from_its_outline(angle: float) -> None:
    reading = read(Frame(_one(angle)), _profile())
    (die,) = reading.dice
    off = abs(die.angle - np.rad2deg(angle)) % 90
    assert (die.value, reading.sure) == (1, True)
    assert min(off, 90 - off) < 5.5


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.1])
def test_die_colours_beyond_a_side_that_is_turned_away_are_found(angle: float) -> None:
    profile = _profile()
    for side, least, most in ((0.0, 0.0, 0.1), (0.3, 0.9, 1.0)):
        image = _one(angle, side)
        found = known.look(_one(angle), profile).faces
        cubes = cube.flat(found, profile)
        # The camera sees the left side, so the right one is turned away.
        right = turned(np.array([angle]))[0] @ np.array([1.0, 0.0])
        share = beyond.beyond(image, cube.of(cubes.top, cubes.foot - 6 * right), profile)
        assert least <= share[0] <= most


def test_what_another_die_may_cover_tells_nothing() -> None:
    top = np.array([[(-32, -32), (32, -32), (32, 32), (-32, 32)]]) + np.array([[[200.0, 200.0]], [[270.0, 200.0]]])
    at = np.array([[(240.0, 200.0)], [(200.0, 240.0)]])
    assert beyond.covered(at, cube.of(top, top)).tolist() == [[True], [False]]


def _pips(*xy: tuple[float, float]) -> Pips:
    n = len(xy)
    inner, outer = np.tile(np.array(_PIP, np.float64), (n, 1)), np.tile(np.array(_BODY, np.float64), (n, 1))
    contrast = np.linalg.norm(inner - outer, axis=1)
    none = np.zeros(n)
    return Pips(np.array(xy), np.full(n, 5.8), np.full(n, 0.95), inner, outer, contrast, np.ones(n), none, none, none)


def test_a_pip_on_no_die_is_left_over_and_one_on_a_die_is_not() -> None:
    profile = _profile()
    found = cube.flat(known.look(_one(0.2), profile).faces, profile)
    assert len(found) == 1
    assert lone.lone(_pips((200.0, 200.0), (90.0, 300.0)), found, profile).tolist() == [[90.0, 300.0]]


def test_a_die_that_looks_like_the_floor_is_asked_about() -> None:
    image = _empty()
    ys, xs = np.mgrid[0:400, 0:400]
    image[np.hypot(xs - 120, ys - 260) < 5.8] = (250, 250, 250)
    dark = Profile(
        400, 400, _CAMERA, (Kind("green", _FLOOR, (250, 250, 250), 16.0, 0.25, 0.09, 0.09, 12),), empty=_empty()
    )
    reading = read(Frame(image), dark)
    assert not reading.sure
    assert [(d.kind, round(d.x), round(d.y)) for d in reading.doubts] == [("count", 120, 260)]


def test_spots_that_the_empty_tray_has_too_are_no_pips() -> None:
    marked = _empty()
    ys, xs = np.mgrid[0:400, 0:400]
    marked[np.hypot(xs - 90, ys - 100) < 5.8] = _PIP
    image = _one(0.3)
    image[np.hypot(xs - 90, ys - 100) < 5.8] = _PIP
    box: Box = (0, 0, 400, 400)
    without, with_mark = (spots.look(image, (box,), _profile(empty)) for empty in (_empty(), marked))
    near = [bool((np.hypot(*(p.xy - (90, 100)).T) < 3).any()) for p in (without, with_mark)]
    assert near == [True, False]
    assert (np.hypot(*(with_mark.xy - (199.5, 199.5)).T) < 2).any()


def test_limits_never_fall_below_what_a_leaning_die_shows() -> None:
    limit = attitude.limits(_profile())
    assert limit.stretch >= 0.02
    assert limit.aspect >= 0.03


@pytest.mark.parametrize(("usual", "verdict"), [(0.0, "cocked"), (0.35, "flat"), (1.0, "flat")])
def test_a_shadow_that_dice_throw_in_this_light_is_no_side_of_one_whose_pips_lie_level(
    usual: float, verdict: str
) -> None:
    profile = replace(_profile(), slack=Slack(lump=usual))
    image = _four()
    found = known.look(image, profile)
    seen = check.check(image, found.faces, cube.flat(found.faces, profile), found.boxes, profile)
    shadow = Lump(240.0, 200.0, 0.4, 0, False, True)
    clues = attitude.clues(
        found.faces, pose.measure(found.faces, found.pips, profile), replace(seen, lumps=(shadow,)), profile
    )
    assert attitude.verdict(clues[0]) == verdict


@pytest.mark.parametrize(
    ("shadow", "side", "aspect", "verdict"),
    [
        (True, 0.0, 0.01, "flat"),
        (True, 0.45, 0.018, "flat"),
        (True, 0.0, 0.03, "cocked"),
        (True, 0.7, 0.01, "cocked"),
        (False, 0.0, 0.01, "cocked"),
    ],
    ids=["a shadow", "a shadow of its own colour", "leaning", "mirrored", "a side"],
)
def test_beside_a_picture_that_lies_level_a_shadow_is_no_side(
    shadow: bool, side: float, aspect: float, verdict: str
) -> None:
    profile, image = _profile(), _four()
    found = known.look(image, profile).faces
    picture = replace(found, radius=np.zeros(len(found)))
    assert picture.pictured.all()
    lump = Lump(240.0, 200.0, 0.5, 0, False, True, shadow)
    one, none = np.ones(len(found)), np.zeros(len(found))
    seen = check.Check(none, none, none, (lump,), side * one, none)
    lies = pose.Pose(one, (1 - aspect) * one, np.full(len(found), 4), np.nan * one)
    clues = attitude.clues(picture, lies, seen, profile)
    assert attitude.verdict(clues[0]) == verdict


def test_how_exactly_a_four_lies_is_told_where_the_trays_own_dice_are_known_so_exactly() -> None:
    image = _four()
    for exact, told in (((0.0, 0.0), False), ((0.003, 0.004), True)):
        profile = replace(_profile(), slack=Slack(exact=exact))
        found = known.look(image, profile)
        seen = check.check(image, found.faces, cube.flat(found.faces, profile), found.boxes, profile)
        (clues,) = attitude.clues(found.faces, pose.measure(found.faces, found.pips, profile), seen, profile)
        assert ("exact" in {clue.name for clue in clues}) is told


@pytest.mark.parametrize(("light", "solid"), [(0.3, False), (2.0, True)])
def test_what_has_the_floors_colour_in_a_shadow_may_be_one(light: float, solid: bool) -> None:
    image = _one(0.0)
    image[180:220, 234:260] = np.array(_FLOOR) * light
    both = np.zeros((16, 16, 16))
    for colour in (_BODY, _PIP, image[200, 250]):
        b, g, r = (int(c) >> 4 for c in colour)
        both[b, g, r] = 100
    floor = np.zeros((16, 16, 16))
    floor[tuple(c >> 4 for c in _FLOOR)] = 100
    profile = replace(_profile(), likeness=likeness.learned(both, floor))
    found = known.look(image, profile)
    one = found.faces.pick(found.faces.value == 1)
    seen = check.check(image, one, cube.flat(one, profile), ((100, 100, 300, 300),), profile)
    assert seen.owned[0] > 0.1
    assert bool(seen.solid[0] > 0) is solid


def test_more_beside_a_die_than_a_shadow_is_asked_about_in_any_light() -> None:
    assert attitude.limits(replace(_profile(), slack=Slack(lump=1.0))).lump < 1


def test_a_face_lost_in_a_gleam_is_asked_about() -> None:
    dice, floor = np.zeros((16, 16, 16)), np.zeros((16, 16, 16))
    dice[2, 2, 2], floor[3, 6, 3] = 100, 100
    black = Kind("black", (40, 40, 40), (235, 235, 235), 16.0, 0.25, 0.09, 0.09, 12)
    profile = Profile(400, 400, _CAMERA, (black,), empty=_empty(), likeness=likeness.learned(dice, floor))
    image = _empty()
    image[170:234, 140:204] = 255
    reading = read(Frame(image), profile)
    assert [d.kind for d in reading.doubts] == ["count"]
    assert np.hypot(reading.doubts[0].x - 171.5, reading.doubts[0].y - 201.5) < 5


@pytest.mark.parametrize(
    ("larger", "learned", "verdict"),
    [(1.0, 0.1, "flat"), (1.04, 0.1, "flat"), (1.08, 0.1, "stacked"), (1.08, 0.09, "flat")],
)
def test_a_one_whose_pip_is_too_large_for_the_floor_lies_on_another_die(
    larger: float, learned: float, verdict: str
) -> None:
    """Only where the size of ones was learned: a kind of which none was seen has that of its other pips."""
    camera, kind = Camera(1000.0, 199.5, 199.5, 0.0, 0.0, 350.0), replace(_KIND, one=learned)
    profile = replace(_profile(), camera=camera, kinds=(kind,))
    image = _one(0.0)
    found = known.look(image, replace(_profile(), kinds=(kind,))).faces
    assert found.value.tolist() == [1]
    seen = check.check(image, no_faces(), cube.flat(no_faces(), profile), (), profile)
    zero = np.zeros(1)
    seen = replace(seen, gap=zero, inside=zero, cut=zero, beyond=zero, bare=zero)
    size = float(size_of(camera.scale(found.xy[0].astype(np.float64), 16.0))) * 16.0
    found = replace(found, radius=np.array([larger * learned * size]))
    level = pose.Pose(np.ones(1), np.ones(1), np.zeros(1, np.int64), np.full(1, np.nan))
    assert attitude.verdict(attitude.clues(found, level, seen, profile)[0]) == verdict
