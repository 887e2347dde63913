"""The journal keeps what was acknowledged, and says in a sentence when it cannot."""

import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.errors import BadState
from firmware.journal import Journal, started
from firmware.room import Room
from rules.events import Banked, Kept, Player, Started, Thrown, Undone
from rules.options import Options

BEGUN = Started("farkle", Options().to_json(), 1, (Player("Ann", "seat-1"), Player("Bo")))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "stickman.db")
    yield journal
    journal.close()


def test_moves_come_back_as_they_went_in(journal: Journal) -> None:
    moves = [(BEGUN,), (Thrown((1, 1, 2, 3, 4, 5)),), (Kept((1, 1)), Thrown((2, 3, 4, 6), "hand")), (Undone(),)]
    for move in moves:
        journal.append("g1", move, at="2026-11-29T20:00:00+00:00")
    assert [move.events for move in journal.moves("g1")] == moves
    assert journal.last() == ("g1", 4)
    assert started(journal.moves("g1")) == BEGUN


def test_numbers_are_never_given_twice_even_across_games_and_restarts(tmp_path: Path) -> None:
    numbers = []
    for game in ("g1", "g2", "g3"):
        journal = Journal(tmp_path / "stickman.db")
        numbers += [journal.append(game, (Banked(),), at="").seq for _ in range(3)]
        journal.close()
    assert numbers == list(range(1, 10))


def test_a_key_is_written_once(journal: Journal) -> None:
    journal.append("g1", (BEGUN,), at="", key="tap")
    assert journal.has_key("tap")
    assert not journal.has_key("other")
    with pytest.raises(BadState):
        journal.append("g1", (Banked(),), at="", key="tap")
    assert len(journal.moves("g1")) == 1


def test_a_full_disk_is_said_and_loses_nothing(journal: Journal) -> None:
    journal.append("g1", (BEGUN,), at="")
    database = journal._database
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    append = partial(journal.append, "g1", (Thrown((1,) * 6),), at="")
    with pytest.raises(BadState, match=r"disk with .* is full: free some space"):
        list(iter(append, None))
    kept = journal.moves("g1")
    database.execute("PRAGMA max_page_count = 1000000")
    assert journal.append("g1", (Banked(),), at="").seq == kept[-1].seq + 1
    assert journal.moves("g1")[:-1] == kept


@pytest.mark.parametrize("content", [b"", b"this is no database at all" * 200])
def test_a_foreign_file_is_a_sentence_or_a_new_journal(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "stickman.db"
    path.write_bytes(content)
    if content:
        with pytest.raises(BadState, match="is damaged: restore a backup"):
            Journal(path)
    else:
        Journal(path).close()


def test_a_journal_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "stickman.db"
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(BadState, match="newer Stickman"):
        Journal(path)


def test_what_was_acknowledged_survives_kill_nine(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import sys
        from pathlib import Path
        from firmware.journal import Journal
        from rules.events import Thrown
        journal = Journal(Path(sys.argv[1]))
        while True:
            print(journal.append("g", (Thrown((1, 2, 3, 4, 5, 6)),), at="").seq, flush=True)
    """)
    path = tmp_path / "stickman.db"
    writer = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    acknowledged = 0
    for line in writer.stdout:
        acknowledged = int(line)
        if acknowledged >= 25:
            break
    writer.kill()
    acknowledged = max([acknowledged, *(int(line) for line in writer.stdout if line.endswith("\n"))])
    writer.wait()
    writer.stdout.close()
    journal = Journal(path)
    assert len(journal.moves("g")) >= acknowledged
    journal.close()


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=6).map(lambda v: Thrown(tuple(sorted(v)))), max_size=5)
)
def test_any_moves_round_trip(tmp_path_factory: pytest.TempPathFactory, throws: list[Thrown]) -> None:
    journal = Journal(tmp_path_factory.mktemp("journal") / "stickman.db")
    for throw in throws:
        journal.append("g", (throw,), at="")
    assert [move.events[0] for move in journal.moves("g")] == throws
    journal.close()


def test_seats_and_the_room_code_outlive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "stickman.db"
    room = Room(path)
    code, seat = room.code, room.sit("Ann", "blue", "phone")
    room.close()
    again = Room(path)
    assert again.code == code
    assert again.seats_of("phone") == (seat,)
    assert again.seats_of("guess") == ()
    again.close()
