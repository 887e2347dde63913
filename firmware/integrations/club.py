"""The trays of a club night: what each has left with the broker, for one screen that shows them all."""

import json
import threading
from dataclasses import replace
from typing import Any

from web.records import ClubTray

# What comes from a broker was written by others: more trays, players or letters than this are not looked at.
TRAYS, STATE_BYTES, NAME, PLAYERS, DICE, MOST_POINTS = 32, 16_384, 40, 12, 12, 10**9


class Club:
    """Fits `web.ports.Club`. Told from the broker's thread, read by the pages."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trays: dict[str, ClubTray] = {}
        self._away: dict[str, bool] = {}

    def trays(self) -> tuple[ClubTray, ...]:
        """By name."""
        with self._lock:
            found = [replace(tray, here=not self._away.get(tray.id, True)) for tray in self._trays.values()]
        return tuple(sorted(found, key=lambda tray: (tray.name.casefold(), tray.id)))

    def told(self, tray_id: str, leaf: str, payload: bytes) -> None:
        """A retained message of `stickman/<tray_id>/<leaf>`; an empty one takes the tray away."""
        with self._lock:
            if leaf == "availability":
                self._away[tray_id] = payload != b"online"
            elif leaf == "state":
                tray = club_tray(tray_id, payload)
                if tray is None:
                    self._trays.pop(tray_id, None)
                elif tray_id in self._trays or len(self._trays) < TRAYS:
                    self._trays[tray_id] = tray
            while len(self._away) > TRAYS:
                self._away.pop(next(iter(self._away)))


def club_tray(tray_id: str, payload: bytes) -> ClubTray | None:
    """What a tray has said of itself; None for what is no state of a tray."""
    if len(payload) > STATE_BYTES:
        return None
    try:
        told = json.loads(payload)
        tray = ClubTray(tray_id, _text(told["name"]), _text(told["word"]))
        return tray if told["game"] is None else _playing(tray, told["game"])
    except (ValueError, LookupError, TypeError, RecursionError, OverflowError):
        return None


def _playing(tray: ClubTray, game: Any) -> ClubTray:
    players = tuple((_text(one["name"]), _number(one["score"])) for one in game["players"])[:PLAYERS]
    tray = replace(
        tray,
        rules=_text(game["rules"]),
        target=_number(game["target"]),
        players=players,
        winners=tuple(_text(name) for name in game["winners"])[:PLAYERS],
    )
    turn = game["turn"]
    if turn is None:
        return tray
    index = _number(turn["player"])
    return replace(
        tray,
        turn=index if 0 <= index < len(players) else None,
        at_risk=_number(turn["score"]),
        dice=_faces(turn["throw"]),
    )


def _faces(values: Any) -> tuple[int, ...]:
    return tuple(value for value in map(_number, values or ()) if 1 <= value <= 6)[:DICE]


def _number(value: Any) -> int:
    if type(value) is not int or abs(value) > MOST_POINTS:
        raise TypeError("points are a whole number that fits on a screen")
    return value


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError("a name is text")
    return text[:NAME]
