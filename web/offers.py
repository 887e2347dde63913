"""Rules as the start form offers them: a card with a title, a line, and what the players must know before they sit."""

from dataclasses import dataclass
from typing import Any

from rules.options import Options, flat
from rules.wording import NUMBER
from speech.colours import colour
from speech.sentence import say
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
        found.append(say("Played with {number} dice.", number=NUMBER[options.dice.count]))
    if options.dice.wild != "off":
        name = colour(options.dice.wild_colour)
        found.append(
            say("One die is the wild one: the {colour} one. The tray knows it by its colour.", colour=name)
            if name
            else say("One die is the wild one: one of another colour than the rest. The tray knows it by its colour.")
        )
    if options.stake:
        found.append(say("Everybody puts {stake:,} in the pot.", stake=options.stake))
    return tuple(found)


def shown(options: Options) -> dict[str, Any]:
    """The options by dotted name, as a form asks for them: what does not count is "off"."""
    return {key: "off" if value is None else value for key, value in flat(options.to_json()).items()}
