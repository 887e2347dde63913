"""The odds of the game on the table, worked out where they are asked for: never on the table's own thread."""

import threading

from firmware.winning import Tables
from rules import house
from rules.best_play.findings import Outlook
from rules.options import Options
from web.view import View


class Oddsmaker:
    """Fits `web.ports.Oddsmaker`. Many phones may ask at once: the first works it out, the others wait for it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lock = threading.Lock()
        self._game: tuple[str, Options] | None = None
        self._last: tuple[View, bool, Outlook] | None = None

    def outlook(self, view: View) -> Outlook | None:
        from rules.best_play.outlook import outlook  # numpy with it: a tray at rest does without

        if view.game is None:
            return None
        with self._lock:
            options = self._options(view.game.id, view.game.rules)
            table = self._tables.find(options)
            if self._last and self._last[1] == (table is not None) and self._last[0].game == view.game:
                return self._last[2]
            found = outlook(options, view.game.board, table)
            self._last = view, table is not None, found
            return found

    def _options(self, game: str, rules: object) -> Options:
        if self._game is None or self._game[0] != game:
            self._game = game, house.parse(rules if isinstance(rules, dict) else {})
        return self._game[1]
