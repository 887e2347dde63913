"""The form of a new game: who plays, in which order, by which rules. A phone sends what it has filled in and one act,
and gets the form drawn again; nothing of it is kept here."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flask import Blueprint, render_template, request
from werkzeug.datastructures import MultiDict

from speech.sentence import say
from web import asked
from web.commands import Newcomer
from web.offers import Offer, offer
from web.phones import Phones
from web.ports import LiveTable, Rulebook
from web.problems import Problem
from web.records import Seat

GOALS = (1000, 2500, 5000, 10000, 20000)
LEAST = 2
CHIPS = 8
CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Draft:
    """`rules`: name of a card, or `CHANGED`. `changed`: the card that the page of options has sent here. `offered`:
    what the tray itself offered when this was drawn. `known`: names remembered on the phone. `said`: what the last act
    was told."""

    players: tuple[Newcomer, ...] = ()
    rules: str = ""
    changed: str = ""
    goal: int = 0
    offered: str = ""
    known: tuple[str, ...] = ()
    said: str = ""

    def has(self, name: str) -> bool:
        return any(player.name.casefold() == name.casefold() for player in self.players)


@dataclass(frozen=True, slots=True)
class Form:
    """A draft as it is drawn. `card`: the rules that are chosen. `chips`: who can be added. `sides`: of each team its
    players. `short`: how many players more it takes. `full`: no more can be added. `game`: what to ask the tray for."""

    draft: Draft
    cards: Sequence[Offer]
    card: Offer
    chips: tuple[Newcomer, ...] = ()
    sides: tuple[tuple[str, ...], ...] = ()
    uneven: int = 0
    short: int = 0
    full: bool = False
    game: dict[str, Any] = field(default_factory=dict)
    goals: Sequence[int] = GOALS


def blueprint(table: LiveTable, rulebook: Rulebook, phones: Phones) -> Blueprint:
    pages = Blueprint("start", __name__)

    @pages.post("/start")
    def start() -> str:
        seats, offered = phones.present(), table.view().offered
        draft = filled_in(request.form, seats, offered)
        if "offered" not in request.form:
            draft = replace(draft, players=fresh(phones.seats(request), offered).players)
        return drawn(acted(draft, request.form.get("act", ""), seats), rulebook, seats)

    return pages


def drawn(draft: Draft, rulebook: Rulebook, seats: Sequence[Seat]) -> str:
    return render_template("start.html", form=form(draft, [offer(card) for card in rulebook.cards()], seats))


def fresh(seats: Sequence[Seat], offered: str) -> Draft:
    """Before anybody has changed it: who sits there plays, at the simulated tray Ann and Bo."""
    players = tuple(_newcomer(seat) for seat in seats if seat.plays)
    return Draft(players or (Newcomer("Ann"), Newcomer("Bo")), offered, offered=offered)


def filled_in(sent: MultiDict[str, str], seats: Sequence[Seat], offered: str) -> Draft:
    here = {seat.id: _newcomer(seat) for seat in seats}
    names, ids = sent.getlist("player"), sent.getlist("seat")
    # Whose phone has left still plays, by name.
    players = tuple(here.get(seat) or Newcomer(asked.name(name)) for name, seat in zip(names, ids, strict=False))
    rules, changed = sent.get("rules", ""), sent.get("changed", "")
    card = _card(changed)
    if not rules or sent.get("offered", offered) != offered:
        rules = offered
    if rules == CHANGED and card is None:
        rules = str(_json(changed).get("name", offered))
    goal = sent.get("goal", "")
    return Draft(
        players[: asked.PLAYERS],
        rules,
        changed if card else "",
        int(goal) if goal in map(str, GOALS) else 0,
        offered,
        tuple(sent.getlist("known")),
    )


def acted(draft: Draft, act: str, seats: Sequence[Seat]) -> Draft:
    """`act`: "add:NAME", "up:PLACE" (one earlier), "away:PLACE", or nothing."""
    what, _, about = act.partition(":")
    if what == "add":
        name = asked.name(about)
        if draft.has(name):
            return replace(draft, said=say("{name} is on the list already.", name=name))
        seat = next((seat for seat in seats if seat.name.casefold() == name.casefold()), None)
        added = _newcomer(seat) if seat else Newcomer(name)
        return replace(draft, players=(*draft.players, added)[: asked.PLAYERS])
    place = int(about) if about.isascii() and about.isdigit() and len(about) < 3 else -1
    if not 0 <= place < len(draft.players):
        return draft
    rest = draft.players[:place] + draft.players[place + 1 :]
    if what == "up" and place:
        rest = (*rest[: place - 1], draft.players[place], *rest[place - 1 :])
    return replace(draft, players=rest)


def form(draft: Draft, known: Sequence[Offer], seats: Sequence[Seat]) -> Form:
    changed = _card(draft.changed)
    cards = [*([changed] if changed else []), *known]
    card = (
        changed if changed and draft.rules == CHANGED else next((c for c in known if c.name == draft.rules), known[0])
    )
    count, teams = len(draft.players), card.teams
    uneven = teams - count % teams if teams and (count % teams or count < teams) else 0
    rules = _json(draft.changed)["rules"] if card is changed else card.name
    return Form(
        draft,
        cards,
        card,
        chips(draft, seats),
        tuple(tuple(player.name for player in draft.players[team::teams]) for team in range(teams)),
        uneven,
        uneven or max(0, LEAST - count),
        count >= asked.PLAYERS,
        {"rules": rules, "players": [player.seat or player.name for player in draft.players]},
        [goal for goal in GOALS if goal != card.target],
    )


def chips(draft: Draft, seats: Sequence[Seat]) -> tuple[Newcomer, ...]:
    """Those at the table and those remembered who are not on the list."""
    found: dict[str, Newcomer] = {}
    for one in (*(_newcomer(seat) for seat in seats), *(Newcomer(name) for name in draft.known)):
        if not draft.has(one.name):
            found.setdefault(one.name.casefold(), one)
    return tuple(found.values())[:CHIPS]


def _newcomer(seat: Seat) -> Newcomer:
    return Newcomer(seat.name, seat.id, seat.mark)


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Problem(422, say("The changed rules of this form cannot be read; choose rules again."))
    return found


def _card(text: str) -> Offer | None:
    """The card that the page of options has sent; None when it sent none, or only the name of known rules."""
    sent = _json(text)
    if not sent.get("rules"):
        return None
    notes = sent.get("notes")
    return Offer(
        CHANGED,
        str(sent.get("title", "")),
        str(sent.get("description", "")),
        False,
        sent["target"] if isinstance(sent.get("target"), int) else 0,
        sent["teams"] if sent.get("teams") in range(asked.PLAYERS + 1) else 0,
        tuple(map(str, notes)) if isinstance(notes, list) else (),
    )
