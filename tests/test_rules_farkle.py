"""A game of Farkle, turn by turn."""

from typing import Any

import pytest
from farkle_game import GAME, board, play, start, turn, with_scores

from rules.errors import BadRules, IllegalMove, InvalidMove
from rules.events import Banked, Ended, Event, Kept, Thrown
from rules.game import ENGINE_VERSION, Last
from rules.games import GAMES
from rules.games.farkle.state import State

FARKLE_THROW = (2, 2, 3, 4, 6, 6)


def test_farkle_is_a_game_that_can_be_chosen() -> None:
    assert GAMES["farkle"].name == "farkle"
    assert GAMES["farkle"].version == ENGINE_VERSION


def test_a_turn_begins_with_all_dice_and_nothing_to_bank() -> None:
    first = turn(start())
    assert (first.dice_left, first.throw, first.may_throw, first.may_bank, first.options) == (6, None, True, False, ())


def test_a_throw_shows_what_may_be_set_aside_and_waits_for_it() -> None:
    open_turn = turn(play(start(), Thrown((5, 3, 1, 3, 2, 3))))
    assert open_turn.throw == (1, 2, 3, 3, 3, 5)
    assert [(option.dice, option.score) for option in open_turn.options] == [
        ((1,), 100),
        ((5,), 50),
        ((1, 5), 150),
        ((3, 3, 3), 300),
        ((1, 3, 3, 3), 400),
        ((3, 3, 3, 5), 350),
        ((1, 3, 3, 3, 5), 450),
    ]
    assert (open_turn.score, open_turn.dice_left, open_turn.may_throw, open_turn.may_bank) == (0, 6, False, True)


def test_what_is_set_aside_counts_and_the_rest_is_thrown() -> None:
    state = play(start(), Thrown((1, 2, 3, 3, 3, 5)), Kept((3, 3, 3)))
    assert (turn(state).score, turn(state).dice_left, turn(state).kept) == (300, 3, (3, 3, 3))
    state = play(state, Thrown((2, 4, 5)), Kept((5,)))
    assert (turn(state).score, turn(state).dice_left, turn(state).kept) == (350, 2, (3, 3, 3, 5))
    assert turn(state).throw_id == 2


def test_another_choice_from_the_same_throw_replaces_the_first() -> None:
    state = play(start(), Thrown((1, 2, 3, 3, 3, 5)), Kept((3, 3, 3)), Kept((1,)))
    assert (turn(state).score, turn(state).dice_left, turn(state).aside) == (100, 5, (1,))


def test_banking_with_nothing_set_aside_takes_the_best_option() -> None:
    state = play(start(), Thrown((1, 2, 3, 3, 3, 5)), Banked())
    assert board(state).players[0].score == 450
    assert board(state).last == Last(0, "banked", 450)
    assert turn(state).player == 1


def test_a_farkle_loses_the_turn_and_passes_it_on_by_itself() -> None:
    state = play(start(), Thrown((1, 1, 2, 3, 4, 6)), Kept((1, 1)), Thrown((2, 3, 4, 6)))
    assert board(state).players[0].score == 0
    assert board(state).last == Last(0, "farkle", 200, (2, 3, 4, 6))
    assert (turn(state).player, turn(state).throw, turn(state).dice_left) == (1, None, 6)


def test_farkles_in_a_row_are_counted_until_a_bank() -> None:
    state = start()
    for _ in range(2):
        state = play(state, Thrown(FARKLE_THROW), Thrown(FARKLE_THROW))
    assert [player.farkles for player in board(state).players] == [2, 2]
    state = play(state, Thrown((1, 2, 2, 3, 3, 4)), Banked())
    assert [player.farkles for player in board(state).players] == [0, 2]


def test_hot_dice_give_all_dice_back_and_the_points_go_on() -> None:
    state = play(start(), Thrown((1, 1, 1, 5, 5, 5)), Kept((1, 1, 1, 5, 5, 5)))
    assert (turn(state).hot_dice, turn(state).dice_left, turn(state).score) == (True, 6, 1500)
    assert board(state).last == Last(0, "hot-dice", 1500, (1, 1, 1, 5, 5, 5))
    assert turn(state).may_bank
    state = play(state, Thrown((1, 2, 3, 4, 4, 6)), Kept((1,)))
    assert (turn(state).hot_dice, turn(state).score, turn(state).kept) == (False, 1600, (1,))


def test_hot_dice_over_several_throws_start_the_rail_afresh() -> None:
    state = play(start(), Thrown((1, 1, 1, 2, 3, 4)), Kept((1, 1, 1)), Thrown((5, 5, 5)), Kept((5, 5, 5)))
    assert turn(state).hot_dice
    state = play(state, Thrown((1, 2, 2, 3, 3, 4)))
    assert (turn(state).kept, turn(state).score, turn(state).dice_left) == ((), 1500, 6)


def test_hot_dice_that_must_be_thrown_cannot_be_banked() -> None:
    state = play(start(turn={"hot_dice": "must"}), Thrown((1, 1, 1, 5, 5, 5)), Kept((1, 1, 1, 5, 5, 5)))
    assert not turn(state).may_bank
    with pytest.raises(IllegalMove, match="thrown once more"):
        play(state, Banked())
    assert turn(play(state, Thrown((1, 2, 3, 4, 4, 6)), Kept((1,)))).may_bank


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Banked(), "Throw first: there is nothing to bank yet."),
        (Kept((1,)), "Throw first: there are no dice to set aside yet."),
        (Thrown((1, 2, 3)), "Throw 6 dice, not 3."),
    ],
)
def test_before_the_first_throw_only_a_throw_of_all_dice_is_legal(event: Event, sentence: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        GAME.play(start(), event)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Thrown((1, 2, 3, 4, 5)), "Set aside at least one scoring die first."),
        (Kept(()), "Set aside at least one scoring die."),
        (Kept((2,)), "2 scores nothing here; set aside only dice that score."),
        (Kept((3, 3)), "3-3 scores nothing here; set aside only dice that score."),
        (Kept((1, 2, 3, 3, 3)), "2 scores nothing here; set aside only dice that score."),
        (Kept((1, 1)), "1-1 cannot be set aside from 1-2-3-3-3-5."),
    ],
)
def test_after_a_throw_a_refusal_says_what_is_wrong(event: Event, sentence: str) -> None:
    state = play(start(), Thrown((1, 2, 3, 3, 3, 5)))
    with pytest.raises(IllegalMove) as refusal:
        GAME.play(state, event)
    assert str(refusal.value) == sentence


def test_the_wrong_number_of_dice_is_refused_with_both_numbers() -> None:
    state = play(start(), Thrown((1, 2, 3, 3, 3, 5)), Kept((3, 3, 3)))
    with pytest.raises(IllegalMove, match="Throw 3 dice, not 4"):
        play(state, Thrown((1, 2, 3, 4)))


@pytest.mark.parametrize("values", [(1, 2, 3, 4, 5, 7), (0, 1, 2, 3, 4, 5)])
def test_a_value_that_no_die_shows_is_no_move(values: tuple[int, ...]) -> None:
    with pytest.raises(InvalidMove, match="1 to 6"):
        play(start(), Thrown(values))


def test_a_refused_bank_for_the_first_points_says_how_many_are_missing() -> None:
    state = play(start(turn={"entry_threshold": 500}), Thrown((1, 1, 2, 3, 4, 6)), Kept((1, 1)))
    assert not board(state).players[0].on_board
    with pytest.raises(IllegalMove, match="500 points must be made in one turn; 200 is too few"):
        play(state, Banked())
    state = play(state, Thrown((1, 1, 1, 3)), Kept((1, 1, 1)), Banked())
    assert board(state).players[0].score == 1200
    assert board(state).players[0].on_board


def test_points_lost_to_a_farkle_do_not_open_the_board() -> None:
    rules = {"entry_threshold": 500}
    state = play(start(turn=rules), Thrown((1, 1, 1, 2, 3, 4)), Kept((1, 1, 1)), Thrown((2, 3, 4)))
    assert not board(state).players[0].on_board


def test_every_turn_needs_the_minimum() -> None:
    state = with_scores(start(turn={"entry_threshold": 1000, "minimum": 500}), 2000, 0)
    state = play(state, Thrown((1, 1, 1, 2, 3, 4)), Kept((1,)))
    with pytest.raises(IllegalMove, match="500 points before it can be banked; 100"):
        play(state, Banked())
    assert turn(play(state, Kept((1, 1, 1)))).may_bank


def test_stopping_can_ask_for_few_dice_left() -> None:
    state = play(start(turn={"bank_max_dice_left": 2}), Thrown((1, 1, 1, 2, 5, 5)), Kept((1, 1, 1)))
    with pytest.raises(IllegalMove, match="No more than 2 dice may be left"):
        play(state, Banked())
    assert turn(play(state, Kept((1, 1, 1, 5)))).may_bank


def final_round(*scores: int, **tables: Any) -> State:
    return with_scores(start(*"ABC"[: len(scores)], **tables), *scores)


def test_the_final_round_gives_every_other_player_one_turn_to_score_strictly_more() -> None:
    state = final_round(9600, 9900, 4000)
    state = play(state, Thrown((5, 5, 5, 2, 3, 4)), Banked())
    assert board(state).status == "final-round"
    state = play(state, Thrown((1, 1, 2, 3, 4, 6)), Banked())
    assert board(state).players[1].score == 10100
    state = play(state, Thrown(FARKLE_THROW))
    ended = board(state)
    assert (ended.status, ended.winner, ended.turn) == ("over", 0, None)
    assert ended.last == Last(0, "won", 10100)


def test_who_passes_the_leader_in_the_final_round_is_to_be_beaten_next() -> None:
    state = play(final_round(9600, 9900, 9900), Thrown((5, 5, 5, 2, 3, 4)), Banked())
    state = play(state, Thrown((5, 5, 5, 2, 3, 4)), Banked())
    state = play(state, Thrown((4, 4, 4, 2, 3, 6)), Banked())
    assert (board(state).winner, board(state).players[2].score) == (1, 10300)


def test_no_move_is_legal_after_the_end() -> None:
    state = play(final_round(9600, 0, win={"final_round": False}), Thrown((1, 1, 1, 2, 3, 4)), Banked())
    assert (board(state).status, board(state).winner) == ("over", 0)
    for event in (Thrown((1, 2, 3, 4, 5, 6)), Kept((1,)), Banked(), Ended()):
        with pytest.raises(IllegalMove, match="over"):
            play(state, event)


def test_a_target_to_be_passed_is_not_passed_by_reaching_it() -> None:
    state = play(final_round(9500, 9000, win={"rule": "over"}), Thrown((5, 5, 5, 2, 3, 4)), Banked())
    assert board(state).status == "playing"
    state = play(state, Thrown((1, 1, 1, 5, 2, 3)), Banked())
    assert board(state).status == "final-round"


def test_the_turn_can_pass_the_other_way_round() -> None:
    state = play(start("A", "B", "C", turn={"order": "counter"}), Thrown(FARKLE_THROW))
    assert turn(state).player == 2


def test_an_ended_game_has_no_winner() -> None:
    ended = board(play(start(), Thrown((1, 1, 1, 2, 3, 4)), Ended()))
    assert (ended.status, ended.winner, ended.turn) == ("over", None, None)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["Ann"], "2 to 8 players, not 1"),
        ([f"P{n}" for n in range(9)], "2 to 8 players, not 9"),
        (["Ann", " ann "], "Two players are called ann"),
        (["Ann", "  "], "Every player needs a name"),
    ],
)
def test_players_that_cannot_play_are_refused(names: list[str], sentence: str) -> None:
    with pytest.raises(BadRules, match=sentence):
        start(*names)


@pytest.mark.parametrize("count", [2, 8])
def test_two_to_eight_play(count: int) -> None:
    names = [f"P{n}" for n in range(count)]
    assert [player.name for player in board(start(*names)).players] == names


@pytest.mark.parametrize("count", [5, 12])
def test_five_and_twelve_dice_are_thrown_all_at_once(count: int) -> None:
    state = start(dice={"count": count})
    assert turn(state).dice_left == count
    assert board(state).dice == count
    state = play(state, Thrown((1,) * count), Kept((1,) * count))
    assert (turn(state).hot_dice, turn(state).dice_left) == (True, count)
