"""News posted to a real HTTP server: signed, tried again, never in the way; and lights that follow the panel."""

import http.server
import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from a_table import begin, eventually, settle, table_in

from firmware.integrations.lights import BLINK, SOLID, Lights, state
from firmware.integrations.settings import Hook
from firmware.integrations.webhook import NAME, SIGNATURE, STAMP, WAITING, Webhook, signature
from firmware.table import Table
from vision.happening import Happening
from web.commands import Bank
from web.cues import LASTING, MOMENTS

NOW_S = 1_764_500_000.25
TRAY = "Table one"


class Receiver:
    """Answers with `answers` one after another, then with 204 for ever; a number of seconds keeps it waiting."""

    def __init__(self, *answers: int | float) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers = list(answers)
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                answer = receiver.answers.pop(0) if receiver.answers else 204
                if isinstance(answer, float):
                    receiver.released.wait(answer)
                    answer = 204
                self.send_response(answer)
                if answer == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Quiet."""

        self.released = threading.Event()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/news"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def events(self) -> list[Any]:
        return [json.loads(body) for _, _, body in self.got]

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def table(tmp_path: Path, parts: ExitStack) -> Table:
    found = table_in(tmp_path, parts)
    begin(found, "Ann", "Bo")
    return found


def receiver(parts: ExitStack, *answers: int | float) -> Receiver:
    found = Receiver(*answers)
    parts.callback(found.close)
    return found


def hooked(parts: ExitStack, table: Table, url: str, secret: bytes = b"") -> Webhook:
    hook = Webhook(Hook(url, secret), table, lambda: NOW_S, TRAY, again_s=(0.01, 0.01, 0.01))
    parts.callback(hook.stop)
    hook.start()
    assert eventually(lambda: hook._before is not None)
    return hook


def test_what_happens_is_posted_in_order(table: Table, parts: ExitStack) -> None:
    server = receiver(parts)
    hook = hooked(parts, table, server.url)
    settle(table, 1, 1, 1, 2, 3, 4)
    table.ask(Bank())
    settle(table, 2, 2, 3, 3, 4, 6)
    assert eventually(lambda: len(server.got) == 4)
    assert [one["event"] for one in server.events()] == ["roll", "banked", "roll", "farkle"]
    first = server.events()[0]
    assert first | {"tray": TRAY, "player": "Ann", "values": [1, 1, 1, 2, 3, 4], "at": NOW_S} == first
    path, headers, _ = server.got[0]
    assert (path, headers["content-type"], headers[NAME.lower()]) == ("/news", "application/json", "roll")
    assert SIGNATURE.lower() not in headers
    assert eventually(lambda: hook.check().ok)


def test_it_is_signed_over_time_and_body(table: Table, parts: ExitStack) -> None:
    server = receiver(parts)
    hooked(parts, table, server.url, b"our secret")
    settle(table, 1, 1, 1, 2, 3, 4)
    assert eventually(lambda: server.got)
    _, headers, body = server.got[0]
    assert headers[STAMP.lower()] == "1764500000"
    assert headers[SIGNATURE.lower()] == signature(b"our secret", "1764500000", body)
    # printf '1.{}' | openssl dgst -sha256 -hmac key
    assert signature(b"key", "1", b"{}") == "sha256=1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224"


def test_a_receiver_in_trouble_is_tried_three_times_more(table: Table, parts: ExitStack) -> None:
    server = receiver(parts, 500, 503, 429)
    hook = hooked(parts, table, server.url)
    settle(table, 1, 1, 1, 2, 3, 4)
    assert eventually(lambda: len(server.got) == 4)
    assert len({body for _, _, body in server.got}) == 1
    assert eventually(lambda: hook.check().ok)


def test_after_that_the_next_news_are_told(table: Table, parts: ExitStack) -> None:
    server = receiver(parts, 500, 500, 500, 500)
    hook = hooked(parts, table, server.url)
    settle(table, 1, 1, 1, 2, 3, 4)
    assert eventually(lambda: "answered 500" in hook.check().text and len(server.got) == 4)
    table.ask(Bank())
    assert eventually(lambda: len(server.got) == 5)
    assert server.events()[4]["event"] == "banked"


@pytest.mark.parametrize("answer", [400, 404, 302])
def test_what_is_refused_for_good_is_not_tried_again_and_not_sent_elsewhere(
    table: Table, parts: ExitStack, answer: int
) -> None:
    server = receiver(parts, answer)
    hook = hooked(parts, table, server.url)
    settle(table, 1, 1, 1, 2, 3, 4)
    assert eventually(lambda: f"answered {answer}" in hook.check().text)
    table.ask(Bank())
    assert eventually(lambda: len(server.got) == 2)
    assert [one["event"] for one in server.events()] == ["roll", "banked"]
    assert {path for path, *_ in server.got} == {"/news"}


def test_a_receiver_that_is_not_there_or_hangs_stops_nobody(table: Table, parts: ExitStack) -> None:
    server = receiver(parts, *[60.0] * 10)
    hook = hooked(parts, table, server.url)
    for _ in range(WAITING):
        settle(table, 2, 2, 3, 3, 4, 6)
    assert eventually(lambda: len(hook._waiting) == WAITING)
    begun_s = time.monotonic()
    hook.stop()
    assert time.monotonic() - begun_s < 10


def test_the_secret_is_in_no_log_and_no_sentence(
    table: Table, parts: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server = receiver(parts, 404)
    hook = hooked(parts, table, server.url, b"hunter2")
    settle(table, 1, 1, 1, 2, 3, 4)
    assert eventually(lambda: not hook.check().ok)
    assert "hunter2" not in caplog.text + repr(hook._hook) + hook.check().text
    assert not hook.check().needed


def shining(parts: ExitStack, table: Table, server: Receiver) -> Lights:
    lights = Lights(server.url.removesuffix("/news"), table)
    parts.callback(lights.stop)
    lights.start()
    return lights


def test_lights_show_a_moment_and_then_what_lasts(
    table: Table, parts: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = receiver(parts)
    monkeypatch.setattr("firmware.integrations.lights.played", lambda _: ())
    lights = shining(parts, table, server)
    assert eventually(lambda: len(server.got) == 1)
    monkeypatch.undo()
    settle(table, 2, 2, 3, 3, 4, 6)
    assert eventually(lambda: len(server.got) == 3)
    assert server.events() == [
        state(LASTING["camera-lost"], SOLID),
        state(MOMENTS["farkle"], BLINK),
        state(LASTING["throw"], SOLID),
    ]
    assert {path for path, *_ in server.got} == {"/json/state"}
    assert lights.check().ok


def test_lights_keep_still_while_dice_move_and_are_read(table: Table, parts: ExitStack) -> None:
    server = receiver(parts)
    shining(parts, table, server)
    assert eventually(lambda: len(server.got) == 1)
    table.saw(Happening("empty", 1, 1.0))
    assert eventually(lambda: len(server.got) == 2)
    for kind in ("hand", "rolling", "settling"):
        table.saw(Happening(kind, 2, 2.0))
        assert eventually(lambda kind=kind: table.view().eye.state == kind)
    settle(table, 1, 1, 1, 2, 3, 4)
    assert eventually(lambda: len(server.got) == 3)
    assert server.events()[2] == state(MOMENTS["scored"], BLINK)


def test_lights_that_do_not_answer_are_said_and_stop_nobody(table: Table, parts: ExitStack) -> None:
    server = receiver(parts)
    lights = shining(parts, table, server)
    assert eventually(lambda: len(server.got) == 1)
    server.close()
    for _ in range(3):
        settle(table, 2, 2, 3, 3, 4, 6)
    assert eventually(lambda: "do not answer" in lights.check().text)
    assert not lights.check().needed
