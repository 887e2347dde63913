"""A game and how it came to be: every move that was accepted, the moves that stand, and the state they lead to.

A move is a tuple of events that stand or fall together. `Undone` takes back the last move that stands, and the same
move again does it again; `Corrected` is a move too, so it can be undone like any other. Nothing is ever deleted from
`moves`: a journal holds exactly these.

Throws are numbered from 1 among the throws that stand. After an undo the next throw takes the number of the one
taken back, so a number means a throw of the game as it stands, not a throw of its history.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rules.correcting import corrected
from rules.errors import IllegalMove, InvalidMove
from rules.events import Corrected, Event, Resumed, Started, Thrown, Undone
from rules.fold import folded, game_of, played
from rules.game import Last, Scoreboard
from rules.undoing import after
from speech.sentence import say

Move = tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """`moves`: all that were accepted, `Started` first. `standing`: those not taken back, without `Started`.
    `facts`: the events of the standing moves with every correction worked in. `taken`: moves taken back that may be
    done again, the next of them last. `news`: of the correction that was the last move; it is shown unless it made
    something happen on the table."""

    started: Started
    moves: tuple[Move, ...]
    standing: tuple[Move, ...]
    facts: tuple[Event, ...]
    state: Any
    taken: tuple[Move, ...] = ()
    news: Last | None = None

    @classmethod
    def begin(cls, started: Started) -> "Record":
        """A new game. Raises `BadRules` for a game, options or players that cannot be played."""
        return cls(started, ((started,),), (), (), game_of(started).start(started))

    @property
    def board(self) -> Scoreboard:
        board = game_of(self.started).board(self.state)
        if self.news is None or board.turn is None or (board.last is not None and isinstance(self.facts[-1], Thrown)):
            return board
        return replace(board, last=self.news)

    @property
    def thrown(self) -> tuple[int, ...]:
        """The last throw that stands, sorted; empty before the first."""
        return next((tuple(sorted(fact.values)) for fact in reversed(self.facts) if isinstance(fact, Thrown)), ())

    def play(self, *events: Event) -> "Record":
        """The record after one move. Raises `InvalidMove` or `IllegalMove`; then nothing has changed."""
        if not events:
            raise InvalidMove("A move needs at least one event.")
        if any(isinstance(event, Started) for event in events):
            raise InvalidMove("A game starts only once.")
        alone = any(isinstance(event, Undone | Resumed) for event in events)
        if alone and len(events) > 1:
            raise InvalidMove("Undoing is a move of its own, and so is taking a game up again.")
        if events == (Undone(),) and not self.standing:
            raise IllegalMove(say("There is nothing to undo."))
        standing, taken = after(self.standing, self.taken, events, lambda move: move)
        known: tuple[Event, ...] = () if alone else self.facts
        facts = worked_in(self.started, known, standing if alone else (events,))
        if not alone and facts[: len(known)] == known:
            state = played(self.started, self.state, facts[len(known) :])
        else:
            state = folded(self.started, facts)
        news = _news(self.started, standing, facts)
        return Record(self.started, (*self.moves, events), standing, facts, state, taken, news)


def replay(moves: Iterable[Move]) -> Record:
    """The record that these accepted moves led to. The first is `(Started(...),)`."""
    record: Record | None = None
    for move in moves:
        if record is not None:
            record = record.play(*move)
        elif len(move) == 1 and isinstance(move[0], Started):
            record = Record.begin(move[0])
        else:
            raise InvalidMove("A game begins with its start.")
    if record is None:
        raise InvalidMove("There is no game in no moves.")
    return record


def worked_in(started: Started, facts: tuple[Event, ...], moves: Iterable[Move]) -> tuple[Event, ...]:
    """`facts` and the events of `moves`, where each correction has changed what it must."""
    for move in moves:
        for event in move:
            facts = corrected(started, facts, event) if isinstance(event, Corrected) else (*facts, event)
    return facts


def _news(started: Started, standing: tuple[Move, ...], facts: tuple[Event, ...]) -> Last | None:
    """Of a correction that was the last move; None of any other."""
    events = standing[-1] if standing else ()
    correction = next((event for event in reversed(events) if isinstance(event, Corrected)), None)
    if correction is None:
        return None
    places = [place for place, fact in enumerate(facts) if isinstance(fact, Thrown)]
    turn = game_of(started).board(folded(started, facts[: places[correction.throw - 1]])).turn
    return None if turn is None else Last(turn.player, "corrected", 0, tuple(sorted(correction.values)))
