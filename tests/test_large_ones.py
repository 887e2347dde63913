"""Dice whose one is a large pip are learned like any others, without a question."""

import random

from calibration import learn
from firmware.drivers.simulated.cube import BIG_ONE, PIP_RADIUS
from firmware.drivers.simulated.render import render
from firmware.drivers.simulated.scene import LOOKS, Scene
from firmware.drivers.simulated.stills import calibration_pictures
from firmware.drivers.simulated.tumble import tumble
from vision.frame import Frame, Image
from vision.reader import read


def laid(values: list[int], look: str, seed: int) -> Image:
    dice = tumble(random.Random(seed), values, looks=[LOOKS[look]] * len(values), touching=0.0)
    return render(Scene(dice=dice), max(die.rests_s for die in dice) + 1, seed)


def test_a_large_one_is_learned_and_read_without_a_question() -> None:
    empty, dice = calibration_pictures(look=LOOKS["big-one"], pictures=2)
    lesson = learn.build(empty, dice, count=6, rail=True)
    assert lesson.unnamed == ()
    assert [(reading.values, reading.sure) for reading in lesson.readings] == [((1, 2, 3, 4, 5, 6), True)] * 2
    [kind] = lesson.profile.kinds
    assert 0.9 < kind.one / kind.radius / (BIG_ONE / PIP_RADIUS) < 1.1
    assert kind.count == 6
    seen = read(Frame(laid([1, 1, 1, 4, 6, 2], "big-one", 8)), lesson.profile)
    assert (seen.values, seen.sure) == ((1, 1, 1, 2, 4, 6), True)


def test_where_no_one_lies_none_is_made_up() -> None:
    empty, _ = calibration_pictures(look=LOOKS["ivory"], pictures=1)
    lesson = learn.build(empty, [laid([2, 3, 4, 5, 6, 4], "ivory", 3), laid([2, 2, 6, 5, 3, 5], "ivory", 4)], rail=True)
    [kind] = lesson.profile.kinds
    assert kind.one == kind.radius
