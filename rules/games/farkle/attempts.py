"""Attempts: some dice of a throw of all are kept, and one throw of the rest must complete a straight or a triple."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from rules.combinations import FACES, counted, listed
from rules.errors import IllegalMove, InvalidMove
from rules.events import Attempted
from rules.game import Last, Option, Trying
from rules.games.farkle.state import State
from rules.wording import dice_text
from speech.sentence import either, say

FULL = frozenset(FACES)


def possible(state: State) -> tuple[Trying, ...]:
    """What may be declared on the present throw, with the most dice kept. An attempt needs a throw of all dice that
    scores (one that does not is a farkle at once) and has not succeeded by itself."""
    throw, turn = state.throw, state.options.turn
    if throw is None or len(throw) != state.count or state.attempt is not None:
        return ()
    found = []
    if turn.straight_attempt and state.options.score.straight is not None and set(throw) != FULL:
        found.append(Trying("straight", tuple(sorted(set(throw)))))
    if turn.triple_attempt:
        found += [Trying("triple", (face, face)) for face, number in sorted(Counter(throw).items()) if number == 2]
    return tuple(found)


def attempted(state: State, event: Attempted) -> State:
    """The attempt is declared; another choice from the same throw takes it back."""
    what, dice = event.what, tuple(sorted(event.dice))
    if what not in ("straight", "triple"):
        raise InvalidMove(f'An attempt is made at a "straight" or a "triple", not {what!r}.')
    offered = [trying.dice for trying in possible(state) if trying.what == what]
    if not offered:
        raise IllegalMove(
            say("No attempt at a straight can be made now.")
            if what == "straight"
            else say("No attempt at a triple can be made now.")
        )
    if what == "triple" and dice not in offered:
        pairs = either([dice_text(pair) for pair in offered])
        raise IllegalMove(say("For an attempt at a triple keep a pair: {pairs}.", pairs=pairs))
    if what == "straight" and not (dice and len(set(dice)) == len(dice) and set(dice) <= set(offered[0])):
        dice_offered = dice_text(offered[0])
        raise IllegalMove(say("For an attempt at a straight keep different dice out of {dice}.", dice=dice_offered))
    last = Last(state.player, "attempted", state.points, dice)
    return replace(state, declared=Trying(what, dice), aside=None, left=None, last=last)


def completing(state: State, attempt: Trying, throw: tuple[int, ...]) -> tuple[Option, ...]:
    """The set-asides of `throw` that complete the attempt, smallest first: together with the dice kept they score as
    one throw, and the straight or the triple is in it. None is a miss, whatever else scores."""
    found = []
    for dice in _choices(throw):
        every = tuple(sorted((*attempt.dice, *dice)))
        completed = set(every) == FULL if attempt.what == "straight" else attempt.dice[0] in dice
        score = state.scorer.best(every) if completed else 0
        if score > 0:
            found.append(Option(dice, score))
    return tuple(sorted(found, key=lambda option: (option.size, option.dice)))


def _choices(throw: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every choice of these dice but none."""
    counts = product(*(range(number + 1) for number in counted(throw)))
    next(counts)
    for each in counts:
        ones, twos, threes, fours, fives, sixes = each
        yield listed((ones, twos, threes, fours, fives, sixes))
