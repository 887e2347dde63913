"""The sign of life that systemd waits for: given only while eye, table and pages turn."""

import contextlib
import http.client
from collections.abc import Callable, Mapping

from firmware import systemd
from firmware.box import Box

# A healthy table and healthy pages answer within milliseconds, on a busy Pi Zero within some tenths of a second.
ANSWER_S = 2.0
# Three may go unheard before the fourth is too late.
BEATS = 4


class Heartbeat:
    """`parts`: what has to turn, each with the sentence that is said when it does not."""

    def __init__(self, parts: Mapping[str, Callable[[], bool]], env: Mapping[str, str]) -> None:
        self._parts, self._env = parts, env
        waits_s = systemd.watchdog_s(env)
        self._every_s = None if waits_s is None else waits_s / BEATS
        self._due_s = 0.0

    def beat(self, now_s: float) -> str | None:
        """Give the sign when it is due. Returns the sentence of a part that does not turn: the sign is then held back,
        and when that lasts systemd starts the tray anew, from its journal."""
        if self._every_s is None or now_s < self._due_s:
            return None
        self._due_s = now_s + self._every_s
        still = next((sentence for sentence, turns in self._parts.items() if not turns()), None)
        if still is None:
            systemd.tell(self._env, "WATCHDOG=1")
        return still


def parts_of(box: Box) -> dict[str, Callable[[], bool]]:
    """A lost camera is not among them: the eye goes on trying, and throws are entered by hand meanwhile."""
    return {
        "The watch over the eye hangs.": box.eye.turns,
        "The table does not answer.": lambda: box.table.turns(ANSWER_S),
        "The pages do not answer.": lambda: pages_answer(*box.door),
    }


def pages_answer(host: str, port: int, timeout_s: float = ANSWER_S) -> bool:
    """Whether this machine gets an answer from its own pages."""
    with contextlib.closing(http.client.HTTPConnection(host, port, timeout=timeout_s)) as line:
        try:
            line.request("GET", "/healthz")
            return line.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
