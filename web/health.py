"""Is the tray well: one answer for machines, one page for people."""

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, jsonify, render_template

from speech.sentence import say
from web.ports import DiceSets, LiveTable
from web.sets import day
from web.site import Check, Site
from web.stream import Streams

Checks = Callable[[], Sequence[Check]]


def blueprint(
    table: LiveTable, site: Site, streams: Streams, checks: Checks, dice_sets: DiceSets | None = None
) -> Blueprint:
    pages = Blueprint("health", __name__)

    @pages.get("/healthz")
    def alive() -> Response:
        return jsonify(status="alive", epoch=table.view().epoch, streams=streams.count())

    @pages.get("/readyz")
    def ready() -> Response:
        found = [check for check in checks() if check.needed]
        reply = jsonify(
            status="ready" if all(c.ok for c in found) else "not ready",
            checks=[{"name": c.name, "ok": c.ok, "text": c.text} for c in found],
        )
        reply.status_code = 200 if all(c.ok for c in found) else 503
        return reply

    @pages.get("/health")
    def health() -> str:
        view = table.view()
        dice = next((each for each in dice_sets.all() if each.active), None) if dice_sets else None
        return render_template(
            "health.html",
            kind="health",
            checks=checks(),
            view=view,
            site=site,
            streams=streams.count(),
            dice=dice,
            made=day(dice.made) if dice else "",
        )

    return pages


def from_view(table: LiveTable) -> Checks:
    """What the pages can tell by themselves when the device offers no checks of its own."""

    def checks() -> Sequence[Check]:
        view = table.view()
        return (Check(say("camera"), view.eye.state != "camera-lost", view.eye.text),)

    return checks
