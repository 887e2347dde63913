"""A game of Farkle between two or more, played move by move."""

from dataclasses import replace
from typing import Any

import pytest

from rules.errors import IllegalMove, InvalidMove
from rules.events import Event, Player, Started
from rules.game import ENGINE_VERSION, Scoreboard, Turn
from rules.games.farkle import Farkle
from rules.games.farkle.state import State
from rules.house import parse

GAME = Farkle()
FARKLE = (2, 2, 3, 4, 6, 6)
THREE_ONES = (1, 1, 1, 2, 3, 4)


def start(*names: str, **rules: Any) -> State:
    """`rules`: sections of a house-rules file."""
    players = tuple(Player(name) for name in names or ("Ann", "Bob"))
    return GAME.start(Started("farkle", parse({"name": "test", **rules}).to_json(), ENGINE_VERSION, players))


def play(state: State, *events: Event) -> State:
    for event in events:
        state = GAME.play(state, event)
    return state


def board(state: State) -> Scoreboard:
    return GAME.board(state)


def turn(state: State) -> Turn:
    found = board(state).turn
    assert found is not None
    return found


def with_scores(state: State, *scores: int) -> State:
    """As if so many points had been banked before."""
    sides = tuple(replace(side, score=score, on_board=True) for side, score in zip(state.sides, scores, strict=True))
    return replace(state, sides=sides)


def scores(state: State) -> list[int]:
    return [player.score for player in board(state).players]


def refused(state: State, event: Event) -> str:
    with pytest.raises((IllegalMove, InvalidMove)) as refusal:
        GAME.play(state, event)
    return str(refusal.value)
