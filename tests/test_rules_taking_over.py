"""Farkle: the dice that a bank left, taken over by the next player."""

from typing import Any

import pytest
from farkle_game import FARKLE, THREE_ONES, board, play, refused, scores, start, turn, with_scores

from rules.events import Banked, Kept, Taken, Thrown
from rules.game import Last, Offer
from rules.games.farkle.state import State


def high_stakes(**more: Any) -> State:
    """Ann has banked three 1s and left three dice."""
    rules = {"turn": {"piggyback": "full"}} | more
    return play(start(**rules), Thrown(THREE_ONES), Kept((1, 1, 1)), Banked())


def test_the_dice_that_a_bank_left_are_offered_to_the_next_player_only() -> None:
    state = high_stakes()
    assert turn(state).may_take == Offer(0, 1000, 3)
    assert (turn(state).dice_left, turn(state).kept) == (6, ())
    state = play(state, Thrown(FARKLE))
    assert turn(state).may_take is None


def test_dice_taken_over_carry_their_points_once_one_scores() -> None:
    state = play(high_stakes(), Taken())
    assert (turn(state).score, turn(state).carried, turn(state).dice_left) == (0, 1000, 3)
    assert (turn(state).kept, turn(state).may_take, board(state).last) == ((1, 1, 1), None, Last(1, "taken", 1000))
    state = play(state, Thrown((2, 3, 5)), Kept((5,)))
    assert (turn(state).score, turn(state).dice_left, turn(state).kept) == (1050, 2, (1, 1, 1, 5))
    assert scores(play(state, Banked())) == [1000, 1050]


def test_a_chain_carries_the_whole_of_what_was_banked() -> None:
    state = play(high_stakes(), Taken(), Thrown((2, 3, 5)), Kept((5,)), Banked())
    assert turn(state).may_take == Offer(1, 1050, 2)


def test_a_farkle_on_dice_taken_over_costs_nobody_else_anything_and_counts() -> None:
    state = play(high_stakes(), Taken(), Thrown((2, 3, 4)))
    assert scores(state) == [1000, 0]
    assert board(state).players[1].farkles == 1
    assert turn(state).may_take is None


def test_dice_taken_over_and_one_s_own_make_hot_dice_together() -> None:
    state = play(high_stakes(), Taken(), Thrown((5, 5, 1)), Kept((1, 5, 5)))
    assert (turn(state).hot_dice, turn(state).dice_left, turn(state).score) == (True, 6, 1200)


def test_after_a_bank_on_hot_dice_all_dice_may_be_taken_over_even_after_the_throw() -> None:
    rules = {"turn": {"piggyback": "full"}}
    state = play(start(**rules), Thrown((1, 1, 1, 5, 5, 5)), Kept((1, 1, 1, 5, 5, 5)), Banked())
    assert turn(state).may_take == Offer(0, 1500, 6)
    assert turn(play(state, Taken(), Thrown((1, 2, 2, 3, 3, 4)), Kept((1,)))).score == 1600
    late = play(state, Thrown((1, 2, 2, 3, 3, 4)))
    assert turn(late).may_take == Offer(0, 1500, 6)
    assert turn(play(late, Taken(), Kept((1,)))).score == 1600
    assert turn(play(late, Kept((1,)))).may_take is None


def test_a_throw_of_all_dice_begins_anew_when_fewer_were_left() -> None:
    state = play(high_stakes(), Thrown((1, 2, 2, 3, 3, 4)))
    assert turn(state).may_take is None
    assert "undo the throw" in refused(state, Taken())
    assert turn(play(state, Kept((1,)))).score == 100


def test_a_throw_of_the_dice_left_needs_the_word_first() -> None:
    assert refused(high_stakes(), Thrown((1, 2, 3))).startswith("Throw 6 dice, not 3; or first take over")


def test_only_a_player_on_the_board_may_take_over_where_that_is_the_rule() -> None:
    rules = {"turn": {"piggyback": "full", "piggyback_needs_board": True, "entry_threshold": 1000}}
    state = play(start(**rules), Thrown(THREE_ONES), Kept((1, 1, 1)), Banked())
    assert turn(state).may_take is None
    assert "on the board" in refused(state, Taken())
    on_board = with_scores(state, 1000, 1000)
    assert turn(on_board).may_take == Offer(0, 1000, 3)


def test_points_taken_over_open_the_board_where_anybody_may_take_them() -> None:
    state = high_stakes(turn={"piggyback": "full", "entry_threshold": 1000})
    state = play(state, Taken(), Thrown((2, 3, 5)), Kept((5,)))
    assert turn(state).may_bank


def test_a_flat_value_is_the_same_whatever_was_banked() -> None:
    rules = {"turn": {"piggyback": "flat", "piggyback_flat": 700}}
    state = play(start(**rules), Thrown((1, 1, 2, 3, 4, 6)), Kept((1, 1)), Banked(), Taken())
    assert turn(play(state, Thrown((1, 2, 3, 4)), Kept((1,)))).score == 800


@pytest.mark.parametrize("rules", [{}, {"turn": {"piggyback": "full"}}])
def test_the_first_player_has_nothing_to_take_over(rules: dict[str, Any]) -> None:
    assert refused(start(**rules), Taken()).endswith(".")
