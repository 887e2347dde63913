"""What a game's state means in words, for pages and for programs that speak."""

from collections.abc import Sequence
from typing import Any

from rules.game import Last, Offer, Scoreboard, Trying, Turn
from rules.wording import count_text
from speech.sentence import Sentence, listed, say
from web.view import Disputed


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


def todo(turn: Turn, full: int) -> Sentence:
    """`full`: dice of a full throw."""
    dice = count_text(turn.dice_left)
    if turn.roll_off is not None:
        return say("Throw the {count} left over: if one scores, the win is off.", count=turn.dice_left)
    if turn.throw is None and turn.carried:
        return say(
            "Throw {count}; one that scores brings {points} more.", count=turn.dice_left, points=number(turn.carried)
        )
    if not turn.dice_left:
        return say("The turn ends here: bank.")
    if turn.throw is not None and not turn.aside:
        return say("Set aside a die that scores.")
    if not turn.kept and not turn.score:
        return say("Throw all {count} dice.", count=turn.dice_left)
    if turn.dice_left == full:
        if turn.may_bank:
            return say("Hot dice! Throw all {count}, or bank.", count=full)
        return say("Hot dice! Throw all {count}.", count=full)
    return say("Throw {dice}, or bank.", dice=dice) if turn.may_bank else say("Throw {dice}.", dice=dice)


def happened(last: Last, players: Sequence[str]) -> Sentence:
    name, points = players[last.player], number(abs(last.points))
    dice = " ".join(str(value) for value in last.throw)
    match last.what:
        case "farkle" if last.penalty:
            return say(
                "{name} threw {dice}: farkle, {points} lost. The third in a row costs {penalty}.",
                name=name,
                dice=dice,
                points=points,
                penalty=number(last.penalty),
            )
        case "farkle":
            return say("{name} threw {dice}: farkle, {points} lost.", name=name, dice=dice, points=points)
        case "four-twos":
            return say("{name} threw {dice}: four 2s, and all {points} are lost.", name=name, dice=dice, points=points)
        case "went-over":
            if last.to is None:
                return say("{name} went over the target: {points} lost.", name=name, points=points)
            other = players[last.to]
            return say("{name} went over the target: {points} for {other}.", name=name, points=points, other=other)
        case "taken":
            return say("{name} goes on for {points}.", name=name, points=points)
        case "attempted":
            return say("{name} keeps {dice} and tries.", name=name, dice=dice)
        case "rolled-off":
            return say(
                "{name} threw {dice}: the win is rolled off, {points} taken back.", name=name, dice=dice, points=points
            )
        case "banked":
            return say("{name} banked {points}.", name=name, points=number(last.points))
        case "hot-dice":
            return say("Hot dice for {name}!", name=name)
        case "corrected":
            return say("A throw of {name}'s was corrected.", name=name)
    return say("{name} won.", name=name)


def final(board: Scoreboard) -> Sentence:
    if board.turn is not None and board.turn.roll_off is not None and board.leader is not None:
        name = board.players[board.leader].name
        return say("{name} has won, unless one of the dice left over scores now.", name=name)
    if board.playoff:
        return say("A tie: {names} throw on.", names=listed([board.players[index].name for index in board.playoff]))
    return say("Final round: everyone else has one more turn.")


def taking(offer: Offer, name: str) -> Sentence:
    dice, points = count_text(offer.dice), number(offer.points)
    return say("Go on with {name}'s {dice} for {points}", name=name, dice=dice, points=points)


def attempt(trying: Trying) -> Sentence:
    dice = " ".join(str(value) for value in trying.dice)
    if trying.what == "triple":
        return say("Keep {dice} and try for three of a kind", dice=dice)
    return say("Keep {dice} and try for the straight", dice=dice)


def asks_to_look(disputed: Disputed) -> Sentence:
    return say("{name} asks everybody to look at throw {throw} again.", name=disputed.by, throw=disputed.throw)
