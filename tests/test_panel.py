"""The panel on gpiozero's own simulated pins: the same code that runs on a Pi's."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace
from math import inf
from pathlib import Path
from queue import Queue

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE_S

from firmware.board import board_model, header_chip, is_pi
from firmware.buttons import Timing
from firmware.drivers import Lamps, Light, Panel, Press
from firmware.drivers import gpio as opening
from firmware.drivers.gpio import GpioPanel, MockPanel, NoPanel, open_panel
from firmware.drivers.gpio_effects import again, once
from firmware.drivers.gpio_pins import PanelPins, PinTrouble, lgpio_factory, mock_factory
from firmware.lamps import lamps_of
from hardware import facts
from web.cues import LASTING, MOMENTS, Cue, played, repeated
from web.view import PanelView

AMBER, DARK = (1.0, 0.5, 0.0), (0.0, 0.0, 0.0)
# Twice as fast as on the table; faster, and a busy machine would turn short presses into long ones.
BRISK = Timing(bounce_s=0.02, long_s=0.4, stuck_s=0.8)


@pytest.fixture
def panel() -> Iterator[MockPanel]:
    opened = open_panel(facts.pins(), simulated=True, timing=BRISK)
    assert isinstance(opened, MockPanel)
    yield opened
    opened.close()


def heard(panel: GpioPanel) -> "Queue[Press]":
    presses: Queue[Press] = Queue()
    panel.listen(presses.put)
    return presses


def steady(*status: float) -> tuple[Light, ...]:
    red, green, blue = status
    return (Light(1.0, (red, green, blue)),)


def eventually(true: Callable[[], bool]) -> bool:
    end_s = time.monotonic() + PATIENCE_S
    while not true() and time.monotonic() < end_s:
        time.sleep(0.005)
    return true()


def test_it_fits_the_protocol_and_names_its_factory(panel: MockPanel) -> None:
    fits: Panel = panel
    assert fits.factory == "mock"


def test_a_short_and_a_long_press_are_heard_once_each(panel: MockPanel) -> None:
    presses = heard(panel)
    panel.press("bank")
    assert presses.get(timeout=PATIENCE_S) == Press("bank")
    panel.press("mode", long=True)
    assert presses.get(timeout=PATIENCE_S) == Press("mode", long=True)
    panel.press("undo")
    assert presses.get(timeout=PATIENCE_S) == Press("undo")
    assert presses.empty()


def test_presses_from_many_threads_are_all_heard(panel: MockPanel) -> None:
    presses = heard(panel)
    fingers = [threading.Thread(target=panel.press, args=(button,)) for button in ("bank", "undo", "mode") * 2]
    for finger in fingers:
        finger.start()
    for finger in fingers:
        finger.join()
    got = sorted(presses.get(timeout=PATIENCE_S).button for _ in fingers)
    assert got == ["bank", "bank", "mode", "mode", "undo", "undo"]


def test_presses_are_told_from_the_panels_own_thread(panel: MockPanel) -> None:
    tellers: Queue[str] = Queue()
    panel.listen(lambda _: tellers.put(threading.current_thread().name))
    panel.press("bank")
    assert tellers.get(timeout=PATIENCE_S) == "panel"


def test_a_glitch_on_the_wire_is_no_press() -> None:
    pins = PanelPins(facts.pins(), mock_factory())
    panel = GpioPanel(pins, BRISK)
    presses = heard(panel)
    for _ in range(3):
        pins.drive("bank", True)
        pins.drive("bank", False)
    pins.drive("undo", True)
    time.sleep(0.06)
    pins.drive("undo", False)
    assert presses.get(timeout=PATIENCE_S) == Press("undo")
    assert presses.empty()
    panel.close()


def test_a_stuck_button_is_said_once_and_again_when_it_is_free(panel: MockPanel) -> None:
    told: Queue[tuple[str, ...]] = Queue()
    presses: Queue[Press] = Queue()
    panel.listen(presses.put, told.put)
    panel.stick("bank", BRISK.stuck_s * 1.5)
    (sentence,) = told.get(timeout=PATIENCE_S)
    assert "BANK button seems to be stuck" in sentence
    assert panel.troubles == (sentence,)
    panel.press("undo")
    assert told.get(timeout=PATIENCE_S) == ()
    assert not panel.troubles
    panel.press("bank")
    got = [presses.get(timeout=PATIENCE_S) for _ in range(3)]
    assert got == [Press("bank", long=True), Press("undo"), Press("bank")]
    assert told.empty()


def test_an_edge_that_the_pins_never_told_is_made_up_for() -> None:
    pins = PanelPins(facts.pins(), mock_factory())
    panel = GpioPanel(pins, BRISK)
    presses = heard(panel)
    pins.drive("bank", True)
    time.sleep(0.06)
    pins._buttons["bank"].when_deactivated = None
    pins.drive("bank", False)
    assert presses.get(timeout=PATIENCE_S) == Press("bank")
    panel.close()


@pytest.mark.parametrize(
    ("lamps", "status"),
    [
        (Lamps(steady(1.0, 0.25, 0.0), dice_left=6, bank=True), (1.0, 0.25, 0.0)),
        (Lamps(steady(0.0, 0.5, 1.0), dice_left=2), (0.0, 0.5, 1.0)),
        (Lamps(steady(2.0, -1.0, 0.5)), (1.0, 0.0, 0.5)),
    ],
)
def test_lamps_shine_as_they_are_told(panel: MockPanel, lamps: Lamps, status: tuple[float, float, float]) -> None:
    panel.show(lamps)
    assert eventually(lambda: astuple(panel.shining()) == (status, lamps.dice_left, lamps.bank, None))


def test_the_dice_left_bar_fills_from_its_first_lamp() -> None:
    pins = PanelPins(facts.pins(), mock_factory())
    pins.light((0, 0, 0), 4, False)
    assert pins.shining()[1] == (True, True, True, True, False, False)
    pins.close()


@pytest.fixture
def seen(panel: MockPanel, monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Every look of the lamps from now on, and every tone, in the order in which the pins got them."""
    looks: list[tuple[object, ...]] = []
    light, sound = panel._pins.light, panel._pins.sound

    def lit(status: tuple[float, float, float], dice_left: int, bank: bool) -> None:
        looks.append((status, dice_left, bank))
        light(status, dice_left, bank)

    def heard(hz: int | None) -> None:
        looks.append((hz,))
        sound(hz)

    monkeypatch.setattr(panel._pins, "light", lit)
    monkeypatch.setattr(panel._pins, "sound", heard)
    return looks


def test_what_lasts_is_played_again_and_again(panel: MockPanel, seen: list[tuple[object, ...]]) -> None:
    panel.show(Lamps((Light(0.2, AMBER), Light(0.2, DARK))))
    assert eventually(lambda: len(seen) > 8)
    assert seen[:8] == [(AMBER, 0, False), (DARK, 0, False)] * 4


def test_a_moment_is_played_once_and_then_what_lasts_goes_on(panel: MockPanel, seen: list[tuple[object, ...]]) -> None:
    # Long enough for a busy machine: what a step's time is over for is left out.
    moment = (Light(0.4, DARK, 6), Light(0.4, AMBER, 3, True, 784), Light(0.4, AMBER, 0, False))
    lamps = Lamps(steady(0.0, 1.0, 0.0), moment, dice_left=2, bank=True)
    panel.show(lamps)
    assert eventually(lambda: len(seen) >= 6)
    panel.show(replace(lamps, moment=()))
    panel.show(Lamps(steady(0.0, 0.5, 0.0)))
    assert eventually(lambda: seen[-1][0] == (0.0, 0.5, 0.0))
    assert seen == [
        (DARK, 6, True),
        (AMBER, 3, True),
        (784,),
        (AMBER, 0, False),
        (None,),
        ((0.0, 1.0, 0.0), 2, True),
        ((0.0, 0.5, 0.0), 0, False),
    ]


def test_a_moment_that_comes_twice_is_played_twice(panel: MockPanel, seen: list[tuple[object, ...]]) -> None:
    lamps = Lamps(steady(0.0, 1.0, 0.0), (Light(0.02, AMBER, hz=784),))
    panel.show(lamps)
    assert eventually(lambda: seen[-2:] == [((0.0, 1.0, 0.0), 0, False), (None,)])
    panel.show(lamps)
    assert eventually(lambda: seen.count((784,)) == 2)


def test_a_moment_outlasts_other_lamps_but_not_the_reading_of_a_throw(
    panel: MockPanel, seen: list[tuple[object, ...]]
) -> None:
    panel.show(Lamps(steady(0.0, 1.0, 0.0), (Light(60.0, AMBER, hz=784),)))
    assert eventually(lambda: seen == [(AMBER, 0, False), (784,)])
    panel.show(Lamps(steady(1.0, 1.0, 1.0), dice_left=4))
    assert eventually(lambda: seen[-1] == (AMBER, 4, False))
    panel.show(Lamps(steady(0.0, 0.0, 1.0), dice_left=4, still=True))
    assert eventually(lambda: seen[-2:] == [((0.0, 0.0, 1.0), 4, False), (None,)])


@pytest.mark.parametrize("cue", [*LASTING.values(), *MOMENTS.values()], ids=lambda cue: cue.name)
def test_every_cue_of_the_table_can_be_shown(panel: MockPanel, cue: Cue) -> None:
    rows = [played(cue)] + ([repeated(cue)] if cue.name in LASTING else [])
    for row in rows:
        for step in row:
            status = AMBER if step.lit else DARK
            panel._pins.light(status, 3 if step.dice_left is None else step.dice_left, bool(step.bank))
            panel._pins.sound(step.hz)
            assert panel._pins.shining()[3] == step.hz


def test_showing_never_waits_for_a_slow_listener(panel: MockPanel) -> None:
    entered, go_on = threading.Event(), threading.Event()

    def slow(_: Press) -> None:
        entered.set()
        go_on.wait(PATIENCE_S)

    panel.listen(slow)
    panel.press("bank")
    assert entered.wait(PATIENCE_S)
    for number in range(200):
        panel.show(Lamps(dice_left=number % 7))
    panel.show(Lamps(bank=True))
    go_on.set()
    assert eventually(lambda: panel.shining().bank)


def test_closing_turns_every_output_off_and_ends_the_threads() -> None:
    factory = mock_factory()
    pins = PanelPins(facts.pins(), factory)
    panel = MockPanel(pins, BRISK)
    panel.show(Lamps((), (Light(60.0, (1.0, 1.0, 1.0), hz=1047),), dice_left=6, bank=True))
    assert eventually(lambda: pins.shining()[2] and pins.shining()[3] is not None)
    wires = [factory.pins.pin(wire.gpio) for wire in facts.pins().all]
    panel.press("bank", long=True)
    panel.close()
    panel.close()
    outputs = wires[3:]
    assert [wire.state for wire in outputs] == [0.0] * len(outputs)
    assert all(len(wire.states) > 1 for wire in outputs), "each was really on before"
    assert [wire.function for wire in wires] == ["input"] * len(wires)
    assert not {"panel", "finger"} & {thread.name for thread in threading.enumerate()}


def test_a_program_that_simply_ends_leaves_no_lamp_on() -> None:
    program = """
import atexit, time
from firmware.drivers import Lamps, Light
from firmware.drivers.gpio_panel import GpioPanel
from firmware.drivers.gpio_pins import PanelPins, mock_factory
from firmware.lamps import lamps_of
from hardware import facts
from web.view import PanelView
factory = mock_factory()
wires = [factory.pins.pin(wire.gpio) for wire in facts.pins().all[3:]]
atexit.register(lambda: print("lit" if any(wire.state for wire in wires) else "dark"))  # the last to be called
pins = PanelPins(facts.pins(), factory)
GpioPanel(pins).show(Lamps((Light(1.0, (1.0, 1.0, 1.0)),), dice_left=6, bank=True))
while not pins.shining()[2]:
    time.sleep(0.01)
print("lit", flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert done.stdout.split() == ["lit", "dark"]
    assert done.stderr == ""


def test_the_panel_may_be_closed_by_whoever_it_calls(panel: MockPanel) -> None:
    panel.listen(lambda _: panel.close())
    panel.press("undo")
    assert eventually(lambda: panel._closed and not panel._thread.is_alive())


def test_pins_that_stop_answering_are_said_and_stop_nobody(panel: MockPanel) -> None:
    told: Queue[tuple[str, ...]] = Queue()
    panel.listen(lambda _: None, told.put)
    panel._pins.factory.pins.close()
    panel.show(Lamps(steady(1.0, 1.0, 1.0), dice_left=3))
    (sentence,) = told.get(timeout=PATIENCE_S)
    assert "do not answer" in sentence
    assert "phone" in sentence
    assert panel.factory == "none"
    panel.show(Lamps())
    panel.press("bank")


def test_a_pin_that_is_taken_already_leaves_nothing_open() -> None:
    factory, pins = mock_factory(), facts.pins()
    wires = [factory.pins.pin(wire.gpio) for wire in pins.all]
    with pytest.raises(PinTrouble, match="do not answer"):
        PanelPins(replace(pins, buzzer=pins.bank), factory)
    assert [wire.function for wire in wires] == ["input"] * len(wires)
    assert [wire.state for wire in wires[3:]] == [0.0] * len(wires[3:])


def test_an_unknown_button_is_refused_with_the_known_ones(panel: MockPanel) -> None:
    with pytest.raises(ValueError, match="'start'; there are bank, undo, mode"):
        panel.press("start")


def test_without_pins_the_tray_plays_on_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "board_model", lambda: "Raspberry Pi 5 Model B Rev 1.0")
    monkeypatch.setattr(opening, "lgpio_factory", _no_lgpio)
    panel = open_panel(facts.pins(), simulated=False)
    assert isinstance(panel, NoPanel)
    assert panel.factory == "none"
    assert panel.troubles == ("No pins. The tray plays on without lamps and buttons.",)
    fits: Panel = panel
    fits.listen(lambda _: None)
    fits.show(Lamps())
    fits.close()


def _no_lgpio(_: object) -> None:
    raise PinTrouble("No pins.")


@pytest.mark.skipif(is_pi(board_model()), reason="this is a Pi, its pins do open")
def test_a_machine_without_the_pis_pins_is_told_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path))
    with pytest.raises(PinTrouble, match=r"python3-lgpio|group gpio"):
        lgpio_factory({})


@pytest.mark.skipif(is_pi(board_model()), reason="this is a Pi, it uses its own pins")
def test_a_machine_that_is_no_pi_gets_simulated_pins() -> None:
    panel = open_panel(facts.pins(), simulated=False)
    assert panel.factory == "mock"
    panel.close()


@pytest.mark.device
@pytest.mark.skipif(not is_pi(board_model()), reason="needs a Pi with its panel")
def test_the_pins_of_this_pi_open_and_close() -> None:
    panel = open_panel(facts.pins(), simulated=False)
    assert panel.factory == "lgpio"
    panel.show(lamps_of(PanelView(cue="throw", moment="banked", dice_left=6, bank=True)))
    panel.close()


def test_the_board_is_known_by_its_device_tree(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")
    assert is_pi(board_model(tmp_path / "model"))
    assert not is_pi(board_model(tmp_path / "none"))


def test_files_that_are_no_gpio_chips_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").write_bytes(b"")
    (tmp_path / "gpiochipX").write_bytes(b"")
    assert header_chip(tmp_path) is None


ROW = (Light(0.5, AMBER), Light(0.25, DARK), Light(1.0, AMBER))


def test_a_row_of_lights_is_over_after_its_last() -> None:
    assert once(ROW, 0.0) == (ROW[0], 0.5)
    assert once(ROW, 0.5) == (ROW[1], 0.75)
    assert once(ROW, 1.75) is None
    assert once((), 0.0) is None


def test_a_row_that_begins_anew_ends_each_light_in_its_own_round() -> None:
    assert again(ROW, 0.6) == (ROW[1], 0.75)
    assert again(ROW, 1.75) == (ROW[0], 2.25)
    assert again(ROW[:1], 1e9) == (ROW[0], inf)
    assert again((), 1.0) is None


@given(st.lists(st.floats(0.1, 3.0), min_size=2, max_size=8), st.floats(0, 1e6))
def test_a_light_of_a_repeated_row_ends_after_now(seconds: list[float], since_s: float) -> None:
    """Otherwise the panel's thread would never sleep."""
    row = tuple(Light(s, AMBER) for s in seconds)
    found = again(row, since_s)
    assert found is not None
    assert since_s < found[1] <= since_s + sum(seconds) * 1.001
