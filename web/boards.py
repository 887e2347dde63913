"""The scoreboard as HTML by sections: drawn once a view, kind of screen and language, however many phones look."""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from flask import Flask

from speech.catalogue import ENGLISH, Catalogue
from speech.sentence import joined, listed
from web import board, dice, said
from web.calls import calls
from web.language import speaking
from web.lying import Order
from web.panel import drawing
from web.ports import View
from web.render import view_id

# By kind of screen; "tv" shows and never asks, "sim" has the panel of the simulated box too.
SECTIONS = ("head", "banners", "felt", "eye", "turn", "doubt", "win", "players")
TOUCHED = (*SECTIONS, "dock", "sheet")
KINDS = {"play": TOUCHED, "tv": SECTIONS, "sim": (*TOUCHED, "panel")}
KEPT = 48


@dataclass(frozen=True, slots=True)
class Board:
    """A drawn scoreboard. `sections`: the HTML of one element each, by name. `mood`: classes of the page's body."""

    view: View
    kind: str
    language: Catalogue
    sections: Mapping[str, str]
    mood: str
    title: str

    @property
    def id(self) -> str:
        return view_id(self.view)


class Boards:
    """`title_of`: what rules are called, by their name."""

    def __init__(self, app: Flask, title_of: Callable[[str], str]) -> None:
        self._app = app
        self.title_of = title_of
        self._boards: OrderedDict[tuple[str, str, str], Board] = OrderedDict()
        self._told: OrderedDict[tuple[str, str, str, str], str] = OrderedDict()
        self._order = Order()
        self._lock = Lock()
        app.jinja_env.filters["points"] = said.number
        app.jinja_env.globals.update(paint=dice.paint, turned=dice.turned, joined=joined, listed=listed)

    def of(self, view: View, kind: str, language: Catalogue = ENGLISH) -> Board:
        name = (view_id(view), kind, language.code)
        with self._lock:
            found = self._boards.get(name)
            if found is None:
                found = self._draw(view, kind, language)
                _keep(self._boards, name, found)
        return found

    def told(self, now: Board, before: Board | None) -> str:
        """`now` as JSON: the sections that differ from `before`, and what is called out; all of it without one."""
        name = (now.id, before.id if before else "", now.kind, now.language.code)
        with self._lock:
            text = self._told.get(name)
            if text is None:
                text = json.dumps(_difference(now, before), separators=(",", ":"), ensure_ascii=False)
                _keep(self._told, name, text)
        return text

    def _draw(self, view: View, kind: str, language: Catalogue) -> Board:
        shown = board.shown(view, self._order.lying(view))
        context = self._context(shown, kind)
        with speaking(language):
            sections = {
                name: self._app.jinja_env.get_template(f"board_{name}.html").render(context).strip()
                for name in KINDS[kind]
            }
        title = f"{shown.player} · Stickman" if shown.player else "Stickman"
        return Board(view, kind, language, sections, shown.mood, title)

    def _context(self, shown: board.Shown, kind: str) -> dict[str, Any]:
        return {
            "shown": shown,
            "view": shown.view,
            "game": shown.game,
            "board": shown.board,
            "turn": shown.turn,
            "panel": drawing(shown.view.panel),
            "kind": kind,
            "touches": kind != "tv",
            "said": said.said(shown.board) if shown.board else {},
            "title_of": self.title_of,
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
        "sections": {name: html for name, html in now.sections.items() if known.get(name) != html},
    }
