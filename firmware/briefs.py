"""Every game of the journal in short, worked out once: to play a long game again takes a tenth of a second.

What was found is kept beside the moves, under their number and a digest of the program that played them: moves are only
ever added, so with more of them, or with a changed rule, it is worked out anew. The game on the table is not kept.
"""

import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import rules
from firmware.errors import BadState
from firmware.journal import GameInfo, Journal, Move, started
from rules.errors import RulesError
from rules.game import ENGINE_VERSION
from rules.record import Record, replay
from rules.retelling import ToldTurn, steps, turns
from speech.sentence import say
from web.records import GameCard

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Brief:
    """A game's card after so many `moves`, and its turns without their throws and scores."""

    moves: int
    card: GameCard
    turns: tuple[ToldTurn, ...] = ()


def record_of(moves: Sequence[Move]) -> Record:
    """The game that these moves led to. Raises `BadState` with a sentence when it can only be exported."""
    begun = started(moves)
    if begun.version != ENGINE_VERSION:
        raise BadState(
            say("This game was begun with rules version {version} and cannot be played on.", version=begun.version)
        )
    try:
        return replay(move.events for move in moves)
    except RulesError as error:
        raise BadState(say("This game cannot be played again: {error}", error=str(error))) from None


class Briefs:
    """One thread at a time may use it. Raises `BadState` when the journal cannot be read."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._held: dict[str, Brief] = {}
        self._kept: dict[str, int] | None = None

    def all(self, current: str | None) -> tuple[Brief, ...]:
        """Newest first. `current`: the game on the table."""
        found = tuple(self._brief(info) for info in self._journal.games())
        self._keep(found, current)
        return found

    def one(self, info: GameInfo, current: str | None) -> None:
        """Work this one out and keep it, when that has not been done yet."""
        self._keep((self._brief(info),), current)

    def _brief(self, info: GameInfo) -> Brief:
        if self._kept is None:
            kept = self._journal.briefs(_program())
            self._held = {game: _from_text(moves, text) for game, (moves, text) in kept.items()}
            self._kept = {game: one.moves for game, one in self._held.items()}
        held = self._held.get(info.id)
        if held is None or held.moves != info.moves:
            held = self._held[info.id] = _looked_at(self._journal, info)
        return held

    def _keep(self, briefs: Iterable[Brief], current: str | None) -> None:
        kept = self._kept or {}
        done = [one for one in briefs if one.card.id != current and kept.get(one.card.id) != one.moves]
        texts = {one.card.id: (one.moves, _to_text(one)) for one in done if not one.card.trouble}
        if not texts:
            return
        try:
            self._journal.keep_briefs(_program(), texts)
        except BadState as error:
            # They are worked out again at the next start.
            log.warning("%s", error)
        self._kept = kept | {game: moves for game, (moves, _) in texts.items()}


def _looked_at(journal: Journal, info: GameInfo) -> Brief:
    try:
        moves = journal.moves(info.id)
        record = record_of(moves)
    except BadState as error:
        return Brief(info.moves, GameCard(info.id, info.started_at, trouble=str(error)))
    board, told = record.board, turns(steps(record.started, record.facts))
    card = GameCard(
        info.id,
        info.started_at,
        moves[-1].at,
        board.rules,
        tuple(player.name for player in board.players),
        tuple(player.score for player in board.players),
        board.status,
        board.winners,
        len(told),
        board.throws,
        marks=tuple(player.mark for player in board.players),
    )
    return Brief(info.moves, card, tuple(replace(turn, throws=(), scores=()) for turn in told))


def _to_text(one: Brief) -> str:
    told = [(turn.player, turn.ending, turn.points) for turn in one.turns]
    return json.dumps({"card": asdict(one.card), "turns": told}, separators=(",", ":"))


def _from_text(moves: int, text: str) -> Brief:
    found = json.loads(text)
    card: dict[str, Any] = found["card"]
    card |= {name: tuple(value) for name, value in card.items() if isinstance(value, list)}
    told = (ToldTurn(number, player, (), end, won) for number, (player, end, won) in enumerate(found["turns"], 1))
    return Brief(moves, GameCard(**card), tuple(told))


@cache
def _program() -> str:
    """A digest of what plays and tells games."""
    files = [Path(__file__), *sorted(Path(rules.__file__ or "").parent.rglob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
