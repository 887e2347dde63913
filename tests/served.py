"""A tray served over HTTP: real table, journal and waitress, and phones that ask; what the eye sees is told by hand."""

import http.client
import itertools
import json
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask
from patience import PATIENCE_S

from firmware import winning
from firmware.album import Album
from firmware.box import game_of
from firmware.gallery import Gallery
from firmware.journal import Journal
from firmware.past import Past
from firmware.rack import Rack
from firmware.room import Room
from firmware.set_cards import SetCards
from firmware.sets import Shelf
from firmware.table import Table
from firmware.table_rules import TableRules
from vision.happening import Happening
from vision.seen import SeenDie
from web.app import create_app
from web.ports import Calibrator, Club, DiceSets, DieBook, Oddsmaker
from web.serve import listen, serve
from web.site import Site
from web.stream import Timing

MEGABYTE = 1 << 20


@dataclass
class Fingers:
    """A simulated tray that only notes what was asked of it; what the eye sees is told by the tests."""

    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def busy(self) -> bool:
        return False

    def picture(self) -> bytes | None:
        return b"a picture"

    def throw(self, count: int, values: Sequence[int] | None = None, cocked: int = 0, coloured: bool = False) -> None:
        self.asked.append(("throw", count, values, cocked, *(["coloured"] if coloured else [])))

    def aside(self, dice: Sequence[int], coloured: bool = False) -> None:
        if 6 in dice:
            raise ValueError("No 6 lies in the tray.")
        self.asked.append(("aside", tuple(dice), *(["coloured"] if coloured else [])))

    def clear(self) -> None:
        self.asked.append(("clear",))

    def press(self, button: str, long: bool = False) -> None:
        self.asked.append(("press", button, long))

    def fault(self, kind: str, seconds: float) -> None:
        self.asked.append(("fault", kind, seconds))

    def dice_sets(self) -> tuple[str, ...]:
        return ("ivory", "green")

    def dice_set(self) -> str:
        return next((one[1] for one in reversed(self.asked) if one[0] == "use"), "ivory")

    def count(self) -> int:
        return 6

    def use(self, dice_set: str, count: int | None = None) -> None:
        self.asked.append(("use", dice_set, count))
        if count is not None and count > 12:
            raise ValueError("A set of the simulated tray has 1 to 12 dice.")

    def place(self) -> None:
        self.asked.append(("place",))

    def faults(self) -> tuple[str, ...]:
        return ("dead-camera", "glare")


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Phone:
    """A browser's side of HTTP: keeps its cookie."""

    port: int
    cookie: str = ""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            sent["Cookie"] = self.cookie
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as line:
            line.request(method, path, text, sent)
            reply = line.getresponse()
            found = Answer(reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read().decode())
        if "set-cookie" in found.headers:
            self.cookie = found.headers["set-cookie"].split(";")[0]
        return found

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def picture(self, path: str) -> bytes | None:
        """None when it is refused."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as line:
            line.request("GET", path, headers={"Cookie": self.cookie})
            reply = line.getresponse()
            found = reply.read()
        return found if reply.status == 200 else None

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("POST", f"/api/v1/{path}", {} if body is None else body, **headers)


@dataclass
class House:
    """A served tray and what stands around it."""

    app: Flask
    table: Table
    room: Room
    fingers: Fingers
    port: int
    album: Album

    def phone(self, name: str | None = None) -> Phone:
        phone = Phone(self.port)
        if name is not None:
            assert phone.post("join", {"code": self.room.code, "name": name}).status == 200
        return phone

    def settle(self, *values: int) -> None:
        """The eye reads a throw; its second is the number of the move that comes of it."""
        dice = tuple(SeenDie(value, 100.0 * k, 100.0, 50.0) for k, value in enumerate(values, start=1))
        before = self.table.view().rev
        with self.table.listen() as views:
            self.table.saw(Happening("settled", 1, before + 1.0, roll=before + 1, dice=dice, thrown=dice))
            while self.table.view().rev == before:
                assert views.get(5) is not None


def house_in(
    path: Path,
    parts: ExitStack,
    calibrator: Calibrator | None = None,
    dice_sets: DiceSets | None = None,
    die_book: DieBook | None = None,
    oddsmaker: Oddsmaker | None = None,
    club: Club | None = None,
    timing: Timing | None = None,
    threads: int = 8,
    user_timeout_ms: int = 20_000,
    **site: Any,
) -> House:
    names = itertools.count(1)
    journal, room = Journal(path / "stickman.db"), Room(path / "stickman.db")
    parts.callback(journal.close)
    parts.callback(room.close)
    rules = TableRules("farkle", path)
    album = Album(Rack(path / "throws", MEGABYTE), Rack(path / "disputed", MEGABYTE, True))
    album.start()
    parts.callback(album.stop)
    gallery = Gallery(album, path / "stickman.db")
    parts.callback(gallery.close)
    sock = listen("127.0.0.1", 0, user_timeout_ms)
    port = sock.getsockname()[1]
    table = Table(
        journal,
        rules.options_of,
        epoch="e",
        now=lambda: "2026-11-29",
        new_id=lambda: f"g{next(names)}",
        counted=album.counted,
        corrected=gallery.corrected,
        url=f"http://192.0.2.7:{port}",
    )
    table.start()
    parts.callback(table.stop)
    fingers = Fingers()
    simulated = site.pop("simulated", True)
    simulator = fingers if simulated else None
    past = Past(path / "stickman.db", winning.shipped, lambda: game_of(table.view()))
    parts.callback(past.close)
    app = create_app(
        table,
        room,
        rules,
        Site(**site),
        simulator,
        calibrator=calibrator,
        dice_sets=dice_sets or SetCards(Shelf(path)),
        die_book=die_book,
        oddsmaker=oddsmaker,
        past=past,
        club=club,
        pictures=gallery,
        timing=timing,
    )
    server = serve(app, sock, threads)
    parts.callback(server.wait)
    parts.callback(server.stop)
    return House(app, table, room, fingers, port, album)


def start(phone: Phone, *players: str) -> Any:
    found = phone.post("games", {"rules": "farkle", "players": list(players)})
    assert found.status == 200, found.text
    return found.json
