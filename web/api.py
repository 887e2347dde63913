"""The HTTP API under /api/v1: the state, and the moves of a game."""

from flask import Blueprint, Response, request

from web import asked, render
from web.commands import Command
from web.language import language
from web.phones import Phones, may_move
from web.ports import LiveTable
from web.problems import Problem
from web.records import Seat
from web.refusals import Stale
from web.view import View

KEY_LENGTH = 200


def blueprint(table: LiveTable, phones: Phones, texts: render.Texts) -> Blueprint:
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    def answer(view: View) -> Response:
        reply = Response(texts.of(view, language()), mimetype="application/json")
        reply.set_etag(render.text_id(view, language()))
        return reply

    def ask(command: Command, rev: int | None, key: str | None) -> Response:
        view = table.ask(command, rev=rev, key=key)
        phones.note_answered(key)
        return answer(view)

    @api.get("/state")
    def state() -> Response:
        phones.seats(request)
        reply = answer(table.view())
        reply.make_conditional(request)
        return reply

    @api.post("/games")
    def start() -> Response:
        found = asked.body(request)
        key = request_key(phones.seated(request)[0])
        game = table.view().game
        return ask(asked.new_game(found, phones.present(), game.rules if game else None), asked.rev(found), key)

    @api.post("/games/current/<kind>")
    def move(kind: str) -> Response:
        found = asked.body(request)
        seats = phones.seated(request)
        command = asked.command(kind, found)
        rev, key = asked.rev(found), request_key(seats[0])
        if not phones.was_answered(key):
            view = table.view()
            if rev is not None and rev != view.rev:
                raise Stale(view)
            may_move(view, seats, command)
        return ask(command, rev, key)

    return api


def request_key(seat: Seat) -> str | None:
    """Two phones never share a key, even when both count from one."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 1 <= len(key) <= KEY_LENGTH:
        raise Problem(422, f"An Idempotency-Key has 1 to {KEY_LENGTH} characters.")
    return f"{seat.phone}:{key}"
