"""Who sits at the table: the room code and the phones' seats. They outlive a restart."""

import hashlib
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from firmware.journal import open_database
from speech.sentence import say
from web.ports import Seat, TrayBusy

# Letters and digits that cannot be taken for one another when the code is read aloud or typed.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 6
# For so long after the tray's button was held, one phone can be paired.
PAIRING_S = 60.0


class Room:
    """Fits `web.ports.Room`. May be called from any thread. Tokens are kept as hashes only.
    Raises `TrayBusy` when the disk takes no more."""

    def __init__(self, path: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._now = now
        self._held_s: float | None = None
        self._database = open_database(path)
        self.code = self._code()

    def join(self, name: str) -> tuple[str, Seat]:
        token, seat = secrets.token_urlsafe(24), Seat(secrets.token_hex(4), name)
        self._write("INSERT INTO seats (id, name, token) VALUES (?, ?, ?)", seat.id, seat.name, _hash(token))
        return token, seat

    def seat_of(self, token: str) -> Seat | None:
        rows = self._read("SELECT id, name FROM seats WHERE token = ?", _hash(token))
        return Seat(*rows[0]) if rows else None

    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(*row) for row in self._read("SELECT id, name FROM seats ORDER BY rowid"))

    def button_held(self) -> None:
        """Somebody stands at the tray: for a minute one phone can be paired."""
        self._held_s = self._now()

    def pair(self, seat: Seat) -> bool:
        mark = f"paired-{seat.id}"
        if self._read("SELECT value FROM marks WHERE name = ?", mark):
            return True
        with self._lock:
            held_s, self._held_s = self._held_s, None
        if held_s is None or self._now() - held_s > PAIRING_S:
            return False
        self._write("INSERT INTO marks (name, value) VALUES (?, ?)", mark, seat.name)
        return True

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _code(self) -> str:
        rows = self._read("SELECT value FROM marks WHERE name = 'room-code'")
        if rows:
            return rows[0][0]
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        self._write("INSERT INTO marks (name, value) VALUES ('room-code', ?)", code)
        return code

    def _read(self, query: str, *values: str) -> list[tuple[str, ...]]:
        with self._lock:
            return self._database.execute(query, values).fetchall()

    def _write(self, query: str, *values: str) -> None:
        with self._lock:
            try:
                self._database.execute(query, values)
            except sqlite3.Error as error:
                raise TrayBusy(
                    say("The seat could not be written ({error}): check the disk, then join again.", error=str(error))
                ) from None


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
