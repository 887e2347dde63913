"""Which moves of a game stand: undo and redo without limit."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from rules.events import Ended, Event, Resumed, Undone

M = TypeVar("M")
Stack = tuple[tuple[M, ...], tuple[M, ...]]


def after(standing: tuple[M, ...], taken: tuple[M, ...], move: M, events: Callable[[M], tuple[Event, ...]]) -> Stack[M]:
    """The moves that stand after `move`, and those taken back that may be done again, the next of them last.

    `Undone` takes back the last that stands. The same move again does it again, and leaves the others to be done again
    too; any other move puts an end to that. `Resumed` takes back only that the game was stopped.
    """
    match events(move):
        case (Undone(),):
            return standing[:-1], (*taken, *standing[-1:])
        case (Resumed(),):
            stopped = bool(standing) and events(standing[-1]) == (Ended(),)
            return (standing[:-1], (*taken, standing[-1])) if stopped else (standing, taken)
    if taken and events(taken[-1]) == events(move):
        return (*standing, taken[-1]), taken[:-1]
    return (*standing, move), ()


def standing_of(moves: Iterable[M], events: Callable[[M], tuple[Event, ...]]) -> tuple[M, ...]:
    """Those of all `moves` of a game, its start included, that are not taken back."""
    standing: tuple[M, ...] = ()
    taken: tuple[M, ...] = ()
    for move in moves:
        standing, taken = after(standing, taken, move, events)
    return standing
