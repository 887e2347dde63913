"""The pages about rules: all that can be played, the sheet of each, that of the present game, and changing options."""

from flask import Blueprint, render_template, request

from rules.choices import GROUPS
from rules.house import parse
from rules.sheet import sheet
from web.offers import offer, shown
from web.phones import Phones
from web.ports import LiveTable, Rulebook, RuleCard
from web.problems import Problem


def blueprint(table: LiveTable, rulebook: Rulebook, phones: Phones) -> Blueprint:
    pages = Blueprint("rules", __name__)

    def card_called(name: str) -> RuleCard:
        for card in rulebook.cards():
            if card.name == name:
                return card
        raise Problem(404, f"There is no rule sheet called {name!r}. Go back to the scoreboard.")

    @pages.get("/rules")
    def all_rules() -> str:
        return render_template("rulebook.html", kind="rules", cards=[offer(card) for card in rulebook.cards()])

    @pages.get("/rules/<name>")
    def rules(name: str) -> str:
        card = card_called(name)
        return render_template("rules.html", kind="rules", card=offer(card), chapters=sheet(card.options))

    @pages.get("/rules/<name>/change")
    def change(name: str) -> str:
        card = card_called(name)
        return render_template(
            "change.html",
            kind="change",
            card=offer(card),
            groups=GROUPS,
            values=shown(card.options),
            seat=phones.seat(request),
        )

    @pages.get("/sheet")
    def in_force() -> str:
        game = table.view().game
        if game is None:
            raise Problem(404, "No game is being played. Go back to the scoreboard and start one.")
        options = parse(game.rules)
        card = {"title": options.name, "description": f"The rules of the game that {_is(game.board.status)} played."}
        for known in rulebook.cards():
            if options.name in (known.name, known.title) and known.options == options:
                card = {"title": known.title, "description": known.description}
        return render_template("rules.html", kind="rules", card=card, chapters=sheet(options))

    return pages


def _is(status: str) -> str:
    return "was" if status == "over" else "is being"
