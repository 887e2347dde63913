"""When readings of the same rest are certain enough to be told."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from vision.seen import Doubt, Reading
from vision.together import COUNT, SAME_PLACE, either, together
from vision.track import nearest

# A reading that is this sure of every die needs no second one.
CERTAIN = 0.98
# At 30 frames a second five readings still leave a throw told within 0.4 s of its rest.
TRIES = 5
# Without a profile, when all readings are alike and sure, but not certain.
UNCERTAIN_TRIES = 4
# Without a profile. A die that every other frame shows is then read twice in 94 of 100 throws.
LONG_TRIES = 7


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reading to go by, and what remains doubtful."""

    reading: Reading
    doubts: tuple[Doubt, ...] = ()


def agree(readings: Sequence[Reading], trusted: bool = True) -> Verdict | None:
    """The verdict on readings of one rest, oldest first; None when one more may help.

    `trusted`: they were made with a profile. One that is certain is then enough, and of several the most decide.
    Without, dice that differ little from their ground are seen in one frame and not in the next, by a reader that
    does not know that it misses them: all readings must be alike, or they are put together die by die.
    """
    return _trusted(readings) if trusted else _untrusted(readings)


def _trusted(readings: Sequence[Reading]) -> Verdict | None:
    last = readings[-1]
    if len(readings) == 1 and last.sure and all(die.confidence >= CERTAIN for die in last.dice):
        return Verdict(last)
    sure = [reading for reading in readings if reading.sure]
    if last.sure and any(same(last, other) for other in sure[:-1]):
        rivals = [other for other in sure if not same(last, other)]
        if len(rivals) * 2 < len(sure):
            return Verdict(last)
    if len(readings) < TRIES and (len(sure) > 0 or len(readings) < 3):
        return None
    return _doubted(readings)


def _untrusted(readings: Sequence[Reading]) -> Verdict | None:
    last, sure = readings[-1], sum(reading.sure for reading in readings)
    alike = all(same(last, other) for other in readings) and sure in (0, len(readings))
    certain = all(die.confidence >= CERTAIN for reading in readings for die in reading.dice)
    if alike and sure >= (2 if certain else UNCERTAIN_TRIES):
        return Verdict(last)
    if len(readings) < (3 if certain and sure else TRIES):
        return None
    verdict = Verdict(*together(readings))
    return verdict if alike or not verdict.doubts or len(readings) >= LONG_TRIES else None


def same(one: Reading, other: Reading) -> bool:
    """Whether two readings see the same dice with the same values in the same places."""
    pairs = nearest(one.dice, other.dice, (0.0, 0.0), SAME_PLACE)
    if len(pairs) != len(one.dice) or len(pairs) != len(other.dice):
        return False
    return all(
        (one.dice[a].value, one.dice[a].zone, one.dice[a].state)
        == (other.dice[b].value, other.dice[b].zone, other.dice[b].state)
        for a, b in pairs
    )


def _doubted(readings: Sequence[Reading]) -> Verdict:
    """The reading that most resemble, with its doubts; where it has none, the dice that were read differently."""
    votes = Counter({i: sum(same(reading, other) for other in readings) for i, reading in enumerate(readings)})
    reading = readings[max(votes, key=lambda i: (votes[i], i))]
    if reading.doubts:
        return Verdict(reading, reading.doubts)
    differing = [doubt for other in readings for doubt in (*other.doubts, *_differences(reading, other))]
    return Verdict(reading, tuple(differing[:1]))


def _differences(one: Reading, other: Reading) -> list[Doubt]:
    pairs = dict(nearest(one.dice, other.dice, (0.0, 0.0), SAME_PLACE))
    doubts = [
        either(die, other.dice[pairs[a]].value)
        for a, die in enumerate(one.dice)
        if a in pairs and other.dice[pairs[a]].value != die.value
    ]
    missed = [die for a, die in enumerate(one.dice) if a not in pairs]
    missed += [die for b, die in enumerate(other.dice) if b not in pairs.values()]
    return doubts + [Doubt("count", d.x, d.y, COUNT) for d in missed]
