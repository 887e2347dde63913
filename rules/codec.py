"""Events as JSON values, for the journal and for files. `to_json` and `from_json` are each other's inverse."""

from collections.abc import Mapping
from typing import Any

from rules.errors import InvalidMove
from rules.events import (
    Attempt,
    Attempted,
    Banked,
    Corrected,
    Ended,
    Event,
    Kept,
    Player,
    Resumed,
    Source,
    Started,
    Taken,
    Thrown,
    Undone,
)
from rules.wording import dice_text
from speech.sentence import say

KINDS = ("started", "thrown", "kept", "attempted", "taken", "banked", "corrected", "undone", "ended", "resumed")


def to_json(event: Event) -> dict[str, Any]:
    """A plain table; `event` says which kind it is."""
    match event:
        case Started(game=game, rules=rules, version=version, players=players):
            seated = [_seated(player) for player in players]
            return {"event": "started", "game": game, "rules": rules, "version": version, "players": seated}
        case Thrown(values=values, source=source, coloured=coloured):
            return {"event": "thrown", "values": list(values), "source": source} | _given("coloured", coloured)
        case Kept(dice=dice, with_coloured=with_coloured):
            return {"event": "kept", "dice": list(dice)} | _given("with_coloured", with_coloured)
        case Attempted(what=what, dice=dice):
            return {"event": "attempted", "what": what, "dice": list(dice)}
        case Taken():
            return {"event": "taken"}
        case Banked():
            return {"event": "banked"}
        case Corrected(throw=throw, values=values, coloured=coloured):
            return {"event": "corrected", "throw": throw, "values": list(values)} | _given("coloured", coloured)
        case Undone():
            return {"event": "undone"}
        case Ended():
            return {"event": "ended"}
        case Resumed():
            return {"event": "resumed"}


def from_json(table: object) -> Event:
    """Raises `InvalidMove` for what is no event of ours."""
    if not isinstance(table, Mapping):
        raise InvalidMove(f"An event is a table, not {table!r}.")
    match table.get("event"):
        case "started":
            return _started(table)
        case "thrown":
            values, coloured = _with_coloured(table)
            return Thrown(values, _source(table.get("source", "hand")), coloured)
        case "kept":
            return _kept(table)
        case "attempted":
            return Attempted(_attempt(table.get("what")), _dice(table, "dice"))
        case "taken":
            return Taken()
        case "banked":
            return Banked()
        case "corrected":
            values, coloured = _with_coloured(table)
            return Corrected(_number(table, "throw"), values, coloured)
        case "undone":
            return Undone()
        case "ended":
            return Ended()
        case "resumed":
            return Resumed()
        case kind:
            raise InvalidMove(f"There is no event {kind!r}; it is one of {', '.join(KINDS)}.")


def _started(table: Mapping[str, Any]) -> Started:
    rules, players = table.get("rules"), table.get("players")
    if not isinstance(rules, dict) or not isinstance(players, list):
        raise InvalidMove("A start needs rules (a table) and players (a list).")
    game = table.get("game")
    if not isinstance(game, str):
        raise InvalidMove("A start needs the name of its game.")
    return Started(game, rules, _number(table, "version"), tuple(_player(each) for each in players))


def _seated(player: Player) -> dict[str, Any]:
    return {"name": player.name, "seat": player.seat} | ({"mark": player.mark} if player.mark else {})


def _player(table: object) -> Player:
    match table:
        case {"name": str(name), "seat": str() | None as seat, "mark": str(mark)}:
            return Player(name, seat, mark)
        case {"name": str(name), "seat": str() | None as seat}:
            return Player(name, seat)
        case {"name": str(name)}:
            return Player(name)
    raise InvalidMove(f"A player is a table with a name, not {table!r}.")


def _source(value: object) -> Source:
    match value:
        case "eye" | "hand":
            return value
    raise InvalidMove(f'A throw comes from the "eye" or the "hand", not {value!r}.')


def _attempt(value: object) -> Attempt:
    match value:
        case "straight" | "triple":
            return value
    raise InvalidMove(f'An attempt is made at a "straight" or a "triple", not {value!r}.')


def _given(key: str, value: object) -> dict[str, Any]:
    return {} if value is None else {key: value}


def _kept(table: Mapping[str, Any]) -> Kept:
    """The coloured die may stand among the dice as "4w"."""
    plain, marked = _marked(table, "dice")
    with_coloured = True if marked else table.get("with_coloured")
    if with_coloured is not None and not isinstance(with_coloured, bool):
        raise InvalidMove(f"with_coloured is true or false, not {with_coloured!r}.")
    return Kept(_dice({"dice": plain}, "dice"), with_coloured)


def _with_coloured(table: Mapping[str, Any]) -> tuple[tuple[int, ...], int | None]:
    """All values, and what the coloured die among them shows: "4w" in the list, or `coloured` beside it."""
    plain, marked = _marked(table, "values")
    if not marked:
        values = _dice(table, "values")
        coloured = None if table.get("coloured") is None else _number(table, "coloured")
    else:
        coloured = int(marked[0][0])
        values = tuple(sorted(_dice({"values": [*plain, coloured]}, "values")))
    if coloured is not None and coloured not in values:
        raise InvalidMove(
            say("The coloured die shows {value}, which is not among {dice}.", value=coloured, dice=dice_text(values))
        )
    return values, coloured


def _marked(table: Mapping[str, Any], key: str) -> tuple[list[Any], list[str]]:
    """The plain dice, and those written as coloured, as "4w". Raises `InvalidMove` for more than one of these."""
    dice = table.get(key)
    if not isinstance(dice, list):
        raise InvalidMove(f"{key} is a list of whole numbers, not {dice!r}.")
    marked = [die for die in dice if isinstance(die, str) and len(die) == 2 and die[0] in "123456" and die[1] in "wW"]
    if len(marked) > 1:
        raise InvalidMove(say("There is only one coloured die."))
    return [die for die in dice if not isinstance(die, str) or die not in marked], marked


def _number(table: Mapping[str, Any], key: str) -> int:
    value = table.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidMove(f"{key} is a whole number, not {value!r}.")
    return value


def _dice(table: Mapping[str, Any], key: str) -> tuple[int, ...]:
    values = table.get(key)
    if not isinstance(values, list) or any(not isinstance(die, int) or isinstance(die, bool) for die in values):
        raise InvalidMove(f"{key} is a list of whole numbers, not {values!r}.")
    for die in values:
        if not 1 <= die <= 6:
            raise InvalidMove(say("A die shows 1 to 6, not {value}.", value=die))
    return tuple(values)
