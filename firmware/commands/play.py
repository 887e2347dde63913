"""`stickman play`: fold a file of game events and print the scoreboard they lead to."""

import argparse
import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firmware import rulebook
from firmware.errors import BadInput
from rules.codec import from_json
from rules.errors import InvalidMove, RulesError
from rules.events import Event, Started
from rules.game import ENGINE_VERSION
from rules.record import Record
from rules.scorecard import scorecard

HELP = "Fold a file of game events, as exported, and print the scoreboard."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="an event a line, or a list of events for a move; or one list of moves"
    )
    parser.add_argument("--json", action="store_true", help="print the scoreboard as one line of JSON")


def run(args: argparse.Namespace) -> int:
    board = _folded(args.file).board
    print(json.dumps(asdict(board)) if args.json else scorecard(board))
    return 0


def _folded(path: Path) -> Record:
    record: Record | None = None
    for place, written in _moves(path, _text(path)):
        try:
            move = _move(written)
            record = Record.begin(_first(move)) if record is None else record.play(*move)
        except RulesError as error:
            raise BadInput(f"{path}, {place}: {error}") from None
    if record is None:
        raise BadInput(f"{path} holds no game: its first line must be a started event.")
    return record


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a text file; it should hold an event in JSON on every line.") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from None


def _moves(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Each move as it is written, and where. The file is one JSON list, as a page exports it, or a value a line."""
    if text.lstrip().startswith("["):
        with contextlib.suppress(ValueError):
            yield from ((f"move {number}", written) for number, written in enumerate(json.loads(text), start=1))
            return
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            written = json.loads(line)
        except ValueError:
            wrong = "This is not JSON; a line is an event, or a list of events."
            raise BadInput(f"{path}, line {number}: {wrong}") from None
        yield f"line {number}", written


def _move(written: Any) -> tuple[Event, ...]:
    tables = written if isinstance(written, list) else [written]
    return tuple(from_json(_completed(table)) for table in tables)


def _completed(table: Any) -> Any:
    """A start as people write it: rules by name or as changes, players by name."""
    if not isinstance(table, dict) or table.get("event") != "started":
        return table
    rules, players = table.get("rules", "farkle"), table.get("players")
    if isinstance(rules, str | dict):
        rules = rulebook.options_of(rules).to_json()
    if isinstance(players, list):
        players = [{"name": player} if isinstance(player, str) else player for player in players]
    return {"game": "farkle", "version": ENGINE_VERSION} | table | {"rules": rules, "players": players}


def _first(move: tuple[Event, ...]) -> Started:
    if len(move) == 1 and isinstance(move[0], Started):
        return move[0]
    raise InvalidMove("A game begins with a started event, alone on its line.")
