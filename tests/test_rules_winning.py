"""Farkle: how a game is won, alone and in teams."""

from typing import Any

import pytest
from farkle_game import FARKLE, board, play, scores, start, turn, with_scores

from rules.errors import BadRules
from rules.events import Banked, Ended, Kept, Thrown
from rules.game import Last, Offer
from rules.games.farkle.state import State

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
