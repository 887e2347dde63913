"""What the box is: wiring and dimensions, read from `pins.toml` and `tray.toml` into frozen values."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from typing import Any

from hardware.header import HEADER, TAKEN

WIRES = ("brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white")  # of a ribbon; black is ground
SUPPLY_V = 3.3
PIN_LIMIT_MA = 16.0  # the drive strength a Pi's pin can be set to at most
ALL_LIMIT_MA = 50.0  # of all pins together, from the 3.3 V regulator of the first boards; later ones give more


class HardwareError(ValueError):
    """A fact about the box that cannot be true: the sentence names the file, the entry and the cure."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One wire. `gpio`: BCM number; `header`: position on the 40-pin header; `wire`: its colour; `ohm`: resistor in
    series, None for a button; `volt`: forward voltage of the LED, None for what is no LED."""

    name: str
    gpio: int
    header: int
    wire: str
    part: str
    purpose: str
    ohm: int | None = None
    volt: float | None = None

    @property
    def current_ma(self) -> float:
        """Milliamperes out of the pin, steadily on; 0 for what draws none. A piezo counts as its resistor alone."""
        return 0.0 if self.ohm is None else 1000 * (SUPPLY_V - (self.volt or 0.0)) / self.ohm


@dataclass(frozen=True, slots=True)
class Pins:
    """All wires of the panel. `dice_left`: six lamps, the first lights for one die."""

    bank: Pin
    undo: Pin
    mode: Pin
    red: Pin
    green: Pin
    blue: Pin
    dice_left: tuple[Pin, ...]
    bank_lamp: Pin
    buzzer: Pin

    @property
    def all(self) -> tuple[Pin, ...]:
        buttons = (self.bank, self.undo, self.mode)
        return (*buttons, self.red, self.green, self.blue, *self.dice_left, self.bank_lamp, self.buzzer)


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the floor in millimetres: corner nearest the origin, and size."""

    x_mm: float
    y_mm: float
    width_mm: float
    depth_mm: float

    def holds(self, other: "Area") -> bool:
        return (
            self.x_mm <= other.x_mm
            and self.y_mm <= other.y_mm
            and other.x_mm + other.width_mm <= self.x_mm + self.width_mm
            and other.y_mm + other.depth_mm <= self.y_mm + self.depth_mm
        )

    def overlaps(self, other: "Area") -> bool:
        return (
            self.x_mm < other.x_mm + other.width_mm
            and other.x_mm < self.x_mm + self.width_mm
            and self.y_mm < other.y_mm + other.depth_mm
            and other.y_mm < self.y_mm + self.depth_mm
        )


@dataclass(frozen=True, slots=True)
class Tray:
    """The box in millimetres. Origin: the inner corner at the top left of the camera's picture; x right, y down in
    the picture, z up from the floor. `inner`: floor between the walls, of which `play` and `rail` are parts with the
    divider between them. `camera_*`: the lens, looking straight down. `button_mm`, `lamp_mm`: holes in the panel.
    `bed_mm`: side of the printer's bed, `bed_margin_mm` of it left free all around."""

    inner: Area
    play: Area
    rail: Area
    floor_thickness_mm: float
    wall_height_mm: float
    wall_thickness_mm: float
    divider_width_mm: float
    divider_height_mm: float
    camera_x_mm: float
    camera_y_mm: float
    camera_height_mm: float
    lamp_height_mm: float
    smallest_die_mm: float
    largest_die_mm: float
    button_mm: float
    lamp_mm: float
    bed_mm: float
    bed_margin_mm: float


def pins() -> Pins:
    """The wiring in `pins.toml`. Raises `HardwareError`."""
    return pins_from(_shipped("pins.toml"))


def tray() -> Tray:
    """The dimensions in `tray.toml`. Raises `HardwareError`."""
    return tray_from(_shipped("tray.toml"))


def pins_from(text: str) -> Pins:
    """The wiring in a text like `pins.toml`. Raises `HardwareError` for a pin used twice, reserved or impossible."""
    wires = [_pin(entry) for entry in _parsed(text, "pins.toml").get("pin", [])]
    _refuse_shared(wires)
    _refuse_overload(wires)
    by_name = {wire.name: wire for wire in wires}

    def wire(name: str) -> Pin:
        if name not in by_name:
            raise HardwareError(f"pins.toml has no pin called {name!r}; add a [[pin]] with that name.")
        return by_name.pop(name)

    wired = Pins(
        wire("bank"), wire("undo"), wire("mode"), wire("red"), wire("green"), wire("blue"),
        tuple(wire(f"dice-left-{n}") for n in range(1, 7)), wire("bank-lamp"), wire("buzzer"),
    )  # fmt: skip
    if by_name:
        raise HardwareError(f"pins.toml names {next(iter(by_name))!r}, which the panel does not have; remove it.")
    return wired


def tray_from(text: str) -> Tray:
    """The dimensions in a text like `tray.toml`. Raises `HardwareError` when they do not fit together."""
    table = _parsed(text, "tray.toml")

    def mm(section: str, key: str) -> float:
        value = table.get(section, {}).get(f"{key}_mm")
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise HardwareError(f"tray.toml: {key}_mm in [{section}] must be millimetres, not {value!r}.")
        return float(value)

    def area(section: str) -> Area:
        return Area(*(mm(section, key) for key in ("x", "y", "width", "depth")))

    found = Tray(
        inner=Area(0.0, 0.0, mm("inner", "width"), mm("inner", "depth")),
        play=area("play"), rail=area("rail"), floor_thickness_mm=mm("floor", "thickness"),
        wall_height_mm=mm("wall", "height"), wall_thickness_mm=mm("wall", "thickness"),
        divider_width_mm=mm("divider", "width"), divider_height_mm=mm("divider", "height"),
        camera_x_mm=mm("camera", "x"), camera_y_mm=mm("camera", "y"), camera_height_mm=mm("camera", "height"),
        lamp_height_mm=mm("lamps", "height"),
        smallest_die_mm=mm("dice", "smallest"), largest_die_mm=mm("dice", "largest"),
        button_mm=mm("panel", "button"), lamp_mm=mm("panel", "lamp"),
        bed_mm=mm("printer", "bed"), bed_margin_mm=mm("printer", "margin"),
    )  # fmt: skip
    for broken, sentence in _tray_laws(found):
        if broken:
            raise HardwareError(f"tray.toml: {sentence}")
    return found


def _tray_laws(tray: Tray) -> tuple[tuple[bool, str], ...]:
    inner, die = tray.inner, tray.largest_die_mm
    lens = Area(tray.camera_x_mm, tray.camera_y_mm, 0.0, 0.0)
    return (
        (not inner.holds(tray.play), "[play] reaches outside [inner]; make it smaller or move it."),
        (not inner.holds(tray.rail), "[rail] reaches outside [inner]; make it smaller or move it."),
        (tray.play.overlaps(tray.rail), "[play] and [rail] overlap; leave the divider's width between them."),
        (not inner.holds(lens), "the [camera] is not above the floor; give it x_mm and y_mm inside [inner]."),
        (tray.camera_height_mm <= tray.wall_height_mm, "the [camera] must be higher than the walls."),
        (not 0 < tray.smallest_die_mm <= die, "in [dice] smallest_mm must be above 0 and at most largest_mm."),
        (tray.rail.width_mm < die, "a die of largest_mm does not fit on the [rail]; widen it."),
        (tray.rail.depth_mm < 6 * die, "six dice of largest_mm do not fit on the [rail]; lengthen it."),
    )


def _pin(entry: dict[str, Any]) -> Pin:
    name = str(entry.get("name", "?"))
    gpio = _field(entry, name, "gpio", lambda v: type(v) is int and v in HEADER, "a BCM number from 0 to 27")
    if gpio in TAKEN:
        raise HardwareError(f"pins.toml: {name} sits on GPIO {gpio}, which is kept for {TAKEN[gpio]}; choose another.")
    if entry.get("header") != HEADER[gpio]:
        raise HardwareError(
            f"pins.toml: {name} says header pin {entry.get('header')}, but GPIO {gpio} is header pin {HEADER[gpio]}."
        )
    _field(entry, name, "wire", lambda v: v in WIRES, f"one of {', '.join(WIRES)}")
    for key in ("part", "purpose"):
        _field(entry, name, key, lambda v: isinstance(v, str) and v != "", "a few words")
    if "ohm" in entry:
        _field(entry, name, "ohm", lambda v: type(v) is int and v > 0, "a whole number of ohms")
    if "volt" in entry:
        _field(entry, name, "volt", lambda v: type(v) in (int, float) and 0 < v < SUPPLY_V, "volts below 3.3")
    unknown = set(entry) - set(Pin.__slots__)
    if unknown:
        raise HardwareError(f"pins.toml: {name} has an unknown key {min(unknown)!r}; remove it.")
    return Pin(**entry)


def _field(entry: dict[str, Any], name: str, key: str, fits: Callable[[Any], bool], says: str) -> Any:
    value = entry.get(key)
    if not fits(value):
        raise HardwareError(f"pins.toml: {key} of {name} must be {says}, not {value!r}.")
    return value


def _refuse_shared(wires: list[Pin]) -> None:
    by_gpio: dict[int, str] = {}
    names: set[str] = set()
    for wire in wires:
        if wire.gpio in by_gpio:
            raise HardwareError(
                f"pins.toml gives GPIO {wire.gpio} to both {by_gpio[wire.gpio]} and {wire.name}; move one of them."
            )
        if wire.name in names:
            raise HardwareError(f"pins.toml has two pins called {wire.name}; rename or remove one.")
        by_gpio[wire.gpio] = wire.name
        names.add(wire.name)


def _refuse_overload(wires: list[Pin]) -> None:
    for wire in wires:
        if wire.current_ma > PIN_LIMIT_MA:
            raise HardwareError(
                f"pins.toml: {wire.name} would draw {wire.current_ma:.0f} mA of its pin,"
                f" which gives {PIN_LIMIT_MA:.0f}; use a larger resistor, or a transistor."
            )
    total = sum(wire.current_ma for wire in wires)
    if total > ALL_LIMIT_MA:
        raise HardwareError(
            f"pins.toml: all lamps together would draw {total:.0f} mA, the pins give {ALL_LIMIT_MA:.0f};"
            " use larger resistors, or transistors."
        )


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise HardwareError(f"{name} is not TOML: {error}.") from error


def _shipped(name: str) -> str:
    return resources.files("hardware").joinpath(name).read_text(encoding="utf-8")
