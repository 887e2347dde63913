"""Dice whose one is a large pip, or of which only ones were seen, are learned like any others, without a question."""

import random

import numpy as np
import pytest

from calibration import learn
from calibration.measure import ones_alone
from firmware.drivers.simulated import cube
from firmware.drivers.simulated.render import render
from firmware.drivers.simulated.scene import LOOKS, Scene
from firmware.drivers.simulated.stills import calibration_pictures
from firmware.drivers.simulated.tumble import tumble
from vision.frame import Frame, Image
from vision.reader import read


def laid(values: list[int], look: str, seed: int) -> Image:
    dice = tumble(random.Random(seed), values, looks=[LOOKS[look]] * len(values), touching=0.0)
    return render(Scene(dice=dice), max(die.rests_s for die in dice) + 1, seed)


@pytest.mark.parametrize("times", [2.0, 2.6])
def test_a_large_one_is_learned_and_read_without_a_question(times: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cube, "BIG_ONE", times * cube.PIP_RADIUS)
    empty, dice = calibration_pictures(look=LOOKS["big-one"], pictures=2)
    lesson = learn.build(empty, dice, count=6, rail=True)
    assert lesson.unnamed == ()
    assert [(reading.values, reading.sure) for reading in lesson.readings] == [((1, 2, 3, 4, 5, 6), True)] * 2
    [kind] = lesson.profile.kinds
    assert 0.9 < kind.one / kind.radius / times < 1.1
    assert kind.count == 6
    seen = read(Frame(laid([1, 1, 1, 4, 6, 2], "big-one", 8)), lesson.profile)
    assert (seen.values, seen.sure) == ((1, 1, 1, 2, 4, 6), True)


def test_where_no_one_lies_none_is_made_up() -> None:
    empty, _ = calibration_pictures(look=LOOKS["ivory"], pictures=1)
    lesson = learn.build(empty, [laid([2, 3, 4, 5, 6, 4], "ivory", 3), laid([2, 2, 6, 5, 3, 5], "ivory", 4)], rail=True)
    [kind] = lesson.profile.kinds
    assert kind.one == kind.radius


@pytest.mark.parametrize(
    ("ones", "size"),
    [
        ([18.4, 17.9], 19.0),  # one die, both times its one
        ([15.4, 15.6], None),  # a die of the others' size, in a gleam
        ([16.8, 16.9], None),  # the same, less exactly
        ([18.4], None),
        ([18.4, 14.2], None),  # outlines that do not agree
    ],
)
def test_a_die_of_which_only_ones_were_seen_may_have_a_size_of_its_own(ones: list[float], size: float | None) -> None:
    others = np.array([14.0, 14.0, 16.0, 16.0])
    found = ones_alone(np.array(ones), others, others / 1.05)
    assert found is None if size is None else found == pytest.approx(size, rel=0.02)
