"""What the coach sees in one live picture while a tray is calibrated: small values, no pictures."""

from dataclasses import dataclass

from vision.polygon import Box, Polygon
from vision.seen import SeenDie


@dataclass(frozen=True, slots=True)
class Hint:
    """What keeps a picture from being good. `kind`: a short stable word such as "dark", "bright", "glare", "blurred",
    "hand", "touching", "cocked", "too-many", "too-few", "moved" or "outline". `text`: a sentence with what to do.
    `box`: where, pixels of the full picture; None for the whole of it."""

    kind: str
    text: str
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """`still`: nothing has moved since the look before. `dice`: those seen, by the picture alone. `tray`, `rail`:
    outlines found, pixels. `marked`: they come from the markers of a printed sheet."""

    width: int = 0
    height: int = 0
    still: bool = False
    hints: tuple[Hint, ...] = ()
    dice: tuple[SeenDie, ...] = ()
    tray: Polygon | None = None
    rail: Polygon | None = None
    marked: bool = False

    @property
    def good(self) -> bool:
        """Nothing is in the way of taking this picture."""
        return self.still and not self.hints
