"""JSON bodies as commands: what a phone asked for, checked for shape, not for rules."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Request

from rules.events import Attempt
from speech.sentence import say
from web.commands import Bank, Command, Correct, End, EnterThrow, Keep, Newcomer, NewGame, Redo, Take, Try, Undo
from web.marks import apart
from web.problems import Problem
from web.records import Seat

NAME_LENGTH = 24
PLAYERS = 8
DICE = 6

Json = Mapping[str, Any]


def body(request: Request) -> Json:
    """The JSON object of the request; an empty one when there is no body at all."""
    if not request.get_data(cache=True):
        return {}
    if request.mimetype != "application/json":
        raise Problem(415, "Send JSON: Content-Type: application/json.")
    try:
        found = request.get_json(silent=True)
    except RecursionError:
        found = None
    if not isinstance(found, dict):
        raise Problem(400, "The body is not a JSON object.")
    return found


def rev(asked: Json) -> int | None:
    found = asked.get("rev")
    if found is not None and not _is_whole(found):
        raise Problem(422, '"rev" is the whole number that came with the state.')
    return found


def name(text: object) -> str:
    """A player's name with single spaces, 1 to 24 characters."""
    if not isinstance(text, str):
        raise Problem(422, say("A name is text, 1 to 24 characters."))
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not 1 <= len(clean) <= NAME_LENGTH:
        raise Problem(422, say("A name has 1 to 24 characters."))
    return clean


def values(asked: Json, key: str) -> tuple[int, ...]:
    found = asked.get(key)
    if not isinstance(found, list) or not found or not all(_is_whole(v) and 1 <= v <= 6 for v in found):
        raise Problem(422, f'"{key}" is a list of dice, each from 1 to 6.')
    return tuple(sorted(found))


def command(kind: str, asked: Json) -> Command:
    """`kind` is the last part of the address under games/current."""
    match kind:
        case "bank":
            return Bank()
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case "end":
            return End()
        case "keep":
            return _keep(asked)
        case "take":
            return Take()
        case "attempt":
            return Try(_attempt(asked), values(asked, "dice"))
        case "throws":
            return EnterThrow(values(asked, "values"), _coloured(asked))
        case "correct":
            throw = asked.get("throw")
            if not isinstance(throw, int) or not _is_whole(throw) or throw < 1:
                raise Problem(422, '"throw" is the number of the throw to correct, from 1.')
            return Correct(throw, values(asked, "values"), _coloured(asked))
    known = "bank, undo, redo, keep, take, attempt, throws, correct and end"
    raise Problem(404, f"There is no move called {kind!r}; there are {known}.")


def _keep(asked: Json) -> Keep:
    with_coloured = asked.get("with_coloured")
    if with_coloured is not None and not isinstance(with_coloured, bool):
        raise Problem(422, '"with_coloured" says whether the coloured die is set aside too: true or false.')
    alone = with_coloured and asked.get("dice") == []
    return Keep(() if alone else values(asked, "dice"), with_coloured)


def _attempt(asked: Json) -> Attempt:
    match asked.get("what"):
        case "straight":
            return "straight"
        case "triple":
            return "triple"
    raise Problem(422, '"what" is attempted: "straight" or "triple".')


def _coloured(asked: Json) -> int | None:
    found = asked.get("coloured")
    if found is None or (_is_whole(found) and found in values(asked, "values")):
        return found
    raise Problem(422, '"coloured" is what the coloured die shows, one of the values.')


def new_game(asked: Json, seats: Sequence[Seat], last: Mapping[str, Any] | None = None) -> NewGame:
    """`seats`: those that a player's entry may mean, by id or by name. `last`: the rules of the game before, for
    "again"."""
    rules = last if asked.get("again") is True and last else asked.get("rules", "farkle")
    if not isinstance(rules, str | dict) or not rules:
        raise Problem(422, '"rules" is the name of a preset or a table of house rules.')
    players = asked.get("players")
    if not isinstance(players, list) or not 1 <= len(players) <= PLAYERS:
        raise Problem(422, f'"players" is a list of 1 to {PLAYERS} names or seats.')
    newcomers = tuple(_newcomer(entry, seats) for entry in players)
    names = [newcomer.name.casefold() for newcomer in newcomers]
    if len(set(names)) < len(names):
        raise Problem(422, say("Two players have the same name; give one of them another."))
    marks = apart(newcomer.mark for newcomer in newcomers)
    return NewGame(rules, tuple(replace(each, mark=mark) for each, mark in zip(newcomers, marks, strict=True)))


def _newcomer(entry: object, seats: Sequence[Seat]) -> Newcomer:
    for seat in seats:
        if entry == seat.id:
            return Newcomer(seat.name, seat.id, seat.mark)
    wanted = name(entry)
    for seat in seats:
        if seat.name.casefold() == wanted.casefold():
            return Newcomer(seat.name, seat.id, seat.mark)
    return Newcomer(wanted)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
