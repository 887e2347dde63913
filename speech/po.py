"""The gettext format of catalogues (.po), as the tools of translators read and write it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

# The only escapes that a .po file and JSON do not share are those that no catalogue of ours needs.
_LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) )?(".*")')


@dataclass(frozen=True, slots=True)
class Entry:
    """A message and what it is `told` as: one text, or one for each plural form of the language; "" where nobody has
    translated it. `notes`: its comment lines as they are. The entry for the message "" is the header."""

    one: str
    told: tuple[str, ...]
    many: str = ""
    context: str = ""
    notes: tuple[str, ...] = ()

    @property
    def fuzzy(self) -> bool:
        """Somebody, or a tool, has only guessed this translation."""
        return any(note.startswith("#,") and "fuzzy" in note for note in self.notes)


def entries(text: str) -> Iterator[Entry]:
    """Raises ValueError at a line that no .po file has. Entries that were commented out are left out."""
    fields: dict[str, str] = {}
    notes: list[str] = []
    name = ""
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.startswith("#~"):
            continue
        if (not line.strip() or line.startswith("#")) and fields:
            yield _entry(fields, notes)
            fields, notes, name = {}, [], ""
        if line.startswith("#"):
            notes.append(line)
        elif line.strip():
            found = _LINE.fullmatch(line.strip())
            name = (found[1] or name) if found else ""
            if found is None or not name:
                raise ValueError(f"line {number} is no line of a .po file: {line}")
            fields[name] = fields.get(name, "") + json.loads(found[2])


def _entry(fields: dict[str, str], notes: list[str]) -> Entry:
    told = tuple(text for name, text in sorted(fields.items()) if name.startswith("msgstr"))
    return Entry(fields["msgid"], told, fields.get("msgid_plural", ""), fields.get("msgctxt", ""), tuple(notes))


def written(entry: Entry) -> str:
    """An entry as a .po file has it, each text on a line of its own."""
    lines = list(entry.notes)
    if entry.context:
        lines.append(f"msgctxt {_quoted(entry.context)}")
    lines.append(f"msgid {_quoted(entry.one)}")
    if entry.many:
        lines.append(f"msgid_plural {_quoted(entry.many)}")
        lines += [f"msgstr[{form}] {_quoted(told)}" for form, told in enumerate(entry.told)]
    else:
        lines.append(f"msgstr {_quoted(entry.told[0])}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
