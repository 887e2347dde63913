"""The protocol that every dice game follows, and the scoreboard it shows."""

from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from rules.events import Event, Started

Status = Literal["playing", "final-round", "over"]

# Goes up when the same moves under the same options would give another score.
ENGINE_VERSION = 1


@dataclass(frozen=True, slots=True)
class Option:
    """A legal set-aside of the present throw: sorted dice and what they score.

    `with_coloured`: None when no die is coloured; otherwise whether the coloured die goes along (it is not in `dice`).
    """

    dice: tuple[int, ...]
    score: int
    with_coloured: bool | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's line. `farkles`: in a row. `on_board`: the opening threshold is met (always true without one)."""

    name: str
    seat: str | None
    score: int = 0
    on_board: bool = True
    farkles: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn being played.

    `player`: index into the players. `score`: points at risk, the present choice included. `dice_left`: dice that
    are not set aside (the whole set again after hot dice): what the next throw would be. `throw`: sorted values, None
    before the first throw and after none is open. `throw_id`: its number in the game, from 1. `aside`: the present
    choice from `throw`. `kept`: all dice on the rail since the turn began or since the last hot dice, the present
    choice included. `options`: legal choices from `throw`, sorted by number of dice, then dice. `may_bank`: banking
    now is legal (with nothing chosen yet the best option is taken). `may_throw`: throwing the rest now is legal.
    """

    player: int
    score: int = 0
    dice_left: int = 6
    throw: tuple[int, ...] | None = None
    throw_id: int | None = None
    aside: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    options: tuple[Option, ...] = ()
    may_bank: bool = False
    may_throw: bool = True
    hot_dice: bool = False


@dataclass(frozen=True, slots=True)
class Last:
    """What just happened, for page and lamps: `what` is "farkle", "banked", "won", "hot-dice" or "corrected"."""

    player: int
    what: str
    points: int
    throw: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Everything a screen shows of a game. `turn` is None when the game is over; `winner` indexes `players`.
    `throws`: throws that stand. `dice`: dice of a full throw."""

    rules: str
    target: int
    status: Status
    players: tuple[Standing, ...]
    turn: Turn | None
    winner: int | None = None
    last: Last | None = None
    throws: int = 0
    dice: int = 6


S = TypeVar("S")


class Game(Protocol[S]):
    """A dice game as functions over a state of its own, a frozen value.

    `play` never sees `Started`, `Undone` or `Corrected`: `rules.record` turns those into a new fold.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    def start(self, started: Started) -> S:
        """Raises `BadRules` for options or a number of players that cannot be played."""
        ...

    def play(self, state: S, event: Event) -> S:
        """The state after `event`. Raises `InvalidMove` or `IllegalMove`; then nothing has changed."""
        ...

    def board(self, state: S) -> Scoreboard: ...
