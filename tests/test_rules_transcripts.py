"""Whole games as readable transcripts: each move, and the lines that the scoreboard answers with."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import rulebook
from rules.codec import from_json
from rules.errors import RulesError
from rules.events import Banked, Ended, Event, Player, Started, Taken, Undone
from rules.game import ENGINE_VERSION, Scoreboard
from rules.record import Record
from rules.scorecard import turn_line

GAMES = Path(__file__).parent / "data" / "golden" / "games"


def event(words: list[str]) -> Event:
    dice = [int(word) if word.isdigit() else word for word in words[1:]]
    match words[0]:
        case "throw":
            return from_json({"event": "thrown", "values": dice})
        case "keep":
            return from_json({"event": "kept", "dice": dice})
        case "attempt":
            return from_json({"event": "attempted", "what": dice[0], "dice": dice[1:]})
        case "correct":
            return from_json({"event": "corrected", "throw": dice[0], "values": dice[1:]})
        case "take":
            return Taken()
        case "bank":
            return Banked()
        case "undo":
            return Undone()
        case "end":
            return Ended()
    raise ValueError(words[0])


def answer(board: Scoreboard) -> str:
    scores = ", ".join(f"{player.name} {player.score:,}" for player in board.players)
    news = f"{board.last.what}: " if board.last else ""
    if board.turn is None:
        winners = " and ".join(board.players[index].name for index in board.winners)
        return f"{news}over, won by {winners or 'nobody'}. {scores}"
    return f"{news}{turn_line(board.turn, board.players[board.turn.player].name)} ({board.status}) {scores}"


def played(moves: list[str]) -> Iterator[str]:
    """The transcript of the moves: every line that is not indented, each followed by what it led to."""
    record: Record | None = None
    rules = {}
    for line in moves:
        yield line
        words = line.split()
        if words[0] == "#":
            continue
        if words[0] == "rules":
            rules = rulebook.options_of(json.loads(line.removeprefix("rules "))).to_json()
            continue
        try:
            if words[0] == "players":
                players = tuple(Player(name) for name in words[1:])
                record = Record.begin(Started("farkle", rules, ENGINE_VERSION, players))
            elif record is not None:
                record = record.play(event(words))
        except RulesError as refusal:
            yield f"    refused: {refusal}"
            continue
        assert record is not None
        yield f"    {answer(record.board)}"


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.txt")), ids=lambda path: path.stem)
def test_the_game_goes_as_its_transcript_says(path: Path) -> None:
    written = path.read_text().splitlines()
    moves = [line for line in written if not line.startswith(" ")]
    assert list(played(moves)) == written
