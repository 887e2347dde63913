"""The bar, on any machine: rendered sessions from easy to hard, each read with a profile from its own pictures.

`tests/data/sessions`: per session an empty tray, two calibration pictures and some throws, with labels of what lies
where. Throws with a leaning, stacked or hidden die are among them, and light that makes the reader ask.
"""

import math
from typing import Any

import pytest
from reliability import CALLED, named, placed
from rendered import LABELS, Rendered, throws

from vision.seen import Reading

# Throws that are readable and are read right and for sure, of how many. The first number only ever rises.
_BAR = {
    "b05": (4, 4),  # blue dice with gold pips on walnut, a rail
    "b15": (3, 3),  # marble, one lamp
    "b18": (3, 3),  # clear blue dice, mixed light
    "b19": (2, 2),  # twelve white dice side by side
    "b20": (0, 2),  # glossy red dice in glare
    "b39": (1, 1),  # red dice under a desk lamp, most throws cocked
    "b44": (4, 5),  # a mixed set in coloured light
}

each_session = pytest.mark.parametrize("session", _BAR)
Readings = list[tuple[dict[str, Any], Reading]]


@pytest.fixture
def readings(session: str, rendered: Rendered) -> Readings:
    return [(label, rendered.reading(label["file"])) for label in throws(session)]


def _readable(label: dict[str, Any]) -> bool:
    return not label["n_cocked"] and not label["n_unreadable"]


def _right(label: dict[str, Any], seen: Reading) -> bool:
    return (list(seen.values), list(seen.rail_values)) == (sorted(label["values"]), sorted(label["rail_values"]))


@each_session
def test_nothing_is_silently_wrong(readings: Readings) -> None:
    sure = [(label, seen) for label, seen in readings if seen.sure]
    silent = [label["file"] for label, seen in sure if not (_readable(label) and _right(label, seen))]
    assert silent == []


@each_session
def test_dice_that_cannot_be_read_are_asked_about_by_their_place(readings: Readings) -> None:
    unreadable = [die for label, seen in readings for die in named(seen, label)]
    assert all(die.asked for die in unreadable)
    assert all(die.named for die in unreadable)


@each_session
def test_as_many_throws_are_read_for_sure_as_ever(session: str, readings: Readings) -> None:
    readable = [(label, seen) for label, seen in readings if _readable(label)]
    least, of = _BAR[session]
    assert len(readable) == of
    assert sum(seen.sure and _right(label, seen) for label, seen in readable) >= least


@each_session
def test_a_die_called_all_but_certain_is_right(readings: Readings) -> None:
    called = [one for label, seen in readings for one in placed(seen, label)]
    assert all(one.right for one in called if one.confidence >= CALLED)


def test_a_die_on_another_is_read_and_asked_to_be_set_down(rendered: Rendered) -> None:
    seen = {label["file"]: [die for die in label["dice"] if die["stacked"]] for label in LABELS}
    stacks = [(file, die) for file, dice in seen.items() for die in dice]
    assert len(stacks) == 2
    for file, die in stacks:
        reading, (x, y) = rendered.reading(file), die["centre_px"]
        (upper,) = [one for one in reading.dice if math.dist((one.x, one.y), (x, y)) < 5]
        assert (upper.value, upper.state) == (die["value"], "flat")
        assert [doubt.kind for doubt in reading.doubts if math.dist((doubt.x, doubt.y), (x, y)) < 5] == ["stacked"]
