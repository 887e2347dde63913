"""A thread that follows the table behind its own bounded queue: it may be slow or die, nobody waits for it."""

import threading
from collections.abc import Callable

from firmware.broadcast import Subscription
from firmware.table import Table
from web.view import View

LOOK_S = 0.5


class Follower:
    """Calls `told` from a thread of its own: with the present view first, then with each that follows. When `told` is
    so slow that the table closes its queue, the views between are left out and the present one comes next."""

    def __init__(self, name: str, table: Table, told: Callable[[View], None]) -> None:
        self._table, self._told = table, told
        self._views: Subscription | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Begin to stop and wait for it, but not for ever. May be called twice."""
        self._stopping.set()
        if self._views is not None:
            self._views.close()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=2)

    def _run(self) -> None:
        while not self._stopping.is_set():
            with self._table.listen() as views:
                self._views = views
                self._told(self._table.view())
                try:
                    while not self._stopping.is_set():
                        view = views.get(LOOK_S)
                        if view is not None:
                            self._told(view)
                except EOFError:
                    if not self._table.alive:
                        return
