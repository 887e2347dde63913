"""The sets of dice that lie beside the simulated tray: which looks they are thrown with."""

from dataclasses import dataclass

from firmware.drivers.simulated.scene import LOOKS, Look
from speech.sentence import say

USUAL = say("ivory")


@dataclass(frozen=True, slots=True)
class DiceSet:
    """`plain`: the looks of its dice, again and again until there are enough. `odd`: of the one coloured die."""

    plain: tuple[Look, ...]
    odd: Look | None = None

    def looks(self, count: int) -> tuple[Look, ...]:
        """Of `count` dice, the coloured one first."""
        first = () if self.odd is None else (self.odd,)
        return (*first, *(self.plain[n % len(self.plain)] for n in range(count)))[:count]


DICE_SETS: dict[str, DiceSet] = {
    USUAL: DiceSet((LOOKS["ivory"],)),
    say("green"): DiceSet((LOOKS["green"],)),
    say("red with a big one"): DiceSet((LOOKS["big-one"],)),
    say("a star for the one"): DiceSet((LOOKS["star-one"],)),
    say("a star for the six"): DiceSet((LOOKS["star-six"],)),
    say("numerals"): DiceSet((LOOKS["numerals"],)),
    say("poker dice"): DiceSet((LOOKS["poker"],)),
    say("ivory and blue"): DiceSet((LOOKS["ivory"], LOOKS["blue"])),
    say("ivory and a red die"): DiceSet((LOOKS["ivory"],), LOOKS["red"]),
}
