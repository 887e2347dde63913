"""A throw of long ago that was really another one: what then becomes of everything that was played after it.

What the players did stays as far as it can be. Where it cannot, the least is changed that lets the later throws stand:
other dice are set aside from that throw, as many as then lay on the rail; or the turn ends there, with its points or
with the farkle that it was. Throws that come after a game is won no longer count.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rules.errors import IllegalMove, RulesError
from rules.events import Attempted, Banked, Corrected, Event, Kept, Started, Taken, Thrown
from rules.fold import folded, game_of
from rules.game import Scoreboard, Turn
from rules.wording import dice_text
from speech.sentence import say

Facts = tuple[Event, ...]


def corrected(started: Started, facts: Facts, event: Corrected) -> Facts:
    """`facts` with the throw that `event` names as it really was. Raises `IllegalMove`, naming the later fact that
    stands in the way, or the error of the throw itself."""
    places = [place for place, fact in enumerate(facts) if isinstance(fact, Thrown)]
    if not 1 <= event.throw <= len(places):
        raise IllegalMove(say("There is no throw {throw} in this game to correct.", throw=event.throw))
    place = places[event.throw - 1]
    end = _end_of_turn(started, facts, place)
    within, beyond = facts[place + 1 : end], facts[end:]
    if event.throw == len(places):
        # The choice was made among other dice.
        within = tuple(fact for fact in within if not isinstance(fact, Kept | Attempted))
    game = game_of(started)
    thrower = _turn(game.board(folded(started, facts[:place]))).player
    before = (*facts[:place], _thrown(facts[place], event))
    state = folded(started, before)
    refusal: IllegalMove | None = None
    for way in _ways(game.board(state), thrower, within, bool(beyond)):
        try:
            return (*before, *_legal(started, state, (*way, *beyond), event))
        except IllegalMove as wrong:
            refusal = refusal or wrong
    assert refusal is not None
    raise refusal


def _thrown(was: Event, event: Corrected) -> Thrown:
    coloured = event.coloured
    if coloured is None and isinstance(was, Thrown) and was.coloured in event.values:
        coloured = was.coloured
    return Thrown(tuple(sorted(event.values)), "hand", coloured)


def _end_of_turn(started: Started, facts: Facts, place: int) -> int:
    """Where the facts of the turn end that holds the throw at `place`."""
    game = game_of(started)
    state = folded(started, facts[:place])
    thrower = _turn(game.board(state)).player
    for end in range(place, len(facts)):
        turn = game.board(state).turn
        if turn is None or turn.player != thrower:
            return end
        state = game.play(state, facts[end])
    return len(facts)


def _ways(board: Scoreboard, thrower: int, within: Facts, goes_on: bool) -> Iterator[Facts]:
    """What may have been played in that turn after the throw, the likeliest first. `board`: just after it. `goes_on`:
    somebody has played after that turn."""
    yield within
    turn = board.turn
    if turn is None or turn.player != thrower:
        yield ()
        return
    first = next((at for at, fact in enumerate(within) if isinstance(fact, Thrown | Banked)), len(within))
    nearest = _nearest(turn, within[:first])
    if nearest is not None:
        yield (nearest, *within[first:])
    thrown_on = any(isinstance(fact, Thrown) for fact in within)
    if not goes_on:
        yield ()
    elif not thrown_on or any(isinstance(fact, Banked) for fact in within):
        yield (Banked(),)


def _nearest(turn: Turn, choice: Sequence[Event]) -> Kept | None:
    """As many dice as were set aside, the same as far as they score."""
    kept = next((fact for fact in reversed(choice) if isinstance(fact, Kept)), None)
    if kept is None:
        return None
    size = len(kept.dice) + bool(kept.with_coloured)
    found = [option for option in turn.options if option.size == size]
    if not found:
        return None
    dice = Counter(kept.dice)
    best = max(found, key=lambda option: ((Counter(option.dice) & dice).total(), option.score))
    return Kept(best.dice, best.with_coloured)


def _legal(started: Started, state: Any, facts: Facts, event: Corrected) -> Facts:
    """As many of `facts` as are played before the game is won. Raises `IllegalMove` when one cannot be played."""
    game = game_of(started)
    throws = event.throw
    for at, fact in enumerate(facts):
        throws += isinstance(fact, Thrown)
        try:
            state = game.play(state, fact)
        except RulesError as wrong:
            if game.board(state).turn is None:
                return facts[:at]
            raise IllegalMove(_in_the_way(event, fact, throws)) from wrong
    return facts


def _in_the_way(event: Corrected, fact: Event, throws: int) -> str:
    match fact:
        case Thrown():
            later = say("throw {throw}", throw=throws)
        case Kept(dice=dice):
            later = say("setting aside {dice} from throw {throw}", dice=dice_text(dice), throw=throws)
        case Attempted(what="straight"):
            later = say("the attempt at a straight after throw {throw}", throw=throws)
        case Attempted():
            later = say("the attempt at a triple after throw {throw}", throw=throws)
        case Taken():
            later = say("taking over dice after throw {throw}", throw=throws)
        case _:
            later = say("banking after throw {throw}", throw=throws)
    return say(
        "Throw {throw} cannot become {values}: {later} would not have been possible; undo that first.",
        throw=event.throw,
        values=dice_text(tuple(sorted(event.values))),
        later=later,
    )


def _turn(board: Scoreboard) -> Turn:
    """Of a board on which somebody is to move."""
    assert board.turn is not None
    return board.turn
