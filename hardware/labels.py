"""The panel's words at their true size: a face to glue over its front, and a tag for each button elsewhere."""

from collections.abc import Iterator

from hardware import face
from hardware.drawing import FAINT, Circle, Drawing, Path, Shape, Text
from hardware.facts import Tray
from hardware.paper import MARGIN_MM, cut, sheet

# What a press does, in as few words as fit below a button.
_DOES = {"MODE": "next game · hold: pair", "UNDO": "one move back", "BANK": "take the points"}
_TAG_MM = (40.0, 16.0)
LINES = (
    "The face: cut along the outline and out of the circles, and glue it to the panel's front.",
    "It is a drilling template too. The tags: for buttons that sit somewhere else.",
)


def labels(tray: Tray, paper: str) -> Drawing:
    """A page with the face and the tags. `paper`: a key of `PAPERS`."""
    return sheet(paper, "Labels for the panel", LINES, _shapes(tray, MARGIN_MM - 2, 48))


def _shapes(tray: Tray, left: float, top: float) -> Iterator[Shape]:
    yield from _face(tray, left, top)
    for n, (word, does) in enumerate(_DOES.items()):
        yield from _tag(word, does, left + n * (_TAG_MM[0] + 8), top + 68)


def _face(tray: Tray, left: float, top: float) -> Iterator[Shape]:
    yield cut(left, top, face.WIDE_MM, face.HIGH_MM)
    middle, low = left + face.WIDE_MM / 2, top + face.HIGH_MM
    spots = face.spots(tray)
    for spot in spots:
        x, y = middle + spot.x_mm, low - spot.z_mm
        yield Circle(x, y, spot.hole_mm / 2, width=0.2)
        for across, along in ((1.5, 0.0), (0.0, 1.5)):
            yield Path(((x - across, y - along), (x + across, y + along)), FAINT, 0.1)
        if spot.says in _DOES:
            yield from _button(spot, x, y)
        elif spot.says:
            yield Text(x, y + spot.hole_mm / 2 + 3.4, spot.says, 2.8, "middle", bold=True)
    bar = [middle + spot.x_mm for spot in spots if spot.wires[0].startswith("dice-left")]
    yield Text(
        (bar[0] + bar[-1]) / 2, low - _lamps(tray) - tray.lamp_mm / 2 - 1.6, "DICE LEFT", 2.8, "middle", bold=True
    )


def _button(spot: face.Spot, x: float, y: float) -> Iterator[Shape]:
    """Its word above the hole, what it does below."""
    yield Text(x, y - spot.hole_mm / 2 - 1.6, spot.says, 4, "middle", bold=True)
    yield Text(x, y + spot.hole_mm / 2 + 3.6, _DOES[spot.says], 2.4, "middle")


def _lamps(tray: Tray) -> float:
    return max(spot.z_mm for spot in face.spots(tray))


def _tag(word: str, does: str, left: float, top: float) -> Iterator[Shape]:
    wide, high = _TAG_MM
    yield cut(left, top, wide, high)
    yield Text(left + wide / 2, top + 7.5, word, 6, "middle", bold=True)
    yield Text(left + wide / 2, top + 12.5, does, 2.8, "middle")
