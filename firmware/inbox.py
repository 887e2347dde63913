"""What can lie in the table's inbox: small values from the eye, the panel and the phones."""

from concurrent.futures import Future
from dataclasses import dataclass
from threading import Event

from calibration.wizard import Lead
from firmware.drivers import Press
from vision.drift import Drift
from vision.happening import Happening
from vision.seen import SeenDie
from web.commands import Command
from web.view import Closeups, OtherDice, View


@dataclass(frozen=True, slots=True)
class Ask:
    command: Command
    rev: int | None
    key: str | None
    answer: "Future[View]"


@dataclass(frozen=True, slots=True)
class Lost:
    text: str


@dataclass(frozen=True, slots=True)
class Lies:
    """What lies in the tray and was not thrown for the game."""

    dice: tuple[SeenDie, ...]


@dataclass(frozen=True, slots=True)
class Size:
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Banner:
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    text: str


@dataclass(frozen=True, slots=True)
class PanelIs:
    factory: str
    troubles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Calibrating:
    step: Lead


@dataclass(frozen=True, slots=True)
class Drifts:
    drifts: tuple[Drift, ...]


@dataclass(frozen=True, slots=True)
class Others:
    """Whose dice lie there, other than those in use."""

    dice: OtherDice | None


@dataclass(frozen=True, slots=True)
class NextRules:
    """The rules that the page offers first for the next game, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Knock:
    """Somebody asks whether the table still takes what is put here."""

    heard: Event


@dataclass(frozen=True, slots=True)
class Reached:
    """Where phones reach the pages now, and a sentence when they cannot."""

    url: str
    hint: str


class Stop:
    pass


Told = (
    Happening
    | Press
    | Lost
    | Lies
    | Size
    | Banner
    | Note
    | PanelIs
    | Calibrating
    | Drifts
    | Others
    | NextRules
    | Closeups
    | Reached
)
Message = Ask | Told | Knock | Stop
