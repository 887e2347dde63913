"""Piggybacking: the dice that the player before left, thrown for his points and one's own."""

from dataclasses import replace

from rules.errors import IllegalMove
from rules.game import Last, Offer
from rules.games.farkle.state import Left, State
from speech.sentence import say


def left_by(state: State, points: int) -> Left | None:
    """What a bank of `points` leaves to the next player: the dice that were not set aside, or all of them after hot
    dice. The points are those just banked, or the flat value."""
    turn = state.options.turn
    if turn.piggyback == "off":
        return None
    worth = points if turn.piggyback == "full" else turn.piggyback_flat
    offer = Offer(state.player, worth, state.dice_left, state.coloured_due)
    return Left(offer) if state.hot else Left(offer, state.on_rail, state.coloured_set_aside)


def offered(state: State) -> Offer | None:
    """What the player to move may take over now. It is decided before the first throw. When all dice were left,
    taking them over and starting anew look the same, so it may also be said after that throw - unless the target must
    be hit exactly, where knowing the throw would help."""
    if state.left is None or (state.options.turn.piggyback_needs_board and not state.side.on_board):
        return None
    late = state.left.offer.dice == state.count and state.options.win.rule != "exact"
    return state.left.offer if state.throw is None or late else None


def taken(state: State) -> State:
    offer, left = offered(state), state.left
    if offer is None or left is None:
        raise IllegalMove(_why_not(state))
    last = Last(state.player, "taken", offer.points)
    rail = left.rail
    return replace(state, carried=offer.points, taken=rail, coloured_aside=left.coloured_aside, left=None, last=last)


def _why_not(state: State) -> str:
    if state.options.turn.piggyback == "off":
        return say("These rules let nobody take over the dice of the player before.")
    if state.left is None:
        return say("There are no dice to take over now.")
    if state.throw is not None:
        return say("The turn was begun with all dice; undo the throw to take over those that were left.")
    return say("Only a player on the board may take over the dice of the player before.")
