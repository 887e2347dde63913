"""The steps of a calibration as a pure state machine: what has happened in, the next state and what is to be done out.

    off -> light -> empty -> tray -> dice -> learning (-> faces -> learning) -> rolls -> passed -> named

A step is left by itself when the live picture has been good for about a second, or by a tap. Two pictures of the dice
are learned from, more of a set of few dice. Faces without pips are asked about once. Then rolls are read with what was
learned: the owner confirms each; one that was read wrong, or not for sure, is learned from as well and the rolls begin
again. Nothing is saved before.
"""

from dataclasses import replace

from calibration import taken, trial
from calibration.asked import answered, check
from calibration.course import Calibration, NotNow, Told, failed, learning, left
from calibration.deeds import (
    Answered,
    Begun,
    Cancelled,
    Confirmed,
    Deed,
    Denied,
    Event,
    Learnt,
    Looked,
    Named,
    NotLearnt,
    Offered,
    Outlined,
    Progressed,
    Rolled,
    Save,
    StillKept,
    Studied,
    Study,
    Taken,
    Ticked,
    TryOut,
)
from calibration.sight import Sight
from speech.colours import colours
from speech.sentence import listed, say
from vision.dice_set import Kind
from vision.errors import VisionError

# Nobody has done anything for so long, nor has the tray learned anything: it goes back to what it was.
SILENCE_S = 600.0
# So long after the button was held a phone is awaited.
OFFER_S = 60.0


def follow(now: Calibration, event: Event, at_s: float) -> Told:
    """The state after `event` at `at_s` (monotonic seconds), and what is to be done. Raises `NotNow`."""
    after, orders = _done(now, event) if isinstance(event, Deed) else _told(now, event, at_s)
    went_on = _reached(after) != _reached(now)
    return (replace(after, heard_s=at_s) if went_on or isinstance(event, Deed) else after), orders


def _reached(now: Calibration) -> tuple[object, ...]:
    return now.step, now.stills, now.rolled, now.progress


def _told(now: Calibration, event: Event, at_s: float) -> Told:
    match event:
        case Looked(sight):
            return taken.looked(now, sight, at_s)
        case Ticked():
            if now.under_way and at_s - now.heard_s > SILENCE_S:
                return left(say("Nobody went on for ten minutes, so everything stays as it was."))
            if now.offered_s is not None and at_s - now.offered_s > OFFER_S:
                return replace(now, offered_s=None), ()
        case Offered():
            return (now if now.under_way else replace(now, offered_s=at_s)), ()
        case StillKept(name):
            if name == now.asked:
                return now, (Study(name, now.count, now.tray, now.rail),)
        case Studied(name, sight):
            if name == now.asked:
                return taken.studied(now, sight)
        case Progressed(share):
            return (replace(now, progress=share) if now.step == "learning" else now), ()
        case Learnt():
            if now.step == "learning":
                return _learnt(now, event)
        case NotLearnt(reason):
            if now.step == "learning" or now.asked is not None:
                return failed(now, reason)
        case Rolled():
            if now.step == "rolls":
                return trial.rolled(now, event)
    return now, ()


def _done(now: Calibration, deed: Deed) -> Told:
    if isinstance(deed, Begun):
        if now.under_way:
            raise NotNow(say("A calibration is under way: go on with it, or cancel it first."))
        return Calibration("light", names=deed.names), ()
    if isinstance(deed, Cancelled):
        return left() if now.under_way else (Calibration(), ())
    if not now.under_way:
        raise NotNow(say("No calibration is under way: begin one first."))
    match deed:
        case Taken():
            return taken.tapped(now)
        case Outlined(tray, rail):
            if now.step != "tray":
                raise NotNow(say("The outline is drawn after the picture of the empty tray, before those of the dice."))
            return replace(now, tray=tray, rail=rail, studied=Sight(), good_since_s=None), ()
        case Answered():
            return _answered(now, deed)
        case Confirmed(roll) | Denied(roll):
            return trial.judged(now, roll, deed)
        case Named(name):
            if now.step != "passed":
                raise NotNow(say("The set gets its name when three rolls were read right."))
            return replace(now, step="named", name=name), (Save(name),)


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
    return learning(replace(now, answers=answers, unnamed=()))


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
