"""The rules that the start form offers, and their sheets."""

from dataclasses import dataclass

from flask import Blueprint, render_template

from rules.sheet import sheet
from web.ports import RuleCard, Site
from web.problems import Problem


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of the start form. `target`: None when it is not known. `sheet`: the address of the rule sheet."""

    name: str
    title: str
    description: str = ""
    target: int | None = None
    sheet: str | None = None


def offers(site: Site) -> tuple[Offer, ...]:
    """The rulebook's cards, or bare names when there is none."""
    if site.rulebook:
        return tuple(_offer(card) for card in site.rulebook)
    return tuple(Offer(name, name.replace("-", " ").replace("_", " ").capitalize()) for name in site.presets)


def _offer(card: RuleCard) -> Offer:
    return Offer(card.name, card.title, card.description, card.options.win.target, f"/rules/{card.name}")


def blueprint(site: Site) -> Blueprint:
    pages = Blueprint("rules", __name__)

    @pages.get("/rules/<name>")
    def rules(name: str) -> str:
        for card in site.rulebook:
            if card.name == name:
                return render_template("rules.html", kind="rules", card=card, chapters=sheet(card.options))
        raise Problem(404, f"There is no rule sheet called {name!r}. Go back to the scoreboard.")

    return pages
