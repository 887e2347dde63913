"""A die that leans twice as far towards the camera as it lies beside it has its pips where a level die has them."""

import math
from pathlib import Path

import pytest

from calibration import store, weights
from firmware.drivers.simulated import lens
from firmware.drivers.simulated.render import render
from firmware.drivers.simulated.scene import Die, Pose, Scene
from firmware.drivers.simulated.turns import about, after, lying
from vision.evidence import Clue
from vision.frame import Frame
from vision.poise import likelier


def mirrored(value: int, x: float, y: float) -> Die:
    """On one edge, as if against something that cannot be seen."""
    to_eye = (float(lens.EYE[0]) - x, float(lens.EYE[1]) - y)
    aside = math.hypot(*to_eye)
    axis = (-to_eye[1] / aside, to_eye[0] / aside, 0.0)
    turn = after(about(axis, 2 * math.atan2(aside, float(lens.EYE[2]) - 16)), lying(value, 0.4))
    return Die(Pose(x, y, turn))


@pytest.mark.parametrize("value", [4, 5, 6])
@pytest.mark.parametrize(("x", "y"), [(-60.0, -60.0), (60.0, 40.0), (-40.0, 60.0), (75.0, -55.0)])
def test_it_is_asked_about(learned: Path, value: int, x: float, y: float) -> None:
    picture = render(Scene(dice=(mirrored(value, x, y), Die(Pose(0.0, 0.0, lying(3, 0.2))))), 0.0, 7)
    reading = weights.reading()(Frame(picture), store.load(learned / "profiles" / "simulated-set.toml"))
    assert not reading.sure


def test_how_exactly_pips_lie_counts_as_the_trays_own_dice_do() -> None:
    times = [likelier((Clue("exact", off, 2.0, 1.0),), 5) for off in (0.5, 1.5, 2.5, 3.5, 5.0, 8.0, 20.0)]
    assert times == sorted(times)
    assert times[0] < 0.1 < 10 < times[-1]


def test_a_calibration_tells_how_exactly_the_trays_own_dice_lie(learned: Path) -> None:
    stretch, aspect = store.load(learned / "profiles" / "simulated-set.toml").slack.exact
    assert 0 < stretch < 0.008
    assert 0 < aspect < 0.018
