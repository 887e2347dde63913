"""The sets of dice that the tray knows: their page, which needs no script, and the same through the API."""

from contextlib import ExitStack
from datetime import date
from io import BytesIO
from pathlib import PurePath
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, send_file
from werkzeug.wrappers import Response as Reply

from calibration.archive import LARGEST
from speech import dates
from speech.sentence import joined, say, say_many
from web import asked
from web.calibration import shown
from web.phones import Phones
from web.ports import DiceSets, DieBook, LiveTable
from web.problems import Problem
from web.records import DiceSet
from web.refusals import SetRefused, TrayBusy

Json = dict[str, Any]
DEEDS = ("use", "rename", "undo", "forget")


def blueprint(table: LiveTable, phones: Phones, sets: DiceSets | None, book: DieBook | None = None) -> Blueprint:
    """`book`: what the dice of each set have shown."""
    web = Blueprint("sets", __name__)

    def there() -> DiceSets:
        if sets is None:
            raise Problem(404, say("This tray keeps no dice sets."))
        return sets

    def called(slug: str) -> DiceSet:
        for each in there().all():
            if each.slug == slug:
                return each
        raise Problem(404, say("There is no dice set {name}.", name=repr(slug)))

    def done(slug: str, deed: str, name: object) -> None:
        """Whoever sits at the table may change the dice; all else is the owner's."""
        if deed not in DEEDS:
            raise Problem(404, f"There is no {deed!r} for dice sets; there are {', '.join(DEEDS)}.")
        if deed == "use":
            phones.seated(request)
        else:
            phones.owner(request, table.view())
        called(slug)
        match deed:
            case "use":
                there().activate(slug)
            case "rename":
                there().rename(slug, name if isinstance(name, str) else "")
            case "undo":
                there().undo(slug)
            case "forget":
                there().forget(slug)

    def page(status: int = 200, wrong: str = "") -> Response:
        cards = [
            state(each) | {"told": told(each), "back": back(each), "unfair": unfair(book, each.slug)}
            for each in there().all()
        ]
        fixed = there().fixed()
        text = render_template(
            "sets.html",
            kind="sets",
            sets=cards,
            fixed=fixed,
            fixed_slug=PurePath(fixed or "").stem,
            wrong=wrong,
            seat=phones.seat(request),
        )
        return Response(text, status=status)

    @web.get("/sets")
    def all_sets() -> Response:
        return page()

    @web.post("/sets/<slug>/<deed>")
    def pressed(slug: str, deed: str) -> Reply:
        try:
            done(slug, deed, request.form.get("name"))
        except (Problem, SetRefused, TrayBusy) as refusal:
            return page(_status(refusal), str(refusal))
        return redirect("/sets", 303)

    @web.post("/sets/import")
    def uploaded() -> Reply:
        request.max_content_length = LARGEST
        try:
            phones.owner(request, table.view())
            file = request.files.get("zip")
            there().take_in(file.stream if file else BytesIO())
        except (Problem, SetRefused, TrayBusy) as refusal:
            return page(_status(refusal), str(refusal))
        return redirect("/sets", 303)

    @web.get("/api/v1/sets")
    def listed() -> Response:
        return jsonify(sets=[state(each) for each in there().all()], fixed=there().fixed())

    @web.get("/api/v1/sets/<slug>.zip")
    def zipped(slug: str) -> Response:
        phones.seated(request)
        with ExitStack() as opened:
            file = opened.enter_context(TemporaryFile())
            there().pack(called(slug).slug, file)
            opened.pop_all()  # the reply closes it
        file.seek(0)
        return send_file(file, "application/zip", as_attachment=True, download_name=f"{slug}.zip")

    @web.post("/api/v1/sets/import")
    def taken_in() -> tuple[Response, int]:
        request.max_content_length = LARGEST
        phones.owner(request, table.view())
        if request.mimetype != "application/zip":
            raise Problem(415, "Send the .zip itself: Content-Type: application/zip.")
        with TemporaryFile() as file:  # of megabytes; a .zip is read from its end, and a stream is not
            copyfileobj(request.stream, file)
            slug = there().take_in(file)
        return jsonify(state(called(slug))), 201

    @web.post("/api/v1/sets/<slug>/<deed>")
    def do(slug: str, deed: str) -> Response:
        done(slug, deed, asked.body(request).get("name"))
        return listed()

    return web


def unfair(book: DieBook | None, slug: str) -> list[str]:
    """A sentence for each die of the set that was named."""
    try:
        record = None if book is None else book.record(slug)
    except TrayBusy:
        return []
    return [die.unfair for die in record.dice if die.unfair] if record else []


def state(each: DiceSet) -> Json:
    return {
        "slug": each.slug,
        "name": each.name,
        "active": each.active,
        "made": each.made,
        "kinds": [shown(kind) for kind in each.kinds],
        "rolls": each.rolls,
        "least": each.least,
        "before": each.before,
        "trouble": each.trouble or None,
    }


def told(each: DiceSet) -> str:
    """What a set is, in a few words."""
    sizes = sorted({round(kind.edge_mm) for kind in each.kinds})
    size: str = ""
    if sizes:
        same = len(sizes) == 1
        size = say("{size} mm", size=sizes[0]) if same else say("{least} to {most} mm", least=sizes[0], most=sizes[-1])
    found = [
        say_many("1 die, {size}.", "{count} dice, {size}.", each.count, size=size)
        if each.count
        else say("Dice of {size}.", size=size)
    ]
    if each.made:
        found.append(say("Calibrated {day}.", day=day(each.made)))
    if each.least is not None:
        found.append(
            say(
                "{rolls} test rolls read right, every die at least {percent:.0f}\N{NO-BREAK SPACE}% sure.",
                rolls=each.rolls,
                percent=100 * each.least,
            )
        )
    return joined(found)


def back(each: DiceSet) -> str:
    """What the way back to the calibration before is called; empty when there is none."""
    if each.before is None:
        return ""
    another = bool(each.before) and each.before[:10] != each.made[:10]
    if another:
        return say("Back to the calibration of {day}", day=day(each.before))
    return say("Back to the calibration before")


def day(made: str) -> str:
    """An ISO date or time as people write it: "3 May 2026"; as it is when it is none."""
    try:
        found = date.fromisoformat(made[:10])
    except ValueError:
        return made
    return dates.day(found)


def _status(refusal: Exception) -> int:
    match refusal:
        case Problem():
            return refusal.status
        case TrayBusy():
            return 503
    return 422
