"""A game and how it came to be: replay, undo, correction, and events as JSON."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.codec import from_json, to_json
from rules.errors import BadRules, IllegalMove, InvalidMove, RulesError
from rules.events import (
    Attempted,
    Banked,
    Corrected,
    Ended,
    Event,
    Kept,
    Player,
    Resumed,
    Started,
    Taken,
    Thrown,
    Undone,
)
from rules.game import ENGINE_VERSION, Last
from rules.house import parse
from rules.record import Move, Record, replay

# A busy machine may take its time.
STEADY = settings(suppress_health_check=[HealthCheck.too_slow])
FARKLE_THROW = (2, 2, 3, 4, 6, 6)


def begin(*names: str, **tables: Any) -> Record:
    players = tuple(Player(name) for name in names or ("Ann", "Bob"))
    return Record.begin(Started("farkle", parse({"name": "test", **tables}).to_json(), ENGINE_VERSION, players))


def play(record: Record, *moves: Event | Move) -> Record:
    for move in moves:
        record = record.play(*move) if isinstance(move, tuple) else record.play(move)
    return record


def next_move(record: Record, data: st.DataObject) -> Move:
    """Any legal move: a throw, a choice, a bank, an undo or a correction of the last throw."""
    turn = record.board.turn
    moves: list[Move] = [(Undone(),)] if record.standing else []
    if turn is not None:
        dice = st.lists(st.integers(1, 6), min_size=turn.dice_left, max_size=turn.dice_left)
        if turn.may_throw:
            moves += [(Thrown(tuple(data.draw(dice))),)] * 3
        if turn.may_bank:
            moves.append((Banked(),))
        if turn.throw is not None:
            moves += [(Kept(option.dice),) for option in turn.options]
            again = st.lists(st.integers(1, 6), min_size=len(turn.throw), max_size=len(turn.throw))
            moves.append((Corrected(record.board.throws, tuple(data.draw(again))),))
    return data.draw(st.sampled_from(moves))


def some_game(data: st.DataObject) -> Record:
    """A game to 1000, played at random, perhaps to its end and beyond."""
    record = begin(win={"target": 1000})
    for _ in range(data.draw(st.integers(0, 25))):
        record = record.play(*next_move(record, data))
    return record


@settings(STEADY, max_examples=50)
@given(st.data())
def test_replaying_the_moves_gives_the_same_game_through_json(data: st.DataObject) -> None:
    record = some_game(data)
    written = json.dumps([[to_json(event) for event in move] for move in record.moves])
    moves = [tuple(from_json(event) for event in move) for move in json.loads(written)]
    assert replay(moves) == record
    assert replay(moves).board == record.board


@settings(STEADY, max_examples=50)
@given(st.data())
def test_undo_takes_back_the_last_move_whatever_it_was(data: st.DataObject) -> None:
    before = some_game(data)
    move = next_move(before, data)
    if move == (Undone(),):
        return
    undone = before.play(*move).play(Undone())
    assert undone.board == before.board
    assert undone.standing == before.standing


@settings(STEADY, max_examples=50)
@given(st.data())
def test_a_refused_move_changes_nothing_not_even_its_first_half(data: st.DataObject) -> None:
    record = some_game(data)
    before = record.board
    legal = next_move(record, data)
    for bad in ((Thrown((7,)),), (Kept((2, 2, 2, 2, 2, 2, 2)),), (Corrected(99, (1,)),), (*legal, Thrown((9,)))):
        with pytest.raises(RulesError, match=r"\.$"):
            record.play(*bad)
        assert record.board == before


@settings(STEADY, max_examples=50)
@given(st.data())
def test_undo_to_the_beginning_and_no_further(data: st.DataObject) -> None:
    record = some_game(data)
    while record.standing:
        record = record.play(Undone())
    assert record.board == begin(win={"target": 1000}).board
    with pytest.raises(IllegalMove, match="nothing to undo"):
        record.play(Undone())


def test_undo_crosses_turns() -> None:
    record = play(begin(), Thrown((1, 1, 2, 3, 4, 6)), Banked(), Thrown(FARKLE_THROW))
    record = play(record, Undone(), Undone())
    turn = record.board.turn
    assert turn is not None
    assert (turn.player, turn.throw, record.board.players[0].score) == (0, (1, 1, 2, 3, 4, 6), 0)


def test_undo_reopens_a_game_that_was_won() -> None:
    won = play(begin(win={"target": 1000, "final_round": False}), Thrown((1, 1, 1, 2, 3, 4)), Banked())
    assert won.board.status == "over"
    assert won.play(Undone()).board.status == "playing"


def test_undo_reopens_a_game_that_was_stopped() -> None:
    stopped = begin().play(Ended())
    assert (stopped.board.status, stopped.board.winner) == ("over", None)
    assert stopped.play(Undone()).board == begin().board


def test_events_of_one_move_stand_or_fall_together() -> None:
    opened = play(begin(), Thrown((1, 1, 2, 3, 4, 6)))
    record = play(opened, (Kept((1, 1)), Thrown((5, 2, 3, 4))))
    assert record.play(Undone()).board == opened.board
    with pytest.raises(IllegalMove):
        opened.play(Kept((1, 1)), Thrown((5, 2, 3)))


def test_nothing_is_deleted_from_the_moves() -> None:
    record = play(begin(), Thrown((1, 1, 2, 3, 4, 6)), Undone())
    assert record.moves[1:] == ((Thrown((1, 1, 2, 3, 4, 6)),), (Undone(),))
    assert record.standing == ()


def test_correcting_the_open_throw_drops_what_was_kept_from_it() -> None:
    record = play(begin(), Thrown((1, 1, 2, 3, 4, 6)), Kept((1, 1)), Corrected(1, (1, 2, 2, 3, 4, 6)))
    turn = record.board.turn
    assert turn is not None
    assert (turn.throw, turn.aside, turn.score, turn.player) == ((1, 2, 2, 3, 4, 6), (), 0, 0)
    assert record.board.last == Last(0, "corrected", 0, (1, 2, 2, 3, 4, 6))
    assert record.board.throws == 1


def test_correcting_a_throw_into_a_farkle_passes_the_turn() -> None:
    record = play(begin(), Thrown((1, 2, 2, 3, 4, 6)), Corrected(1, FARKLE_THROW))
    assert record.board.last == Last(0, "farkle", 0, FARKLE_THROW)
    assert record.board.turn is not None
    assert record.board.turn.player == 1


def test_correcting_a_farkle_gives_the_turn_back() -> None:
    record = play(begin(), Thrown(FARKLE_THROW), Corrected(1, (1, 2, 3, 4, 6, 6)))
    assert record.board.turn is not None
    assert (record.board.turn.player, record.board.players[0].farkles) == (0, 0)


def test_an_earlier_throw_can_be_corrected_while_all_later_moves_stay_legal() -> None:
    record = play(begin(), Thrown((1, 1, 2, 3, 4, 6)), Kept((1, 1)), Thrown((5, 2, 3, 4)))
    corrected = record.play(Corrected(1, (1, 1, 2, 3, 6, 6)))
    assert corrected.board.turn is not None
    assert (corrected.board.turn.kept, corrected.board.turn.throw) == ((1, 1), (2, 3, 4, 5))


def test_a_correction_of_the_last_throw_after_a_bank_banks_its_best() -> None:
    record = play(begin(), Thrown((1, 1, 2, 3, 4, 6)), Kept((1,)), Banked(), Corrected(1, (1, 1, 1, 3, 4, 6)))
    assert record.board.players[0].score == 1000


@pytest.mark.parametrize(
    "correction", [Corrected(0, (1,) * 6), Corrected(2, (1,) * 6), Corrected(1, (1, 2)), Corrected(1, (1,) * 5 + (7,))]
)
def test_a_correction_of_no_throw_or_to_no_throw_is_refused(correction: Corrected) -> None:
    record = play(begin(), Thrown((1, 1, 2, 3, 4, 6)))
    with pytest.raises(RulesError, match=r"no throw|Throw 6 dice|1 to 6"):
        record.play(correction)


def test_a_correction_can_be_undone() -> None:
    before = play(begin(), Thrown((1, 1, 2, 3, 4, 6)), Kept((1, 1)))
    assert play(before, Corrected(1, (1, 2, 2, 3, 4, 6)), Undone()).board == before.board


def test_throw_numbers_mean_the_throws_that_stand() -> None:
    record = play(begin(), Thrown(FARKLE_THROW), Thrown(FARKLE_THROW), Undone(), Thrown((1, 2, 3, 4, 6, 6)))
    assert record.board.throws == 2
    assert record.board.turn is not None
    assert record.board.turn.throw_id == 2


@pytest.mark.parametrize("move", [(), (Undone(), Undone()), (Undone(), Banked()), (Resumed(), Banked())])
def test_what_is_no_move_is_refused(move: Move) -> None:
    with pytest.raises(InvalidMove):
        begin().play(*move)


def test_a_game_starts_only_once() -> None:
    record = begin()
    with pytest.raises(InvalidMove, match="only once"):
        record.play(record.started)


@pytest.mark.parametrize("moves", [[], [(Banked(),)]])
def test_a_replay_begins_with_the_start(moves: list[Move]) -> None:
    with pytest.raises(InvalidMove):
        replay(moves)


def test_an_unknown_game_or_a_newer_version_is_refused() -> None:
    players = (Player("Ann"), Player("Bob"))
    with pytest.raises(BadRules, match="choose one of farkle"):
        Record.begin(Started("chess", {}, ENGINE_VERSION, players))
    with pytest.raises(BadRules, match="newer version"):
        Record.begin(Started("farkle", {}, ENGINE_VERSION + 1, players))


dice = st.lists(st.integers(1, 6), max_size=12).map(tuple)
events = st.one_of(
    st.builds(Thrown, dice, st.sampled_from(["eye", "hand"])),
    st.builds(lambda values: Thrown(values, "eye", values[-1]), dice.filter(bool)),
    st.builds(Kept, dice, st.none() | st.booleans()),
    st.builds(Attempted, st.sampled_from(["straight", "triple"]), dice),
    st.just(Taken()),
    st.just(Banked()),
    st.builds(Corrected, st.integers(1, 999), dice),
    st.just(Undone()),
    st.just(Ended()),
    st.just(Resumed()),
    st.builds(
        Started,
        st.just("farkle"),
        st.dictionaries(st.text(max_size=5), st.integers() | st.booleans() | st.text(max_size=5), max_size=3),
        st.integers(1, 9),
        st.lists(st.builds(Player, st.text(max_size=9), st.none() | st.text(max_size=9)), max_size=3).map(tuple),
    ),
)


@settings(STEADY)
@given(events)
def test_an_event_is_the_same_after_json(event: Event) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@pytest.mark.parametrize(
    "table",
    [
        None,
        [],
        {},
        {"event": "rolled"},
        {"event": "thrown"},
        {"event": "thrown", "values": "123"},
        {"event": "thrown", "values": [1, 7]},
        {"event": "thrown", "values": [True]},
        {"event": "thrown", "values": [1], "source": "ear"},
        {"event": "kept", "dice": None},
        {"event": "corrected", "throw": "1", "values": [1]},
        {"event": "thrown", "values": [1, "4w", "3w"]},
        {"event": "thrown", "values": [1, "7w"]},
        {"event": "thrown", "values": [1, 2], "coloured": 3},
        {"event": "kept", "dice": [1], "with_coloured": "yes"},
        {"event": "attempted", "what": "flush", "dice": [1]},
        {"event": "started", "game": "farkle", "rules": "farkle", "version": 1, "players": []},
        {"event": "started", "game": 7, "rules": {}, "version": 1, "players": []},
        {"event": "started", "game": "farkle", "rules": {}, "version": 1, "players": ["Ann"]},
    ],
)
def test_what_is_no_event_is_refused_in_a_sentence(table: Any) -> None:
    with pytest.raises(InvalidMove, match=r"\.$"):
        from_json(table)


def test_the_coloured_die_may_be_written_with_a_w_among_the_others() -> None:
    assert from_json({"event": "thrown", "values": [6, "4w", 1]}) == Thrown((1, 4, 6), "hand", 4)
    assert from_json({"event": "kept", "dice": [1, "4w"]}) == Kept((1,), with_coloured=True)
    assert from_json({"event": "corrected", "throw": 1, "values": ["1w", 1]}) == Corrected(1, (1, 1), 1)


def test_an_event_of_an_older_journal_is_read_as_it_was_meant() -> None:
    assert from_json({"event": "thrown", "values": [1], "source": "eye"}) == Thrown((1,))
    assert from_json({"event": "kept", "dice": [1]}) == Kept((1,))


def test_a_game_that_older_rules_began_goes_on() -> None:
    rules = parse({"name": "old"}).to_json()
    del rules["dice"]["wild_colour"]
    record = Record.begin(Started("farkle", rules, 1, (Player("Ann"), Player("Bob"))))
    assert record.play(Thrown((1, 1, 2, 3, 4, 6))).board.turn is not None


def wild() -> Record:
    return begin(dice={"wild": "coloured_4"})


def test_a_correction_keeps_what_the_coloured_die_showed_when_it_is_still_there() -> None:
    record = play(wild(), Thrown((1, 1, 2, 3, 4, 6), coloured=4), Corrected(1, (1, 2, 2, 3, 4, 6)))
    assert record.board.turn is not None
    assert record.board.turn.coloured == 4
    record = record.play(Corrected(1, (1, 2, 2, 3, 5, 6), 5))
    assert record.board.turn is not None
    assert record.board.turn.coloured == 5
    with pytest.raises(InvalidMove, match="Which of these is the coloured die"):
        record.play(Corrected(1, (1, 2, 2, 3, 6, 6)))


def test_correcting_the_throw_that_an_attempt_was_declared_on_takes_it_back() -> None:
    record = begin(score={"straight": 1500}, turn={"straight_attempt": True})
    record = play(record, Thrown((1, 2, 3, 4, 6, 6)), Attempted("straight", (1, 2, 3, 4, 6)))
    record = record.play(Corrected(1, (1, 2, 3, 4, 4, 4)))
    assert record.board.turn is not None
    assert (record.board.turn.attempt, record.board.turn.dice_left) == (None, 6)
