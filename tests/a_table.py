"""A real table with its journal, and what the eye tells it: for listeners of every kind."""

import itertools
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from patience import PATIENCE_S

from firmware.journal import Journal
from firmware.table import Table
from firmware.table_rules import TableRules
from vision.happening import Happening
from vision.seen import SeenDie
from web.commands import Newcomer, NewGame
from web.view import View


def table_in(path: Path, parts: ExitStack) -> Table:
    names = itertools.count(1)
    path.mkdir(parents=True, exist_ok=True)
    journal = Journal(path / "stickman.db")
    parts.callback(journal.close)
    rules = TableRules("farkle", path)
    table = Table(
        journal,
        rules.options_of,
        epoch="e",
        now=lambda: "2026-11-30",
        new_id=lambda: f"g{next(names)}",
        presets=rules.names,
    )
    table.start()
    parts.callback(table.stop)
    return table


def begin(table: Table, *players: str) -> View:
    return table.ask(NewGame("farkle", tuple(Newcomer(name) for name in players)))


def settle(table: Table, *values: int) -> None:
    """A throw of these comes to rest and is in the game."""
    dice = tuple(SeenDie(value, 100.0 * k, 100.0, 50.0) for k, value in enumerate(values, start=1))
    before = table.view().rev
    table.saw(Happening("settled", 1, 1.0, roll=before + 1, dice=dice, thrown=dice))
    assert eventually(lambda: table.view().rev > before)


def eventually(true: Callable[[], object]) -> bool:
    ends_s = time.monotonic() + PATIENCE_S
    while not true() and time.monotonic() < ends_s:
        time.sleep(0.01)
    return bool(true())
