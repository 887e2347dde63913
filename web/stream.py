"""Server-sent events: a snapshot, then every state, with ids to resume by, a cap, a beat and an end.

With `?board=` a page gets its scoreboard drawn instead: at first all of it, then the sections that have changed."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import uniform
from typing import Protocol

from flask import Blueprint, Response, request

from speech.catalogue import Catalogue
from speech.sentence import say
from web import render
from web.boards import KINDS, Boards
from web.guard import is_loopback
from web.language import language
from web.phones import Phones, phone_of
from web.ports import LiveTable
from web.problems import Problem
from web.view import View

PER_ADDRESS = 6


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. `beat_s`: between heartbeats. `late_s`: how soon what was not ready is looked for again. `wake_s`: how
    soon a stream notices that the program stops, or that its client has gone. `shortest_s`, `longest_s`: a stream's
    life, drawn anew for each so that not all come back at once."""

    beat_s: float = 10.0
    late_s: float = 0.15
    wake_s: float = 1.5
    shortest_s: float = 1200.0
    longest_s: float = 1800.0
    now: Callable[[], float] = time.monotonic


class Streams:
    """The streams that are open: how many, from which addresses; and the end of all of them."""

    def __init__(self, most: int, per_address: int = PER_ADDRESS) -> None:
        self.most = most
        self._per_address = per_address
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.stopping = threading.Event()

    def enter(self, address: str) -> bool:
        """Take a place for one more stream; False when there is none left, for all or for this address."""
        with self._lock:
            full = self._open.total() >= self.most
            greedy = not is_loopback(address) and self._open[address] >= self._per_address
            if full or greedy or self.stopping.is_set():
                return False
            self._open[address] += 1
            return True

    def leave(self, address: str) -> None:
        with self._lock:
            self._open[address] -= 1
            if self._open[address] <= 0:
                del self._open[address]

    def count(self) -> int:
        with self._lock:
            return self._open.total()

    def stop(self) -> None:
        self.stopping.set()


class Voice(Protocol):
    """What one stream tells."""

    def first(self, table: LiveTable) -> tuple[int, str]:
        """What a newcomer gets at once, empty for nothing new, and the seq it brings them to."""
        ...

    def next(self, view: View) -> str: ...

    def late(self) -> str | None:
        """What was not ready when the last view was told, once it is: None while it is not, empty when nothing is."""
        ...


class Plain:
    """The state as JSON, for programs. `last`: the id that the newcomer heard last."""

    def __init__(self, texts: render.Texts, last: str, spoken: Catalogue) -> None:
        self._texts = texts
        self._last = last
        self._language = spoken

    def first(self, table: LiveTable) -> tuple[int, str]:
        view = table.view()
        after = render.seq_after(self._last, view.epoch)
        missed = None if after is None or after > view.seq else table.since(after)
        if missed is None:
            return view.seq, self._told("snapshot", view)
        return (missed[-1] if missed else view).seq, "".join(map(self.next, missed))

    def next(self, view: View) -> str:
        return self._told("state", view)

    def late(self) -> str:
        return ""

    def _told(self, kind: str, view: View) -> str:
        return _event(kind, render.view_id(view), self._texts.of(view, self._language))


class Drawn:
    """The scoreboard of one kind of screen, for a page that shows the board with the id `last`."""

    def __init__(self, boards: Boards, kind: str, spoken: Catalogue, last: str) -> None:
        self._boards = boards
        self._kind = kind
        self._language = spoken
        self._shown = boards.drawn(last, kind, spoken)

    def first(self, table: LiveTable) -> tuple[int, str]:
        view = table.view()
        return view.seq, self.next(view)

    def next(self, view: View) -> str:
        now = self._boards.of(view, self._kind, self._language)
        before, self._shown = self._shown, now
        return "" if before is now else _event("board", now.id, self._boards.told(now, before))

    def late(self) -> str | None:
        known = self._shown
        if known is None or not known.owes:
            return ""
        return self.next(known.view) or None


def blueprint(
    table: LiveTable, phones: Phones, texts: render.Texts, boards: Boards, streams: Streams, timing: Timing
) -> Blueprint:
    pages = Blueprint("stream", __name__)

    @pages.get("/events")
    def events() -> Response:
        address = request.remote_addr or ""
        last = request.headers.get("Last-Event-ID") or request.args.get("last") or ""
        kind = request.args.get("board")
        spoken = language()
        voice: Voice = Plain(texts, last, spoken) if kind is None else Drawn(boards, known(kind), spoken, last)
        if not streams.enter(address):
            # Anything but 200 makes a browser give up for good; after this it comes back every 3 s.
            told = voice if kind else Plain(texts, "", spoken)
            seq, first = told.first(table)
            return _headed(Response(f"retry: 3000\n{first or _beat(seq)}"))
        # A page that only watches keeps no seat.
        seated = phone_of(request) if phones.seats(request) else None
        # Told by waitress; other servers notice at the next beat.
        gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
        reply = Response(_follow(table, voice, streams, timing, phones, seated, gone))
        reply.call_on_close(lambda: streams.leave(address))
        return _headed(reply)

    @pages.get("/board/<kind>")
    def board(kind: str) -> Response:
        """For pages that are told nothing: what has changed since the board with the id `last`; 204 for nothing."""
        phones.seat(request)
        now = boards.of(table.view(), known(kind), language())
        before = boards.drawn(request.args.get("last", ""), kind, language())
        if before is now:
            return Response(status=204)
        return Response(boards.told(now, before), mimetype="application/json")

    return pages


def known(kind: str) -> str:
    if kind not in KINDS:
        raise Problem(
            404, say("There is no board of the kind {kind}; there are {kinds}.", kind=kind, kinds=", ".join(KINDS))
        )
    return kind


def _headed(reply: Response) -> Response:
    reply.mimetype = "text/event-stream"
    reply.headers["Cache-Control"] = "no-cache, no-transform"
    reply.headers["X-Accel-Buffering"] = "no"
    return reply


def _follow(
    table: LiveTable,
    voice: Voice,
    streams: Streams,
    timing: Timing,
    phones: Phones,
    seated: str | None,
    gone: Callable[[], bool],
) -> Iterator[str]:
    # Listening begins before the first view is taken, so that nothing falls between the two.
    with table.listen() as listener:
        sent, first = voice.first(table)
        yield f"retry: 2000\n\n{first or _beat(sent)}"
        ends = timing.now() + uniform(timing.shortest_s, timing.longest_s)
        beat_at = timing.now() + timing.beat_s
        late: str | None = None
        while not streams.stopping.is_set() and not gone() and timing.now() < ends:
            wait_s = min(timing.late_s if late is None else timing.wake_s, beat_at - timing.now())
            try:
                view = listener.get(max(0.0, wait_s))
            except EOFError:
                return
            if view is not None and view.seq > sent:
                sent, late = view.seq, None
                yield voice.next(view)
            elif late is None and (late := voice.late()):
                yield late
            if timing.now() >= beat_at:
                beat_at = timing.now() + timing.beat_s
                if seated is not None:
                    phones.saw(seated)
                yield _beat(sent)


def _event(kind: str, at: str, data: str) -> str:
    return f"id: {at}\nevent: {kind}\ndata: {data}\n\n"


def _beat(seq: int) -> str:
    """A comment for proxies, and an event for the page, whose script never sees comments."""
    return f": beat\nevent: beat\ndata: {seq}\n\n"
