"""The worked examples of the rule books that are whole turns."""

import pytest
from farkle_game import board, play, refused, scores, start, turn

from rules.events import Banked, Kept, Taken, Thrown
from rules.game import Last, Offer


def test_the_turn_that_dark_knights_tells_ends_in_a_farkle_on_hot_dice() -> None:
    state = play(start(score={"straight": 1000}), Thrown((1, 1, 2, 4, 5, 6)))
    assert max(option.score for option in turn(state).options) == 250
    state = play(state, Kept((1, 1)), Thrown((1, 6, 6, 6)), Kept((1, 6, 6, 6)))
    assert (turn(state).score, turn(state).hot_dice) == (900, True)
    state = play(state, Thrown((2, 3, 3, 4, 6, 6)))
    assert (scores(state), board(state).last) == ([0, 0], Last(0, "farkle", 900, (2, 3, 3, 4, 6, 6)))


@pytest.mark.parametrize(("progressive", "fives", "total"), [("off", 100, 550), ("kinds", 450, 900), ("all", 450, 900)])
def test_two_more_fives_join_the_first_only_under_progressive_scoring(progressive: str, fives: int, total: int) -> None:
    state = play(start(score={"kinds": "adding", "progressive": progressive}), Thrown((1, 3, 4, 4, 4, 6)))
    state = play(state, Kept((4, 4, 4)), Thrown((2, 4, 5)), Kept((5,)), Thrown((5, 5)))
    assert {option.dice: option.score for option in turn(state).options}[(5, 5)] == fives
    assert turn(play(state, Kept((5, 5)))).score == total


def test_stopping_with_a_thousand_and_two_dice_and_the_next_takes_all_six_or_those_two() -> None:
    rules = {"turn": {"bank_min_score": 1000, "bank_max_dice_left": 2, "piggyback": "full"}}
    state = play(start(**rules), Thrown((1, 1, 1, 2, 3, 5)), Kept((1, 1, 1)))
    assert "No more than 2 dice" in refused(state, Banked())
    state = play(state, Thrown((5, 2, 3)), Kept((5,)), Banked())
    assert scores(state) == [1050, 0]
    assert (turn(state).dice_left, turn(state).may_take) == (6, Offer(0, 1050, 2))


@pytest.mark.parametrize("progressive", ["kinds", "all"])
def test_dice_taken_over_never_score_together_with_one_s_own(progressive: str) -> None:
    state = play(start(score={"progressive": progressive}, turn={"piggyback": "full"}), Thrown((1, 1, 2, 3, 4, 6)))
    state = play(state, Kept((1, 1)), Banked(), Taken(), Thrown((1, 2, 3, 4)), Kept((1,)))
    assert turn(state).score == 300
