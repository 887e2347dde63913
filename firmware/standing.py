"""The throws of a game as it stands, and the moves of the journal that they came with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from firmware.journal import Move, started
from rules.events import Corrected, Event, Thrown
from rules.record import worked_in
from rules.undoing import standing_of


@dataclass(frozen=True, slots=True)
class Standing:
    """A throw. `move`: number of its move, which stays the same whatever is undone or corrected before it.
    `corrected`: people said that it was another than the tray had read."""

    move: int
    corrected: bool = False


def throws_of(moves: Sequence[Move]) -> tuple[Standing, ...]:
    """In the order of their numbers, from 1. `moves`: all of one game, as they were accepted."""
    begun = started(moves)
    facts: tuple[Event, ...] = ()
    # By what tells a fact from an equal one: the object that it is. Those that a correction drops are held as well.
    known: dict[int, Standing] = {}
    dropped: list[Event] = []
    for move in standing_of(moves, lambda move: move.events)[1:]:
        for event in (replace(event) for event in move.events):
            before, facts = facts, worked_in(begun, facts, ((event,),))
            if isinstance(event, Thrown):
                known[id(event)] = Standing(move.seq)
            elif isinstance(event, Corrected):
                dropped += before
                was, now = (_throws(each)[event.throw - 1] for each in (before, facts))
                known[id(now)] = replace(known[id(was)], corrected=True)
    return tuple(known[id(fact)] for fact in _throws(facts))


def _throws(facts: Sequence[Event]) -> list[Event]:
    return [fact for fact in facts if isinstance(fact, Thrown)]
