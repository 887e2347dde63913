"""The rules that this table can start a game with: the presets, and the owner's own from the config."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from firmware import rulebook
from firmware.errors import BadInput
from firmware.rulebook import Preset
from rules.errors import RulesError
from rules.options import Options

OptionsOf = Callable[[str | Mapping[str, Any]], Options]


@dataclass(frozen=True, slots=True)
class TableRules:
    """`cards`: what can be started, in the order offered; `offered`: the name chosen at first. `banners`: a sentence
    when the config's rules cannot be used."""

    cards: tuple[Preset, ...]
    offered: str
    options_of: OptionsOf
    banners: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(card.name for card in self.cards)


def table_rules(chosen: str) -> TableRules:
    """`chosen`: the name of a preset, or a file of house rules."""
    cards = tuple(rulebook.presets().values())
    try:
        options = rulebook.load(chosen)
    except (RulesError, BadInput) as error:
        banner = f"{error} Until then {cards[0].name} is offered."
        return TableRules(cards, cards[0].name, rulebook.options_of, (banner,))
    same = next((card.name for card in cards if card.options == options), None)
    if same is not None:
        return TableRules(cards, same, rulebook.options_of)
    own = Preset(options.name, options.name, f"The rules of this table, from {chosen}.", (), options)
    return TableRules((own, *cards), own.name, _with(options))


def _with(house: Options) -> OptionsOf:
    return lambda rules: house if rules == house.name else rulebook.options_of(rules)
