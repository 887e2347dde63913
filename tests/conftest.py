"""Fixtures that many tests share: a running tray, a real Chromium and its pages."""

import contextlib
import fcntl
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browser
import paged
import pytest
from hypothesis import HealthCheck, settings
from patience import PATIENCE_MS, PATIENCE_S
from rendered import Rendered
from served import House, house_in

from firmware.link import Job
from firmware.looking import load_profile

# No test fails for the time it takes: machines that run tests are shared.
settings.register_profile("usual", deadline=None)
# A gate must say the same of the same code; new examples are looked for wherever people run the suite.
settings.register_profile("gate", parent=settings.get_profile("usual"), derandomize=True)
# An emulator takes seconds for what a machine does in a blink.
settings.register_profile("emulated", parent=settings.get_profile("gate"), suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gate" if os.environ.get("CI") else "usual")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", help="a folder for pictures of every page in every state (make pictures)")
    parser.addoption("--on-arm", default="", help="names of test files to run on ARM in place of what may differ there")
    parser.addoption("--speaking", default="en", help="the language of these pages: en, de, es")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running Chromium, or a skip that names the missing command."""
    path = browser.found()
    if path is None:
        pytest.skip("the command 'chromium' is missing: apt-get install chromium")
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE_MS)
    with browser.launched(path) as chromium:
        yield chromium


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A page of its own context (its own cookies), phone sized."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


class Tray:
    """`stickman run` as its owner starts it, and its HTTP side as a phone uses it."""

    def __init__(self, state_dir: Path, *arguments: str) -> None:
        self.state_dir = state_dir
        command = [sys.executable, "-m", "firmware", "run", "--host", "127.0.0.1", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--state-dir", str(state_dir), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []
        self._ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.cookie = ""
        if not self._ready.wait(PATIENCE_S) or not self.ready:
            error = self._error()
            raise AssertionError(f"the tray did not get ready: {error}")
        self.url, _, rest = self.ready.removeprefix("ready ").partition("/join#")
        self.code = rest.strip()
        self.port = int(self.url.rpartition(":")[2])

    @property
    def join_url(self) -> str:
        return f"{self.url}/join#{self.code}"

    @property
    def ready(self) -> str:
        return next((line for line in self.lines if line.startswith("ready ")), "")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if line.startswith("ready "):
                self._ready.set()
        self._ready.set()

    def _error(self) -> str:
        self.process.kill()
        _, error = self.process.communicate()
        return error

    def call(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, Any]:
        """Status and decoded JSON of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        if method == "POST":
            headers["Idempotency-Key"] = key or uuid.uuid4().hex
        with contextlib.closing(connection):
            connection.request(method, path, json.dumps(body or {}) if method == "POST" else None, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            cookie = answer.headers.get("Set-Cookie")
            if cookie:
                self.cookie = cookie.split(";")[0]
        return answer.status, json.loads(text) if text.startswith(("{", "[")) else text

    def post(self, path: str, body: Any = None) -> Any:
        status, answer = self.call("POST", f"/api/v1/{path}", body)
        assert status < 300, f"{path} {body}: {status} {answer}"
        return answer

    def state(self) -> Any:
        status, state = self.call("GET", "/api/v1/state")
        assert status == 200
        return state

    def until(self, true: Callable[[Any], object], what: str = "it") -> Any:
        """The first state for which `true` holds."""
        ends_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_s:
            state = self.state()
            if true(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"{what} never came; last: {json.dumps(state)[:2000]}")

    def start_game(self, *players: str, rules: Any = "farkle") -> Any:
        self.post("join", {"code": self.code, "name": players[0]})
        return self.post("games", {"rules": rules, "players": list(players)})

    def throw(self, *values: int) -> Any:
        """Throw on the simulated tray and wait until the game has it (or the farkle it is)."""
        before = self.state()["rev"]
        self.post("sim/throw", {"values": list(values)})
        return self.until(lambda state: state["rev"] > before, f"the throw {values}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join(5)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is the same for all workers of a run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own


@pytest.fixture(scope="session")
def rendered(shared: Path) -> Rendered:
    """The rendered sessions; each profile is made once a run, whatever the number of workers."""
    return Rendered(shared)


@pytest.fixture(scope="session")
def learned(shared: Path) -> Path:
    """A state folder whose simulated tray has been learned already: once a run, whatever the number of workers."""
    folder = shared / "learned"
    with open(shared / "learning.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            load_profile(Job("simulated", None, str(folder)))
    return folder


@pytest.fixture
def trays(learned: Path) -> Iterator[Callable[..., Tray]]:
    """Start trays; each is stopped at the end."""
    running: list[Tray] = []

    def start(state_dir: Path, *arguments: str) -> Tray:
        shutil.copytree(learned, state_dir, dirs_exist_ok=True)
        running.append(Tray(state_dir, *arguments))
        return running[-1]

    yield start
    for tray in running:
        tray.close()


@pytest.fixture
def tray(trays: Callable[..., Tray], tmp_path: Path) -> Tray:
    """A simulated tray with a state folder of its own, at rest: what is thrown now can be seen."""
    tray = trays(tmp_path, "--simulated", "--seed", "7")
    tray.until(lambda state: state["eye"]["state"] == "empty", "the eye")
    return tray


@pytest.fixture
def home(tmp_path: Path) -> Iterator[paged.House]:
    with paged.house_in(tmp_path) as home:
        yield home


@pytest.fixture
def phone(chromium: Any, home: paged.House) -> Iterator[Callable[..., Any]]:
    """Phones that look at `home`: see `paged.phones`."""
    with paged.phones(chromium, home) as phone:
        yield phone


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with contextlib.ExitStack() as parts:
        yield house_in(tmp_path, parts)
