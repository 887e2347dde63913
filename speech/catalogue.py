"""One language: its messages, how it counts, and how it tells a sentence."""

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email import message_from_string
from gettext import c2py
from typing import Any

from speech.po import entries
from speech.sentence import Said, Sentence, english, say_as

# Each language says these in its own way.
NAME = say_as("name of this language in itself", "English")
NUMBER = say_as("how numbers are written", "1,234.5")
PLURAL = "nplurals=2; plural=(n != 1);"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """`code`: as in `lang="de"`. `messages`: by context ("" mostly) and English text, a text for each plural form.
    `form`: which of them counts so many. What is not in it is told in English."""

    code: str
    messages: Mapping[tuple[str, str], tuple[str, ...]]
    form: Callable[[int], int]

    @property
    def name(self) -> str:
        return self.tell(NAME)

    def find(self, one: str, many: str = "", count: int = 1, context: str = "") -> str:
        """The message in this language, its placeholders not filled."""
        told = self.messages.get((context, one))
        if not told:
            return one if count == 1 or not many else many
        form = self.form(count) if many else 0
        return told[form if form < len(told) else -1]

    def tell(self, text: str) -> str:
        """A sentence in this language. Plain text, such as a name somebody typed, is told as it is."""
        if not isinstance(text, Sentence):
            return text
        if not self.messages:
            return str.__str__(text)
        made = text.made
        if not isinstance(made, Said):
            return made.between.join(self.tell(part) for part in made.parts)
        values = {name: self.tell(value) if isinstance(value, str) else value for name, value in made.values.items()}
        template = self.find(made.one, made.many, made.count, made.context)
        try:
            return _Filling(*self._marks()).vformat(template, (), values)
        except (LookupError, ValueError):
            # A catalogue that names what the sentence has not.
            return english(made)

    def tell_all(self, value: Any) -> Any:
        """The same value with every sentence within dicts, lists and tuples told in this language."""
        match value:
            case str():
                return self.tell(value)
            case dict():
                return {key: self.tell_all(each) for key, each in value.items()}
            case list() | tuple():
                return [self.tell_all(each) for each in value]
        return value

    def _marks(self) -> tuple[str, str]:
        """What stands between thousands, and before the decimals."""
        sample = self.find(NUMBER, context="how numbers are written")
        return sample[1], sample[-2]


class _Filling(string.Formatter):
    """Fills {names}; numbers with a format come out as the language writes them."""

    def __init__(self, thousands: str, decimal: str) -> None:
        self._marks = str.maketrans({",": thousands, ".": decimal})

    def format_field(self, value: Any, format_spec: str) -> Any:
        text = format(value, format_spec)
        return text.translate(self._marks) if isinstance(value, int | float) else text


ENGLISH = Catalogue("en", {}, c2py("n != 1"))


def read(code: str, text: str) -> Catalogue:
    """A catalogue from the text of its .po file. Translations that are only guessed do not count. Raises ValueError."""
    found = list(entries(text))
    header = next((entry.told[0] for entry in found if not entry.one), "")
    plural = message_from_string(header).get("Plural-Forms", PLURAL).partition("plural=")[2].rstrip(";")
    messages = {
        (entry.context, entry.one): entry.told for entry in found if entry.one and all(entry.told) and not entry.fuzzy
    }
    return Catalogue(code, messages, c2py(plural))
