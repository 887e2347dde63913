"""Compares what lies in the tray with what the game expects. Pure: a ruling in, nothing changed.

The one place where pictures meet rules: vision tells what lies there, rules tell what may be played.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from firmware.wild_die import Sighting
from rules.events import Banked, Event, Kept, Taken, Thrown
from rules.game import Option, Scoreboard, Turn
from rules.wording import FIRST, NUMBER
from speech.colours import colour
from speech.sentence import Sentence, say, say_many
from vision.happening import Happening
from vision.seen import Doubt, SeenDie

Aside = Literal["rail", "outside", "phone"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """`events`: one move to play, empty when there is nothing to play. `notes`: what was assumed or refused, as
    sentences. `refused`: the players did something that does not score. `doubts`, `proposed`: a question to them.
    `counts`: the move puts the throw that lies there into the game."""

    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = ()
    refused: bool = False
    doubts: tuple[Doubt, ...] = ()
    proposed: tuple[int | None, ...] = ()
    counts: bool = False


NOTHING = Ruling()
NO_SIGHT = Sighting(True)


def judge_throw(happening: Happening, board: Scoreboard, wild: Sighting = NO_SIGHT) -> Ruling:
    """What a settled throw means in the game. `happening.kind` is "settled". `wild`: where the coloured die lies, in
    rules that have one."""
    turn, values = board.turn, happening.values
    if turn is None:
        return NOTHING
    stayed = tuple(sorted((Counter(tray_values(happening.dice)) - Counter(values)).elements()))
    coloured = wild.die.value if wild.die is not None and wild.die in happening.thrown else None
    ruling = (_with_those_that_stayed(values, stayed, board, turn, coloured, wild) if stayed else None) or play_throw(
        values, board, coloured
    )
    if board.wild_colour is not None and values:
        unknown = not wild.sure and (turn.coloured_due or turn.coloured is not None)
        missing = ruling is None and coloured is None and play_throw(values, board, values[0]) is not None
        if unknown or missing:
            return ask_colour(values, happening.thrown, board)
    return ruling or ask_count(values, happening.thrown, board, turn)


def _with_those_that_stayed(
    values: tuple[int, ...],
    stayed: tuple[int, ...],
    board: Scoreboard,
    turn: Turn,
    coloured: int | None,
    wild: Sighting,
) -> Ruling | None:
    """When dice in the tray lie as before the throw: they were set aside right there if they score, or they are part
    of a throw of all dice and came to lie where one lay before. None when neither is what the game expects."""
    waits = turn.throw is not None and not turn.aside
    option = option_of(turn, stayed, coloured is None) if waits else None
    if option is not None:
        name = board.players[turn.player].name
        note = say(
            "{name} left {dice} aside in the tray: change it here if that is not so.", name=name, dice=spoken(stayed)
        )
        thrown = Thrown(values, coloured=coloured)
        return Ruling((_kept(option), thrown), (note,)) if _fits(turn, stayed, values) else None
    every = tuple(sorted((*values, *stayed)))
    due = board.dice if waits else turn.dice_left
    if len(every) not in (due, turn.may_take.dice if turn.may_take else due):
        return None
    lies = wild.die.value if wild.die is not None and wild.die.zone == "tray" else None
    ruling = play_throw(every, board, lies)
    note = say("{dice} came to lie where it lay before, and is counted.", dice=spoken(stayed))
    return Ruling(ruling.events, (*ruling.notes, note)) if ruling else None


def _fits(turn: Turn, stayed: tuple[int, ...], values: tuple[int, ...]) -> bool:
    return len(turn.throw or ()) == len(stayed) + len(values)


def play_throw(values: tuple[int, ...], board: Scoreboard, coloured: int | None = None) -> Ruling | None:
    """The move that makes `values` the next throw, what players did without saying so included. `coloured`: which of
    them the coloured die shows, None when it was not thrown. None when no legal reading of what happened has a throw
    of that many dice."""
    turn = board.turn
    if turn is None:
        return None
    thrown = Thrown(values, coloured=coloured)
    if turn.throw is not None and not turn.aside:
        return _set_aside(thrown, board, turn) or _all_again(thrown, board, turn)
    if len(values) == turn.dice_left and turn.may_throw:
        return Ruling((thrown,)) if _may_be(thrown, turn.coloured_due) else None
    return _taken_over(thrown, board, turn) or _all_again(thrown, board, turn)


def _may_be(thrown: Thrown, coloured_due: bool) -> bool:
    """Whether the coloured die lies among the dice, or not, as it must."""
    return coloured_due == (thrown.coloured is not None)


def _set_aside(thrown: Thrown, board: Scoreboard, turn: Turn) -> Ruling | None:
    """The dice of the open throw that are missing from the next were set aside: all of them, when all were thrown."""
    count, lay = len(thrown.values), len(turn.throw or ())
    if count == board.dice:
        option = best_of_size(turn.options, lay)
        option = option if option is not None and hot(turn, option, board) else None
    else:
        joins = thrown.coloured is None
        options = [each for each in turn.options if turn.coloured is None or each.with_coloured == joins]
        option = best_of_size(options, lay - count)
    if option is None:
        return None
    name, given = board.players[turn.player].name, spoken(option.faces(turn.coloured))
    note = say(
        "{name} set {dice} aside for {points}: change it here if that is not so.",
        name=name,
        dice=given,
        points=option.score,
    )
    return Ruling((_kept(option), thrown), (note,))


def _taken_over(thrown: Thrown, board: Scoreboard, turn: Turn) -> Ruling | None:
    """As many dice as the player before left: the turn goes on from his."""
    take = turn.may_take
    if take is None or turn.throw is not None or len(thrown.values) != take.dice or not _may_be(thrown, take.coloured):
        return None
    name, before = board.players[turn.player].name, board.players[take.player].name
    note = say_many(
        "{name} took over the one die that {before} left, for {points:,} points: undo if that is not so.",
        "{name} took over the {number} dice that {before} left, for {points:,} points: undo if that is not so.",
        take.dice,
        number=NUMBER[take.dice],
        name=name,
        before=before,
        points=take.points,
    )
    return Ruling((Taken(), thrown), (note,))


def _all_again(thrown: Thrown, board: Scoreboard, turn: Turn) -> Ruling | None:
    """All dice, when fewer were due: the turn was banked without a word."""
    due = board.wild_colour is not None
    if len(thrown.values) != board.dice or not turn.may_bank or not _may_be(thrown, due):
        return None
    name, following = board.players[turn.player].name, board.players[turn.following].name
    note = say(
        "All dice were thrown again, so {name} has banked and {following} throws: undo if that is not so.",
        name=name,
        following=following,
    )
    return Ruling((Banked(), thrown), (note,))


def _kept(option: Option) -> Kept:
    return Kept(option.dice, option.with_coloured)


def ask_count(values: tuple[int, ...], dice: tuple[SeenDie, ...], board: Scoreboard, turn: Turn) -> Ruling:
    """The question for a throw of a number of dice that the game does not expect."""
    seen, due = len(values), turn.dice_left or board.dice
    if turn.throw is not None and not turn.aside:
        text = say(
            "{dice} thrown, but nothing was set aside: which dice of {throw} score?",
            dice=_dice(seen),
            throw=spoken(turn.throw),
        )
    elif seen < due:
        text = say(
            "{dice} seen, {due} expected: is one off the tray? Throw again or enter the throw.",
            dice=_dice(seen),
            due=NUMBER[due],
        )
    else:
        text = say(
            "{dice} seen, {due} expected: take the others out, or enter the throw.",
            dice=_dice(seen),
            due=NUMBER[due],
        )
    return Ruling(doubts=(_doubt("count", dice, text),), proposed=values)


def ask_colour(values: tuple[int, ...], dice: tuple[SeenDie, ...], board: Scoreboard) -> Ruling:
    """The question for a throw in which no die, or more than one, could be the coloured one."""
    if board.wild_colour:
        name = colour(board.wild_colour)
        text = say("Which of these is the {colour} die? Say what it shows, or that it was not thrown.", colour=name)
    else:
        text = say("Which of these is the die of another colour? Say what it shows, or that it was not thrown.")
    return Ruling(doubts=(_doubt("colour", dice, text),), proposed=values)


def _doubt(kind: str, dice: tuple[SeenDie, ...], text: str) -> Doubt:
    x = sum(die.x for die in dice) / len(dice) if dice else 0.0
    y = sum(die.y for die in dice) / len(dice) if dice else 0.0
    return Doubt(kind, x, y, text)


def judge_unsure(happening: Happening) -> Ruling:
    """The question for a throw that could not be read."""
    proposed = tuple(die.value if die.counts else None for die in happening.thrown if die.zone == "tray")
    return Ruling(doubts=happening.doubts, proposed=proposed)


def judge_found(happening: Happening, board: Scoreboard, wild: Sighting = NO_SIGHT) -> Ruling:
    """Dice that lie in the tray and that nobody saw fall, `happening.thrown`: asked about when they may be a throw."""
    turn = board.turn
    if turn is None:
        return NOTHING
    if happening.doubts:
        unread = judge_unsure(happening)
        return replace(unread, doubts=(_found_doubt(happening, board, turn.player), *unread.doubts))
    ruling = judge_throw(happening, board, wild)
    if not ruling.events:
        # A die or two that were pushed are no throw of a wrong number of dice.
        few = 2 * len(happening.thrown) <= len([die for die in happening.dice if die.zone == "tray"])
        return NOTHING if few else ruling
    values = next(event.values for event in ruling.events if isinstance(event, Thrown))
    banked = any(isinstance(event, Banked) for event in ruling.events)
    return Ruling(
        doubts=(_found_doubt(happening, board, turn.following if banked else turn.player),), proposed=tuple(values)
    )


def _found_doubt(happening: Happening, board: Scoreboard, player: int) -> Doubt:
    name = board.players[player].name
    values = spoken(die.value for die in happening.thrown if die.value is not None) or say("A throw")
    text = say("{dice} was found in the tray: enter it if it is {name}'s throw, else throw on.", dice=values, name=name)
    return _doubt("found", happening.thrown, text)


def judge_rail(happening: Happening, board: Scoreboard, before: Counter[int], wild: Sighting = NO_SIGHT) -> Ruling:
    """Dice moved at rest: what was set aside on the rail. `before`: values on the rail when the throw was read. What
    cannot be read in the tray does not matter to it."""
    turn = board.turn
    if turn is None or turn.throw is None or not _rail_is_clear(happening):
        return NOTHING
    aside = rail_values(happening.dice) - before
    dice = tuple(sorted(aside.elements()))
    joins = wild.die is not None and wild.die.zone == "rail"
    if not dice or (dice == turn.aside and (turn.with_coloured is None or turn.with_coloured == joins)):
        return NOTHING
    option = option_of(turn, dice, joins)
    if option is not None:
        return Ruling((_kept(option),))
    return Ruling(notes=(why_not(dice, turn),), refused=True)


def _rail_is_clear(happening: Happening) -> bool:
    """No doubt is about the rail: dice in the tray lie nearer to each."""
    for doubt in happening.doubts:
        near = min(happening.dice, key=lambda die: (die.x - doubt.x) ** 2 + (die.y - doubt.y) ** 2, default=None)
        if doubt.everywhere or near is None or near.zone == "rail":
            return False
    return True


def option_of(turn: Turn, faces: tuple[int, ...], with_coloured: bool) -> Option | None:
    """The choice that sets exactly these dice aside. `with_coloured` matters only while the coloured die is thrown."""
    found = (each for each in turn.options if each.faces(turn.coloured) == faces)
    return next((each for each in found if turn.coloured is None or each.with_coloured == with_coloured), None)


def why_not(dice: tuple[int, ...], turn: Turn) -> str:
    """Why these dice may not be set aside, in one sentence with the cure."""
    foreign = Counter(dice) - Counter(turn.throw or ())
    if foreign:
        return say("{dice} is not in this throw: put it back.", dice=spoken(foreign.elements()))
    for die in sorted(set(dice)):
        rest = list(dice)
        rest.remove(die)
        if any(option.faces(turn.coloured) == tuple(rest) for option in turn.options):
            return say("The {die} does not score: put it back in the tray.", die=die)
    return say("{dice} do not all score: put the ones that don't back in the tray.", dice=spoken(dice))


def best_of_size(options: Iterable[Option], size: int) -> Option | None:
    return max((option for option in options if option.size == size), key=lambda o: o.score, default=None)


def hot(turn: Turn, option: Option, board: Scoreboard) -> bool:
    """Does this choice put the last of the dice on the rail?"""
    return len(turn.kept) + option.size == board.dice


def tray_values(dice: Iterable[SeenDie]) -> tuple[int, ...]:
    return tuple(sorted(die.value for die in dice if die.counts and die.zone == "tray" and die.value is not None))


def rail_values(dice: Iterable[SeenDie]) -> Counter[int]:
    return Counter(die.value for die in dice if die.zone == "rail" and die.value is not None)


def spoken(dice: Iterable[int]) -> str:
    return "-".join(str(die) for die in sorted(dice))


def _dice(count: int) -> Sentence:
    """Where a sentence begins."""
    number = FIRST[count] if count < len(FIRST) else str(count)
    return say_many("{number} die", "{number} dice", count, number=number)
