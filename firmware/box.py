"""Build the whole tray, start it, and stop it in reverse order."""

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from socket import gethostname, socket

from calibration import kept
from firmware.address import LOOPBACK, Reach, at_home, host_names
from firmware.album import Album
from firmware.calibrating import Calibrating
from firmware.child import Child
from firmware.claim import claim
from firmware.config import Config
from firmware.die_book import DieBook
from firmware.die_watch import DieWatch
from firmware.drivers import Hanging
from firmware.drivers.gpio import MockPanel, NoPanel, open_panel
from firmware.drivers.simulated.tray import Hands
from firmware.eye import Eye
from firmware.footage import footage_clock, is_footage, note_start
from firmware.gallery import Gallery
from firmware.health import checks_of
from firmware.integrations.links import links_of
from firmware.interfaces import interfaces
from firmware.journal import Journal
from firmware.lamplighter import Lamplighter
from firmware.link import SIMULATED_SET, Job, Pictured
from firmware.oddsmaker import Oddsmaker
from firmware.past import Past
from firmware.rack import Rack
from firmware.relocking import Relocking
from firmware.room import Room
from firmware.set_cards import SetCards
from firmware.sets import Shelf
from firmware.simulation import Simulation
from firmware.table import Table
from firmware.table_rules import TableRules
from firmware.whereabouts import Whereabouts
from firmware.winning import Tables
from hardware import facts
from speech.sentence import say
from vision.errors import VisionError
from web.app import create_app
from web.errors import PortTaken
from web.serve import Server, listen, serve
from web.site import Site, Wifi
from web.view import Closeups, View

OPENING_S = 20.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What the command line and the config ask for. `camera`: "picamera", "usb:N", "video:FILE", "pictures:DIR" or
    "simulated". `banners`: mistakes in the config, for the page. `recent_dir`: for the pictures of the last throws;
    None for a place in the state folder. `spare_port`: taken when `port` cannot be had."""

    config: Config
    camera: str
    profile: Path | None
    host: str
    port: int
    state_dir: Path
    seed: int
    banners: tuple[str, ...] = ()
    recent_dir: Path | None = None
    spare_port: int | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A running tray. `door`: host and port at which this machine itself reaches the pages. `hands`: of the simulated
    tray, else None. `troubles` receives a sentence when a part cannot work at all."""

    door: tuple[str, int]
    code: str
    table: Table
    eye: Eye
    server: Server
    panel_factory: str
    hands: Hands | None
    troubles: "SimpleQueue[str]"

    @property
    def url(self) -> str:
        """Where phones reach the pages now; while they cannot, where this machine does."""
        return self.table.view().url or f"http://{LOOPBACK}:{self.door[1]}"

    @property
    def join_url(self) -> str:
        return f"{self.url}/join#{self.code}"

    def wait_open(self, timeout_s: float = OPENING_S) -> str | None:
        """Wait until the eye has seen the tray at rest. Returns the sentence when it cannot work with what it was
        given; None when the tray can be used, if only by hand because the camera is late."""
        ends_s = time.monotonic() + timeout_s
        while time.monotonic() < ends_s and not self.eye.rested.wait(0.05):
            if not self.troubles.empty():
                return self.troubles.get()
        return None


@contextlib.contextmanager
def running(plan: Plan, loading: Child | None = None) -> Iterator[Box]:
    """The whole tray while the block runs. `loading`: see `Eye`. Raises the sentences of its parts when they cannot
    start."""
    with contextlib.ExitStack() as parts:
        parts.callback(os.close, claim(plan.state_dir))
        door, port_notes = _listening(plan)
        parts.callback(door.close)
        host, port = door.getsockname()[:2]
        whereabouts = Whereabouts(plan.host, lambda reach: table.reached(url_of(reach, port), reach.hint))
        database = plan.state_dir / "stickman.db"
        journal = Journal(database)
        parts.callback(journal.close)
        room = Room(database)
        parts.callback(room.close)
        troubles: SimpleQueue[str] = SimpleQueue()
        simulated = plan.camera == "simulated"

        panel = open_panel(facts.pins(), simulated) if plan.config.panel or simulated else NoPanel()
        parts.callback(panel.close)
        album = _album(plan)
        album.start()
        parts.callback(album.stop)
        gallery = Gallery(album, database)
        parts.callback(gallery.close)
        rules = TableRules(plan.config.rules, plan.state_dir)
        table = Table(
            journal,
            rules.options_of,
            epoch=secrets.token_hex(4),
            now=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"),
            new_id=lambda: secrets.token_hex(4),
            aside=plan.config.aside,
            presets=rules.names,
            offered=rules.offered,
            url=url_of(whereabouts.reach, port),
            banners=(*plan.banners, *port_notes, *rules.banners),
            game_began=lambda: _roll_film(plan, journal, eye),
            mode_held=lambda: _held(room, wizard),
            dice_set=lambda: dice_set_of(eye, simulated),
            counted=album.counted,
            corrected=gallery.corrected,
        )

        usual = SIMULATED_SET if simulated else ""
        shelf = Shelf(plan.state_dir, lambda path: eye.use_profile(str(path)), usual, plan.profile)
        profile, trouble = _profile(shelf)
        if trouble:
            table.banner(trouble)
        hands = Hands(lambda scene: eye.show(scene), time.monotonic, plan.seed) if simulated else None
        footage_s = footage_clock(journal, plan.camera, playing(table.view())) if is_footage(plan.camera) else None
        job = Job(
            plan.camera,
            profile,
            str(plan.state_dir),
            hands.scene if hands else None,
            footage_s,
            mains_hz=plan.config.mains_hz,
            hanging=Hanging(plan.config.turned, plan.config.mirrored),
            noir=plan.config.noir,
            pictures=plan.config.pictures,
        )
        wizard = Calibrating(plan.state_dir, table, shelf, lambda: date.today().isoformat(), version("stickman"))
        eye = Eye(job, wizard, lambda text: _trouble(text, troubles, table), partial(_pictured, album, table), loading)
        table.start()
        parts.callback(table.stop)
        table.reached(url_of(whereabouts.reach, port), whereabouts.reach.hint)
        parts.callback(whereabouts.stop)
        whereabouts.start()
        lamplighter = Lamplighter(panel, table, plan.config.sound)
        parts.callback(lamplighter.stop)
        lamplighter.start()
        sets = SetCards(shelf, lambda slug: book.forget(slug), eye.watches)
        book = DieBook(database, sets.called)
        parts.callback(book.close)
        watch = DieWatch(table, book, lambda: dice_set_of(eye, simulated))
        parts.callback(watch.stop)
        watch.start()
        eye.start()
        parts.callback(eye.stop)
        wizard.start(eye)
        parts.callback(wizard.stop)

        site = Site(
            host_names(gethostname()),
            max_streams=plan.config.max_streams,
            simulated=simulated,
            wifi=wifi_of(plan.config),
            at_home=lambda remote: at_home(remote, interfaces()),
        )
        links = links_of(plan.config, plan.state_dir, table, version("stickman"), rules.names)
        for text in links.troubles:
            table.banner(text)
        parts.callback(links.stop)
        links.start()
        simulation = Simulation(hands, panel, eye) if hands and isinstance(panel, MockPanel) else None
        tables = Tables(plan.state_dir)
        parts.callback(tables.close)
        past = Past(database, tables.find, lambda: game_of(table.view()))
        parts.callback(past.close)
        past.start()
        app = create_app(
            table,
            room,
            rules,
            site,
            simulation,
            checks_of(table, eye, shelf, links.checks),
            oddsmaker=Oddsmaker(tables),
            dice_sets=sets,
            die_book=book,
            past=past,
            calibrator=wizard,
            keeper=Relocking(eye, shelf),
            club=links.club,
            pictures=gallery,
        )
        server = serve(app, door)
        parts.callback(server.stop)
        yield Box((host, port), room.code, table, eye, server, panel.factory, hands, troubles)


def _listening(plan: Plan) -> tuple[socket, tuple[str, ...]]:
    """The socket of the pages, and a sentence when it is not the one that was asked for. Raises `PortTaken`."""
    try:
        return listen(plan.host, plan.port), ()
    except PortTaken:
        if plan.spare_port is None:
            raise
        note = say(
            "Port {port} is not free: until the tray is started again its pages are at port {spare}.",
            port=plan.port,
            spare=plan.spare_port,
        )
        return listen(plan.host, plan.spare_port), (note,)


def url_of(reach: Reach, port: int) -> str:
    return f"http://{reach.address}:{port}" if reach.address else ""


def wifi_of(config: Config) -> Wifi | None:
    """The Wi-Fi that the owner shows to guests."""
    return Wifi(config.wifi_name, config.wifi_password or "", config.wifi_hidden) if config.wifi_name else None


def playing(view: View) -> bool:
    return view.game is not None and view.game.board.turn is not None


def game_of(view: View) -> str | None:
    """The id of the game on the table."""
    return view.game.id if view.game else None


def dice_set_of(eye: Eye, simulated: bool) -> str | None:
    """The set that the eye reads with, by the name of its files."""
    return Path(eye.profile).stem if eye.profile else SIMULATED_SET if simulated else None


def _profile(shelf: Shelf) -> tuple[str | None, str]:
    """The profile to read with. A set that was chosen on the page and cannot be used any more is named in a sentence,
    and the tray starts without it, so that the page can mend it."""
    chosen = shelf.chosen
    if chosen is None or chosen == shelf.fixed:
        return None if chosen is None else str(chosen), ""
    try:
        kept.load(chosen)
    except VisionError as error:
        return None, say("The dice set in use is not read with: {error}", error=str(error))
    return str(chosen), ""


def _trouble(text: str, troubles: "SimpleQueue[str]", table: Table) -> None:
    troubles.put(text)
    table.banner(text)


def _album(plan: Plan) -> Album:
    recent, kept = plan.recent_dir or plan.state_dir / "throws", plan.state_dir / "disputed"
    million = 1_000_000
    most = million * plan.config.recent_mb if plan.config.pictures else 0
    return Album(Rack(recent, most), Rack(kept, million * plan.config.disputed_mb, True))


def _pictured(album: Album, table: Table, pictures: Pictured) -> None:
    album.pictured(pictures)
    if any(pictures.closeups):
        table.closeups(Closeups(pictures.taken_ms, tuple(map(bool, pictures.closeups))))


def _held(room: Room, wizard: Calibrating) -> None:
    room.button_held()
    wizard.button_held()


def _roll_film(plan: Plan, journal: Journal, eye: Eye) -> None:
    if is_footage(plan.camera):
        note_start(journal, plan.camera, now_s := time.monotonic())
        eye.start_footage(now_s)
