"""Dice keep their identity from rest to rest."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from vision.seen import SeenDie
from vision.track import pair

SIZE = 50.0


@st.composite
def trays(draw: st.DrawFn) -> list[SeenDie]:
    """Dice on a loose grid, none nearer to another than 1.2 edges."""
    cells = draw(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 5)), unique=True, max_size=12))
    return [
        SeenDie(
            draw(st.integers(1, 6)),
            100 + 110 * column + draw(st.floats(-20, 20)),
            100 + 110 * row + draw(st.floats(-20, 20)),
            SIZE,
            draw(st.floats(0, 89)),
        )
        for column, row in cells
    ]


@given(trays(), st.randoms())
def test_dice_that_lie_still_are_all_found_again_in_any_order(dice: list[SeenDie], rng: random.Random) -> None:
    order = list(range(len(dice)))
    rng.shuffle(order)
    pairing = pair(dice, [dice[i] for i in order])
    assert sorted(pairing.lying) == sorted((i, at) for at, i in enumerate(order))
    assert pairing.gone == () == pairing.fresh


@given(trays(), st.randoms())
def test_a_reading_that_trembles_moves_no_die(dice: list[SeenDie], rng: random.Random) -> None:
    def tremble() -> float:
        return rng.uniform(-0.05, 0.05) * SIZE

    again = [replace(die, x=die.x + tremble(), y=die.y + tremble(), angle=die.angle + tremble()) for die in dice]
    assert sorted(pair(dice, again).lying) == [(i, i) for i in range(len(dice))]


@given(trays(), st.floats(-200, 200), st.floats(-200, 200))
def test_a_moved_camera_moves_no_die(dice: list[SeenDie], dx: float, dy: float) -> None:
    moved = [replace(die, x=die.x + dx, y=die.y + dy) for die in dice]
    assert len(pair(dice, moved, (dx, dy)).lying) == len(dice)


@given(trays(), trays())
def test_each_die_is_either_lying_or_gone_or_fresh(before: list[SeenDie], after: list[SeenDie]) -> None:
    pairing = pair(before, after)
    assert sorted([b for b, _ in pairing.lying] + list(pairing.gone)) == list(range(len(before)))
    assert sorted([a for _, a in pairing.lying] + list(pairing.fresh)) == list(range(len(after)))


@given(trays(), trays())
def test_where_the_picture_has_not_changed_no_die_came_or_went(before: list[SeenDie], after: list[SeenDie]) -> None:
    pairing = pair(before, after, altered=lambda _x, _y, _size: False)
    assert pairing.gone == () == pairing.fresh


def test_a_die_on_anothers_place_with_another_value_and_angle_is_fresh() -> None:
    lay, lies = SeenDie(5, 100.0, 100.0, SIZE, 10.0), SeenDie(3, 103.0, 101.0, SIZE, 45.0)
    pairing = pair([lay], [lies])
    assert (pairing.lying, pairing.gone, pairing.fresh) == ((), (0,), (0,))


def test_a_die_read_otherwise_on_the_same_place_at_the_same_angle_is_the_same_die() -> None:
    lay = SeenDie(5, 100.0, 100.0, SIZE, 89.0)
    assert pair([lay], [replace(lay, value=3, angle=1.0)]).lying == ((0, 0),)
