"""What the pages ask of the running device. The firmware passes objects that fit; nothing here is imported upwards."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol

from calibration.deeds import Deed
from calibration.wizard import Calibration
from rules import die_words
from rules.best_play.luck import Reckoning
from rules.best_play.outlook import Outlook
from rules.events import Attempt, Event
from rules.fairness import Bet
from rules.game import Scoreboard, Status
from rules.house import Mistake
from rules.options import Options
from rules.retelling import Threw, ToldTurn
from rules.tally import Tally
from speech.sentence import say
from vision.drift import Drift
from vision.happening import EyeState
from vision.profile import Kind
from vision.seen import Doubt, SeenDie


@dataclass(frozen=True, slots=True)
class OtherDice:
    """A set of dice, and what people call it."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class EyeView:
    """What the eye sees now. `text`: one sentence for people, with what to do. `dice`: all dice at rest.
    `width`, `height`: pixels of the picture that `dice` lie in. `drifts`: how the tray differs from its calibration.
    `other`: the set that the dice are of when it is not the one in use."""

    state: EyeState
    text: str
    dice: tuple[SeenDie, ...] = ()
    width: int = 1280
    height: int = 960
    drifts: tuple[Drift, ...] = ()
    other: OtherDice | None = None


@dataclass(frozen=True, slots=True)
class PanelView:
    """What the panel says: `status` is "#rrggbb", `word` says it without colour. `cue` names what lasts now, in its own
    rhythm, `moment` what comes with this view and is played once before it: both are in the table of cues. `pulse`:
    somebody should look. `sound`: of the moment, None for a silent one."""

    factory: str = "none"
    status: str = "#000000"
    word: str = "off"
    pulse: bool = False
    dice_left: int = 0
    bank: bool = False
    sound: str | None = None
    cue: str = "off"
    moment: str | None = None


@dataclass(frozen=True, slots=True)
class Closeups:
    """Pictures of the places that are doubted, to be asked for by `taken_ms` and the number of the doubt. `there`: of
    each doubt whether it has one."""

    taken_ms: int
    there: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Disputed:
    """A throw that everybody is asked to look at again. `throw`: its number in the game as it stands. `by`: who asked.
    `pictures`: names of those that are kept of it, see `Pictures`."""

    throw: int
    by: str
    values: tuple[int, ...]
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameView:
    """`notes`: sentences about what the tray assumed or refused, newest last, shown until the next move.
    `doubts`: open questions about the present throw. `proposed`: values read with doubts, None for a die that could
    not be read; a phone may confirm or change them. `closeups`: of these doubts; None while there
    are none. `disputed`: the throw that is looked at again, the present one or one of before."""

    id: str
    board: Scoreboard
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[str, ...] = ()
    proposed: tuple[int | None, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    may_redo: bool = False
    thrown: tuple[int, ...] = ()
    closeups: Closeups | None = None
    disputed: Disputed | None = None


@dataclass(frozen=True, slots=True)
class View:
    """All that a screen shows, frozen. `epoch` names the run of the program, `rev` counts up with every change of the
    game (commands are made against it), `seq` with every published view (the stream's id).
    `banners`: lasting sentences such as "The disk is full". `offered`: the preset chosen for the next game. `url`:
    where phones reach the pages, by number and port, without a path; empty while no phone can."""

    epoch: str
    rev: int
    seq: int
    eye: EyeView
    panel: PanelView
    game: GameView | None
    banners: tuple[str, ...] = ()
    offered: str = "farkle"
    url: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. `mark`: name of its colour and shape, see `web.marks`. `phone`: the one that holds it, None
    when nobody does. `plays`: it is a player's; else that of a screen which only moves."""

    id: str
    name: str
    mark: str = ""
    phone: str | None = None
    plays: bool = True


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


class Stale(Exception):
    """The command was made against an older `rev`. `view` is the present one."""

    def __init__(self, view: View) -> None:
        super().__init__(say("The game has moved on since this page was drawn; look again."))
        self.view = view


class TrayBusy(Exception):
    """The command cannot be taken now; the message is a sentence with the cure (disk full, no game, shutting down)."""


class NameTaken(Exception):
    """There are house rules of that name; the message is a sentence."""


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


@dataclass(frozen=True, slots=True)
class DieRecord:
    """What a die showed in all its throws, or equal dice together. `name`: of its kind. `dice`: how many share it, 0
    when that is not known. `counts`: how often each face came, from the one to the six. `bet`: against its fairness,
    named at `limit`. `look`: None when the set no longer has such a die."""

    name: str
    dice: int
    counts: tuple[int, ...]
    bet: Bet
    limit: int
    look: Kind | None = None

    @property
    def unfair(self) -> str | None:
        """A sentence when the die was named."""
        named = self.bet.named_at is not None
        return die_words.unfair(self.counts, self.name, self.dice) if named else None


@dataclass(frozen=True, slots=True)
class SetRecord:
    """The records of a set of dice. `slug`: in addresses. `name`: for people."""

    slug: str
    name: str
    dice: tuple[DieRecord, ...]


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


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game of the journal in short. `began`, `moved`: wall time of its first and its last move, ISO 8601. `rules`:
    their name. `turns`, `throws`: so far. `archived`: out of the list. `current`: it is the one on the table.
    `trouble`: why it cannot be played on, a sentence; then most of the rest is empty."""

    id: str
    began: str
    moved: str = ""
    rules: str = ""
    players: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    status: Status = "over"
    winners: tuple[int, ...] = ()
    turns: int = 0
    throws: int = 0
    archived: bool = False
    current: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """A game throw by throw. `moves`: all of them, as they were accepted. Only these when the game cannot be replayed:
    see the card's `trouble`."""

    card: GameCard
    moves: tuple[tuple[Event, ...], ...]
    board: Scoreboard | None = None
    turns: tuple[ToldTurn, ...] = ()
    reckoning: Reckoning | None = None


@dataclass(frozen=True, slots=True)
class ToldThrow:
    """A throw, and who threw it."""

    player: str
    threw: Threw


@dataclass(frozen=True, slots=True)
class PlayerTally:
    name: str
    tally: Tally


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


@dataclass(frozen=True, slots=True)
class DiceSet:
    """A set of dice that the tray knows. `slug`: in addresses, and of its files. `made`: the date of its calibration,
    ISO. `rolls`: test rolls it passed, `least`: the smallest confidence in them, None without any. `before`: the date
    of the calibration before, None when there is none to go back to. `trouble`: a sentence when it cannot be used."""

    slug: str
    name: str
    active: bool
    kinds: tuple[Kind, ...] = ()
    made: str = ""
    rolls: int = 0
    least: float | None = None
    before: str | None = None
    trouble: str = ""

    @property
    def count(self) -> int:
        return sum(kind.count for kind in self.kinds)


class SetRefused(Exception):
    """What was asked of the dice sets cannot be; the message is a sentence."""


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

    def packed(self, slug: str) -> bytes:
        """The set as a .zip, to be taken in by another tray."""
        ...

    def take_in(self, data: bytes) -> str:
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


@dataclass(frozen=True, slots=True)
class Wifi:
    """The Wi-Fi that the owner lets guests into. `password`: empty for an open one. `hidden`: it does not tell its
    name."""

    name: str
    password: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """How the pages are reached. `hosts`: names of the tray. `wifi`: None when the owner names none. `at_home`: whether
    the address of a phone is in the tray's own network."""

    hosts: frozenset[str] = frozenset()
    max_streams: int = 220
    simulated: bool = False
    wifi: Wifi | None = None
    at_home: Callable[[str | None], bool] = lambda _: False


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be well before the tray can be used. `name`: "camera", "journal", "profile", ...
    `text`: a sentence for people, with the cure when it is not `ok`. `needed`: the tray is not ready without it."""

    name: str
    ok: bool
    text: str
    needed: bool = True


@dataclass(frozen=True, slots=True)
class ClubTray:
    """Another tray, or this one, as the broker knows it. `here`: it is connected. `status`: a word or two. `turn`:
    index of the player to move, None without one. `dice`: of the throw that lies there."""

    id: str
    name: str
    status: str
    rules: str = ""
    target: int = 0
    players: tuple[tuple[str, int], ...] = ()
    turn: int | None = None
    at_risk: int = 0
    dice: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    here: bool = True


class Club(Protocol):
    """The trays on one broker: a club night."""

    def trays(self) -> Sequence[ClubTray]:
        """By name. Never blocks for long."""
        ...
