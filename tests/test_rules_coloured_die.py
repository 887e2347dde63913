"""Farkle: the coloured die."""

from typing import Any

from farkle_game import play, refused, start, turn

from rules.events import Banked, Kept, Taken, Thrown
from rules.game import Offer
from rules.games.farkle.state import State


def wild(**more: Any) -> State:
    return start(dice={"wild": "coloured_4"} | more)


def test_the_coloured_die_set_aside_is_not_thrown_again_and_comes_back_with_hot_dice() -> None:
    state = play(wild(), Thrown((1, 1, 2, 3, 4, 6), coloured=4))
    assert (turn(state).throw, turn(state).coloured, turn(state).coloured_due) == ((1, 1, 2, 3, 4, 6), 4, True)
    state = play(state, Kept((1, 1), with_coloured=True))
    assert (turn(state).score, turn(state).dice_left, turn(state).aside) == (1000, 3, (1, 1, 4))
    assert (turn(state).with_coloured, turn(state).coloured_due) == (True, False)
    assert "set aside" in refused(state, Thrown((4, 5, 5), coloured=4))
    state = play(state, Thrown((1, 5, 5)), Kept((1, 5, 5)))
    assert (turn(state).hot_dice, turn(state).coloured_due) == (True, True)


def test_a_throw_must_say_what_the_coloured_die_shows() -> None:
    assert "Which of these is the coloured die?" in refused(wild(), Thrown((1, 1, 2, 3, 4, 6)))
    assert "no coloured die" in refused(start(), Thrown((1, 1, 2, 3, 4, 6), coloured=4))


def test_the_coloured_die_not_set_aside_is_thrown_again() -> None:
    state = play(wild(), Thrown((1, 1, 2, 3, 3, 6), coloured=3), Kept((1, 1)))
    assert (turn(state).coloured_due, turn(state).with_coloured) == (True, False)
    state = play(state, Thrown((3, 3, 4, 6), coloured=4), Kept((3, 3), with_coloured=True))
    assert turn(state).score == 500


def test_dice_may_be_named_with_the_coloured_one_among_them() -> None:
    state = play(wild(), Thrown((1, 1, 2, 3, 4, 6), coloured=4), Kept((1, 1, 4)))
    assert turn(state).with_coloured is True
    state = play(wild(), Thrown((1, 1, 2, 3, 4, 6), coloured=1), Kept((1,)))
    assert turn(state).with_coloured is False
    assert "not in this throw" in refused(
        play(state, Kept((1,), True), Thrown((1, 2, 3, 4))), Kept((1,), with_coloured=True)
    )


def test_the_coloured_die_is_left_to_the_next_player_or_lies_aside() -> None:
    rules = {"dice": {"wild": "coloured_4"}, "turn": {"piggyback": "full"}}
    thrown = play(start(**rules), Thrown((1, 1, 1, 2, 4, 6), coloured=4))
    left = play(thrown, Kept((1, 1, 1), with_coloured=False), Banked())
    assert turn(left).may_take == Offer(0, 1000, 3, coloured=True)
    assert turn(play(left, Taken())).coloured_due
    gone = play(thrown, Kept((1, 1), with_coloured=True), Banked())
    assert turn(gone).may_take == Offer(0, 1000, 3, coloured=False)
    assert not turn(play(gone, Taken())).coloured_due


def test_a_wild_card_may_have_to_complete_a_combination() -> None:
    state = play(wild(wild_alone=False), Thrown((2, 2, 3, 3, 4, 6), coloured=4))
    assert {(option.dice, option.with_coloured, option.score) for option in turn(state).options} == {
        ((2, 2), True, 200),
        ((3, 3), True, 300),
    }
