"""What each die of a set has rolled, and whether it is fair: a page, the same as JSON, and as CSV."""

import math
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from rules import die_words, fairness
from rules.die_words import FACE
from speech.sentence import say
from web import rows
from web.calibration import hex_of
from web.ports import DieBook
from web.problems import Problem
from web.records import DieRecord, SetRecord

Json = dict[str, Any]
COLUMNS = ("die", "dice", *FACE, "rolls", "chi_square", "p_value", "exact", "log10_bet", "limit", "named_at", "text")
# Of the drawing, in its own units.
HIGH, STEP = 110, 50
# A die that is no longer in the set is drawn in no colour of its own.
PALE, DARK = (225.0, 232.0, 236.0), (30.0, 30.0, 30.0)


def blueprint(book: DieBook | None) -> Blueprint:
    web = Blueprint("fairness", __name__)

    def called(slug: str) -> SetRecord:
        record = None if book is None else book.record(slug)
        if record is None:
            raise Problem(404, say("There is no dice set {name}. Go back to the scoreboard.", name=repr(slug)))
        return record

    @web.get("/sets/<slug>/dice")
    def page(slug: str) -> str:
        record = called(slug)
        dice = [state(die) | drawing(die) for die in record.dice]
        return render_template("fairness.html", kind="dice", set=record, dice=dice, bias=die_words.bias_text())

    @web.get("/sets/<slug>/dice.csv")
    def table(slug: str) -> Response:
        reply = Response(as_csv(called(slug)), mimetype="text/csv")
        reply.headers.set("Content-Disposition", "attachment", filename=f"{slug}-dice.csv")
        return reply

    @web.get("/api/v1/sets/<slug>/dice")
    def listed(slug: str) -> Response:
        record = called(slug)
        return jsonify(slug=record.slug, name=record.name, dice=[state(die) for die in record.dice])

    return web


def state(die: DieRecord) -> Json:
    """`log10_bet`: of what the bet against the die is worth, having begun with 1; `limit` names the die.
    `smallest_bias`: that would have shown by now, None as long as none would."""
    rolls = sum(die.counts)
    said = die_words.verdict(die.counts, die.bet, die.name, die.dice)
    return {
        "name": die.name,
        "dice": die.dice,
        "counts": list(die.counts),
        "rolls": rolls,
        "chi_square": fairness.chi_square(die.counts),
        "p_value": fairness.p_value(die.counts),
        "exact": fairness.is_exact(die.counts),
        "log10_bet": die.bet.log_capital / math.log(10),
        "limit": die.limit,
        "named_at": die.bet.named_at,
        "smallest_bias": fairness.smallest_bias(rolls),
        "finding": said.finding,
        "text": said.text,
    }


def drawing(die: DieRecord) -> Json:
    """What the page draws and says besides: `bars` as heights, `fair` as the height of a sixth of all rolls."""
    rolls = sum(die.counts)
    unit = HIGH / max(1, *die.counts, rolls / 6)
    look = die.look
    return {
        "title": die_words.title(die.name, die.dice),
        "bars": [round(count * unit, 1) for count in die.counts],
        "fair": round(rolls / 6 * unit, 1),
        "body": hex_of(look.body if look else PALE),
        "pip": hex_of(look.pip if look else DARK),
        "p": die_words.p_text(fairness.p_value(die.counts)),
        "bet": die_words.bet_text(die.bet),
        "smallest": die_words.smallest_text(rolls),
    }


def as_csv(record: SetRecord) -> str:
    """A line a die."""
    return rows.as_csv(COLUMNS, (_row(die) for die in record.dice))


def _row(die: DieRecord) -> list[object]:
    found = state(die)
    faces = dict(zip(FACE, die.counts, strict=True))
    row = found | faces | {"die": die.name, "exact": "yes" if found["exact"] else "no"}
    return [row[column] for column in COLUMNS]
