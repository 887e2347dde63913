"""What the box is: facts that fit together, and documents that agree with them."""

import csv
import re
from importlib import resources
from math import radians, tan
from pathlib import Path

import pytest

from hardware import facts
from hardware.facts import Area, HardwareError
from hardware.wiring import renewed, wiring_table

FOLDER = Path(facts.__file__).parent
PINS = resources.files("hardware").joinpath("pins.toml").read_text(encoding="utf-8")
TRAY = resources.files("hardware").joinpath("tray.toml").read_text(encoding="utf-8")
# Position on the header -> BCM number, as printed on the boards' own pin charts (`pinout` of gpiozero shows the same).
LEFT = [None, 2, 3, 4, None, 17, 27, 22, None, 10, 9, 11, None, 0, 5, 6, 13, 19, 26, None]
RIGHT = [None, None, None, 14, 15, 18, None, 23, 24, None, 25, 8, 7, 1, None, 12, None, 16, 20, 21]


def test_the_shipped_wiring_has_every_part_of_the_panel() -> None:
    pins = facts.pins()
    assert len(pins.dice_left) == 6
    assert len(pins.all) == 14
    assert len({wire.gpio for wire in pins.all}) == 14


def test_header_positions_are_those_of_the_board() -> None:
    chart = {gpio: 2 * row + side for side, column in ((1, LEFT), (2, RIGHT)) for row, gpio in enumerate(column)}
    del chart[None]
    assert chart == facts.HEADER


def test_buses_and_the_power_button_are_left_free() -> None:
    used = {wire.gpio for wire in facts.pins().all}
    assert not used & {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15}


def test_outputs_sit_on_pins_that_are_pulled_low_while_the_pi_starts() -> None:
    outputs = facts.pins().all[3:]
    assert all(wire.gpio >= 9 for wire in outputs)  # 0 to 8 are pulled high at reset


def test_every_output_has_a_resistor_and_no_button_has_one() -> None:
    pins = facts.pins()
    buttons = (pins.bank, pins.undo, pins.mode)
    assert all((wire.ohm is None) == (wire in buttons) for wire in pins.all)
    assert all(1.5 <= wire.current_ma <= 5 for wire in pins.all if wire.volt is not None)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("gpio = 6\nheader = 31", "gpio = 5\nheader = 29", "GPIO 5 to both bank and undo; move one"),
        ("gpio = 6\nheader = 31", "gpio = 3\nheader = 5", "undo sits on GPIO 3, which is kept for I2C"),
        ("gpio = 6\nheader = 31", "gpio = 28\nheader = 31", "gpio of undo must be a BCM number from 0 to 27, not 28"),
        ("gpio = 6\nheader = 31", "gpio = '6'\nheader = 31", "must be a BCM number"),
        ("gpio = 6\nheader = 31", "gpio = 6\nheader = 32", "undo says header pin 32, but GPIO 6 is header pin 31"),
        ('name = "undo"', 'name = "und"', "no pin called 'undo'"),
        ('name = "undo"', 'name = "bank"', "two pins called bank"),
        ('name = "undo"', 'name = "undo"\ncolour = 1', "undo has an unknown key 'colour'"),
        ("ohm = 330", "ohm = 10", "red would draw 130 mA of its pin"),
        ("ohm = 470", "ohm = 90", "all lamps together would draw"),
        ("ohm = 470", "ohm = 0", "whole number of ohms, not 0"),
        ("volt = 2.0", "volt = 5", "volts below 3.3, not 5"),
        ('part = "passive piezo disc"', "part = ''", "part of buzzer must be a few words"),
        ("[[pin]]", "[[pin", "pins.toml is not TOML"),
        ("[[pin]]", '[[pin]]\nname = "x"\ngpio = 4\nheader = 7\npart = "p"\npurpose = "p"\n[[pin]]', "does not have"),
    ],
)
def test_wiring_that_cannot_be_is_refused_with_the_cure(old: str, new: str, sentence: str) -> None:
    text = PINS.replace(old, new) if "470" in old else PINS.replace(old, new, 1)
    assert text != PINS
    with pytest.raises(HardwareError, match=re.escape(sentence)):
        facts.pins_from(text)


def test_the_shipped_tray_fits_together() -> None:
    tray = facts.tray()
    assert tray.inner.holds(tray.play)
    assert tray.inner.holds(tray.rail)
    gap_mm = tray.rail.x_mm - (tray.play.x_mm + tray.play.width_mm)
    assert gap_mm == tray.divider_width_mm
    assert (tray.smallest_die_mm, tray.largest_die_mm) == (12, 19)


@pytest.mark.parametrize(("across", "along"), [(66, 41), (62.2, 48.8)])
def test_the_camera_sees_the_floor_and_the_tops_of_the_walls(across: float, along: float) -> None:
    tray = facts.tray()
    height_mm = tray.camera_height_mm - tray.wall_height_mm
    assert 2 * height_mm * tan(radians(across / 2)) >= tray.inner.width_mm + 2 * tray.wall_thickness_mm
    assert 2 * height_mm * tan(radians(along / 2)) >= tray.inner.depth_mm + 2 * tray.wall_thickness_mm


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("width_mm = 232", "width_mm = 300", "[play] reaches outside [inner]"),
        ("x_mm = 238", "x_mm = 250", "[rail] reaches outside [inner]"),
        ("width_mm = 232", "width_mm = 240", "[play] and [rail] overlap"),
        ("x_mm = 140", "x_mm = 400", "not above the floor"),
        ("height_mm = 400", "height_mm = 40", "higher than the walls"),
        ("smallest_mm = 12", "smallest_mm = 20", "at most largest_mm"),
        ("largest_mm = 19", "largest_mm = 44", "does not fit on the [rail]"),
        ("largest_mm = 19", "largest_mm = 40", "six dice of largest_mm do not fit"),
        ("width_mm = 280", "width_mm = 'wide'", "width_mm in [inner] must be millimetres, not 'wide'"),
        ("width_mm = 280", "", "width_mm in [inner] must be millimetres, not None"),
    ],
)
def test_a_tray_that_cannot_be_is_refused_with_the_cure(old: str, new: str, sentence: str) -> None:
    text = TRAY.replace(old, new, 1)
    assert text != TRAY
    with pytest.raises(HardwareError, match=re.escape(sentence)):
        facts.tray_from(text)


def test_areas_that_only_touch_do_not_overlap() -> None:
    left, right = Area(0, 0, 10, 10), Area(10, 0, 5, 10)
    assert not left.overlaps(right)
    assert left.overlaps(Area(9, 9, 5, 5))


def test_the_wiring_table_of_the_readme_is_that_of_pins_toml() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert readme == renewed(readme, facts.pins()), "run: python -m hardware.wiring"


def test_the_wiring_table_names_every_wire_with_both_its_numbers() -> None:
    rows = wiring_table(facts.pins()).splitlines()
    for wire in facts.pins().all:
        assert any(row.startswith(f"| {wire.name} | {wire.gpio} | {wire.header} |") for row in rows)


def test_a_readme_without_a_place_for_the_table_is_refused() -> None:
    with pytest.raises(HardwareError, match="no place for the wiring"):
        renewed("# The box", facts.pins())


def test_the_readme_speaks_of_every_file_of_the_folder() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".toml", ".csv")} - {"__init__.py"}
    assert all(f"`{name}`" in readme for name in files)


def test_the_parts_list_has_enough_resistors_and_lamps_for_the_wiring() -> None:
    with (FOLDER / "bom.csv").open(encoding="utf-8", newline="") as file:
        parts = {row["part"]: row for row in csv.DictReader(file)}
    pins = facts.pins()
    for ohm in {wire.ohm for wire in pins.all if wire.ohm is not None}:
        listed = int(parts[f"Resistor {ohm} ohm"]["quantity"])
        assert listed == sum(wire.ohm == ohm for wire in pins.all)
    assert int(parts["LED yellow 3 or 5 mm"]["quantity"]) == len(pins.dice_left)
    assert all(re.fullmatch(r"[\d.]+-[\d.]+", row["price_eur"]) for row in parts.values())
    assert all(row["needed"] in ("yes", "recommended", "optional") and None not in row for row in parts.values())
