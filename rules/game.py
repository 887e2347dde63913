"""The protocol that every dice game follows, and the scoreboard it shows."""

from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from rules.events import Attempt, Event, Started

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

    @property
    def size(self) -> int:
        """How many dice it sets aside, the coloured one included."""
        return len(self.dice) + bool(self.with_coloured)

    def faces(self, coloured: int | None) -> tuple[int, ...]:
        """All dice set aside, sorted. `coloured`: what the coloured die shows."""
        return tuple(sorted((*self.dice, coloured))) if self.with_coloured and coloured is not None else self.dice


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's line. `farkles`: in a row. `on_board`: the opening threshold is met (always true without one).
    `team`: its index, None without teams; team-mates share one score, one threshold and one row of farkles. `mark`: as
    in `rules.events.Player`."""

    name: str
    seat: str | None
    score: int = 0
    on_board: bool = True
    farkles: int = 0
    team: int | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Team:
    """`players`: indexes, in the order of play. `score`: of all of them together."""

    players: tuple[int, ...]
    score: int = 0


@dataclass(frozen=True, slots=True)
class Offer:
    """What the player before left to the one to move: `dice` to throw, and the `points` that go with them.
    `coloured`: the coloured die is one of these."""

    player: int
    points: int
    dice: int
    coloured: bool = False


@dataclass(frozen=True, slots=True)
class Trying:
    """An attempt to complete `what`: `dice` are kept, all others are thrown once."""

    what: Attempt
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn being played.

    `player`: index into the players. `score`: points at risk, the present choice included. `dice_left`: dice that
    are not set aside (the whole set again after hot dice): what the next throw would be. `throw`: sorted values, None
    before the first throw and after none is open. `throw_id`: its number in the game, from 1. `aside`: the present
    choice from `throw`, or what is kept of it for an attempt. `kept`: all dice on the rail since the turn began or
    since the last hot dice, the present choice and dice taken over included. `options`: legal choices from `throw`,
    sorted by number of dice, then dice.
    `may_bank`: banking now is legal (with nothing chosen yet the best option is taken). `may_throw`: throwing the rest
    now is legal. `goes_over`: banking now would pass a target that must be hit exactly.

    `coloured`: what the coloured die shows in `throw`, None when it is not there. `with_coloured`: whether it is in
    `aside`. `coloured_due`: it is among the dice of the next throw.
    `may_take`: the dice of the player before may be taken over, rather than starting with all. `carried`: points taken
    over; they count as soon as one die scores. `roll_off`: the next throw takes the winner's last turn back if it
    scores, and ends the game if not.
    `may_attempt`: what may be declared now. `attempt`: what is declared or being completed.
    `following`: whose turn comes next.
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
    goes_over: bool = False
    coloured: int | None = None
    with_coloured: bool | None = None
    coloured_due: bool = False
    may_take: Offer | None = None
    carried: int = 0
    roll_off: Offer | None = None
    may_attempt: tuple[Trying, ...] = ()
    attempt: Trying | None = None
    following: int = 0


@dataclass(frozen=True, slots=True)
class Last:
    """What just happened, for page and lamps.

    `what` is "farkle", "four-twos", "banked", "went-over", "taken", "attempted", "hot-dice", "rolled-off", "corrected"
    or "won". `points`: banked, lost or taken over. `penalty`: what three farkles in a row cost besides. `to`: who was
    given the points that went over the target; None when nobody was.
    """

    player: int
    what: str
    points: int
    throw: tuple[int, ...] = ()
    penalty: int = 0
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Everything a screen shows of a game. `turn` is None when the game is over; `winner` indexes `players`, and
    `winners` are all who have won: a team, or those who share a tie. `throws`: throws that stand. `dice`: dice of a
    full throw. `leader`: who is to be beaten in the final round. `playoff`: who still plays to break a tie. `stake`:
    what each player put in the pot. `wild_colour`: of the die that may be wild, "" for the odd one out; None when the
    rules have no such die."""

    rules: str
    target: int
    status: Status
    players: tuple[Standing, ...]
    turn: Turn | None
    winner: int | None = None
    last: Last | None = None
    throws: int = 0
    dice: int = 6
    winners: tuple[int, ...] = ()
    teams: tuple[Team, ...] = ()
    leader: int | None = None
    playoff: tuple[int, ...] = ()
    stake: int = 0
    wild_colour: str | None = None


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
