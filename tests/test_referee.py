"""What lies in the tray, compared with what the game expects."""

from collections import Counter
from collections.abc import Sequence

import pytest

from firmware import referee
from rules.events import Banked, Event, Kept, Player, Started, Thrown
from rules.game import Scoreboard
from rules.options import Options
from rules.record import Record
from vision.happening import Happening
from vision.seen import Doubt, SeenDie, Zone


def record(*moves: Sequence[Event]) -> Record:
    record = Record.begin(Started("farkle", Options().to_json(), 1, (Player("Ann"), Player("Bo"))))
    for move in moves:
        record = record.play(*move)
    return record


def board(*moves: Sequence[Event]) -> Scoreboard:
    return record(*moves).board


def dice(*values: int, zone: Zone = "tray") -> tuple[SeenDie, ...]:
    return tuple(SeenDie(value, 60.0 * k, 100.0, 50.0, zone=zone) for k, value in enumerate(values))


def settled(*values: int, rail: Sequence[int] = ()) -> Happening:
    thrown = dice(*values)
    return Happening("settled", 40, 2.0, roll=1, dice=thrown + dice(*rail, zone="rail"), thrown=thrown)


FIRST = (Thrown((1, 1, 2, 3, 4, 5)),)


def test_the_dice_that_are_due_are_the_throw() -> None:
    assert referee.judge_throw(settled(6, 1, 5, 2, 3, 4), board()).events == (Thrown((1, 2, 3, 4, 5, 6)),)
    after = board(FIRST, (Kept((1, 1)),))
    assert referee.judge_throw(settled(2, 3, 4, 6), after).events == (Thrown((2, 3, 4, 6)),)


@pytest.mark.parametrize(("thrown", "kept"), [(5, (1,)), (4, (1, 1)), (3, (1, 1, 5))])
def test_dice_that_are_missing_were_set_aside_in_the_best_way(thrown: int, kept: tuple[int, ...]) -> None:
    values = (2, 2, 3, 4, 6)[:thrown]
    ruling = referee.judge_throw(settled(*values), board(FIRST))
    assert ruling.events == (Kept(kept), Thrown(values))
    assert "change it here" in ruling.notes[0]
    record(FIRST, ruling.events)


def test_all_dice_again_after_all_have_scored_is_hot_dice() -> None:
    ruling = referee.judge_throw(settled(2, 2, 3, 4, 6, 6), board((Thrown((1, 1, 1, 5, 5, 5)),)))
    assert ruling.events[0] == Kept((1, 1, 1, 5, 5, 5))


def test_all_dice_again_when_some_are_due_means_the_turn_was_banked() -> None:
    ruling = referee.judge_throw(settled(2, 2, 3, 4, 6, 6), board(FIRST, (Kept((1, 1)),)))
    assert ruling.events == (Banked(), Thrown((2, 2, 3, 4, 6, 6)))
    assert ruling.notes == ("All dice were thrown again, so Ann has banked and Bo throws: undo if that is not so.",)
    assert record(FIRST, (Kept((1, 1)),), ruling.events).board.players[0].score == 200


def test_a_die_that_lies_as_before_belongs_to_the_throw_when_it_is_due() -> None:
    seen = Happening("settled", 40, 2.0, roll=2, dice=dice(1, 2, 5, 5, 6, 6), thrown=dice(1, 5, 5, 6, 6))
    ruling = referee.judge_throw(seen, board())
    assert ruling.events == (Thrown((1, 2, 5, 5, 6, 6)),)
    assert ruling.notes == ("2 came to lie where it lay before, and is counted.",)


def test_a_die_that_lies_as_before_and_does_not_score_was_not_set_aside() -> None:
    seen = Happening("settled", 40, 2.0, roll=2, dice=dice(2, 3, 3, 4, 6, 6), thrown=dice(3, 3, 4, 6, 6))
    ruling = referee.judge_throw(seen, board(FIRST))
    assert ruling.events == (Banked(), Thrown((2, 3, 3, 4, 6, 6)))


def test_dice_set_aside_in_the_tray_itself_are_no_part_of_the_next_throw() -> None:
    seen = Happening("settled", 40, 2.0, roll=2, dice=dice(1, 1, 2, 3, 4, 6), thrown=dice(2, 3, 4, 6))
    assert referee.judge_throw(seen, board(FIRST)).events == (Kept((1, 1)), Thrown((2, 3, 4, 6)))


@pytest.mark.parametrize("count", [1, 3, 5])
def test_a_wrong_number_of_dice_is_a_question_and_the_throw_is_kept_in_it(count: int) -> None:
    ruling = referee.judge_throw(settled(*(2,) * count), board())
    assert ruling.events == ()
    assert ruling.doubts[0].kind == "count"
    assert "six expected" in ruling.doubts[0].text
    assert ruling.proposed == (2,) * count


def test_a_throw_that_cannot_be_read_is_a_question_with_what_was_read() -> None:
    cocked = SeenDie(None, 10.0, 20.0, 50.0, state="cocked")
    doubt = Doubt("cocked", 10.0, 20.0, "One die is leaning: nudge it, or tap its value.")
    ruling = referee.judge_unsure(Happening("unsure", 1, 1.0, 1, thrown=(*dice(1, 5), cocked), doubts=(doubt,)))
    assert ruling.doubts == (doubt,)
    assert ruling.proposed == (1, 5, None)


def test_scoring_dice_moved_to_the_rail_are_set_aside() -> None:
    seen = Happening("removed", 50, 3.0, dice=dice(2, 3, 4, 5) + dice(1, 1, zone="rail"))
    assert referee.judge_rail(seen, board(FIRST), Counter()).events == (Kept((1, 1)),)
    assert referee.judge_rail(seen, board(FIRST, (Kept((1, 1)),)), Counter()) == referee.NOTHING


def test_dice_left_on_the_rail_by_the_turn_before_do_not_count() -> None:
    seen = Happening("removed", 50, 3.0, dice=dice(1, 2, 3, 4, 5) + dice(1, 5, zone="rail"))
    assert referee.judge_rail(seen, board(FIRST), Counter([5])).events == (Kept((1,)),)


@pytest.mark.parametrize(
    ("aside", "sentence"),
    [
        ((1, 2), "The 2 does not score: put it back in the tray."),
        ((2, 3), "2-3 do not all score: put the ones that don't back in the tray."),
        ((6,), "6 is not in this throw: put it back."),
    ],
)
def test_dice_that_do_not_score_are_refused_by_name(aside: tuple[int, ...], sentence: str) -> None:
    ruling = referee.judge_rail(Happening("removed", 50, 3.0, dice=dice(*aside, zone="rail")), board(FIRST), Counter())
    assert ruling.refused
    assert ruling.events == ()
    assert ruling.notes == (sentence,)


def test_dice_found_at_the_start_are_asked_about_only_when_they_may_be_the_throw_that_is_due() -> None:
    found = Happening("removed", 1, 0.1, dice=dice(1, 2, 3, 4, 5, 6))
    assert referee.judge_found(found, board()).doubts[0].kind == "found"
    assert referee.judge_found(found, board(FIRST)) == referee.NOTHING
    assert referee.judge_found(Happening("removed", 1, 0.1, dice=dice(1, 2)), board()) == referee.NOTHING
    farkled = board((Thrown((2, 2, 3, 3, 4, 6)),))
    lying = Happening("removed", 1, 0.1, dice=dice(2, 2, 3, 3, 4, 6))
    assert referee.judge_found(lying, farkled) == referee.NOTHING, "it is the farkle of the turn before"
