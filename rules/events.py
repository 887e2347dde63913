"""Accepted facts of a game. A game is the fold of its moves; scores are never stored."""

from dataclasses import dataclass
from typing import Any, Literal

Source = Literal["eye", "hand"]
Attempt = Literal["straight", "triple"]


@dataclass(frozen=True, slots=True)
class Player:
    """`seat`: the phone's seat that plays for this player, None when only the name is known. `mark`: the colour and
    shape that stand beside the name; no rule asks for it."""

    name: str
    seat: str | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """`rules`: the complete options as plain JSON values (see `rules.options`), so that an old game is never
    scored by new defaults. `version`: of the rules engine that began it."""

    game: str
    rules: dict[str, Any]
    version: int
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Thrown:
    """`values`: 1-6 each, sorted, of all dice thrown. `source`: read by the eye, or entered by hand. `coloured`: which
    of the values the coloured die shows; None when it is not among the dice thrown."""

    values: tuple[int, ...]
    source: Source = "eye"
    coloured: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """The dice of the present throw that are set aside. A second `Kept` for the same throw replaces the first.

    `with_coloured`: the coloured die goes along, beside `dice`. None: whatever fits `dice`, the coloured die counted
    among them if need be."""

    dice: tuple[int, ...]
    with_coloured: bool | None = None


@dataclass(frozen=True, slots=True)
class Attempted:
    """From a throw of all dice, `dice` are kept and the rest will be thrown once to complete `what`."""

    what: Attempt
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """The turn goes on from the dice and the points that the player before left."""


@dataclass(frozen=True, slots=True)
class Banked:
    """The turn ends and its points count."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """Throw number `throw` of the game (from 1) was really `values`. `coloured`: what the coloured die among them
    shows; None when there is none, or when it shows what it did."""

    throw: int
    values: tuple[int, ...]
    coloured: int | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """The last move that still stands is taken back."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The players stopped the game before it was won."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game is taken up again, after another one was played or after it was stopped."""


Event = Started | Thrown | Kept | Attempted | Taken | Banked | Corrected | Undone | Ended | Resumed
