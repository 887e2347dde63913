"""Rules by name or from a file: the presets that come with the tray, and house rules as TOML."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from firmware.errors import BadInput
from rules import house
from rules.errors import BadRules
from rules.house import Mistake
from rules.options import Options
from speech.sentence import joined, of_data, say

# The order in which the presets are offered.
NAMES = (
    "farkle",
    "pocket-farkel",
    "dark-knights",
    "dark-knights-full",
    "dice-10000",
    "five-thousand",
    "five-dice",
    "twelve-dice",
    "wild",
    "team-farkle",
    "high-stakes",
    "welfare",
    "exact-10000",
    "wikipedia-effects",
)


@dataclass(frozen=True, slots=True)
class Preset:
    """`name`: as it is typed. `title`, `description`: for the players, a line each. `aliases`: other names.
    `base`: the preset that house rules build on; empty for a preset itself."""

    name: str
    title: str
    description: str
    aliases: tuple[str, ...]
    options: Options
    base: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake in a rules file. `line` counts from 1; None when the mistake is nowhere in particular."""

    line: int | None
    mistake: Mistake


@cache
def presets() -> Mapping[str, Preset]:
    """The presets by name, in the order in which they are offered."""
    found: dict[str, Preset] = {}
    for name in NAMES:
        text = resources.files("rules.presets").joinpath(f"{name}.toml").read_text(encoding="utf-8")
        table = tomllib.loads(text)
        title, description, aliases = (
            of_data(table.pop("title")),
            of_data(table.pop("description")),
            table.pop("aliases", []),
        )
        # A base is always named before what builds on it.
        options = house.parse(table, {known: preset.options for known, preset in found.items()})
        found[name] = Preset(name, title, description, tuple(aliases), options)
    return MappingProxyType(found)


@cache
def by_any_name() -> Mapping[str, Options]:
    """Options by every name they go by, as `rules.house.folded` writes it."""
    names = {name: preset.options for name, preset in presets().items()}
    aliases = {alias: preset.options for preset in presets().values() for alias in preset.aliases}
    return MappingProxyType(names | aliases)


def preset_of(name: str) -> Preset:
    """The preset that goes by this name or alias. Raises `BadRules` with the nearest names."""
    options = house.find(name, by_any_name())
    return presets()[options.name]


def options_of(rules: str | Mapping[str, Any]) -> Options:
    """Options of a preset by name, or of house rules as a table. Never reads a file. Raises `BadRules`."""
    return house.find(rules, by_any_name()) if isinstance(rules, str) else house.parse(rules, by_any_name())


def load(name_or_path: str) -> Options:
    """Options of a preset by name, or of a house-rules file. Raises `BadRules`, or `BadInput` for a file that cannot
    be read."""
    if house.folded(name_or_path) in by_any_name():
        return options_of(name_or_path)
    path = Path(name_or_path)
    if path.suffix != ".toml" and not path.exists():
        return options_of(name_or_path)
    return load_file(path)


def load_file(path: Path) -> Options:
    """Options of a house-rules file. Raises `BadRules` for its first mistake, `BadInput` when it cannot be read."""
    options, findings = check(path)
    if findings:
        first = findings[0]
        place = say("{path}, line {line}", path=path, line=first.line) if first.line else str(path)
        told = say("{place}: {mistake}", place=place, mistake=first.mistake.text)
        more = say("(and {count} more; see: stickman rules check {path})", count=len(findings) - 1, path=path)
        raise BadRules(joined([told, more]) if len(findings) > 1 else told)
    return options


def check(path: Path) -> tuple[Options, tuple[Finding, ...]]:
    """The options of a house-rules file as far as they can be read, and its mistakes in the order of their lines.

    Raises `BadInput` when the file cannot be read or is no TOML.
    """
    text = _text(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(
            say("{path} is not a TOML file: {reason}.", path=path, reason=f"{str(error)[:1].lower()}{str(error)[1:]}")
        ) from None
    options, mistakes = house.read(table, by_any_name())
    findings = [Finding(_line_of(mistake.key, text), mistake) for mistake in mistakes]
    return options, tuple(sorted(findings, key=lambda finding: finding.line or 0))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(say("There is no rules file {path}.", path=path)) from None
    except UnicodeDecodeError:
        raise BadInput(say("{path} is not a text file; a rules file is TOML.", path=path)) from None
    except OSError as error:
        raise BadInput(say("The rules file {path} cannot be read: {error}.", path=path, error=error.strerror)) from None


def _line_of(key: str, text: str) -> int | None:
    """The line on which an option is set, whether as `[score]` and `straight = ...` or as `score.straight = ...`.
    The nearest table it lies in when it is written some other way."""
    section, within = "", None
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if line.startswith("["):
            section = line.strip("[] \t").split("#")[0].strip("[] \t")
            written = section
        else:
            name = line.split("=")[0].strip().replace('"', "")
            written = f"{section}.{name}" if section else name
        if written == key or written.startswith(f"{key}."):
            return number
        if written and "=" in line + "=" and (key.startswith(f"{written}.") or key.startswith(f"{written}[")):
            within = number
    return within
