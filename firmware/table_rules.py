"""The rules that this table can start a game with: the presets, and the owner's own from the config."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from firmware import rulebook
from firmware.errors import BadInput
from rules.errors import RulesError
from rules.options import Options

OptionsOf = Callable[[str | Mapping[str, Any]], Options]


@dataclass(frozen=True, slots=True)
class TableRules:
    """`names`: what can be started, in the order offered; `offered`: the one chosen at first. `banners`: a sentence
    when the config's rules cannot be used."""

    names: tuple[str, ...]
    offered: str
    options_of: OptionsOf
    banners: tuple[str, ...] = ()


def table_rules(chosen: str) -> TableRules:
    """`chosen`: the name of a preset, or a file of house rules."""
    presets = rulebook.presets()
    names = tuple(name for name, preset in presets.items() if preset.playable)
    try:
        options = rulebook.load(chosen)
    except (RulesError, BadInput) as error:
        return TableRules(names, names[0], rulebook.options_of, (f"{error} Until then {names[0]} is offered.",))
    same = next((name for name in names if presets[name].options == options), None)
    if same is not None:
        return TableRules(names, same, rulebook.options_of)
    return TableRules((options.name, *names), options.name, _with(options))


def _with(house: Options) -> OptionsOf:
    return lambda rules: house if rules == house.name else rulebook.options_of(rules)
