"""What is well and what is not: checks of this machine and of the tray's own files, each with its cure."""

import errno
import ipaddress
import shutil
import socket
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Literal

from calibration import kept
from firmware import address
from firmware.config import Loaded, state_dir, state_path
from firmware.errors import BadInput, BadState
from firmware.interfaces import interfaces
from firmware.sets import Shelf
from vision.errors import VisionError

Verdict = Literal["ok", "warn", "FAIL"]

MB = 1_000_000
# A season of games with photographs of doubtful throws takes about a hundred megabytes; below 50 not even an evening
# is safe.
TIGHT_MB, FULL_MB = 500, 50
# Lamps are moved, lenses get dusty, seasons change the daylight.
OLD_DAYS = 180
TIMESYNC = Path("/run/systemd/timesync")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `cure`: what to do about it, empty when all is well."""

    check: str
    verdict: Verdict
    text: str
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What to examine: the settings as `stickman run` would take them."""

    loaded: Loaded
    state_dir: Path | None
    profile: Path | None
    host: str
    port: int
    env: Mapping[str, str]


def own_findings(asked: Asked, now: datetime) -> tuple[Finding, ...]:
    """Settings, state, network and clock; nothing here needs a library that could be broken."""
    return (
        *settings(asked.loaded),
        *state(asked.state_dir, asked.env),
        *profile(asked.profile or set_in_use(asked.state_dir, asked.env), now.date()),
        clock(now),
        network(asked.host),
        port(asked.host, asked.port),
    )


def settings(loaded: Loaded) -> tuple[Finding, ...]:
    if loaded.notes:
        return tuple(Finding("settings", "warn", note, "correct the file") for note in loaded.notes)
    return (Finding("settings", "ok", f"from {loaded.file}" if loaded.file else "no config file, all defaults"),)


def state(flag: Path | None, env: Mapping[str, str]) -> tuple[Finding, ...]:
    try:
        folder = state_dir(flag, env)
    except BadState as error:
        sentence, _, cure = str(error).partition("; ")
        return (Finding("state", "FAIL", sentence, cure or "name another folder with --state-dir"),)
    return (Finding("state", "ok", f"{folder} can be written"), disk(folder), journal(folder / "stickman.db"))


def disk(folder: Path) -> Finding:
    free_mb = shutil.disk_usage(folder).free // MB
    text = f"{free_mb:,} MB free at {folder}"
    if free_mb >= TIGHT_MB:
        return Finding("disk", "ok", text)
    verdict: Verdict = "FAIL" if free_mb < FULL_MB else "warn"
    return Finding("disk", verdict, text, f"delete old files, or use a larger card; {TIGHT_MB} MB should be free")


def journal(file: Path) -> Finding:
    """Opens it for reading only, so that it may be in use."""
    if not file.exists():
        return Finding("journal", "ok", "no game has been played yet")
    cure = f"move {file} away and keep it: the tray then begins a new journal"
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=2)) as database:
            (answer,) = database.execute("PRAGMA quick_check(1)").fetchone()
            (moves,) = database.execute("SELECT count(*) FROM moves").fetchone()
    except sqlite3.Error as error:
        return Finding("journal", "FAIL", f"{file} cannot be read ({error})", cure)
    if answer != "ok":
        return Finding("journal", "FAIL", f"{file} is damaged ({answer})", cure)
    return Finding("journal", "ok", f"{moves:,} moves in {file}")


def set_in_use(flag: Path | None, env: Mapping[str, str]) -> Path | None:
    """The profile of the dice set that was chosen on the page; None without one."""
    return Shelf(state_path(flag, env)).chosen


def profile(file: Path | None, today: date) -> tuple[Finding, ...]:
    """How old the profile is that is read with."""
    if file is None:
        return (Finding("profile", "ok", "none is used; the reader makes do with the picture alone"),)
    calibrate = "make a new one: stickman calibrate --help"
    try:
        made = kept.load(file).written.learned.made
    except (VisionError, OSError) as error:
        return (Finding("profile", "FAIL", str(error), calibrate),)
    try:
        days = (today - date.fromisoformat(made[:10])).days
    except ValueError:
        return (Finding("profile", "ok", f"{file}, of an unknown date"),)
    if days > OLD_DAYS:
        return (Finding("profile", "warn", f"{file} is {days} days old", calibrate),)
    return (Finding("profile", "ok", f"{file}, made {made[:10]}"),)


def clock(now: datetime, timesync: Path = TIMESYNC) -> Finding:
    """`timesync`: where systemd notes that the network has set the clock; a Pi keeps no time while it is off."""
    text = f"{now:%Y-%m-%d %H:%M}"
    if now.year >= 2025 and timesync.is_dir() and not (timesync / "synchronized").exists():
        cure = "connect the tray to a network for a minute; games until then carry the time of its last start"
        return Finding("clock", "warn", f"{text}, which no network has set since the start", cure)
    if now.year >= 2025:
        return Finding("clock", "ok", text)
    cure = "connect the tray to a network for a minute, or: sudo timedatectl set-time 'YYYY-MM-DD HH:MM'"
    return Finding("clock", "warn", f"it is not {text}; games would carry a wrong date", cure)


def network(host: str) -> Finding:
    try:
        found = address.reach(host, interfaces(), address.routed)
    except BadInput as error:
        return Finding("network", "FAIL", str(error), "use --host 0.0.0.0")
    if found.hint:
        sentence, _, cure = found.hint.partition(": ")
        return Finding("network", "warn", sentence, cure.rstrip("."))
    if ipaddress.ip_address(found.address.strip("[]")).is_loopback:
        return Finding("network", "warn", f"only this machine can open {found.address}", "use --host 0.0.0.0")
    return Finding("network", "ok", f"phones reach this machine at {found.address}")


def port(host: str, number: int) -> Finding:
    if not 0 <= number <= 65535:
        return Finding("port", "FAIL", f"{number} is no port", "use one from 1024 to 65535: --port 8080")
    try:
        with socket.create_server((host, number), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return Finding("port", "ok", f"{number} is free")
    except PermissionError:
        return Finding(
            "port", "FAIL", f"{number} needs the rights of a service", "sudo stickman doctor, or --port 8080"
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return Finding("port", "warn", f"{number} is in use", "fine if by the tray itself, else use --port")
        return Finding("port", "FAIL", f"{host}:{number} cannot be opened ({error.strerror})", "use --host 0.0.0.0")


def python(version: tuple[int, int, int] = sys.version_info[:3]) -> Finding:
    text = ".".join(map(str, version))
    if (3, 11) <= version[:2] <= (3, 13):
        return Finding("python", "ok", text)
    return Finding(
        "python", "FAIL", f"{text} is not supported", "use Python 3.11, 3.12 or 3.13: make PYTHON=python3.13"
    )


def all_well(findings: tuple[Finding, ...]) -> bool:
    return all(finding.verdict != "FAIL" for finding in findings)


def line(finding: Finding) -> str:
    """As it is printed: verdict, check, what was found, and the cure behind an arrow."""
    cure = f"  ->  {finding.cure}" if finding.cure else ""
    return f"{finding.verdict:4}  {finding.check:10}  {finding.text}{cure}"
