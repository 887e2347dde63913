"""Pictures of the empty tray and of the dice: when one is good enough to be taken, looked at and learned from."""

from dataclasses import replace

from calibration.course import Calibration, NotNow, Told, learning
from calibration.deeds import KeepStill
from calibration.sight import Sight
from speech.sentence import say

# A picture good for so long is taken; the outline is left in view a little longer, so that somebody sees it.
GOOD_S, SHOWN_S = 1.0, 2.0


def looked(now: Calibration, sight: Sight, at_s: float) -> Told:
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


def tapped(now: Calibration) -> Told:
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


def studied(now: Calibration, sight: Sight) -> Told:
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
    return learning(now) if len(now.stills) > now.pictures else (now, ())
