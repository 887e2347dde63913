"""Are the dice in a picture those of a profile? By whether they can be read with it, and by how like them they look."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision import known, light
from vision.frame import Frame, Image
from vision.kinship import cost
from vision.profile import Profile
from vision.seen import Reading

_FEWEST = 2  # dice: one alone may be anything
# Own dice are 0.01 to 0.03 away on the simulated tray, white ones 0.1 from ivory ones, black ones 0.16 from green ones.
_NEARER = 0.05


@dataclass(frozen=True, slots=True)
class Belonging:
    """`dice`: read without a doubt. `doubts`: about the rest. `away`: how far their colours and sizes are from the
    set's, in the contrast of its pips; infinite without dice."""

    dice: int
    doubts: int
    away: float


def belonging(image: Image, profile: Profile, read: Callable[[Frame, Profile | None], Reading]) -> Belonging:
    """`image`: of the profile's size."""
    reading = read(Frame(image), profile)
    found = known.look(light.as_learned(image, profile), profile).faces
    away = float(np.median(cost(found, profile))) if len(found) else np.inf
    sure = sum(die.counts for die in reading.dice)
    return Belonging(sure, len(reading.doubts), away)


def better(other: Belonging, used: Belonging) -> bool:
    """Whether the dice are those of another set rather than of the one in use."""
    if other.doubts or other.dice < max(_FEWEST, used.dice):
        return False
    return used.doubts > 0 or other.dice > used.dice or other.away < used.away - _NEARER
