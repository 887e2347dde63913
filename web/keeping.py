"""What has changed since the tray was calibrated: a page that shows where, and setting it again in one tap."""

from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Reply

from speech.sentence import say
from web import asked
from web.phones import Phones
from web.ports import Keeping, LiveTable
from web.problems import Problem
from web.refusals import SetRefused, TrayBusy
from web.render import state

SAID = {
    "relock": say("The tray is set again, and is read as it is now."),
    "undo": say("The tray is read as it was before."),
}


def blueprint(table: LiveTable, phones: Phones, keeping: Keeping | None) -> Blueprint:
    web = Blueprint("keeping", __name__)

    def there() -> Keeping:
        if keeping is None:
            raise Problem(404, say("This tray has no camera that could be set again."))
        return keeping

    def done(deed: str) -> str:
        if deed not in SAID:
            raise Problem(404, f"There is no {deed!r} for the tray; there are {', '.join(SAID)}.")
        phones.owner(request, table.view())
        if deed == "undo":
            there().undo()
        else:
            there().relock()
        return SAID[deed]

    def page(status: int = 200, wrong: str = "", said: str = "") -> Response:
        view = table.view()
        text = render_template(
            "tray.html",
            kind="tray",
            eye=view.eye,
            drifts=state(view)["eye"]["drifts"],
            can_undo=there().can_undo(),
            seat=phones.seat(request),
            wrong=wrong,
            said=said,
        )
        return Response(text, status=status)

    @web.get("/tray")
    def look() -> Response:
        return page(said=SAID.get(request.args.get("done", ""), ""))

    @web.get("/tray/now.jpg")
    def now() -> Response:
        phones.seated(request)
        jpeg = there().picture()
        if jpeg is None:
            raise Problem(503, say("The camera gives no picture: look again in a moment."))
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @web.post("/tray/<deed>")
    def pressed(deed: str) -> Reply:
        try:
            done(deed)
        except Problem as refusal:
            return page(refusal.status, refusal.sentence)
        except (SetRefused, TrayBusy) as refusal:
            return page(422, str(refusal))
        return redirect(f"/tray?done={deed}", 303)

    @web.post("/api/v1/calibration/relock")
    def relock() -> Response:
        asked.body(request)
        answer: dict[str, Any] = {"text": done("relock"), "can_undo": there().can_undo()}
        return jsonify(answer)

    return web
