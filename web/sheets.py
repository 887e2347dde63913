"""The pages about rules: all that can be played, the sheet of each, that of the present game, and changing options."""

from flask import Blueprint, render_template, request

from rules.choices import GROUPS
from rules.house import parse
from rules.sheet import sheet
from speech.sentence import say
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
        raise Problem(404, say("There is no rule sheet called {name}. Go back to the scoreboard.", name=repr(name)))

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
            raise Problem(404, say("No game is being played. Go back to the scoreboard and start one."))
        options = parse(game.rules)
        over = game.board.status == "over"
        description = say("The rules of the game that was played.") if over else say("The rules of this game.")
        card = {"title": options.name, "description": description}
        for known in rulebook.cards():
            if options.name in (known.name, known.title):
                card = {
                    "title": known.title,
                    "description": known.description if known.options == options else description,
                }
        return render_template("rules.html", kind="rules", card=card, chapters=sheet(options))

    return pages
