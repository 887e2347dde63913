"""Open the panel: the Pi's own pins, simulated pins on any other machine, or no panel and why."""

import os
from collections.abc import Callable

from firmware.board import board_model, is_pi
from firmware.buttons import Timing
from firmware.drivers import Lamps, Press
from firmware.drivers.gpio_panel import GpioPanel
from firmware.drivers.gpio_pins import PanelPins, PinTrouble, lgpio_factory, mock_factory
from firmware.drivers.gpio_simulated import MockPanel
from hardware.facts import Pins
from speech.sentence import joined, say

__all__ = ["GpioPanel", "MockPanel", "NoPanel", "open_panel"]


class NoPanel:
    """No lamps and no buttons; the phones have the same. `troubles` says why, empty when that is what was wanted."""

    factory = "none"

    def __init__(self, *troubles: str) -> None:
        self.troubles = troubles

    def show(self, lamps: Lamps) -> None:
        """Nothing to show it on."""

    def listen(
        self, pressed: Callable[[Press], None], troubled: Callable[[tuple[str, ...]], None] | None = None
    ) -> None:
        """Nothing will be pressed."""

    def close(self) -> None:
        """Nothing is open."""


def open_panel(pins: Pins, simulated: bool, timing: Timing | None = None) -> GpioPanel | NoPanel:
    """The panel of this machine: on a Pi its own pins through lgpio, elsewhere and when `simulated` gpiozero's mock
    pins (then it is a `MockPanel`). Raises nothing: pins that fail are a `NoPanel` that says why."""
    try:
        if not simulated and is_pi(board_model()):
            return GpioPanel(PanelPins(pins, lgpio_factory(os.environ)), timing)
        return MockPanel(PanelPins(pins, mock_factory()), timing)
    except PinTrouble as error:
        return NoPanel(joined([str(error), say("The tray plays on without lamps and buttons.")]))
