"""The page of a calibration: the server draws each step, the page puts it in place and lets the outline be dragged."""

import math
from functools import partial
from typing import Any

from flask import Blueprint, Response, render_template, request

from hardware import printable
from speech.sentence import figure, say
from web.calibration import state
from web.dice import faces
from web.guard import is_loopback
from web.phones import Phones
from web.ports import Calibrator, LiveTable, SimulatedTray
from web.problems import Problem

# Outlines with more corners than fingers find are shown, not dragged.
DRAGGED = 12
# Made into the page, and fetched again by it.
PARTS = ("calibrate_seen.html", "calibrate_step.html")


def blueprint(
    table: LiveTable, phones: Phones, calibrator: Calibrator | None, sim: SimulatedTray | None, code: str
) -> Blueprint:
    pages = Blueprint("calibrate", __name__)

    def drawn() -> dict[str, Any]:
        if calibrator is None:
            raise Problem(404, say("This tray has no camera of its own to calibrate; use: stickman calibrate."))
        return shown(state(calibrator.now())) | {"can_undo": calibrator.can_undo()}

    @pages.get("/calibrate")
    def page() -> str:
        hands = sim if is_loopback(request.remote_addr) else None
        return render_template(
            "calibrate.html",
            kind="calibrate",
            seat=phones.seat(request),
            code=code,
            sets=hands.dice_sets() if hands else (),
            thrown_set=hands.dice_set() if hands else "",
            playing=table.view().game is not None,
            **drawn(),
        )

    @pages.get("/calibrate/now")
    def now() -> Response:
        found = drawn()
        reply = Response("".join(render_template(part, **found) for part in PARTS))
        reply.headers["Cache-Control"] = "no-store"
        return reply

    @pages.get("/markers-<paper>.pdf")
    def markers(paper: str) -> Response:
        if paper not in printable.PAPERS:
            raise Problem(
                404, say("The markers are there for these papers: {papers}.", papers=", ".join(printable.PAPERS))
            )
        return Response(printable.markers(paper), mimetype="application/pdf")

    return pages


def shown(found: dict[str, Any]) -> dict[str, Any]:
    """The state with what the page draws: `asked`, the number of the first roll that waits for a word, its `roll` and
    `still`, and the `dice` of the picture that is looked at."""
    call = partial(faces, names=found["called"])
    rolls = [each | {"called": call(each["values"])} for each in found["rolls"]]
    asked = next((number for number, roll in enumerate(rolls, 1) if roll["confirmed"] is None), None)
    roll = None if asked is None or found["step"] != "rolls" else rolls[asked - 1]
    lines = {name: found[name] for name in ("tray", "rail") if found[name]}
    return found | {
        "asked": asked,
        "rolls": rolls,
        "roll": roll,
        "call": call,
        "still": roll["still"] if roll else "",
        "dice": roll["dice"] if roll else found["dice"],
        "hints": [] if roll else marked(found["hints"]),
        "lines": lines,
        "dragged": found["step"] == "tray" and all(len(corners) <= DRAGGED for corners in lines.values()),
        # Rounded down, and never all: nothing read is certain.
        "least": figure(min(999, math.floor(1000 * min((each["least"] for each in rolls), default=0.0))) / 10, ".1f"),
        "coached": found["step"] in ("light", "empty", "tray", "dice"),
    }


def marked(hints: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each with the mark that its box bears in the picture: a number where there are several."""
    boxed = [hint for hint in hints if hint["box"]]
    return [hint | {"mark": str(boxed.index(hint) + 1) if len(boxed) > 1 and hint["box"] else "!"} for hint in hints]
