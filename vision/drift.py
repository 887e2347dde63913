"""What has changed since the tray was calibrated: its light, its camera, its floor, or something that lies there."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["darker", "brighter", "colour", "uneven", "moved", "floor", "thing"]
Box = tuple[int, int, int, int]  # x, y, width, height: pixels of the picture


@dataclass(frozen=True, slots=True)
class Drift:
    """One change. `amount`: times the light ("darker", "brighter"), times as bright ("floor"), times as tinted
    ("colour"), share of the tray ("uneven"), millimetres ("moved"), squared edges of a die ("thing"). `box`: where it
    is; None everywhere. `text`: a sentence with the cure."""

    kind: Kind
    amount: float
    box: Box | None
    text: str
