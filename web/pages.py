"""The pages: scoreboard, my seat, the big screen, the simulated tray."""

from functools import partial
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as Reply

from speech.sentence import say
from web import start
from web.boards import Boards
from web.joining import home_wifi
from web.language import language
from web.phones import Phones
from web.ports import Club, LiveTable, Room, Rulebook, SimulatedTray
from web.problems import Problem
from web.sim import FAULTS, only_here
from web.site import Site

FILES = {
    "/manifest.webmanifest": ("manifest.webmanifest", "application/manifest+json"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    "/favicon.ico": ("icon.svg", "image/svg+xml"),
    "/openapi.json": ("openapi.json", "application/json"),
}

SHOWN = ("tv", "overlay")


def blueprint(
    table: LiveTable,
    room: Room,
    site: Site,
    sim: SimulatedTray | None,
    rulebook: Rulebook,
    phones: Phones,
    boards: Boards,
    club: Club | None = None,
) -> Blueprint:
    pages = Blueprint("pages", __name__)

    def page(template: str, kind: str, **more: Any) -> str:
        # What only shows can be opened any number of times, and changes nothing.
        seats = () if kind in SHOWN else phones.seats(request)
        return render_template(
            template,
            kind=kind,
            seats=seats,
            seat=next(iter(seats), None),
            wifi=home_wifi(site, request),
            code=room.code,
            simulated=sim is not None,
            **more,
        )

    def board(kind: str, drawn: str, **more: Any) -> str:
        view, seats = table.view(), phones.seats(request)
        form = ""
        if view.game is None and kind not in SHOWN and (seats or kind == "sim"):
            form = start.drawn(start.fresh(seats, view.offered), rulebook, phones.present())
        return page("board.html", kind, drawn=boards.of(view, drawn, language()), form=form, **more)

    @pages.get("/")
    def scoreboard() -> str:
        return board("board", "play")

    @pages.get("/play")
    def play() -> str | Reply:
        return board("play", "play") if phones.seats(request) else redirect("/join")

    @pages.get("/tv")
    def tv() -> str:
        if "club" not in request.args:
            return board("tv", "tv")
        if club is None:
            raise Problem(
                404, say("A club night needs a broker that all trays share: set [mqtt] broker in their configs.")
            )
        return page("club.html", "tv", trays=club.trays(), title_of=boards.title_of)

    @pages.get("/overlay")
    def overlay() -> str:
        return page("overlay.html", "overlay", drawn=boards.of(table.view(), "overlay", language()))

    @pages.get("/sim")
    def simulated() -> str:
        if sim is None:
            raise Problem(404, say("This tray is a real one; there is nothing to simulate."))
        only_here(sim)
        faults = {fault: FAULTS.get(fault, fault) for fault in sim.faults()}
        return board("sim", "sim", faults=faults, sets=sim.dice_sets(), thrown_set=sim.dice_set())

    for path, (name, kind) in FILES.items():
        pages.add_url_rule(path, f"file{path.replace('.', '_')}", partial(_file, name, kind))
    return pages


def _file(name: str, kind: str) -> Response:
    reply = current_app.send_static_file(name)
    reply.mimetype = kind
    return reply
