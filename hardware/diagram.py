"""The wiring diagram, drawn from `pins.toml`: the header in the middle, each wire on the row of its own pin."""

from collections.abc import Iterator, Sequence
from statistics import mean

from hardware.drawing import FAINT, INK, Anchor, Circle, Drawing, Path, Shape, Text, box
from hardware.facts import ALL_LIMIT_MA, PIN_LIMIT_MA, Pin, Pins
from hardware.header import GROUND, HEADER, POWER

# Colours of a ribbon's wires, dark enough to be seen on white paper.
WIRE = {
    "brown": "#7b4a1e", "red": "#d22222", "orange": "#ee7700", "yellow": "#e0bb00", "green": "#1e8e3e",
    "blue": "#1f5fd0", "violet": "#8e3ebf", "grey": "#8a8a8a", "white": "#ffffff",
}  # fmt: skip
_PALE = ("white", "yellow", "orange", "grey")  # carry dark numbers
_LIGHT = {"red": "#ff6b6b", "green": "#57c46f", "blue": "#6a9ff0", "yellow": "#f4cf3f"}
_MIDDLE, _TOP, _ROW = 148.5, 27.0, 8.5  # of an A4 sheet, lying
# From the middle of the header outwards: pin, its edge, names, resistor, part, ground rail, words.
_PIN, _EDGE, _NAMES, _RESISTOR, _PART, _RAIL, _WORDS = 4.5, 7.5, 11.0, 50.0, 69.0, 80.0, 83.0
_BY_GPIO = {header: gpio for gpio, header in HEADER.items()}
NOTES = (
    "LEDs: the long leg (+) towards the resistor, the short leg (the flat side) to ground. The RGB LED has one common"
    " cathode: its longest leg goes to ground.",
    "Buttons need no resistor: the Pi pulls their pins up to 3.3 V by itself, and pressed they are 0 V. No wire of the"
    " panel ever touches a 5 V pin.",
)


def diagram(wired: Pins) -> Drawing:
    """The panel's wiring on a page of A4."""
    by_header = {wire.header: wire for wire in wired.all}
    shapes: list[Shape] = [
        Text(12, 11, "Wiring of the panel", 6, bold=True),
        Text(12, 17, "The Pi's 40-pin header seen from above, USB sockets at the bottom, pin 1 (square) at the top"
             " left. Take the power off while you wire.", 3.2, colour=FAINT),
        box(_MIDDLE - 9.4, _TOP - 5, 18.8, 19 * _ROW + 10, fill="#ececec", stroke=FAINT),
    ]  # fmt: skip
    used: set[int] = set()
    for side in (-1, 1):
        wires = [wire for wire in wired.all if _side(wire.header) == side]
        if wires:
            used.add(ground := _nearest_ground(side, wires))
            shapes += _ground(ground, wires)
    for wire in wired.all:
        shapes += _wire(wire)
    for header in range(1, 41):
        shapes += _pin(header, by_header.get(header), used)
    shapes += _together((wired.red, wired.green, wired.blue))
    most, total = max(wire.current_ma for wire in wired.all), sum(wire.current_ma for wire in wired.all)
    limits = (
        f"The busiest pin gives {most:.1f} mA of the {PIN_LIMIT_MA:.0f} mA it may; all together, buzzer included,"
        f" {total:.0f} mA of {ALL_LIMIT_MA:.0f} mA."
    )
    shapes += [Text(12, 199 + 4 * n, note, 2.9) for n, note in enumerate((*NOTES, limits))]
    return Drawing(297, 210, "Wiring of the panel to the Pi's 40-pin header", tuple(shapes))


def _side(header: int) -> int:
    return 1 if header % 2 == 0 else -1


def _at(header: int, out: float) -> tuple[float, float]:
    return _MIDDLE + _side(header) * out, _TOP + _ROW * ((header - 1) // 2)


def _outwards(header: int) -> Anchor:
    return "start" if _side(header) > 0 else "end"


def _pin(header: int, wire: Pin | None, used: set[int]) -> Iterator[Shape]:
    """A pin with its number; beside it the name, where no wire says it."""
    name, fill, ink = f"GPIO {_BY_GPIO.get(header)}", "#ffffff", FAINT
    if header in GROUND:
        name, fill, ink = "ground", INK, "#ffffff"
    elif header in POWER:
        name, fill, ink = POWER[header], "#c8c8c8", INK
    elif wire is not None:
        fill, ink = WIRE[wire.wire], INK if wire.wire in _PALE else "#ffffff"
    x, y = _at(header, _PIN)
    yield box(x - 3, y - 3, 6, 6, fill=fill) if header == 1 else Circle(x, y, 3, fill=fill)
    yield Text(x, y + 1.05, str(header), 3, "middle", ink, bold=True)
    if wire is None and header not in used:
        yield Text(*_shifted(_at(header, _NAMES), 1.0), name, 2.8, _outwards(header), FAINT)


def _wire(wire: Pin) -> Iterator[Shape]:
    """From the pin through the resistor and the part to the ground rail, with what each is."""
    header = wire.header
    yield from _cable(_at(header, _EDGE), _at(header, _PART), WIRE[wire.wire])
    yield Path((_at(header, _PART), _at(header, _RAIL)), width=0.7)
    yield Text(*_shifted(_at(header, _NAMES), -1.5), wire.name, 3, _outwards(header), bold=True)
    yield Text(*_shifted(_at(header, _NAMES), 3.4), f"GPIO {wire.gpio}, {wire.wire}", 2.6, _outwards(header), FAINT)
    if wire.ohm is not None:
        x, y = _at(header, _RESISTOR)
        yield box(x - 7, y - 2.1, 14, 4.2, fill="#ffffff", width=0.4)
        yield Text(x, y + 1.05, f"{wire.ohm} Ω", 3, "middle", bold=True)
    symbol = _button if wire.ohm is None else _piezo if wire.volt is None else _led
    yield from symbol(wire)
    yield Text(*_shifted(_at(header, _WORDS), -0.3), wire.part, 2.9, _outwards(header), bold=True)
    yield Text(*_shifted(_at(header, _WORDS), 3), wire.purpose, 2.5, _outwards(header), FAINT)


def _button(wire: Pin) -> Iterator[Shape]:
    (x, y), gap = _at(wire.header, _PART), 3.2
    yield box(x - gap, y - 1.2, 2 * gap, 2.4, fill="#ffffff", stroke=None)
    yield Path(((x - gap, y - 1.6), (x + gap, y - 1.6)), width=0.6)
    yield Path(((x, y - 1.6), (x, y - 3.2)), width=0.6)
    for way in (-1, 1):
        yield Circle(x + way * gap, y, 0.8, fill="#ffffff", width=0.4)


def _led(wire: Pin) -> Iterator[Shape]:
    """A triangle that points to ground, its bar, and the light."""
    (x, y), way = _at(wire.header, _PART), _side(wire.header)
    colour = next((_LIGHT[word] for word in _words(wire.part) if word in _LIGHT), "#ffffff")
    back, tip = x - way * 2.6, x + way * 2.2
    yield Path(((back, y - 2.3), (back, y + 2.3), (tip, y)), closed=True, fill=colour, width=0.4)
    yield Path(((tip, y - 2.3), (tip, y + 2.3)), width=0.6)
    for shift in (0.0, 1.7):
        foot = (x + way * (shift - 0.6), y - 2.1)
        head = (foot[0] + way * 1.3, foot[1] - 1.4)
        yield Path((foot, head), width=0.3)
        yield Circle(*head, 0.25, fill=INK)


def _piezo(wire: Pin) -> Iterator[Shape]:
    x, y = _at(wire.header, _PART)
    yield Circle(x, y, 3, fill="#ffffff", width=0.5)
    yield Circle(x, y, 1.5, fill="#d9c27a", width=0.3)


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _together(legs: Sequence[Pin]) -> Iterator[Shape]:
    """A dashed frame around legs of one part, where their pins are neighbours."""
    headers = sorted(leg.header for leg in legs)
    if [header - headers[0] for header in headers] != [0, 2, 4]:
        return
    (x, low), (_, high) = _at(headers[0], _PART), _at(headers[-1], _PART)
    yield box(x - 5, low - 4.6, 10, high - low + 8.2, dash=(1.2, 1), width=0.3)


def _nearest_ground(side: int, wires: Sequence[Pin]) -> int:
    middle = mean(wire.header for wire in wires)
    return min((header for header in GROUND if _side(header) == side), key=lambda header: abs(header - middle))


def _ground(pin: int, wires: Sequence[Pin]) -> Iterator[Shape]:
    """The rail that all parts of one side share, and the ground pin that it goes to."""
    rows = sorted({pin, *(wire.header for wire in wires)})
    yield Path((_at(rows[0], _RAIL), _at(rows[-1], _RAIL)), width=1.2)
    yield Path((_at(pin, _EDGE), _at(pin, _RAIL)), width=1.2)
    for row in rows:
        yield Circle(*_at(row, _RAIL), 0.9, fill=INK)
    yield Text(*_shifted(_at(pin, _NAMES), -1.5), "ground", 3, _outwards(pin), bold=True)
    yield Text(*_shifted(_at(pin, _NAMES), 3.4), "black", 2.6, _outwards(pin), FAINT)


def _cable(start: tuple[float, float], end: tuple[float, float], colour: str) -> Iterator[Shape]:
    yield Path((start, end), width=1.5)
    yield Path((start, end), colour, width=1.0)


def _shifted(at: tuple[float, float], down: float) -> tuple[float, float]:
    return at[0], at[1] + down
