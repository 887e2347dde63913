"""What the box is: facts that fit together, and documents that agree with them."""

import csv
import re
from dataclasses import replace
from importlib import resources
from math import hypot, radians, tan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import face, facts
from hardware.driving import BASE_LIMIT_MA, OVERDRIVE, base_ma, base_ohm
from hardware.facts import Area, HardwareError
from hardware.header import GROUND, HEADER, POWER
from hardware.plan import LAP_MM, plan, reach

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
    assert chart == HEADER


def test_ground_and_supply_are_where_no_gpio_is() -> None:
    assert sorted((*GROUND, *POWER, *HEADER.values())) == list(range(1, 41))


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
        ('wire = "white"', 'wire = "black"', "wire of bank must be one of brown, red"),
        ("ohm = 330", "ohm = 10", "red would draw 130 mA of its pin"),
        ("ohm = 470", "ohm = 90", "all lamps together would draw"),
        ("ohm = 470", "ohm = 0", "whole number of ohms, not 0"),
        ("volt = 2.0", "volt = 5", "volts below 3.3, not 5"),
        ('part = "passive piezo disc"', "part = ''", "part of buzzer must be a few words"),
        ("[[pin]]", "[[pin", "pins.toml is not TOML"),
        (
            "[[pin]]",
            '[[pin]]\nname = "x"\ngpio = 4\nheader = 7\nwire = "red"\npart = "p"\npurpose = "p"\n[[pin]]',
            "does not have",
        ),
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


def parts_list() -> dict[str, dict[str, str]]:
    with (FOLDER / "bom.csv").open(encoding="utf-8", newline="") as file:
        return {row["part"]: row for row in csv.DictReader(file)}


def test_the_parts_list_is_complete_in_every_line() -> None:
    for row in parts_list().values():
        assert None not in row
        assert None not in row.values()
        assert int(row["quantity"]) > 0
        low, high = map(float, row["price_eur"].split("-"))
        assert 0 < low < high
        assert row["needed"] in ("yes", "recommended", "optional")


def test_every_wire_of_pins_toml_has_its_part_and_its_resistor_in_the_parts_list() -> None:
    rows = parts_list()
    for wire in facts.pins().all:
        serving = [part for part, row in rows.items() if wire.name in row["wires"].split()]
        resistors = [f"Resistor {wire.ohm} ohm"] if wire.ohm is not None else []
        assert [part for part in serving if part.startswith("Resistor")] == resistors
        assert len(serving) == 1 + len(resistors), wire.name


def test_the_parts_list_has_as_many_of_each_as_its_wires_need_and_names_no_other_wire() -> None:
    names = {wire.name for wire in facts.pins().all}
    for part, row in parts_list().items():
        wires = row["wires"].split()
        assert set(wires) <= names
        legs = 3 if part.startswith("RGB") else 1
        assert not wires or int(row["quantity"]) == len(wires) / legs, part


def test_the_parts_list_has_the_bolts_of_the_printed_parts() -> None:
    rows, found = parts_list(), plan(facts.tray())
    assert int(rows["Bolt M4 x 35"]["quantity"]) == found.short_bolts
    assert int(rows["Bolt M4 x 45"]["quantity"]) == found.long_bolts
    assert int(rows["Nut M4"]["quantity"]) == found.short_bolts + found.long_bolts
    assert int(rows["Washer M4"]["quantity"]) == 2 * (found.short_bolts + found.long_bolts)


def test_the_ribbon_reaches_from_the_pi_to_the_camera() -> None:
    found = plan(facts.tray())
    pi_mm = found.beams[0][1] - LAP_MM / 2
    way_mm = found.boom_mm - pi_mm + reach(facts.tray())
    assert "50 cm" in next(part for part in parts_list() if "ribbon" in part)
    assert way_mm < 500


def test_no_pin_gives_more_than_it_may_nor_all_together() -> None:
    currents = [wire.current_ma for wire in facts.pins().all]
    assert max(currents) <= facts.PIN_LIMIT_MA == 16
    assert sum(currents) <= facts.ALL_LIMIT_MA == 50


@given(st.floats(1, 150))
def test_a_transistor_is_driven_fully_and_asks_little_of_its_pin(load_ma: float) -> None:
    ohm = base_ohm(load_ma)
    assert base_ma(ohm) <= BASE_LIMIT_MA
    assert base_ma(ohm) >= load_ma / OVERDRIVE - 1e-9


@pytest.mark.parametrize(("load_ma", "sentence"), [(400, "MOSFET"), (0, "more than 0 mA")])
def test_a_load_that_no_small_transistor_switches_is_refused_with_the_cure(load_ma: float, sentence: str) -> None:
    with pytest.raises(HardwareError, match=sentence):
        base_ohm(load_ma)


def test_buttons_and_lamps_of_the_panel_are_those_of_pins_toml_and_keep_clear_of_each_other() -> None:
    holes = face.spots(facts.tray())
    assert sorted(wire for hole in holes for wire in hole.wires) == sorted(wire.name for wire in facts.pins().all)
    for n, one in enumerate(holes):
        assert abs(one.x_mm) + one.hole_mm / 2 < face.SCREW_X_MM - 5
        assert one.z_mm - one.hole_mm / 2 > face.SKIN_MM
        assert one.z_mm + one.hole_mm / 2 < face.HIGH_MM - face.SKIN_MM
        for other in holes[n + 1 :]:
            apart = hypot(one.x_mm - other.x_mm, one.z_mm - other.z_mm)
            assert apart > (one.hole_mm + other.hole_mm) / 2 + 3


def test_arcade_buttons_fit_the_panel_too() -> None:
    holes = face.spots(replace(facts.tray(), button_mm=24))
    assert all(one.z_mm - one.hole_mm / 2 > face.SKIN_MM for one in holes)


def test_the_program_itself_uses_nothing_of_this_folder_but_the_facts_and_the_sheet_of_markers() -> None:
    """What draws, prints and divides is for whoever builds a box; `calibration.sheet` is one of these too."""
    floors = (FOLDER.parent / floor for floor in ("firmware", "web", "calibration", "vision"))
    for path in (path for floor in floors for path in floor.rglob("*.py") if path.name != "sheet.py"):
        used = re.findall(r"^\s*from hardware(?:\.| import )(\w+)", path.read_text(encoding="utf-8"), re.M)
        assert set(used) <= {"facts", "printable"}, path
