"""Sentences that remember how they were made, so that each can be told in another language where it is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the catalogues and the values for its {names}. `many`: the message for any `count` but one, ""
    where nothing is counted. `context`: what tells it apart from the same words with another meaning."""

    one: str
    values: Mapping[str, object]
    many: str = ""
    count: int = 1
    context: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """Sentences, or plain text, one behind the other."""

    parts: tuple[str, ...]
    between: str


class Sentence(str):
    """English text, equal to a plain `str` of the same letters, that knows what it was `made` of. Whatever builds a new
    text from it (an f-string, `join`, `replace`) forgets that: put it as a value into `say`, or use `joined`."""

    __slots__ = ("made",)
    made: Said | Joined

    def __new__(cls, text: str, made: Said | Joined) -> "Sentence":
        self = super().__new__(cls, text)
        self.made = made
        return self

    def __str__(self) -> "Sentence":
        # So that str() of an error that was raised with a sentence is still that sentence.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (str.__str__(self), self.made)


def say(message: str, /, **values: object) -> Sentence:
    """`message` with its {names} filled; a value may be a sentence itself, and {points:,} writes thousands apart."""
    return _said(Said(message, values))


def say_many(one: str, many: str, count: int, /, **values: object) -> Sentence:
    """One message for a count of one and another for any other; both may write {count}."""
    return _said(Said(one, {"count": count, **values}, many, count))


def say_as(context: str, message: str, /, **values: object) -> Sentence:
    """`message` where its words alone do not say what is meant: `context` is for translators only."""
    return _said(Said(message, values, context=context))


def figure(value: int | float, spec: str = ",") -> Sentence:
    """A number alone, by `spec` as in a format, which every language writes with its own marks."""
    return _said(Said(f"{{value:{spec}}}", {"value": value}))


def of_data(message: str, /) -> Sentence:
    """A message that stands in a data file of ours, where those who gather messages find it."""
    return Sentence(message, Said(message, {}))


def joined(parts: Sequence[str], between: str = " ") -> Sentence:
    return Sentence(between.join(parts), Joined(tuple(parts), between))


def listed(parts: Sequence[str]) -> str:
    """ "Ann, Bo and Cleo"."""
    if len(parts) < 2:
        return joined(parts)
    some, last = joined(parts[:-1], ", "), parts[-1]
    # Spanish has another word there, for the ear.
    if last.casefold().startswith(("i", "í", "hi", "hí")):
        return say_as("before the sound of i", "{some} and {last}", some=some, last=last)
    return say("{some} and {last}", some=some, last=last)


def either(parts: Sequence[str]) -> str:
    """ "a, b or c"."""
    if len(parts) < 2:
        return joined(parts)
    some, last = joined(parts[:-1], ", "), parts[-1]
    if last.casefold().startswith(("o", "ó", "ho", "hó", "8")) or last == "11":
        return say_as("before the sound of o", "{some} or {last}", some=some, last=last)
    return say("{some} or {last}", some=some, last=last)


def english(said: Said) -> str:
    template = said.one if said.count == 1 or not said.many else said.many
    return template.format_map(said.values)


def _said(said: Said) -> Sentence:
    return Sentence(english(said), said)
