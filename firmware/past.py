"""The games of the journal as people look back at them: taken up again, archived, told throw by throw."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from firmware.errors import BadState
from firmware.journal import GameInfo, Journal, Move, started
from rules import house
from rules.best_play.luck import reckoned
from rules.best_play.table import WinTable
from rules.errors import RulesError
from rules.events import Started
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
class _Brief:
    """What is kept in memory of every game: its card after so many `moves`, and its turns without their throws."""

    moves: int
    card: GameCard
    turns: tuple[ToldTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    """A story after so many `moves`. `unsolved`: told without the chances to win, which may be known later."""

    moves: int
    story: Story
    unsolved: bool = False


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
        self._briefs: dict[str, _Brief] = {}
        self._stories: dict[str, _Told] = {}

    def games(self) -> tuple[GameCard, ...]:
        with self._lock:
            return self._cards()

    def tallies(self) -> tuple[PlayerTally, ...]:
        """Of all games that are not archived, whoever has won most first. Names that differ only in capitals are one
        player's."""
        found: dict[str, PlayerTally] = {}
        with self._lock:
            played = [(card, self._briefs[card.id].turns) for card in self._cards() if not card.archived]
        for card, turns_of in reversed(played):
            for index, name in enumerate(card.players):
                before = found.get(name.casefold(), PlayerTally(name, Tally()))
                found[name.casefold()] = PlayerTally(name, before.tally.after(turns_of, index, card.winners))
        seen = (each for each in found.values() if each.tally.turns)
        return tuple(sorted(seen, key=lambda each: (-each.tally.wins, -each.tally.average, each.name)))

    def story(self, game: str) -> Story | None:
        with self._lock:
            card = next((card for card in self._cards() if card.id == game), None)
            if card is None:
                return None
            moves = self._briefs[game].moves
            held = self._stories.get(game)
            if held is None or held.moves != moves or (held.unsolved and self._table(held.story) is not None):
                held = self._tell(card, moves)
                self._stories = {**dict(list(self._stories.items())[1 - HELD :]), game: held}
            return replace(held.story, card=card)

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
        return tuple(
            replace(self._brief(info).card, archived=info.id in archived, current=info.id == current) for info in infos
        )

    def _brief(self, info: GameInfo) -> _Brief:
        held = self._briefs.get(info.id)
        if held is None or held.moves != info.moves:
            held = self._briefs[info.id] = self._looked_at(info)
        return held

    def _looked_at(self, info: GameInfo) -> _Brief:
        try:
            moves = self._journal.moves(info.id)
            record = record_of(moves)
        except BadState as error:
            return _Brief(info.moves, GameCard(info.id, info.started_at, trouble=str(error)))
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
        )
        return _Brief(info.moves, card, tuple(replace(turn, throws=()) for turn in told))

    def _tell(self, card: GameCard, count: int) -> _Told:
        try:
            written = self._journal.moves(card.id)
        except BadState:
            return _Told(count, Story(card, ()))
        moves = tuple(move.events for move in written)
        if card.trouble:
            return _Told(count, Story(card, moves))
        record = replay(moves)
        told = tuple(steps(record.started, record.facts))
        story = Story(card, moves, record.board, turns(told))
        table = self._table(story)
        found = reckoned(_options(story), told, len(card.players), table)
        return _Told(count, replace(story, reckoning=found), unsolved=table is None)

    def _table(self, story: Story) -> WinTable | None:
        return self._table_of(_options(story))

    def _archived(self) -> set[str]:
        found = json.loads(self._journal.mark(ARCHIVED) or "[]")
        return {str(name) for name in found} if isinstance(found, list) else set()


def _options(story: Story) -> Options:
    """The rules of a game that can be replayed."""
    begun = story.moves[0][0]
    return house.parse(begun.rules if isinstance(begun, Started) else {})
