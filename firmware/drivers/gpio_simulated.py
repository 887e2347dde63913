"""The panel of the simulated tray: the same panel, with a finger that works its buttons."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from firmware.buttons import Timing
from firmware.drivers import Button
from firmware.drivers.gpio_panel import BUTTONS, GpioPanel
from firmware.drivers.gpio_pins import PanelPins

# A short press of a person takes 0.1 to 0.2 s.
TAP_S = 0.12
PAUSE_S = 0.08
# Contacts chatter at both ends. All changes come at once: a busy machine could stretch pauses between them beyond what
# any real contact does.
CHATTER = 2


@dataclass(frozen=True, slots=True)
class Shining:
    """What the outputs are at, read from the pins. `dice_left`: number of lamps lit; `tone_hz`: None when silent."""

    status: tuple[float, float, float]
    dice_left: int
    bank: bool
    tone_hz: float | None


class MockPanel(GpioPanel):
    """A `GpioPanel` on simulated pins. Presses go down the whole way: contact, chatter, edge, debounce."""

    def __init__(self, pins: PanelPins, timing: Timing | None = None) -> None:
        super().__init__(pins, timing)
        self._finger = _Finger(pins.drive)

    def press(self, button: str, long: bool = False) -> None:
        """Press and let go. Returns at once; the press is heard when its time has passed. Raises `ValueError`."""
        held_s = self.timing.long_s * 1.25 if long else min(TAP_S, self.timing.long_s / 2)
        self._finger.hold(_button(button), held_s)

    def stick(self, button: str, seconds: float) -> None:
        """The button jams for so long. Returns at once. Raises `ValueError`."""
        self._finger.hold(_button(button), seconds)

    def shining(self) -> Shining:
        status, bar, bank, tone_hz = self._pins.shining()
        return Shining(status, sum(bar), bank, tone_hz)

    def close(self) -> None:
        self._finger.close()
        super().close()


@dataclass(frozen=True, slots=True)
class _Move:
    """A contact closes (`down`) or opens, and is left alone for `rest_s`."""

    down: bool
    rest_s: float


class _Finger:
    """A thread that closes and opens contacts at their times, as gpiozero's real factories call from their own.

    Every wait is counted from the move before it as it was really made: on a machine that stalls, presses come later
    but never run into each other."""

    def __init__(self, drive: Callable[[Button, bool], None]) -> None:
        self._drive = drive
        self._waiting: dict[Button, deque[_Move]] = {button: deque() for button in BUTTONS}
        self._free_s = dict.fromkeys(BUTTONS, -inf)
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="finger", daemon=True)
        self._thread.start()

    def hold(self, button: Button, seconds: float) -> None:
        """Down, and up after `seconds`; after what this button has still before it."""
        with self._changed:
            self._waiting[button].extend((_Move(True, seconds), _Move(False, PAUSE_S)))
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=2)

    def _run(self) -> None:
        while (due := self._due()) is not None:
            button, move = due
            for _ in range(CHATTER):
                self._drive(button, move.down)
                self._drive(button, not move.down)
            self._drive(button, move.down)
            self._free_s[button] = time.monotonic() + move.rest_s

    def _due(self) -> tuple[Button, _Move] | None:
        """The next move, when its time has come; None when the finger is taken away."""
        with self._changed:
            while not self._closed:
                button = min((one for one in BUTTONS if self._waiting[one]), key=self._free_s.__getitem__, default=None)
                wait_s = None if button is None else self._free_s[button] - time.monotonic()
                if button is not None and wait_s is not None and wait_s <= 0:
                    return button, self._waiting[button].popleft()
                self._changed.wait(wait_s)
        return None


def _button(name: str) -> Button:
    for button in BUTTONS:
        if button == name:
            return button
    raise ValueError(f"There is no button {name!r}; there are {', '.join(BUTTONS)}.")
