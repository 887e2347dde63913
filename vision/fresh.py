"""What a film tells that a single picture cannot: whether something has come to lie where a die is doubted."""

from dataclasses import replace

from vision.heard import CLEAR
from vision.presence import Altered
from vision.reader import SURE, asked
from vision.seen import Reading, SeenDie

# They tell dice from patterns of the floor, not one value from another: of small dice pips are a few pixels wide, and
# a shade or a spark makes them oval. All 16 dice of half-size renders that only these clues spoke against, and that
# had this confidence at least, were read right; below, where both speak against it, one was no die.
_OF_PATTERNS = ("round", "plain", "sizes")
_LEAST = 0.6
# Of the die's place. A camera that has moved makes edges differ, not whole faces.
_CAME = 0.5


def believed(reading: Reading, change: Altered) -> Reading:
    """A reading made without a profile, sure of the dice that might have been patterns of the floor, had they not come
    since the last rest. It stays unsure where a second opinion was asked for and is not clear."""
    sure = [die for die in reading.dice if _like_a_pattern(die) and _came(die, change)]
    dice = tuple(replace(die, confidence=SURE) if die in sure else die for die in reading.dice)
    settled = [asked(die) for die in sure]
    return Reading(dice, tuple(doubt for doubt in reading.doubts if doubt not in settled))


def _like_a_pattern(die: SeenDie) -> bool:
    against = [clue for clue in die.clues if clue.leaves < 1.0]
    heard = [clue.measured for clue in die.clues if clue.name == "second"]
    only = all(clue.name in _OF_PATTERNS for clue in against)
    return _LEAST <= die.confidence < SURE and only and all(share >= CLEAR for share in heard)


def _came(die: SeenDie, change: Altered) -> bool:
    share = change.share(die.x, die.y, die.size)
    return share is not None and share > _CAME
