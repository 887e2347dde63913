"""What the panel's pins promise, whoever gives them: gpiozero's simulated ones everywhere, the real ones on a Pi."""

import os
import sys
from collections.abc import Callable, Iterator
from queue import Empty, Queue

import pytest

from firmware.board import board_model, is_pi
from firmware.drivers import Button
from firmware.drivers.gpio_pins import Factory, PanelPins, lgpio_factory, mock_factory
from hardware import facts

FACTORIES: dict[str, Callable[[], Factory]] = {"mock": mock_factory, "lgpio": lambda: lgpio_factory(os.environ)}
BUTTONS: tuple[Button, ...] = ("bank", "undo", "mode")
DARK = ((0.0, 0.0, 0.0), (False,) * 6, False, None)
PRESS_S = 20.0

Open = Callable[[], PanelPins]


@pytest.fixture(params=["mock", pytest.param("lgpio", marks=pytest.mark.device)])
def opened(request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens the panel's pins; they are given back at the end."""
    if request.param == "lgpio" and not is_pi(board_model()):
        pytest.skip("no pins of a Pi here")
    found: list[PanelPins] = []

    def open_pins() -> PanelPins:
        found.append(PanelPins(facts.pins(), FACTORIES[request.param]()))
        return found[-1]

    yield open_pins
    for pins in found:
        pins.close()


def test_a_panel_starts_dark_and_silent_with_no_button_down(opened: Open) -> None:
    pins = opened()
    assert pins.shining() == DARK
    assert [pins.is_down(button) for button in BUTTONS] == [False, False, False]


@pytest.mark.parametrize("lamp", range(10))
def test_each_lamp_shines_by_itself(opened: Open, lamp: int) -> None:
    pins = opened()
    red, green, blue = (float(lamp == n) for n in range(3))
    dice_left, bank = max(0, lamp - 2) if lamp < 9 else 0, lamp == 9
    pins.light((red, green, blue), dice_left, bank)
    assert pins.shining() == ((red, green, blue), tuple(n < dice_left for n in range(6)), bank, None)
    pins.light((0.0, 0.0, 0.0), 0, False)
    assert pins.shining() == DARK


def test_a_lamp_may_shine_by_half(opened: Open) -> None:
    pins = opened()
    pins.light((0.5, 0.25, 2.0), 0, False)
    assert pins.shining()[0] == (0.5, 0.25, 1.0)


def test_a_tone_is_heard_until_silence(opened: Open) -> None:
    pins = opened()
    for hz in (392, 2093):
        pins.sound(hz)
        assert pins.shining()[3] == pytest.approx(hz, rel=0.02)
    pins.sound(None)
    assert pins.shining() == DARK


def test_pins_that_were_given_back_can_be_had_again_and_are_dark(opened: Open) -> None:
    first = opened()
    first.light((1.0, 1.0, 1.0), 6, True)
    first.sound(1000)
    first.close()
    first.close()
    assert opened().shining() == DARK


@pytest.mark.parametrize("button", BUTTONS)
def test_a_button_is_told_down_and_up(opened: Open, button: Button) -> None:
    pins, told = opened(), Queue[tuple[Button, bool]]()
    pins.watch(lambda which, down: told.put((which, down)))
    if pins.factory.name == "mock":
        pins.drive(button, True)
        pins.drive(button, False)
    elif sys.stdin is None or not sys.stdin.isatty():
        pytest.skip("somebody must press it: make test-device ARGS=-s")
    else:
        print(f"\nPress {button.upper()} and let go of it.")
    heard = []
    try:
        while (button, False) not in heard:
            heard.append(told.get(timeout=PRESS_S))
    except Empty:
        pytest.fail(f"{button.upper()} was not heard within {PRESS_S:.0f} seconds; heard: {heard}")
    assert (button, True) in heard
    assert {which for which, _ in heard} == {button}
