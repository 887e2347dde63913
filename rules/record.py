"""A game and how it came to be: every move that was accepted, the moves that stand, and the state they lead to.

A move is a tuple of events that stand or fall together. `Undone` takes back the last move that stands; `Corrected` is
a move too, so it can be undone like any other. Nothing is ever deleted from `moves`: a journal holds exactly these.

Throws are numbered from 1 among the throws that stand. After an undo the next throw takes the number of the one
taken back, so a number means a throw of the game as it stands, not a throw of its history.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import BadRules, IllegalMove, InvalidMove, RulesError
from rules.events import Attempted, Corrected, Event, Kept, Started, Taken, Thrown, Undone
from rules.game import Game, Last, Scoreboard
from rules.games import GAMES
from rules.wording import dice_text

Move = tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """`moves`: all that were accepted, `Started` first. `standing`: those not taken back, without `Started`.
    `facts`: the events of the standing moves with every correction worked in."""

    started: Started
    moves: tuple[Move, ...]
    standing: tuple[Move, ...]
    facts: tuple[Event, ...]
    state: Any

    @classmethod
    def begin(cls, started: Started) -> "Record":
        """A new game. Raises `BadRules` for a game, options or players that cannot be played."""
        return cls(started, ((started,),), (), (), _game(started).start(started))

    @property
    def board(self) -> Scoreboard:
        board = _game(self.started).board(self.state)
        return _with_correction(board, self.standing, self.facts)

    def play(self, *events: Event) -> "Record":
        """The record after one move. Raises `InvalidMove` or `IllegalMove`; then nothing has changed."""
        if not events:
            raise InvalidMove("A move needs at least one event.")
        if any(isinstance(event, Started) for event in events):
            raise InvalidMove("A game starts only once.")
        if events == (Undone(),):
            return self._undone()
        if any(isinstance(event, Undone) for event in events):
            raise InvalidMove("Undoing is a move of its own.")
        standing = (*self.standing, events)
        if any(isinstance(event, Corrected) for event in events):
            facts = _worked_in(standing)
            state = _folded(self.started, facts, _last_correction(events))
        else:
            facts, state = (*self.facts, *events), _played(self.started, self.state, events)
        return replace(self, moves=(*self.moves, events), standing=standing, facts=facts, state=state)

    def _undone(self) -> "Record":
        if not self.standing:
            raise IllegalMove("There is nothing to undo.")
        standing = self.standing[:-1]
        facts = _worked_in(standing)
        state = _folded(self.started, facts, None)
        return replace(self, moves=(*self.moves, (Undone(),)), standing=standing, facts=facts, state=state)


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


def _game(started: Started) -> Game[Any]:
    game = GAMES.get(started.game)
    if game is None:
        raise BadRules(f'There is no game called "{started.game}"; choose one of {", ".join(GAMES)}.')
    if started.version > game.version:
        raise BadRules(f"This game was begun by a newer version ({started.version}); update the tray to go on with it.")
    return game


def _played(started: Started, state: Any, events: Iterable[Event]) -> Any:
    game = _game(started)
    for event in events:
        state = game.play(state, event)
    return state


def _worked_in(standing: tuple[Move, ...]) -> tuple[Event, ...]:
    """The events of the moves, where each correction has changed the throw that it names."""
    facts: list[Event] = []
    for move in standing:
        for event in move:
            if isinstance(event, Corrected):
                facts = _corrected(facts, event)
            else:
                facts.append(event)
    return tuple(facts)


def _corrected(facts: list[Event], event: Corrected) -> list[Event]:
    """The latest throw loses what was kept from it: the choice was made among other dice."""
    places = [place for place, fact in enumerate(facts) if isinstance(fact, Thrown)]
    if not 1 <= event.throw <= len(places):
        raise IllegalMove(f"There is no throw {event.throw} in this game to correct.")
    place = places[event.throw - 1]
    before, later = facts[place], facts[place + 1 :]
    if event.throw == len(places):
        later = [fact for fact in later if not isinstance(fact, Kept | Attempted)]
    coloured = event.coloured
    if coloured is None and isinstance(before, Thrown) and before.coloured in event.values:
        coloured = before.coloured
    return [*facts[:place], Thrown(tuple(sorted(event.values)), "hand", coloured), *later]


def _last_correction(events: Move) -> Corrected | None:
    return next((event for event in reversed(events) if isinstance(event, Corrected)), None)


def _folded(started: Started, facts: tuple[Event, ...], correction: Corrected | None) -> Any:
    """The state after all `facts`. Raises the error of the first that cannot be played, naming it when it comes after
    the corrected throw."""
    game = _game(started)
    state = game.start(started)
    throws = 0
    for event in facts:
        throws += isinstance(event, Thrown)
        try:
            state = game.play(state, event)
        except RulesError as wrong:
            if correction is None or (throws == correction.throw and isinstance(event, Thrown)):
                raise
            raise IllegalMove(_too_late(correction, event, throws)) from wrong
    return state


def _too_late(correction: Corrected, event: Event, throws: int) -> str:
    match event:
        case Thrown():
            later = f"throw {throws}"
        case Kept(dice=dice):
            later = f"setting aside {dice_text(dice)} from throw {throws}"
        case Attempted(what=what):
            later = f"the attempt at a {what} after throw {throws}"
        case Taken():
            later = f"taking over dice after throw {throws}"
        case _:
            later = f"banking after throw {throws}"
    values = dice_text(tuple(sorted(correction.values)))
    return f"Throw {correction.throw} cannot become {values}: {later} would not have been possible; undo that first."


def _with_correction(board: Scoreboard, standing: tuple[Move, ...], facts: tuple[Event, ...]) -> Scoreboard:
    """A correction is the news of the moment, unless it made something happen on the table."""
    correction = _last_correction(standing[-1]) if standing else None
    if correction is None or board.turn is None or (board.last is not None and isinstance(facts[-1], Thrown)):
        return board
    return replace(board, last=Last(board.turn.player, "corrected", 0, tuple(sorted(correction.values))))
