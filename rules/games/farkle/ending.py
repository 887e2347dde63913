"""How a turn passes on and how a game ends: target, final round, ties, playoff, roll-off."""

from dataclasses import replace

from rules.game import Last, Offer
from rules.games.farkle import seats
from rules.games.farkle.state import Left, State


def after_bank(state: State, last: Last, left: Left | None) -> State:
    """The banked points are counted. `left`: what the next player may take over."""
    win, score = state.options.win, state.side.score
    if win.rule == "exact":
        if score != win.target:
            return passed_on(state, last, left)
        if win.roll_off and not state.hot:
            return _to_be_rolled_off(state, last)
        return won(state, state.player)
    if state.leader is not None:
        beaten = score > state.sides[state.side_of(state.leader)].score
        return passed_on(replace(state, leader=state.player) if beaten else state, last, left)
    if not _reached(state, score):
        return passed_on(state, last, left)
    if not win.final_round:
        return won(state, state.player)
    return passed_on(replace(state, leader=state.player, until=state.player), last, left)


def passed_on(state: State, last: Last, left: Left | None = None) -> State:
    """The next player's turn, or the end of the round that was the last."""
    if state.roll_off is not None:
        return won(state, state.roll_off.player)
    player = seats.following(state)
    fresh = _fresh_turn(state, player, last, left)
    return _settled(fresh) if player == state.until else fresh


def won(state: State, player: int, sides: tuple[int, ...] = ()) -> State:
    """`sides`: all that have won, when it is not only the player's."""
    score = state.sides[state.side_of(player)].score
    fresh = _fresh_turn(state, player, Last(player, "won", score), None)
    return replace(fresh, leader=player, over=True, won=sides or (state.side_of(player),), roll_off=None)


def ended(state: State) -> State:
    """Stopped before anybody has won. Who declines to roll off the score lets the winner have it."""
    if state.roll_off is not None:
        return won(state, state.roll_off.player)
    return replace(state, over=True, leader=None, last=None)


def rolled_off(state: State) -> State:
    """The throw of the dice that the winner left has scored: his last turn does not count, and the turn goes on."""
    offer = state.roll_off
    if offer is None:
        return state
    index = state.side_of(offer.player)
    winner = state.sides[index]
    last = Last(state.player, "rolled-off", offer.points, state.thrown or ())
    state = state.with_side(index, replace(winner, score=winner.score - offer.points))
    return replace(state, roll_off=None, leader=None, last=last)


def _to_be_rolled_off(state: State, last: Last) -> State:
    """The target is hit, but dice are left: the next player may throw them once."""
    offer = Offer(state.player, last.points, state.dice_left, state.coloured_due)
    fresh = _fresh_turn(state, seats.following(state), last, None)
    return replace(
        fresh, roll_off=offer, leader=state.player, taken=state.on_rail, coloured_aside=state.coloured_set_aside
    )


def _fresh_turn(state: State, player: int, last: Last, left: Left | None) -> State:
    return State(
        state.options,
        state.players,
        state.sides,
        player,
        throws=state.throws,
        left=left,
        roll_off=state.roll_off,
        leader=state.leader,
        until=state.until,
        playoff=state.playoff,
        last=last,
    )


def _reached(state: State, score: int) -> bool:
    win = state.options.win
    return score > win.target if win.rule == "over" else score >= win.target


def _settled(state: State) -> State:
    """After the last round the highest score wins; the rules say what a tie means."""
    sides = state.playoff or tuple(range(len(state.sides)))
    best = max(state.sides[side].score for side in sides)
    if not state.playoff and not _reached(state, best):
        # A penalty has taken the leaders' team below the target: nobody has won yet.
        return replace(state, leader=None, until=None)
    tied = tuple(side for side in sides if state.sides[side].score == best)
    leader = _first_of(state, tied)
    tie = state.options.win.tie
    if len(tied) > 1 and tie == "playoff":
        return _played_off(replace(state, leader=leader, playoff=tied))
    return won(state, leader, tied if tie == "shared" else ())


def _first_of(state: State, sides: tuple[int, ...]) -> int:
    """The leader if he is one of these sides, else the first of them to play."""
    if state.leader is not None and state.side_of(state.leader) in sides:
        return state.leader
    if state.side_of(state.player) in sides:
        return state.player
    return seats.following(replace(state, playoff=sides))


def _played_off(state: State) -> State:
    """One more turn for each player of the sides that are tied."""
    if state.side_of(state.player) not in state.playoff:
        state = replace(state, player=seats.following(state))
    return replace(state, until=state.player, left=None)
