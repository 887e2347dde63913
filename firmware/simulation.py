"""The simulated tray as the pages know it: a look at it, hands over the dice, fingers on the panel."""

import time
from collections.abc import Sequence

from firmware.drivers.gpio import MockPanel
from firmware.drivers.simulated.dice_sets import DICE_SETS
from firmware.drivers.simulated.tray import SET, Hands
from firmware.eye import Eye

STUCK_BUTTON = "stuck-button"


class Simulation:
    """Fits `web.ports.SimulatedTray`."""

    def __init__(self, hands: Hands, panel: MockPanel, eye: Eye) -> None:
        self._hands = hands
        self._panel = panel
        self._eye = eye

    def picture(self) -> bytes | None:
        return self._eye.picture()

    def busy(self) -> bool:
        return time.monotonic() < self._hands.quiet_s

    def throw(self, count: int, values: Sequence[int] | None = None, cocked: int = 0, coloured: bool = False) -> None:
        self._hands.throw(count, values, cocked, coloured)

    def aside(self, dice: Sequence[int], coloured: bool = False) -> None:
        self._hands.aside(dice, coloured)

    def clear(self) -> None:
        self._hands.clear()

    def dice_sets(self) -> tuple[str, ...]:
        return tuple(DICE_SETS)

    def dice_set(self) -> str:
        return self._hands.dice_set

    def count(self) -> int:
        return self._hands.count

    def use(self, dice_set: str, count: int | None = None) -> None:
        self._hands.use(dice_set, SET if count is None else count)

    def place(self) -> None:
        self._hands.place()

    def press(self, button: str, long: bool = False) -> None:
        self._panel.press(button, long)

    def fault(self, kind: str, seconds: float) -> None:
        if kind == STUCK_BUTTON:
            self._panel.stick("bank", seconds)
        else:
            self._hands.fault(kind, seconds)

    def faults(self) -> tuple[str, ...]:
        return (*self._hands.faults(), STUCK_BUTTON)
