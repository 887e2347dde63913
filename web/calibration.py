"""Calibration through the API: how it stands, and what the owner does."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, request

from calibration.asked import Meaning
from calibration.course import ROLLS, Calibration, NotNow, Roll
from calibration.deeds import Answered, Begun, Cancelled, Confirmed, Deed, Denied, Named, Outlined, Taken
from calibration.guide import LEFT, says
from calibration.sight import Hint
from speech.sentence import say
from vision.dice_set import Colour, Kind
from vision.polygon import Polygon
from vision.seen import SeenDie
from web import asked
from web.phones import Phones
from web.ports import Calibrator, LiveTable
from web.problems import Problem

Json = dict[str, Any]
CORNERS = (3, 64)
LONGEST = 12  # name of a face


def blueprint(table: LiveTable, phones: Phones, calibrator: Calibrator | None) -> Blueprint:
    api = Blueprint("calibration", __name__, url_prefix="/api/v1/calibration")

    def there() -> Calibrator:
        if calibrator is None:
            raise Problem(404, say("This tray has no camera of its own to calibrate; use: stickman calibrate."))
        return calibrator

    @api.get("")
    def now() -> Response:
        return _answer(there())

    @api.get("/picture.jpg")
    def picture() -> Response:
        phones.seated(request)
        jpeg = there().picture(request.args.get("still"))
        if jpeg is None:
            raise Problem(503, say("There is no such picture, or the camera gives none now; try again in a moment."))
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @api.post("/<deed>")
    def do(deed: str) -> Response:
        found, wizard = asked.body(request), there()
        if deed != "undo" and deed not in DEEDS:
            known = ", ".join([*DEEDS, "undo"])
            raise Problem(404, f"There is no {deed!r} in a calibration; there are {known}.")
        phones.owner(request, table.view())
        try:
            if deed == "undo":
                wizard.undo()
            else:
                wizard.do(DEEDS[deed](found, wizard))
        except NotNow as refusal:
            raise Problem(409, str(refusal)) from None
        return _answer(wizard)

    return api


def _roll(found: asked.Json) -> int:
    number = found.get("roll")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise Problem(422, '"roll" is the number of the test roll, from 1.')
    return number


def _outlined(found: asked.Json, _: Calibrator) -> Outlined:
    tray = _polygon(found, "tray")
    if tray is None:
        raise Problem(422, '"tray" is the outline of the floor: a list of corners, each [x, y] in pixels.')
    return Outlined(tray, _polygon(found, "rail"))


def _denied(found: asked.Json, _: Calibrator) -> Denied:
    return Denied(_roll(found), asked.values(found, "values") if found.get("values") is not None else ())


def _answered(found: asked.Json, _: Calibrator) -> Answered:
    faces = found.get("faces")
    if not isinstance(faces, list):
        raise Problem(422, '"faces" holds {"value": 1 to 6} for each face that is asked about, or null for a pattern.')
    return Answered(tuple(None if face is None else _meaning(face) for face in faces))


def _meaning(face: object) -> Meaning:
    value = face.get("value") if isinstance(face, dict) else None
    if not isinstance(face, dict) or type(value) is not int or not 1 <= value <= 6:
        raise Problem(422, say("Say of each face what it counts, 1 to 6, or that it is a pattern."))
    name = face.get("name") or str(value)
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST:
        raise Problem(422, f'The "name" of a face is what people call it, at most {LONGEST} letters: "J".')
    return Meaning(value, name.strip())


DEEDS: dict[str, Callable[[asked.Json, Calibrator], Deed]] = {
    "begin": lambda _, wizard: Begun(wizard.names()),
    "take": lambda _, __: Taken(),
    "outline": _outlined,
    "faces": _answered,
    "confirm": lambda found, _: Confirmed(_roll(found)),
    "wrong": _denied,
    "name": lambda found, wizard: Named(asked.name(found.get("name", wizard.now().name))),
    "cancel": lambda _, __: Cancelled(),
}


def _polygon(found: asked.Json, key: str) -> Polygon | None:
    corners = found.get(key)
    if corners is None:
        return None
    if (
        not isinstance(corners, list)
        or not CORNERS[0] <= len(corners) <= CORNERS[1]
        or not all(map(_is_place, corners))
    ):
        raise Problem(422, f'"{key}" is a list of {CORNERS[0]} to {CORNERS[1]} corners, each [x, y] in pixels.')
    return tuple((float(x), float(y)) for x, y in corners)


def _is_place(corner: object) -> bool:
    return (
        isinstance(corner, list)
        and len(corner) == 2
        and all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 1e5 for v in corner)
    )


def _answer(wizard: Calibrator) -> Response:
    reply = jsonify(state(wizard.now()) | {"can_undo": wizard.can_undo()})
    reply.headers["Cache-Control"] = "no-store"
    return reply


def state(now: Calibration) -> Json:
    """Places and sizes are pixels of the full picture."""
    title, text = says(now)
    picture = now.live if now.live.width else now.studied
    return {
        "step": now.step,
        "left": LEFT.get(now.step, 0),
        "title": title,
        "text": text,
        "hints": [_hint(hint) for hint in now.hints],
        "good": now.good,
        "studying": now.asked is not None,
        "progress": now.progress,
        "picture": {"width": picture.width, "height": picture.height},
        "tray": _corners(now.tray),
        "rail": _corners(now.rail),
        "dice": [_die(die) for die in now.studied.dice],
        "count": now.count,
        "kinds": [shown(kind) for kind in now.kinds],
        "faces": [{"still": f"face{number}", "shown": len(one.places)} for number, one in enumerate(now.unnamed, 1)],
        "called": list(now.called),
        "rolls": [_test(roll) for roll in now.rolls],
        "needed": ROLLS,
        "name": now.name,
        "reason": now.reason,
        "offered": now.lead == "offered",
    }


def _hint(hint: Hint) -> Json:
    found = asdict(hint)
    if hint.box is not None:
        x0, y0, x1, y1 = hint.box
        found["box"] = [x0, y0, x1 - x0, y1 - y0]
    return found


def _corners(polygon: Polygon | None) -> list[list[float]] | None:
    return None if polygon is None else [[round(x, 1), round(y, 1)] for x, y in polygon]


def _die(die: SeenDie) -> Json:
    return {
        "x": round(die.x, 1),
        "y": round(die.y, 1),
        "size": round(die.size, 1),
        "angle": round(die.angle, 1),
        "value": die.value,
        "confidence": round(die.confidence, 4),
        "kind": die.colour,
    }


def shown(kind: Kind) -> Json:
    return {
        "name": kind.name,
        "count": kind.count,
        "body": hex_of(kind.body),
        "pip": hex_of(kind.pip),
        "size_mm": round(kind.edge_mm, 1),
    }


def _test(roll: Roll) -> Json:
    return {
        "values": list(roll.values),
        "sure": roll.sure,
        "least": round(roll.least, 4),
        "confirmed": roll.confirmed,
        "still": roll.still,
        "dice": [_die(die) for die in roll.dice],
    }


def hex_of(colour: Colour) -> str:
    blue, green, red = (min(255, max(0, round(v))) for v in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
