"""Setting dice aside from the present throw."""

from collections import Counter
from dataclasses import replace

from rules.errors import IllegalMove
from rules.events import Kept
from rules.game import Last, Option
from rules.games.farkle.state import State
from rules.wording import dice_text
from speech.sentence import say


def kept(state: State, event: Kept) -> State:
    if state.throw is None:
        raise IllegalMove(say("Throw first: there are no dice to set aside yet."))
    option = _meant(state, tuple(sorted(event.dice)), event.with_coloured)
    if option is None:
        raise IllegalMove(_why_not(state, event))
    return set_aside(replace(state, declared=None, left=None), option)


def set_aside(state: State, option: Option) -> State:
    """With this choice from the present throw."""
    state = replace(state, aside=option, last=None)
    if not state.hot:
        return state
    return replace(state, last=Last(state.player, "hot-dice", state.at_risk, state.thrown or ()))


def _meant(state: State, dice: tuple[int, ...], with_coloured: bool | None) -> Option | None:
    """The choice that was meant. Without a word about the coloured die: without it if that is possible, else the
    coloured die is one of `dice`."""
    found = {(option.dice, bool(option.with_coloured)): option for option in state.choices}
    if with_coloured is not None:
        return found.get((dice, with_coloured))
    option = found.get((dice, False))
    if option is None and state.coloured in dice:
        rest = list(dice)
        rest.remove(state.coloured)
        option = found.get((tuple(rest), True))
    return option


def _why_not(state: State, event: Kept) -> str:
    throw = Counter(state.thrown)
    dice = Counter(event.dice)
    if event.with_coloured:
        if state.coloured is None:
            return say("The coloured die is not in this throw.")
        dice[state.coloured] += 1
    given = tuple(sorted(dice.elements()))
    if not given:
        return say("Set aside at least one scoring die.")
    if dice - throw:
        return say(
            "{dice} cannot be set aside from {throw}.", dice=dice_text(given), throw=dice_text(state.thrown or ())
        )
    if state.attempt is not None:
        if state.attempt.what == "straight":
            return say(
                "{dice} does not complete the straight in full; set aside only dice that score.", dice=dice_text(given)
            )
        return say(
            "{dice} does not complete the triple in full; set aside only dice that score.", dice=dice_text(given)
        )
    partly = [option.faces(state.coloured) for option in state.choices]
    best = max((part for part in partly if Counter(part) <= dice), key=len, default=())
    dead = tuple(sorted((dice - Counter(best)).elements()))
    return say("{dice} scores nothing here; set aside only dice that score.", dice=dice_text(dead))
