"""The rules that this table can start a game with: the presets, house rules saved here, and the config's own."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware import house_rules, rulebook
from firmware.errors import BadInput, BadState
from firmware.rulebook import Preset
from rules import house
from rules.errors import BadRules, RulesError
from rules.house import Mistake
from rules.options import Options
from speech.sentence import say
from web.refusals import NameTaken, TrayBusy


class TableRules:
    """Fits `web.ports.Rulebook`; any thread may use it. `chosen`: the name of a preset or of saved house rules, or a
    file of house rules. `offered`: the name chosen at first. `banners`: a sentence for each file that cannot be used.
    """

    def __init__(self, chosen: str, state_dir: Path) -> None:
        self._state_dir = state_dir
        self._writing = threading.Lock()
        self._own: tuple[Preset, ...] = ()
        self.banners = house_rules.saved(state_dir).troubles
        self.offered = self._offer(chosen)

    def cards(self) -> tuple[Preset, ...]:
        """In the order offered. House rules are read anew each time, so a file put there by hand is there."""
        return (*self._own, *house_rules.saved(self._state_dir).cards, *rulebook.presets().values())

    def names(self) -> tuple[str, ...]:
        return tuple(card.name for card in self.cards())

    def options_of(self, rules: str | Mapping[str, Any]) -> Options:
        """Options by name or from a table, whose `base` may be house rules too. Raises `BadRules`."""
        known = self._by_any_name()
        return house.find(rules, known) if isinstance(rules, str) else house.parse(rules, known)

    def read(self, rules: Mapping[str, Any]) -> tuple[Options, tuple[Mistake, ...]]:
        return house.read(rules, self._by_any_name())

    def save(self, rules: Mapping[str, Any], replace: bool = False) -> Preset:
        options = self.options_of(rules)
        if "name" not in rules:
            raise BadRules(say("House rules need a name, such as Our table."))
        with self._writing:
            path = house_rules.path_of(self._state_dir, options.name)
            if path.exists() and not replace:
                raise NameTaken(say('There are house rules called "{name}" already.', name=options.name))
            try:
                return house_rules.save(self._state_dir, options.name, self._root(rules), options)
            except BadState as error:
                raise TrayBusy(str(error)) from None

    def forget(self, name: str) -> None:
        with self._writing:
            try:
                house_rules.forget(self._state_dir, name)
            except BadState as error:
                raise TrayBusy(str(error)) from None

    def _offer(self, chosen: str) -> str:
        named = {card.name: card.name for card in self.cards()} | {card.title: card.name for card in self.cards()}
        if chosen in named:
            return named[chosen]
        try:
            options = rulebook.load(chosen)
        except (RulesError, BadInput) as error:
            first = rulebook.NAMES[0]
            self.banners += (say("{error} Until then {name} is offered.", error=str(error), name=first),)
            return first
        same = next((card.name for card in self.cards() if card.options == options), None)
        if same is None:
            name = house_rules.short(options.name) or "house-rules"
            self._own = (
                Preset(name, options.name, say("The rules of this table, from {name}.", name=chosen), (), options),
            )
            return name
        return same

    def _by_any_name(self) -> Mapping[str, Options]:
        cards = (*self._own, *house_rules.saved(self._state_dir).cards)
        own = {house.folded(name): card.options for card in cards for name in (card.name, card.title)}
        return {**own, **rulebook.by_any_name()}

    def _root(self, rules: Mapping[str, Any]) -> str:
        """The preset that changes are written against: that of the rules they were made from."""
        base = house.folded(str(rules.get("base", rulebook.NAMES[0])))
        made_from = next((card for card in self.cards() if base in (card.name, house.folded(card.title))), None)
        if made_from is None:
            return rulebook.preset_of(base).name
        return made_from.base or (made_from.name if made_from.name in rulebook.presets() else rulebook.NAMES[0])
