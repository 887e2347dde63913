"""The pictures of throws: the last ones while there is room, and for good those that people doubted.

The eye sends the pictures of each rest by the moment they were taken; which of them is a throw of the game the table
says, before or after. A thread of its own brings both together and writes, so that neither eye nor table ever waits for
a disk.
"""

import logging
import threading
from collections import OrderedDict
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TypeVar

from firmware.link import Pictured
from firmware.rack import Rack

V = TypeVar("V")
log = logging.getLogger(__name__)

WRITE_S = 10.0
# Readings whose throw, and throws whose pictures, are not known yet. A question is about one of the last: while it is
# open dice may be nudged, and each rest is read.
_OPEN = 6


@dataclass(frozen=True, slots=True)
class ThrowKey:
    """A throw of the journal, by its game and the number of its move."""

    game: str
    move: int

    def __str__(self) -> str:
        return f"{self.game}-{self.move}"


@dataclass(frozen=True, slots=True)
class _Counted:
    taken_ms: int
    throw: ThrowKey


@dataclass(frozen=True, slots=True)
class _Keep:
    throw: ThrowKey
    done: "Future[bool]"


class _Stop:
    pass


class Album:
    """`recent`: the last throws, for as long as there is room; `kept`: those that were disputed or corrected."""

    def __init__(self, recent: Rack, kept: Rack) -> None:
        self._recent, self._kept = recent, kept
        self._inbox: SimpleQueue[Pictured | _Counted | _Keep | _Stop] = SimpleQueue()
        self._pictured: OrderedDict[int, Pictured] = OrderedDict()
        self._counted: OrderedDict[int, ThrowKey] = OrderedDict()
        self._closeups: OrderedDict[int, tuple[bytes, ...]] = OrderedDict()
        self._lock, self._disk = threading.Lock(), threading.Lock()
        self._thread = threading.Thread(target=self._run, name="album", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Write what has come, then end. May be called twice."""
        if self._thread.is_alive():
            self._inbox.put(_Stop())
            self._thread.join(timeout=WRITE_S)

    # From any thread; none of these waits.

    def pictured(self, pictures: Pictured) -> None:
        """The eye's pictures of a rest that it has told."""
        if any(pictures.closeups):
            with self._lock:
                _remember(self._closeups, pictures.taken_ms, pictures.closeups)
        if pictures.still:
            self._inbox.put(pictures)

    def counted(self, taken_ms: int, throw: ThrowKey) -> None:
        """What was read at this moment is this throw of the game."""
        self._inbox.put(_Counted(taken_ms, throw))

    def keep_soon(self, throw: ThrowKey) -> None:
        """Have the pictures of a throw kept for good, if there are any."""
        self._inbox.put(_Keep(throw, Future()))

    def closeup(self, taken_ms: int, number: int) -> bytes | None:
        """Of a doubt of one of the last readings; None when it is of none, or has no place."""
        with self._lock:
            closeups = self._closeups.get(taken_ms, ())
        return closeups[number] or None if 0 <= number < len(closeups) else None

    # From any thread; these wait for the disk.

    def keep(self, throw: ThrowKey) -> bool:
        """Have the pictures of a throw kept for good; whether they are. False as well when there are none."""
        done: Future[bool] = Future()
        self._inbox.put(_Keep(throw, done))
        try:
            return done.result(timeout=WRITE_S)
        except Late:
            return False

    def throws(self) -> frozenset[str]:
        """Of which there are pictures."""
        with self._disk:
            return frozenset((*self._recent.throws, *self._kept.throws))

    def pictures(self, throw: ThrowKey) -> dict[str, bytes]:
        """JPEGs by name: "still", "drawn", "film"; those that there are."""
        with self._disk:
            return self._kept.pictures(str(throw)) or self._recent.pictures(str(throw))

    # The thread.

    def _run(self) -> None:
        while True:
            match self._inbox.get():
                case Pictured(taken_ms=taken_ms) as pictures:
                    _remember(self._pictured, taken_ms, pictures)
                    self._join(taken_ms)
                case _Counted(taken_ms, throw):
                    _remember(self._counted, taken_ms, throw)
                    self._join(taken_ms)
                case _Keep(throw, done):
                    done.set_result(self._kept_now(str(throw)))
                case _Stop():
                    return

    def _join(self, taken_ms: int) -> None:
        """Write the pictures of a moment when both they and their throw are known."""
        if taken_ms not in self._pictured or taken_ms not in self._counted:
            return
        pictures, throw = self._pictured.pop(taken_ms), self._counted.pop(taken_ms)
        named = {"still": pictures.still, "drawn": pictures.drawn, "film": pictures.film}
        self._put(self._recent, str(throw), {name: jpeg for name, jpeg in named.items() if jpeg})

    def _kept_now(self, throw: str) -> bool:
        with self._disk:
            if throw in self._kept.throws:
                return True
            pictures = self._recent.pictures(throw)
        if not pictures or not self._put(self._kept, throw, pictures):
            return False
        with self._disk:
            self._recent.drop(throw)
        return True

    def _put(self, rack: Rack, throw: str, pictures: dict[str, bytes]) -> bool:
        """A full disk costs pictures, and nothing else."""
        try:
            with self._disk:
                rack.put(throw, pictures)
        except OSError as error:
            log.warning("the pictures of a throw are not kept: %s", error)
            return False
        return True


def _remember(held: OrderedDict[int, V], key: int, value: V) -> None:
    held[key] = value
    while len(held) > _OPEN:
        held.popitem(last=False)
