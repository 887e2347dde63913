"""The hands at a simulated tray, for programs on this machine only."""

import contextlib
import time
from collections import Counter
from collections.abc import Sequence

from flask import Blueprint, Response, request

from speech.sentence import say, say_many
from web import asked
from web.guard import is_loopback
from web.ports import LiveTable, SimulatedTray
from web.problems import Problem
from web.view import View

BUTTONS = ("bank", "undo", "mode")
LONGEST_FAULT_S = 3600.0
LOOK_AGAIN_S = 0.2
SLOWEST_EYE_S = 30.0
FAULTS = {
    "dead-camera": say("dead camera"),
    "dropped-frames": say("dropped frames"),
    "dark": say("dark"),
    "glare": say("glare"),
    "flicker": say("flicker"),
    "moved": say("moved"),
    "smudge": say("smudge"),
    "felt": say("felt"),
    "hand": say("hand"),
    "nudge": say("nudge"),
    "stuck-button": say("stuck button"),
}


def blueprint(table: LiveTable, sim: SimulatedTray | None) -> Blueprint:
    api = Blueprint("sim", __name__, url_prefix="/api/v1/sim")

    def tray() -> SimulatedTray:
        only_here(sim)
        if sim is None:
            raise Problem(404, say("This tray is a real one; throw with your hands."))
        return sim

    @api.get("/picture")
    def picture() -> Response:
        jpeg = tray().picture()
        if jpeg is None:
            raise Problem(503, say("The simulated camera gives no picture; try again in a moment."))
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @api.post("/throw")
    def throw() -> Response:
        hands, found = tray(), asked.body(request)
        whole = found.get("all", False)
        if not isinstance(whole, bool):
            raise Problem(422, '"all" says whether the whole set is thrown, whatever the game is at: true or false.')
        view = table.view() if whole else seen_aside(table, hands)
        count = hands.count() if whole else dice_due(view, hands.count())
        values = asked.values(found, "values") if found.get("values") is not None else None
        if values is not None and len(values) != count:
            raise Problem(
                422,
                say_many(
                    "1 die is to be thrown, so name 1 value, not {given}.",
                    "{count} dice are to be thrown, so name {count} values, not {given}.",
                    count,
                    given=len(values),
                ),
            )
        cocked = found.get("cocked", 0)
        if not isinstance(cocked, int) or isinstance(cocked, bool) or not 0 <= cocked <= count:
            raise Problem(422, f'"cocked" is how many of the {count} dice come to lie askew.')
        if not whole:
            make_room(hands, view)
        # The order given is kept: `values[0]` is the coloured die, where one is thrown.
        turn = None if view.game is None else view.game.board.turn
        coloured = not whole and turn is not None and turn.coloured_due
        hands.throw(count, None if values is None else tuple(found["values"]), cocked, coloured)
        return Response(status=202)

    @api.post("/aside")
    def aside() -> Response:
        hands, found = tray(), asked.body(request)
        dice, coloured = asked.values(found, "dice"), found.get("coloured", False)
        if not isinstance(coloured, bool):
            raise Problem(422, '"coloured" says whether the coloured die is one of these: true or false.')
        try:
            hands.aside(dice, coloured)
        except ValueError as error:
            raise Problem(409, str(error)) from error
        return Response(status=202)

    @api.post("/dice")
    def dice() -> Response:
        hands, found = tray(), asked.body(request)
        name, count = found.get("set"), found.get("count")
        if not isinstance(name, str) or name not in hands.dice_sets():
            raise Problem(422, f'"set" is one of {", ".join(hands.dice_sets())}.')
        if count is not None and (not isinstance(count, int) or isinstance(count, bool)):
            raise Problem(422, '"count" is how many dice the set has.')
        try:
            hands.use(name, count)
        except ValueError as error:
            raise Problem(422, str(error)) from error
        return Response(status=202)

    @api.post("/place")
    def place() -> Response:
        tray().place()
        return Response(status=202)

    @api.post("/clear")
    def clear() -> Response:
        tray().clear()
        return Response(status=202)

    @api.post("/press")
    def press() -> Response:
        hands, found = tray(), asked.body(request)
        button, long = found.get("button"), found.get("long", False)
        if button not in BUTTONS or not isinstance(long, bool):
            raise Problem(422, '"button" is bank, undo or mode; "long" is true or false.')
        hands.press(button, long)
        return Response(status=202)

    @api.post("/fault")
    def fault() -> Response:
        hands, found = tray(), asked.body(request)
        kind, seconds = found.get("kind"), found.get("seconds", 5)
        if not isinstance(kind, str) or kind not in hands.faults():
            raise Problem(422, f'"kind" is one of {", ".join(hands.faults())}.')
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST_FAULT_S:
            raise Problem(422, '"seconds" is how long the fault lasts, more than 0 and at most 3600.')
        hands.fault(kind, float(seconds))
        return Response(status=202)

    return api


def only_here(sim: SimulatedTray | None) -> None:
    """The simulated hands belong to whoever sits at the machine itself."""
    if sim is not None and not is_loopback(request.remote_addr):
        port = request.host.rpartition(":")[2]
        raise Problem(
            403,
            say(
                "The simulated tray is moved from its own machine only: open http://127.0.0.1:{port}/sim there.",
                port=port if port.isdigit() else 80,
            ),
        )


def seen_aside(table: LiveTable, hands: SimulatedTray) -> View:
    """The view to throw by: when an open throw waits for a choice and a hand is setting dice aside, the one in which
    a slow eye has seen them there. While a calibration is under way it tells of no game, and is not waited for longer
    than `SLOWEST_EYE_S`."""
    ends_s = time.monotonic() + SLOWEST_EYE_S
    with table.listen() as views:
        view = table.view()
        while waits(view) and (hands.busy() or (looks(view) and time.monotonic() < ends_s)):
            view = views.get(LOOK_AGAIN_S) or table.view()
    return view


def looks(view: View) -> bool:
    """Whether the eye follows what moves."""
    return view.eye.state in ("hand", "rolling", "settling")


def waits(view: View) -> bool:
    """Whether an open throw waits for a choice."""
    turn = None if view.game is None else view.game.board.turn
    return turn is not None and turn.throw is not None and not turn.aside


def dice_due(view: View, without_a_game: int) -> int:
    """How many dice the next throw has. Raises `Problem` while an open throw waits for a choice."""
    turn = None if view.game is None else view.game.board.turn
    if turn is None:
        return without_a_game if view.game is None else view.game.board.dice
    if waits(view):
        raise Problem(409, say("Set aside at least one scoring die first."))
    return turn.dice_left


def make_room(hands: SimulatedTray, view: View) -> None:
    """Before a throw: dice chosen on a phone go to the rail, and dice of an ended turn or after hot dice leave it."""
    board = None if view.game is None else view.game.board
    turn = None if board is None else board.turn
    kept: Sequence[int] = () if board is None or turn is None or turn.dice_left == board.dice else turn.kept
    rail = Counter(die.value for die in view.eye.dice if die.zone == "rail" and die.value is not None)
    missing = Counter(kept) - rail
    if not kept:
        if rail:
            hands.clear()
    elif missing:
        # Those that do not lie in the tray are on the rail already, unseen.
        with contextlib.suppress(ValueError):
            hands.aside(tuple(sorted(missing.elements())), turn is not None and bool(turn.with_coloured))
