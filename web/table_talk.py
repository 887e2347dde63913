"""The words of the stickman's calls, in every language: `calls.toml`."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from speech.catalogue import Catalogue

FILE = Path(__file__).with_name("calls.toml")
Words = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its `name` in the file, and the values of its {names}. A value that is a call itself is filled in as
    its words, a sentence is told, and a number stays plain figures: a thin space or a point would be read aloud."""

    name: str
    values: Mapping[str, "Call | str | int"] = field(default_factory=dict)


@cache
def shipped() -> Words:
    """By the name of the call, then by the code of the language."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def spoken(calls: Iterable[Call], language: Catalogue) -> str:
    """Calls one behind the other, in a language, else in English; empty when there is nothing to call."""
    return " ".join(_spoken(call, language) for call in calls)


def _spoken(call: Call, language: Catalogue) -> str:
    words = shipped()[call.name]
    return words.get(language.code, words["en"]).format_map(
        {name: _value(value, language) for name, value in call.values.items()}
    )


def _value(value: Call | str | int, language: Catalogue) -> str:
    if isinstance(value, Call):
        return _spoken(value, language)
    return language.tell(value) if isinstance(value, str) else str(value)
