"""What the pages ask of the running device. The firmware passes objects that fit; nothing here is imported upwards."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import IO, Any, Protocol

from calibration.course import Calibration
from calibration.deeds import Deed
from rules.best_play.findings import Outlook
from rules.house import Mistake
from rules.options import Options
from web.commands import Command
from web.records import ClubTray, DiceSet, GameCard, PlayerTally, Seat, SetRecord, Story, ToldThrow
from web.view import View


class Listener(Protocol):
    """A bounded queue of views, closed by the table when it overflows or the program stops."""

    def get(self, timeout_s: float) -> View | None:
        """The next view; None after `timeout_s`. Raises `EOFError` when closed."""
        ...

    def __enter__(self) -> "Listener": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class LiveTable(Protocol):
    def view(self) -> View:
        """The last published view. Never blocks."""
        ...

    def ask(self, command: Command, *, rev: int | None = None, key: str | None = None) -> View:
        """Play `command` and return the view that holds it, already on disk. The same `key` again returns the same
        view and changes nothing. Raises `Stale`, `TrayBusy`, or a `rules.errors.RulesError`."""
        ...

    def listen(self) -> Listener: ...

    def since(self, seq: int) -> Sequence[View] | None:
        """The views after `seq`, oldest first, or None when they are no longer all held."""
        ...


class Oddsmaker(Protocol):
    def outlook(self, view: View) -> Outlook | None:
        """The odds of the game in `view`, worked out in the thread that asks: milliseconds, a second for the first of
        a game. None without a game. Chances to win are None while its rules are being solved."""
        ...


class Calibrator(Protocol):
    """The one calibration that may be under way, and the sets it makes."""

    def now(self) -> Calibration:
        """How it stands. Never blocks."""
        ...

    def do(self, deed: Deed) -> Calibration:
        """What the owner does, and how it stands then. Raises `calibration.wizard.NotNow` or `TrayBusy`."""
        ...

    def picture(self, still: str | None = None) -> bytes | None:
        """A JPEG at most 640 wide: the live picture, or one that was kept: "empty", "dice0", "roll1", ... None when
        there is none."""
        ...

    def names(self) -> tuple[str, ...]:
        """Of the sets that exist."""
        ...

    def can_undo(self) -> bool:
        """Whether there is a calibration before the one in use to go back to."""
        ...

    def undo(self) -> None:
        """Go back to it. Raises `NotNow` or `TrayBusy`."""
        ...


class DieBook(Protocol):
    def record(self, slug: str) -> SetRecord | None:
        """None when there is no such set and never was. Raises `TrayBusy` when the journal cannot be read."""
        ...


class Keeping(Protocol):
    """Keeps the tray true to its calibration."""

    def relock(self) -> None:
        """Take the tray as it is now for the empty one: the camera settles and is locked again, and the dice set in use
        goes on with that. Takes some seconds. Raises `SetRefused` or `TrayBusy`."""
        ...

    def can_undo(self) -> bool:
        """Whether there is a calibration before to go back to."""
        ...

    def undo(self) -> None:
        """Go back to it. Raises `SetRefused` or `TrayBusy`."""
        ...

    def picture(self) -> bytes | None:
        """What the camera sees now, a JPEG at most 640 pixels wide; None when it gives no picture within a second."""
        ...


class Pictures(Protocol):
    """The pictures that the tray keeps of throws, JPEGs: "still" as it was read, its "drawn" dice
    with what was seen drawn on them, "film": twenty of the two seconds before, one under another."""

    def throws(self, game: str) -> frozenset[int]:
        """Numbers of the throws of this game that there are pictures of."""
        ...

    def pictures(self, game: str, throw: int) -> Mapping[str, bytes]:
        """Those there are of this throw, by name."""
        ...

    def keep(self, game: str, throw: int) -> bool:
        """Have them kept after newer ones have come; waits until they are on disk. False when that cannot be."""
        ...

    def closeup(self, taken_ms: int, number: int) -> bytes | None:
        """The place of a doubt, large. `taken_ms`: of the `Closeups`; `number`: of the doubt, from 0. None when it was
        open long ago, or has no place."""
        ...


class Past(Protocol):
    """The games that were played here. Each raises `TrayBusy` when the journal cannot be used."""

    def games(self) -> Sequence[GameCard]:
        """Newest first."""
        ...

    def tallies(self) -> Sequence[PlayerTally]:
        """Over all games that are not archived."""
        ...

    def story(self, game: str) -> Story | None:
        """None when there is no such game."""
        ...

    def throw(self, game: str, number: int) -> ToldThrow | None:
        """A throw of the game as it stands, without working out its luck. None when there is no such throw."""
        ...

    def archive(self, game: str, archived: bool = True) -> None:
        """Out of the list and the records, or back into them."""
        ...


class DiceSets(Protocol):
    """The sets of dice that this tray knows. What changes something raises `SetRefused` or `TrayBusy`."""

    def all(self) -> Sequence[DiceSet]:
        """By name."""
        ...

    def fixed(self) -> str | None:
        """The profile named at the start, which is then the only one read with; None without one."""
        ...

    def activate(self, slug: str) -> None:
        """Read with this set from now on."""
        ...

    def rename(self, slug: str, name: str) -> None: ...

    def forget(self, slug: str) -> None: ...

    def undo(self, slug: str) -> None:
        """Back to the calibration before; once more comes back to this one."""
        ...

    def pack(self, slug: str, out: IO[bytes]) -> None:
        """Write the set as a .zip, to be taken in by another tray."""
        ...

    def take_in(self, file: IO[bytes]) -> str:
        """Put the set of a .zip beside the others; its slug."""
        ...


class Room(Protocol):
    """The seats at the table, and which phone holds each. They outlive a restart. What writes raises `TrayBusy` when
    the disk takes no more."""

    code: str

    def seats(self) -> tuple[Seat, ...]:
        """All that ever were, the oldest first."""
        ...

    def seats_of(self, phone: str) -> tuple[Seat, ...]: ...

    def sit(self, name: str, mark: str, phone: str, plays: bool = True) -> Seat:
        """A new seat, held by `phone`."""
        ...

    def paint(self, seat: Seat, mark: str) -> Seat: ...

    def give(self, seat: Seat, phone: str | None) -> bool:
        """Let `phone` hold the seat, or nobody. False when it is no more held by whom `seat` says."""
        ...

    def pair(self, phone: str) -> bool:
        """Whether the phone is the owner's: paired before, or by this call because the button was held within the last
        minute. Each hold pairs one phone."""
        ...


class SimulatedTray(Protocol):
    """The hands at a tray that is only simulated. Each call returns at once; the eye sees what follows."""

    def picture(self) -> bytes | None:
        """What the camera films now, a small JPEG; None when it gives no picture within a second."""
        ...

    def busy(self) -> bool:
        """Whether something asked for is still happening, or so fresh that the eye may not have told it yet."""
        ...

    def throw(self, count: int, values: Sequence[int] | None = None, cocked: int = 0, coloured: bool = False) -> None:
        """Roll `count` dice; those lying in the tray are taken up first. `values`: how they are to fall. `coloured`:
        the first of them is the die of another colour."""
        ...

    def aside(self, dice: Sequence[int], coloured: bool = False) -> None:
        """Move dice with these values from the tray to the rail, `coloured`: the coloured one among them. Raises
        `ValueError` when they do not lie there."""
        ...

    def clear(self) -> None:
        """Take all dice out, rail included."""
        ...

    def dice_sets(self) -> tuple[str, ...]:
        """Names of the sets of dice beside the tray."""
        ...

    def dice_set(self) -> str:
        """Name of the one that is thrown."""
        ...

    def count(self) -> int:
        """Dice of the set that is thrown."""
        ...

    def use(self, dice_set: str, count: int | None = None) -> None:
        """Throw another set from now on, of `count` dice; None for as many as usual. Raises `ValueError`."""
        ...

    def place(self) -> None:
        """Put the whole set into the tray, flat and apart."""
        ...

    def press(self, button: str, long: bool = False) -> None: ...

    def fault(self, kind: str, seconds: float) -> None:
        """`kind`: "dead-camera", "dropped-frames", "glare", "dark", "stuck-button", ... Raises `ValueError`."""
        ...

    def faults(self) -> tuple[str, ...]:
        """The kinds that `fault` knows."""
        ...


class RuleCard(Protocol):
    """Rules that can be played. `title`, `description`: for the players, a line each. `base`: the preset that house
    rules build on; empty for a preset itself."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def options(self) -> Options: ...
    @property
    def base(self) -> str: ...


class Rulebook(Protocol):
    """The rules that this tray knows, and where house rules are saved."""

    def cards(self) -> Sequence[RuleCard]:
        """In the order in which they are offered."""
        ...

    def read(self, rules: Mapping[str, Any]) -> tuple[Options, Sequence[Mistake]]:
        """House rules as far as they can be read, and every mistake in them."""
        ...

    def save(self, rules: Mapping[str, Any], replace: bool = False) -> RuleCard:
        """Keep house rules under their name, on disk when this returns. Raises `BadRules`, `NameTaken` without
        `replace`, or `TrayBusy`."""
        ...

    def forget(self, name: str) -> None:
        """Throw house rules away. Raises `BadRules` when there are none of this name, or `TrayBusy`."""
        ...


class Club(Protocol):
    """The trays on one broker: a club night."""

    def trays(self) -> Sequence[ClubTray]:
        """By name. Never blocks for long."""
        ...
