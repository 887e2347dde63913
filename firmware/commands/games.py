"""`stickman games`: the games in the journal."""

import argparse
import os
from pathlib import Path

from firmware import config
from firmware.journal import Journal, started
from rules.record import replay

HELP = "List the games in the journal, newest first."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where games and profiles are kept")


def run(args: argparse.Namespace) -> int:
    journal = Journal(config.state_dir(args.state_dir, dict(os.environ)) / "stickman.db")
    try:
        for game in journal.games():
            moves = journal.moves(game.id)
            board = replay(tuple(move.events for move in moves)).board
            scores = ", ".join(f"{player.name} {player.score}" for player in board.players)
            print(
                f"{game.id}  {game.started_at[:16].replace('T', ' ')}  {started(moves).game}  {board.status}  {scores}"
            )
    finally:
        journal.close()
    return 0
