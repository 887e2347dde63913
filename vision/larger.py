"""Small pictures read larger: their dice may be too small for the reader, as in a film of 640 pixels."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision import reader
from vision.alone import WORK_SIDE
from vision.evidence import confidence, weighed
from vision.frame import Frame
from vision.opinion import Network
from vision.profile import Profile
from vision.seen import Reading, SeenDie
from vision.together import SAME_PLACE, either, near
from vision.track import nearest

# A larger factor shows nothing more, and costs its square in time.
_MOST = 2.0
# Pixels; of smaller dice the reader misses some.
_LARGE_ENOUGH = 32.0
# Enlarged grain looks like a pip now and then. Were it a die after all, the picture as it is would mostly leave a doubt
# there; and the watcher sees that something has come.
_NOTHING = 0.4
_ONE_SIZE = 0.8  # what is left of the confidence in a die that one size shows: it is asked about


def read(frame: Frame, profile: Profile | None, network: Network | None = None) -> Reading:
    """As `vision.reader.read`; without a profile, once more enlarged towards `WORK_SIDE` when the picture shows small
    dice or none. What both read, they must read alike. Places and sizes are the frame's."""
    plain = reader.read(frame, profile, network)
    height, width = frame.image.shape[:2]
    scale = min(_MOST, WORK_SIDE / max(height, width))
    large = min((die.size for die in plain.dice), default=0.0) >= _LARGE_ENOUGH
    if profile is not None or scale <= 1.0 or large:
        return plain
    size = (round(scale * width), round(scale * height))
    larger = np.asarray(cv2.resize(frame.image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    reading = reader.read(Frame(larger), None, network)
    dice = tuple(replace(d, x=_back(d.x, scale), y=_back(d.y, scale), size=d.size / scale) for d in reading.dice)
    doubts = tuple(replace(d, x=_back(d.x, scale), y=_back(d.y, scale)) for d in reading.doubts)
    patterns = [d for d in dice if d.confidence < _NOTHING and not any(near(doubt, d) for doubt in plain.doubts)]
    dice = tuple(die for die in dice if die not in patterns)
    doubts = tuple(d for d in doubts if all(abs(d.x - p.x) + abs(d.y - p.y) > p.size for p in patterns))
    pairs = nearest(plain.dice, dice, (0.0, 0.0), SAME_PLACE)
    differing = tuple(either(dice[b], plain.dice[a].value) for a, b in pairs if plain.dice[a].value != dice[b].value)
    single = [die for a, die in enumerate(plain.dice) if a not in {a for a, _ in pairs}]
    return _joined(single, Reading(dice, doubts + differing))


def _joined(single: Sequence[SeenDie], reading: Reading) -> Reading:
    """With the dice that only one size shows, where the other is in doubt what lies there: they are asked about."""
    dice, doubts = list(reading.dice), list(reading.doubts)
    for die in single:
        about = [d for d in doubts if abs(d.x - die.x) + abs(d.y - die.y) < die.size / 2]
        if about and die.confidence >= reader.SURE:
            clues = (*die.clues, weighed("sizes", 1, 2, _ONE_SIZE))
            dice.append(replace(die, clues=clues, confidence=confidence(clues)))
            doubts = [d for d in doubts if d not in about] + [reader.asked(die)]
    return Reading(tuple(sorted(dice, key=lambda die: (die.y, die.x))), tuple(doubts))


def _back(place: float, scale: float) -> float:
    """Pixel centres lie at whole numbers in both."""
    return (place + 0.5) / scale - 0.5
