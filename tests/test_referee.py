"""What lies in the tray, compared with what the game expects."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from firmware import referee
from firmware.wild_die import coloured_die
from rules.events import Attempted, Banked, Event, Kept, Player, Started, Taken, Thrown
from rules.game import Scoreboard
from rules.options import Dice, Options, Score, TurnRules
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


def found(*values: int, beside: Sequence[int] = ()) -> Happening:
    """`values` lie where none lay before, beside dice that lie as they did."""
    return replace(settled(*beside, *values), thrown=dice(*beside, *values)[len(beside) :], roll=None, found=True)


def test_dice_that_nobody_saw_fall_are_asked_about_and_never_played() -> None:
    ruling = referee.judge_found(found(1, 2, 3, 4, 5, 6), board())
    assert (ruling.events, ruling.proposed) == ((), (1, 2, 3, 4, 5, 6))
    assert [doubt.kind for doubt in ruling.doubts] == ["found"]
    assert "if it is Ann's throw" in ruling.doubts[0].text
    banked = referee.judge_found(found(2, 2, 3, 4, 6, 6), board(FIRST, (Kept((1, 1)),)))
    assert "if it is Bo's throw" in banked.doubts[0].text
    assert referee.judge_found(found(2, 2, 4, 6), board(FIRST)).proposed == (2, 2, 4, 6)


def test_dice_of_a_wrong_number_that_nobody_saw_fall_are_asked_about_unless_few_were_pushed() -> None:
    assert referee.judge_found(found(1, 2, 3, 4, 5), board()).doubts[0].kind == "count"
    assert referee.judge_found(found(1, 2, beside=(3, 4, 5)), board()) == referee.NOTHING


def test_dice_that_nobody_saw_fall_and_nobody_can_read_are_asked_about_with_what_was_read() -> None:
    doubt = Doubt("cocked", 10.0, 20.0, "One die is leaning: nudge it, or tap its value.")
    thrown = (*dice(1, 5), SeenDie(None, 10.0, 20.0, 50.0, state="cocked"))
    ruling = referee.judge_found(Happening("unsure", 1, 1.0, thrown=thrown, doubts=(doubt,), found=True), board())
    assert ([doubt.kind for doubt in ruling.doubts], ruling.proposed) == (["found", "cocked"], (1, 5, None))


# Dice taken over from the player before.


def high_stakes(*moves: Sequence[Event]) -> Record:
    rules = Options(turn=TurnRules(piggyback="full"))
    record = Record.begin(Started("farkle", rules.to_json(), 1, (Player("Ann"), Player("Bo"))))
    for move in (FIRST, (Kept((1, 1)),), (Banked(),), *moves):
        record = record.play(*move)
    return record


def test_a_throw_of_the_dice_that_were_left_takes_them_over() -> None:
    ruling = referee.judge_throw(settled(2, 3, 5, 6), high_stakes().board)
    assert ruling.events == (Taken(), Thrown((2, 3, 5, 6)))
    assert ruling.notes == ("Bo took over the four dice that Ann left, for 200 points: undo if that is not so.",)
    turn = high_stakes(ruling.events).board.turn
    assert turn is not None
    assert turn.carried == 200


def test_a_throw_of_all_dice_begins_anew_and_any_other_number_is_asked_about() -> None:
    assert referee.judge_throw(settled(1, 2, 3, 4, 5, 6), high_stakes().board).events == (Thrown((1, 2, 3, 4, 5, 6)),)
    assert referee.judge_throw(settled(2, 3, 5), high_stakes().board).doubts[0].kind == "count"


def test_a_die_taken_over_that_lies_as_before_belongs_to_the_throw() -> None:
    seen = Happening("settled", 40, 2.0, roll=2, dice=dice(2, 3, 5, 6), thrown=dice(2, 3, 5))
    assert referee.judge_throw(seen, high_stakes().board).events == (Taken(), Thrown((2, 3, 5, 6)))


def test_a_throw_in_which_nothing_counts_is_asked_about_under_any_rules() -> None:
    assert referee.judge_throw(settled(), wild().board).doubts[0].kind == "count"


def test_a_declared_attempt_waits_for_the_rest() -> None:
    rules = Options(score=Score(straight=1500), turn=TurnRules(straight_attempt=True))
    record = Record.begin(Started("farkle", rules.to_json(), 1, (Player("Ann"), Player("Bo"))))
    record = record.play(*FIRST).play(Attempted("straight", (1, 2, 3, 4, 5)))
    assert referee.judge_throw(settled(6), record.board).events == (Thrown((6,)),)


def test_after_the_turn_went_counter_clockwise_the_note_names_who_throws() -> None:
    rules = Options(turn=TurnRules(order="counter"))
    record = Record.begin(Started("farkle", rules.to_json(), 1, tuple(Player(name) for name in ("Ann", "Bo", "Cy"))))
    ruling = referee.judge_throw(settled(2, 2, 3, 4, 6, 6), record.play(*FIRST).play(Kept((1, 1))).board)
    assert "Cy throws" in ruling.notes[0]


# The coloured die.


def mixed(*values: int, red: int | None, zone: Zone = "tray") -> tuple[SeenDie, ...]:
    """White dice, and the one at place `red`."""
    return tuple(
        replace(die, colour="red" if place == red else "white") for place, die in enumerate(dice(*values, zone=zone))
    )


def wild(*moves: Sequence[Event], colour: str = "") -> Record:
    rules = Options(dice=Dice(wild="coloured_4", wild_colour=colour))
    record = Record.begin(Started("farkle", rules.to_json(), 1, (Player("Ann"), Player("Bo"))))
    for move in moves:
        record = record.play(*move)
    return record


def judged(record: Record, thrown: tuple[SeenDie, ...], *others: SeenDie, learned: str = "") -> referee.Ruling:
    seen = Happening("settled", 40, 2.0, roll=1, dice=(*thrown, *others), thrown=thrown)
    sighting = coloured_die(seen.dice, record.board.wild_colour or "", learned)
    return referee.judge_throw(seen, record.board, sighting)


def test_the_throw_says_what_the_die_of_another_colour_shows() -> None:
    assert judged(wild(), mixed(1, 1, 2, 4, 4, 6, red=3)).events == (Thrown((1, 1, 2, 4, 4, 6), coloured=4),)


@pytest.mark.parametrize("red", [None, 0])
def test_when_no_die_or_any_die_may_be_the_coloured_one_the_players_are_asked(red: int | None) -> None:
    thrown = mixed(1, 1, 2, 4, 4, 6, red=red)
    thrown = thrown if red is None else (*thrown[:5], replace(thrown[5], colour="blue"))
    ruling = judged(wild(), thrown)
    assert (ruling.events, ruling.proposed) == ((), (1, 1, 2, 4, 4, 6))
    assert ruling.doubts[0].kind == "colour"
    assert "Which of these is the die of another colour?" in ruling.doubts[0].text


def test_dice_missing_from_the_throw_took_the_coloured_one_along_or_left_it() -> None:
    record = wild((Thrown((1, 1, 2, 3, 4, 6), coloured=4),))
    kept = judged(record, mixed(2, 2, 3, 6, red=0)).events
    assert kept == (Kept((1, 1), False), Thrown((2, 2, 3, 6), coloured=2))
    gone = judged(record, mixed(2, 2, 3, red=None), *mixed(1, 1, 4, red=2, zone="rail")).events
    assert gone == (Kept((1, 1), True), Thrown((2, 2, 3)))


def test_the_colour_is_remembered_for_throws_of_few_dice() -> None:
    record = wild(
        (Thrown((1, 1, 1, 3, 3, 4), coloured=4),), (Kept((1, 1, 1), False),), (Thrown((1, 2, 4), coloured=4),)
    )
    record = record.play(Kept((1,), False))
    thrown = mixed(2, 4, red=1)
    assert judged(record, thrown).doubts[0].kind == "colour"
    assert judged(record, thrown, learned="red").events == (Thrown((2, 4), coloured=4),)
    assert judged(wild(colour="red"), mixed(1, 1, 2, 4, 4, 6, red=3)).events[0] == Thrown(
        (1, 1, 2, 4, 4, 6), coloured=4
    )


def test_the_coloured_die_on_the_rail_is_set_aside_as_itself() -> None:
    record = wild((Thrown((1, 1, 3, 3, 3, 6), coloured=3),))
    on_rail = mixed(3, 3, 3, red=0, zone="rail")
    seen = Happening("removed", 50, 3.0, dice=(*mixed(1, 1, 6, red=None), *on_rail))
    ruling = referee.judge_rail(seen, record.board, Counter(), coloured_die(seen.dice, ""))
    assert ruling.events == (Kept((3, 3), True),)
    again = record.play(*ruling.events)
    assert referee.judge_rail(seen, again.board, Counter(), coloured_die(seen.dice, "")) == referee.NOTHING
    plain = Happening("removed", 50, 3.0, dice=(*mixed(1, 3, 6, red=1), *mixed(1, 3, 3, red=None, zone="rail")))
    assert referee.judge_rail(plain, record.board, Counter(), coloured_die(plain.dice, "")).refused
