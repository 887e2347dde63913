"""Where a calibration stands: its step, and what was taken, learned and rolled so far; and how it goes on or ends."""

from dataclasses import dataclass, field, replace
from typing import Literal

from calibration.asked import Answer, Unnamed
from calibration.deeds import Judged, Learn, Order, Restore
from calibration.sight import Hint, Sight
from vision.dice_set import Kind, called
from vision.polygon import Polygon
from vision.seen import SeenDie

Step = Literal["off", "light", "empty", "tray", "dice", "learning", "faces", "rolls", "passed", "failed", "named"]
# What lamp and pages are led by: beside the steps, that a phone may begin.
Lead = Step | Literal["offered"]
UNDER_WAY: tuple[Step, ...] = ("light", "empty", "tray", "dice", "learning", "faces", "rolls", "passed")

ROLLS = 3
# Faces that pictures of the dice should show together, and the pictures at most: one die is shown four times.
FACES, PICTURES = 8, 4


@dataclass(frozen=True, slots=True)
class Roll:
    """A test roll. `least`: the smallest confidence of its dice, 0-1. `still`: the name of its picture. `confirmed`: by
    the owner; None before. `told`: what the dice show by the owner's word, when that is something else."""

    values: tuple[int, ...]
    sure: bool
    least: float
    dice: tuple[SeenDie, ...]
    still: str
    confirmed: bool | None = None
    told: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Calibration:
    """`live`: the last live look. `good_since_s`: since when it has been good. `asked`: the picture that is being kept
    and studied; `tapped`: it is taken whatever is found in it. `studied`: what was found in the last one. `stirred`:
    something has moved since that one was taken. `stills`: pictures to learn from, the first of the empty tray.
    `tray`, `rail`: outlines, pixels. `count`: dice of the set. `rolled`: rolls read so far, with those that were
    learned from. `again`: how often it was. `unnamed`: faces without pips that are asked about, `answers`: of those
    before. `more`: pictures wanted besides, for faces that were not shown. `judged`: rolls whose values the owner has
    told. `unlike`: how many of these are read otherwise, with all that was learned. `progress`: of learning, 0-1.
    `names`: of the sets that exist. `reason`: why it failed or ended. `offered_s`: when the button was held, for a
    while. `heard_s`: when something last went on."""

    step: Step = "off"
    live: Sight = field(default_factory=Sight)
    good_since_s: float | None = None
    asked: str | None = None
    tapped: bool = False
    studied: Sight = field(default_factory=Sight)
    stirred: bool = True
    stills: tuple[str, ...] = ()
    tray: Polygon | None = None
    rail: Polygon | None = None
    count: int = 0
    kinds: tuple[Kind, ...] = ()
    unnamed: tuple[Unnamed, ...] = ()
    answers: tuple[Answer, ...] = ()
    more: int = 0
    rolls: tuple[Roll, ...] = ()
    rolled: int = 0
    again: int = 0
    judged: tuple[Judged, ...] = ()
    unlike: int = 0
    progress: float | None = None
    name: str = ""
    names: tuple[str, ...] = ()
    reason: str | None = None
    offered_s: float | None = None
    heard_s: float = 0.0

    @property
    def under_way(self) -> bool:
        return self.step in UNDER_WAY

    @property
    def emptied(self) -> bool:
        """The empty tray has been shown: what lay there before does not any more."""
        return bool(self.stills)

    @property
    def lead(self) -> Lead:
        return "offered" if self.offered_s is not None and not self.under_way else self.step

    @property
    def hints(self) -> tuple[Hint, ...]:
        return (*self.live.hints, *self.studied.hints) if self.under_way else ()

    @property
    def good(self) -> bool:
        """Nothing is in the way of going on. Dice that lie as in the picture before would teach nothing new."""
        match self.step:
            case "light":
                return self.live.good
            case "empty" | "dice":
                return self.live.good and not self.studied.hints and (self.stirred or self.asked is not None)
            case "tray":
                return self.live.good and self.tray is not None
            case "rolls":
                return bool(self.rolls) and self.rolls[-1].sure and not self.hints
        return self.step in ("passed", "named")

    @property
    def called(self) -> tuple[str, ...]:
        """What the owner calls the faces, see `vision.dice_set.called`; empty before the dice are known."""
        told = [{one.kind: (said.value, said.name)} for one, said in self.answers if said is not None]
        return called(dict(each[kind] for each in told if kind in each) for kind in range(len(self.kinds)))

    @property
    def pictures(self) -> int:
        """How many pictures of the dice are wanted. Known when the first is taken."""
        return min(PICTURES, max(2, -(-FACES // max(1, self.count)))) + self.more


Told = tuple[Calibration, tuple[Order, ...]]


class NotNow(Exception):
    """What the owner wants does not fit this step; the message is a sentence."""


def learning(now: Calibration, passed: bool = False) -> Told:
    """`passed`: once more, after the test rolls were read right."""
    now = replace(now, step="learning", progress=0.0, studied=Sight(), live=replace(now.live, hints=()))
    now = now if passed else replace(now, rolls=())
    return now, (Learn(now.stills, now.tray, now.rail, now.answers, now.judged, passed),)


def failed(now: Calibration, reason: str) -> Told:
    return replace(now, step="failed", reason=reason, progress=None, asked=None), (Restore(),)


def left(reason: str | None = None) -> Told:
    return Calibration(reason=reason), (Restore(),)
