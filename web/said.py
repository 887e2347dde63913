"""What a game's state means in words, for pages and for programs that speak: one place, so that a translation is one
more table."""

from collections.abc import Sequence
from typing import Any

from rules.game import Last, Offer, Scoreboard, Trying, Turn


def said(board: Scoreboard) -> dict[str, Any]:
    """`todo`: what the one to move does next. `last`: what just happened, "" for nothing. `final`: what the end of
    the game still waits for. `take` and `attempts`: what may be decided besides setting dice aside."""
    turn, last = board.turn, board.last
    take = None if turn is None else turn.may_take
    return {
        "todo": "" if turn is None else todo(turn, board.dice),
        "last": "" if last is None else happened(last, [player.name for player in board.players]),
        "final": final(board) if board.status == "final-round" else "",
        "take": None if take is None else taking(take, board.players[take.player].name),
        "attempts": [] if turn is None else [attempt(trying) for trying in turn.may_attempt],
    }


def number(points: int) -> str:
    """Thousands apart by a thin space at which no line breaks."""
    return f"{points:,}".replace(",", "\u202f")


def dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def names(players: Sequence[str]) -> str:
    return " and ".join([", ".join(players[:-1]), players[-1]]) if len(players) > 1 else "".join(players)


def todo(turn: Turn, full: int) -> str:
    """`full`: dice of a full throw."""
    bank = ", or bank" if turn.may_bank else ""
    if turn.roll_off is not None:
        return f"Throw the {turn.dice_left} left over: if one scores, the win is off."
    if turn.throw is None and turn.carried:
        return f"Throw {turn.dice_left}; one that scores brings {number(turn.carried)} more."
    if not turn.dice_left:
        return "The turn ends here: bank."
    if turn.throw is not None and not turn.aside:
        return "Set aside a die that scores."
    if not turn.kept and not turn.score:
        return f"Throw all {turn.dice_left} dice."
    return f"Hot dice! Throw all {full}{bank}." if turn.dice_left == full else f"Throw {dice(turn.dice_left)}{bank}."


def happened(last: Last, players: Sequence[str]) -> str:
    name, points = players[last.player], number(abs(last.points))
    thrown = f"{name} threw{''.join(f' {value}' for value in last.throw)}{':' if last.throw else ''}"
    kept = " ".join(str(value) for value in last.throw)
    gone = "lost" if last.to is None else f"for {players[last.to]}"
    penalty = f" The third in a row costs {number(last.penalty)}." if last.penalty else ""
    return {
        "farkle": f"{thrown} farkle, {points} lost.{penalty}",
        "four-twos": f"{thrown} four 2s, and all {points} are lost.",
        "went-over": f"{name} went over the target: {points} {gone}.",
        "taken": f"{name} goes on for {points}.",
        "attempted": f"{name} keeps {kept} and tries.",
        "rolled-off": f"{thrown} the win is rolled off, {points} taken back.",
        "banked": f"{name} banked {number(last.points)}.",
        "hot-dice": f"Hot dice for {name}!",
        "corrected": f"A throw of {name}'s was corrected.",
        "won": f"{name} won.",
    }[last.what]


def final(board: Scoreboard) -> str:
    if board.turn is not None and board.turn.roll_off is not None and board.leader is not None:
        return f"{board.players[board.leader].name} has won, unless one of the dice left over scores now."
    if board.playoff:
        return f"A tie: {names([board.players[index].name for index in board.playoff])} throw on."
    return "Final round: everyone else has one more turn."


def taking(offer: Offer, name: str) -> str:
    return f"Go on with {name}'s {dice(offer.dice)} for {number(offer.points)}"


def attempt(trying: Trying) -> str:
    goal = "three of a kind" if trying.what == "triple" else "the straight"
    return f"Keep {' '.join(str(value) for value in trying.dice)} and try for {goal}"
