"""The colours of dice, as sentences name them."""

from collections.abc import Mapping

from speech.sentence import Sentence, say_as

COLOUR: Mapping[str, Sentence] = {
    "white": say_as("colour of one die", "white"),
    "ivory": say_as("colour of one die", "ivory"),
    "grey": say_as("colour of one die", "grey"),
    "black": say_as("colour of one die", "black"),
    "brown": say_as("colour of one die", "brown"),
    "red": say_as("colour of one die", "red"),
    "orange": say_as("colour of one die", "orange"),
    "yellow": say_as("colour of one die", "yellow"),
    "green": say_as("colour of one die", "green"),
    "turquoise": say_as("colour of one die", "turquoise"),
    "blue": say_as("colour of one die", "blue"),
    "purple": say_as("colour of one die", "purple"),
    "pink": say_as("colour of one die", "pink"),
}
COLOURS: Mapping[str, Sentence] = {
    "white": say_as("colour of several dice", "white"),
    "ivory": say_as("colour of several dice", "ivory"),
    "grey": say_as("colour of several dice", "grey"),
    "black": say_as("colour of several dice", "black"),
    "brown": say_as("colour of several dice", "brown"),
    "red": say_as("colour of several dice", "red"),
    "orange": say_as("colour of several dice", "orange"),
    "yellow": say_as("colour of several dice", "yellow"),
    "green": say_as("colour of several dice", "green"),
    "turquoise": say_as("colour of several dice", "turquoise"),
    "blue": say_as("colour of several dice", "blue"),
    "purple": say_as("colour of several dice", "purple"),
    "pink": say_as("colour of several dice", "pink"),
}
FIRST: Mapping[str, Sentence] = {
    "white": say_as("colour of several dice, first word", "White"),
    "ivory": say_as("colour of several dice, first word", "Ivory"),
    "grey": say_as("colour of several dice, first word", "Grey"),
    "black": say_as("colour of several dice, first word", "Black"),
    "brown": say_as("colour of several dice, first word", "Brown"),
    "red": say_as("colour of several dice, first word", "Red"),
    "orange": say_as("colour of several dice, first word", "Orange"),
    "yellow": say_as("colour of several dice, first word", "Yellow"),
    "green": say_as("colour of several dice, first word", "Green"),
    "turquoise": say_as("colour of several dice, first word", "Turquoise"),
    "blue": say_as("colour of several dice, first word", "Blue"),
    "purple": say_as("colour of several dice, first word", "Purple"),
    "pink": say_as("colour of several dice, first word", "Pink"),
}


def colour(name: str) -> str:
    """Of one die: a colour as the eye names it; any other name as it is."""
    return COLOUR.get(name, name)


def colours(name: str, first: bool = False) -> str:
    """Of several dice, as in "red dice". `first`: in the place of a first word, as in "Red dice"."""
    return FIRST.get(name, name.capitalize()) if first else COLOURS.get(name, name)
