"""Farkle and Dice 10,000: throw, set aside what scores, throw the rest or bank; no score loses the turn.

Each rule has a module: `seats` (order and teams), `throwing`, `choosing`, `attempts`, `taking` (piggybacking),
`banking` and `ending`. All of them are functions from a `State` to the next.
"""

from dataclasses import dataclass

from rules.errors import IllegalMove, InvalidMove
from rules.events import Attempted, Banked, Ended, Event, Kept, Started, Taken, Thrown
from rules.game import ENGINE_VERSION, Scoreboard
from rules.games.farkle import attempts, banking, choosing, ending, seats, showing, taking, throwing
from rules.games.farkle.state import State
from rules.house import parse
from speech.sentence import say


@dataclass(frozen=True, slots=True)
class Farkle:
    """The `Game` protocol for every rule set of `rules.options`."""

    name: str = "farkle"
    version: int = ENGINE_VERSION

    def start(self, started: Started) -> State:
        options = parse(started.rules)
        seats.check_players(started.players, options)
        return State(options, started.players, seats.sides(started.players, options))

    def play(self, state: State, event: Event) -> State:
        if state.over:
            raise IllegalMove(say("The game is over; start a new one, or undo the last move."))
        match event:
            case Thrown():
                return throwing.thrown(state, event)
            case Kept():
                return choosing.kept(state, event)
            case Attempted():
                return attempts.attempted(state, event)
            case Taken():
                return taking.taken(state)
            case Banked():
                return banking.banked(state)
            case Ended():
                return ending.ended(state)
        raise InvalidMove(f"{type(event).__name__} is not a move of Farkle.")

    def board(self, state: State) -> Scoreboard:
        return showing.board(state)
