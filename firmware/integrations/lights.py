"""Lights of the room that show the panel's colours, through WLED's JSON API. Off unless an address is set."""

import json
import threading
import time
from typing import Any

from firmware.follower import Follower
from firmware.integrations.posting import NotTaken, post
from firmware.integrations.standing import Standing
from firmware.lamps import BUSY
from firmware.table import Table
from speech.sentence import say
from web.cues import LASTING, MOMENTS, Cue, played
from web.view import View

# A light that has not answered by then is not waited for; the next change tries again.
TIMEOUT_S = 1.0
# WLED's numbers: the effects Solid and Blink, and tenths of a second to the next colour.
SOLID, BLINK, SOFTLY = 0, 1, 4


class Lights:
    """Shows each cue in its colour, a moment blinking for as long as it plays. While hands and dice move nothing
    changes: light that moves in the tray's picture looks like dice that do. Only the newest colour is ever sent."""

    def __init__(self, url: str, table: Table) -> None:
        self._url = f"{url.rstrip('/')}/json/state"
        self._changed = threading.Condition()
        self._lasting: Cue | None = None
        self._moment: Cue | None = None
        self._over_s = 0.0
        self._still = True
        self._stopping = False
        self._standing = Standing(say("lights"), say("The lights have not been needed yet."))
        self._follower = Follower("colours", table, self._told)
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True)
        self.check = self._standing.check

    def start(self) -> None:
        self._thread.start()
        self._follower.start()

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._follower.stop()
        if self._thread.is_alive():
            self._thread.join(timeout=TIMEOUT_S)

    def _told(self, view: View) -> None:
        with self._changed:
            self._still = is_still(view)
            self._lasting = LASTING.get(view.panel.cue)
            moment = MOMENTS.get(view.panel.moment or "")
            if moment is not None:
                self._moment, self._over_s = moment, time.monotonic() + sum(step.s for step in played(moment))
            self._changed.notify()

    def _run(self) -> None:
        sent: dict[str, Any] | None = None
        while True:
            with self._changed:
                wanted, wait_s = self._wanted(time.monotonic())
                while not self._stopping and (wanted is None or wanted == sent):
                    self._changed.wait(wait_s)
                    wanted, wait_s = self._wanted(time.monotonic())
                if self._stopping or wanted is None:
                    return
            sent = wanted
            self._send(wanted)

    def _wanted(self, now_s: float) -> tuple[dict[str, Any] | None, float | None]:
        """WLED's state for now, None for leaving the lights as they are; and for how long that holds by itself."""
        if self._still or self._lasting is None:
            return None, None
        if self._moment is not None and now_s < self._over_s:
            return state(self._moment, BLINK), self._over_s - now_s
        return state(self._lasting, SOLID), None

    def _send(self, wanted: dict[str, Any]) -> None:
        try:
            post(self._url, json.dumps(wanted).encode(), {}, TIMEOUT_S)
        except NotTaken as error:
            self._standing.ill(
                say("The lights do not answer ({why}): check the address under [lights].", why=str(error))
            )
        else:
            self._standing.well(say("The lights follow the game."))


def is_still(view: View) -> bool:
    """Whether the lights must not change: something moves over the tray, or is being read."""
    return view.eye.state in BUSY and view.eye.state != "camera-lost"


def state(cue: Cue, effect: int) -> dict[str, Any]:
    colour = [int(cue.colour[at : at + 2], 16) for at in (1, 3, 5)]
    return {"on": True, "transition": SOFTLY, "seg": [{"col": [colour], "fx": effect}]}
