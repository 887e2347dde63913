"""The listener that makes the panel shine as the view says, and hands its presses to the table."""

from firmware.drivers import Panel
from firmware.follower import Follower
from firmware.lamps import lamps_of
from firmware.table import Table
from web.view import View


class Lamplighter:
    """`sound`: the buzzer may be heard."""

    def __init__(self, panel: Panel, table: Table, sound: bool = True) -> None:
        self._panel, self._table, self._sound = panel, table, sound
        self._shown: int | None = None
        self._follower = Follower("lamps", table, self._show)

    def start(self) -> None:
        self._tell(self._panel.troubles)
        self._panel.listen(self._table.pressed, self._tell)
        self._follower.start()

    def stop(self) -> None:
        self._follower.stop()

    def _tell(self, troubles: tuple[str, ...]) -> None:
        self._table.panel_is(self._panel.factory, troubles)

    def _show(self, view: View) -> None:
        """Each view once: its moment would otherwise be played again."""
        if view.seq != self._shown:
            self._shown = view.seq
            self._panel.show(lamps_of(view.panel, self._sound))
