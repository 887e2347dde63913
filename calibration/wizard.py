"""The steps of a calibration as a pure state machine: what has happened in, the next state and what is to be done out.

    off -> light -> empty -> tray -> dice -> learning -> rolls -> passed -> named

A step is left by itself when the live picture has been good for about a second, or by a tap. Two pictures of the dice
are learned from (more of a set of few dice), then rolls are read with what was learned. The owner confirms each; one
that was read wrong, or not for sure, is learned from as well and the rolls begin again. Nothing is saved before.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from calibration.deeds import (
    Begun,
    Cancelled,
    Confirmed,
    Deed,
    Denied,
    Event,
    KeepStill,
    Learn,
    Learnt,
    Looked,
    Named,
    NotLearnt,
    Order,
    Outlined,
    Progressed,
    Restore,
    Rolled,
    Save,
    StillKept,
    Taken,
    Ticked,
    TryOut,
)
from calibration.sight import Sight
from vision.profile import Kind, Polygon
from vision.seen import SeenDie

Step = Literal["off", "light", "empty", "tray", "dice", "learning", "rolls", "passed", "failed", "named"]
UNDER_WAY: tuple[Step, ...] = ("light", "empty", "tray", "dice", "learning", "rolls", "passed")

# A picture good for so long is taken; the outline is left in view a little longer, so that somebody sees it.
GOOD_S, SHOWN_S = 1.0, 2.0
# Nobody has done anything for so long: the tray goes back to what it was.
SILENCE_S = 600.0
ROLLS = 3
# How often it is learned again from rolls that were read wrong.
AGAIN = 2
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
    """`sight`: the last live look. `good_since_s`: since when it has been good. `stirred`: something moved since the
    last picture was taken. `stills`: pictures kept to learn from. `asked`: the picture that is being kept. `tray`,
    `rail`: outlines, pixels; `drawn`: by the owner. `count`: dice of the set. `rolled`: rolls read so far, those that
    were learned from as well. `progress`: of learning, 0-1. `names`: of the sets that exist. `reason`: why it failed or
    ended. `heard_s`: when somebody last did something."""

    step: Step = "off"
    sight: Sight = field(default_factory=Sight)
    good_since_s: float | None = None
    stirred: bool = True
    stills: tuple[str, ...] = ()
    asked: str | None = None
    tray: Polygon | None = None
    rail: Polygon | None = None
    drawn: bool = False
    count: int = 0
    kinds: tuple[Kind, ...] = ()
    rolls: tuple[Roll, ...] = ()
    rolled: int = 0
    again: int = 0
    progress: float | None = None
    name: str = ""
    names: tuple[str, ...] = ()
    reason: str | None = None
    heard_s: float = 0.0

    @property
    def under_way(self) -> bool:
        return self.step in UNDER_WAY

    @property
    def good(self) -> bool:
        """The picture can be taken as it is. Dice that still lie as in the one before would teach nothing new."""
        return self.sight.good and (self.stirred or self.step != "dice")

    @property
    def pictures(self) -> int:
        """How many pictures of the dice are wanted. Known when the first is taken."""
        return min(PICTURES, max(2, -(-FACES // max(1, self.count))))


Told = tuple[Calibration, tuple[Order, ...]]


class NotNow(Exception):
    """What the owner wants does not fit this step; the message is a sentence."""


def follow(now: Calibration, event: Event, at_s: float) -> Told:
    """The state after `event` at `at_s` (monotonic seconds), and what is to be done. Raises `NotNow`."""
    after, orders = _done(now, event) if isinstance(event, Deed) else _told(now, event, at_s)
    went_on = (after.step, after.stills, after.rolled) != (now.step, now.stills, now.rolled)
    return (replace(after, heard_s=at_s) if went_on or isinstance(event, Deed) else after), orders


def _told(now: Calibration, event: Event, at_s: float) -> Told:
    match event:
        case Looked(sight):
            return _looked(now, sight, at_s)
        case Ticked():
            if now.under_way and at_s - now.heard_s > SILENCE_S:
                return _left("Nobody went on for ten minutes, so everything stays as it was.")
        case StillKept(name):
            if name == now.asked:
                return _kept(replace(now, asked=None))
        case Progressed(share):
            return (replace(now, progress=share) if now.step == "learning" else now), ()
        case Learnt():
            if now.step == "learning":
                return _learnt(now, event), (TryOut(),)
        case NotLearnt(reason):
            if now.step == "learning":
                return _failed(now, reason)
        case Rolled():
            if now.step == "rolls":
                return _rolled(now, event)
    return now, ()


def _done(now: Calibration, deed: Deed) -> Told:
    if isinstance(deed, Begun):
        if now.under_way:
            raise NotNow("A calibration is under way: go on with it, or cancel it first.")
        return Calibration("light", names=deed.names), ()
    if isinstance(deed, Cancelled):
        return _left() if now.under_way else (Calibration(), ())
    if not now.under_way:
        raise NotNow("No calibration is under way: begin one first.")
    match deed:
        case Taken():
            return _take(now)
        case Outlined(tray, rail):
            if now.step not in ("tray", "dice"):
                raise NotNow("The outline is drawn before the dice are learned.")
            return replace(now, tray=tray, rail=rail, drawn=True, good_since_s=None), ()
        case Confirmed(roll) | Denied(roll):
            return _judged(now, roll, deed)
        case Named(name):
            if now.step != "passed":
                raise NotNow("The set gets its name when three rolls were read right.")
            return replace(now, step="named", name=name), (Save(name),)


def _looked(now: Calibration, sight: Sight, at_s: float) -> Told:
    if now.step not in ("light", "empty", "tray", "dice") or now.asked is not None:
        return now, ()
    since_s = None if not sight.good else at_s if now.good_since_s is None else now.good_since_s
    now = replace(now, sight=sight, good_since_s=since_s, stirred=now.stirred or not sight.still)
    if now.step == "tray" and not now.drawn:
        now = replace(now, tray=sight.tray, rail=sight.rail)
    wait_s = SHOWN_S if now.step == "tray" else GOOD_S
    ripe = since_s is not None and at_s - since_s >= wait_s
    return _take(now) if ripe and now.good else (now, ())


def _take(now: Calibration) -> Told:
    now = replace(now, good_since_s=None)
    match now.step:
        case "light":
            return replace(now, step="empty"), ()
        case "empty":
            return _keep(now, "empty")
        case "tray":
            return replace(now, step="dice"), ()
        case "dice":
            return _keep(now, f"dice{len(now.stills) - 1}")
    raise NotNow("There is no picture to take in this step.")


def _keep(now: Calibration, name: str) -> Told:
    if now.asked is not None:
        return now, ()
    return replace(now, asked=name), (KeepStill(name),)


def _kept(now: Calibration) -> Told:
    if now.step == "empty":
        return replace(now, step="tray", stills=("empty",), stirred=True), ()
    if now.step != "dice":
        return now, ()
    stills = (*now.stills, f"dice{len(now.stills) - 1}")
    now = replace(now, stills=stills, stirred=False, count=now.count or len(now.sight.dice))
    return (now, ()) if len(stills) - 1 < now.pictures else _learn(now)


def _learn(now: Calibration) -> Told:
    drawn = (now.tray, now.rail) if now.drawn or now.sight.marked else (None, None)
    return replace(now, step="learning", progress=0.0, rolls=()), (Learn(now.stills, *drawn),)


def _learnt(now: Calibration, lesson: Learnt) -> Calibration:
    return replace(
        now,
        step="rolls",
        progress=None,
        sight=replace(now.sight, hints=(), dice=()),
        kinds=lesson.kinds,
        count=lesson.count,
        tray=lesson.tray,
        rail=lesson.rail,
        name=suggested(lesson.kinds, now.names),
    )


def _rolled(now: Calibration, event: Rolled) -> Told:
    """One more roll, when it is a roll of all dice that lie flat; otherwise the hints say what is amiss."""
    now = replace(now, sight=event.sight)
    if event.sight.hints or len(now.rolls) == ROLLS:
        return now, ()
    dice = event.sight.dice
    values = tuple(sorted(die.value for die in dice if die.value is not None))
    number = now.rolled + 1
    least = min((die.confidence for die in dice), default=0.0)
    roll = Roll(values, event.sure, least, dice, f"roll{number}")
    return replace(now, rolls=(*now.rolls, roll), rolled=number), (KeepStill(roll.still),)


def _judged(now: Calibration, number: int, deed: Confirmed | Denied) -> Told:
    if now.step != "rolls" or not 1 <= number <= len(now.rolls):
        raise NotNow("There is no such roll to judge.")
    roll = now.rolls[number - 1]
    right = isinstance(deed, Confirmed)
    told = deed.values if isinstance(deed, Denied) else ()
    rolls = list(now.rolls)
    rolls[number - 1] = replace(roll, confirmed=right, told=told)
    now = replace(now, rolls=tuple(rolls))
    if not (right and roll.sure):
        return _again(now, roll)
    passed = len(rolls) == ROLLS and all(one.confirmed for one in rolls)
    return (replace(now, step="passed") if passed else now), ()


def _again(now: Calibration, roll: Roll) -> Told:
    """Learn from this roll as well."""
    if now.again == AGAIN:
        return _failed(
            now,
            "The dice were not read surely enough, even with what the test rolls taught: more even light, "
            "or a tray of another colour than the dice, would help. Then begin again.",
        )
    return _learn(replace(now, stills=(*now.stills, roll.still), again=now.again + 1))


def _failed(now: Calibration, reason: str) -> Told:
    return replace(now, step="failed", reason=reason, progress=None, asked=None), (Restore(),)


def _left(reason: str | None = None) -> Told:
    return Calibration(reason=reason), (Restore(),)


def suggested(kinds: tuple[Kind, ...], names: tuple[str, ...]) -> str:
    """A name for a set of these dice that none of `names` has.

    >>> suggested((), ("Dice",))
    'Dice 2'
    """
    colours = list(dict.fromkeys(kind.name for kind in kinds))
    plain = " and ".join([", ".join(colours[:-1]), colours[-1]] if len(colours) > 1 else colours)
    plain = f"{plain.capitalize()} dice" if plain else "Dice"
    others = {name.casefold() for name in names}
    numbered = (plain if n == 1 else f"{plain} {n}" for n in range(1, len(names) + 2))
    return next(name for name in numbered if name.casefold() not in others)
