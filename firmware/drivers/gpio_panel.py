"""The panel: one thread that owns its pins, and all others hand over to it."""

import atexit
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from queue import Empty, SimpleQueue

from firmware.buttons import Contact, Freed, Outcome, Stuck, Timing, at_start, contact, due_s
from firmware.drivers import Button, Lamps, Light, Press
from firmware.drivers.gpio_effects import again, length_s, once
from firmware.drivers.gpio_pins import PanelPins, PinTrouble
from speech.sentence import joined, say

log = logging.getLogger(__name__)

BUTTONS: tuple[Button, ...] = ("bank", "undo", "mode")
# While a contact is closed its pin is looked at as well, so that a lost edge cannot leave a button down for ever.
LOOK_S = 0.1
DARK = Light(inf, (0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class _Edge:
    button: Button
    closed: bool
    at_s: float


class GpioPanel:
    """Lamps, buttons and buzzer on gpiozero's pins; fits `firmware.drivers.Panel`.

    `troubles`: sentences about what does not work now, such as a stuck button. When the pins stop answering the panel
    goes dark, says so in `troubles`, and takes no more presses; nothing else stops.
    """

    def __init__(self, pins: PanelPins, timing: Timing | None = None) -> None:
        self.factory = pins.factory.name
        self.troubles: tuple[str, ...] = ()
        self.timing = timing or Timing()
        self._pins = pins
        self._inbox: SimpleQueue[_Edge | Lamps | None] = SimpleQueue()
        self._pressed: Callable[[Press], None] = _nobody
        self._troubled: Callable[[tuple[str, ...]], None] = _nobody
        self._lamps = Lamps()
        self._lasting_s = time.monotonic()
        self._moment: tuple[Light, ...] = ()
        self._moment_s = -inf
        self._lit: object = None
        self._tone: int | None = None
        self._closing = threading.Lock()
        self._closed = False
        try:
            pins.watch(lambda button, down: self._inbox.put(_Edge(button, down, time.monotonic())))
            now_s = time.monotonic()
            self._contacts = {button: at_start(button, pins.is_down(button), now_s) for button in BUTTONS}
        except PinTrouble:
            pins.close()
            raise
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def show(self, lamps: Lamps) -> None:
        """Change the lamps. Never blocks. A moment is played each time it is shown."""
        self._inbox.put(lamps)

    def listen(
        self, pressed: Callable[[Press], None], troubled: Callable[[tuple[str, ...]], None] | None = None
    ) -> None:
        """From the panel's own thread call `pressed` for each press, and `troubled` with all `troubles` on a change."""
        self._troubled = troubled or _nobody
        self._pressed = pressed

    def close(self) -> None:
        """Everything off, pins given back. May be called twice, and from within `pressed`."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
        atexit.unregister(self.close)
        self._inbox.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=2)
        self._off()

    def _off(self) -> None:
        try:
            self._pins.close()
        except PinTrouble as error:
            log.warning("%s", error)

    def _run(self) -> None:
        try:
            while not self._closed:
                self._draw(time.monotonic())
                item = self._next()
                if isinstance(item, Lamps):
                    self._change(item)
                elif item is not None:
                    self._feel(item)
                self._look(time.monotonic())
        except PinTrouble as error:
            if not self._closed:
                self._off()
                self.factory = "none"
                off = say("The panel is off; play on with the phone and start the tray again.")
                self._say((joined([str(error), off]),))

    def _next(self) -> _Edge | Lamps | None:
        """The next thing to see to; None when it is time to look for ourselves."""
        wait_s = self._wake_s(time.monotonic())
        try:
            return self._inbox.get(timeout=None if wait_s == inf else max(wait_s, 0.0))
        except Empty:
            return None

    def _wake_s(self, now_s: float) -> float:
        """Seconds until the next light or a button needs the thread."""
        wakes = [due_s(contact, self.timing) - now_s for contact in self._contacts.values()]
        if any(contact.closed or contact.down for contact in self._contacts.values()):
            wakes.append(LOOK_S)
        return min(*wakes, self._playing(now_s)[1] - now_s)

    def _change(self, lamps: Lamps) -> None:
        before, self._lamps = self._lamps, lamps
        now_s = time.monotonic()
        if lamps.moment or lamps.still:
            self._moment, self._moment_s = lamps.moment, now_s
        over_s = self._moment_s + length_s(self._moment)
        if lamps.lasting != before.lasting or over_s > now_s:
            self._lasting_s = max(now_s, over_s)

    def _playing(self, now_s: float) -> tuple[Light | None, float]:
        """The light to be shown now, and when it ends; a moment comes before what lasts."""
        moment = once(self._moment, now_s - self._moment_s)
        if moment is not None:
            return moment[0], self._moment_s + moment[1]
        lasting = again(self._lamps.lasting, now_s - self._lasting_s)
        return (None, inf) if lasting is None else (lasting[0], self._lasting_s + lasting[1])

    def _draw(self, now_s: float) -> None:
        """Bring the pins to what is played; pins that are there already are left alone."""
        lamps = self._lamps
        light = self._playing(now_s)[0] or DARK
        lit = (
            light.status,
            lamps.dice_left if light.dice_left is None else light.dice_left,
            lamps.bank if light.bank is None else light.bank,
        )
        if lit != self._lit:
            self._pins.light(*lit)
            self._lit = lit
        if light.hz != self._tone:
            self._pins.sound(light.hz)
            self._tone = light.hz

    def _feel(self, edge: _Edge) -> None:
        before = self._contacts[edge.button]
        self._settle(*contact(before, edge.closed, edge.at_s, self.timing))

    def _look(self, now_s: float) -> None:
        """Let time pass for the buttons, and mend a lost edge. Edges still waiting come first: they are older."""
        if not self._inbox.empty():
            return
        for button, before in tuple(self._contacts.items()):
            watched = before.closed or before.down
            closed = self._pins.is_down(button) if watched else before.closed
            self._settle(*contact(before, closed, now_s, self.timing))

    def _settle(self, after: Contact, outcomes: tuple[Outcome, ...]) -> None:
        self._contacts[after.button] = after
        for outcome in outcomes:
            if isinstance(outcome, Press):
                self._pressed(outcome)
            else:
                self._say(_troubles(self.troubles, outcome))

    def _say(self, troubles: tuple[str, ...]) -> None:
        for sentence in troubles:
            if sentence not in self.troubles:
                log.warning("%s", sentence)
        self.troubles = troubles
        self._troubled(troubles)


def _troubles(before: tuple[str, ...], outcome: Stuck | Freed) -> tuple[str, ...]:
    sentence = say(
        "The {button} button seems to be stuck; free it. Until then use the phone.", button=outcome.button.upper()
    )
    others = tuple(other for other in before if other != sentence)
    return (*others, sentence) if isinstance(outcome, Stuck) else others


def _nobody(_: object) -> None:
    """Nobody listens yet."""
