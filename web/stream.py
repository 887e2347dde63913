"""All open streams, told by one thread: each event is made once for all who are told the same."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import uniform

from web.boards import Board
from web.guard import is_loopback
from web.held import Line, chunk
from web.ports import LiveTable
from web.view import View
from web.voices import RESEATED, Told, Voice, beat

log = logging.getLogger(__name__)
PER_ADDRESS = 6
# By view, voice and the board that is shown: what is told, and as it goes over a line.
Made = dict[tuple[int, Hashable, str], tuple[Told, bytes]]


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. `beat_s`: between heartbeats. `late_s`: how soon what was not ready is looked for again. `wake_s`: how
    soon that is noticed of a newcomer. `shortest_s`, `longest_s`: a stream's life, drawn anew for each so that not all
    come back at once."""

    beat_s: float = 10.0
    late_s: float = 0.05
    wake_s: float = 0.25
    shortest_s: float = 1200.0
    longest_s: float = 1800.0
    now: Callable[[], float] = time.monotonic


@dataclass(slots=True, eq=False)
class Stream:
    """`seated`: the phone it belongs to, if that holds a seat. `sent`: the seq of the last view it was told; None
    before the first. `shown`: the board its page shows."""

    line: Line
    address: str
    voice: Voice
    seated: str | None
    ends: float
    sent: int | None = None
    shown: Board | None = None


class Streams:
    """At most `most` of them. `saw`: told every beat which seated phones have a stream."""

    def __init__(
        self,
        most: int,
        table: LiveTable,
        saw: Callable[[str], None],
        timing: Timing,
        per_address: int = PER_ADDRESS,
    ) -> None:
        self.most = most
        self._table, self._saw, self._timing = table, saw, timing
        self._per_address = per_address
        self._streams: set[Stream] = set()
        self._beat_at = timing.now() + timing.beat_s
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._lock = threading.Lock()

    def enter(self, line: Line, address: str, voice: Voice, seated: str | None) -> Stream | None:
        """Take a place for one more stream; None when there is none left, for all or for this address."""
        with self._lock:
            places = Counter(stream.address for stream in self._living())
            greedy = not is_loopback(address) and places[address] >= self._per_address
            if places.total() >= self.most or greedy or self._stopping.is_set():
                return None
            timing = self._timing
            ends = timing.now() + uniform(timing.shortest_s, timing.longest_s)
            stream = Stream(line, address, voice, seated, ends)
            self._streams.add(stream)
            return stream

    def begin(self, stream: Stream, last: str) -> None:
        """Tell a newcomer who heard the event with the id `last` before, and from now on whatever comes."""
        with self._lock:
            if self._stopping.is_set():
                stream.line.end()
                return
            told = stream.voice.first(self._table, last)
            stream.sent, stream.shown = told.seq, told.shown
            stream.line.write(chunk(f"retry: 2000\n\n{told.text or beat(told.seq)}"))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="streams", daemon=True)
                self._thread.start()

    def reseat(self, phone: str) -> None:
        """Tell the pages of a phone that its seats are others now."""
        with self._lock:
            for stream, _ in self._begun():
                if stream.seated == phone:
                    stream.line.write(chunk(RESEATED))

    def count(self) -> int:
        return sum(stream.line.alive for stream in tuple(self._streams))

    def stop(self) -> None:
        """Take nobody in any more. Safe in a signal handler."""
        self._stopping.set()

    def end(self) -> None:
        """End all of them. Nothing is written afterwards."""
        self.stop()
        with self._lock:
            for stream, _ in self._begun():
                stream.line.end()

    def _living(self) -> set[Stream]:
        self._streams = {stream for stream in self._streams if stream.line.alive}
        return self._streams

    def _begun(self) -> list[tuple[Stream, int]]:
        """Those that have been told something, and the seq of the last."""
        return [(stream, stream.sent) for stream in self._living() if stream.sent is not None]

    def _run(self) -> None:
        try:
            while self._listen():
                pass
        except Exception:
            # Nobody is to wait for what does not come any more: pages come back by themselves, and are told anew.
            log.exception("Telling the streams failed; they are ended, and begun anew when the pages come back.")
            with self._lock:
                self._thread = None
                for stream, _ in self._begun():
                    stream.line.end()

    def _listen(self) -> bool:
        """Tell what the table tells. True to listen anew: the table's queue for this thread has overflowed."""
        heard = False
        with self._table.listen() as views:
            self._catch_up()
            while self._wanted():
                try:
                    view = views.get(self._wait_s())
                except EOFError:
                    if not heard:
                        # Closed from the beginning: the table has stopped.
                        self.end()
                    return heard
                heard = heard or view is not None
                self._tell((view,) if view else ())
                if self._timing.now() >= self._beat_at:
                    self._beat()
        return False

    def _wanted(self) -> bool:
        with self._lock:
            if self._living() and not self._stopping.is_set():
                return True
            self._thread = None
            return False

    def _wait_s(self) -> float:
        owing = any(stream.shown is not None and stream.shown.owes for stream in tuple(self._streams))
        wait_s = self._timing.late_s if owing else self._timing.wake_s
        return max(0.0, min(wait_s, self._beat_at - self._timing.now()))

    def _catch_up(self) -> None:
        """Tell what was told before listening began."""
        with self._lock:
            oldest = min((sent for _, sent in self._begun()), default=None)
        if oldest is not None:
            missed = self._table.since(oldest)
            self._tell((self._table.view(),) if missed is None else missed)

    def _tell(self, views: Sequence[View]) -> None:
        """Each view to those who lack it; without one, what was not ready when the last was told."""
        made: Made = {}
        with self._lock:
            for view in views:
                for stream, sent in self._begun():
                    if sent < view.seq:
                        _say(stream, view, made)
            for stream, _ in () if views else self._begun():
                if stream.shown is not None and stream.shown.owes:
                    _say(stream, stream.shown.view, made)

    def _beat(self) -> None:
        now = self._timing.now()
        self._beat_at = now + self._timing.beat_s
        with self._lock:
            for stream, sent in self._begun():
                stream.line.write(chunk(beat(sent)))
                if stream.seated is not None:
                    self._saw(stream.seated)
                if now >= stream.ends:
                    stream.line.end()


def _say(stream: Stream, view: View, made: Made) -> None:
    """`made`: what others were told before, so that nothing is made twice."""
    name = view.seq, stream.voice.name, stream.shown.id if stream.shown else ""
    if name not in made:
        told = stream.voice.next(view, stream.shown)
        made[name] = told, chunk(told.text) if told.text else b""
    told, data = made[name]
    stream.sent, stream.shown = told.seq, told.shown
    stream.line.write(data)
