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
from firmware.drivers import Button, Lamps, Press
from firmware.drivers.gpio_effects import CUES, FRAME_S, Step, breath, step_at
from firmware.drivers.gpio_pins import PanelPins, PinTrouble

log = logging.getLogger(__name__)

BUTTONS: tuple[Button, ...] = ("bank", "undo", "mode")
# While a contact is closed its pin is looked at as well, so that a lost edge cannot leave a button down for ever.
LOOK_S = 0.1
STUCK = "The {button} button seems to be stuck; free it. Until then use the phone."


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
        self._shown_s = time.monotonic()
        self._cue: tuple[Step, ...] = ()
        self._cue_s = -inf
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
        """Change the lamps. Never blocks. A sound is played when these lamps differ from the ones before."""
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
                self._say((f"{error} The panel is off; play on with the phone and start the tray again.",))

    def _next(self) -> _Edge | Lamps | None:
        """The next thing to see to; None when it is time to look for ourselves."""
        wait_s = self._wake_s(time.monotonic())
        try:
            return self._inbox.get(timeout=None if wait_s == inf else max(wait_s, 0.0))
        except Empty:
            return None

    def _wake_s(self, now_s: float) -> float:
        """Seconds until an effect, a cue or a button needs the thread."""
        wakes = [due_s(contact, self.timing) - now_s for contact in self._contacts.values()]
        if any(contact.closed or contact.down for contact in self._contacts.values()):
            wakes.append(LOOK_S)
        if self._lamps.pulse:
            wakes.append(FRAME_S)
        playing = step_at(self._cue, now_s - self._cue_s)
        if playing is not None:
            wakes.append(self._cue_s + playing[1] - now_s)
        return min(wakes)

    def _change(self, lamps: Lamps) -> None:
        if lamps == self._lamps:
            return
        now_s = time.monotonic()
        if lamps.pulse and not self._lamps.pulse:
            self._shown_s = now_s
        if lamps.sound is not None:
            self._cue, self._cue_s = CUES[lamps.sound], now_s
        self._lamps = lamps

    def _draw(self, now_s: float) -> None:
        """Bring the pins to what lamps, effect and cue say; pins that are there already are left alone."""
        lamps = self._lamps
        playing = step_at(self._cue, now_s - self._cue_s)
        level = breath(now_s - self._shown_s) if lamps.pulse else 1.0
        tone = None
        if playing is not None:
            tone = playing[0].hz
            level = 1.0 if tone is not None else 0.0
        red, green, blue = (level * part for part in lamps.status)
        lit = (red, green, blue), lamps.dice_left, lamps.bank
        if lit != self._lit:
            self._pins.light(*lit)
            self._lit = lit
        if tone != self._tone:
            self._pins.sound(tone)
            self._tone = tone

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
    sentence = STUCK.format(button=outcome.button.upper())
    others = tuple(other for other in before if other != sentence)
    return (*others, sentence) if isinstance(outcome, Stuck) else others


def _nobody(_: object) -> None:
    """Nobody listens yet."""
