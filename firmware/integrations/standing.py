"""How a connection to the house stands: for the page about the tray, and one line in the log when that changes."""

import logging

from web.site import Check

log = logging.getLogger(__name__)


class Standing:
    """`name`: what stands on the page. The tray plays without any of these, so none makes it unready."""

    def __init__(self, name: str, text: str) -> None:
        self._check = Check(name, True, text, needed=False)

    def check(self) -> Check:
        return self._check

    def well(self, text: str) -> None:
        self._is(True, text)

    def ill(self, text: str) -> None:
        self._is(False, text)

    def _is(self, ok: bool, text: str) -> None:
        if (ok, text) == (self._check.ok, self._check.text):
            return
        log.log(logging.INFO if ok else logging.WARNING, "%s: %s", self._check.name, text)
        self._check = Check(self._check.name, ok, text, needed=False)
