"""What the reader saw in one picture."""

from dataclasses import dataclass
from typing import Literal

from vision.evidence import Clue

Zone = Literal["tray", "rail", "outside"]
Attitude = Literal["flat", "cocked", "partly-out"]


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die.

    `value`: 1-6, or None when it cannot be told. `x`, `y`: pixels, centre of the top face, origin at the centre of
    the top left pixel, y down. `size`: pixels, edge of the top face. `angle`: degrees in [0, 90), clockwise from the
    x axis to an edge of the top face. `confidence`: 0-1 that `value` is right. `x_mm`, `y_mm`: on the tray's
    floor, origin and axes of the profile; None without a profile that knows millimetres. `clues`: what
    speaks for and against it; `confidence` is what they leave. `likely`: what it may show, likeliest first; at most
    `vision.likely.MOST`.
    """

    value: int | None
    x: float
    y: float
    size: float
    angle: float = 0.0
    colour: str = ""
    zone: Zone = "tray"
    confidence: float = 1.0
    state: Attitude = "flat"
    x_mm: float | None = None
    y_mm: float | None = None
    clues: tuple[Clue, ...] = ()
    likely: tuple[int, ...] = ()

    @property
    def counts(self) -> bool:
        """Flat, whole and read: its value can be scored."""
        return self.value is not None and self.state == "flat" and self.zone != "outside"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a reading is not sure, and where to look.

    `kind`: a short stable word such as "cocked", "stacked", "value", "partly-out", "count", "glare", "blur".
    `x`, `y`: pixels, as in `SeenDie`. `text`: one sentence for the players, with what to do. `likely`: values that the
    die there may show, likeliest first; empty when nobody can tell.
    """

    kind: str
    x: float
    y: float
    text: str
    likely: tuple[int, ...] = ()

    @property
    def everywhere(self) -> bool:
        """About the picture as a whole, not about a place in it: no throw is read for sure before it is over."""
        return self.kind in ("moved", "light", "strange", "unlearned")


@dataclass(frozen=True, slots=True)
class Reading:
    """All dice of one picture. Dice are ordered by y, then x."""

    dice: tuple[SeenDie, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def sure(self) -> bool:
        return not self.doubts

    @property
    def values(self) -> tuple[int, ...]:
        """Sorted values of the dice that count in the tray itself; the rail's are `rail_values`."""
        return self._values("tray")

    @property
    def rail_values(self) -> tuple[int, ...]:
        return self._values("rail")

    def _values(self, zone: Zone) -> tuple[int, ...]:
        return tuple(sorted(d.value for d in self.dice if d.counts and d.zone == zone and d.value is not None))
