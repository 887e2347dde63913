"""A set of dice in words and numbers: what they look like, where that was learned, and how surely they were read.

Who only tells of a set needs no arrays for that.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vision.emblem import Emblem

Colour = tuple[float, float, float]  # BGR, 0-255


@dataclass(frozen=True, slots=True)
class Kind:
    """Dice of one look: a set of equal dice is one kind, a mixed set is several.

    `edge_mm`: of the cube. `offset`: of the outer pips from a face's middle lines, as a share of the edge. `radius`:
    of a pip, as a share of the edge; `one`: of the single pip of a one, which some sets make larger. `six`: how much
    wider than `offset` the six is set, along its rows and across them. `body`, `pip`: colours of a top face in this
    light. `round`: short over long axis that its pips seem to have on flat dice, less than 1 where light falls into
    hollow ones from one side, 0 when that is not known. `seen`: faces it was learned from. `count`: dice of this kind
    in the set, 0 when that is not known.
    `emblems`: its faces without pips; a value that one of them has is never read by pips.
    """

    name: str
    body: Colour
    pip: Colour
    edge_mm: float
    offset: float
    radius: float
    one: float
    seen: int = 0
    six: tuple[float, float] = (1.0, 1.0)
    count: int = 0
    emblems: "tuple[Emblem, ...]" = ()
    round: float = 0.0


def called(dice: "Iterable[Mapping[int, str]]") -> tuple[str, ...]:
    """What people call the faces that count 1 to 6, on all dice alike: "" where they show pips, or have several names.
    Empty when no face has a name. `dice`: names by value, of the faces without pips of each kind of dice.

    A number in place of pips is a name where all faces have one, else it only says what a logo counts.
    """
    each = tuple(dice)
    shared = [{die.get(value, "") for die in each} for value in range(1, 7)]
    names = tuple(min(found) if len(found) == 1 else "" for found in shared)
    if not all(names):
        names = tuple("" if name == str(value) else name for value, name in enumerate(names, 1))
    return names if any(names) else ()


@dataclass(frozen=True, slots=True)
class Learned:
    """Where a profile comes from. `made`: the date, ISO. `version`: of the program. `pictures`: dice pictures used.
    `dice`: faces seen in them. `sure`: pictures it now reads without a doubt. `name`: of the set of dice. `camera`:
    its model and serial number; empty when the pictures came from elsewhere."""

    made: str = ""
    version: str = ""
    pictures: int = 0
    dice: int = 0
    sure: int = 0
    name: str = ""
    camera: str = ""


@dataclass(frozen=True, slots=True)
class Roll:
    """A test roll of the calibration. `values`: as they were confirmed. `sure`: read without a doubt, and right.
    `least`: the smallest confidence among its dice."""

    values: tuple[int, ...]
    sure: bool
    least: float


# Of a camera: tilt x, tilt y, bend, and the natural logarithm of the size of dice.
UNKNOWN = 4


@dataclass(frozen=True, slots=True)
class Slack:
    """How far flat dice of this tray stray from a perfect cube on a perfect floor, in the calibration pictures.

    `stretch`: of the pips' pattern, `aspect`: of its short against its long side, `gap`: share of visible sides that
    looks like floor, `bare`: the same of the border of the top face, `lump`: what is of a die's colours beside it, in
    squared edges. Blur, glare, dark floors and the shadows of dark dice make them larger.
    `camera`: how little is known of it where few dice lay, as `vision.vague` takes it; empty when nothing tells.
    `exact`: of stretch and aspect, what 95 in a hundred of its own flat dice stay below, however little; 0 where that
    is not known.
    """

    stretch: float = 0.008
    aspect: float = 0.018
    gap: float = 0.35
    bare: float = 0.0
    lump: float = 0.0
    camera: tuple[float, ...] = ()
    exact: tuple[float, float] = (0.0, 0.0)
