"""The steps of a calibration as a pure state machine: what has happened in, the next state and what is to be done out.

    off -> light -> empty -> tray -> dice -> learning (-> faces -> learning) -> rolls -> passed -> named

A step is left by itself when the live picture has been good for about a second, or by a tap. Two pictures of the dice
are learned from, more of a set of few dice. Faces without pips are asked about once. Then rolls are read with what was
learned: the owner confirms each; one that was read wrong, or not for sure, is learned from as well and the rolls begin
again. Nothing is saved before.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from calibration.asked import Answer, Unnamed, answered, check
from calibration.deeds import (
    Answered,
    Begun,
    Cancelled,
    Confirmed,
    Deed,
    Denied,
    Event,
    Judged,
    KeepStill,
    Learn,
    Learnt,
    Looked,
    Named,
    NotLearnt,
    Offered,
    Order,
    Outlined,
    Progressed,
    Restore,
    Rolled,
    Save,
    StillKept,
    Studied,
    Study,
    Taken,
    Ticked,
    TryOut,
)
from calibration.sight import Hint, Sight
from speech.colours import colours
from speech.sentence import listed, say
from vision.dice_set import Kind
from vision.errors import VisionError
from vision.polygon import Polygon
from vision.seen import SeenDie

Step = Literal["off", "light", "empty", "tray", "dice", "learning", "faces", "rolls", "passed", "failed", "named"]
# What lamp and pages are led by: beside the steps, that a phone may begin.
Lead = Step | Literal["offered"]
UNDER_WAY: tuple[Step, ...] = ("light", "empty", "tray", "dice", "learning", "faces", "rolls", "passed")

# A picture good for so long is taken; the outline is left in view a little longer, so that somebody sees it.
GOOD_S, SHOWN_S = 1.0, 2.0
# Nobody has done anything for so long: the tray goes back to what it was.
SILENCE_S = 600.0
# So long after the button was held a phone is awaited.
OFFER_S = 60.0
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
    """`live`: the last live look. `good_since_s`: since when it has been good. `asked`: the picture that is being kept
    and studied; `tapped`: it is taken whatever is found in it. `studied`: what was found in the last one. `stirred`:
    something has moved since that one was taken. `stills`: pictures to learn from. `tray`, `rail`: outlines, pixels.
    `count`: dice of the set. `rolled`: rolls read so far, with those that were learned from. `again`: how often it was.
    `unnamed`: faces without pips that are asked about, `answers`: of those before. `more`: pictures wanted besides, for
    faces that were not shown. `judged`: rolls whose values the owner has told. `unlike`: how many of these are read
    otherwise, with all that was learned. `progress`: of learning, 0-1. `names`: of the sets that exist. `reason`: why
    it failed or ended. `offered_s`: when the button was held, for a while. `heard_s`: when something last went on."""

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
    def pictures(self) -> int:
        """How many pictures of the dice are wanted. Known when the first is taken."""
        return min(PICTURES, max(2, -(-FACES // max(1, self.count)))) + self.more


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
                return _left(say("Nobody went on for ten minutes, so everything stays as it was."))
            if now.offered_s is not None and at_s - now.offered_s > OFFER_S:
                return replace(now, offered_s=None), ()
        case Offered():
            return (now if now.under_way else replace(now, offered_s=at_s)), ()
        case StillKept(name):
            if name == now.asked:
                return now, (Study(name, now.count, now.tray, now.rail),)
        case Studied(name, sight):
            if name == now.asked:
                return _studied(now, sight)
        case Progressed(share):
            return (replace(now, progress=share) if now.step == "learning" else now), ()
        case Learnt():
            if now.step == "learning":
                return _learnt(now, event)
        case NotLearnt(reason):
            if now.step == "learning" or now.asked is not None:
                return _failed(now, reason)
        case Rolled():
            if now.step == "rolls":
                return _rolled(now, event)
    return now, ()


def _done(now: Calibration, deed: Deed) -> Told:
    if isinstance(deed, Begun):
        if now.under_way:
            raise NotNow(say("A calibration is under way: go on with it, or cancel it first."))
        return Calibration("light", names=deed.names), ()
    if isinstance(deed, Cancelled):
        return _left() if now.under_way else (Calibration(), ())
    if not now.under_way:
        raise NotNow(say("No calibration is under way: begin one first."))
    match deed:
        case Taken():
            return _tapped(now)
        case Outlined(tray, rail):
            if now.step != "tray":
                raise NotNow(say("The outline is drawn after the picture of the empty tray, before those of the dice."))
            return replace(now, tray=tray, rail=rail, studied=Sight(), good_since_s=None), ()
        case Answered():
            return _answered(now, deed)
        case Confirmed(roll) | Denied(roll):
            return _judged(now, roll, deed)
        case Named(name):
            if now.step != "passed":
                raise NotNow(say("The set gets its name when three rolls were read right."))
            return replace(now, step="named", name=name), (Save(name),)


def _looked(now: Calibration, sight: Sight, at_s: float) -> Told:
    if now.step not in ("light", "empty", "tray", "dice"):
        return now, ()
    now = replace(now, live=sight)
    if not sight.still and not now.stirred:
        now = replace(now, stirred=True, studied=now.studied if now.step == "tray" else Sight())
    since_s = None if not now.good else at_s if now.good_since_s is None else now.good_since_s
    now = replace(now, good_since_s=since_s)
    if since_s is None or now.asked is not None or at_s - since_s < (SHOWN_S if now.step == "tray" else GOOD_S):
        return now, ()
    return _take(now)


def _tapped(now: Calibration) -> Told:
    if now.step == "faces":
        # A face was not shown yet: one more picture.
        return replace(now, step="dice", more=now.more + 1, unnamed=(), stirred=False, studied=Sight()), ()
    if now.asked is not None:
        return replace(now, tapped=True), ()
    seen = now.step == "empty" or (now.step == "dice" and now.studied.dice)
    if seen and now.studied.hints and not now.stirred:
        return _accepted(now)
    return _take(replace(now, tapped=True))


def _take(now: Calibration) -> Told:
    now = replace(now, good_since_s=None)
    match now.step:
        case "light":
            return replace(now, step="empty", tapped=False), ()
        case "tray":
            return replace(now, step="dice", tapped=False, stirred=True, studied=Sight()), ()
        case "empty" | "dice":
            name = "empty" if now.step == "empty" else f"dice{len(now.stills) - 1}"
            return replace(now, asked=name, stirred=False, studied=Sight()), (KeepStill(name),)
    raise NotNow(say("There is no picture to take in this step."))


def _studied(now: Calibration, sight: Sight) -> Told:
    now = replace(now, studied=sight)
    no_dice = now.step == "dice" and not sight.dice
    if sight.hints and (not now.tapped or no_dice):
        # What was amiss then may have been put right since.
        return replace(now, asked=None, tapped=False, studied=Sight() if now.stirred else sight), ()
    return _accepted(now)


def _accepted(now: Calibration) -> Told:
    """The picture studied last is one to learn from."""
    sight, name = now.studied, "empty" if now.step == "empty" else f"dice{len(now.stills) - 1}"
    now = replace(now, asked=None, tapped=False, good_since_s=None, stills=(*now.stills, name))
    if now.step == "empty":
        return replace(now, step="tray", tray=sight.tray, rail=sight.rail), ()
    now = replace(now, count=now.count or len(sight.dice))
    return _learn(now) if len(now.stills) > now.pictures else (now, ())


def _learn(now: Calibration, passed: bool = False) -> Told:
    """`passed`: once more, after the test rolls were read right."""
    now = replace(now, step="learning", progress=0.0, studied=Sight(), live=replace(now.live, hints=()))
    now = now if passed else replace(now, rolls=())
    return now, (Learn(now.stills, now.tray, now.rail, now.answers, now.judged, passed),)


def _learnt(now: Calibration, lesson: Learnt) -> Told:
    if now.rolls:
        return replace(now, step="passed", progress=None), ()
    if lesson.unnamed:
        return replace(now, step="faces", progress=None, unnamed=lesson.unnamed), ()
    name = suggested(lesson.kinds, now.names)
    told = replace(now, kinds=lesson.kinds, count=lesson.count, unlike=lesson.unlike)
    after = replace(told, step="rolls", progress=None, name=name)
    return after, (TryOut(),)


def _answered(now: Calibration, deed: Answered) -> Told:
    if now.step != "faces":
        raise NotNow(say("No face is asked about: what has no pips is shown once the pictures are learned."))
    try:
        answers = (*now.answers, *answered(now.unnamed, deed.faces))
        check(answers)
    except VisionError as error:
        raise NotNow(str(error)) from None
    return _learn(replace(now, answers=answers, unnamed=()))


def _rolled(now: Calibration, event: Rolled) -> Told:
    """One more roll, when it is one of all dice lying flat. A face without pips that is not known can be told."""
    now = replace(now, studied=event.sight)
    dice, hints = event.sight.dice, event.sight.hints
    unread = _drawn(now) and len(hints) == 1 and hints[0].kind == "count" and len(dice) == now.count - 1
    if (hints and not unread) or not dice or len(now.rolls) == ROLLS:
        return now, ()
    values = tuple(sorted(die.value for die in dice if die.value is not None))
    number = now.rolled + 1
    roll = Roll(values, event.sure and not unread, min(die.confidence for die in dice), dice, f"roll{number}")
    return replace(now, rolls=(*now.rolls, roll), rolled=number), (KeepStill(roll.still),)


def _judged(now: Calibration, number: int, deed: Confirmed | Denied) -> Told:
    if now.step != "rolls" or not 1 <= number <= len(now.rolls):
        raise NotNow(say("There is no such roll to judge."))
    roll = now.rolls[number - 1]
    right = isinstance(deed, Confirmed)
    told = deed.values if isinstance(deed, Denied) else ()
    rolls = list(now.rolls)
    rolls[number - 1] = replace(roll, confirmed=right, told=told)
    now = replace(now, rolls=tuple(rolls))
    if not (right and roll.sure):
        return _again(now, roll)
    if len(rolls) < ROLLS or not all(one.confirmed for one in rolls):
        return now, ()
    return _learn(_with_rolls(now), passed=True) if _drawn(now) else (replace(now, step="passed"), ())


def _drawn(now: Calibration) -> bool:
    """Whether some faces have no pips: of these each roll shows more."""
    return any(said is not None for _, said in now.answers)


def _with_rolls(now: Calibration) -> Calibration:
    """With what the owner has said of the rolls."""
    said = ((roll.still, roll.told or (roll.values if roll.confirmed else ())) for roll in now.rolls)
    return replace(now, judged=(*now.judged, *(Judged(still, values) for still, values in said if values)))


def _again(now: Calibration, roll: Roll) -> Told:
    """Learn from this roll as well."""
    before, now = now, _with_rolls(now)
    if now.again == AGAIN:
        return _failed(
            now,
            say(
                "The dice were not read surely enough, even with what the test rolls taught: more even light, "
                "or a tray of another colour than the dice, would help. Then begin again."
            ),
        )
    # A picture of dice with pips teaches by itself, one of other faces with what they are.
    told = _drawn(now) and now.judged != before.judged
    return _learn(replace(now, stills=now.stills if told else (*now.stills, roll.still), again=now.again + 1))


def _failed(now: Calibration, reason: str) -> Told:
    return replace(now, step="failed", reason=reason, progress=None, asked=None), (Restore(),)


def _left(reason: str | None = None) -> Told:
    return Calibration(reason=reason), (Restore(),)


def suggested(kinds: tuple[Kind, ...], names: tuple[str, ...]) -> str:
    """A name for a set of these dice that none of `names` has.

    >>> suggested((), ("Dice",))
    'Dice 2'
    """
    looks = list(dict.fromkeys(kind.name for kind in kinds if kind.name))
    plain = say("{colours} dice", colours=listed([colours(look, look == looks[0]) for look in looks]))
    if not looks:
        plain = say("Dice")
    others = {name.casefold() for name in names}
    numbered = (plain if n == 1 else say("{name} {number}", name=plain, number=n) for n in range(1, len(names) + 2))
    return next(name for name in numbered if name.casefold() not in others)
