"""Rules as the start form offers them: a card with a title, a line, and what the players must know before they sit."""

from dataclasses import dataclass
from typing import Any

from rules.options import Options, flat
from web.ports import RuleCard


@dataclass(frozen=True, slots=True)
class Offer:
    """`own`: house rules, saved at this tray. `notes`: sentences for the players before the first throw. `teams`: how
    many, 0 for none."""

    name: str
    title: str
    description: str
    own: bool
    target: int
    teams: int
    notes: tuple[str, ...]


def offer(card: RuleCard) -> Offer:
    options = card.options
    return Offer(
        card.name,
        card.title,
        card.description,
        bool(card.base),
        options.win.target,
        options.teams,
        notes(options),
    )


def notes(options: Options) -> tuple[str, ...]:
    """What must lie on the table, or be agreed on, before the first throw."""
    found = []
    if options.dice.count != 6:
        found.append(f"Played with {'five' if options.dice.count == 5 else 'twelve'} dice.")
    if options.dice.wild != "off":
        which = (
            f"the {options.dice.wild_colour} one" if options.dice.wild_colour else "one of another colour than the rest"
        )
        found.append(f"One die is the wild one: {which}. The tray knows it by its colour.")
    if options.stake:
        found.append(f"Everybody puts {options.stake:,} in the pot.")
    return tuple(found)


def shown(options: Options) -> dict[str, Any]:
    """The options by dotted name, as a form asks for them: what does not count is "off"."""
    return {key: "off" if value is None else value for key, value in flat(options.to_json()).items()}
