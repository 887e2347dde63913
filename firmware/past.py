"""The games of the journal as people look back at them: taken up again, archived, told throw by throw."""

import contextlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.briefs import Brief, Briefs, record_of
from firmware.errors import BadState
from firmware.journal import Journal
from rules import house
from rules.events import Started
from rules.options import Options
from rules.record import Record, replay
from rules.retelling import steps, turns
from rules.tally import Tally
from speech.sentence import say
from web.records import GameCard, PlayerTally, Story, ToldThrow
from web.refusals import TrayBusy

if TYPE_CHECKING:
    from rules.best_play.table import WinTable

GOES_ON = say("The game is taken up again.")
OVER = say("This game is over: undo its last move, or correct a throw, to go on with it.")
ARCHIVED = "archived-games"
# Stories kept in memory; each takes a second on a small computer to reckon.
HELD = 16
# Between one game and the next that is worked out ahead, for those who play.
PAUSE_S = 0.02


def taken_up(journal: Journal, game: str) -> Record:
    """Raises `TrayBusy` with a sentence when it cannot be."""
    try:
        moves = journal.moves(game)
        if not moves:
            raise TrayBusy(say("There is no such game."))
        return record_of(moves)
    except BadState as error:
        raise TrayBusy(str(error)) from None


@dataclass(frozen=True, slots=True)
class _Told:
    """A story after so many `moves`. `unsolved`: told without the chances to win, which may be known later."""

    moves: int
    story: Story
    unsolved: bool = False


class Past:
    """Fits `web.ports.Past`; any thread may ask. `table_of`: the chances to win under some rules, None where they are
    not known. `current`: id of the game on the table. Started, it works out what is not known of the games yet, so that
    nobody waits for it."""

    def __init__(
        self, path: Path, table_of: "Callable[[Options], WinTable | None]", current: Callable[[], str | None]
    ) -> None:
        self._journal = Journal(path)
        self._table_of = table_of
        self._current = current
        self._lock = threading.Lock()
        self._briefs = Briefs(self._journal)
        self._stories: dict[str, _Told] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work_ahead, name="past", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def games(self) -> tuple[GameCard, ...]:
        with self._lock:
            return tuple(one.card for one in self._all())

    def tallies(self) -> tuple[PlayerTally, ...]:
        """Of all games that are not archived, whoever has won most first. Names that differ only in capitals are one
        player's."""
        found: dict[str, PlayerTally] = {}
        with self._lock:
            played = [one for one in self._all() if not one.card.archived]
        for one in reversed(played):
            for index, name in enumerate(one.card.players):
                before = found.get(name.casefold(), PlayerTally(name, Tally()))
                found[name.casefold()] = PlayerTally(name, before.tally.after(one.turns, index, one.card.winners))
        seen = (each for each in found.values() if each.tally.turns)
        return tuple(sorted(seen, key=lambda each: (-each.tally.wins, -each.tally.average, each.name)))

    def story(self, game: str) -> Story | None:
        with self._lock:
            brief = next((one for one in self._all() if one.card.id == game), None)
            if brief is None:
                return None
            card, moves = brief.card, brief.moves
            held = self._stories.get(game)
            if held is None or held.moves != moves or (held.unsolved and self._table(held.story) is not None):
                held = self._tell(card, moves)
                self._stories = {**dict(list(self._stories.items())[1 - HELD :]), game: held}
            return replace(held.story, card=card)

    def throw(self, game: str, number: int) -> ToldThrow | None:
        try:
            with self._lock:
                moves = self._journal.moves(game)
            record = record_of(moves) if moves else None
        except BadState as error:
            raise TrayBusy(str(error)) from None
        if record is None:
            return None
        told = turns(steps(record.started, record.facts))
        found = ((turn, throw) for turn in told for throw in turn.throws if throw.number == number)
        return next((ToldThrow(record.started.players[turn.player].name, throw) for turn, throw in found), None)

    def archive(self, game: str, archived: bool = True) -> None:
        with self._lock:
            names = self._archived() - {game} | ({game} if archived else set())
            try:
                self._journal.set_mark(ARCHIVED, json.dumps(sorted(names)))
            except BadState as error:
                raise TrayBusy(str(error)) from None

    def close(self) -> None:
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            self._journal.close()

    def _work_ahead(self) -> None:
        with contextlib.suppress(BadState):  # whoever asks is told
            with self._lock:
                infos = () if self._closing.is_set() else self._journal.games()
            for info in infos:
                if self._closing.wait(PAUSE_S):
                    return
                with self._lock:
                    self._briefs.one(info, self._current())

    def _all(self) -> tuple[Brief, ...]:
        current = self._current()
        try:
            briefs, archived = self._briefs.all(current), self._archived()
        except BadState as error:
            raise TrayBusy(str(error)) from None
        cards = (replace(one.card, archived=one.card.id in archived, current=one.card.id == current) for one in briefs)
        return tuple(replace(one, card=card) for one, card in zip(briefs, cards, strict=True))

    def _tell(self, card: GameCard, count: int) -> _Told:
        from rules.best_play.luck import reckoned  # numpy with it, which only those need who look back

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

    def _table(self, story: Story) -> "WinTable | None":
        return self._table_of(_options(story))

    def _archived(self) -> set[str]:
        found = json.loads(self._journal.mark(ARCHIVED) or "[]")
        return {str(name) for name in found} if isinstance(found, list) else set()


def _options(story: Story) -> Options:
    """The rules of a game that can be replayed."""
    begun = story.moves[0][0]
    return house.parse(begun.rules if isinstance(begun, Started) else {})
