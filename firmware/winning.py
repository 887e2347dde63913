"""Tables of chances: those that come with the tray, those of house rules kept in the state folder, and one solver in
the background for those that are missing.

numpy is loaded with the first table: a tray on which nobody plays does without it.
"""

import json
import logging
import subprocess
import sys
import threading
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.files import write_whole
from rules.best_play.of_two import fingerprint
from rules.options import Options

if TYPE_CHECKING:
    from rules.best_play.table import WinTable

log = logging.getLogger(__name__)

FOLDER = "chances"
# Tables in memory; a game needs one.
HELD = 4


def file_name(options: Options) -> str:
    return f"{fingerprint(options)}.win"


def shipped(options: Options) -> "WinTable | None":
    """The table that comes with the tray; None when these rules have none."""
    file = resources.files("rules.best_play").joinpath("tables", file_name(options))
    return _read(file.read_bytes()) if file.is_file() else None


def kept(options: Options, folder: Path) -> "WinTable | None":
    """The table in `folder`; None when there is none that can be read."""
    try:
        found = _read((folder / file_name(options)).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        log.warning("The table %s is not used: %s", folder / file_name(options), error)
        return None
    return found if found.fingerprint == fingerprint(options) else None


def known(options: Options, state_dir: Path) -> "WinTable | None":
    """The table that is shipped or kept, or that of a game so short that it is solved at once; else None."""
    from rules.best_play.table import is_quick, solve

    found = shipped(options) or kept(options, state_dir / FOLDER)
    return solve(options) if found is None and is_quick(options) else found


def _read(data: bytes) -> "WinTable":
    from rules.best_play.table import from_bytes

    return from_bytes(data)


def keep(table: "WinTable", folder: Path) -> None:
    """Write the table whole or not at all."""
    write_whole(folder / f"{table.fingerprint}.win", table.to_bytes())


class Tables:
    """The tables of a running tray. `find` never waits; what is missing is solved by one process in the background,
    which ends with the tray. Threads may share it."""

    def __init__(self, state_dir: Path) -> None:
        self._folder = state_dir / FOLDER
        self._held: dict[str, WinTable] = {}
        self._lock = threading.Lock()
        self._solver: subprocess.Popen[bytes] | None = None
        self._tried: set[str] = set()

    def find(self, options: Options) -> "WinTable | None":
        """The table of these rules; None while it is being solved, or when it cannot be."""
        name = fingerprint(options)
        with self._lock:
            found = self._held.get(name) or shipped(options) or kept(options, self._folder)
            if found is None:
                self._solve(options, name)
                return None
            self._held = {**dict(list(self._held.items())[1 - HELD :]), name: found}
            return found

    def wait(self) -> None:
        """Until the solver in the background has ended, if one is at work."""
        solver = self._solver
        if solver is not None:
            solver.wait()

    def close(self) -> None:
        with self._lock:
            if self._solver is not None and self._solver.poll() is None:
                self._solver.kill()
                self._solver.wait()
            self._solver = None

    def _solve(self, options: Options, name: str) -> None:
        """Start the solver, unless it is busy or has tried these rules before."""
        if name in self._tried or (self._solver is not None and self._solver.poll() is None):
            return
        self._tried.add(name)
        command = [sys.executable, "-m", "firmware.solving", str(self._folder)]
        self._solver = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        if self._solver.stdin is not None:
            self._solver.stdin.write(json.dumps(options.to_json()).encode())
            self._solver.stdin.close()
