"""A throw that everybody is asked to look at again: begun, ended by the game's own moves, and found again after a
restart. It never touches the game, so it is a mark beside the journal and no event in it."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from firmware.journal import Move
from rules.errors import IllegalMove
from rules.events import Thrown
from rules.record import Record, replay
from speech.sentence import say
from web.view import Disputed

MARK = "disputed"


def begun(record: Record, throw: int, by: str, pictures: tuple[str, ...]) -> Disputed:
    """Raises `IllegalMove` when there is no such throw."""
    throws = _throws(record)
    if not 1 <= throw <= len(throws):
        raise IllegalMove(say("There is no throw {throw} in this game to look at.", throw=throw))
    return Disputed(throw, by, throws[throw - 1].values, pictures)


def still(disputed: Disputed | None, before: Record | None, now: Record) -> Disputed | None:
    """What is left of a dispute after a move: nothing when its throw was corrected or taken back, or has another
    number."""
    if disputed is None or before is None or before.started is not now.started:
        return None
    place = slice(disputed.throw - 1, disputed.throw)
    return disputed if _throws(before)[place] == _throws(now)[place] else None


def written(disputed: Disputed | None, game: str, rev: int) -> str:
    """For the journal's mark. `rev`: of the game when it was begun."""
    return "" if disputed is None else json.dumps({"game": game, "rev": rev, **asdict(disputed)})


def found(mark: str | None, game: str, moves: Sequence[Move]) -> Disputed | None:
    """What stands of the dispute in the mark. `moves`: of that game, which can be replayed."""
    told: dict[str, Any] = json.loads(mark) if mark else {}
    if told.get("game") != game:
        return None
    disputed: Disputed | None = Disputed(told["throw"], told["by"], tuple(told["values"]), tuple(told["pictures"]))
    record = replay(move.events for move in moves if move.seq <= told["rev"])
    for move in moves:
        if move.seq > told["rev"]:
            before, record = record, record.play(*move.events)
            disputed = still(disputed, before, record)
    return disputed


def _throws(record: Record) -> list[Thrown]:
    return [fact for fact in record.facts if isinstance(fact, Thrown)]
