"""How dice and points are written in sentences."""

from speech.sentence import Sentence, say, say_as, say_many


def dice_text(dice: tuple[int, ...]) -> str:
    """ "1-1-5"."""
    return "-".join(str(die) for die in dice)


def points_text(points: int) -> Sentence:
    return say_many("1 point", "{count:,} points", points)


def count_text(number: int) -> Sentence:
    return say_many("1 die", "{count} dice", number)


NUMBER = (
    *(say_as("number of dice", "no"), say("one"), say("two"), say("three"), say("four"), say("five"), say("six")),
    *(say("seven"), say("eight"), say("nine"), say("ten"), say("eleven"), say("twelve")),
)
_FIRST = "first word of a sentence"
FIRST = (
    *(say_as(_FIRST, "No"), say_as(_FIRST, "One"), say_as(_FIRST, "Two"), say_as(_FIRST, "Three")),
    *(say_as(_FIRST, "Four"), say_as(_FIRST, "Five"), say_as(_FIRST, "Six"), say_as(_FIRST, "Seven")),
    *(say_as(_FIRST, "Eight"), say_as(_FIRST, "Nine"), say_as(_FIRST, "Ten"), say_as(_FIRST, "Eleven")),
    say_as(_FIRST, "Twelve"),
)
KINDS = {4: say("Four of a kind"), 5: say("Five of a kind"), 6: say("Six of a kind")}
