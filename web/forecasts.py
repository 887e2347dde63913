"""The odds of the game on the table for its boards, worked out on a thread of their own: no state waits for them."""

import threading
from collections import OrderedDict

from rules.best_play.findings import Outlook
from web.ports import Oddsmaker
from web.view import View

KEPT = 8
NOTHING = Outlook()


class Forecasts:
    """Of all that is asked for while one is being worked out, only the last is worked out next."""

    def __init__(self, oddsmaker: Oddsmaker | None) -> None:
        self._oddsmaker = oddsmaker
        self._known: OrderedDict[tuple[str, int], Outlook] = OrderedDict()
        self._wanted: View | None = None
        self._busy = False
        self._lock = threading.Lock()

    def of(self, view: View) -> tuple[bool, Outlook]:
        """Whether the outlook of the game in `view` is known, and what it is; an empty one where there is none. Never
        blocks: what is not known is being worked out."""
        if self._oddsmaker is None or view.game is None:
            return True, NOTHING
        key = _key(view)
        with self._lock:
            if key in self._known:
                return True, self._known[key]
            self._wanted = view
            if not self._busy:
                self._busy = True
                threading.Thread(target=self._work, args=(self._oddsmaker,), name="odds", daemon=True).start()
        return False, NOTHING

    def _work(self, oddsmaker: Oddsmaker) -> None:
        while (view := self._next()) is not None:
            found: Outlook | None = None
            try:
                found = oddsmaker.outlook(view)
            finally:
                # A board whose odds cannot be worked out shows none; nobody waits for them.
                self._keep(view, found)

    def _next(self) -> View | None:
        with self._lock:
            view, self._wanted = self._wanted, None
            self._busy = view is not None
        return view

    def _keep(self, view: View, found: Outlook | None) -> None:
        with self._lock:
            self._known[_key(view)] = found or NOTHING
            while len(self._known) > KEPT:
                self._known.popitem(last=False)


def _key(view: View) -> tuple[str, int]:
    return view.epoch, view.rev
