"""A game's state in words: what to do, what happened, what may be decided."""

import pytest

from rules.game import Last, Offer, Scoreboard, Standing, Trying, Turn
from web.said import said


def board(turn: Turn | None = None, last: Last | None = None, **more: object) -> Scoreboard:
    players = tuple(Standing(name, None, 0, True) for name in ("Ann", "Bo", "Cleo"))
    return Scoreboard("farkle", 10000, more.pop("status", "playing"), players, turn, last=last, **more)  # type: ignore[arg-type]  # a table of cases


@pytest.mark.parametrize(
    ("turn", "todo"),
    [
        (Turn(0, dice_left=6), "Throw all 6 dice."),
        (Turn(0, dice_left=3, throw=(1, 2, 3)), "Set aside a die that scores."),
        (Turn(0, score=100, dice_left=1, kept=(1,), may_bank=True), "Throw 1 die, or bank."),
        (Turn(0, score=1500, dice_left=6, kept=(1,), may_bank=True), "Hot dice! Throw all 6, or bank."),
        (Turn(0, score=100, dice_left=0, kept=(1,)), "The turn ends here: bank."),
        (Turn(0, dice_left=3, carried=1000), "Throw 3; one that scores brings 1\u202f000 more."),
        (Turn(0, dice_left=2, roll_off=Offer(1, 50, 2)), "Throw the 2 left over: if one scores, the win is off."),
    ],
)
def test_what_to_do_is_one_sentence(turn: Turn, todo: str) -> None:
    assert said(board(turn))["todo"] == todo


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        (Last(0, "farkle", 0, (2, 3), 1000), "Ann threw 2 3: farkle, 0 lost. The third in a row costs 1\u202f000."),
        (Last(0, "four-twos", -1200, (2, 2, 2, 2)), "Ann threw 2 2 2 2: four 2s, and all 1\u202f200 are lost."),
        (Last(0, "went-over", 300, to=1), "Ann went over the target: 300 for Bo."),
        (Last(0, "went-over", 300), "Ann went over the target: 300 lost."),
        (Last(1, "banked", 250), "Bo banked 250."),
        (Last(1, "attempted", 0, (6, 6)), "Bo keeps 6 6 and tries."),
    ],
)
def test_what_happened_is_told_with_its_points(last: Last, sentence: str) -> None:
    assert said(board(last=last))["last"] == sentence


def test_what_may_be_decided_is_told_as_it_stands_on_a_button() -> None:
    tries = (Trying("triple", (6, 6)), Trying("straight", (1, 2)))
    found = said(board(Turn(1, may_take=Offer(0, 1000, 3), may_attempt=tries)))
    assert found["take"] == "Go on with Ann's 3 dice for 1\u202f000"
    assert found["attempts"] == ["Keep 6 6 and try for three of a kind", "Keep 1 2 and try for the straight"]


def test_the_end_of_a_game_says_what_it_still_waits_for() -> None:
    ending = {"status": "final-round"}
    assert said(board(**ending))["final"] == "Final round: everyone else has one more turn."
    assert said(board(playoff=(0, 1, 2), **ending))["final"] == "A tie: Ann, Bo and Cleo throw on."
    roll_off = Turn(1, dice_left=2, roll_off=Offer(0, 50, 2))
    assert said(board(roll_off, leader=0, **ending))["final"].startswith("Ann has won, unless one")
    assert said(board())["final"] == ""
