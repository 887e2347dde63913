"""Watches where phones reach the tray: it may join another network while it runs."""

import logging
import threading
from collections.abc import Callable, Sequence

from firmware.address import Reach, reach, routed
from firmware.interfaces import Interface, interfaces

log = logging.getLogger(__name__)

# Soon enough that a code on a screen is right before anybody has scanned it; each look takes about a millisecond.
LOOK_S = 2.0


class Whereabouts:
    """Tells `tell` when the address has changed. Raises `BadInput` when `host` is none."""

    def __init__(
        self,
        host: str,
        tell: Callable[[Reach], None],
        look: Callable[[], Sequence[Interface]] = interfaces,
        route: Callable[[bool], str | None] = routed,
    ) -> None:
        self._host, self._tell, self._look, self._route = host, tell, look, route
        self.reach = reach(host, look(), route)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="whereabouts", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=LOOK_S)

    def look_again(self) -> None:
        found = reach(self._host, self._look(), self._route)
        if found != self.reach:
            log.info("phones reach the tray at %s", found.address or "no address")
            self.reach = found
            self._tell(found)

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_S):
            try:
                self.look_again()
            except OSError as error:
                # An interface may go while it is looked at; the next look sees what is left.
                log.info("the interfaces could not be read: %s", error)
