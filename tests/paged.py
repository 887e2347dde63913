"""A table served without an eye, whose tests tell what is seen; and phones that look at it in a real Chromium."""

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.request import urlopen

from patience import PATIENCE_MS
from sets_of_dice import kept

from firmware.journal import Journal
from firmware.oddsmaker import Oddsmaker
from firmware.room import Room
from firmware.set_cards import SetCards
from firmware.sets import Shelf
from firmware.table import Table
from firmware.table_rules import TableRules
from firmware.winning import Tables
from vision.happening import Happening
from vision.seen import Doubt, SeenDie
from web.app import create_app
from web.commands import Newcomer, NewGame
from web.serve import Server, listen, serve
from web.site import Site
from web.stream import Timing

COLOURS = ("red", "ivory", "blue", "green", "black", "yellow")


def dice(*values: int | None, zone: Any = "tray", y: float = 500.0) -> tuple[SeenDie, ...]:
    return tuple(
        SeenDie(value, 150.0 + 150 * k, y, 60.0, 12.0 * k, COLOURS[k], zone, state="flat" if value else "cocked")
        for k, value in enumerate(values)
    )


@dataclass
class Clock:
    """Seconds; put forward, phones were last heard of so much longer ago."""

    ahead_s: float = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead_s


@dataclass
class House:
    """A served table. What the eye sees is told by the tests."""

    table: Table
    room: Room
    rules: TableRules
    server: Server
    url: str
    fingers: "Fingers"
    reopen: Callable[[], None]
    clock: Clock
    rolls: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def join_url(self) -> str:
        return f"{self.url}/join#{self.room.code}"

    def see(self, kind: Any, *seen: SeenDie, doubts: tuple[Doubt, ...] = (), roll: int | None = None) -> None:
        thrown = tuple(die for die in seen if die.zone == "tray") if roll else ()
        self.table.saw(Happening(kind, 1, 1.0, roll=roll, dice=seen, thrown=thrown, doubts=doubts))

    def throw(self, *values: int) -> None:
        self.see("rolling")
        self.see("settled", *dice(*values), roll=next(self.rolls))

    def streams(self) -> int:
        with urlopen(f"{self.url}/healthz") as answer:
            return int(json.load(answer)["streams"])

    def start(self, *names: str, rules: Any = "farkle") -> None:
        self.table.ask(NewGame(rules, tuple(Newcomer(name) for name in names)))


@dataclass
class Fingers:
    """Hands and fingers at a tray whose pictures are skipped: the table is told at once what an eye would see."""

    house: House | None = None
    rail: list[int] = field(default_factory=list)
    lying: list[int] = field(default_factory=list)
    presses: list[tuple[str, bool]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    coloured: bool = False
    used: list[str] = field(default_factory=list)

    def busy(self) -> bool:
        return False

    def picture(self) -> bytes | None:
        return None

    def throw(self, count: int, values: Sequence[int] | None = None, cocked: int = 0, coloured: bool = False) -> None:
        assert self.house is not None
        self.coloured = coloured
        self.lying = list(values or [1, 5, 1, 1, 1, 1][:count])
        self.house.see("rolling")
        shown = [None] * cocked + self.lying[cocked:]
        doubts = (Doubt("cocked", 150, 500, "One die is leaning: nudge it, or tap its value."),) if cocked else ()
        self.house.see("unsure" if cocked else "settled", *self._all(shown), roll=next(self.house.rolls), doubts=doubts)

    def aside(self, moved: Sequence[int], coloured: bool = False) -> None:
        assert self.house is not None
        self.coloured = coloured
        for value in moved:
            self.lying.remove(value)
        self.rail += moved
        self.house.see("removed", *self._all(self.lying))

    def clear(self) -> None:
        assert self.house is not None
        self.rail, self.lying = [], []
        self.house.see("empty")

    def press(self, button: str, long: bool = False) -> None:
        self.presses.append((button, long))

    def fault(self, kind: str, seconds: float) -> None:
        self.failed.append(f"{kind} {seconds:g}")

    def dice_sets(self) -> tuple[str, ...]:
        return ("ivory", "green")

    def dice_set(self) -> str:
        return "ivory"

    def count(self) -> int:
        return 6

    def use(self, dice_set: str, count: int | None = None) -> None:
        self.used.append(f"{dice_set} {count}")

    def place(self) -> None:
        self.throw(6)

    def faults(self) -> tuple[str, ...]:
        return ("dead-camera",)

    def _all(self, lying: Sequence[int | None]) -> tuple[SeenDie, ...]:
        return dice(*lying) + dice(*self.rail, zone="rail", y=80.0)


@contextmanager
def house_in(tmp_path: Path) -> Iterator[House]:
    with ExitStack() as parts:
        names = itertools.count(1)
        journal, room = Journal(tmp_path / "stickman.db"), Room(tmp_path / "stickman.db")
        parts.callback(journal.close)
        parts.callback(room.close)
        rules = TableRules("farkle", tmp_path)
        shelf = Shelf(tmp_path)
        for name in ("Ivory dice", "Grandmother's translucent dice from Reno"):
            for made in ("2026-05-03", "2026-06-04"):
                shelf.keep(kept(made=made), name)
        table = Table(
            journal,
            rules.options_of,
            epoch="e",
            now=lambda: "2026",
            new_id=lambda: f"g{next(names)}",
            presets=rules.names,
            mode_held=room.button_held,
        )
        table.start()
        parts.callback(table.stop)
        fingers, clock = Fingers(), Clock()
        tables = Tables(tmp_path)
        parts.callback(tables.close)

        def serving(port: int) -> tuple[Server, str]:
            sock = listen("127.0.0.1", port)
            url = f"http://127.0.0.1:{sock.getsockname()[1]}"
            table.reached(url)
            site = Site(simulated=True)
            timing, dice_sets = Timing(beat_s=1.0, now=clock), SetCards(shelf)
            odds = Oddsmaker(tables)
            app = create_app(table, room, rules, site, fingers, timing=timing, dice_sets=dice_sets, oddsmaker=odds)
            return serve(app, sock, 16), url

        def reopen() -> None:
            here.server, _ = serving(int(here.url.rpartition(":")[2]))

        server, url = serving(0)
        here = House(table, room, rules, server, url, fingers, reopen, clock)
        fingers.house = here
        here.see("empty")
        yield here
        here.server.stop()
        assert here.server.wait()


class Served(Protocol):
    """What phones find: a `House`, or the real program."""

    @property
    def url(self) -> str: ...

    @property
    def join_url(self) -> str: ...


@contextmanager
def phones(chromium: Any, house: Served) -> Iterator[Callable[..., Any]]:
    """A phone of its own; given a name it has taken a seat through the join page. Anything on its console fails."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def new(name: str = "", path: str = "/", **options: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 360, "height": 740}} | options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if "Content Security" in line.text else None)
        page.goto(house.join_url if name else f"{house.url}{path}")
        if name:
            page.get_by_label("Your name").fill(name)
            page.get_by_role("button", name="Sit down").click()
            page.wait_for_url("**/play")
        return page

    yield new
    for context in contexts:
        context.close()
    assert complaints == []


def says(page: Any, selector: str, text: str, within_ms: float = PATIENCE_MS) -> None:
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_contain_text(text, timeout=within_ms)


def reach(page: Any, name: str) -> None:
    """Tab until the control called `name` has the focus, and is seen to have it."""
    for _ in range(60):
        page.keyboard.press("Tab")
        label, outline = page.evaluate(
            "(() => { const e = document.activeElement;"
            " return [e.getAttribute('aria-label') || e.innerText, getComputedStyle(e).outlineStyle] })()"
        )
        if label.strip() == name:
            assert outline != "none"
            return
    raise AssertionError(f"the keyboard does not reach {name!r}")


def until(true: Callable[[], bool]) -> None:
    waiting = threading.Event()
    for _ in range(500):
        if true():
            return
        waiting.wait(0.02)
    raise AssertionError("it never came true")
