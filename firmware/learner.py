"""The table's side of the learning process (`firmware.learning`): started with a calibration, ended with it."""

import contextlib
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection

from calibration.deeds import Event, Learn, NotLearnt, Study
from firmware.child import Child
from firmware.lessons import Lessons
from speech.sentence import say

DIED = say("The learning has stopped unexpectedly, the tray may be short of memory: begin again.")


class Learner:
    """`told`: called with what it answers, from a thread of its own; with `NotLearnt` should it die."""

    def __init__(self, lessons: Lessons, told: Callable[[Event], None]) -> None:
        self._told = told
        self._closed = False
        self._child = Child("firmware.learning")
        self._child.link.send(lessons)
        self._thread = threading.Thread(target=self._listen, args=(self._child.link,), name="learner", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._child.alive

    def do(self, order: Study | Learn) -> None:
        # One that has died says so from its own thread.
        with contextlib.suppress(OSError):
            self._child.link.send(order)

    def close(self) -> None:
        """May be called from its own thread, and twice."""
        self._closed = True
        self._child.kill()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=2)

    def _listen(self, link: Connection) -> None:
        try:
            while True:
                event = link.recv()
                if not self._closed:
                    self._told(event)
        except (EOFError, OSError):
            if not self._closed:
                self._told(NotLearnt(DIED))
        finally:
            link.close()
