"""What systemd hears: ready, alive while all parts turn, stopping; one datagram each."""

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from served import House

from firmware import systemd
from firmware.heartbeat import Heartbeat, pages_answer


class Systemd:
    """A socket as systemd's."""

    def __init__(self, place: str) -> None:
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(place.replace("@", "\0", 1) if place.startswith("@") else place)
        self._line.settimeout(5)
        self.env = {"NOTIFY_SOCKET": place, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}

    def heard(self) -> str:
        return self._line.recv(4096).decode()

    def is_silent(self) -> bool:
        self._line.setblocking(False)
        try:
            self._line.recv(4096)
        except BlockingIOError:
            return True
        finally:
            self._line.settimeout(5)
        return False

    def close(self) -> None:
        self._line.close()


@pytest.fixture(params=["path", "abstract"])
def listening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    opened = Systemd(f"@{tmp_path}" if request.param == "abstract" else str(tmp_path / "notify"))
    yield opened
    opened.close()


def test_lines_go_in_one_datagram(listening: Systemd) -> None:
    systemd.tell(listening.env, "READY=1", "STATUS=http://192.0.2.7:80")
    assert listening.heard() == "READY=1\nSTATUS=http://192.0.2.7:80"


@pytest.mark.parametrize("env", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "/no/such/socket"}])
def test_where_nobody_listens_nothing_happens(env: dict[str, str]) -> None:
    systemd.tell(env, "READY=1")


@pytest.mark.parametrize(
    ("env", "waits_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),  # meant for another process
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdogs_patience_is_read(env: dict[str, str], waits_s: float | None) -> None:
    assert systemd.watchdog_s(env) == waits_s


def test_the_port_that_serves_is_noted_where_the_unit_looks_for_it(tmp_path: Path) -> None:
    systemd.note_port({"RUNTIME_DIRECTORY": f"{tmp_path}:/elsewhere"}, 8080)
    assert (tmp_path / "port").read_text() == "8080\n"
    systemd.note_port({}, 80)


def test_the_sign_is_given_four_times_as_often_as_needed(listening: Systemd) -> None:
    heart = Heartbeat({}, listening.env)
    assert heart.beat(100.0) is None
    assert listening.heard() == "WATCHDOG=1"
    heart.beat(104.9)
    assert listening.is_silent()
    heart.beat(105.0)
    assert listening.heard() == "WATCHDOG=1"


def test_a_part_that_hangs_is_named_and_no_sign_is_given(listening: Systemd) -> None:
    turns = {"well": True}
    heart = Heartbeat({"All is well.": lambda: True, "It hangs.": lambda: turns["well"]}, listening.env)
    heart.beat(0.0)
    listening.heard()
    turns["well"] = False
    assert heart.beat(5.0) == "It hangs."
    assert listening.is_silent()


def test_where_nobody_waits_no_part_is_asked() -> None:
    assert Heartbeat({"It hangs.": lambda: False}, {}).beat(0.0) is None


def test_the_table_turns_until_it_stops(house: House) -> None:
    assert house.table.turns(5.0)
    house.table.stop()
    assert not house.table.turns(0.05)


def test_pages_that_are_served_answer_and_others_do_not(house: House) -> None:
    assert pages_answer("127.0.0.1", house.port)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert not pages_answer("127.0.0.1", mute.getsockname()[1], timeout_s=0.1)
    assert not pages_answer("127.0.0.1", 1)


def test_a_tray_tells_systemd_that_it_is_ready_alive_and_stopping(
    trays: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening = Systemd(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", listening.env["NOTIFY_SOCKET"])
    monkeypatch.setenv("WATCHDOG_USEC", "2000000")
    tray = trays(tmp_path / "state", "--simulated", "--seed", "7")
    listening._line.settimeout(60)
    assert listening.heard() == f"READY=1\nSTATUS={tray.url}"
    assert listening.heard() == "WATCHDOG=1"
    closing = threading.Thread(target=tray.close)
    closing.start()
    while (said := listening.heard()) == "WATCHDOG=1":
        pass
    assert said == "STOPPING=1"
    closing.join(20)
    listening.close()
