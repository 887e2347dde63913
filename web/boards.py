"""The scoreboard as HTML by sections: drawn once a view, kind of screen and language, however many phones look."""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

from flask import Flask

from rules.best_play.findings import Outlook
from speech.catalogue import ENGLISH, Catalogue
from speech.sentence import joined, listed
from web import board, chances, dice, said
from web.calls import calls
from web.forecasts import Forecasts
from web.language import speaking
from web.lying import Order
from web.panel import drawing
from web.render import closeups, disputed, view_id
from web.stickman import called
from web.table_talk import spoken
from web.view import View

# By kind of screen: "tv" shows and never asks, "sim" has the panel of the simulated box too, "overlay" is laid over
# the picture of a stream.
SECTIONS = ("dice", "head", "banners", "dispute", "felt", "eye", "turn", "odds", "doubt", "win", "idle", "players")
TOUCHED = (*SECTIONS, "places", "dock", "sheet")
KINDS = {"play": TOUCHED, "tv": SECTIONS, "sim": (*TOUCHED, "panel"), "overlay": ("dice", "felt", "running")}
KEPT = 48
WITH_ODDS = "~"


@dataclass(frozen=True, slots=True)
class Board:
    """A drawn scoreboard. `sections`: the HTML of one element each, by name. `mood`: classes of the page's body.
    `owes`: its odds are still being worked out; it has no section for them yet."""

    view: View
    kind: str
    language: Catalogue
    sections: Mapping[str, str]
    mood: str
    title: str
    owes: bool = False

    @property
    def id(self) -> str:
        """That of the view, with a mark once its odds are there."""
        return view_id(self.view) if self.owes else f"{view_id(self.view)}{WITH_ODDS}"


class Boards:
    """`title_of`: what rules are called, by their name. `code`: of the room. Where odds take their time a board is
    drawn without them, and again once they are there."""

    def __init__(
        self, app: Flask, title_of: Callable[[str], str], code: str, simulated: bool, forecasts: Forecasts
    ) -> None:
        self._app = app
        self.title_of = title_of
        self._same = {"title_of": title_of, "code": code, "simulated": simulated}
        self._forecasts = forecasts
        self._boards: OrderedDict[tuple[str, str, str], Board] = OrderedDict()
        self._told: OrderedDict[tuple[str, str, str, str], str] = OrderedDict()
        self._order = Order()
        self._lock = Lock()
        app.jinja_env.filters["points"] = said.number
        app.jinja_env.globals.update(paint=dice.paint, turned=dice.turned, joined=joined, listed=listed)

    def of(self, view: View, kind: str, language: Catalogue = ENGLISH) -> Board:
        ready, outlook = self._forecasts.of(view)
        name = (f"{view_id(view)}{WITH_ODDS if ready else ''}", kind, language.code)
        with self._lock:
            found = self._boards.get(name)
            if found is None:
                found = self._draw(view, kind, language, outlook if ready else None)
                _keep(self._boards, name, found)
        return found

    def drawn(self, board_id: str, kind: str, language: Catalogue = ENGLISH) -> Board | None:
        """The board of this id, if it was drawn lately."""
        with self._lock:
            return self._boards.get((board_id, kind, language.code))

    def told(self, now: Board, before: Board | None) -> str:
        """`now` as JSON: the sections that differ from `before`, and what is called out; all of it without one."""
        name = (now.id, before.id if before else "", now.kind, now.language.code)
        with self._lock:
            text = self._told.get(name)
            if text is None:
                text = json.dumps(_difference(now, before), separators=(",", ":"), ensure_ascii=False)
                _keep(self._told, name, text)
        return text

    def _draw(self, view: View, kind: str, language: Catalogue, outlook: Outlook | None) -> Board:
        shown = board.shown(view, self._order.lying(view))
        context = self._context(shown, kind, outlook or Outlook())
        with speaking(language):
            sections = {
                name: self._app.jinja_env.get_template(f"board_{name}.html").render(context).strip()
                for name in KINDS[kind]
                if outlook or name != "odds"
            }
        title = f"{shown.player} · Stickman" if shown.player else "Stickman"
        return Board(view, kind, language, sections, shown.mood, title, owes=outlook is None and "odds" in KINDS[kind])

    def _context(self, shown: board.Shown, kind: str, outlook: Outlook) -> dict[str, Any]:
        return {
            "shown": shown,
            "view": shown.view,
            "game": shown.game,
            "board": shown.board,
            "turn": shown.turn,
            "faces": partial(dice.faces, names=shown.view.eye.faces),
            "panel": drawing(shown.view.panel),
            "kind": kind,
            "touches": kind in ("play", "sim"),
            "said": said.said(shown.board) if shown.board else {},
            "closeups": closeups(shown.game) if shown.game else (),
            "looked_at": disputed(shown.game) if shown.game else None,
            "odds": chances.told(outlook, shown.board),
            **self._same,
        }


def _keep(kept: OrderedDict[Any, Any], name: Any, value: Any) -> None:
    kept[name] = value
    while len(kept) > KEPT:
        kept.popitem(last=False)


def _difference(now: Board, before: Board | None) -> dict[str, Any]:
    known = before.sections if before else {}
    return {
        "id": now.id,
        "from": before.id if before else None,
        "rev": now.view.rev,
        "mood": now.mood,
        "title": now.title,
        "offered": now.view.offered,
        "call": " ".join(now.language.tell_all(calls(before.view, now.view))) if before else "",
        "aloud": spoken(called(before.view, now.view), now.language) if before else "",
        "sections": {name: html for name, html in now.sections.items() if known.get(name) != html},
    }
