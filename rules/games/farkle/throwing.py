"""A throw and what it does by itself: a win, a farkle, four 2s, or a choice for the player."""

from collections import Counter
from dataclasses import replace

from rules.errors import IllegalMove, InvalidMove
from rules.events import Thrown
from rules.game import Last
from rules.games.farkle import attempts, choosing, ending
from rules.games.farkle.banking import is_spent
from rules.games.farkle.state import State
from rules.options import InstantWin
from rules.scoring import WILD
from rules.wording import count_text
from speech.sentence import say


def thrown(state: State, event: Thrown) -> State:
    _check(state, event)
    state = _rolled(state, event)
    if any(_wins(state, name) for name in state.options.win.instant):
        return ending.won(state, state.player)
    if state.options.penalty.four_twos and event.values.count(2) >= 4:
        return _cancelled(state)
    if not state.choices:
        return _farkled(state)
    if state.roll_off is not None:
        state = ending.rolled_off(state)
    # What completes an attempt is set aside in any case; more may be.
    return choosing.set_aside(state, state.choices[0]) if state.attempt else state


def _check(state: State, event: Thrown) -> None:
    values, coloured = event.values, event.coloured
    for value in values:
        if value not in range(1, 7):
            raise InvalidMove(say("A die shows 1 to 6, not {value}.", value=value))
    if state.throw is not None and not state.chosen:
        raise IllegalMove(say("Set aside at least one scoring die first."))
    if is_spent(state):
        raise IllegalMove(say("The turn ends with this throw: bank its points."))
    if len(values) != state.dice_left:
        due, thrown = count_text(state.dice_left), len(values)
        if state.left and state.throw is None:
            raise IllegalMove(
                say("Throw {due}, not {thrown}; or first take over the dice that were left.", due=due, thrown=thrown)
            )
        raise IllegalMove(say("Throw {due}, not {thrown}.", due=due, thrown=thrown))
    if state.coloured_due and coloured not in values:
        raise InvalidMove(say("Which of these is the coloured die? Write it with a w, as 4w."))
    if coloured is not None and not state.coloured_due:
        aside = state.options.dice.wild != "off"
        raise InvalidMove(say("The coloured die is set aside.") if aside else say("These rules have no coloured die."))


def _rolled(state: State, event: Thrown) -> State:
    """With the throw open, and what was chosen of the one before on the rail. Hot dice start an empty rail."""
    plain = list(event.values)
    if event.coloured is not None:
        plain.remove(event.coloured)
    throw = tuple(sorted(plain))
    trying = state.attempt.dice if state.attempt else ()
    group = tuple(sorted((*trying, *state.dice_aside)))
    held = () if state.hot else (*state.held, group) if group else state.held
    state = replace(
        state,
        points=state.own,
        taken=() if state.hot else state.taken,
        held=held,
        coloured_aside=not state.hot and state.coloured_set_aside,
        throw=throw,
        coloured=event.coloured,
        aside=None,
        declared=None,
        attempt=state.declared,
        turn_throws=state.turn_throws + 1,
        throws=state.throws + 1,
        left=state.left if state.throw is None else None,
        last=None,
    )
    if state.attempt is not None:
        return replace(state, choices=attempts.completing(state, state.attempt, throw))
    return replace(state, choices=state.scorer.options(throw, state.held, state.coloured))


def _wins(state: State, name: InstantWin) -> bool:
    """All of one throw; a wild card completes them as it completes any combination."""
    faces = Counter(state.throw)
    if state.coloured == WILD:
        faces = Counter({face: faces[face] + 1 for face in range(1, 7)})
    elif state.coloured is not None:
        faces[state.coloured] += 1
    match name:
        case "five_kind_first_throw":
            return state.turn_throws == 1 and max(faces.values()) >= 5
        case "six_kind":
            return max(faces.values()) >= 6
        case "six_ones":
            return faces[1] >= 6


def _farkled(state: State) -> State:
    penalty, side = state.options.penalty, state.side
    farkles, cost = side.farkles + 1, 0
    if penalty.three_farkles and farkles == 3:
        farkles, cost = 0, _penalty(state)
    last = Last(state.player, "farkle", state.at_risk, state.thrown or (), cost)
    side = replace(side, farkles=farkles, score=side.score - cost)
    return ending.passed_on(state.with_own_side(side), last)


def _penalty(state: State) -> int:
    """What three farkles in a row cost this side; never more than the floor leaves, nor less than nothing."""
    penalty, score = state.options.penalty, state.side.score
    cost = score if penalty.three_farkles == "all" else penalty.three_farkles
    if penalty.floor is not None:
        cost = min(cost, score - penalty.floor)
    return max(0, cost)


def _cancelled(state: State) -> State:
    """Four 2s take the whole score, whatever the throw would have scored. It is no farkle: it has its own price."""
    side = state.side
    last = Last(state.player, "four-twos", max(0, side.score) + state.at_risk, state.thrown or ())
    return ending.passed_on(state.with_own_side(replace(side, score=min(0, side.score), farkles=0)), last)
