"""A throw that could not be read yet: which doubts are its own, and when a later rest completes it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.seen import Doubt, Reading, SeenDie
from vision.track import Altered, pair


@dataclass(frozen=True, slots=True)
class Open:
    """`thrown`: the dice it moved; `aside`: those that lay still through it; `doubts`: why it is not settled."""

    roll: int
    thrown: tuple[SeenDie, ...]
    aside: tuple[SeenDie, ...]
    doubts: tuple[Doubt, ...]

    @property
    def doubtful(self) -> int:
        """How many of its dice players may touch to make it readable; at least one."""
        read = sum(not die.counts or any(_near(doubt, die) for doubt in self.doubts) for die in self.thrown)
        unread = sum(not any(_near(doubt, die) for die in self.thrown) for doubt in self.doubts)
        return max(1, read + unread)

    def mended(self, dice: Sequence[SeenDie]) -> tuple[SeenDie, ...] | None:
        """Its dice among those that lie there now; None when this is something else.

        All of them must be there again, and no more of them touched than could not be read: a cocked die nudged flat,
        or thrown once more.
        """
        aside = {a for _, a in pair(self.aside, dice).lying}
        now = tuple(die for a, die in enumerate(dice) if a not in aside and die.zone == "tray")
        touched = len(now) - len(pair(self.thrown, now).lying)
        return now if len(now) >= len(self.thrown) and touched <= self.doubtful else None

    def given_up(self, dice: Sequence[SeenDie], gone: Sequence[SeenDie]) -> bool:
        """More of its dice are gone than could not be read: the players go on without it."""
        return not dice or sum(die.zone == "tray" for die in gone) > self.doubtful


def about(doubts: Sequence[Doubt], thrown: Sequence[SeenDie], altered: Altered) -> tuple[Doubt, ...]:
    """The doubts that concern a throw: not those about dice, or what looks like some, that it left alone."""
    size = max((die.size for die in thrown), default=0.0)
    return tuple(d for d in doubts if d.everywhere or altered(d.x, d.y, size) or any(_near(d, die) for die in thrown))


def of_what_is_new(reading: Reading, altered: Altered) -> Reading:
    """The reading without doubts about what looks as it did, where no die is read."""
    return replace(reading, doubts=about(reading.doubts, reading.dice, altered))


def _near(doubt: Doubt, die: SeenDie) -> bool:
    return (doubt.x - die.x) ** 2 + (doubt.y - die.y) ** 2 <= die.size**2
