"""What a reading says of a test roll: the dice, and why it is none of all dice lying flat. Needs no picture."""

from calibration.sight import Hint, Sight
from speech.sentence import say_many
from vision.polygon import Box
from vision.seen import Doubt, SeenDie

# Edge of a die as a share of the picture's width, before any was seen: 0.03 to 0.06 over 24 rendered trays, and the
# outlines found with this guess are as good as those found when the dice are known.
EDGE = 0.042


def rolled(seen: tuple[SeenDie, ...], doubts: tuple[Doubt, ...], count: int, width: int, height: int) -> Sight:
    """A test roll as it was read, and why it is none of all dice lying flat."""
    lying = tuple(die for die in seen if die.zone != "outside")
    edge = max((die.size for die in lying), default=EDGE * width)
    hints = tuple(Hint(d.kind, d.text, around(d.x, d.y, edge)) for d in doubts if d.kind != "value")
    return Sight(width, height, True, (*hints, *number(lying, count, bool(hints))), lying)


def number(seen: tuple[SeenDie, ...], count: int, unread: bool = False) -> tuple[Hint, ...]:
    """Whether as many dice lie there as should. `unread`: something else may be one of them."""
    off = len(seen) - count
    if not count or not off or (unread and off < 0):
        return ()
    if off < 0:
        text = say_many(
            "One die is missing: there should be {due}.",
            "{count} dice are missing: there should be {due}.",
            -off,
            due=count,
        )
        return (Hint("too-few", text),)
    text = say_many(
        "There is one die too many: there should be {due}.",
        "There is {count} dice too many: there should be {due}.",
        off,
        due=count,
    )
    worst = min(seen, key=lambda die: die.confidence)
    return (Hint("too-many", text, around(worst.x, worst.y, worst.size)),)


def around(x: float, y: float, size: float) -> Box:
    """The box of a die."""
    reach = 0.75 * size
    return round(x - reach), round(y - reach), round(x + reach), round(y + reach)
