"""A folder that holds pictures of throws, never more than so many bytes; the oldest go first."""

import errno
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from firmware.files import move, write_whole

# Bytes that are left to others on the disk: the journal needs some for each move.
RESERVE = 16 << 20
_UNDER_WAY = ".new"


def free_in(folder: Path) -> int:
    """Bytes. Raises `OSError`."""
    return shutil.disk_usage(folder).free


class Rack:
    """A folder for each throw in `folder`, in it its pictures as JPEGs. `most`: bytes in all. `lasting`: what was put
    survives a power cut. Owned by one thread at a time. What an earlier run has left is found again."""

    def __init__(self, folder: Path, most: int, lasting: bool = False, free: Callable[[Path], int] = free_in) -> None:
        self._folder, self._most, self._lasting, self._free = folder, most, lasting, free
        self._sizes: dict[str, int] = {}  # oldest first
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(folder / _UNDER_WAY, ignore_errors=True)
            for place in sorted(folder.iterdir(), key=lambda place: (place.stat().st_mtime_ns, place.name)):
                self._sizes[place.name] = sum(file.stat().st_size for file in place.iterdir())
        self._make_room(0)

    @property
    def size(self) -> int:
        """Bytes of all that is held."""
        return sum(self._sizes.values())

    @property
    def throws(self) -> tuple[str, ...]:
        """Oldest first."""
        return tuple(self._sizes)

    def put(self, throw: str, pictures: Mapping[str, bytes]) -> None:
        """All of them on disk when this returns, beside those that are left. Raises `OSError` when there is no room;
        then nothing of them is."""
        size = sum(map(len, pictures.values()))
        self._folder.mkdir(parents=True, exist_ok=True)
        if size <= self._most:
            self._make_room(size)
        if size > self._most or self._free(self._folder) < size + RESERVE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._folder))
        under_way = self._folder / _UNDER_WAY
        try:
            under_way.mkdir(exist_ok=True)
            write, settle = (write_whole, move) if self._lasting else (Path.write_bytes, Path.rename)
            for name, jpeg in pictures.items():
                write(under_way / f"{name}.jpg", jpeg)
            settle(under_way, self._folder / throw)
        except OSError:
            shutil.rmtree(under_way, ignore_errors=True)
            raise
        self._sizes[throw] = size

    def pictures(self, throw: str) -> dict[str, bytes]:
        """By their names; none when the throw is not held, or cannot be read."""
        with suppress(OSError):
            if throw in self._sizes:
                return {file.stem: file.read_bytes() for file in sorted((self._folder / throw).iterdir())}
        return {}

    def drop(self, throw: str) -> None:
        if self._sizes.pop(throw, None) is not None:
            shutil.rmtree(self._folder / throw, ignore_errors=True)

    def _make_room(self, size: int) -> None:
        """For so many bytes more."""
        while self._sizes and (self.size + size > self._most or self._short(size)):
            self.drop(next(iter(self._sizes)))

    def _short(self, size: int) -> bool:
        with suppress(OSError):
            return self._free(self._folder) < size + RESERVE
        return False
