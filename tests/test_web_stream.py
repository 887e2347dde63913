"""The event stream over real sockets: snapshot, ids, resume, beat, caps, and the end."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from patience import PATIENCE_S

from firmware import rulebook
from firmware.journal import Journal
from firmware.room import Room
from firmware.table import Table
from firmware.table_rules import TableRules
from speech.catalogue import ENGLISH
from web import stream
from web.app import create_app, streams_of
from web.commands import Newcomer, NewGame
from web.held import Line
from web.render import Texts
from web.serve import Server, listen, serve
from web.site import Site
from web.voices import Plain

CAP = 3
JSON = {"Content-Type": "application/json"}


@dataclass
class Event:
    name: str
    id: str | None
    data: Any
    comment: str | None = None
    retry: str | None = None


class Stream:
    """One open stream, read line by line as it comes."""

    def __init__(self, port: int, path: str = "/events", **headers: str) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._line.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        self.reply = self._line.getresponse()
        assert self.reply.status == 200

    def block(self) -> dict[str, str] | None:
        """The fields up to the next empty line; None at the end of the stream."""
        fields: dict[str, str] = {}
        while True:
            text = self.reply.readline().decode()
            if text in ("", "\n"):
                return fields if text else None
            name, _, value = text.rstrip("\n").partition(":")
            fields[name or "comment"] = value.strip()

    def event(self, *names: str) -> dict[str, Any]:
        """The next event, or the next of those named, with its data decoded."""
        while True:
            found = self.block()
            assert found is not None, "the stream has ended"
            if "event" in found and (not names or found["event"] in names):
                return found | {"data": json.loads(found["data"])}

    def rest(self) -> str:
        return self.reply.read().decode()

    def close(self) -> None:
        self.reply.close()
        self._line.close()


@dataclass
class Clock:
    """Seconds; a test may put it ahead."""

    ahead_s: float = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead_s


@dataclass
class House:
    app: Flask
    clock: Clock
    table: Table
    streams: stream.Streams
    server: Server
    port: int
    code: str
    open: Callable[..., Stream]

    def change(self, text: str) -> None:
        self.table.banner(text)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with ExitStack() as parts:
        journal, room = Journal(tmp_path / "stickman.db"), Room(tmp_path / "stickman.db")
        parts.callback(journal.close)
        parts.callback(room.close)
        table = Table(journal, rulebook.options_of, epoch="e-1", now=lambda: "2026-11-29", new_id=lambda: "g")
        table.start()
        parts.callback(table.stop)
        sock = listen("127.0.0.1", 0)
        port = sock.getsockname()[1]
        clock = Clock()
        timing = stream.Timing(beat_s=0.05, now=clock)
        app = create_app(
            table,
            room,
            TableRules("farkle", tmp_path),
            Site(max_streams=CAP),
            timing=timing,
        )
        server = serve(app, sock, threads=3)
        parts.callback(server.wait)
        parts.callback(server.stop)

        def open_stream(path: str = "/events", **headers: str) -> Stream:
            opened = Stream(port, path, **headers)
            parts.callback(opened.close)
            return opened

        yield House(app, clock, table, streams_of(app), server, port, room.code, open_stream)


def test_a_stream_begins_with_how_to_come_back_and_the_whole_state(house: House) -> None:
    opened = house.open()
    assert opened.reply.headers["Content-Type"].startswith("text/event-stream")
    assert "no-cache" in opened.reply.headers["Cache-Control"]
    assert "no-transform" in opened.reply.headers["Cache-Control"]
    assert opened.block() == {"retry": "2000"}
    first = opened.event()
    assert first["event"] == "snapshot"
    view = house.table.view()
    assert first["id"] == f"e-1-{view.seq}"
    assert first["data"]["rev"] == view.rev


def test_every_change_follows_in_order_with_its_id(house: House) -> None:
    opened = house.open()
    seq = int(opened.event("snapshot")["id"].rpartition("-")[2])
    for number in range(5):
        house.change(f"Banner {number}")
    for number in range(5):
        found = opened.event("state")
        assert found["id"] == f"e-1-{seq + number + 1}"
        assert len(found["data"]["banners"]) == number + 1


def test_the_stream_and_the_api_tell_the_same(house: House) -> None:
    opened = house.open()
    opened.event("snapshot")
    house.table.ask(NewGame("farkle", (Newcomer("Ann"), Newcomer("Bo"))))
    told = opened.event("state")["data"]
    with closing(http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE_S)) as line:
        line.request("GET", "/api/v1/state")
        assert json.loads(line.getresponse().read()) == told


@pytest.mark.parametrize("how", ["header", "query"])
def test_a_phone_that_comes_back_gets_what_it_missed(house: House, how: str) -> None:
    first = house.open()
    last = first.event("snapshot")["id"]
    first.close()
    house.change("One")
    house.change("Two")
    flush(house)
    opened = house.open(Last_Event_ID=last) if how == "header" else house.open(f"/events?last={last}")
    assert [opened.event("state", "snapshot")["event"] for _ in range(2)] == ["state", "state"]


@pytest.mark.parametrize(
    "last", ["e-0-1", "e-1-999", "e-1-", "e-1--1", "e-1-%C2%B2", "e-1-" + "9" * 5000, "nonsense", ""]
)
def test_an_id_of_another_run_or_none_of_ours_gets_the_whole_state(house: House, last: str) -> None:
    assert house.open(f"/events?last={last}").event("snapshot", "state")["event"] == "snapshot"


def test_what_is_no_longer_held_is_replaced_by_the_whole_state(house: House) -> None:
    last = house.open().event("snapshot")["id"]
    for number in range(300):
        house.table.eye_size(100 + number, 100)
    flush(house)
    assert house.open(f"/events?last={last}").event("snapshot", "state")["event"] == "snapshot"


def test_a_phone_that_missed_nothing_hears_at_once_that_all_is_well(house: House) -> None:
    last = house.open().event("snapshot")["id"]
    assert house.open(f"/events?last={last}").event()["event"] == "beat"


def test_a_beat_keeps_coming_for_proxies_and_pages(house: House) -> None:
    opened = house.open()
    opened.event("snapshot")
    for _ in range(2):
        found = opened.block()
        assert found is not None
        assert (found["comment"], found["event"], found["data"]) == ("beat", "beat", str(house.table.view().seq))
        assert "id" not in found


def test_over_the_cap_a_phone_gets_the_state_and_comes_back_later(house: House) -> None:
    held = [house.open() for _ in range(CAP)]
    for opened in held:
        opened.event("snapshot")
    answer = house.open().rest()
    assert answer.startswith("retry: 3000\n")
    assert "event: snapshot\n" in answer
    with closing(http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE_S)) as line:
        line.request("GET", "/api/v1/state")
        assert line.getresponse().status == 200
    held[0].close()
    until(lambda: house.streams.count() < CAP)
    assert house.open().event()["event"] == "snapshot"


class Anybody:
    """A line that never ends."""

    alive = True


def test_one_address_cannot_take_all_streams(house: House) -> None:
    streams = stream.Streams(100, house.table, lambda _: None, stream.Timing())
    voice = Plain(Texts(), ENGLISH)

    def enter(address: str) -> Any:
        return streams.enter(cast(Line, Anybody()), address, voice, None)

    taken = [enter("192.0.2.9") for _ in range(7)]
    assert [one is not None for one in taken] == [True] * 6 + [False]
    assert enter("192.0.2.10")
    assert all(enter("127.0.0.1") for _ in range(20))
    taken[0].line.alive = False
    assert enter("192.0.2.9")


def test_a_stream_that_nobody_reads_any_more_gives_its_place_back(house: House) -> None:
    with socket.create_connection(("127.0.0.1", house.port)) as line:
        line.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(10)
        assert house.streams.count() == 1
    until(lambda: house.streams.count() == 0)


def test_one_who_asks_more_over_a_stream_and_leaves_gives_its_place_back(house: House) -> None:
    with socket.create_connection(("127.0.0.1", house.port)) as line:
        line.sendall(
            b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n" + 2 * b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        until(lambda: house.streams.count() == 1)
        assert line.recv(10)
    until(lambda: house.streams.count() == 0)


def test_the_pages_of_a_phone_hear_that_its_seats_are_others_now(house: House) -> None:
    def joined() -> str:
        with closing(http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE_S)) as line:
            line.request("POST", "/api/v1/join", json.dumps({"code": house.code, "name": "Ann"}), JSON)
            return str(line.getresponse().headers["Set-Cookie"]).split(";")[0]

    cookie = joined()
    mine, other = house.open(Cookie=cookie), house.open()
    for opened in (mine, other):
        opened.event("snapshot")
    with closing(http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE_S)) as line:
        line.request("POST", "/api/v1/leave", "{}", JSON | {"Cookie": cookie})
        assert line.getresponse().status == 204
    assert mine.event("seats")["data"] is True
    house.change("One")
    assert other.event("seats", "state")["event"] == "state"


def test_asking_only_for_the_head_takes_no_place(house: House) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE_S)) as line:
        line.request("HEAD", "/events")
        assert line.getresponse().status == 200
    until(lambda: house.streams.count() == 0)


def test_a_stream_ends_after_its_time_so_that_nothing_grows_old(house: House) -> None:
    house.clock.ahead_s = 0.0
    opened = house.open()
    opened.event("snapshot")
    house.clock.ahead_s = 1e6
    assert "snapshot" not in opened.rest()
    until(lambda: house.streams.count() == 0)
    assert house.open().event()["event"] == "snapshot"


def test_a_server_that_cannot_hold_an_answer_gives_the_state_and_when_to_come_back(house: House) -> None:
    body = house.app.test_client().get("/events").get_data(as_text=True)
    assert body.startswith("retry: 3000\nid: e-1-")


def test_stopping_ends_all_streams_and_frees_the_port(house: House) -> None:
    held = [house.open() for _ in range(CAP)]
    for opened in held:
        opened.event("snapshot")
    house.server.stop()
    assert house.server.wait(3.0)
    for opened in held:
        assert "snapshot" not in opened.rest()
    listen("127.0.0.1", house.port).close()


def test_a_failure_in_telling_ends_the_streams_and_those_that_come_back_are_told(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    line = house.open()
    line.event("snapshot")
    with monkeypatch.context() as broken:
        broken.setattr(Plain, "next", lambda *_: 1 / 0)
        house.change("The disk is full")
        line.rest()
    assert "ZeroDivisionError" in caplog.text
    again = house.open()
    assert again.event("snapshot")["data"]["banners"] == ["The disk is full"]
    house.change("The lamp is off")
    assert "The lamp is off" in again.event("state")["data"]["banners"]


def test_the_table_stopping_ends_all_streams(house: House) -> None:
    opened = house.open()
    opened.event("snapshot")
    house.table.stop()
    opened.rest()
    until(lambda: house.streams.count() == 0)


def flush(house: House) -> None:
    """Wait until the table has taken all that was told so far."""
    house.table.banner("flushed")
    until(lambda: "flushed" in house.table.view().banners)


def until(true: Callable[[], bool]) -> None:
    waiting = threading.Event()
    for _ in range(500):
        if true():
            return
        waiting.wait(0.01)
    raise AssertionError("it never came true")
