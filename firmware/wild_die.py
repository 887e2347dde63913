"""Which of the dice seen is the coloured one, by the colours that the eye names. Pure."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from vision.seen import SeenDie

# With fewer dice in view the one that differs may be either.
ENOUGH = 3
# Without a profile the light decides between these names for dice of one set.
_ALIKE = {"ivory": "white", "brown": "black"}


@dataclass(frozen=True, slots=True)
class Sighting:
    """`sure`: it is known which die is the coloured one, or that none of these is. `die`: the coloured one."""

    sure: bool
    die: SeenDie | None = None


def coloured_die(dice: Iterable[SeenDie], colour: str, learned: str = "") -> Sighting:
    """`colour`: what the rules call it, "" for the die that differs from all others. `learned`: its colour in an
    earlier throw of this game, for when too few dice are in view to tell which one differs."""
    seen = [die for die in dice if die.counts]
    if colour or learned:
        same = [die for die in seen if _plain(die.colour) == _plain(colour or learned)]
        if len(same) == 1 or (colour and not same):
            return Sighting(True, same[0] if same else None)
    if colour:
        return Sighting(False)
    number = Counter(_plain(die.colour) for die in seen)
    if len(number) == 1 and (learned or len(seen) > 1):
        return Sighting(True)
    odd = [die for die in seen if number[_plain(die.colour)] == 1]
    return Sighting(True, odd[0]) if len(odd) == 1 and len(seen) >= ENOUGH else Sighting(False)


def _plain(colour: str) -> str:
    return _ALIKE.get(colour, colour)
