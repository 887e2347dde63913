"""The table's side of the eye: keeps one eye process running.

The eye (`firmware.looking`) owns the camera and everything slow or native. If it dies or hangs it is started again,
and the game notices no more than "camera lost". They meet at one pipe that carries small frozen values
(`firmware.link`): a `Job` first, then scenes of the simulated tray, `StartFootage` and `UseProfile` down; happenings
and signs of life up. When the pipe closes, the eye ends.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Protocol

from calibration.deeds import KeepStill, Looked, StillKept
from firmware.child import Child
from firmware.link import (
    Alive,
    Coach,
    Drifted,
    Job,
    Lost,
    Offered,
    Opened,
    Picture,
    Pictured,
    Refused,
    Relock,
    Relocked,
    StartFootage,
    UseProfile,
    Using,
    WantPicture,
)
from speech.sentence import say
from vision.drift import Drift
from vision.happening import Happening

log = logging.getLogger(__name__)

PROGRAM = "firmware.looking"

# Signs of life come twice a second; a Pi Zero needs about ten seconds to load OpenCV and open its camera.
# Twice a second is what a board with time to spare gives: one that is busy is late, and to end an eye that is only
# late costs the throw it was watching.
HANG_S = 8.0
# It gives none while it reads a picture, and without a profile that may take a Pi Zero ten seconds.
HANG_READING_S = 20.0
OPENING_S = 30.0
# Eyes that are ended one soon after the other for their silence are late, not hung: each gets twice as long as the one
# before, at most so many times as long as usual, so that the slowest board gets one that sees.
LONGEST = 8
SOON_S = 600.0
PICTURE_S = 1.0
# How long it may be silent changes with what it is asked for meanwhile.
LOOK_S = 0.5
# A camera focuses, settles and shows that its controls hold: some ten seconds on a Pi Zero.
RELOCK_S = 20.0
# The eye reads the tray once with a new profile.
WATCHES_S = 5.0
BACKOFF_S = (0.0, 0.2, 0.5, 1.0, 2.0)
# The watch over the eye comes round twice a second; a killed eye that the kernel does not let go would hold it.
WEDGED_S = 15.0


class Watched(Protocol):
    """Who is told what the eye sees (the table)."""

    def saw(self, happening: Happening) -> None: ...

    def eye_size(self, width: int, height: int) -> None: ...

    def eye_lost(self, text: str = "") -> None: ...

    def told(self, event: Looked | StillKept) -> None: ...

    def drifted(self, drifts: tuple[Drift, ...]) -> None: ...

    def offered(self, slug: str, name: str) -> None: ...

    def faces_called(self, names: tuple[str, ...]) -> None: ...


class Eye:
    """The table's side: keeps one eye process running. `refused` is called with a sentence when the eye cannot work.
    `pictured`: called with the pictures of a throw, soon after it was told. `loading`: the process of the first eye,
    where it was started before. `rested` is set when the tray has been seen at rest with the profile in use: what
    moves from then on can be a throw."""

    def __init__(
        self,
        job: Job,
        table: Watched,
        refused: Callable[[str], None],
        pictured: Callable[[Pictured], None] = lambda _: None,
        loading: Child | None = None,
    ) -> None:
        self._job = job
        self._table = table
        self._refused = refused
        self._pictured = pictured
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._loading = loading
        self._stopping = threading.Event()
        self._looked = threading.Condition()
        self._picture, self._pictures = b"", 0
        self._camera = ""
        # Every eye counts throws from 1.
        self._rolls = self._rolls_before = 0
        self._relocks: SimpleQueue[Relocked] = SimpleQueue()
        self._relocking = threading.Lock()
        self.rested = threading.Event()
        self._times_as_long = 1
        self.last_sign_s = 0.0
        self._round_s = time.monotonic()
        self._thread = threading.Thread(target=self._keep, name="eye", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def turns(self) -> bool:
        """Whether the eye is still watched over, be it well or not."""
        return self._thread.is_alive() and time.monotonic() - self._round_s < WEDGED_S

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    def show(self, scene: object) -> None:
        """The simulated tray has changed; a new eye starts with this scene too."""
        with self._lock:
            self._job = replace(self._job, scene=scene)
            self._send(scene)

    def start_footage(self, at_s: float) -> None:
        with self._lock:
            if self._job.footage_s is None:
                self._job = replace(self._job, footage_s=at_s)
                self._send(StartFootage(at_s))

    @property
    def profile(self) -> str | None:
        """Path of the profile that is read with; None without one, or with that of the simulated tray."""
        return self._job.profile

    @property
    def camera(self) -> str:
        """The camera's name; empty before it was opened."""
        return self._camera

    def coach(self, step: str | None) -> None:
        """A calibration is at this step, None: at none that needs live looks."""
        with self._lock:
            self._job = replace(self._job, coach=step)
            self._send(Coach(step))

    def keep_still(self, name: str) -> None:
        """Keep the next frame for the calibration under way; `StillKept` follows."""
        with self._lock:
            self._send(KeepStill(name))

    def use_profile(self, path: str | None) -> None:
        """Read with this profile from now on, an eye that starts again too."""
        with self._lock:
            self._job = replace(self._job, profile=path)
            self.rested.clear()
            self._send(UseProfile(path))

    def watches(self) -> bool:
        """Wait until what moves would be told as a throw; at most some seconds, since a hand may rest over the tray. A
        throw that comes sooner is asked about."""
        return self.rested.wait(WATCHES_S)

    def picture(self, timeout_s: float = PICTURE_S) -> bytes | None:
        """The next frame as a small JPEG; None when none came in time."""
        with self._looked:
            before = self._pictures
            with self._lock:
                self._send(WantPicture())
            came = self._looked.wait_for(lambda: self._pictures > before, timeout_s)
            return self._picture if came else None

    def relock(self, timeout_s: float = RELOCK_S) -> Relocked:
        """Have the tray set again: the camera settles, and a new profile is made of the one in use. An answer without a
        profile says why not."""
        with self._relocking:
            while not self._relocks.empty():
                self._relocks.get()
            with self._lock:
                self._send(Relock())
            try:
                return self._relocks.get(timeout=timeout_s)
            except Empty:
                return Relocked(None, say("The camera did not answer in time: try again."))

    def stop(self) -> None:
        self._stopping.set()
        with self._lock:
            if self._child is not None:
                self._child.hurry()
        if self._thread.is_alive():
            self._thread.join(timeout=3)

    def _send(self, message: object) -> None:
        # An eye that has just died gets the same from the next job.
        with contextlib.suppress(OSError):
            if self._child is not None:
                self._child.link.send(message)

    def _keep(self) -> None:
        failures = 0
        while not self._stopping.wait(BACKOFF_S[min(failures, len(BACKOFF_S) - 1)]):
            seen = self._one_life()
            failures = 0 if seen else failures + 1
            if not self._stopping.is_set():
                log.warning("the eye has ended and is started again")
                self._table.eye_lost(say("The eye is starting again. Enter this throw by hand, or wait a moment."))

    def _one_life(self) -> bool:
        """Run one eye process to its end; whether it ever saw a picture."""
        with self._lock:
            if self._stopping.is_set():
                return False
            child, self._loading = self._loading or Child(PROGRAM), None
            self._child = child
            self._send(self._job)
        self._rolls_before = self._rolls
        seen, began_s = False, time.monotonic()
        try:
            while not self._stopping.is_set():
                if not self._answers(child.link, seen):
                    log.warning("the eye gave no sign of life")
                    soon = time.monotonic() - began_s < SOON_S
                    self._times_as_long = min(2 * self._times_as_long, LONGEST) if soon else 1
                    break
                seen = self._take(child.link.recv()) or seen
        except (EOFError, OSError):
            pass
        finally:
            self._end(child)
        return seen

    def _answers(self, link: Connection, seen: bool) -> bool:
        """Wait for a message; False when the eye has been silent for too long."""
        since_s = time.monotonic()
        self._round_s = time.monotonic()
        while not link.poll(LOOK_S):
            self._round_s = time.monotonic()
            if time.monotonic() - since_s > self._times_as_long * (self._patience_s() if seen else OPENING_S):
                return False
        return True

    def _patience_s(self) -> float:
        """How long an eye that sees may be silent."""
        if self._relocking.locked() or self._job.coach is not None:
            return RELOCK_S
        return HANG_S if self._job.profile or self._job.camera == "simulated" else HANG_READING_S

    def _take(self, message: object) -> bool:
        self.last_sign_s = time.monotonic()
        match message:
            case Happening(roll=roll):
                if roll is not None:
                    self._rolls = self._rolls_before + roll
                    message = replace(message, roll=self._rolls)
                self._table.saw(message)
                if message.found:
                    self.rested.set()
            case Alive(camera=camera):
                self._camera = camera
            case Opened(width, height):
                self._table.eye_size(width, height)
                return True
            case Using(faces):
                self._table.faces_called(faces)
            case Lost(text):
                self._table.eye_lost(text)
            case Refused(text):
                self._refused(text)
            case Looked() | StillKept():
                self._table.told(message)
            case Drifted(drifts):
                self._table.drifted(drifts)
            case Offered(slug, name):
                self._table.offered(slug, name)
            case Relocked():
                self._relocks.put(message)
            case Pictured():
                self._pictured(message)
            case Picture(jpeg):
                with self._looked:
                    self._picture, self._pictures = jpeg, self._pictures + 1
                    self._looked.notify_all()
        return False

    def _end(self, child: Child) -> None:
        # Killed first: a message that waits for a hung eye holds the lock until the pipe breaks.
        child.kill()
        with self._lock:
            self._child = None
        child.link.close()
