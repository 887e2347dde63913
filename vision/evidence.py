"""What counts for and against a die: the reader's own reasons, kept beside what it read."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

# What each clue says: when nothing is against the die, and when something is. {value}: the value that it is about.
WORDS = {
    "fit": ("the spots lie as on a {value}", "the spots do not lie quite as on a {value}"),
    "even": ("the face is even", "a gleam, a shade or grain lies on the face"),
    "margin": ("the next likeliest value, {value}, fits much worse", "a {value} would fit nearly as well"),
    "pips": ("each pip was found on its own", "not every pip was found on its own"),
    "strays": ("no pip is left over on the face", "pips are left over on the face"),
    "picture": ("its picture is that of a {value}", "its picture is not quite that of a {value}"),
    "other": ("no other picture fits nearly as well", "another picture fits nearly as well"),
    "square": ("its square shows", "it may be any spot: too few of its sides show"),
    "round": ("its pips are as round as on a top face", "its pips are squeezed, as on a face seen from the side"),
    "upper": ("nothing of its die lies behind it", "a face or pips lie behind it, so it may be a side of a die"),
    "plain": ("its face and outline are plain to see", "its face or its outline is hard to make out"),
    "tinge": ("its pips are of one colour", "its pips differ in colour, so not all may be its own"),
    "sizes": ("it shows in the picture and enlarged", "it shows only before the picture is enlarged"),
    "whole": ("all of it is in the picture", "it is partly out of the picture"),
    "floor": ("it stands on the floor", "it is too large for one on the floor: it lies on another die"),
    "room": ("there is room for it", "lying flat it would stand inside another die"),
    "outline": ("nothing sticks out of its outline", "something sticks out of the outline of a flat die"),
    "sides": ("its sides show where they should", "the floor shows where its sides should be"),
    "top": ("its top face fills its square", "the floor shows where its top face should be"),
    "hidden": ("no side shows that is turned away", "a side shows that is turned away on a flat die"),
    "spacing": ("its pips are spaced as on a level face", "its pips are not spaced as on a level face"),
    "exact": (
        "its pips lie as exactly as those of this tray's flat dice",
        "its pips lie less exactly than those of this tray's flat dice",
    ),
    "second": ("a second look reads a {value} as well", "a second look does not read a {value}"),
    "poise": ("a second look takes it for a flat die", "to a second look it does not lie flat"),
    "rim": ("what shows along its rim is as on a flat die", "what shows along its rim is as on a leaning die"),
    "squash": ("its pips are as round as on a flat die", "its pips are less round than on a flat die"),
    "squeeze": ("its pattern is as wide as it is long", "its pattern is squeezed, as on a leaning face"),
}

# The more of these the better; of the others, the less.
_AT_LEAST = {"margin", "other", "picture", "pips", "plain", "round", "second", "sizes", "square"}
# From this share of a limit on some dice lean after all: of 2,461 taken for flat in rendered sessions 270 came so near
# to one, and 4 of them did not lie flat; of the others 3. Three things that are just short of their limits are enough
# to ask: of 4,350 flat dice none was so, of 54 leaning ones that nothing else told 2.
_NEAR, TAKES = 0.4, 0.07


@dataclass(frozen=True, slots=True)
class Clue:
    """One thing that was looked at.

    `name`: a short stable word, see `WORDS`. `measured`: what was found; `limit`: where it begins to speak against
    the die, in the same unit. `leaves`: 0-1, the share of the confidence that it leaves: 1 speaks for the die, 0 says
    that it does not lie as it must. `value`: the value that it is about, 0 when that does not matter.
    """

    name: str
    measured: float
    limit: float
    leaves: float
    value: int = 0

    @property
    def against(self) -> bool:
        """Beyond its limit."""
        return self.measured < self.limit if self.name in _AT_LEAST else self.measured > self.limit

    @property
    def text(self) -> str:
        """What it says, in plain words."""
        return WORDS[self.name][self.against].format(value=self.value)


def weighed(name: str, measured: float, limit: float, leaves: float, value: int = 0) -> Clue:
    """A clue that takes more of the confidence the more it says; `leaves` may lie beyond 0 or 1."""
    return Clue(name, float(measured), float(limit), min(1.0, max(0.0, float(leaves))), int(value))


def ruled(name: str, measured: float, limit: float) -> Clue:
    """A clue that leaves nothing beyond its limit, and a little less than all near to it."""
    near = max(0.0, float(measured) / limit - _NEAR) / (1 - _NEAR)
    return Clue(name, float(measured), float(limit), 1 - TAKES * near if measured <= limit else 0.0)


def confidence(clues: Iterable[Clue]) -> float:
    """0-1: 1 with nothing against; each thing against a die takes its share."""
    return math.prod(clue.leaves for clue in clues)


def explained(clues: Iterable[Clue]) -> list[str]:
    """A line for people for each, the weightiest on top: `-` speaks against the die, `~` nearly does or is overruled by
    another, `+` speaks for it."""
    return [_line(clue) for clue in sorted(clues, key=lambda clue: clue.leaves)]


def _line(clue: Clue) -> str:
    overruled = clue.against and clue.leaves == 1
    sign = "+" if clue.leaves == 1 and not overruled else "-" if clue.against and not overruled else "~"
    bound = "at least" if clue.name in _AT_LEAST else "at most"
    takes = "; overruled" if overruled else f"; takes {100 * (1 - clue.leaves):.0f} %" if 0 < clue.leaves < 1 else ""
    return f"{sign} {clue.text} ({clue.measured:.2g}, {bound} {clue.limit:.2g}{takes})"
