"""A throw looked at again: its pictures, who asks everybody to look, and what comes of it."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Reply

from rules.errors import RulesError
from speech.sentence import listed, say
from web import asked
from web.commands import Dispute, Stands
from web.history import correction, drawn_throw
from web.phones import Phones, may_move
from web.ports import LiveTable, Past, Pictures
from web.problems import Problem
from web.refusals import Stale, TrayBusy
from web.render import disputed as told_dispute
from web.render import state
from web.view import View

NAMES = ("drawn", "still", "film")


def blueprint(table: LiveTable, phones: Phones, past: Past | None, pictures: Pictures | None) -> Blueprint:
    web = Blueprint("throws", __name__)

    def kept(game: str, throw: int) -> tuple[str, ...]:
        found = pictures.pictures(game, throw) if pictures else {}
        return tuple(name for name in NAMES if name in found)

    def may_see(game: str, throw: int) -> bool:
        """Pictures are for those who sit at the table; a throw that everybody is asked to look at, for everybody."""
        return is_disputed(table.view(), game, throw) or phones.seat(request) is not None

    def look_again(throw: int, rev: int | None) -> View:
        seats, view = phones.seated(request), table.view()
        if view.game is not None and pictures is not None:
            # Before anybody is told: what people look at must still be there after a restart.
            pictures.keep(view.game.id, throw)
        names = kept(view.game.id, throw) if view.game else ()
        return table.ask(Dispute(throw, listed([seat.name for seat in seats]), names), rev=rev)

    def stands(throw: int, rev: int | None) -> View:
        phones.seated(request)
        return table.ask(Stands(throw), rev=rev)

    def corrected(throw: int, rev: int | None) -> View:
        seats, view = phones.seated(request), table.view()
        if rev is not None and rev != view.rev:
            raise Stale(view)
        command = correction(throw, request.form.get("values", ""))
        may_move(view, seats, command)
        return table.ask(command, rev=rev)

    def page(game: str, throw: int, wrong: str = "", status: int = 200) -> Response:
        game = _current(table) if game == "current" else game
        told = past.throw(game, throw) if past else None
        if told is None:
            raise Problem(404, say("There is no such throw in this game. Look at the list of games."))
        view = table.view()
        on_table = view.game is not None and view.game.id == game
        text = render_template(
            "throw.html",
            kind="past",
            game=game,
            player=told.player,
            throw=drawn_throw(told.threw),
            by_hand=told.threw.source == "hand",
            pictures=kept(game, throw) if may_see(game, throw) else (),
            seat=phones.seat(request),
            on_table=on_table,
            dispute=view.game.disputed if on_table and view.game else None,
            wild=view.game.board.wild_colour is not None if on_table and view.game else False,
            rev=view.rev,
            wrong=wrong,
        )
        return Response(text, status=status)

    @web.get("/history/<game>/throws/<throw>")
    def one(game: str, throw: str) -> Response:
        return page(game, _whole(throw))

    @web.get("/history/<game>/throws/<throw>/<name>.jpg")
    def picture(game: str, throw: str, name: str) -> Response:
        game, number = _current(table) if game == "current" else game, _whole(throw)
        if not may_see(game, number):
            raise Problem(403, say("Join the table first: scan the code on the tray's screen."))
        found = pictures.pictures(game, number).get(name) if pictures else None
        if found is None:
            raise Problem(404, say("There is no such picture of this throw: newer ones have taken its room."))
        return _jpeg(found)

    @web.post("/history/<game>/throws/<throw>/<deed>")
    def pressed(game: str, throw: str, deed: str) -> Reply:
        number = _whole(throw)
        deeds: dict[str, Callable[[int, int | None], View]] = {
            "dispute": look_again,
            "stands": stands,
            "correct": corrected,
        }
        if deed not in deeds:
            known = ", ".join(deeds)
            raise Problem(404, say("There is no {deed} for a throw; there are {deeds}.", deed=deed, deeds=known))
        try:
            if game != _current(table):
                raise Problem(409, say("This game is not on the table: take it up again first."))
            deeds[deed](number, request.form.get("rev", type=int))
        except (Problem, Stale, TrayBusy, RulesError) as refusal:
            return page(game, number, str(refusal), refusal.status if isinstance(refusal, Problem) else 409)
        return redirect(f"/history/{game}/throws/{number}", 303)

    @web.post("/api/v1/games/current/dispute")
    def dispute() -> Response:
        found = asked.body(request)
        return jsonify(state(look_again(_number(found), asked.rev(found))))

    @web.post("/api/v1/games/current/stands")
    def stand() -> Response:
        found = asked.body(request)
        return jsonify(state(stands(_number(found), asked.rev(found))))

    @web.get("/api/v1/games/current/doubts/<taken_ms>/<number>.jpg")
    def closeup(taken_ms: str, number: str) -> Response:
        phones.seated(request)
        found = pictures.closeup(_whole(taken_ms), _whole(number)) if pictures else None
        if found is None:
            raise Problem(404, say("Nothing is asked about there any more."))
        return _jpeg(found)

    @web.app_context_processor
    def seen() -> dict[str, Any]:
        """For every page: the throw that is looked at again."""
        game = table.view().game
        return {"looked_at": None if game is None else told_dispute(game)}

    return web


def is_disputed(view: View, game: str, throw: int) -> bool:
    now = view.game
    return now is not None and now.id == game and now.disputed is not None and now.disputed.throw == throw


def _current(table: LiveTable) -> str:
    game = table.view().game
    if game is None:
        raise Problem(404, say("No game is on the table. Look at the list of games."))
    return game.id


def _whole(text: str) -> int:
    """-1 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


def _number(found: asked.Json) -> int:
    number = found.get("throw")
    if type(number) is not int or number < 1:
        raise Problem(422, say('"throw" is the number of the throw in the game, from 1.'))
    return number


def _jpeg(jpeg: bytes) -> Response:
    """Another throw may have this number after an undo, so it is asked for again, and sent only when it is another."""
    reply = Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, no-cache"})
    reply.add_etag()
    reply.make_conditional(request)
    return reply
