"""What is found out about a game, as values: a play and what it is worth, the outlook, luck.

No array is in them, and nothing here loads what works them out: a screen shows them without it.
"""

from dataclasses import dataclass
from typing import Literal

from rules.game import Option
from rules.hands import Hand

Then = Literal["bank", "throw"]


@dataclass(frozen=True, slots=True)
class Worth:
    """`points`: expected, of the whole turn. `win`: the chance to win; None when it is not known."""

    points: float
    win: float | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """`option`: what to set aside; None when no throw is open. `left`: the dice to throw after it. `bank`, `throw`:
    what either is worth then, None where it is not allowed. `then`: the better one, `worth` what it is worth."""

    option: Option | None
    left: Hand
    bank: Worth | None
    throw: Worth | None
    then: Then
    worth: Worth


@dataclass(frozen=True, slots=True)
class Outlook:
    """`farkle`: the chance that the next throw farkles, with the dice that are left by the present choice, or by the
    best play when none is made. `plays`: the choices of the present throw, or the one between throwing and banking,
    best first; none when best play does not cover what is going on. `wins`: each player's chance to win if everybody
    plays as well as can be, None where it is not known. `exact`: these are no estimates. `notes`: what they leave out.
    """

    farkle: float | None = None
    plays: tuple[Play, ...] = ()
    wins: tuple[float | None, ...] = ()
    exact: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Luck:
    """Of one player, in points. `turns`: that are finished and wholly covered, `expected`: what best play makes of so
    many, `made`: what was made. `dice`: luck of their throws, `given`: what other choices than the best gave away."""

    turns: int = 0
    expected: float = 0.0
    made: float = 0.0
    dice: float = 0.0
    given: float = 0.0


@dataclass(frozen=True, slots=True)
class Swing:
    """A throw by its `number` moved its `player`'s chance to win from `before` to `after`."""

    number: int
    player: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Reckoning:
    """`players`: luck of each. `left`: turns that best play does not cover. `decided`: the throw of the largest swing;
    None where the chance to win is not exact."""

    players: tuple[Luck, ...]
    left: int = 0
    decided: Swing | None = None
