"""The one owner of a calibration under way, between eye, learning process, shelf of dice sets and table.

While one is under way the eye's happenings end here, so that no throw counts for a game. Everything it makes lies in
`calibration/` in the state folder, and only the last step puts it on the shelf: whatever ends before that, a power cut
too, leaves the set in use as it was.
"""

import contextlib
import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from calibration import kept
from calibration.course import Calibration, Lead, NotNow
from calibration.deeds import (
    Begun,
    Deed,
    Event,
    KeepStill,
    Learn,
    Offered,
    Order,
    Restore,
    Rolled,
    Save,
    StillKept,
    Study,
    Ticked,
    TryOut,
)
from calibration.rolled import rolled
from calibration.wizard import follow
from firmware.errors import BadInput, BadState
from firmware.learner import Learner
from firmware.lessons import DRAFT, FOLDER, Lessons, face_name
from firmware.passed_on import PassedOn, TableOf
from firmware.sets import Shelf
from speech.sentence import say
from vision.control import Control
from vision.dice_set import Roll
from vision.drift import Drift
from vision.errors import VisionError
from vision.happening import Happening
from web.refusals import TrayBusy

log = logging.getLogger(__name__)

TICK_S = 5.0


class EyeOf(Protocol):
    """What is asked of the eye."""

    def picture(self) -> bytes | None: ...

    def coach(self, step: str | None) -> None: ...

    def keep_still(self, name: str) -> None: ...

    def use_profile(self, path: str | None) -> None: ...

    @property
    def profile(self) -> str | None: ...

    @property
    def camera(self) -> str: ...


class Calibrating:
    """Fits `web.ports.Calibrator`, and stands before the table as `firmware.eye.Watched`. Any thread may call it.

    `today`: the date, ISO. `version`: of the program. `clock`: monotonic seconds."""

    def __init__(
        self,
        state_dir: Path,
        table: TableOf,
        shelf: Shelf,
        today: Callable[[], str],
        version: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = state_dir / FOLDER
        self._table, self._shelf = table, shelf
        self._passed_on = PassedOn(table)
        self._today, self._version, self._clock = today, version, clock
        self._lock = threading.RLock()
        self._now = Calibration()
        self._eye: EyeOf | None = None
        self._learner: Learner | None = None
        self._before: str | None = None
        self._keeping: set[str] = set()
        self._controls: Mapping[str, Control] = {}
        self._size = (0, 0)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._tick, name="calibrating", daemon=True)

    def start(self, eye: EyeOf) -> None:
        # What a power cut left of another calibration is of no use any more.
        shutil.rmtree(self._folder, ignore_errors=True)
        self._eye = eye
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        with self._lock:
            self._dismiss()

    # What the pages ask.

    def now(self) -> Calibration:
        return self._now

    def do(self, deed: Deed) -> Calibration:
        with self._lock:
            if isinstance(deed, Begun) and self._shelf.fixed is not None:
                raise NotNow(
                    say(
                        "The tray was started with {name}: start it without --profile to calibrate.",
                        name=self._shelf.fixed,
                    )
                )
            self._happens(deed)
            return self._now

    def picture(self, still: str | None = None) -> bytes | None:
        if still is None:
            return self._eye.picture() if self._eye is not None else None
        name = self._still(still)
        try:
            return (self._folder / f"{name}.jpg").read_bytes() if name else None
        except OSError:
            return None

    def names(self) -> tuple[str, ...]:
        return tuple(self._shelf.name(slug) for slug in self._shelf.slugs())

    def can_undo(self) -> bool:
        return self._shelf.can_go_back()

    def undo(self) -> None:
        """The calibration before of the set in use; of a new set, the set that was in use before."""
        with self._lock:
            if self._now.under_way:
                raise NotNow(say("A calibration is under way: cancel it first."))
            with _sentences():
                self._shelf.go_back()

    # What the eye tells.

    def saw(self, happening: Happening) -> None:
        with self._lock:
            if not self._now.under_way:
                self._passed_on.saw(happening)
                return
            self._passed_on.meanwhile(happening)
            if happening.roll is not None and happening.kind in ("settled", "unsure"):
                self._happens(self._rolled(happening))

    def eye_size(self, width: int, height: int) -> None:
        self._size = (width, height)
        self._table.eye_size(width, height)
        with self._lock:
            # A new eye knows nothing of the pictures that the one before was to keep.
            for name in sorted(self._keeping):
                self._order(KeepStill(name))

    def button_held(self) -> None:
        """MODE was held: page and lamp lead to a calibration."""
        self.told(Offered())

    def drifted(self, drifts: tuple[Drift, ...]) -> None:
        self._table.drifted(drifts)

    def offered(self, slug: str, name: str) -> None:
        self._table.offered(slug, name)

    def faces_called(self, names: tuple[str, ...]) -> None:
        self._table.faces_called(names)

    def eye_lost(self, text: str = "") -> None:
        self._table.eye_lost(text)

    def told(self, event: Event) -> None:
        """Something happened, by the eye or the learning process."""
        with self._lock:
            if isinstance(event, StillKept):
                self._keeping.discard(event.name)
                self._controls = event.controls or self._controls
            self._happens(event)

    # All under the lock.

    def _happens(self, event: Event) -> None:
        before = self._now
        after, orders = follow(before, event, self._clock())
        if isinstance(event, Begun):
            self._begin()
        for order in orders:
            with _sentences():
                self._obey(order, after)
        self._passed_on.goes_on(before.under_way, after.emptied)
        self._now = after
        if after.lead != before.lead:
            log.info("calibration: %s", after.lead)
            self._lead(after.lead)

    def _begin(self) -> None:
        assert self._eye is not None, "started with its eye"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._before = self._eye.profile
        self._dismiss()
        self._teacher()

    def _teacher(self) -> Learner:
        """The learning process; another one should it have died with nothing to do."""
        if self._learner is None or not self._learner.alive:
            self._dismiss()
            self._learner = Learner(Lessons(str(self._folder), self._today(), self._version), self.told)
        return self._learner

    def _lead(self, step: Lead) -> None:
        if self._eye is not None:
            self._eye.coach(step if step in ("light", "empty", "tray", "dice", "learning", "faces") else None)
        self._table.calibrating(step)

    def _obey(self, order: Order, after: Calibration) -> None:
        match order:
            case KeepStill():
                self._order(order)
            case Study() | Learn():
                self._teacher().do(order)
            case TryOut():
                self._use(str(self._folder / DRAFT))
            case Save(name):
                self._save(name, after)
            case Restore():
                self._use(self._before)
                self._keeping.clear()
                self._dismiss()

    def _order(self, order: KeepStill) -> None:
        self._keeping.add(order.name)
        if self._eye is not None:
            self._eye.keep_still(order.name)

    def _use(self, path: str | None) -> None:
        if self._eye is not None:
            self._eye.use_profile(path)

    def _save(self, name: str, after: Calibration) -> None:
        draft = kept.load(self._folder / DRAFT)
        rolls = tuple(Roll(roll.values, roll.sure, roll.least) for roll in after.rolls)
        learned = replace(draft.written.learned, camera=self._eye.camera if self._eye is not None else "")
        written = replace(draft.written, rolls=rolls, learned=learned, controls=self._controls)
        self._shelf.keep(replace(draft, written=written), name)
        self._dismiss()

    def _dismiss(self) -> None:
        if self._learner is not None:
            self._learner.close()
            self._learner = None

    def _rolled(self, happening: Happening) -> Rolled:
        width, height = self._size
        sight = rolled(happening.dice, happening.doubts, self._now.count, width, height)
        return Rolled(sight, happening.kind == "settled")

    def _still(self, name: str) -> str | None:
        """The file of "empty", "dice0", ..., of "roll1", ... which count from the first that is shown, or of a face
        that is asked about."""
        rolls = {f"roll{number}": roll.still for number, roll in enumerate(self._now.rolls, 1)}
        faces = {face_name(number): face_name(number) for number in range(1, len(self._now.unnamed) + 1)}
        known = {kept: kept for kept in (*self._now.stills, self._now.asked) if kept is not None}
        return (known | rolls | faces).get(name)

    def _tick(self) -> None:
        while not self._stopping.wait(TICK_S):
            with self._lock:
                self._happens(Ticked())


@contextlib.contextmanager
def _sentences() -> Iterator[None]:
    try:
        yield
    except (BadInput, VisionError) as error:
        raise NotNow(str(error)) from None
    except BadState as error:
        raise TrayBusy(str(error)) from None
