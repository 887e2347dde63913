"""Undo and redo without limit, and the correction of any throw of a game, with what is said about it."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_rules_record import FARKLE_THROW, begin, next_move, play, some_game

from rules import changes
from rules.errors import IllegalMove, RulesError
from rules.events import Attempted, Banked, Corrected, Ended, Event, Kept, Resumed, Taken, Thrown, Undone
from rules.record import Move, Record

STEADY = settings(suppress_health_check=[HealthCheck.too_slow])
ANN, BOB = Thrown((1, 1, 2, 3, 4, 6)), Thrown((2, 3, 4, 5, 5, 6))


def correct(record: Record, throw: int, *values: int) -> tuple[Record, str]:
    event = Corrected(throw, values)
    after = record.play(event)
    return after, " ".join(changes.correction(record, after, event))


def scores(record: Record) -> list[int]:
    return [player.score for player in record.board.players]


# Undo and redo.


@settings(STEADY, max_examples=40)
@given(st.data())
def test_all_that_was_undone_can_be_done_again_from_the_very_beginning(data: st.DataObject) -> None:
    record = some_game(data)
    boards = [record.board]
    while record.standing:
        record = record.play(Undone())
        boards.append(record.board)
    for board in boards[-2::-1]:
        record = record.play(*record.taken[-1])
        assert record.board == board


@settings(STEADY, max_examples=40)
@given(st.data())
def test_another_move_after_an_undo_leaves_nothing_to_do_again(data: st.DataObject) -> None:
    record = some_game(data)
    if not record.standing:
        return
    undone = record.play(Undone())
    move = next_move(undone, data)
    after = undone.play(*move)
    if move not in ((Undone(),), undone.taken[-1]):
        assert after.taken == ()


def test_undo_goes_past_the_end_of_a_game_and_back_again() -> None:
    won = play(begin(win={"target": 1000, "final_round": False}), BOB, Banked(), Thrown((1, 1, 1, 2, 3, 4)), Banked())
    assert won.board.winner == 1
    start = play(won, Undone(), Undone(), Undone(), Undone())
    assert start.board == begin(win={"target": 1000, "final_round": False}).board
    again = play(start, *start.taken[::-1])
    assert again.board == won.board
    assert changes.undone(won, won.play(Undone())) == "Undone: Bob banked 1,000 points."
    assert changes.done_again(start, start.play(*start.taken[-1])) == "Done again: Ann threw 2-3-4-5-5-6."


def test_a_move_of_several_events_is_told_as_a_whole() -> None:
    record = play(begin(), ANN, (Banked(), BOB))
    assert changes.undone(record, record.play(Undone())) == "Undone: Ann banked 200 points, then Bob threw 2-3-4-5-5-6."
    assert record.play(Undone()).play(Banked(), BOB).board == record.board


def test_a_game_that_was_stopped_is_taken_up_where_it_was() -> None:
    before = play(begin(), ANN, Kept((1, 1)))
    stopped = before.play(Ended())
    resumed = stopped.play(Resumed())
    assert resumed.board == before.board
    assert play(resumed, Undone()).board == play(before, Undone()).board
    assert before.play(Resumed()).board == before.board


# Corrections.


def test_the_last_throw_is_corrected_and_the_difference_is_said() -> None:
    record = play(begin(), Thrown((1, 2, 3, 4, 6, 6)), Kept((1,)), Thrown((1, 1, 1, 2, 3)))
    after, said = correct(record, 2, 1, 1, 2, 3, 5)
    assert said == "Ann's second throw is 1-1-2-3-5 now, not 1-1-1-2-3: 750 points less."
    assert after.board.turn is not None
    assert after.board.turn.throw == (1, 1, 2, 3, 5)


def test_a_throw_of_an_earlier_turn_keeps_what_was_set_aside_as_far_as_it_scores() -> None:
    record = play(begin(), ANN, Kept((1, 1)), Thrown((2, 3, 5, 6)), Kept((5,)), Banked(), BOB, Banked())
    assert scores(record) == [250, 100]
    after, said = correct(record, 1, 1, 2, 3, 4, 5, 6)
    assert scores(after) == [200, 100]
    assert said == (
        "Ann's first throw in turn 1 is 1-2-3-4-5-6 now, not 1-1-2-3-4-6: 50 points less. 1-5 is set aside from it."
    )
    assert after.play(Undone()).board == record.board


def test_a_throw_of_an_earlier_turn_that_was_a_farkle_ends_that_turn() -> None:
    record = play(begin(), ANN, Kept((1, 1)), Thrown((2, 3, 5, 6)), Kept((5,)), Banked(), BOB, Banked(), ANN)
    after, said = correct(record, 1, *FARKLE_THROW)
    assert scores(after) == [0, 100]
    assert after.board.throws == 3
    assert said == (
        "Ann's first throw in turn 1 is 2-2-3-4-6-6 now, not 1-1-2-3-4-6: 250 points less. "
        "The throw after it no longer counts."
    )
    assert after.board.turn is not None
    assert (after.board.turn.player, after.board.turn.throw) == (0, (1, 1, 2, 3, 4, 6))


def test_a_farkle_of_an_earlier_turn_that_was_none_counts_as_banked() -> None:
    record = play(begin(), Thrown(FARKLE_THROW), BOB, Banked())
    after, said = correct(record, 1, 1, 1, 2, 3, 4, 6)
    assert scores(after) == [200, 100]
    assert said == (
        "Ann's first throw in turn 1 is 1-1-2-3-4-6 now, not 2-2-3-4-6-6: 200 points more. It counts as banked."
    )


def test_a_bank_goes_with_the_throw_that_was_a_farkle() -> None:
    after, said = correct(play(begin(), ANN, Banked()), 1, *FARKLE_THROW)
    assert scores(after) == [0, 0]
    assert said == "Ann's first throw is 2-2-3-4-6-6 now, not 1-1-2-3-4-6: 200 points less."
    assert after.board.last is not None
    assert after.board.last.what in ("farkle", "corrected")


def test_a_turn_that_goes_on_falls_back_to_the_throw_that_does_not_fit_the_rest() -> None:
    record = play(begin(), Thrown((1, 1, 1, 2, 3, 4)), Kept((1, 1, 1)), Thrown((5, 2, 3)))
    after, said = correct(record, 1, 1, 2, 3, 4, 6, 6)
    assert after.board.turn is not None
    assert (after.board.turn.throw, after.board.turn.aside) == ((1, 2, 3, 4, 6, 6), ())
    assert "The throw after it no longer counts." in said


def test_a_correction_past_the_end_opens_the_game_or_ends_it_earlier() -> None:
    rules: dict[str, Any] = {"win": {"target": 1000, "final_round": False}}
    won = play(begin(**rules), Thrown((1, 1, 1, 2, 3, 4)), Banked())
    after, said = correct(won, 1, 1, 1, 2, 2, 3, 4)
    assert (after.board.status, scores(after)) == ("playing", [200, 0])
    assert said.endswith("800 points less. The game goes on.")
    record = play(begin(**rules), ANN, Banked(), BOB, Banked(), ANN, Banked())
    after, said = correct(record, 1, 1, 1, 1, 2, 3, 4)
    assert (after.board.winner, after.board.throws) == (0, 1)
    assert said.endswith("2 later throws count no more. Ann has won.")
    assert after.play(Undone()).board == record.board


def test_points_that_another_was_given_change_with_the_throw() -> None:
    rules: dict[str, Any] = {"win": {"rule": "exact", "target": 1000, "overshoot": "give_to_lowest"}}
    record = play(begin(**rules), Thrown((1, 1, 4, 4, 4, 6)), Banked(), BOB, Banked(), ANN, Banked())
    assert scores(record) == [800, 100]
    after, said = correct(record, 3, 1, 1, 5, 5, 5, 6)
    assert scores(after) == [600, 800]
    assert said == "Ann's first throw is 1-1-5-5-5-6 now, not 1-1-2-3-4-6: 200 points less. Bob: 700 points more."


@pytest.mark.parametrize(
    ("rules", "moves", "values", "later"),
    [
        # Who was not on the board yet could not have banked so little.
        (
            {"turn": {"entry_threshold": 500}},
            [Thrown((1, 1, 1, 2, 3, 4)), Banked(), BOB],
            (1, 1, 2, 3, 4, 6),
            "banking after throw 1",
        ),
        # The turn was lost in the end, and the dice thrown then do not fit.
        (
            {},
            [Thrown((1, 1, 1, 2, 3, 4)), Kept((1, 1, 1)), Thrown((2, 3, 4)), BOB],
            (1, 2, 3, 4, 6, 6),
            "setting aside 1-1-1 from throw 1",
        ),
        (
            {"turn": {"piggyback": "full"}},
            [Thrown((1, 1, 2, 3, 4, 6)), Banked(), Taken(), Thrown((1, 2, 3, 4))],
            (1, 1, 1, 5, 4, 6),
            "throw 2",
        ),
    ],
)
def test_what_stands_in_the_way_of_a_correction_is_named(
    rules: Any, moves: list[Event | Move], values: Move, later: str
) -> None:
    record = play(begin(**rules), *moves)
    with pytest.raises(IllegalMove, match=f"{later} would not have been possible; undo that first"):
        record.play(Corrected(1, values))


def test_an_attempt_goes_with_the_throw_that_it_was_declared_on() -> None:
    record = begin(score={"straight": 1500}, turn={"straight_attempt": True})
    record = play(record, Thrown((1, 2, 3, 4, 6, 6)), Attempted("straight", (1, 2, 3, 4, 6)), Thrown((5,)))
    after = record.play(Corrected(1, (2, 2, 3, 4, 5, 6)))
    assert after.board.turn is not None
    assert (after.board.turn.throw, after.board.turn.attempt) == ((2, 2, 3, 4, 5, 6), None)


@settings(STEADY, max_examples=80)
@given(st.data())
def test_any_throw_of_any_game_is_corrected_or_refused_and_nothing_before_it_changes(data: st.DataObject) -> None:
    record = some_game(data)
    thrown = [fact for fact in record.facts if isinstance(fact, Thrown)]
    if not thrown:
        return
    number = data.draw(st.integers(1, len(thrown)))
    count = len(thrown[number - 1].values)
    values = data.draw(st.lists(st.integers(1, 6), min_size=count, max_size=count).map(tuple))
    event = Corrected(number, values)
    try:
        after = record.play(event)
    except RulesError:
        return
    kept = [fact.values for fact in after.facts if isinstance(fact, Thrown)]
    assert kept[: number - 1] == [fact.values for fact in thrown[: number - 1]]
    assert kept[number - 1] == tuple(sorted(values))
    assert changes.correction(record, after, event)[0].endswith(".")
    assert after.play(Undone()).board == record.board
