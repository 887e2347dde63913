"""Server-sent events: a snapshot, then every state, with ids to resume by, a cap, a beat and an end."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import uniform

from flask import Blueprint, Response, request

from web import render
from web.guard import is_loopback
from web.phones import Phones
from web.ports import LiveTable, Seat, View

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


def blueprint(table: LiveTable, phones: Phones, texts: render.Texts, streams: Streams, timing: Timing) -> Blueprint:
    pages = Blueprint("stream", __name__)

    @pages.get("/events")
    def events() -> Response:
        address = request.remote_addr or ""
        if not streams.enter(address):
            # Anything but 200 makes a browser give up for good; after this it comes back every 3 s.
            return _headed(Response(f"retry: 3000\n{_event('snapshot', table.view(), texts)}"))
        last = request.headers.get("Last-Event-ID") or request.args.get("last")
        reply = Response(_follow(table, texts, streams, timing, last, phones, phones.seat(request)))
        reply.call_on_close(lambda: streams.leave(address))
        return _headed(reply)

    return pages


def _headed(reply: Response) -> Response:
    reply.mimetype = "text/event-stream"
    reply.headers["Cache-Control"] = "no-cache, no-transform"
    reply.headers["X-Accel-Buffering"] = "no"
    return reply


def _follow(
    table: LiveTable,
    texts: render.Texts,
    streams: Streams,
    timing: Timing,
    last_id: str | None,
    phones: Phones,
    seat: Seat | None,
) -> Iterator[str]:
    # Listening begins before the first view is taken, so that nothing falls between the two.
    with table.listen() as listener:
        sent, first = _first(table, texts, last_id)
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
                yield _event("state", view, texts)
            if timing.now() >= beat_at:
                beat_at = timing.now() + timing.beat_s
                if seat is not None:
                    phones.saw(seat)
                yield _beat(sent)


def _first(table: LiveTable, texts: render.Texts, last_id: str | None) -> tuple[int, str]:
    """What a newcomer gets at once, and the seq it brings them to."""
    view = table.view()
    after = render.seq_after(last_id, view.epoch)
    missed = None if after is None or after > view.seq else table.since(after)
    if after is None or missed is None:
        return view.seq, _event("snapshot", view, texts)
    if not missed:
        return after, _beat(after)
    return missed[-1].seq, "".join(_event("state", old, texts) for old in missed)


def _event(kind: str, view: View, texts: render.Texts) -> str:
    return f"id: {render.view_id(view)}\nevent: {kind}\ndata: {texts.of(view)}\n\n"


def _beat(seq: int) -> str:
    """A comment for proxies, and an event for the page, whose script never sees comments."""
    return f": beat\nevent: beat\ndata: {seq}\n\n"
