"""The app factory: pages, stream and API around a running table."""

from typing import cast

from flask import Flask

from speech import languages
from web import (
    api,
    calibrate,
    calibration,
    events,
    fairness,
    guard,
    health,
    history,
    house,
    joining,
    keeping,
    language,
    odds,
    pages,
    problems,
    render,
    sets,
    sheets,
    sim,
    start,
    stream,
    throws,
)
from web.boards import Boards
from web.forecasts import Forecasts
from web.marks import MARKS
from web.phones import Phones
from web.ports import (
    Calibrator,
    Club,
    DiceSets,
    DieBook,
    Keeping,
    LiveTable,
    Oddsmaker,
    Past,
    Pictures,
    Room,
    Rulebook,
    SimulatedTray,
)
from web.seating import Seating
from web.site import Site

BODY_LIMIT = 65_536


def create_app(
    table: LiveTable,
    room: Room,
    rulebook: Rulebook,
    site: Site,
    simulated: SimulatedTray | None = None,
    checks: health.Checks | None = None,
    timing: stream.Timing | None = None,
    oddsmaker: Oddsmaker | None = None,
    calibrator: Calibrator | None = None,
    dice_sets: DiceSets | None = None,
    die_book: DieBook | None = None,
    past: Past | None = None,
    keeper: Keeping | None = None,
    pictures: Pictures | None = None,
    spoken: language.Languages | None = None,
    club: Club | None = None,
) -> Flask:
    """`checks`: the device's own health checks; without them the camera's state is told from the view. `spoken`: the
    languages by code, without them those that are shipped."""
    timing = timing or stream.Timing()
    app = Flask("web")
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    texts, phones = render.Texts(), Phones(room, timing.now)
    streams = stream.Streams(site.max_streams, table, phones.saw, timing)
    seating = Seating(room, phones, table, timing.now, streams.reseat)
    app.extensions["stickman.streams"] = streams
    guard.install(app, site, table)
    language.install(app, spoken or languages.shipped())
    problems.install(app)
    app.jinja_env.globals["all_marks"] = MARKS
    boards = Boards(app, lambda name: _title(rulebook, name), room.code, simulated is not None, Forecasts(oddsmaker))
    app.register_blueprint(pages.blueprint(table, room, site, simulated, rulebook, phones, boards, club))
    app.register_blueprint(joining.blueprint(table, room, phones, seating, site))
    app.register_blueprint(start.blueprint(table, rulebook, phones))
    app.register_blueprint(sheets.blueprint(table, rulebook, phones))
    app.register_blueprint(house.blueprint(table, rulebook, phones))
    app.register_blueprint(events.blueprint(table, phones, texts, boards, streams))
    app.register_blueprint(api.blueprint(table, phones, texts))
    app.register_blueprint(odds.blueprint(table, oddsmaker))
    app.register_blueprint(calibration.blueprint(table, phones, calibrator))
    app.register_blueprint(calibrate.blueprint(table, phones, calibrator, simulated, room.code))
    app.register_blueprint(sets.blueprint(table, phones, dice_sets, die_book))
    app.register_blueprint(fairness.blueprint(die_book))
    app.register_blueprint(history.blueprint(table, phones, rulebook, past, pictures))
    app.register_blueprint(throws.blueprint(table, phones, past, pictures))
    app.register_blueprint(keeping.blueprint(table, phones, keeper))
    app.register_blueprint(sim.blueprint(table, simulated))
    app.register_blueprint(health.blueprint(table, site, streams, checks or health.from_view(table), dice_sets))
    return app


def _title(rulebook: Rulebook, name: str) -> str:
    return next((card.title for card in rulebook.cards() if card.name == name), name)


def streams_of(app: Flask) -> stream.Streams:
    return cast(stream.Streams, app.extensions["stickman.streams"])
