"""Farkle: attempts that are declared before the throw."""

from typing import Any

import pytest
from farkle_game import FARKLE, board, play, refused, scores, start, turn

from rules.events import Attempted, Banked, Kept, Thrown
from rules.game import Last, Trying
from rules.games.farkle.state import State


def attempts(**score: Any) -> State:
    rules = {"score": {"straight": 1500} | score, "turn": {"straight_attempt": True, "triple_attempt": True}}
    return start(**rules)


def test_what_may_be_attempted_is_offered() -> None:
    state = play(attempts(), Thrown((1, 2, 2, 3, 3, 4)))
    assert turn(state).may_attempt == (
        Trying("straight", (1, 2, 3, 4)),
        Trying("triple", (2, 2)),
        Trying("triple", (3, 3)),
    )


def test_a_declared_attempt_is_thrown_once_and_cannot_be_banked() -> None:
    state = play(attempts(), Thrown((1, 2, 3, 4, 6, 6)), Attempted("straight", (1, 2, 3, 4, 6)))
    assert (turn(state).dice_left, turn(state).aside, turn(state).may_throw) == (1, (1, 2, 3, 4, 6), True)
    assert not turn(state).may_bank
    assert "attempt is declared" in refused(state, Banked())
    done = play(state, Thrown((5,)))
    assert (turn(done).score, turn(done).hot_dice, turn(done).dice_left) == (1500, True, 6)


@pytest.mark.parametrize("dice", [(1, 2, 3, 4, 6), (3, 4)])
def test_a_straight_that_does_not_come_is_a_farkle_whatever_else_scores(dice: tuple[int, ...]) -> None:
    state = play(attempts(), Thrown((1, 2, 3, 4, 6, 6)), Attempted("straight", dice))
    state = play(state, Thrown((1,) * (6 - len(dice))))
    assert board(state).last == Last(0, "farkle", 0, (1,) * (6 - len(dice)))
    assert turn(state).player == 1


def test_a_triple_may_be_completed_and_more_be_set_aside_with_it() -> None:
    state = play(attempts(kinds="adding"), Thrown((1, 2, 2, 3, 4, 6)), Attempted("triple", (2, 2)))
    state = play(state, Thrown((1, 2, 2, 6)))
    assert (turn(state).score, turn(state).aside, turn(state).dice_left) == (200, (2,), 3)
    assert [(option.dice, option.score) for option in turn(state).options] == [
        ((2,), 200),
        ((1, 2), 300),
        ((2, 2), 400),
        ((1, 2, 2), 500),
    ]
    state = play(state, Kept((1, 2, 2)))
    assert (turn(state).score, turn(state).dice_left, turn(state).kept) == (500, 1, (1, 2, 2, 2, 2))
    assert scores(play(state, Banked())) == [500, 0]


def test_a_missed_triple_loses_the_points_of_the_turn_too() -> None:
    state = play(attempts(), Thrown((1, 1, 1, 5, 5, 5)), Kept((1, 1, 1, 5, 5, 5)))
    state = play(state, Thrown((1, 2, 2, 3, 4, 6)), Attempted("triple", (2, 2)), Thrown((1, 5, 3, 6)))
    assert board(state).last == Last(0, "farkle", 1500, (1, 3, 5, 6))


def test_another_choice_from_the_same_throw_takes_an_attempt_back() -> None:
    state = play(attempts(), Thrown((1, 2, 2, 3, 4, 6)), Attempted("triple", (2, 2)), Kept((1,)))
    assert (turn(state).attempt, turn(state).score, turn(state).dice_left) == (None, 100, 5)


@pytest.mark.parametrize(
    ("throw", "attempt"),
    [
        ((1, 2, 2, 3, 4, 6), Attempted("triple", (1, 1))),
        ((1, 2, 2, 3, 4, 6), Attempted("triple", (2,))),
        ((1, 2, 2, 3, 4, 6), Attempted("straight", (2, 2))),
        ((1, 2, 2, 3, 4, 6), Attempted("straight", (5,))),
        ((1, 2, 2, 3, 4, 6), Attempted("straight", ())),
        ((1, 2, 3, 4, 5, 6), Attempted("straight", (1, 2))),
        ((1, 2, 2, 2, 4, 6), Attempted("triple", (2, 2))),
    ],
)
def test_what_cannot_be_attempted_is_refused(throw: tuple[int, ...], attempt: Attempted) -> None:
    assert refused(play(attempts(), Thrown(throw)), attempt).endswith(".")


def test_an_attempt_needs_a_throw_of_all_dice_that_scores() -> None:
    state = play(attempts(), Thrown((1, 2, 2, 3, 4, 6)), Kept((1,)), Thrown((2, 2, 5, 3, 6)))
    assert turn(state).may_attempt == ()
    assert "No attempt" in refused(state, Attempted("triple", (2, 2)))
    assert turn(play(attempts(), Thrown(FARKLE))).player == 1
    assert "No attempt" in refused(attempts(), Attempted("triple", (2, 2)))
    assert "No attempt" in refused(play(start(), Thrown((1, 2, 2, 3, 4, 6))), Attempted("triple", (2, 2)))
