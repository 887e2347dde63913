"""Ending a turn with its points: when it is allowed, and what becomes of them."""

from dataclasses import replace

from rules.errors import IllegalMove
from rules.game import Last
from rules.games.farkle import ending, seats
from rules.games.farkle.state import Side, State
from rules.games.farkle.taking import left_by
from rules.scoring import dearest, scorer
from rules.wording import count_text, points_text
from speech.sentence import say


def banked(state: State) -> State:
    if state.throw is None:
        raise IllegalMove(say("Throw first: there is nothing to bank yet."))
    state = with_choice(state)
    refusal = why_not_bank(state)
    if refusal:
        raise IllegalMove(refusal)
    if goes_over(state):
        return _went_over(state)
    points = state.at_risk
    side = Side(state.side.score + points, on_board=True)
    last = Last(state.player, "banked", points)
    left = None if is_spent(state) else left_by(state, points)
    return ending.after_bank(state.with_own_side(side), last, left)


def with_choice(state: State) -> State:
    """With nothing set aside, the dearest option is taken."""
    if state.chosen or not state.choices:
        return state
    return replace(state, aside=dearest(state.choices))


def why_not_bank(state: State) -> str | None:
    """Why an answered throw cannot be banked; None when it can."""
    if state.declared is not None:
        return say("The attempt is declared: throw for it, or set other dice aside.")
    turn = state.options.turn
    if state.hot and turn.hot_dice == "must" and not _ends_the_turn(state):
        return say("All dice have scored: they must be thrown once more.")
    most = turn.bank_max_dice_left
    if most is not None and not state.hot and state.dice_left > most:
        return say(
            "No more than {most} may be left when you stop, and {left} are: throw on.",
            most=count_text(most),
            left=state.dice_left,
        )
    return None if _hits(state) else _too_few(state)


def _too_few(state: State) -> str | None:
    turn, points = state.options.turn, state.at_risk
    if not state.side.on_board and points < turn.entry_threshold:
        return say(
            "The first {least} must be made in one turn; {points} is too few.",
            least=points_text(turn.entry_threshold),
            points=points,
        )
    least = max(turn.minimum, turn.bank_min_score)
    if points < least:
        return say(
            "A turn must make {least} before it can be banked; {points} is too few.",
            least=points_text(least),
            points=points,
        )
    return None


def _hits(state: State) -> bool:
    """Banking hits a target that must be hit exactly. No lower limit of a turn may forbid that: who is nearer to the
    target than the limit could never win."""
    win = state.options.win
    return win.rule == "exact" and state.side.score + state.at_risk == win.target


def goes_over(state: State) -> bool:
    """Banking would pass a target that must be hit exactly."""
    win = state.options.win
    return win.rule == "exact" and state.side.score + state.at_risk > win.target


def is_spent(state: State) -> bool:
    """The throw was paid for having no score, which under these rules ends the turn. Where a limit forbids to bank,
    the dice are thrown on as hot dice: nobody is ever stuck."""
    return _ends_the_turn(state) and why_not_bank(state) is None


def _ends_the_turn(state: State) -> bool:
    score = state.options.score
    if score.nothing is None or score.nothing_hot_dice or not state.hot or state.throw is None:
        return False
    without = scorer(state.options.dice, replace(score, nothing=None))
    return state.attempt is None and not without.options(state.throw, state.held, state.coloured)


def _went_over(state: State) -> State:
    """The turn's points are lost, or go to the side that has the least."""
    to = _poorest(state) if state.options.win.overshoot == "give_to_lowest" else None
    points = state.at_risk
    last = Last(state.player, "went-over", points, to=to)
    state = state.with_own_side(replace(state.side, farkles=0))
    if to is None:
        return ending.passed_on(state, last)
    index = state.side_of(to)
    state = state.with_side(index, replace(state.sides[index], score=state.sides[index].score + points))
    if state.sides[index].score == state.options.win.target:
        return ending.won(state, to)
    return ending.passed_on(state, last)


def _poorest(state: State) -> int | None:
    """Who is given the points: the lowest other side, of two the next in order. Nobody when they would carry that
    side over the target too, from where it could never win."""
    others = []
    step = replace(state, playoff=())
    for _ in range(len(state.players) - 1):
        step = replace(step, player=seats.following(step))
        if step.side_of(step.player) != state.side_of(state.player):
            others.append(step.player)
    lowest = min(others, key=lambda player: state.sides[state.side_of(player)].score)
    gets = state.sides[state.side_of(lowest)].score + state.at_risk
    return lowest if gets <= state.options.win.target else None
