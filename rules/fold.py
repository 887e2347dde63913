"""The state that a game's facts lead to."""

from collections.abc import Iterable
from typing import Any

from rules.errors import BadRules
from rules.events import Event, Started
from rules.game import Game
from rules.games import GAMES
from speech.sentence import say


def game_of(started: Started) -> Game[Any]:
    """Raises `BadRules` for a game that is not known here, or one that a newer version began."""
    game = GAMES.get(started.game)
    if game is None:
        raise BadRules(f'There is no game called "{started.game}"; choose one of {", ".join(GAMES)}.')
    if started.version > game.version:
        raise BadRules(
            say(
                "This game was begun by a newer version ({version}); update the tray to go on with it.",
                version=started.version,
            )
        )
    return game


def played(started: Started, state: Any, events: Iterable[Event]) -> Any:
    """Raises the error of the first event that cannot be played."""
    game = game_of(started)
    for event in events:
        state = game.play(state, event)
    return state


def folded(started: Started, facts: Iterable[Event]) -> Any:
    return played(started, game_of(started).start(started), facts)
