"""The table: play, write, then tell. Real journal, real rules; the eye's messages are given by hand."""

import itertools
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import rulebook
from firmware.drivers import Press
from firmware.journal import Journal
from firmware.table import Table
from rules.errors import BadRules, IllegalMove
from vision.happening import Happening
from vision.seen import Doubt, SeenDie
from web import commands, refusals
from web.view import View


def table_on(path: Path) -> Table:
    names = itertools.count(1)
    return Table(
        Journal(path / "stickman.db"),
        rulebook.options_of,
        epoch="e",
        now=lambda: "2026-11-29T20:00:00.000+00:00",
        new_id=lambda: f"g{next(names)}",
        presets=lambda: ("farkle", "dice-10000"),
    )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = table_on(tmp_path)
    table.start()
    yield table
    close(table)


def close(table: Table) -> None:
    table.stop()
    table._journal.close()


def begin(table: Table) -> View:
    return table.ask(commands.NewGame("farkle", (commands.Newcomer("Ann"), commands.Newcomer("Bo"))))


def settled(*values: int, roll: int = 1) -> Happening:
    dice = tuple(SeenDie(value, 60.0 * k, 100.0, 50.0) for k, value in enumerate(values))
    return Happening("settled", 40, 2.0, roll=roll, dice=dice, thrown=dice)


def flushed(table: Table) -> View:
    """The view when everything put into the inbox so far has been taken."""
    with pytest.raises(refusals.Stale) as stale:
        table.ask(commands.Bank(), rev=-1)
    return stale.value.view


def throw_of(view: View) -> tuple[int, ...] | None:
    assert view.game is not None
    assert view.game.board.turn is not None
    return view.game.board.turn.throw


def test_what_is_told_is_on_disk(table: Table, tmp_path: Path) -> None:
    with table.listen() as views:
        begin(table)
        table.saw(settled(1, 1, 5, 2, 3, 4))
        while True:
            view = views.get(5)
            assert view is not None
            other = Journal(tmp_path / "stickman.db")
            last = other.last()
            other.close()
            assert last is not None
            assert last[1] >= view.rev
            if view.game and throw_of(view):
                break


def test_a_restart_is_the_replay_of_the_journal(tmp_path: Path) -> None:
    table = table_on(tmp_path)
    table.start()
    begin(table)
    table.saw(settled(1, 1, 5, 2, 3, 4))
    before = table.ask(commands.Keep((1, 1)))
    close(table)
    again = table_on(tmp_path)
    assert again.view().game == before.game
    assert again.view().rev == before.rev
    close(again)


def test_a_stale_command_is_refused_with_the_present_view(table: Table) -> None:
    view = begin(table)
    table.saw(settled(1, 1, 5, 2, 3, 4))
    with pytest.raises(refusals.Stale) as stale:
        table.ask(commands.Bank(), rev=view.rev)
    assert throw_of(stale.value.view) == (1, 1, 2, 3, 4, 5)


def test_a_double_tap_counts_once_even_across_a_restart(tmp_path: Path) -> None:
    table = table_on(tmp_path)
    table.start()
    begin(table)
    table.saw(settled(1, 1, 5, 2, 3, 4))
    first = table.ask(commands.Bank(), key="tap")
    assert table.ask(commands.Bank(), key="tap").rev == first.rev
    close(table)
    again = table_on(tmp_path)
    again.start()
    assert again.ask(commands.Bank(), key="tap").rev == first.rev
    close(again)


def test_two_phones_at_once_count_once(table: Table) -> None:
    begin(table)
    table.saw(settled(1, 1, 5, 2, 3, 4))
    rev = flushed(table).rev
    outcomes: list[str] = []

    def tap() -> None:
        try:
            table.ask(commands.Bank(), rev=rev)
            outcomes.append("banked")
        except refusals.Stale:
            outcomes.append("stale")

    phones = [threading.Thread(target=tap) for _ in range(8)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert sorted(outcomes) == ["banked"] + ["stale"] * 7


def test_a_refused_move_changes_nothing(table: Table) -> None:
    view = begin(table)
    with pytest.raises(IllegalMove):
        table.ask(commands.Bank())
    with pytest.raises(BadRules):
        table.ask(commands.NewGame("no such game", (commands.Newcomer("Ann"), commands.Newcomer("Bo"))))
    assert flushed(table) == view


def test_commands_without_a_game_say_to_start_one(table: Table) -> None:
    with pytest.raises(refusals.TrayBusy, match="start one first"):
        table.ask(commands.Bank())


def test_a_full_disk_keeps_the_throw_as_a_question_and_takes_it_later(table: Table) -> None:
    begin(table)
    database = table._journal._database
    fill(database)
    table.saw(settled(1, 1, 5, 2, 3, 4))
    view = flushed(table)
    assert "is full: free some space" in view.banners[0]
    assert throw_of(view) is None
    assert view.game is not None
    assert view.game.proposed == (1, 1, 2, 3, 4, 5)
    with pytest.raises(refusals.TrayBusy, match="is full"):
        table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    database.execute("PRAGMA max_page_count = 1000000")
    view = table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    assert throw_of(view) == (1, 1, 2, 3, 4, 5)
    assert view.banners == ()


def fill(database: sqlite3.Connection) -> None:
    """Let SQLite find its disk full, as it would on a full card."""
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    filler = "INSERT INTO moves (game, at, events) VALUES ('another', '', '[]')"
    with pytest.raises(sqlite3.OperationalError, match="full"):
        list(iter(lambda: database.execute(filler), None))


def test_an_unsure_throw_is_asked_about_and_a_phone_answers_it(table: Table) -> None:
    begin(table)
    doubt = Doubt("cocked", 10, 20, "One die is leaning: nudge it, or tap its value.")
    dice = tuple(SeenDie(value, 60.0, 100.0, 50.0) for value in (1, 1, 5, 2, 3))
    table.saw(Happening("unsure", 40, 2.0, roll=1, dice=dice, thrown=dice, doubts=(doubt,)))
    view = flushed(table)
    assert view.game is not None
    assert view.game.doubts == (doubt,)
    assert view.panel.word == "your call" or view.panel.pulse
    view = table.ask(commands.EnterThrow((1, 1, 5, 2, 3, 6)))
    assert throw_of(view) == (1, 1, 2, 3, 5, 6)
    assert view.game is not None
    assert view.game.doubts == ()


def test_an_unsure_throw_that_is_read_after_a_nudge_counts_once(table: Table) -> None:
    begin(table)
    doubt = Doubt("cocked", 10, 20, "One die is leaning.")
    table.saw(Happening("unsure", 40, 2.0, roll=1, doubts=(doubt,)))
    table.saw(settled(1, 1, 5, 2, 3, 4))
    view = flushed(table)
    assert throw_of(view) == (1, 1, 2, 3, 4, 5)
    assert view.game is not None
    assert view.game.board.throws == 1


def test_a_nudge_after_the_answer_does_not_count_the_throw_again(table: Table) -> None:
    begin(table)
    table.saw(Happening("unsure", 40, 2.0, roll=1, doubts=(Doubt("cocked", 10, 20, "One die is leaning."),)))
    flushed(table)
    table.ask(commands.EnterThrow((2, 2, 3, 3, 4, 6)))
    table.saw(settled(2, 2, 3, 3, 4, 6))
    view = flushed(table)
    assert view.game is not None
    assert view.game.board.throws == 1
    table.saw(settled(2, 2, 3, 3, 4, 6, roll=2))
    view = flushed(table)
    assert view.game is not None
    assert view.game.board.throws == 2


def test_the_first_throw_of_a_new_eye_counts_although_its_number_was_there_before(table: Table) -> None:
    begin(table)
    table.saw(settled(2, 2, 3, 3, 4, 6))
    table.eye_lost()
    table.saw(Happening("empty", 1, 9.0))
    table.saw(settled(2, 3, 3, 4, 4, 6))
    view = flushed(table)
    assert view.game is not None
    assert view.game.board.throws == 2


def test_a_throw_that_was_never_answered_is_said_to_be_lost(table: Table) -> None:
    begin(table)
    table.saw(Happening("unsure", 40, 2.0, roll=1, doubts=(Doubt("cocked", 10, 20, "One die is leaning."),)))
    table.saw(settled(1, 1, 2, 3, 4, 6, roll=2))
    view = flushed(table)
    assert view.game is not None
    assert view.game.board.throws == 1
    assert "never answered" in view.game.notes[0]


def test_a_lost_camera_is_said_and_a_throw_can_be_entered(table: Table) -> None:
    begin(table)
    table.eye_lost()
    view = table.ask(commands.EnterThrow((1, 1, 5, 2, 3, 6)))
    assert view.eye.state == "camera-lost"
    assert throw_of(view) == (1, 1, 2, 3, 5, 6)


def test_a_slow_listener_is_closed_and_stops_nobody(table: Table) -> None:
    begin(table)
    with table.listen() as slow:
        for number in range(200):
            table.eye_size(100 + number, 100)
        flushed(table)
        with pytest.raises(EOFError):
            list(iter(lambda: slow.get(0.01), None))
    assert throw_of(table.ask(commands.EnterThrow((1, 1, 5, 2, 3, 6)))) == (1, 1, 2, 3, 5, 6)


def test_a_listener_that_returns_gets_what_it_missed(table: Table) -> None:
    seq = begin(table).seq
    table.saw(settled(1, 1, 5, 2, 3, 4))
    view = flushed(table)
    missed = table.since(seq)
    assert missed is not None
    assert [view.seq for view in missed] == list(range(seq + 1, view.seq + 1))
    assert table.since(view.seq) == ()
    assert table.since(view.seq + 1) is None


def test_the_buttons_bank_undo_and_choose_the_next_rules(table: Table) -> None:
    table.pressed(Press("mode"))
    assert flushed(table).offered == "dice-10000"
    begin(table)
    table.saw(settled(1, 1, 1, 2, 3, 4))
    table.pressed(Press("bank"))
    view = flushed(table)
    assert view.game is not None
    assert view.game.board.players[0].score == 1000
    table.pressed(Press("undo"))
    view = flushed(table)
    assert view.game is not None
    assert view.game.board.players[0].score == 0
    table.pressed(Press("undo"))
    table.pressed(Press("bank"))
    view = flushed(table)
    assert view.game is not None
    assert view.game.notes == ("Throw first: there is nothing to bank yet.",)


def test_a_stopped_table_answers_with_a_sentence(tmp_path: Path) -> None:
    table = table_on(tmp_path)
    table.start()
    close(table)
    started_s = time.monotonic()
    with pytest.raises(refusals.TrayBusy, match="shutting down"):
        table.ask(commands.Bank())
    assert time.monotonic() - started_s < 5


def test_trouble_with_the_panel_is_a_banner_until_it_is_over(table: Table) -> None:
    table.panel_is("mock", ("The BANK button is stuck.",))
    assert flushed(table).banners == ("The BANK button is stuck.",)
    table.panel_is("mock", ())
    assert flushed(table).banners == ()
    assert flushed(table).panel.factory == "mock"
