"""The truth on disk: an append-only SQLite table of accepted moves. Scores are never stored."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.errors import BadState
from rules.codec import from_json, to_json
from rules.events import Event, Started
from speech.sentence import say

SCHEMA = """
CREATE TABLE IF NOT EXISTS moves (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    game   TEXT NOT NULL,
    at     TEXT NOT NULL,
    key    TEXT UNIQUE,
    events TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS moves_of_game ON moves (game, seq);
CREATE TABLE IF NOT EXISTS rolls (seq INTEGER PRIMARY KEY, dice_set TEXT NOT NULL, dice TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS rolls_of_set ON rolls (dice_set);
CREATE TABLE IF NOT EXISTS briefs (game TEXT PRIMARY KEY, moves INTEGER, program TEXT, brief TEXT);
CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value TEXT NOT NULL);
PRAGMA user_version = 1;
"""

# Of how the dice lay after the last move.
LAY = "dice-lay"


@dataclass(frozen=True, slots=True)
class Move:
    """One journal row: events that stand or fall together. `seq` counts all moves of all games, from 1."""

    seq: int
    game: str
    at: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """What the eye read of a throw, written beside its move: it says which die showed what, which no rule asks.
    `dice_set`: short name of the set of dice in use. `dice`: of each die its kind and its value."""

    dice_set: str
    dice: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class GameInfo:
    id: str
    started_at: str
    moves: int


def open_database(path: Path) -> sqlite3.Connection:
    """The state database, made when missing. WAL with synchronous FULL: a row that was acknowledged survives a
    power cut (with NORMAL the last rows may not). Raises `BadState`."""
    try:
        database = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise BadState(
            f"The journal {path} cannot be opened ({error}): check the folder, or use --state-dir."
        ) from None
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > 1:
            raise BadState(
                say(
                    "The journal {path} was written by a newer Stickman (format {version}): update Stickman.",
                    path=path,
                    version=version,
                )
            )
        database.executescript(SCHEMA)
    except sqlite3.Error as error:
        database.close()
        raise BadState(_sentence(path, error)) from None
    except BadState:
        database.close()
        raise
    return database


class Journal:
    """The moves of all games. One thread owns it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = open_database(path)

    def append(
        self,
        game: str,
        events: Sequence[Event],
        *,
        at: str,
        key: str | None = None,
        rolled: Rolled | None = None,
        lay: str | None = None,
    ) -> Move:
        """Write one move and return it once it is on disk, with the dice of its throw. `at`: wall time, ISO 8601.
        `lay`: how the dice lie that are accounted for after it, for the mark `LAY`. Raises `BadState` when it cannot be
        written; then nothing was."""
        text = json.dumps([to_json(event) for event in events], separators=(",", ":"))
        try:
            with self._all_or_nothing():
                row = self._database.execute(
                    "INSERT INTO moves (game, at, key, events) VALUES (?, ?, ?, ?)", (game, at, key, text)
                )
                seq = int(row.lastrowid or 0)
                if rolled is not None:
                    dice = json.dumps(rolled.dice, separators=(",", ":"))
                    self._database.execute("INSERT INTO rolls VALUES (?, ?, ?)", (seq, rolled.dice_set, dice))
                if lay is not None:
                    self._database.execute("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", (LAY, lay))
        except sqlite3.Error as error:
            raise BadState(_sentence(self.path, error)) from None
        return Move(seq, game, at, tuple(events))

    def has_key(self, key: str) -> bool:
        return self._row("SELECT 1 FROM moves WHERE key = ?", key) is not None

    def moves(self, game: str) -> tuple[Move, ...]:
        """All moves of a game, oldest first. Raises `BadState` for a damaged row."""
        rows = self._rows("SELECT seq, game, at, events FROM moves WHERE game = ? ORDER BY seq", game)
        return tuple(self._move(*row) for row in rows)

    def rolls(self, game: str) -> dict[int, Rolled]:
        """The throws of a game whose dice were read, by the number of their move; those taken back or corrected too.
        Raises `BadState` for a damaged row."""
        query = "SELECT seq, dice_set, dice FROM rolls JOIN moves USING (seq) WHERE game = ?"
        return {int(seq): self._rolled(seq, dice_set, text) for seq, dice_set, text in self._rows(query, game)}

    def games_with(self, dice_set: str) -> tuple[str, ...]:
        """The games in which dice of this set were read, oldest first."""
        query = "SELECT game FROM moves JOIN rolls USING (seq) WHERE dice_set = ? GROUP BY game ORDER BY MIN(seq)"
        return tuple(str(row[0]) for row in self._rows(query, dice_set))

    def forget_rolls(self, dice_set: str) -> None:
        """The moves stay; which die of this set showed what is no longer known."""
        try:
            self._database.execute("DELETE FROM rolls WHERE dice_set = ?", (dice_set,))
        except sqlite3.Error as error:
            raise BadState(_sentence(self.path, error)) from None

    def games(self) -> tuple[GameInfo, ...]:
        """Newest first."""
        rows = self._rows("SELECT game, MIN(at), COUNT(*) FROM moves GROUP BY game ORDER BY MIN(seq) DESC")
        return tuple(GameInfo(*row) for row in rows)

    def briefs(self, program: str) -> dict[str, tuple[int, str]]:
        """What was kept of games by this program: after how many moves, and the text."""
        rows = self._rows("SELECT game, moves, brief FROM briefs WHERE program = ?", program)
        return {str(game): (int(moves), str(text)) for game, moves, text in rows}

    def keep_briefs(self, program: str, briefs: Mapping[str, tuple[int, str]]) -> None:
        rows = [(game, moves, program, text) for game, (moves, text) in briefs.items()]
        try:
            with self._all_or_nothing():
                self._database.executemany("INSERT OR REPLACE INTO briefs VALUES (?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise BadState(_sentence(self.path, error)) from None

    def last(self) -> tuple[str, int] | None:
        """The game that was moved in last, and that move's `seq`."""
        row = self._row("SELECT game, seq FROM moves ORDER BY seq DESC LIMIT 1")
        return (str(row[0]), int(row[1])) if row else None

    def mark(self, name: str) -> str | None:
        """A small remembered fact that is no move, such as where footage stands."""
        row = self._row("SELECT value FROM marks WHERE name = ?", name)
        return str(row[0]) if row else None

    def set_mark(self, name: str, value: str) -> None:
        try:
            self._database.execute("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", (name, value))
        except sqlite3.Error as error:
            raise BadState(_sentence(self.path, error)) from None

    def close(self) -> None:
        self._database.close()

    def _move(self, seq: int, game: str, at: str, text: str) -> Move:
        try:
            events = tuple(from_json(item) for item in json.loads(text))
        except (ValueError, TypeError) as error:
            raise BadState(
                say(
                    "Move {number} in the journal {path} cannot be read ({error}).",
                    number=seq,
                    path=self.path,
                    error=str(error),
                )
            ) from None
        if not events:
            raise BadState(say("Move {number} in the journal {path} is empty.", number=seq, path=self.path))
        return Move(seq, game, at, events)

    def _rolled(self, seq: int, dice_set: str, text: str) -> Rolled:
        try:
            return Rolled(dice_set, tuple((str(kind), int(value)) for kind, value in json.loads(text)))
        except (ValueError, TypeError) as error:
            raise BadState(
                say(
                    "The dice of move {number} in the journal {path} cannot be read ({error}).",
                    number=seq,
                    path=self.path,
                    error=str(error),
                )
            ) from None

    @contextlib.contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        finally:
            # A full disk may have ended it already.
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")

    def _rows(self, query: str, *values: Any) -> list[Any]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise BadState(_sentence(self.path, error)) from None

    def _row(self, query: str, *values: Any) -> Any:
        rows = self._rows(query, *values)
        return rows[0] if rows else None


def started(moves: Sequence[Move]) -> Started:
    """The `Started` that a game's first move holds. Raises `BadState`."""
    first = moves[0].events[0] if moves else None
    if not isinstance(first, Started):
        raise BadState(say("A game in the journal has no beginning; restore the journal from a backup."))
    return first


def _sentence(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return say(
            "The disk with {path} is full: free some space, then repeat the move. Nothing was lost or counted.",
            path=path,
        )
    if "readonly" in text or "read-only" in text:
        return say("The journal {path} cannot be written: make the folder writable, or use --state-dir.", path=path)
    if "malformed" in text or "not a database" in text:
        return say("The journal {path} is damaged: restore a backup, or move the file away to start afresh.", path=path)
    if "locked" in text:
        return say("The journal {path} is in use by another Stickman: stop that one, or use --state-dir.", path=path)
    return say("The journal {path} cannot be used ({text}): check the disk, or use --state-dir.", path=path, text=text)
