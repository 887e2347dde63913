"""Compares what lies in the tray with what the game expects. Pure: a ruling in, nothing changed.

The one place where pictures meet rules: vision tells what lies there, rules tell what may be played.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rules.events import Banked, Event, Kept, Thrown
from rules.game import Option, Scoreboard, Turn
from vision.happening import Happening
from vision.seen import Doubt, SeenDie

Aside = Literal["rail", "outside", "phone"]
NUMBER = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class Ruling:
    """`events`: one move to play, empty when there is nothing to play. `notes`: what was assumed or refused, as
    sentences. `refused`: the players did something that does not score. `doubts`, `proposed`: a question to them."""

    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = ()
    refused: bool = False
    doubts: tuple[Doubt, ...] = ()
    proposed: tuple[int | None, ...] = ()


NOTHING = Ruling()


def judge_throw(happening: Happening, board: Scoreboard) -> Ruling:
    """What a settled throw means in the game. `happening.kind` is "settled"."""
    turn, values = board.turn, happening.values
    if turn is None:
        return NOTHING
    stayed = tuple(sorted((Counter(tray_values(happening.dice)) - Counter(values)).elements()))
    return (
        (_with_those_that_stayed(values, stayed, board, turn) if stayed else None)
        or play_throw(values, board)
        or ask_count(values, happening.thrown, turn)
    )


def _with_those_that_stayed(
    values: tuple[int, ...], stayed: tuple[int, ...], board: Scoreboard, turn: Turn
) -> Ruling | None:
    """When dice in the tray lie as before the throw: they were set aside right there if they score, or they are part
    of a throw of all dice and came to lie where one lay before. None when neither is what the game expects."""
    waits = turn.throw is not None and not turn.aside
    if waits and any(option.dice == stayed for option in turn.options):
        name = board.players[turn.player].name
        note = f"{name} left {spoken(stayed)} aside in the tray: change it here if that is not so."
        return Ruling((Kept(stayed), Thrown(values)), (note,)) if _fits(turn, stayed, values) else None
    every = tuple(sorted((*values, *stayed)))
    if len(every) != (board.dice if waits else turn.dice_left):
        return None
    ruling = play_throw(every, board)
    note = f"{spoken(stayed)} came to lie where it lay before, and is counted."
    return Ruling(ruling.events, (*ruling.notes, note)) if ruling else None


def _fits(turn: Turn, stayed: tuple[int, ...], values: tuple[int, ...]) -> bool:
    return len(turn.throw or ()) == len(stayed) + len(values)


def play_throw(values: tuple[int, ...], board: Scoreboard) -> Ruling | None:
    """The move that makes `values` the next throw, what players did without saying so included. None when no legal
    reading of what happened has a throw of that many dice."""
    turn, count = board.turn, len(values)
    if turn is None:
        return None
    thrown = Thrown(values)
    name = board.players[turn.player].name
    if turn.throw is None or turn.aside:
        if count == turn.dice_left and turn.may_throw:
            return Ruling((thrown,))
    else:
        option = best_of_size(turn.options, len(turn.throw) - count if count < board.dice else len(turn.throw))
        if option is not None and (count < len(turn.throw) or hot(turn, option, board)):
            note = f"{name} set {spoken(option.dice)} aside for {option.score}: change it here if that is not so."
            return Ruling((Kept(option.dice), thrown), (note,))
    if count == board.dice and turn.may_bank:
        following = board.players[(turn.player + 1) % len(board.players)].name
        note = f"All dice were thrown again, so {name} has banked and {following} throws: undo if that is not so."
        return Ruling((Banked(), thrown), (note,))
    return None


def ask_count(values: tuple[int, ...], dice: tuple[SeenDie, ...], turn: Turn) -> Ruling:
    """The question for a throw of a number of dice that the game does not expect."""
    seen, due = len(values), turn.dice_left
    x = sum(die.x for die in dice) / len(dice) if dice else 0.0
    y = sum(die.y for die in dice) / len(dice) if dice else 0.0
    if turn.throw is not None and not turn.aside:
        text = f"{_dice(seen)} thrown, but nothing was set aside: which dice of {spoken(turn.throw)} score?"
    elif seen < due:
        text = f"{_dice(seen)} seen, {NUMBER[due]} expected: is one off the tray? Throw again or enter the throw."
    else:
        text = f"{_dice(seen)} seen, {NUMBER[due]} expected: take the others out, or enter the throw."
    return Ruling(doubts=(Doubt("count", x, y, text),), proposed=values)


def judge_unsure(happening: Happening) -> Ruling:
    """The question for a throw that could not be read: `happening.kind` is "unsure" and it has a `roll`."""
    proposed = tuple(die.value if die.counts else None for die in happening.thrown if die.zone == "tray")
    return Ruling(doubts=happening.doubts, proposed=proposed)


def judge_found(happening: Happening, board: Scoreboard) -> Ruling:
    """Dice that lay in the tray when the eye opened: no throw, but a throw may have been lost with the power."""
    turn, values = board.turn, happening.values
    if turn is None or turn.throw is not None or len(values) != turn.dice_left or happening.doubts:
        return NOTHING
    if board.last is not None and board.last.throw == values:
        return NOTHING
    die = happening.dice[0]
    name = board.players[turn.player].name
    text = f"{spoken(values)} lay in the tray when the eye opened: enter it if it is {name}'s throw."
    return Ruling(doubts=(Doubt("found", die.x, die.y, text),), proposed=values)


def judge_rail(happening: Happening, board: Scoreboard, before: Counter[int]) -> Ruling:
    """Dice moved at rest: what was set aside on the rail. `before`: values on the rail when the throw was read."""
    turn = board.turn
    if turn is None or turn.throw is None:
        return NOTHING
    aside = rail_values(happening.dice) - before
    dice = tuple(sorted(aside.elements()))
    if not dice or dice == turn.aside:
        return NOTHING
    if any(option.dice == dice for option in turn.options):
        return Ruling((Kept(dice),))
    return Ruling(notes=(why_not(dice, turn),), refused=True)


def why_not(dice: tuple[int, ...], turn: Turn) -> str:
    """Why these dice may not be set aside, in one sentence with the cure."""
    foreign = Counter(dice) - Counter(turn.throw or ())
    if foreign:
        return f"{spoken(foreign.elements())} is not in this throw: put it back."
    for die in sorted(set(dice)):
        rest = list(dice)
        rest.remove(die)
        if any(option.dice == tuple(rest) for option in turn.options):
            return f"The {die} does not score: put it back in the tray."
    return f"{spoken(dice)} do not all score: put the ones that don't back in the tray."


def best_of_size(options: Iterable[Option], size: int) -> Option | None:
    return max((option for option in options if len(option.dice) == size), key=lambda o: o.score, default=None)


def hot(turn: Turn, option: Option, board: Scoreboard) -> bool:
    """Does this choice put the last of the dice on the rail?"""
    return len(turn.kept) + len(option.dice) == board.dice


def tray_values(dice: Iterable[SeenDie]) -> tuple[int, ...]:
    return tuple(sorted(die.value for die in dice if die.counts and die.zone == "tray" and die.value is not None))


def rail_values(dice: Iterable[SeenDie]) -> Counter[int]:
    return Counter(die.value for die in dice if die.zone == "rail" and die.value is not None)


def spoken(dice: Iterable[int]) -> str:
    return "-".join(str(die) for die in sorted(dice))


def _dice(count: int) -> str:
    word = NUMBER[count].capitalize() if count < len(NUMBER) else str(count)
    return f"{word} die" if count == 1 else f"{word} dice"
