"""The games that were played here: their list, each throw by throw, exports, and taking one up again. Plain forms, no
script; the same as an API."""

import json
import re
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as Reply

from rules.errors import RulesError
from rules.retelling import Threw, ToldTurn
from speech.sentence import Sentence, say
from web import asked, retold
from web.commands import Command, Correct, Redo, Resume, Undo
from web.graph import Graph, graph, leads_text
from web.phones import Phones, may_move
from web.ports import LiveTable, Past, Pictures, Rulebook
from web.problems import Problem
from web.records import GameCard, Story
from web.refusals import Stale, TrayBusy
from web.said import number

Json = dict[str, Any]
DEEDS = ("resume", "archive", "restore")
# Of a die in the list of throws, in pixels.
DIE_WIDTH = 31
GAMES_A_PAGE = 30
# With two or three throws a turn, some 60 kB.
TURNS_A_PAGE = 60
DICE = re.compile(r"[1-6][wW]?")


def blueprint(
    table: LiveTable, phones: Phones, rulebook: Rulebook, past: Past | None, pictures: Pictures | None = None
) -> Blueprint:
    web = Blueprint("history", __name__)

    def there() -> Past:
        if past is None:
            raise Problem(404, say("This tray keeps no games."))
        return past

    def called(game: str) -> Story:
        if game == "current":
            game = _current(table)
        found = there().story(game)
        if found is None:
            raise Problem(404, say("There is no game {name}. Look at the list of games.", name=repr(game)))
        return found

    def titles() -> dict[str, str]:
        return {rules.name: rules.title for rules in rulebook.cards()}

    def done(game: str, deed: str, rev: int | None) -> None:
        """Whoever sits at the table may do these: each can be taken back."""
        phones.seated(request)
        if deed not in DEEDS:
            raise Problem(404, f"There is no {deed!r} for a game; there are {', '.join(DEEDS)}.")
        card = called(game).card
        match deed:
            case "resume":
                table.ask(Resume(card.id), rev=rev)
            case "archive":
                there().archive(card.id)
            case "restore":
                there().archive(card.id, False)

    def moved(game: str, deed: str) -> None:
        """A move that the page of the present game offers."""
        seats, view = phones.seated(request), table.view()
        if view.game is None or view.game.id != game:
            raise Problem(409, say("This game is not on the table: take it up again first."))
        rev = request.form.get("rev", type=int)
        if rev is not None and rev != view.rev:
            raise Stale(view)
        command = _command(deed, request.form)
        may_move(view, seats, command)
        table.ask(command, rev=rev)

    def page() -> Response:
        archive = "archive" in request.args
        cards = there().games()
        games = [card for card in cards if card.archived == archive]
        pages = max(1, -(-len(games) // GAMES_A_PAGE))
        shown = min(max(request.args.get("page", 1, type=int), 1), pages)
        text = render_template(
            "history.html",
            kind="past",
            games=[_listed(card, titles()) for card in games[(shown - 1) * GAMES_A_PAGE : shown * GAMES_A_PAGE]],
            archive=archive,
            others=len(cards) - len(games),
            pages=pages,
            shown=shown,
            tallies=[retold.tally(each) for each in there().tallies()],
            **_seen(),
        )
        return Response(text, status=200)

    def story(game: str, wrong: str = "", status: int = 200) -> Response:
        found = called(game)
        drawn = _graph(found)
        correcting = request.args.get("correct", type=int)
        pages = _pages(found)
        shown = _page_shown(pages, correcting, request.args.get("page", type=int), found.card.current)
        text = render_template(
            "game.html",
            kind="past",
            game=_listed(found.card, titles()),
            story=found,
            turns=[_told(turn) for turn in pages[shown]],
            pages=[(turns[0].number, turns[-1].number) for turns in pages if turns],
            shown=shown,
            graph=drawn,
            leads=leads_text(drawn) if drawn else "",
            lucks=retold.lucks(found),
            left=found.reckoning.left if found.reckoning else 0,
            decided=retold.decided(found),
            correcting=correcting,
            pictured=pictures.throws(found.card.id) if pictures else frozenset(),
            wrong=wrong,
            **_seen(),
        )
        return Response(text, status=status)

    def _seen() -> Json:
        view = table.view()
        return {
            "seat": phones.seat(request),
            "rev": view.rev,
            "live": view.game,
            "now": retold.clock(),
            "number": number,
        }

    @web.get("/history")
    def all_games() -> Response:
        return page()

    @web.get("/history/<game>")
    def one(game: str) -> Response:
        return story(game)

    @web.get("/history/<game>/graph")
    def course(game: str) -> Response:
        """For scoreboards, which put it in place; nothing while nobody has thrown."""
        drawn = _graph(called(game))
        return Response(render_template("graph.html", graph=drawn) if drawn else "")

    @web.get("/history/<game>.json")
    def folded(game: str) -> Response:
        found = called(game)
        lines = ",\n".join(json.dumps(move) for move in retold.moves(found))
        return _file(f"[\n{lines}\n]\n", "application/json", f"{found.card.id}.json")

    @web.get("/history/<game>.csv")
    def table_of(game: str) -> Response:
        found = called(game)
        return _file(retold.as_csv(found), "text/csv", f"{found.card.id}.csv")

    @web.post("/history/<game>/<deed>")
    def pressed(game: str, deed: str) -> Reply:
        try:
            if deed in DEEDS:
                done(game, deed, request.form.get("rev", type=int))
            else:
                moved(game, deed)
        except (Problem, Stale, TrayBusy, RulesError) as refusal:
            status = refusal.status if isinstance(refusal, Problem) else 409
            return story(game, str(refusal), status)
        if deed == "resume":
            return redirect("/", 303)
        return redirect("/history" if deed in DEEDS else f"/history/{game}", 303)

    @web.get("/api/v1/history")
    def listed() -> Response:
        return jsonify(
            games=[retold.card(card) for card in there().games()],
            players=[retold.tally(each) for each in there().tallies()],
        )

    @web.get("/api/v1/history/<game>")
    def told(game: str) -> Response:
        return jsonify(retold.story(called(game)))

    @web.post("/api/v1/history/<game>/<deed>")
    def do(game: str, deed: str) -> Response:
        found = asked.body(request)
        done(game, deed, asked.rev(found))
        return jsonify(retold.card(called(game).card))

    return web


def _current(table: LiveTable) -> str:
    game = table.view().game
    if game is None:
        raise Problem(404, say("No game is on the table. Look at the list of games."))
    return game.id


def _command(deed: str, form: MultiDict[str, str]) -> Command:
    match deed:
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case "correct":
            return correction(form.get("throw", type=int), form.get("values", ""))
    raise Problem(404, f"There is no {deed!r} for a game; there are {', '.join((*DEEDS, 'undo', 'redo', 'correct'))}.")


def correction(throw: int | None, text: str) -> Correct:
    """`text`: dice as people type them, "1 1 5" or "1-1-5" or "115"; the coloured one as "5w"."""
    dice = DICE.findall(text)
    if throw is None or not dice or re.sub(r"[\s,;-]", "", text) != "".join(dice):
        raise Problem(422, say("Write each die as a number from 1 to 6, as in 1 1 5 2 3 4."))
    coloured = [int(die[0]) for die in dice if len(die) > 1]
    if len(coloured) > 1:
        raise Problem(422, say("There is only one coloured die."))
    return Correct(throw, tuple(sorted(int(die[0]) for die in dice)), coloured[0] if coloured else None)


def _listed(card: GameCard, titles: dict[str, str]) -> Json:
    return retold.card(card) | {
        "title": titles.get(card.rules, card.rules) or say("A game that cannot be read"),
        "when": retold.when(card.began),
        "result": retold.result(card),
        "names": ", ".join(card.players),
        "marks": card.marks,
    }


def _pages(found: Story) -> list[tuple[ToldTurn, ...]]:
    """One at least, empty when nobody has thrown."""
    turns = found.turns
    return [turns[at : at + TURNS_A_PAGE] for at in range(0, max(1, len(turns)), TURNS_A_PAGE)]


def _page_shown(pages: list[tuple[ToldTurn, ...]], throw: int | None, page: int | None, current: bool) -> int:
    """The page of the throw that is being corrected, or the one asked for, from 1. A game on the table begins with its
    last."""
    for at, turns in enumerate(pages):
        if any(each.number == throw for turn in turns for each in turn.throws):
            return at
    last = len(pages) - 1
    return last if page is None and current else min(max((page or 1) - 1, 0), last)


def _told(turn: ToldTurn) -> Json:
    throws = [drawn_throw(throw) for throw in turn.throws]
    return {
        "turn": turn,
        "throws": throws,
        "signed": retold.signed(turn.points) if turn.ending else "",
        "ending": retold.ending(turn),
    }


def drawn_throw(throw: Threw) -> Json:
    """`kept`, `rest`: of each die its value and whether it is the coloured one, in the order in which they are drawn.
    `written`: all of them as a correction is written."""
    aside, coloured = list(throw.kept), throw.coloured
    kept, rest = [], []
    for value in throw.values:
        wild = value == coloured
        coloured = None if wild else coloured
        if value in aside:
            aside.remove(value)
            kept.append((value, wild))
        else:
            rest.append((value, wild))
    return {
        "number": throw.number,
        "kept": kept,
        "rest": rest,
        "width": DIE_WIDTH * len(throw.values),
        "written": _written(sorted(kept + rest)),
        "label": _label(throw.number, _written(sorted(kept + rest)), _written(kept)),
        "points": retold.signed(throw.points) if kept else "",
    }


def _label(number: int, dice: str, kept: str) -> Sentence:
    if kept:
        return say("Throw {number}: {dice}; set aside {kept}", number=number, dice=dice, kept=kept)
    return say("Throw {number}: {dice}; nothing set aside", number=number, dice=dice)


def _written(dice: Sequence[tuple[int, bool]]) -> str:
    return " ".join(f"{value}w" if wild else str(value) for value, wild in dice)


def _graph(found: Story) -> Graph | None:
    turns = [turn for turn in found.turns if turn.scores]
    if found.board is None or not turns:
        return None
    return graph(found.board, turns, retold.turn_of(found))


def _file(text: str, kind: str, name: str) -> Response:
    reply = Response(text, mimetype=kind)
    reply.headers.set("Content-Disposition", "attachment", filename=name)
    return reply
