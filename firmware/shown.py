"""The table as every screen is told of it: one frozen view of what is now. Pure."""

from dataclasses import replace

from firmware import lamps
from firmware.present import Present
from web.view import GameView, View


def view_of(present: Present, before: View | None, epoch: str) -> View:
    """`before`: the view told last; None at the start. `epoch`: of this run of the program."""
    board = present.board
    game = None
    if board is not None and present.game is not None and present.record is not None:
        rules = present.record.started.rules
        may_redo = len(present.record.taken)
        thrown = present.record.thrown
        game = GameView(
            present.game,
            board,
            present.doubts,
            present.notes,
            present.proposed,
            rules,
            may_redo,
            thrown,
            present.open_closeups,
            present.disputed,
        )
    move = present.move if before is not None and before.rev != present.rev else ()
    panel = lamps.panel_view(before, move, present.eye.state, game, present.refused, present.step)
    panel = replace(panel, factory=present.panel)
    banners = (*present.banners, *present.troubles)
    seq = before.seq + 1 if before else 0
    return View(epoch, present.rev, seq, present.eye, panel, game, banners, present.offered, present.url)
