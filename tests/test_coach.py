"""What the coach says about pictures: nothing about good ones, and what is wrong about those made worse."""

import random
from functools import cache

import cv2
import numpy as np
import pytest
from rendered import LABELS, picture

from calibration import coach, markers, study
from calibration.rolled import around, number, rolled
from calibration.sight import Hint, Sight
from calibration.tray import Where
from firmware.drivers.simulated import box, lens
from firmware.drivers.simulated.render import render
from firmware.drivers.simulated.scene import Reach, Scene
from firmware.drivers.simulated.tumble import tumble
from vision import reader
from vision.frame import Image
from vision.glance import glance
from vision.seen import Doubt, SeenDie

EMPTIES = [label["file"] for label in LABELS if label["kind"] == "empty"]
DICE = [label for label in LABELS if label["kind"] == "calib"]
WHOLE = Where(None, None)


@cache
def seen(file: str) -> Image:
    return picture(file)


def lit(image: Image, gain: float, blur_px: float = 0.0) -> Image:
    """The same in more or less light or out of focus, with the grain of a sensor."""
    light = gain * (image.astype(np.float32) / 255) ** 2.2
    if blur_px:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), blur_px))
    grain = np.random.default_rng(1).normal(0, 1.5, image.shape)
    return np.asarray(np.clip(np.clip(light, 0, 1) ** (1 / 2.2) * 255 + grain, 0, 255), np.uint8)


def kinds(hints: tuple[Hint, ...]) -> list[str]:
    return [hint.kind for hint in hints]


def looked(image: Image, empty: Image | None = None) -> Sight:
    """A look at a picture that stays as it is."""
    return coach.look(image, glance(image), None if empty is None else glance(empty))[0]


def thrown(seed: int = 3, cocked: int = 0, count: int = 6, reach: Reach | None = None) -> Image:
    rng = random.Random(seed)
    dice = tumble(rng, [rng.randint(1, 6) for _ in range(count)], cocked=cocked, touching=0.0)
    at_s = max((die.rests_s for die in dice), default=0.0) + 1
    return render(Scene(dice=dice, hands=() if reach is None else (reach,)), at_s, seed)


@cache
def bare() -> Image:
    return render(Scene(), 0.0)


# Live looks.


@pytest.mark.parametrize("file", [*EMPTIES, *(label["file"] for label in DICE)])
def test_a_good_picture_gives_no_hint(file: str) -> None:
    empty = seen(f"{file[:3]}_00_empty.jpg")
    sight = looked(seen(file), None if file in EMPTIES else empty)
    assert (sight.hints, sight.still, sight.good) == ((), True, True)


@pytest.mark.parametrize("file", EMPTIES)
@pytest.mark.parametrize(
    ("gain", "blur_px", "kind"), [(1 / 64, 0.0, "dark"), (8.0, 0.0, "bright"), (1.0, 3.0, "blurred")]
)
def test_darkness_glaring_light_and_blur_are_said(file: str, gain: float, blur_px: float, kind: str) -> None:
    assert kind in kinds(coach.light(lit(seen(file), gain, blur_px)))
    assert coach.light(lit(seen(file), 1.0)) == (), "grain alone is nothing"


@pytest.mark.parametrize(("dx", "dy", "degrees"), [(6, 4, 0.0), (10, 0, 3.0)])
@pytest.mark.parametrize("file", [label["file"] for label in DICE[::2]])
def test_a_camera_that_has_moved_since_the_empty_picture_is_said(file: str, dx: int, dy: int, degrees: float) -> None:
    image = seen(file)
    height, width = image.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    way[:, 2] += (dx, dy)
    moved = np.asarray(cv2.warpAffine(image, way, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    assert kinds(looked(moved, seen(f"{file[:3]}_00_empty.jpg")).hints) == ["moved"]


def test_other_light_than_for_the_empty_picture_is_said() -> None:
    lamp = np.linspace(0.3, 1.6, bare().shape[1])[None, :, None]
    aside = np.clip(bare() * lamp, 0, 255).astype(np.uint8)
    assert kinds(looked(aside, bare()).hints) == ["light"]


def test_a_hand_that_moves_is_said_and_shown_and_dice_that_come_to_rest_are_only_waited_for() -> None:
    reach = Reach(((0.0, -30.0, 10.0), (99.0, -30.0, 10.0)))
    hand = render(Scene(hands=(reach,)), 1.0, 1)
    sight, _ = coach.look(hand, glance(bare()))
    assert (sight.still, kinds(sight.hints)) == (False, ["hand"])
    assert sight.hints[0].box is not None
    x, y = lens.project(np.array([[-20.0, -60.0, 20.0]]))[0]
    x0, y0, x1, y1 = sight.hints[0].box
    assert x0 < x < x1
    assert y0 < y < y1
    one = render(Scene(dice=tumble(random.Random(1), [4], touching=0.0)), 30.0, 2)
    sight, _ = coach.look(one, glance(bare()))
    assert (sight.still, sight.hints, sight.good) == (False, (), False)


# A close look at the empty tray.


def test_the_outline_and_the_rail_of_an_empty_tray_are_found() -> None:
    found = study.empty(bare())
    assert (found.hints, found.marked) == ((), False)
    assert found.tray is not None
    assert found.rail is not None
    floor = [(box.FLOOR_LEFT, box.FLOOR_NEAR), (box.RIDGE_LEFT, box.FLOOR_FAR), (-30.0, 0.0)]
    for x, y in floor:
        at = lens.project(np.array([[x, y, 0.0]]))[0]
        inside = cv2.pointPolygonTest(np.array(found.tray, np.float32), (float(at[0]), float(at[1])), True)
        assert inside > -3, "the floor lies inside"


def test_dice_and_gleams_in_the_empty_tray_are_said_and_shown() -> None:
    dice = study.empty(thrown())
    assert set(kinds(dice.hints)) == {"too-many"}
    assert len(dice.hints) >= 3
    gleam = bare().copy()
    cv2.ellipse(gleam, (500, 450), (60, 35), 20, 0, 360, (255, 255, 255), -1)
    hints = study.empty(gleam).hints
    assert kinds(hints) == ["glare"]
    assert hints[0].box is not None
    assert hints[0].box == pytest.approx((440, 413, 560, 487), abs=8)


def marked(image: Image, *names: int) -> Image:
    """With markers of a printed sheet lying in the corners, clockwise from the far left."""
    out = image.copy()
    dictionary = cv2.aruco.getPredefinedDictionary(markers.DICTIONARY)
    for name, (x, y) in enumerate([(200, 150), (1000, 150), (1000, 750), (200, 750)]):
        if name in names:
            out[y - 10 : y + 90, x - 10 : x + 90] = 255
            out[y : y + 80, x : x + 80] = cv2.aruco.generateImageMarker(dictionary, name, 80)[..., None]
    return out


def test_markers_of_a_printed_sheet_say_where_the_floor_is() -> None:
    found = study.empty(marked(bare(), 0, 1, 2, 3))
    assert found.marked
    assert found.tray is not None
    assert np.allclose(found.tray, [(200, 150), (1080, 150), (1080, 830), (200, 830)], atol=3)
    assert not study.empty(marked(bare(), 0, 1, 3)).marked, "all four are needed"


# A close look at dice.


def test_dice_that_lie_flat_and_apart_are_counted_and_give_no_hint() -> None:
    found = study.dice(bare(), thrown(), WHOLE, 6, reader.read)
    assert (found.hints, len(found.dice), found.good) == ((), 6, True)


def test_a_tray_that_was_moved_or_lit_otherwise_since_is_said_with_the_reason() -> None:
    moved = np.roll(thrown(), 12, axis=1)
    assert kinds(study.dice(bare(), moved, WHOLE, 6, reader.read).hints) == ["moved"]
    assert "light" in study.dice(bare(), lit(thrown(), 0.4), WHOLE, 6, reader.read).hints[0].text


def test_a_tray_without_dice_is_said() -> None:
    hints = study.dice(bare(), lit(bare(), 1.0), WHOLE, 0, reader.read).hints
    assert kinds(hints) == ["too-few"]
    assert hints[0].box is None


def test_a_die_that_leans_is_said_and_shown() -> None:
    rng = random.Random(5)
    dice = tumble(rng, [1, 2, 3, 4, 5, 6], cocked=1, touching=0.0)
    image = render(Scene(dice=dice), max(die.rests_s for die in dice) + 1, 5)
    leaning = max(dice, key=lambda die: die.last.leans).last
    x, y = lens.project(np.array([[leaning.x, leaning.y, 8.0]]))[0]
    hints = study.dice(bare(), image, WHOLE, 0, reader.read).hints
    assert any(hint.box and hint.box[0] < x < hint.box[2] and hint.box[1] < y < hint.box[3] for hint in hints)


def test_a_hand_that_stays_in_the_picture_is_said() -> None:
    reach = Reach(((0.0, -120.0, -60.0), (99.0, -120.0, -60.0)))
    assert "hand" in kinds(study.dice(bare(), thrown(reach=reach), WHOLE, 0, reader.read).hints)


def test_something_that_is_no_die_is_shown() -> None:
    cloth = bare().copy()
    cv2.rectangle(cloth, (500, 400), (600, 480), (40, 60, 180), -1)
    hints = study.dice(bare(), cloth, WHOLE, 0, reader.read).hints
    assert any(hint.box and hint.box[0] <= 500 < 600 <= hint.box[2] for hint in hints)


@pytest.mark.parametrize(("count", "kind"), [(0, None), (3, None), (4, "too-few"), (5, "too-few"), (2, "too-many")])
def test_one_die_too_many_or_too_few_is_said(count: int, kind: str | None) -> None:
    lies = tuple(SeenDie(value, 100.0 * value, 90.0, 50.0, confidence=value / 3) for value in (1, 2, 3))
    assert kinds(number(lies, count)) == ([kind] if kind else [])
    if kind == "too-many":
        assert number(lies, count)[0].box == around(100.0, 90.0, 50.0), "the least sure one"


def test_what_keeps_a_test_roll_from_counting_is_shown_but_not_a_value_that_is_asked_about() -> None:
    lies = tuple(SeenDie(value, 100.0 * value, 90.0, 50.0) for value in (1, 2, 3))
    roll = rolled(lies, (Doubt("cocked", 100.0, 90.0, "It leans."), Doubt("value", 1, 1, "A 3?")), 3, 640, 480)
    assert kinds(roll.hints) == ["cocked"]
    assert roll.hints[0].box == around(100.0, 90.0, 50.0)
    assert kinds(rolled(lies, (), 4, 640, 480).hints) == ["too-few"]


def test_touching_dice_are_said_where_they_keep_one_from_being_read() -> None:
    pair = tuple(SeenDie(value, 100.0 + 52.0 * value, 90.0, 50.0) for value in (1, 2, 5))
    hints = study.touching(pair)
    assert kinds(hints) == ["touching"]
    assert hints[0].box is not None
    assert hints[0].box[0] < 152 < 204 < hints[0].box[2]
