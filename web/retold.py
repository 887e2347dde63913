"""A story in words, as JSON and as CSV."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rules.best_play.findings import Luck, Swing
from rules.best_play.of_two import left_out
from rules.codec import to_json
from rules.events import Started
from rules.house import parse
from rules.retelling import Threw, ToldTurn
from speech.dates import minute
from speech.sentence import joined, listed, say, say_many
from web import rows
from web.records import GameCard, PlayerTally, Story
from web.said import number

Json = dict[str, Any]
COLUMNS = ("turn", "player", "throw", "dice", "coloured", "source", "set_aside", "points", "ending", "made", "score")
MINUS = "\N{MINUS SIGN}"
ENDINGS = {
    "": "goes on",
    "banked": "banked",
    "farkle": "farkle",
    "four-twos": "four 2s",
    "went-over": "over the target",
    "won": "won",
    "ended": "stopped",
}


def card(found: GameCard) -> Json:
    return {
        "id": found.id,
        "began": found.began,
        "moved": found.moved or None,
        "rules": found.rules or None,
        "players": [{"name": name, "score": score} for name, score in zip(found.players, found.scores, strict=True)],
        "status": found.status,
        "winners": list(found.winners),
        "turns": found.turns,
        "throws": found.throws,
        "archived": found.archived,
        "current": found.current,
        "trouble": found.trouble or None,
    }


def tally(found: PlayerTally) -> Json:
    each = found.tally
    return {
        "name": found.name,
        "games": each.games,
        "wins": each.wins,
        "turns": each.turns,
        "average": each.average,
        "best": each.best,
        "farkles": each.farkles,
        "farkles_in_a_row": each.row,
    }


def story(found: Story) -> Json:
    reckoning = found.reckoning
    return card(found.card) | {
        "told": [_turn(turn) for turn in found.turns],
        "luck": [] if reckoning is None else [_luck(luck) for luck in reckoning.players],
        "turns_without_luck": 0 if reckoning is None else reckoning.left,
        "decided": None if reckoning is None or reckoning.decided is None else _swing(reckoning.decided),
        "moves": moves(found),
    }


def _turn(turn: ToldTurn) -> Json:
    return {
        "turn": turn.number,
        "player": turn.player,
        "throws": [_threw(throw) for throw in turn.throws],
        "ending": turn.ending or None,
        "points": turn.points,
        "scores": list(turn.scores),
    }


def _threw(throw: Threw) -> Json:
    found: Json = {
        "throw": throw.number,
        "values": list(throw.values),
        "source": throw.source,
        "kept": list(throw.kept),
        "points": throw.points,
    }
    return found if throw.coloured is None else found | {"coloured": throw.coloured}


def _luck(luck: Luck) -> Json:
    return {
        "turns": luck.turns,
        "expected": round(luck.expected, 1),
        "made": luck.made,
        "dice": round(luck.dice, 1),
        "given": round(luck.given, 1),
    }


def _swing(swing: Swing) -> Json:
    return {"throw": swing.number, "player": swing.player, "before": swing.before, "after": swing.after}


def moves(found: Story) -> list[Any]:
    """An event each, or a list of events that stand or fall together: what `stickman play` folds."""
    events = [[to_json(event) for event in move] for move in found.moves]
    return [move[0] if len(move) == 1 else move for move in events]


def as_csv(found: Story) -> str:
    """A line a throw."""
    return rows.as_csv(COLUMNS, (_row(found, turn, throw) for turn in found.turns for throw in turn.throws))


def _row(found: Story, turn: ToldTurn, throw: Threw) -> tuple[object, ...]:
    ends = throw is turn.throws[-1]
    return (
        turn.number,
        found.card.players[turn.player],
        throw.number,
        _listed(throw.values),
        throw.coloured,
        throw.source,
        _listed(throw.kept),
        throw.points,
        ENDINGS.get(turn.ending, turn.ending) if ends else "",
        turn.points if ends else "",
        turn.scores[turn.player] if ends else "",
    )


def _listed(dice: Sequence[int]) -> str:
    return " ".join(str(die) for die in dice)


# In words.


def when(text: str) -> str:
    """Wall time as the people at this tray write it; as it is when it is none."""
    try:
        at = datetime.fromisoformat(text).astimezone()
    except ValueError:
        return text
    return minute(at)


def clock() -> str:
    return f"{datetime.now().astimezone():%H:%M:%S}"


def result(found: GameCard) -> str:
    if found.trouble:
        return found.trouble
    if found.status != "over":
        turns = number(found.turns)
        if found.status == "final-round":
            return say("After {turns} turns, in the final round.", turns=turns)
        return say("After {turns} turns.", turns=turns)
    if not found.winners:
        return say("Stopped without a winner.")
    winners = [found.players[index] for index in found.winners]
    return say_many("{names} won.", "{names} have won.", len(winners), names=listed(winners))


def signed(points: float) -> str:
    whole = round(points)
    return f"+{number(whole)}" if whole > 0 else f"{MINUS}{number(-whole)}" if whole < 0 else "0"


def ending(turn: ToldTurn) -> str:
    """How a turn ended."""
    match turn.ending:
        case "farkle":
            lost = say("{points} lost", points=number(turn.lost))
            penalty = say("{points} penalty", points=number(-turn.points))
            what = [say("Farkle"), *([lost] if turn.lost else []), *([penalty] if turn.points < 0 else [])]
            return say("{what}.", what=joined(what, ", "))
        case "banked":
            return say("Banked {points}.", points=number(turn.points))
        case "won" if turn.points > 0:
            return say("Banked {points} and won.", points=number(turn.points))
        case "won":
            return say("The game is over.")
        case "four-twos":
            return say("Four 2s: all points are lost.")
        case "went-over":
            return say("Went over the target.")
        case "ended":
            return say("The game was stopped here.")
    return say("Being played.")


def lucks(found: Story) -> list[Json]:
    """For each player that has finished a turn: `name`, `dice` as a signed number, and `text`, the whole sum."""
    reckoning = found.reckoning
    if reckoning is None:
        return []
    return [
        {"name": name, "dice": signed(luck.dice), "text": _sum(luck)}
        for name, luck in zip(found.card.players, reckoning.players, strict=True)
        if luck.turns
    ]


def _sum(luck: Luck) -> str:
    numbers = {
        "dice": number(abs(round(luck.dice))),
        "given": number(round(luck.given)),
        "made": number(round(luck.made)),
    }
    expected = say_many(
        "Best play makes {points} of 1 turn on average.",
        "Best play makes {points} of {count} turns on average.",
        luck.turns,
        points=number(round(luck.expected)),
    )
    if luck.dice >= 0:
        became = say(
            "The dice brought {dice} more, other choices than the best gave {given} away: {made} made.", **numbers
        )
    else:
        became = say(
            "The dice brought {dice} less, other choices than the best gave {given} away: {made} made.", **numbers
        )
    return joined([expected, became])


def decided(found: Story) -> str:
    """Which throw decided the game, or why nobody can say."""
    reckoning = found.reckoning
    if reckoning is None or not found.turns:
        return ""
    swing = reckoning.decided
    if swing is None:
        return why_not(found)
    name = found.card.players[swing.player]
    throw = next(throw for turn in found.turns for throw in turn.throws if throw.number == swing.number)
    return say(
        "Throw {number} weighed most: with {dice} the chance that {name} wins went from {before} to {after}.",
        number=swing.number,
        dice=_listed(throw.values),
        name=name,
        before=_percent(swing.before),
        after=_percent(swing.after),
    )


def why_not(found: Story) -> str:
    sides = len(found.board.teams or found.board.players) if found.board else 0
    if sides > 2:
        return say("Which throw decided it is worked out for two sides only: there the chance to win is exact.")
    started = found.moves[0][0]
    missing = left_out(parse(started.rules)) if isinstance(started, Started) else ()
    if missing:
        return joined(missing)
    return say("The chance to win is not worked out for these rules yet: look again in a minute or two.")


def turn_of(found: Story) -> int | None:
    """The number of the turn that decided the game; None when that is not known."""
    reckoning = found.reckoning
    if reckoning is None or reckoning.decided is None:
        return None
    swing = reckoning.decided
    return next(turn.number for turn in found.turns for throw in turn.throws if throw.number == swing.number)


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}\N{NO-BREAK SPACE}%"
