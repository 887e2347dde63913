"""`GET /events`: what the tray tells as it comes, for pages with `?board=` as a scoreboard that is drawn here; and the
same for pages that poll."""

from flask import Blueprint, Response, request

from speech.sentence import say
from web import render
from web.boards import KINDS, Boards
from web.held import LINE, Line
from web.language import language
from web.phones import Phones, phone_of
from web.ports import LiveTable
from web.problems import Problem
from web.stream import Streams
from web.voices import Drawn, Plain, Voice, beat


def blueprint(table: LiveTable, phones: Phones, texts: render.Texts, boards: Boards, streams: Streams) -> Blueprint:
    pages = Blueprint("events", __name__)

    @pages.get("/events")
    def events() -> Response:
        last = request.headers.get("Last-Event-ID") or request.args.get("last") or ""
        kind = request.args.get("board")
        voice: Voice = Plain(texts, language()) if kind is None else Drawn(boards, known(kind), language())
        # A page that only watches keeps no seat.
        seated = phone_of(request) if phones.seats(request) else None
        line: Line | None = request.environ.get(LINE)
        stream = streams.enter(line, request.remote_addr or "", voice, seated) if line else None
        if line is None or stream is None:
            # Anything but 200 makes a browser give up for good; after this it comes back every 3 s.
            told = voice.first(table, last if kind else "")
            return _headed(Response(f"retry: 3000\n{told.text or beat(told.seq)}"))
        line.hold(lambda: streams.begin(stream, last))
        # Not empty but without end: an empty answer would tell its length.
        return _headed(Response(iter(())))

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
