"""What people may ask of the table: a frozen value each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.events import Attempt


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A player of a game to be started: a seat of a phone, or only a name."""

    name: str
    seat: str | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class NewGame:
    """`rules`: name of a preset, or house rules as a table."""

    rules: str | Mapping[str, Any]
    players: tuple[Newcomer, ...]


@dataclass(frozen=True, slots=True)
class Bank:
    pass


@dataclass(frozen=True, slots=True)
class Undo:
    pass


@dataclass(frozen=True, slots=True)
class Keep:
    """`with_coloured`: as in `rules.events.Kept`."""

    dice: tuple[int, ...]
    with_coloured: bool | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """Go on with the dice and points that the player before left."""


@dataclass(frozen=True, slots=True)
class Try:
    """Declare an attempt, keeping `dice`."""

    what: Attempt
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EnterThrow:
    """A throw entered by hand, or the answer to an open doubt. `coloured`: what the coloured die among them shows."""

    values: tuple[int, ...]
    coloured: int | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    throw: int
    values: tuple[int, ...]
    coloured: int | None = None


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what was taken back last."""


@dataclass(frozen=True, slots=True)
class End:
    pass


@dataclass(frozen=True, slots=True)
class Resume:
    """Take up a game of the journal, by its id."""

    game: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """Ask everybody to look at a throw again. `pictures`: as in `Disputed`."""

    throw: int
    by: str
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stands:
    """The throw that was disputed is right as it is. `throw`: its number; nothing happens when none is disputed."""

    throw: int


Command = NewGame | Bank | Undo | Redo | Keep | Take | Try | EnterThrow | Correct | End | Resume | Dispute | Stands
