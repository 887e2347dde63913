"""Farkle: throws without a score, and what costs points."""

from dataclasses import replace
from typing import Any

import pytest
from farkle_game import FARKLE, THREE_ONES, board, play, refused, scores, start, turn, with_scores

from rules.events import Banked, Kept, Thrown
from rules.game import Last
from rules.games.farkle.state import State

# A throw without a score.


def test_points_for_nothing_make_hot_dice() -> None:
    state = play(start(score={"nothing": 500}), Thrown(FARKLE), Kept(FARKLE))
    assert (turn(state).score, turn(state).hot_dice, turn(state).may_throw) == (500, True, True)


def test_points_for_nothing_can_end_the_turn() -> None:
    state = play(start(score={"nothing": 500, "nothing_hot_dice": False}), Thrown(FARKLE), Kept(FARKLE))
    assert (turn(state).score, turn(state).hot_dice, turn(state).may_throw, turn(state).dice_left) == (
        500,
        False,
        False,
        0,
    )
    assert "bank its points" in refused(state, Thrown(FARKLE))
    assert scores(play(state, Banked())) == [500, 0]


def test_points_for_nothing_that_may_not_be_banked_are_thrown_on() -> None:
    rules = {"score": {"nothing": 500, "nothing_hot_dice": False}, "turn": {"entry_threshold": 1000}}
    state = play(start(**rules), Thrown(FARKLE), Kept(FARKLE))
    assert (turn(state).hot_dice, turn(state).may_throw, turn(state).may_bank) == (True, True, False)


# Penalties.


def three_farkles(state: State) -> State:
    for _ in range(3):
        state = play(state, Thrown(FARKLE), Thrown((1, 2, 2, 3, 3, 4)), Banked())
    return state


@pytest.mark.parametrize(
    ("penalty", "floor", "before", "after"),
    [
        (500, "off", 1000, 500),
        (1000, "off", 600, -400),
        (1000, 0, 600, 0),
        (500, -200, 100, -200),
        ("all", "off", 2350, 0),
        (500, 0, 0, 0),
    ],
)
def test_three_farkles_in_a_row_cost(penalty: Any, floor: Any, before: int, after: int) -> None:
    state = with_scores(start(penalty={"three_farkles": penalty, "floor": floor}), before, 0)
    state = three_farkles(state)
    assert (scores(state)[0], board(state).players[0].farkles) == (after, 0)
    assert board(state).players[0].on_board


def test_the_third_farkle_says_what_it_cost() -> None:
    state = with_scores(start(penalty={"three_farkles": 500}), 1000, 0)
    state = replace(state, sides=(replace(state.sides[0], farkles=2), state.sides[1]))
    assert board(play(state, Thrown(FARKLE))).last == Last(0, "farkle", 0, FARKLE, penalty=500)


def test_four_2s_in_one_throw_cost_everything_whatever_they_make() -> None:
    state = with_scores(start(penalty={"four_twos": True}), 3000, 0)
    state = play(state, Thrown(THREE_ONES), Kept((1,)), Thrown((1, 2, 2, 2, 2)))
    assert scores(state) == [0, 0]
    assert board(state).last == Last(0, "four-twos", 3100, (1, 2, 2, 2, 2))
    assert (board(state).players[0].on_board, board(state).players[0].farkles) == (True, 0)
    three = play(with_scores(start(penalty={"four_twos": True}), 3000, 0), Thrown((2, 2, 2, 1, 3, 3)))
    assert scores(play(three, Banked())) == [3300, 0]
