"""The HTTP API under /api/v1: the state, joining, and the moves of a game."""

from flask import Blueprint, Response, jsonify, request

from speech.sentence import say
from web import asked, render
from web.phones import Phones, may_move
from web.ports import Command, LiveTable, Room, Seat, Stale, View
from web.problems import Problem

KEY_LENGTH = 200


def blueprint(table: LiveTable, room: Room, phones: Phones, texts: render.Texts) -> Blueprint:
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    def answer(view: View) -> Response:
        reply = Response(texts.of(view), mimetype="application/json")
        reply.set_etag(render.view_id(view))
        return reply

    def ask(command: Command, rev: int | None, key: str | None) -> Response:
        view = table.ask(command, rev=rev, key=key)
        phones.note_answered(key)
        return answer(view)

    @api.get("/state")
    def state() -> Response:
        phones.seat(request)
        reply = answer(table.view())
        reply.make_conditional(request)
        return reply

    @api.post("/join")
    def join() -> Response:
        found = asked.body(request)
        name = asked.name(found.get("name"))
        if not same_code(found.get("code"), room.code):
            raise Problem(403, say("That is not the code of this table; scan the one on its screen now."))
        token, seat = room.join(name)
        reply = jsonify(seat=seat.id, name=seat.name)
        phones.remember(reply, token, seat)
        return reply

    @api.post("/leave")
    def leave() -> Response:
        reply = Response(status=204)
        phones.forget(reply)
        return reply

    @api.get("/seats")
    def seats() -> Response:
        mine = phones.seat(request)
        return jsonify(
            mine=None if mine is None else mine.id, seats=[{"id": s.id, "name": s.name} for s in phones.present()]
        )

    @api.post("/games")
    def start() -> Response:
        found = asked.body(request)
        seat = phones.seated(request)
        game = table.view().game
        return ask(
            asked.new_game(found, phones.present(), game.rules if game else None), asked.rev(found), request_key(seat)
        )

    @api.post("/games/current/<kind>")
    def move(kind: str) -> Response:
        found = asked.body(request)
        seat = phones.seated(request)
        command = asked.command(kind, found)
        rev, key = asked.rev(found), request_key(seat)
        if not phones.was_answered(key):
            view = table.view()
            if rev is not None and rev != view.rev:
                raise Stale(view)
            may_move(view, seat, command)
        return ask(command, rev, key)

    return api


def same_code(given: object, code: str) -> bool:
    """People type codes in small letters and with spaces."""
    return isinstance(given, str) and given.strip().casefold() == code.casefold()


def request_key(seat: Seat) -> str | None:
    """Two phones never share a key, even when both count from one."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 1 <= len(key) <= KEY_LENGTH:
        raise Problem(422, f"An Idempotency-Key has 1 to {KEY_LENGTH} characters.")
    return f"{seat.id}:{key}"
