"""What a command of a phone or a button is as a move of the game. Pure."""

from dataclasses import replace

from firmware import referee
from rules.errors import IllegalMove
from rules.events import Attempted, Banked, Corrected, Ended, Event, Kept, Taken, Thrown, Undone
from rules.game import Scoreboard
from rules.record import Record
from speech.sentence import say
from web import commands
from web.commands import Command

Played = tuple[tuple[Event, ...], tuple[str, ...]]


def move_of(command: Command, record: Record) -> Played:
    """The events of one move, and notes on what was assumed. Raises `IllegalMove` for what is no move; whether it may
    be played the rules say."""
    match command:
        case commands.Bank():
            return (Banked(),), ()
        case commands.Undo():
            return (Undone(),), ()
        case commands.Redo():
            if not record.taken:
                raise IllegalMove(say("There is nothing to do again."))
            return record.taken[-1], ()
        case commands.Keep(dice, with_coloured):
            return (Kept(tuple(sorted(dice)), with_coloured),), ()
        case commands.Take():
            return (Taken(),), ()
        case commands.Try(what, dice):
            return (Attempted(what, tuple(sorted(dice))),), ()
        case commands.Correct(throw, values, coloured):
            return (Corrected(throw, tuple(sorted(values)), coloured),), ()
        case commands.End():
            return (Ended(),), ()
        case commands.EnterThrow(values, coloured):
            return _entered(tuple(sorted(values)), record.board, coloured)
    raise IllegalMove(say("That is not a move of this game."))


def _entered(values: tuple[int, ...], board: Scoreboard, coloured: int | None) -> Played:
    ruling = referee.play_throw(values, board, coloured)
    if ruling is None or not ruling.events:
        # Let the rules say what is wrong with it.
        return (Thrown(values, "hand", coloured),), ()
    events = tuple(replace(event, source="hand") if isinstance(event, Thrown) else event for event in ruling.events)
    return events, ruling.notes
