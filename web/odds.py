"""The odds of the present game: what each choice is worth, and who is how likely to win."""

from typing import Any

from flask import Blueprint, Response, jsonify

from rules.best_play.findings import Outlook, Play, Worth
from web.ports import LiveTable, Oddsmaker
from web.problems import Problem

Json = dict[str, Any]


def blueprint(table: LiveTable, oddsmaker: Oddsmaker | None) -> Blueprint:
    api = Blueprint("odds", __name__, url_prefix="/api/v1")

    @api.get("/odds")
    def odds() -> Response:
        if oddsmaker is None:
            raise Problem(404, "This tray works out no odds.")
        view = table.view()
        found = oddsmaker.outlook(view)
        reply = jsonify(rev=view.rev, seq=view.seq, odds=None if found is None else outlook(found))
        reply.headers["Cache-Control"] = "no-store"
        return reply

    return api


def outlook(found: Outlook) -> Json:
    return {
        "farkle": found.farkle,
        "plays": [_play(play) for play in found.plays],
        "players": [{"win": win} for win in found.wins],
        "exact": found.exact,
        "notes": list(found.notes),
    }


def _play(play: Play) -> Json:
    """`dice`: plain dice to set aside, as in the state's options; None before a throw."""
    return {
        "dice": None if play.option is None else list(play.option.dice),
        "score": None if play.option is None else play.option.score,
        "with_coloured": None if play.option is None else play.option.with_coloured,
        "then": play.then,
        "value": round(play.worth.points, 1),
        "win": play.worth.win,
        "bank": _worth(play.bank),
        "throw": _worth(play.throw),
    }


def _worth(worth: Worth | None) -> Json | None:
    return None if worth is None else {"value": round(worth.points, 1), "win": worth.win}
