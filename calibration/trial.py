"""Test rolls: read with what was learned, judged by the owner, and learned from where they were read wrong."""

from dataclasses import replace

from calibration.course import ROLLS, Calibration, NotNow, Roll, Told, failed, learning
from calibration.deeds import Confirmed, Denied, Judged, KeepStill, Rolled
from speech.sentence import say

# How often it is learned again from rolls that were read wrong.
AGAIN = 2


def rolled(now: Calibration, event: Rolled) -> Told:
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


def judged(now: Calibration, number: int, deed: Confirmed | Denied) -> Told:
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
    return learning(_with_rolls(now), passed=True) if _drawn(now) else (replace(now, step="passed"), ())


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
        return failed(
            now,
            say(
                "The dice were not read surely enough, even with what the test rolls taught: more even light, "
                "or a tray of another colour than the dice, would help. Then begin again."
            ),
        )
    # A picture of dice with pips teaches by itself, one of other faces with what they are.
    told = _drawn(now) and now.judged != before.judged
    return learning(replace(now, stills=now.stills if told else (*now.stills, roll.still), again=now.again + 1))
