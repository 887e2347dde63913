"""The throw that lies in the tray: whether it is in the game, and what lay there when it was last accounted for. Pure.

A throw that the eye saw is played by itself as soon as it fits the game; one that was only found lying there, or that
was taken back, is asked about.
"""

import json
from collections import Counter
from dataclasses import dataclass, field, replace

from firmware.journal import Rolled
from firmware.referee import rail_values, tray_values
from rules.game import Scoreboard
from vision.happening import Happening
from vision.seen import SeenDie
from vision.track import pair

Dice = tuple[SeenDie, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """`seen`: how it was seen last; `seen.thrown` are its dice. `rail`: values on the rail when it came to rest.
    `rolled`: what it adds to the records of the dice. `watched`: the eye saw it thrown. `number`: of the throw that it
    is in the game, None before it was in any, 0 for what lay there when the game began."""

    seen: Happening
    rail: Counter[int] = field(default_factory=Counter)
    rolled: Rolled | None = None
    watched: bool = True
    number: int | None = None

    def counted(self, board: Scoreboard) -> bool:
        """It is in the game: an undo takes it out, doing that again puts it back."""
        return self.number is not None and board.throws >= self.number

    def again(self, happening: Happening) -> "Lying | None":
        """The throw as it lies at another rest; None when none of its dice does. While dice are taken out of one that
        was read with doubts it stays as it was read."""
        now = _apart_from(self._beside(), happening.dice)
        taken = len(now) < len(self.seen.thrown)
        if not now:
            return None
        if (taken and self.seen.doubts) or (_values(now), happening.doubts) == (
            _values(self.seen.thrown),
            self.seen.doubts,
        ):
            return self
        more = len(now) > len(self.seen.thrown)
        seen = replace(_as_throw(happening, now), roll=self.seen.roll)
        return replace(self, seen=seen, rolled=None, watched=self.watched and not more)

    def completed_by(self, happening: Happening) -> bool:
        """A later throw added dice to this one, which still lies there."""
        stayed = tuple(die for die in happening.dice if die not in happening.thrown)
        there = len(pair(self.seen.thrown, stayed).lying)
        return there == len(self.seen.thrown) > 0

    def _beside(self) -> Dice:
        return tuple(die for die in self.seen.dice if die not in self.seen.thrown)


def thrown(happening: Happening, rolled: Rolled | None) -> Lying:
    """A throw that the eye saw."""
    return Lying(happening, rail_values(happening.dice), rolled)


def found(happening: Happening, lay: Dice | None, last: tuple[int, ...], rail_before: Counter[int]) -> Lying | None:
    """What may have been thrown while the eye did not watch: the dice that do not lie as they `lay`. None where all do.
    `lay` None: nobody knows how they lay, so it goes by the values of the game's `last` throw. `rail_before`: values on
    the rail from before that."""
    fresh = _unlike(last, happening.dice, rail_before) if lay is None else _apart_from(lay, happening.dice)
    if not fresh:
        return None
    return Lying(_as_throw(happening, fresh), rail_values(happening.dice), watched=False)


def no_throw(lies: Lying | None) -> Lying | None:
    """What lies there when another game begins: a nudge makes no throw of it."""
    return lies and replace(lies, number=0)


def _as_throw(happening: Happening, dice: Dice) -> Happening:
    return replace(happening, kind="unsure" if happening.doubts else "settled", thrown=dice)


def _values(dice: Dice) -> list[int | None]:
    return sorted((die.value for die in dice), key=lambda value: value or 0)


def _apart_from(lay: Dice, dice: Dice) -> Dice:
    """The dice in the tray without those that lie as they lay."""
    same = {after for _, after in pair(lay, dice).lying}
    return tuple(die for number, die in enumerate(dice) if number not in same and die.zone == "tray")


def _unlike(last: tuple[int, ...], dice: Dice, rail_before: Counter[int]) -> Dice:
    """The dice in the tray; none when they are what that throw has left there."""
    values = tray_values(dice)
    with_rail = tuple(sorted((Counter(values) + (rail_values(dice) - rail_before)).elements()))
    return () if last in (values, with_rail) else tuple(die for die in dice if die.zone == "tray")


def written(lay: Dice | None) -> str:
    """How dice lie, as it is kept beside a move."""
    dice = lay and [(d.value, round(d.x, 1), round(d.y, 1), d.size, d.angle, d.colour, d.zone) for d in lay]
    return json.dumps(dice, separators=(",", ":"))


def read(text: str | None) -> Dice | None:
    """The reverse of `written`; None, "not known", for what is no such text."""
    try:
        dice = json.loads(text or "null")
        return None if dice is None else tuple(SeenDie(*die) for die in dice)
    except (ValueError, TypeError):
        return None
