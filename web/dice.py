"""How a die is drawn: the colours of its body and pips, and how far it is turned; and what its faces are called."""

import re
from collections.abc import Iterable, Sequence

IVORY = ("#f7f1e1", "#1c241f")
# Body and pips by the name of the colour; a name that is not here is drawn as ivory.
COLOURS = {
    "ivory": IVORY,
    "cream": IVORY,
    "white": ("#fbfaf5", "#1a1d22"),
    "black": ("#22252b", "#f3f1ea"),
    "grey": ("#8f969c", "#15181a"),
    "gray": ("#8f969c", "#15181a"),
    "red": ("#c23a34", "#fff6ee"),
    "green": ("#1f8a5b", "#f4fff8"),
    "blue": ("#2263b4", "#f2f7ff"),
    "yellow": ("#f0c93a", "#2a2205"),
    "orange": ("#e8872d", "#241302"),
    "purple": ("#7446a6", "#f9f3ff"),
    "violet": ("#7446a6", "#f9f3ff"),
    "pink": ("#e58aa8", "#33101c"),
    "brown": ("#7d5436", "#fdf3e7"),
    "turquoise": ("#25a5a5", "#031f1f"),
    "teal": ("#25a5a5", "#031f1f"),
    "cyan": ("#25a5a5", "#031f1f"),
}
# Brighter bodies than this (0-255, weighted as eyes weigh red, green and blue) have dark pips.
BRIGHT = 140


def paint(colour: str) -> tuple[str, str]:
    """Body and pips of a die of this colour: a name, or #rrggbb as it was learned."""
    known = colour.lower()
    if not re.fullmatch(r"#[0-9a-f]{6}", known):
        return COLOURS.get(known, IVORY)
    red, green, blue = (int(known[at : at + 2], 16) for at in (1, 3, 5))
    return known, IVORY[1] if 0.3 * red + 0.6 * green + 0.1 * blue > BRIGHT else "#fbf7ec"


def turned(angle: float) -> int:
    """Degrees to draw a die turned by. An edge's angle is known to a quarter turn; a third of it shows how the die lies
    and stays easy to read."""
    return round((angle - 90 if angle > 45 else angle) * 0.35)


def faces(values: Iterable[int | None], names: Sequence[str]) -> str:
    """These faces one after the other, by their names or else by what they count; "?" for one that cannot be read.
    `names`: see `vision.dice_set.called`.

    >>> faces((1, 3), ("", "", "J", "Q", "K", "A"))
    '1 J'
    """
    return " ".join((names[value - 1] if names and value else "") or str(value or "?") for value in values)
