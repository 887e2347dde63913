"""The listener that says so when the record of a die of the set in use no longer looks fair: once a game."""

import logging
from collections.abc import Callable

from firmware.follower import Follower
from firmware.table import Table
from speech.sentence import joined, say
from web.ports import DieBook
from web.records import DieRecord
from web.refusals import TrayBusy
from web.view import View

log = logging.getLogger(__name__)

WHERE = say("More under Dice.")


class DieWatch:
    """`dice_set`: short name of the set of dice in use, None when it is not known."""

    def __init__(self, table: Table, book: DieBook, dice_set: Callable[[], str | None]) -> None:
        self._table, self._book, self._dice_set = table, book, dice_set
        self._looked_at = -1
        self._told: tuple[str, frozenset[tuple[str, str]]] = ("", frozenset())
        self._follower = Follower("dice", table, self._look)

    def start(self) -> None:
        self._follower.start()

    def stop(self) -> None:
        self._follower.stop()

    def _look(self, view: View) -> None:
        """Only a move can change a record."""
        slug = self._dice_set()
        if view.game is None or slug is None or view.rev == self._looked_at:
            return
        self._looked_at = view.rev
        told = self._told[1] if self._told[0] == view.game.id else frozenset()
        for die in self._dice(slug):
            if die.unfair and (slug, die.name) not in told:
                told |= {(slug, die.name)}
                self._table.note(joined([die.unfair, WHERE]))
        self._told = view.game.id, told

    def _dice(self, slug: str) -> tuple[DieRecord, ...]:
        try:
            record = self._book.record(slug)
        except TrayBusy as trouble:
            log.warning("the dice were not looked at: %s", trouble)
            return ()
        return () if record is None else record.dice
