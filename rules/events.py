"""Accepted facts of a game. A game is the fold of its moves; scores are never stored."""

from dataclasses import dataclass
from typing import Any, Literal

Source = Literal["eye", "hand"]


@dataclass(frozen=True, slots=True)
class Player:
    """`seat`: the phone's seat that plays for this player, None when only the name is known."""

    name: str
    seat: str | None = None


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
    """`values`: 1-6 each, sorted. `source`: read by the eye, or entered by hand."""

    values: tuple[int, ...]
    source: Source = "eye"


@dataclass(frozen=True, slots=True)
class Kept:
    """The dice of the present throw that are set aside. A second `Kept` for the same throw replaces the first."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Banked:
    """The turn ends and its points count."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """Throw number `throw` of the game (from 1) was really `values`."""

    throw: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """The last move that still stands is taken back."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The players stopped the game before it was won."""


Event = Started | Thrown | Kept | Banked | Corrected | Undone | Ended
