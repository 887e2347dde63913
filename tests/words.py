"""Every message of the project as its catalogues must have it: `make words` writes them into speech/catalogues."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment

from speech.languages import FOLDER
from speech.po import Entry, entries, written

ROOT = Path(__file__).parents[1]
FLOORS = ("speech", "hardware", "rules", "vision", "calibration", "web", "firmware")
# What each function says, by the place of its argument.
ARGUMENTS = {
    "say": ("one",),
    "say_many": ("one", "many"),
    "say_as": ("context", "one"),
    "_": ("one",),
    "gettext": ("one",),
    "ngettext": ("one", "many"),
    "pgettext": ("context", "one"),
    "npgettext": ("context", "one", "many"),
}


def messages() -> dict[tuple[str, str], Entry]:
    """Not yet translated, by context and English text, in the order of their files; each notes where it is from."""
    found: dict[tuple[str, str], Entry] = {}
    for place, kind, entry in _all():
        key = (entry.context, entry.one)
        notes = found[key].notes if key in found else ()
        known = [note.removeprefix("#: ") for note in notes if note.startswith("#: ")]
        places = " ".join(dict.fromkeys([*" ".join(known).split(), place]))
        many = entry.many or (found[key].many if key in found else "")
        forms = ("", "") if many else ("",)
        found[key] = Entry(entry.one, forms, many, entry.context, (f"#: {places}", *([f"#, {kind}"] if kind else [])))
    return found


def _all() -> Iterator[tuple[str, str, Entry]]:
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*")):
            place = str(path.relative_to(ROOT))
            match path.suffix:
                case ".py":
                    for entry in in_python(path.read_text(), place):
                        yield place, "python-brace-format" if "{" in entry.one else "", entry
                case ".html":
                    for entry in in_template(path.read_text()):
                        yield place, "python-format" if "%" in entry.one else "", entry
                case ".toml" if path.parent.name == "presets":
                    for entry in in_preset(path.read_text()):
                        yield place, "", entry


def in_python(source: str, place: str) -> Iterator[Entry]:
    """What is said, in the order of its lines. Raises ValueError where a message is not written out: nobody could
    translate it."""
    tree = ast.parse(source)
    named = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        if not isinstance(call.func, ast.Name) or not call.func.id.startswith("say"):
            continue
        if (names := ARGUMENTS.get(call.func.id)) is None:
            continue
        given = [named.get(arg.id, arg) if isinstance(arg, ast.Name) else arg for arg in call.args[: len(names)]]
        texts = [arg.value for arg in given if isinstance(arg, ast.Constant)]
        if len(texts) < len(names):
            raise ValueError(f"{place}, line {call.lineno}: write the message itself into {call.func.id}()")
        yield _entry(dict(zip(names, texts, strict=True)))


def in_template(source: str) -> Iterator[Entry]:
    jinja = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    jinja.policies["ext.i18n.trimmed"] = True
    jinja.newstyle_gettext = True  # type: ignore[attr-defined]  # the extension brings it
    for _, function, message in jinja.extract_translations(source):  # type: ignore[attr-defined]  # and this
        texts = (message,) if isinstance(message, str) else tuple(text for text in message if text is not None)
        yield _entry(dict(zip(ARGUMENTS[function], texts, strict=False)))


def in_preset(source: str) -> Iterator[Entry]:
    about = tomllib.loads(source)
    for name in ("title", "description"):
        if name in about:
            yield Entry(about[name], ("",))


def _entry(texts: dict[str, str]) -> Entry:
    return Entry(texts["one"], ("",), texts.get("many", ""), texts.get("context", ""))


def merged(known: list[Entry], wanted: dict[tuple[str, str], Entry]) -> str:
    """A catalogue as a file: its header, then all that is wanted, translated where that is `known` already. What
    translators noted (`# ...`) stays with its message."""
    header = next(entry for entry in known if not entry.one)
    before = {(entry.context, entry.one): entry for entry in known}
    texts = [written(header)]
    for key, entry in wanted.items():
        old = before.get(key)
        fits = old is not None and bool(old.many) == bool(entry.many)
        told = old.told if old is not None and fits else entry.told
        remarks = tuple(n for n in old.notes if not n.startswith(("#:", "#,"))) if old is not None else ()
        flags = ("#, fuzzy",) if old is not None and (old.fuzzy or not fits) else ()
        texts.append(written(Entry(entry.one, told, entry.many, entry.context, (*remarks, *entry.notes, *flags))))
    return "\n".join(texts)


def main() -> None:
    wanted = messages()
    for path in sorted(FOLDER.glob("*.po")):
        known = list(entries(path.read_text(encoding="utf-8")))
        path.write_text(merged(known, wanted), encoding="utf-8")
        missing = sum(not all(entry.told) for entry in entries(path.read_text(encoding="utf-8")))
        print(f"{path.relative_to(ROOT)}: {len(wanted)} messages, {missing} to translate")


if __name__ == "__main__":
    main()
