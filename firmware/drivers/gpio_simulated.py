"""The panel of the simulated tray: the same panel, with a finger that works its buttons."""

import heapq
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

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


class _Finger:
    """A thread that closes and opens contacts at their times, as gpiozero's real factories call from their own."""

    def __init__(self, drive: Callable[[Button, bool], None]) -> None:
        self._drive = drive
        self._moves: list[tuple[float, int, Button, bool]] = []
        self._free_s: dict[Button, float] = {}
        self._number = count()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="finger", daemon=True)
        self._thread.start()

    def hold(self, button: Button, seconds: float) -> None:
        """Down, and up after `seconds`; after what this button has still before it."""
        with self._changed:
            start_s = max(time.monotonic(), self._free_s.get(button, 0.0))
            end_s = start_s + seconds
            heapq.heappush(self._moves, (start_s, next(self._number), button, True))
            heapq.heappush(self._moves, (end_s, next(self._number), button, False))
            self._free_s[button] = end_s + PAUSE_S
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=2)

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    return
                wait_s = self._moves[0][0] - time.monotonic() if self._moves else None
                if wait_s is None or wait_s > 0:
                    self._changed.wait(wait_s)
                    continue
                _, _, button, down = heapq.heappop(self._moves)
            for _ in range(CHATTER):
                self._drive(button, down)
                self._drive(button, not down)
            self._drive(button, down)


def _button(name: str) -> Button:
    for button in BUTTONS:
        if button == name:
            return button
    raise ValueError(f"There is no button {name!r}; there are {', '.join(BUTTONS)}.")
