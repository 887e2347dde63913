"""Two hundred phones at one tray: `stickman run --simulated` with its eye at work and dice thrown, and a crowd that
follows. Figures are for people; nothing is judged."""

import contextlib
import http.client
import json
import os
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from crowd import waits

ROOT = Path(__file__).parents[1]
STREAMS, POLLERS, STALLED = 200, 20, 20
PATHS = ("/events?board=play", "/events?board=play", "/events?board=tv", "/events")
PLAY_S = 60.0
SETTLE_S = 3.0


class Tray:
    """The real program, and a phone that plays on it."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "firmware", "run", "--simulated", "--host", "127.0.0.1", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--seed", "5", "--state-dir", str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert self._process.stdout is not None
        ready = next(line for line in self._process.stdout if line.startswith("ready "))
        self.url, _, self.code = ready.split()[1].partition("/join#")
        self.port, self.pid = int(self.url.rpartition(":")[2]), self._process.pid
        self._database = folder / "stickman.db"
        self._cookie = ""

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as line:
            headers = {"Content-Type": "application/json", "Cookie": self._cookie}
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            text = answer.read()
            self._cookie = (answer.headers["Set-Cookie"] or self._cookie).split(";")[0]
        return json.loads(text) if text.startswith(b"{") else None

    def text(self, path: str) -> str:
        return self.sent("GET", path).decode(errors="replace")

    def sent(self, method: str, path: str, zipped: bytes | None = None) -> bytes:
        """What comes back for a page, or for a .zip that is sent."""
        headers = {"Cookie": self._cookie} | ({} if zipped is None else {"Content-Type": "application/zip"})
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as line:
            line.request(method, path, zipped, headers)
            return line.getresponse().read()

    def rev(self) -> int:
        return int(self.ask("GET", "/api/v1/state")["rev"])

    def until(self, true: Callable[[Any], object], timeout_s: float = 30) -> None:
        """Until the state is so, or for so long."""
        ends = time.monotonic() + timeout_s
        while time.monotonic() < ends and not true(self.ask("GET", "/api/v1/state")):
            time.sleep(0.05)

    def post(self, path: str, body: Any = None) -> Any:
        return self.ask("POST", f"/api/v1/{path}", {} if body is None else body)

    def play(self, seconds: float) -> None:
        """Games one after another: throw what scores, set it aside, bank, and again."""
        self.post("join", {"code": self.code, "name": "Ann"})
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            state = self.ask("GET", "/api/v1/state")
            turn = state["game"] and state["game"]["turn"]
            if not turn:
                self.post("games", {"players": ["Ann", "Bo"]})
            elif turn["throw"] is None:
                self._throw(state["rev"], [1, 1, 5, 3, 4, 6][: turn["dice_left"]])
            elif not turn["aside"]:
                self.post("games/current/keep", {"dice": turn["options"][0]["dice"]})
            else:
                self.post("games/current/bank")

    def _throw(self, rev: int, values: Sequence[int]) -> None:
        self.post("sim/throw", {"values": values})
        self.until(lambda state: state["rev"] != rev, 20)

    def written(self) -> dict[int, float]:
        """The moves of the journal: their rev, and the wall time that was noted before each was written."""
        with contextlib.closing(sqlite3.connect(self._database)) as database:
            rows = database.execute("SELECT seq, at FROM moves").fetchall()
        return {seq: datetime.fromisoformat(at).timestamp() for seq, at in rows}

    def memory_mb(self) -> float:
        """What this process alone holds."""
        lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024

    def stop(self) -> float:
        """Seconds from SIGTERM to the end."""
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)
        return time.monotonic() - began


@contextlib.contextmanager
def crowd(tray: Tray, streams: int, pollers: int, stalled: int) -> Iterator[dict[str, Any]]:
    """A crowd in a process of its own while the block runs; what it saw is in the table afterwards."""
    numbers = ["--streams", str(streams), "--pollers", str(pollers), "--stalled", str(stalled)]
    process = subprocess.Popen(
        [sys.executable, ROOT / "tests" / "crowd.py", str(tray.port), *numbers, "--paths", *PATHS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    seen: dict[str, Any] = {}
    yield seen
    seen |= json.loads(process.communicate("")[0])


def pages(tray: Tray, spent: list[float], stop: threading.Event) -> None:
    while not stop.wait(0.25):
        began = time.perf_counter()
        tray.ask("GET", "/")
        spent.append(1000 * (time.perf_counter() - began))


def main() -> None:
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for stalled in (0, STALLED):
        with tempfile.TemporaryDirectory() as folder:
            evening(Tray(Path(folder)), stalled)


def evening(tray: Tray, stalled: int) -> None:
    # One page of each kind has been looked at: what it takes to draw one is not what a crowd takes.
    with crowd(tray, len(PATHS), 0, 0):
        tray.play(8)
    before = tray.memory_mb()
    spent: list[float] = []
    stop = threading.Event()
    looker = threading.Thread(target=pages, args=(tray, spent, stop))
    # Those who poll are a process of their own: in Python they would keep those who listen from noting what they hear.
    with crowd(tray, STREAMS, 0, stalled) as seen, crowd(tray, 0, POLLERS, 0) as polled:
        time.sleep(SETTLE_S)
        first = max(tray.written(), default=0)
        looker.start()
        tray.play(PLAY_S)
        time.sleep(SETTLE_S)
        after = tray.memory_mb()
        stop.set()
        looker.join()
    with crowd(tray, STREAMS, 0, 0) as _:
        time.sleep(SETTLE_S)
        ended = tray.stop()
    written = {rev: at for rev, at in tray.written().items() if rev > first}
    came = [{int(seq): tuple(each) for seq, each in stream.items()} for stream in seen["came"]]
    took = sorted(1000 * wait for wait in waits(came, written))
    states = max(map(len, came))
    print(f"-- {STREAMS} streams, {POLLERS} pollers, {stalled} that never read")
    lost = len(written) * STREAMS - len(took)
    print(f"states: {states}, moves: {len(written)}; lost: {seen['gaps']} states, {lost} moves")
    print(f"streams closed by the tray: {seen['ended']}")
    print(f"journal write -> client: {spread(took)}")
    print(f"scoreboard page meanwhile: {spread(sorted(spent))}")
    print(f"polls: {spread(sorted(1000 * took for _, took in polled['polls']))}")
    print(f"memory: {before:.1f} MB before, {after - before:+.1f} MB with the crowd")
    print(f"SIGTERM with {STREAMS} streams: {ended:.1f} s")


def spread(spent: Sequence[float]) -> str:
    """In milliseconds, sorted before."""
    if not spent:
        return "none"
    p99 = spent[int(0.99 * (len(spent) - 1))]
    return f"median {statistics.median(spent):.0f} ms, 99 % {p99:.0f} ms, largest {spent[-1]:.0f} ms ({len(spent)})"


if __name__ == "__main__":
    main()
