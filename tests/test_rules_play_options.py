"""The play options of Farkle and Dice 10,000, one by one."""

from dataclasses import replace
from typing import Any

import pytest
from farkle_game import GAME, board, play, start, turn, with_scores

from rules.errors import BadRules, IllegalMove, InvalidMove
from rules.events import Attempted, Banked, Ended, Event, Kept, Taken, Thrown
from rules.game import Last, Offer, Trying
from rules.games.farkle.state import State

FARKLE = (2, 2, 3, 4, 6, 6)
THREE_ONES = (1, 1, 1, 2, 3, 4)


def scores(state: State) -> list[int]:
    return [player.score for player in board(state).players]


def refused(state: State, event: Event) -> str:
    with pytest.raises((IllegalMove, InvalidMove)) as refusal:
        GAME.play(state, event)
    return str(refusal.value)


# Piggybacking.


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


# Attempts.


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


# Winning.


def test_going_over_an_exact_target_loses_the_turn() -> None:
    state = with_scores(start(win={"rule": "exact", "final_round": False}), 9500, 0)
    state = play(state, Thrown((6, 6, 6, 2, 3, 4)))
    assert turn(state).goes_over
    state = play(state, Banked())
    assert scores(state) == [9500, 0]
    assert board(state).last == Last(0, "went-over", 600)


def test_welfare_gives_a_turn_that_goes_over_to_who_has_the_least() -> None:
    rules = {"win": {"rule": "exact", "overshoot": "give_to_lowest", "final_round": False}}
    state = with_scores(start("A", "B", "C", "D", **rules), 9500, 700, 300, 300)
    state = play(state, Thrown((6, 6, 6, 2, 3, 4)), Banked())
    assert scores(state) == [9500, 700, 900, 300]
    assert board(state).last == Last(0, "went-over", 600, to=2)


def test_welfare_never_gives_to_oneself_and_can_make_another_win() -> None:
    rules = {"win": {"rule": "exact", "overshoot": "give_to_lowest", "final_round": False}}
    state = with_scores(start(**rules), 9500, 9600)
    assert scores(play(state, Thrown((6, 6, 6, 2, 3, 4)), Banked())) == [9500, 9600]  # 10,200 would be over for Bob too
    state = with_scores(start("A", "B", **rules), 9900, 9400)
    state = play(state, Thrown((6, 6, 6, 2, 3, 4)), Banked())
    assert (scores(state), board(state).winner) == ([9900, 10_000], 1)


def test_an_exact_hit_may_always_be_banked() -> None:
    rules = {"turn": {"minimum": 500}, "win": {"rule": "exact", "final_round": False}}
    state = with_scores(start(**rules), 9900, 0)
    state = play(state, Thrown((1, 2, 2, 3, 3, 4)), Banked())
    assert (board(state).status, board(state).winner) == ("over", 0)


def roll_off() -> State:
    """Ann has hit the target with one die left."""
    rules = {"win": {"rule": "exact", "roll_off": True, "final_round": False}}
    state = with_scores(start("Ann", "Bob", "Cleo", **rules), 9500, 0, 0)
    return play(state, Thrown((1, 1, 2, 3, 3, 3)), Kept((1, 1, 3, 3, 3)), Banked())


def test_dice_left_by_the_winner_are_thrown_once_by_the_next_player() -> None:
    state = roll_off()
    assert (board(state).status, turn(state).player, turn(state).dice_left) == ("final-round", 1, 1)
    assert (turn(state).roll_off, turn(state).kept) == (Offer(0, 500, 1), (1, 1, 3, 3, 3))
    assert not turn(state).may_bank
    missed = play(state, Thrown((2,)))
    assert (board(missed).status, board(missed).winner) == ("over", 0)


def test_a_score_on_the_dice_left_rolls_the_win_off_and_the_turn_goes_on() -> None:
    state = play(roll_off(), Thrown((5,)))
    assert scores(state) == [9500, 0, 0]
    assert board(state).last == Last(1, "rolled-off", 500, (5,))
    assert (board(state).status, board(state).leader, turn(state).roll_off) == ("playing", None, None)
    state = play(state, Kept((5,)))
    assert (turn(state).hot_dice, turn(state).score) == (True, 50)
    assert scores(play(state, Banked())) == [9500, 50, 0]


def test_who_leaves_no_dice_wins_at_once_and_who_does_not_try_lets_him() -> None:
    assert board(play(roll_off(), Ended())).winner == 0
    state = with_scores(start(win={"rule": "exact", "roll_off": True}), 9500, 0)
    state = play(state, Thrown((1, 3, 3, 3, 5, 5)), Kept((1, 3, 3, 3, 5, 5)), Banked())
    assert board(state).winner == 0


@pytest.mark.parametrize(
    ("rule", "rules", "throw", "wins"),
    [
        ("six_kind", {}, (3,) * 6, True),
        ("six_kind", {}, (3, 3, 3, 3, 3, 1), False),
        ("six_kind", {"penalty": {"four_twos": True}}, (2,) * 6, True),
        ("six_kind", {"dice": {"count": 12}}, (3,) * 6 + (1, 1, 2, 4, 5, 6), True),
        ("six_ones", {}, (1,) * 6, True),
        ("six_ones", {}, (2,) * 6, False),
        ("five_kind_first_throw", {"dice": {"count": 5}}, (2,) * 5, True),
        ("five_kind_first_throw", {"dice": {"count": 5}}, (2, 2, 2, 2, 1), False),
    ],
)
def test_a_throw_can_win_the_game_at_once(rule: str, rules: dict[str, Any], throw: tuple[int, ...], wins: bool) -> None:
    state = play(with_scores(start(win={"instant": [rule]}, **rules), 0, 9000), Thrown(throw))
    assert (board(state).winner == 0) == wins
    assert (board(state).status == "over") == wins


def test_five_of_a_kind_wins_on_the_first_throw_of_a_turn_only() -> None:
    rules = {"dice": {"count": 5}, "win": {"instant": ["five_kind_first_throw"]}}
    state = play(start(**rules), Thrown((1, 1, 3, 3, 3)), Kept((1, 1, 3, 3, 3)), Thrown((3,) * 5))
    assert board(state).status == "playing"


def test_a_wild_card_completes_six_of_a_kind() -> None:
    rules = {"dice": {"wild": "coloured_4"}, "win": {"instant": ["six_kind"]}}
    assert board(play(start(**rules), Thrown((3, 3, 3, 3, 3, 4), coloured=4))).winner == 0
    assert board(play(start(**rules), Thrown((3, 3, 3, 3, 3, 5), coloured=5))).winner is None


def tied(**win: Any) -> State:
    """Ann and Bob have both 10,100 after the final round; Cleo has 4,000."""
    state = with_scores(start("Ann", "Bob", "Cleo", win=win), 9600, 9600, 4000)
    for throw in ((5, 5, 5, 2, 3, 4), (5, 5, 5, 2, 3, 4)):
        state = play(state, Thrown(throw), Banked())
    return play(state, Thrown(FARKLE))


def test_a_tie_goes_to_who_was_first_is_shared_or_is_played_off() -> None:
    first, shared, playoff = (board(tied(tie=tie)) for tie in ("first", "shared", "playoff"))
    assert (first.winner, first.winners) == (0, (0,))
    assert (shared.winner, shared.winners) == (0, (0, 1))
    assert (playoff.status, playoff.playoff, playoff.winner) == ("final-round", (0, 1), None)


def test_only_those_who_tie_play_off_until_one_is_ahead() -> None:
    state = tied(tie="playoff")
    assert turn(state).player == 0
    state = play(state, Thrown((1, 2, 2, 3, 3, 4)), Banked(), Thrown((1, 2, 2, 3, 3, 4)), Banked())
    assert (board(state).status, board(state).playoff, turn(state).player) == ("final-round", (0, 1), 0)
    state = play(state, Thrown(FARKLE), Thrown((5, 2, 2, 3, 3, 4)), Banked())
    assert (board(state).winner, board(state).winners) == (1, (1,))


# Teams.


def teams(**rules: Any) -> State:
    return start("A", "B", "C", "D", teams=2, **rules)


def test_team_mates_sit_opposite_and_share_score_threshold_and_farkles() -> None:
    state = teams(turn={"entry_threshold": 500})
    assert [player.team for player in board(state).players] == [0, 1, 0, 1]
    state = play(state, Thrown((5, 5, 5, 2, 3, 4)), Banked(), Thrown(FARKLE))
    assert [team.players for team in board(state).teams] == [(0, 2), (1, 3)]
    assert [team.score for team in board(state).teams] == [500, 0]
    assert [player.on_board for player in board(state).players] == [True, False, True, False]
    assert [player.farkles for player in board(state).players] == [0, 1, 0, 1]
    state = play(state, Thrown((1, 2, 2, 3, 3, 4)), Banked())  # C needs no 500: the team is on the board
    assert [team.score for team in board(state).teams] == [600, 0]


def test_a_team_wins_together() -> None:
    state = with_scores(teams(win={"target": 1000}), 900, 0)
    state = play(state, Thrown((1, 2, 2, 3, 3, 4)), Banked())
    state = play(state, Thrown(FARKLE), Thrown(FARKLE), Thrown(FARKLE))
    assert (board(state).winner, board(state).winners) == (0, (0, 2))


def test_a_leading_team_that_a_penalty_takes_below_the_target_has_not_won() -> None:
    state = with_scores(teams(win={"target": 1000}, penalty={"four_twos": True}), 900, 0)
    state = play(state, Thrown((1, 2, 2, 3, 3, 4)), Banked(), Thrown(FARKLE))
    state = play(state, Thrown((2, 2, 2, 2, 3, 4)), Thrown(FARKLE))
    assert (board(state).status, [team.score for team in board(state).teams]) == ("playing", [0, 0])


def test_teams_are_equal_or_refused() -> None:
    with pytest.raises(BadRules, match=r"2 equal teams need 2, 4, 6 or 8 players, not 3\."):
        start("A", "B", "C", teams=2)
    with pytest.raises(BadRules, match=r"3 equal teams need 3 or 6 players, not 4\."):
        start("A", "B", "C", "D", teams=3)


def test_the_stake_is_shown() -> None:
    assert board(start(stake=5)).stake == 5


# The coloured die.


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


# The worked examples of the rule books that are whole turns.


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
