"""Events as JSON values, for the journal and for files. `to_json` and `from_json` are each other's inverse."""

from collections.abc import Mapping
from typing import Any

from rules.errors import InvalidMove
from rules.events import Banked, Corrected, Ended, Event, Kept, Player, Source, Started, Thrown, Undone

KINDS = ("started", "thrown", "kept", "banked", "corrected", "undone", "ended")


def to_json(event: Event) -> dict[str, Any]:
    """A plain table; `event` says which kind it is."""
    match event:
        case Started(game=game, rules=rules, version=version, players=players):
            seats = [{"name": player.name, "seat": player.seat} for player in players]
            return {"event": "started", "game": game, "rules": rules, "version": version, "players": seats}
        case Thrown(values=values, source=source):
            return {"event": "thrown", "values": list(values), "source": source}
        case Kept(dice=dice):
            return {"event": "kept", "dice": list(dice)}
        case Banked():
            return {"event": "banked"}
        case Corrected(throw=throw, values=values):
            return {"event": "corrected", "throw": throw, "values": list(values)}
        case Undone():
            return {"event": "undone"}
        case Ended():
            return {"event": "ended"}


def from_json(table: object) -> Event:
    """Raises `InvalidMove` for what is no event of ours."""
    if not isinstance(table, Mapping):
        raise InvalidMove(f"An event is a table, not {table!r}.")
    match table.get("event"):
        case "started":
            return _started(table)
        case "thrown":
            return Thrown(_dice(table, "values"), _source(table.get("source", "hand")))
        case "kept":
            return Kept(_dice(table, "dice"))
        case "banked":
            return Banked()
        case "corrected":
            return Corrected(_number(table, "throw"), _dice(table, "values"))
        case "undone":
            return Undone()
        case "ended":
            return Ended()
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


def _player(table: object) -> Player:
    match table:
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
            raise InvalidMove(f"A die shows 1 to 6, not {die}.")
    return tuple(values)
