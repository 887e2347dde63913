"""House rules: a table of names and values, as a TOML file or a phone gives it, made into complete options.

`name`, `base` (a preset), and what differs from it: `{"score": {"straight": 1500}}`, or `{"score.straight": 1500}`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any

from rules.checks import CHECKS, NotAllowed, said
from rules.conflicts import contradictions
from rules.errors import BadRules
from rules.options import Options, flat
from speech.sentence import either, joined, say

SECTIONS = ("dice", "score", "turn", "penalty", "win")
TOP = ("name", "base", "description", "teams", "stake")


@dataclass(frozen=True, slots=True)
class Mistake:
    """`key`: dotted name of the option, as written. `text`: one sentence with the allowed or nearest values. `value`,
    `allowed`: what it says of a value that is not allowed."""

    key: str
    text: str
    value: str = ""
    allowed: str = ""


def _refused(key: str, value: object, allowed: str) -> Mistake:
    text = say("{key} = {value} is not allowed; use {allowed}.", key=key, value=said(value), allowed=allowed)
    return Mistake(key, text, said(value), allowed)


def parse(rules: Mapping[str, Any], presets: Mapping[str, Options] | None = None) -> Options:
    """Complete options of house rules. `presets`: what `base` may name; without a base plain Farkle is the base.

    Raises `BadRules` for the first mistake.
    """
    options, mistakes = read(rules, presets or {})
    if mistakes:
        more = say("({count} more such mistakes follow.)", count=len(mistakes) - 1)
        raise BadRules(joined([mistakes[0].text, more]) if len(mistakes) > 1 else mistakes[0].text)
    return options


def read(rules: Mapping[str, Any], presets: Mapping[str, Options]) -> tuple[Options, tuple[Mistake, ...]]:
    """The options as far as they can be read, and every mistake."""
    mistakes: list[Mistake] = []
    options = _base(rules.get("base"), presets, mistakes)
    changes: dict[str, Any] = {}
    for key, value in _named(rules, mistakes):
        try:
            changes |= {name: CHECKS[name].read(each) for name, each in _spread(key, value)}
        except NotAllowed as wrong:
            mistakes.append(_refused(key + wrong.where, wrong.value, wrong.allowed))
    options = _changed(options, changes)
    if not mistakes:
        mistakes += [Mistake(key, text) for key, text in contradictions(options)]
    return options, tuple(mistakes)


def changes(options: Options, base: Options) -> dict[str, Any]:
    """What `options` has otherwise than `base`, but for the name: options by dotted name, as `read` takes them."""
    before = flat(base.to_json())
    return {
        key: "off" if value is None else value
        for key, value in flat(options.to_json()).items()
        if value != before[key] and key != "name"
    }


def written(name: str, base: str, changed: Mapping[str, Any]) -> str:
    """House rules as the text of a TOML file. `changed`: as `changes` gives it."""
    lines = [f"name = {said(name)}", f"base = {said(base)}"]
    lines += [f"{key} = {said(value)}" for key, value in changed.items() if "." not in key]
    for section in SECTIONS:
        inside = [key for key in changed if key.startswith(f"{section}.")]
        if inside:
            lines += ["", f"[{section}]"]
            lines += [f"{key.removeprefix(f'{section}.')} = {said(changed[key])}" for key in inside]
    return "\n".join(lines) + "\n"


def folded(name: str) -> str:
    """A preset's name as it is looked up: "Dice 10,000" is "dice-10000"."""
    return "-".join(name.casefold().replace(",", "").replace("_", " ").replace("-", " ").split())


def find(name: str, presets: Mapping[str, Options]) -> Options:
    """The preset called `name`. Raises `BadRules` with the nearest names."""
    known = presets.get(folded(name))
    if known is None:
        near = get_close_matches(folded(name), list(presets), n=2, cutoff=0.6)
        all_names = ", ".join(dict.fromkeys(options.name for options in presets.values()))
        if near:
            raise BadRules(
                say('There are no rules called "{name}"; did you mean {near}?', name=name, near=either(near))
            )
        raise BadRules(say('There are no rules called "{name}"; choose one of {names}.', name=name, names=all_names))
    return known


def _base(name: object, presets: Mapping[str, Options], mistakes: list[Mistake]) -> Options:
    if name is None:
        return Options()
    if not isinstance(name, str):
        mistakes.append(_refused("base", name, say("the name of a preset")))
        return Options()
    try:
        return find(name, presets)
    except BadRules as unknown:
        mistakes.append(Mistake("base", str(unknown)))
        return Options()


def _named(rules: Mapping[str, Any], mistakes: list[Mistake]) -> list[tuple[str, Any]]:
    """Every known option that is given, by its dotted name."""
    found: list[tuple[str, Any]] = []
    for key, value in rules.items():
        if key in SECTIONS:
            if isinstance(value, Mapping):
                found += [(f"{key}.{name}", each) for name, each in value.items()]
            else:
                text = say("{key} = {value} is not allowed; [{key}] is a table of options.", key=key, value=said(value))
                mistakes.append(Mistake(key, text))
        elif key not in ("base", "description"):
            found.append((key, value))
    for key, _ in found:
        if key not in CHECKS and key != "score.kinds":
            mistakes.append(Mistake(key, _unknown(key)))
    return [(key, value) for key, value in found if key in CHECKS or key == "score.kinds"]


def _unknown(key: str) -> str:
    for section in SECTIONS:
        if f"{section}.{key}" in CHECKS:
            return say("The option {key} belongs under [{section}].", key=key, section=section)
    section, dot, name = key.partition(".")
    known = [each for each in CHECKS if each.startswith(f"{section}.")] if dot and section in SECTIONS else []
    prefix = f"{section}." if known else ""
    names = [each.removeprefix(prefix) for each in known] or [*TOP, *SECTIONS, *CHECKS]
    near = get_close_matches(name if known else key, names, n=1, cutoff=0.6)
    if near:
        return say("There is no option {key}; did you mean {near}?", key=key, near=f"{prefix}{near[0]}")
    names = known or [*TOP, *SECTIONS]
    return say("There is no option {key}; choose one of {names}.", key=key, names=", ".join(names))


def _spread(key: str, value: object) -> list[tuple[str, object]]:
    """`kinds` sets four, five and six of a kind at once."""
    return [(f"score.kind{n}", value) for n in (4, 5, 6)] if key == "score.kinds" else [(key, value)]


def _changed(options: Options, changes: Mapping[str, Any]) -> Options:
    whole: dict[str, Any] = {key: value for key, value in changes.items() if "." not in key}
    for section in SECTIONS:
        before = getattr(options, section)
        names = {each.name for each in fields(before)}
        inside = {name: changes[f"{section}.{name}"] for name in names if f"{section}.{name}" in changes}
        if "triples" in inside:
            inside["triples"] = tuple(inside["triples"].get(face, before.triple(face)) for face in range(2, 7))
        whole[section] = replace(before, **inside)
    return replace(options, **whole)
