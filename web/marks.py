"""The colours that players choose: each with a shape and a name, so that nobody needs to tell colours apart."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from speech.sentence import say


@dataclass(frozen=True, slots=True)
class Mark:
    """`words`: what people call it. `path`: its outline in a square of 24 by 24, filled by the even-odd rule."""

    name: str
    words: str
    colour: str
    path: str


# The colours are those of Okabe and Ito, "Color Universal Design" (2008), whose pairs stay apart for people who see no
# red or no green; grey stands for their black, which would be lost on the dark ground.
MARKS = (
    Mark("orange", say("orange disc"), "#e69f00", "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z"),
    Mark("sky", say("sky blue square"), "#56b4e9", "M3 3h18v18H3z"),
    Mark("green", say("green triangle"), "#009e73", "M12 2L23 21H1z"),
    Mark(
        "yellow", say("yellow star"), "#f0e442", "M12 1l3.2 7.2 7.8.8-5.8 5.3 1.6 7.7-6.8-4-6.8 4 1.6-7.7L1 9l7.8-.8z"
    ),
    Mark("blue", say("blue diamond"), "#0072b2", "M12 1L23 12L12 23L1 12z"),
    Mark("red", say("red heart"), "#d55e00", "M12 22L2.5 12.5a5.7 5.7 0 0 1 9.5-6a5.7 5.7 0 0 1 9.5 6z"),
    Mark("pink", say("pink cross"), "#cc79a7", "M8.5 2h7v6.5H22v7h-6.5V22h-7v-6.5H2v-7h6.5z"),
    Mark(
        "grey",
        say("grey ring"),
        "#999999",
        "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20zM12 7.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z",
    ),
)
NAMES = tuple(mark.name for mark in MARKS)


def mark_of(name: str) -> Mark:
    return MARKS[NAMES.index(name)]


def free_mark(taken: Collection[str]) -> str:
    """The first that nobody has; when all are taken, the first."""
    return next((name for name in NAMES if name not in taken), NAMES[0])


def apart(wanted: Iterable[str]) -> tuple[str, ...]:
    """A mark for each player, as they wish; the later of two with one wish, and who has none, get what is left."""
    wishes = list(wanted)
    kept = [wish if wish in NAMES and wish not in wishes[:at] else "" for at, wish in enumerate(wishes)]
    for at, wish in enumerate(kept):
        kept[at] = wish or free_mark(kept)
    return tuple(kept)
