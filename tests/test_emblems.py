"""Faces without pips: found, asked about, learned from a picture of each, and read in any turn."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import learn, store
from calibration.alike import as_ones, as_pips
from calibration.asked import Unnamed, answered, meaning
from calibration.emblems import have_pips
from vision import emblems, known, places
from vision.dice_set import Kind
from vision.emblem import FINE, SIDE, Emblem, album
from vision.emblems import pipped
from vision.errors import VisionError
from vision.faces import Faces
from vision.frame import Frame, Image
from vision.geometry import Camera, turned
from vision.lattice import pips_of
from vision.profile import Profile
from vision.reader import read

_WIDTH, _HEIGHT, _EDGE_MM = 640, 480, 16.0
_CAMERA = Camera(900.0, 319.5, 239.5, 0.0, 0.0, 320.0)
_FLOOR, _BODY, _INK = (40, 70, 50), (225, 230, 235), (40, 30, 60)

# Each picture of a tray shows the same grain.
_COARSE = np.random.default_rng(3).normal(0, 9, (_HEIGHT // 4, _WIDTH // 4, 1)).astype(np.float32)
_GRAIN = np.clip(cv2.resize(_COARSE, (_WIDTH, _HEIGHT), interpolation=cv2.INTER_CUBIC)[..., None] + _FLOOR, 0, 255)
_GRAIN = _GRAIN.astype(np.uint8)


def _picture(text: str) -> Image:
    """A large face with a letter."""
    face = np.full((192, 192, 3), _BODY, np.uint8)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_TRIPLEX, 4, 14)
    at = (96 - width // 2, 96 + height // 2)
    cv2.putText(face, text, at, cv2.FONT_HERSHEY_TRIPLEX, 4, _INK, 14, cv2.LINE_AA)
    return face


def tray_of(dice: list[tuple[str, float, float, float]]) -> Image:
    """The tray with flat dice: letter, table place in millimetres, turn in radians."""
    image = _GRAIN.copy()
    for text, x, y, turn in dice:
        corners = (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2 * _EDGE_MM) @ turned(np.array(turn)).T + (x, y)
        foot, top = _CAMERA.pixels(corners, 0.0), _CAMERA.pixels(corners, _EDGE_MM)
        hull = cv2.convexHull(np.concatenate([top, foot]).astype(np.float32))
        cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), (140, 145, 150), cv2.LINE_AA, 4)
        square = np.array([(-0.5, -0.5), (191.5, -0.5), (191.5, 191.5), (-0.5, 191.5)], np.float32)
        way = cv2.getPerspectiveTransform(square, top.astype(np.float32))
        cv2.fillConvexPoly(image, np.round(top * 16).astype(np.int32), _BODY, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(_picture(text), (0, 0), 2.0)
        cv2.warpPerspective(soft, way, (_WIDTH, _HEIGHT), image, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


def _small(text: str) -> Image:
    return np.asarray(cv2.resize(_picture(text), (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


_LETTERS = "9JQKA"
EMBLEMS = tuple(Emblem(meaning(text).value, text, _small(text)) for text in _LETTERS)
_KIND = Kind("white", _BODY, _INK, _EDGE_MM, 0.25, 0.09, 0.09, 12, emblems=EMBLEMS)
_PROFILE = Profile(_WIDTH, _HEIGHT, _CAMERA, (_KIND,), empty=tray_of([]))


@settings(max_examples=8)
@given(
    st.sampled_from(_LETTERS),
    st.floats(-80, 80),
    st.floats(-50, 50),
    st.floats(0, 2 * np.pi),
)
def test_an_emblem_is_read_wherever_it_lies_and_however_it_is_turned(
    text: str, x: float, y: float, turn: float
) -> None:
    reading = read(Frame(tray_of([(text, x, y, turn)])), _PROFILE)
    assert reading.values == (meaning(text).value,)
    assert reading.sure
    assert np.hypot(reading.dice[0].x_mm - x, reading.dice[0].y_mm - y) < 1


def test_dice_that_touch_are_read_each() -> None:
    row = [(text, 16.1 * k - 32, 5.0, 0.0) for k, text in enumerate(_LETTERS)]
    reading = read(Frame(tray_of(row)), _PROFILE)
    assert reading.values == tuple(sorted(meaning(text).value for text in _LETTERS))


def test_a_face_that_was_never_shown_is_asked_about() -> None:
    reading = read(Frame(tray_of([("K", -40, 0, 0.4), ("W", 30, 10, 1.0)])), _PROFILE)
    assert not reading.sure
    assert reading.values == (5,)


def test_half_of_the_light_changes_nothing() -> None:
    image = tray_of([("Q", 10, 10, 0.7)])
    dark = np.asarray(cv2.convertScaleAbs(image, alpha=0.5), np.uint8)
    assert read(Frame(dark), _PROFILE).values == (4,)


def test_a_profile_of_plain_dice_looks_for_no_emblems() -> None:
    plain = replace(_PROFILE, kinds=(replace(_KIND, emblems=()),))
    image = tray_of([("K", 0, 0, 0)])
    changed = places.difference(image, _PROFILE.empty_quarter) if _PROFILE.empty_quarter is not None else None
    assert len(emblems.find(image, places.boxes(changed, image, plain), changed, plain)) == 0


def test_what_may_be_the_middle_of_an_emblem_is_no_one() -> None:
    logo = replace(_PROFILE, kinds=(replace(_KIND, emblems=EMBLEMS[1:]),))
    image = tray_of([("K", -40, 0, 0.4), ("", 40, 0, 0.4)])
    there = known.look(image, logo).faces
    beside = _CAMERA.pixels(np.array([(-40.0, 0.0), (40.0, 0.0)]), _EDGE_MM)
    seen = replace(there.pick(np.array([0, 0])), xy=beside, radius=np.full(2, 4.0), misfit=np.full(2, 0.4))
    one, three, king = (replace(seen, value=np.full(2, value)) for value in (1, 3, 5))
    assert emblems.without(image, one, logo).xy.tolist() == [beside[1].tolist()]
    # What the network alone has read may be a logo too.
    assert [emblems.none_there(image, face, logo).tolist() for face in (one, three, king)] == [
        [False, False],
        [False, False],
        [False, False],
    ]
    plain = replace(_PROFILE, kinds=(replace(_KIND, emblems=EMBLEMS[3:]),))
    assert emblems.none_there(image, three, plain).tolist() == [False, True]


def test_a_lens_of_many_turns_agrees_with_each_turn() -> None:
    every = album([one.picture for one in EMBLEMS], FINE)
    large = cv2.resize(_picture("K"), (96, 96), interpolation=cv2.INTER_AREA)
    middle, turn = np.full((1, 2), 47.5), 2 * np.pi * 11 / FINE.shape[1]
    whole = every.in_all_turns(FINE.seen(large, middle, turned(np.array([0.0])) * 48))[0]
    # The picture as it is seen in a frame that is turned back by as much.
    back = every.in_all_turns(FINE.seen(large, middle, turned(np.array([-turn])) * 48))[0]
    assert whole[3].argmax() == 0
    assert back[3].argmax() == 11
    assert whole[3].max() > 0.98
    assert np.delete(whole, 3, 0).max() < 0.8


def test_names_are_values_and_nothing_else() -> None:
    assert [meaning(name).value for name in ("1", " 6", "9", "10", "j", "Q", "K", "A")] == [1, 6, 1, 2, 3, 4, 5, 6]
    with pytest.raises(VisionError, match="cannot stand for 'seven'"):
        meaning("seven")


def test_a_set_of_letters_is_learned_from_two_pictures(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    texts = ["9", "10", "J", "Q", "K", "A"]
    dice = [
        tray_of(
            [(text, 42.0 * (k % 3) - 42, 44.0 * (k // 3) - 22, float(rng.uniform(0, 6))) for k, text in enumerate(row)]
        )
        for row in (texts, texts[::-1])
    ]
    empty = tray_of([])
    lesson = learn.build(empty, dice)
    asked = lesson.unnamed
    assert len(asked) == 6
    assert all(len(one.places) == 2 for one in asked)
    names = [_nearest(one, texts if one.places[0][0] == 0 else texts[::-1]) for one in asked]
    profile = learn.build(empty, dice, answers=answered(asked, [meaning(name) for name in names])).profile
    store.save(profile, tmp_path / "poker.toml")
    again = store.load(tmp_path / "poker.toml")
    assert [one.name for one in again.kinds[0].emblems] == names
    assert all(
        np.array_equal(one.picture, other.picture)
        for one, other in zip(again.kinds[0].emblems, profile.kinds[0].emblems, strict=True)
    )
    throw = tray_of([("K", -30, 10, 0.2), ("10", 25, -20, 2.0), ("J", 0, 30, 4.0)])
    assert read(Frame(throw), again).values == (2, 3, 5)
    with pytest.raises(VisionError, match="6 faces without pips were found and 1 names"):
        answered(asked, [meaning("6")])


def _nearest(one: Unnamed, row: list[str]) -> str:
    mm = _CAMERA.table(np.array(one.places[0][1:]), _EDGE_MM)
    return row[round(float((mm[0] + 42) / 42)) + 3 * round(float((mm[1] + 22) / 44))]


_PIPPED = Kind("red", (40, 40, 180), (235, 240, 240), _EDGE_MM, 0.25, 0.09, 0.09)


def _camouflaged(values: list[int]) -> Image:
    """The tray with dice of the floor's own colour: nothing shows of them but their pips and a darker side."""
    image = np.full((_HEIGHT, _WIDTH, 3), _PIPPED.body, np.uint8)
    for k, value in enumerate(values):
        x, y = 50.0 * (k % 3) - 50, 60.0 * (k // 3) - 30
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2 * _EDGE_MM @ turned(np.array(0.3 + k)).T + (x, y)
        foot, top = _CAMERA.pixels(corners, 0.0), _CAMERA.pixels(corners, _EDGE_MM)
        hull = cv2.convexHull(np.concatenate([top, foot]).astype(np.float32))
        cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), (25, 25, 110), cv2.LINE_AA, 4)
        cv2.fillConvexPoly(image, np.round(top * 16).astype(np.int32), _PIPPED.body, cv2.LINE_AA, 4)
        at = pips_of(value, False) * _PIPPED.offset * _EDGE_MM @ turned(np.array(0.3 + k)).T + (x, y)
        for pip in np.round(_CAMERA.pixels(at, _EDGE_MM) * 16).astype(int).tolist():
            cv2.circle(image, tuple(pip), round(16 * 4.4), _PIPPED.pip, -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


def test_dice_of_the_floors_colour_have_pips() -> None:
    dice = [_camouflaged([6, 4, 3, 2, 5, 5]), _camouflaged([5, 2, 6, 4, 4, 3])]
    profile = replace(_PROFILE, kinds=(_PIPPED,), empty=_camouflaged([]))
    assert have_pips(dice, _camouflaged([]), profile)


def _on_red(thing: tuple[float, float]) -> Image:
    """A red floor with a die in a lamp's gleam, that is no brighter than the floor in red."""
    image = _camouflaged([])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2 * _EDGE_MM + thing
    foot, top = _CAMERA.pixels(corners, 0.0), _CAMERA.pixels(corners, _EDGE_MM)
    hull = cv2.convexHull(np.concatenate([top, foot]).astype(np.float32))
    cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), (25, 25, 110), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(image, np.round(top * 16).astype(np.int32), (190, 190, 195), cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


# Half a die's width within the outline, and right on it.
@pytest.mark.parametrize("x", [0.0, 42.0, 49.0])
def test_a_die_that_is_all_gleam_is_asked_about_up_to_the_trays_outline(x: float) -> None:
    outline = tuple(
        (float(u), float(v)) for u, v in _CAMERA.pixels(np.array([(-50, -50), (50, -50), (50, 50), (-50, 50)]))
    )
    profile = replace(_PROFILE, kinds=(_PIPPED,), empty=_camouflaged([]), tray=outline)
    reading = read(Frame(_on_red((x, 0.0))), profile)
    assert [doubt.kind for doubt in reading.doubts] == ["count"]


def _with_ring(face: Image) -> Image:
    out = face.copy()
    cv2.circle(out, (SIDE // 2, SIDE // 2), round(0.36 * SIDE), _PIPPED.pip, 2, cv2.LINE_AA)
    return out


@pytest.mark.parametrize(("value", "as_read"), [(5, as_pips), (1, as_ones)])
def test_pips_in_a_ring_are_a_logo(value: int, as_read: Callable[[Image, Faces, Profile], Faces]) -> None:
    plain = pipped(_PIPPED, value)
    image = np.full((4 * SIDE, 8 * SIDE, 3), _PIPPED.body, np.uint8)
    places_ = np.array([(2 * SIDE, 2 * SIDE), (6 * SIDE, 2 * SIDE)], np.float64)
    for face, (x, y) in zip((plain, _with_ring(plain)), places_.astype(int).tolist(), strict=True):
        image[y - SIDE // 2 : y + SIDE // 2, x - SIDE // 2 : x + SIDE // 2] = face
    one = known.look(_camouflaged([5]), replace(_PROFILE, kinds=(_PIPPED,), empty=_camouflaged([]))).faces
    seen = replace(
        one.pick(np.array([0, 0])),
        xy=places_ - 0.5,
        frame=np.tile(SIDE * _PIPPED.offset * np.eye(2), (2, 1, 1)),
        value=np.full(2, value),
        uneven=np.zeros(2),
    )
    assert as_read(image, seen, replace(_PROFILE, kinds=(_PIPPED,))).xy.tolist() == [seen.xy[0].tolist()]
