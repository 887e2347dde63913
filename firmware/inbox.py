"""What can lie in the table's inbox: small values from the panel, the phones and the box; the eye's are in `link`."""

from concurrent.futures import Future
from dataclasses import dataclass
from threading import Event

from calibration.course import Lead
from firmware.drivers import Press
from firmware.link import Drifted, Lost, Offered, Opened, Using
from vision.happening import Happening
from vision.seen import SeenDie
from web.commands import Command
from web.view import Closeups, View


@dataclass(frozen=True, slots=True)
class Ask:
    command: Command
    rev: int | None
    key: str | None
    answer: "Future[View]"


@dataclass(frozen=True, slots=True)
class Lies:
    """What lies in the tray and was not thrown for the game."""

    dice: tuple[SeenDie, ...]


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


# What changes what is now without being a move.
State = Lost | Opened | Using | Drifted | Offered | Lies | Closeups | Banner | Note | PanelIs | Calibrating | Reached
Told = Happening | Press | NextRules | State
Message = Ask | Told | Knock | Stop
