"""What the eye tells that reaches the table: nothing of a calibration does, and nothing that lies there from one."""

from typing import Protocol

from calibration.course import Lead
from firmware.link import AT_REST
from vision.drift import Drift
from vision.happening import Happening
from vision.seen import SeenDie


class TableOf(Protocol):
    """What is told to the table."""

    def saw(self, happening: Happening) -> None: ...

    def lies(self, dice: tuple[SeenDie, ...]) -> None: ...

    def eye_size(self, width: int, height: int) -> None: ...

    def drifted(self, drifts: tuple[Drift, ...]) -> None: ...

    def offered(self, slug: str, name: str) -> None: ...

    def faces_called(self, names: tuple[str, ...]) -> None: ...

    def eye_lost(self, text: str = "") -> None: ...

    def calibrating(self, step: Lead) -> None: ...


class PassedOn:
    """For one thread at a time.

    What was read with a draft and is still on its way here when a calibration ends was no throw for the game, nor are
    dice that lie there when the eye watches again, unless something has moved since. What still fell when it began may
    be the throw of a game, so what lies there afterwards is asked about; not once the empty tray has been shown.
    """

    def __init__(self, table: TableOf) -> None:
        self._table = table
        self._deaf = False
        # The table was told that a throw falls, or that a hand is there: what lies there afterwards may be that throw.
        self._falling = self._stirred = False

    def meanwhile(self, happening: Happening) -> None:
        """Something happened while a calibration is under way."""
        if happening.kind in AT_REST and not self._falling:
            self._table.lies(happening.dice)

    def goes_on(self, under_way: bool, emptied: bool) -> None:
        """A step was done. `under_way`: before it. `emptied`: the picture of the empty tray has been taken."""
        self._deaf = under_way or self._deaf
        self._falling = self._falling and not emptied
        self._stirred = self._stirred and not under_way

    def saw(self, happening: Happening) -> None:
        """Something happened with no calibration under way."""
        moving = happening.kind not in AT_REST and happening.kind != "camera-lost"
        if self._deaf:
            self._stirred |= moving or happening.roll is not None
            if not happening.found:
                return
            self._deaf = False
            if not self._stirred and not self._falling:
                self._table.lies(happening.dice)
        self._falling = moving
        self._table.saw(happening)
