"""Server-sent events: a snapshot, then every state, with ids to resume by, a cap, a beat and an end.

With `?board=` a page gets its scoreboard drawn instead: at first all of it, then the sections that have changed."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import uniform
from typing import Protocol

from flask import Blueprint, Response, request

from speech.catalogue import Catalogue
from speech.sentence import say
from web import render
from web.boards import KINDS, Board, Boards
from web.guard import is_loopback
from web.language import language
from web.phones import Phones
from web.ports import LiveTable, Seat, View
from web.problems import Problem

PER_ADDRESS = 6


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. `beat_s`: between heartbeats. `wake_s`: how soon a stream notices that the program stops.
    `shortest_s`, `longest_s`: a stream's life, drawn anew for each so that not all come back at once."""

    beat_s: float = 10.0
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
    """What one stream tells of the views."""

    def newcomer(self, view: View, missed: Sequence[View] | None) -> str:
        """The first event. `missed`: the views since the last one heard of, oldest first; None when nobody knows."""
        ...

    def next(self, view: View) -> str: ...


class Plain:
    """The state as JSON, for programs."""

    def __init__(self, texts: render.Texts) -> None:
        self._texts = texts

    def newcomer(self, view: View, missed: Sequence[View] | None) -> str:
        if missed is None:
            return _event("snapshot", view, self._texts.of(view))
        return "".join(map(self.next, missed))

    def next(self, view: View) -> str:
        return _event("state", view, self._texts.of(view))


class Drawn:
    """The scoreboard of one kind of screen, for a page."""

    def __init__(self, boards: Boards, kind: str, spoken: Catalogue) -> None:
        self._boards = boards
        self._kind = kind
        self._language = spoken
        self._shown: Board | None = None

    def newcomer(self, view: View, missed: Sequence[View] | None) -> str:
        if missed is None or missed:
            return self.next(view)
        self._shown = self._boards.of(view, self._kind, self._language)
        return ""

    def next(self, view: View) -> str:
        now = self._boards.of(view, self._kind, self._language)
        before, self._shown = self._shown, now
        return _event("board", view, self._boards.told(now, before))


def blueprint(
    table: LiveTable, phones: Phones, texts: render.Texts, boards: Boards, streams: Streams, timing: Timing
) -> Blueprint:
    pages = Blueprint("stream", __name__)

    @pages.get("/events")
    def events() -> Response:
        address = request.remote_addr or ""
        voice = _voice(request.args.get("board"), texts, boards)
        if not streams.enter(address):
            # Anything but 200 makes a browser give up for good; after this it comes back every 3 s.
            return _headed(Response(f"retry: 3000\n{voice.newcomer(table.view(), None)}"))
        last = request.headers.get("Last-Event-ID") or request.args.get("last")
        reply = Response(_follow(table, voice, streams, timing, last, phones, phones.seat(request)))
        reply.call_on_close(lambda: streams.leave(address))
        return _headed(reply)

    @pages.get("/board/<kind>")
    def board(kind: str) -> Response:
        """For pages that are told nothing: what has changed since the board with the id `last`; 204 for nothing."""
        phones.seat(request)
        view, last = table.view(), request.args.get("last", "")
        if last == render.view_id(view):
            return Response(status=204)
        now = boards.of(view, known(kind), language())
        before = view_at(table, last, view.epoch)
        return Response(
            boards.told(now, boards.of(before, kind, language()) if before else None), mimetype="application/json"
        )

    return pages


def view_at(table: LiveTable, last: str, epoch: str) -> View | None:
    """The view with this id, if it is still held."""
    seq = render.seq_after(last, epoch)
    found = None if seq is None else table.since(seq - 1)
    return found[0] if found and found[0].seq == seq else None


def known(kind: str) -> str:
    if kind not in KINDS:
        raise Problem(
            404, say("There is no board of the kind {kind}; there are {kinds}.", kind=kind, kinds=", ".join(KINDS))
        )
    return kind


def _voice(kind: str | None, texts: render.Texts, boards: Boards) -> Voice:
    return Plain(texts) if kind is None else Drawn(boards, known(kind), language())


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
    last_id: str | None,
    phones: Phones,
    seat: Seat | None,
) -> Iterator[str]:
    # Listening begins before the first view is taken, so that nothing falls between the two.
    with table.listen() as listener:
        sent, first = _first(table, voice, last_id)
        yield f"retry: 2000\n\n{first}"
        ends = timing.now() + uniform(timing.shortest_s, timing.longest_s)
        beat_at = timing.now() + timing.beat_s
        while not streams.stopping.is_set() and timing.now() < ends:
            try:
                view = listener.get(max(0.0, min(timing.wake_s, beat_at - timing.now())))
            except EOFError:
                return
            if view is not None and view.seq > sent:
                sent = view.seq
                yield voice.next(view)
            if timing.now() >= beat_at:
                beat_at = timing.now() + timing.beat_s
                if seat is not None:
                    phones.saw(seat)
                yield _beat(sent)


def _first(table: LiveTable, voice: Voice, last_id: str | None) -> tuple[int, str]:
    """What a newcomer gets at once, and the seq it brings them to."""
    view = table.view()
    after = render.seq_after(last_id, view.epoch)
    missed = None if after is None or after > view.seq else table.since(after)
    if missed:
        view = missed[-1]
    return view.seq, voice.newcomer(view, missed) or _beat(view.seq)


def _event(kind: str, view: View, data: str) -> str:
    return f"id: {render.view_id(view)}\nevent: {kind}\ndata: {data}\n\n"


def _beat(seq: int) -> str:
    """A comment for proxies, and an event for the page, whose script never sees comments."""
    return f": beat\nevent: beat\ndata: {seq}\n\n"
