"""The listener that makes the panel shine as the view says, and hands its presses to the table."""

import threading

from firmware.drivers import Panel
from firmware.lamps import lamps_of
from firmware.table import Table
from web.ports import View


class Lamplighter:
    """`sound`: the buzzer may be heard."""

    def __init__(self, panel: Panel, table: Table, sound: bool = True) -> None:
        self._panel = panel
        self._table = table
        self._sound = sound
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)
        self._stopping = False

    def start(self) -> None:
        self._tell(self._panel.troubles)
        self._panel.listen(self._table.pressed, self._tell)
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def _tell(self, troubles: tuple[str, ...]) -> None:
        self._table.panel_is(self._panel.factory, troubles)

    def _show(self, view: View) -> None:
        self._panel.show(lamps_of(view.panel, self._sound))

    def _run(self) -> None:
        while not self._stopping:
            with self._table.listen() as views:
                self._show(self._table.view())
                try:
                    while not self._stopping:
                        view = views.get(0.5)
                        if view is not None:
                            self._show(view)
                except EOFError:
                    if not self._table.alive:
                        return
