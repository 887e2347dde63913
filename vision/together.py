"""Readings of one rest put together die by die, for a reader that does not know what it misses."""

from collections.abc import Sequence

from speech.sentence import say
from vision.seen import Doubt, Reading, SeenDie
from vision.track import nearest

# Of a die's edge: two dice do not lie nearer than that, so what is read there is one die, even if one reading takes its
# shadow for a part of it. Nothing moves between two readings of a rest, but a camera may be held by hand.
SAME_PLACE = 0.5


COUNT = say("There may be a die here or not: nudge it.")

Track = list[tuple[SeenDie, Reading]]


def together(readings: Sequence[Reading]) -> tuple[Reading, tuple[Doubt, ...]]:
    """All dice of the readings, oldest first, and what is doubtful about them.

    Sure is a die that was read twice for one value, without a doubt near it at least as often as with one.
    Doubtful are the others, and what was doubted twice where no die is sure.
    """
    dice: list[SeenDie] = []
    doubts: list[Doubt] = []
    for track in _tracks(readings):
        die, why = _judged(track)
        dice.append(die)
        doubts += why
    size = max((die.size for die in dice), default=0.0)
    for doubt in [doubt for reading in reversed(readings) for doubt in reading.doubts]:
        often = sum(any(_close(doubt, other, size) for other in reading.doubts) for reading in readings)
        told = any(near(doubt, die) for die in dice) or any(_close(doubt, other, size) for other in doubts)
        if often > 1 and not told:
            doubts.append(doubt)
    return Reading(tuple(sorted(dice, key=lambda die: (die.y, die.x)))), tuple(doubts)


def _tracks(readings: Sequence[Reading]) -> list[Track]:
    """The dice of all readings, those of one place together, each with the reading it is from."""
    tracks: list[Track] = []
    for reading in readings:
        pairs = dict(nearest(reading.dice, [track[-1][0] for track in tracks], (0.0, 0.0), SAME_PLACE))
        for a, die in enumerate(reading.dice):
            if a in pairs:
                tracks[pairs[a]].append((die, reading))
            else:
                tracks.append([(die, reading)])
    return tracks


def _judged(track: Track) -> tuple[SeenDie, list[Doubt]]:
    """One die as it was read last, and why it is not sure."""
    clean: list[SeenDie] = []
    why: list[Doubt] = []
    for die, reading in track:
        doubts = [doubt for doubt in reading.doubts if near(doubt, die)]
        if doubts:
            why = doubts
        else:
            clean.append(die)
    if 2 * len(clean) < len(track):
        return track[-1][0], why
    die = clean[-1]
    others = [other.value for other in clean if other.value != die.value]
    if others:
        return die, [either(die, others[0])]
    return die, [Doubt("count", die.x, die.y, COUNT)] if len(clean) == 1 else []


def either(die: SeenDie, other: int | None) -> Doubt:
    """About a die that was read as another value too."""
    likely = tuple(value for value in (die.value, other) if value is not None)
    text = say("This die looks like {one} and like {other}: nudge it.", one=die.value, other=other)
    return Doubt("value", die.x, die.y, text, likely)


def near(doubt: Doubt, die: SeenDie) -> bool:
    """Whether the doubt is about this die."""
    return (doubt.x - die.x) ** 2 + (doubt.y - die.y) ** 2 <= (0.7 * die.size) ** 2


def _close(one: Doubt, other: Doubt, size: float) -> bool:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= size**2
