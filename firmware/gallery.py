"""The pictures of throws as pages ask for them: by game and number of the throw, as the game stands now."""

import threading
from contextlib import suppress
from pathlib import Path

from firmware.album import Album, ThrowKey
from firmware.errors import BadState
from firmware.journal import Journal
from firmware.standing import throws_of


class Gallery:
    """Fits `web.ports.Pictures`; any thread may ask. `path`: of the journal."""

    def __init__(self, album: Album, path: Path) -> None:
        self._album = album
        self._journal = Journal(path)
        self._lock = threading.Lock()
        self._known: tuple[tuple[str, int], tuple[ThrowKey, ...]] = (("", 0), ())

    def throws(self, game: str) -> frozenset[int]:
        held = self._album.throws()
        return frozenset(number for number, key in enumerate(self._keys(game), 1) if str(key) in held)

    def pictures(self, game: str, throw: int) -> dict[str, bytes]:
        key = self._key(game, throw)
        return {} if key is None else self._album.pictures(key)

    def keep(self, game: str, throw: int) -> bool:
        key = self._key(game, throw)
        return key is not None and self._album.keep(key)

    def corrected(self, game: str, throw: int) -> None:
        """The tray had misread this throw: its pictures are kept. Does not wait for the disk."""
        key = self._key(game, throw)
        if key is not None:
            self._album.keep_soon(key)

    def closeup(self, taken_ms: int, number: int) -> bytes | None:
        return self._album.closeup(taken_ms, number)

    def close(self) -> None:
        with self._lock:
            self._journal.close()

    def _key(self, game: str, throw: int) -> ThrowKey | None:
        keys = self._keys(game)
        return keys[throw - 1] if 1 <= throw <= len(keys) else None

    def _keys(self, game: str) -> tuple[ThrowKey, ...]:
        """Of all throws of the game; none when there is no such game, or its journal cannot be read."""
        with self._lock, suppress(BadState):
            last = self._journal.last()
            now = (game, last[1] if last else 0)
            if self._known[0] != now:
                moves = self._journal.moves(game)
                keys = tuple(ThrowKey(game, throw.move) for throw in throws_of(moves)) if moves else ()
                self._known = (now, keys)
            return self._known[1]
        return ()
