"""The guide's tables in Markdown, each made from the data that it shows."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from math import inf

from hardware import driving, light, optics
from hardware.facts import ALL_LIMIT_MA, PIN_LIMIT_MA, SUPPLY_V, Pin, Pins, Tray
from hardware.plan import Plan
from hardware.stl import Mesh

_LOADS_MA = (20, 40, 80, 120)
_LAMPS_MM = (100.0, 250.0, 320.0, 400.0)
PLA_G_CM3 = 1.24
FILLED = 0.55  # walls and floor of 4 mm are mostly skin, beams mostly filling


def parts(bom: str) -> str:
    """The list of parts with what they cost, from the text of `bom.csv`."""
    rows = list(csv.DictReader(bom.splitlines()))
    cost = {need: [0.0, 0.0] for need in ("yes", "recommended", "optional")}
    for row in rows:
        for end, price in enumerate(row["price_eur"].split("-")):
            cost[row["needed"]][end] += int(row["quantity"]) * float(price)
    lines = (
        (row["part"], row["quantity"], row["needed"], row["price_eur"].replace("-", " to "), row["alternatives"],
         row["notes"]) for row in rows
    )  # fmt: skip
    (need, more), (low, high) = cost["yes"], cost["recommended"]
    return (
        _table(("part", "pieces", "needed", "€ each", "or", "note"), lines)
        + f"\n\nTogether about {need:.0f} to {more:.0f} € for what is needed, and {low:.0f} to {high:.0f} € more for"
        " what is recommended; most of it lies in a maker's drawers."
    )


def cloth(tray: Tray) -> str:
    """What to cut out of the cloth: it lies flat up to the walls."""
    pieces = (("play area", tray.play), ("rail", tray.rail))
    return _table(
        ("piece of cloth", "mm"), ((name, f"{area.width_mm:.0f} × {area.depth_mm:.0f}") for name, area in pieces)
    )


def printed(meshes: Mapping[str, Mesh], plan: Plan) -> str:
    """The printed parts: how many, how large, how much plastic."""
    copies = {"key": len(plan.keys), "lamp-arm": 2, "lamp-bar": 2}
    lines, total = [], 0.0
    for name, mesh in meshes.items():
        pieces, volume = copies.get(name, 1), mesh.volume_mm3 / 1000
        total += pieces * volume
        size = " × ".join(f"{length:.0f}" for length in mesh.size)
        lines.append((f"[{name}.stl](../print/{name}.stl)", str(pieces), size, f"{volume:.1f}"))
    return (
        _table(("file", "pieces", "mm", "cm³"), lines)
        + f"\n\n{total:.0f} cm³ in all, {PLA_G_CM3 * total:.0f} g of PLA if it were solid; about"
        f" {round(FILLED * PLA_G_CM3 * total, -2):.0f} g with three walls and a fifth of filling."
    )


def wiring(wired: Pins) -> str:
    """Every wire, in the order of `pins.toml`, with its current, and what all draw together."""
    lines = (
        (wire.name, str(wire.gpio), str(wire.header), wire.wire, _through(wire), _current(wire), wire.purpose)
        for wire in wired.all
    )
    total = sum(wire.current_ma for wire in wired.all)
    most = max(wired.all, key=lambda wire: wire.current_ma)
    return (
        _table(("wire", "GPIO", "header pin", "colour", "to", "mA", "for"), lines)
        + f"\n\nThe most any pin gives is {most.current_ma:.1f} mA ({most.name}) of the {PIN_LIMIT_MA:.0f} mA it may;"
        f" all together {total:.0f} mA of {ALL_LIMIT_MA:.0f} mA."
    )


def transistors() -> str:
    """Loads, and the base resistor for each."""
    lines = []
    for load in _LOADS_MA:
        ohm = driving.base_ohm(load)
        lines.append((f"{load}", f"{ohm} Ω", f"{driving.base_ma(ohm):.1f}"))
    return _table(("lamp, mA", "resistor at the base", "the pin gives, mA"), lines)


def cameras(tray: Tray, choice: Sequence[optics.Camera] = optics.CAMERAS) -> str:
    """Each camera with its lens over this tray."""
    dice = (tray.smallest_die_mm, (tray.smallest_die_mm + tray.largest_die_mm) / 2, tray.largest_die_mm)
    lines = []
    for camera in choice:
        view = optics.view(camera, tray)
        low, high = view.sharp_mm
        lines.append(
            (
                camera.name,
                f"{camera.angles[0]:g}° × {camera.angles[1]:g}°",
                f"{optics.lowest(camera, tray):.0f}",
                f"**{view.height_mm:.0f}**",
                " × ".join(f"{side:.0f}" for side in view.field_mm),
                f"{view.px_mm:.1f}",
                " / ".join(f"{view.pip_px(die):.0f}" for die in dice),
                f"{'-∞' if low == -inf else f'{low:.0f}'} to {high:.0f}",
                camera.remark,
            )
        )
    head = ("camera, lens", "angle of view", "lowest, mm", "at height, mm", "sees of the floor, mm", "px per mm",
            f"px across a pip of a die of {' / '.join(f'{die:g}' for die in dice)} mm",
            "sharp from … to, mm above the floor", "")  # fmt: skip
    return _table(head, lines)


def lamps(tray: Tray) -> str:
    """How far out a lamp has to be, by its height."""
    lines = (
        (f"{place.height_mm:.0f}", f"{place.beside_mm:.0f}", f"{place.before_mm:.0f}", f"{place.slope:.0f}°")
        for place in (light.place(tray, height) for height in sorted({*_LAMPS_MM, tray.lamp_height_mm}))
    )
    head = (
        "lamp above the floor, mm",
        "from the middle to a side, mm",
        "or towards front or back, mm",
        "slope of its light",
    )
    return _table(head, lines)


def _through(wire: Pin) -> str:
    return wire.part if wire.ohm is None else f"{wire.part}, {wire.ohm} Ω in series"


def _current(wire: Pin) -> str:
    """With the sum behind it: the supply less what the LED drops, over the resistor."""
    if wire.ohm is None:
        return "0"
    drop = f" - {wire.volt:g}" if wire.volt else ""
    return (
        f"({SUPPLY_V:g}{drop}) V / {wire.ohm} Ω = {wire.current_ma:.1f}" if drop else f"at most {wire.current_ma:.1f}"
    )


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
