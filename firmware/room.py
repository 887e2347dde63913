"""The room code, the seats at the table, and which phone holds each. They outlive a restart."""

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from firmware.journal import open_database
from speech.sentence import say
from web.records import Seat
from web.refusals import TrayBusy

# Letters and digits that cannot be taken for one another when the code is read aloud or typed.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 6
# For so long after the tray's button was held, one phone can be paired.
PAIRING_S = 60.0
SCHEMA = """
CREATE TABLE IF NOT EXISTS places (
    id    TEXT PRIMARY KEY,
    name  TEXT NOT NULL,
    mark  TEXT NOT NULL,
    phone TEXT,
    plays INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS places_of_phone ON places (phone);
"""
# Earlier trays knew one seat a phone, and paired seats.
MOVE_OVER = """
BEGIN IMMEDIATE;
INSERT OR IGNORE INTO marks SELECT 'paired-' || token, seats.name FROM seats JOIN marks ON marks.name = 'paired-' || id;
INSERT OR IGNORE INTO places SELECT id, name, '', token, 1 FROM seats ORDER BY seats.rowid;
DROP TABLE seats;
COMMIT;
"""
ALL = "SELECT id, name, mark, phone, plays FROM places"


class Room:
    """Fits `web.ports.Room`. May be called from any thread."""

    def __init__(self, path: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._now = now
        self._held_s: float | None = None
        self._database = open_database(path)
        self._database.executescript(SCHEMA)
        if self._read("SELECT 1 FROM sqlite_master WHERE name = 'seats'"):
            self._database.executescript(MOVE_OVER)
        self.code = self._code()

    def seats(self) -> tuple[Seat, ...]:
        return tuple(_seat(row) for row in self._read(f"{ALL} ORDER BY rowid"))

    def seats_of(self, phone: str) -> tuple[Seat, ...]:
        return tuple(_seat(row) for row in self._read(f"{ALL} WHERE phone = ? ORDER BY rowid", phone))

    def sit(self, name: str, mark: str, phone: str, plays: bool = True) -> Seat:
        seat = Seat(secrets.token_hex(4), name, mark, phone, plays)
        self._write("INSERT INTO places VALUES (?, ?, ?, ?, ?)", seat.id, name, mark, phone, int(plays))
        return seat

    def paint(self, seat: Seat, mark: str) -> Seat:
        self._write("UPDATE places SET mark = ? WHERE id = ?", mark, seat.id)
        return Seat(seat.id, seat.name, mark, seat.phone, seat.plays)

    def give(self, seat: Seat, phone: str | None) -> bool:
        return self._write("UPDATE places SET phone = ? WHERE id = ? AND phone IS ?", phone, seat.id, seat.phone) == 1

    def button_held(self) -> None:
        """Somebody stands at the tray: for a minute one phone can be paired."""
        self._held_s = self._now()

    def pair(self, phone: str) -> bool:
        mark = f"paired-{phone}"
        if self._read("SELECT value FROM marks WHERE name = ?", mark):
            return True
        with self._lock:
            held_s, self._held_s = self._held_s, None
        if held_s is None or self._now() - held_s > PAIRING_S:
            return False
        self._write("INSERT OR IGNORE INTO marks (name, value) VALUES (?, '')", mark)
        return True

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _code(self) -> str:
        rows = self._read("SELECT value FROM marks WHERE name = 'room-code'")
        if rows:
            return str(rows[0][0])
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        self._write("INSERT INTO marks (name, value) VALUES ('room-code', ?)", code)
        return code

    def _read(self, query: str, *values: str) -> list[tuple[object, ...]]:
        with self._lock:
            return self._database.execute(query, values).fetchall()

    def _write(self, query: str, *values: str | int | None) -> int:
        """How many rows were written."""
        with self._lock:
            try:
                return self._database.execute(query, values).rowcount
            except sqlite3.Error as error:
                raise TrayBusy(
                    say("The seat could not be written ({error}): check the disk, then join again.", error=str(error))
                ) from None


def _seat(row: tuple[object, ...]) -> Seat:
    id_, name, mark, phone, plays = row
    return Seat(str(id_), str(name), str(mark), None if phone is None else str(phone), bool(plays))
