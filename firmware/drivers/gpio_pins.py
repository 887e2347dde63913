"""Buttons, lamps and buzzer on gpiozero's pins: the only file that names gpiozero."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gpiozero import DigitalInputDevice, DigitalOutputDevice, PWMOutputDevice
from gpiozero.exc import GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.board import header_chip
from firmware.drivers import Button
from firmware.errors import StickmanError
from hardware.facts import Pin, Pins
from speech.sentence import say


class PinTrouble(StickmanError, OSError):
    """The pins cannot be opened, or stopped answering."""


@dataclass(frozen=True, slots=True)
class Factory:
    """One of gpiozero's pin factories. `failures`: what it raises when a pin does not answer."""

    name: str
    pins: Any
    failures: tuple[type[Exception], ...] = (GPIOZeroError, OSError)


def mock_factory() -> Factory:
    """gpiozero's own simulated pins, with PWM."""
    return Factory("mock", MockFactory(pin_class=MockPWMPin))


def lgpio_factory(env: Mapping[str, str]) -> Factory:
    """The pins of the Pi this runs on. Raises `PinTrouble` with the cure."""
    # lgpio makes its working folder the program's and leaves a named pipe there; importing it fails where that may not
    # be written, as in a service. Relative paths of ours must go on meaning what they meant.
    os.environ.setdefault("LG_WD", env.get("RUNTIME_DIRECTORY", "").split(":")[0] or tempfile.gettempdir())
    folder = os.getcwd()
    try:
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory
    except (ImportError, OSError) as error:
        cure = (
            "apt-get install python3-lgpio, a virtual environment made with --system-site-packages, a writable $LG_WD"
        )
        raise PinTrouble(
            say(
                "The library for the Pi's pins cannot be used ({error}); it needs: {cure}.", error=str(error), cure=cure
            )
        ) from error
    finally:
        os.chdir(folder)
    try:
        # Without a chip that names itself gpiozero's own guess is the best there is.
        return Factory("lgpio", LGPIOFactory(chip=header_chip()), (GPIOZeroError, OSError, lgpio.error))
    except (GPIOZeroError, OSError, lgpio.error) as error:
        raise PinTrouble(
            say(
                "The Pi's pins cannot be opened ({error}): add the user to the group gpio, and stop other programs "
                "that use the pins.",
                error=str(error),
            )
        ) from error


class PanelPins:
    """The panel's wires as gpiozero devices. Outputs start dark and silent. All methods raise `PinTrouble`."""

    def __init__(self, pins: Pins, factory: Factory) -> None:
        self.factory = factory
        self._open: list[Any] = []
        wired: dict[Button, Pin] = {"bank": pins.bank, "undo": pins.undo, "mode": pins.mode}
        try:
            with self._answering():
                # No bounce_time: gpiozero's loses edges; `firmware.buttons` debounces.
                self._buttons: dict[Button, Any] = {
                    name: self._device(DigitalInputDevice, pin.gpio, pull_up=True, bounce_time=None)
                    for name, pin in wired.items()
                }
                self._status = [self._device(PWMOutputDevice, p.gpio) for p in (pins.red, pins.green, pins.blue)]
                self._bar = [self._device(DigitalOutputDevice, pin.gpio) for pin in pins.dice_left]
                self._bank = self._device(DigitalOutputDevice, pins.bank_lamp.gpio)
                self._buzzer = self._device(PWMOutputDevice, pins.buzzer.gpio)
                self._hush()
        except PinTrouble:
            self.close()
            raise

    def watch(self, changed: Callable[[Button, bool], None]) -> None:
        """Call `changed(button, down)` at each edge, chatter included, from whatever thread the factory uses."""
        with self._answering():
            for button, device in self._buttons.items():
                device.when_activated = _telling(changed, button, True)
                device.when_deactivated = _telling(changed, button, False)

    def is_down(self, button: Button) -> bool:
        with self._answering():
            return bool(self._buttons[button].value)

    def light(self, status: tuple[float, float, float], dice_left: int, bank: bool) -> None:
        """`status`: red, green, blue, each 0-1. `dice_left`: 0-6 lamps."""
        with self._answering():
            for device, level in zip(self._status, status, strict=True):
                device.value = min(max(level, 0.0), 1.0)
            for number, device in enumerate(self._bar):
                device.value = number < dice_left
            self._bank.value = bank

    def sound(self, hz: int | None) -> None:
        """A steady tone, or silence."""
        with self._answering():
            if hz is None:
                self._hush()
            else:
                self._buzzer.frequency = hz
                self._buzzer.value = 0.5

    def shining(self) -> tuple[tuple[float, float, float], tuple[bool, ...], bool, int | None]:
        """What the outputs are at now, read from the pins: status, bar, BANK lamp, tone in Hz."""
        with self._answering():
            red, green, blue = (float(device.value) for device in self._status)
            bar = tuple(bool(device.value) for device in self._bar)
            tone = self._buzzer.frequency if self._buzzer.value else None
            return (red, green, blue), bar, bool(self._bank.value), tone

    def drive(self, button: Button, down: bool) -> None:
        """Close or open a button's contact; nothing once closed. Only simulated pins can be driven by the program."""
        pin = self._buttons[button].pin
        if pin is None:
            return
        if down:
            pin.drive_low()
        else:
            pin.drive_high()

    def close(self) -> None:
        """Everything off and given back. May be called twice; goes on past a device that fails."""
        failed: Exception | None = None
        for device in self._open:
            try:
                if isinstance(device, DigitalOutputDevice | PWMOutputDevice) and not device.closed:
                    device.off()
                device.close()
            except self.factory.failures as error:
                failed = error
        self._open.clear()
        try:
            self.factory.pins.close()
        except self.factory.failures as error:
            failed = error
        if failed is not None:
            raise PinTrouble(
                say("The panel's pins could not all be switched off ({error}).", error=str(failed))
            ) from failed

    def _device(self, kind: Any, gpio: int, **options: Any) -> Any:
        device = kind(gpio, pin_factory=self.factory.pins, **options)
        self._open.append(device)
        return device

    def _hush(self) -> None:
        self._buzzer.off()
        # Stops the software PWM, which would go on toggling nothing.
        self._buzzer.frequency = None
        self._buzzer.off()

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except self.factory.failures as error:
            raise PinTrouble(say("The panel's pins do not answer ({error}).", error=str(error))) from error


def _telling(changed: Callable[[Button, bool], None], button: Button, down: bool) -> Callable[[], None]:
    return lambda: changed(button, down)
