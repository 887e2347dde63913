"""News posted to an address of the owner's, signed. Off unless an address is set."""

import hashlib
import hmac
import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from firmware.follower import Follower
from firmware.integrations.news import happened
from firmware.integrations.posting import NotTaken, post
from firmware.integrations.settings import Hook
from firmware.integrations.standing import Standing
from firmware.table import Table
from speech.sentence import say
from web.view import View

TIMEOUT_S = 3.0
# Tried again after so many seconds, three times; then the news is old.
AGAIN_S = (1.0, 5.0, 25.0)
# News that wait, at most; the oldest go first.
WAITING = 64
SIGNATURE, STAMP, NAME = "X-Stickman-Signature", "X-Stickman-Timestamp", "X-Stickman-Event"


def signature(secret: bytes, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 over the time, a full stop and the body: the time in it makes news useless to who repeats it."""
    return "sha256=" + hmac.new(secret, stamp.encode() + b"." + body, hashlib.sha256).hexdigest()


class Webhook:
    """One thread follows the table and only queues; another posts, in order. `now`: seconds since 1970. `tray`: what
    this one is called."""

    def __init__(
        self,
        hook: Hook,
        table: Table,
        now: Callable[[], float],
        tray: str,
        again_s: Sequence[float] = AGAIN_S,
    ) -> None:
        self._hook, self._now, self._tray, self._again_s = hook, now, tray, tuple(again_s)
        self._before: View | None = None
        self._waiting: deque[dict[str, Any]] = deque(maxlen=WAITING)
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._standing = Standing("webhook", say("Nothing has happened that the webhook is told."))
        self._follower = Follower("news", table, self._told)
        self._poster = threading.Thread(target=self._run, name="webhook", daemon=True)
        self.check = self._standing.check

    def start(self) -> None:
        self._poster.start()
        self._follower.start()

    def stop(self) -> None:
        self._stopping.set()
        with self._changed:
            self._changed.notify()
        self._follower.stop()
        if self._poster.is_alive():
            self._poster.join(timeout=1)

    def _told(self, view: View) -> None:
        news = happened(self._before, view)
        self._before = view
        if news:
            with self._changed:
                self._waiting.extend(one | {"at": round(self._now(), 3)} for one in news)
                self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._stopping.is_set())
                if self._stopping.is_set():
                    return
                news = self._waiting.popleft()
            self._post(news)

    def _post(self, news: dict[str, Any]) -> None:
        body = json.dumps({"event": news.pop("event_type"), "tray": self._tray, **news}).encode()
        for pause_s in (*self._again_s, None):
            try:
                post(self._hook.url, body, self._headers(body), TIMEOUT_S)
            except NotTaken as error:
                self._standing.ill(
                    say("The webhook does not take what it is told ({why}): check [webhook] url.", why=str(error))
                )
                # Also ends the wait when the program stops.
                if not error.again or pause_s is None or self._stopping.wait(pause_s):
                    return
            else:
                self._standing.well(say("The webhook is told what happens."))
                return

    def _headers(self, body: bytes) -> dict[str, str]:
        stamp = str(int(self._now()))
        signed = {SIGNATURE: signature(self._hook.secret, stamp, body)} if self._hook.secret else {}
        return {NAME: json.loads(body)["event"], STAMP: stamp, **signed}
