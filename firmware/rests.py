"""What the eye tells, laid beside the game: which throw lies there, and what the referee says to it. Pure.

A throw that fits no move yet, or could not be read, stays the one that lies there: it is judged again at every rest
that changes it and after every move, until it is in the game, answered by hand, or gone.
"""

from dataclasses import replace

from firmware import die_book, lying, referee
from firmware.present import Present
from firmware.referee import NOTHING, Aside, Ruling
from rules.events import Event, Thrown, Undone
from rules.record import Record
from speech.sentence import say
from vision.happening import Happening

UNANSWERED = say("The throw before was asked about and never answered: it does not count.")


def seen(before: Present, happening: Happening, aside: Aside, dice_set: str | None) -> tuple[Present, Ruling]:
    """The table when the eye has told this, and what is to be played or asked. `dice_set`: as in `die_book.rolled`."""
    present, record = before.seeing(happening), before.record
    if record is None or happening.kind not in ("settled", "unsure", "removed", "empty"):
        return present, NOTHING
    wild = before.wild_die(happening)
    present = _with_throw(before, present, happening, dice_set, record)
    if happening.kind == "settled":
        present = present.learning(wild)
    ruling = judged(present) if present.lying is not before.lying else NOTHING
    if before.doubts and _given_up(before, present, happening):
        ruling = replace(ruling, notes=(*ruling.notes, UNANSWERED))
    if happening.kind in ("removed", "unsure") and aside == "rail" and not ruling.events:
        rail = referee.judge_rail(happening, record.board, before.rail_before, wild)
        ruling = rail if rail.events or ruling == NOTHING else ruling
    return present, ruling


def judged(present: Present, may_play: bool = True) -> Ruling:
    """What the throw that lies there means in the game as it is now. A throw that nobody saw fall, or that was taken
    back, is asked about."""
    lies, board = present.lying, present.board
    if lies is None or board is None or board.turn is None or lies.counted(board):
        return NOTHING
    wild = present.wild_die(lies.seen)
    if not (lies.watched and may_play and lies.number is None):
        return referee.judge_found(lies.seen, board, wild)
    if lies.seen.doubts:
        return referee.judge_unsure(lies.seen)
    ruling = referee.judge_throw(lies.seen, board, wild)
    return replace(ruling, counts=bool(ruling.events))


def after(present: Present, events: tuple[Event, ...]) -> Ruling:
    """What the throw that lies there means after a move: one that was not in the game may fit now. An undo plays
    nothing, and does not ask at once about the throw that it took back."""
    undone = events == (Undone(),)
    if undone and present.lying is not None and present.lying.number is not None:
        return NOTHING
    return judged(present, may_play=not undone)


def _with_throw(
    before: Present, present: Present, happening: Happening, dice_set: str | None, record: Record
) -> Present:
    """With the throw that lies there now."""
    lies, board = before.lying, record.board
    last = next((fact for fact in reversed(record.facts) if isinstance(fact, Thrown)), None)
    values = last.values if last else ()
    new = lying.found(happening, before.lay, values, before.rail_before) if happening.found else None
    if new is not None and last is not None and last.source == "hand" and new.seen.values == values:
        # Entered by hand, before anybody had told the tray that it sees nothing.
        return replace(present, lying=replace(new, number=board.throws), ahead=None)
    if new is None and happening.roll is None:
        there = lies.again(happening) if lies is not None else None
        return replace(present, lying=lies if there and lies and lies.counted(board) else there, ahead=None)
    if new is None:
        rolled = die_book.rolled(happening, dice_set) if happening.kind == "settled" else None
        new = lying.thrown(happening, rolled)
        if lies is not None and lies.seen.roll == happening.roll:
            # Nudged, or read after all.
            return present if lies.counted(board) else replace(present, lying=replace(new, number=lies.number))
    if before.instead == new.seen.values:
        # It was entered by hand before the eye had told of it, while the throw before was still asked about.
        return replace(present, lying=replace(new, rolled=None, watched=False, number=board.throws), ahead=None)
    if before.ahead is not None:
        # It was entered by hand while it fell; what was read otherwise is asked about.
        same = new.seen.kind == "unsure" or new.seen.values == before.ahead
        new = replace(new, rolled=None, watched=False, number=board.throws if same else None)
    return replace(present, lying=new, ahead=None)


def _given_up(before: Present, present: Present, happening: Happening) -> bool:
    """Another throw came after one that was asked about and is not in the game."""
    lies = before.lying
    if lies is None or before.board is None or present.lying is None or happening.roll in (None, lies.seen.roll):
        return False
    return lies.watched and not lies.counted(before.board) and not lies.completed_by(happening)
