"""The games of the journal as people look back at them: taken up again, archived, told throw by throw."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware.errors import BadState
from firmware.journal import GameInfo, Journal, Move, started
from rules import house
from rules.best_play.luck import reckoned
from rules.best_play.table import WinTable
from rules.errors import RulesError
from rules.game import ENGINE_VERSION
from rules.options import Options
from rules.record import Record, replay
from rules.retelling import ToldTurn, steps, turns
from rules.tally import Tally
from web.ports import GameCard, PlayerTally, Story, TrayBusy

GOES_ON = "The game is taken up again."
OVER = "This game is over: undo its last move, or correct a throw, to go on with it."
ARCHIVED = "archived-games"
# Stories kept in memory; each takes a second on a small computer to reckon.
HELD = 16


def record_of(moves: tuple[Move, ...]) -> Record:
    """The game that these moves led to. Raises `BadState` with a sentence when it can only be exported."""
    begun = started(moves)
    if begun.version != ENGINE_VERSION:
        raise BadState(f"This game was begun with rules version {begun.version} and cannot be played on.")
    try:
        return replay(move.events for move in moves)
    except RulesError as error:
        raise BadState(f"This game cannot be played again: {error}") from None


def taken_up(journal: Journal, game: str) -> Record:
    """Raises `TrayBusy` with a sentence when it cannot be."""
    try:
        moves = journal.moves(game)
        if not moves:
            raise TrayBusy("There is no such game.")
        return record_of(moves)
    except BadState as error:
        raise TrayBusy(str(error)) from None


@dataclass(frozen=True, slots=True)
class _Told:
    """A game after so many moves. `record` is None when it cannot be replayed, for the reason in `trouble`."""

    moves: tuple[Move, ...]
    record: Record | None
    turns: tuple[ToldTurn, ...] = ()
    trouble: str = ""


class Past:
    """Fits `web.ports.Past`; any thread may ask. `table_of`: the chances to win under some rules, None where they are
    not known. `current`: id of the game on the table."""

    def __init__(
        self, path: Path, table_of: Callable[[Options], WinTable | None], current: Callable[[], str | None]
    ) -> None:
        self._journal = Journal(path)
        self._table_of = table_of
        self._current = current
        self._lock = threading.Lock()
        self._told: dict[str, _Told] = {}
        self._stories: dict[str, tuple[_Told, Story]] = {}

    def games(self) -> tuple[GameCard, ...]:
        with self._lock:
            return self._cards()

    def tallies(self) -> tuple[PlayerTally, ...]:
        """Of all games that are not archived, whoever has won most first. Names that differ only in capitals are one
        player's."""
        found: dict[str, PlayerTally] = {}
        with self._lock:
            cards = self._cards()
            told = {card.id: self._told[card.id] for card in cards if card.id in self._told}
        for card in reversed(cards):
            if card.archived or card.id not in told:
                continue
            for index, name in enumerate(card.players):
                before = found.get(name.casefold(), PlayerTally(name, Tally()))
                tally = before.tally.after(told[card.id].turns, index, card.winners)
                found[name.casefold()] = PlayerTally(name, tally)
        played = (each for each in found.values() if each.tally.turns)
        return tuple(sorted(played, key=lambda each: (-each.tally.wins, -each.tally.average, each.name)))

    def story(self, game: str) -> Story | None:
        with self._lock:
            card = next((card for card in self._cards() if card.id == game), None)
            if card is None:
                return None
            told = self._told[game]
            held = self._stories.get(game)
            if held is not None and held[0] is told and held[1].card == card:
                return held[1]
            story = self._tell(card, told)
            self._stories = {**dict(list(self._stories.items())[1 - HELD :]), game: (told, story)}
            return story

    def archive(self, game: str, archived: bool = True) -> None:
        with self._lock:
            names = self._archived() - {game} | ({game} if archived else set())
            try:
                self._journal.set_mark(ARCHIVED, json.dumps(sorted(names)))
            except BadState as error:
                raise TrayBusy(str(error)) from None

    def close(self) -> None:
        with self._lock:
            self._journal.close()

    def _cards(self) -> tuple[GameCard, ...]:
        try:
            infos, archived = self._journal.games(), self._archived()
        except BadState as error:
            raise TrayBusy(str(error)) from None
        current = self._current()
        return tuple(self._card(info, self._read(info), info.id in archived, info.id == current) for info in infos)

    def _read(self, info: GameInfo) -> _Told:
        held = self._told.get(info.id)
        if held is None or len(held.moves) != info.moves:
            held = self._told[info.id] = self._replayed(info.id)
        return held

    def _replayed(self, game: str) -> _Told:
        moves: tuple[Move, ...] = ()
        try:
            moves = self._journal.moves(game)
            record = record_of(moves)
        except BadState as error:
            return _Told(moves, None, trouble=str(error))
        return _Told(moves, record, turns(steps(record.started, record.facts)))

    def _card(self, info: GameInfo, told: _Told, archived: bool, current: bool) -> GameCard:
        if told.record is None:
            return GameCard(info.id, info.started_at, archived=archived, current=current, trouble=told.trouble)
        board = told.record.board
        return GameCard(
            info.id,
            info.started_at,
            told.moves[-1].at,
            board.rules,
            tuple(player.name for player in board.players),
            tuple(player.score for player in board.players),
            board.status,
            board.winners,
            len(told.turns),
            board.throws,
            archived,
            current,
        )

    def _tell(self, card: GameCard, told: _Told) -> Story:
        moves = tuple(move.events for move in told.moves)
        if told.record is None:
            return Story(card, moves)
        record = told.record
        options = house.parse(record.started.rules)
        found = reckoned(
            options, tuple(steps(record.started, record.facts)), len(card.players), self._table_of(options)
        )
        return Story(card, moves, record.board, told.turns, found)

    def _archived(self) -> set[str]:
        found = json.loads(self._journal.mark(ARCHIVED) or "[]")
        return {str(name) for name in found} if isinstance(found, list) else set()
