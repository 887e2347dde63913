"""`stickman export`: one game as lines of JSON, which `stickman play` folds again."""

import argparse
import json
import os
from pathlib import Path

from firmware import config
from firmware.errors import BadInput
from firmware.journal import Journal
from rules.codec import to_json

HELP = "Print a game's moves, a JSON line each: an event, or a list of events that stand or fall together."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="its id (see `stickman games`); the newest by default")
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where games and profiles are kept")


def run(args: argparse.Namespace) -> int:
    journal = Journal(config.state_dir(args.state_dir, dict(os.environ)) / "stickman.db")
    try:
        games = [game.id for game in journal.games()]
        name = args.game or (games[0] if games else None)
        if name not in games or name is None:
            known = f"there are {', '.join(games[:8])}" if games else "the journal holds none yet"
            raise BadInput(f"There is no game {name or ''} in the journal; {known}.".replace("  ", " "))
        for move in journal.moves(name):
            events = [to_json(event) for event in move.events]
            print(json.dumps(events[0] if len(events) == 1 else events))
    finally:
        journal.close()
    return 0
