"""The wiring table of README.md, made from `pins.toml`. `python -m hardware.wiring` renews it in a checkout."""

import sys
from pathlib import Path

from hardware.facts import ALL_LIMIT_MA, HardwareError, Pin, Pins, pins

BEGIN = "<!-- wiring: made from pins.toml by `python -m hardware.wiring`; change pins.toml, not this -->"
END = "<!-- end of wiring -->"


def wiring_table(wired: Pins) -> str:
    """The table in Markdown, in the order of `pins.toml`, with what all lamps draw together."""
    rows = [f"| {wire.name} | {wire.gpio} | {wire.header} | {_through(wire)} | {wire.purpose} |" for wire in wired.all]
    lamps_ma = sum(wire.current_ma for wire in wired.all if wire.volt is not None)
    return "\n".join(
        [
            "| wire | GPIO | header pin | to | for |",
            "|---|---|---|---|---|",
            *rows,
            "",
            f"All lamps lit draw {lamps_ma:.0f} mA; the pins may give {ALL_LIMIT_MA:.0f} mA together.",
        ]
    )


def renewed(readme: str, wired: Pins) -> str:
    """The README with the table between its two markers made anew. Raises `HardwareError` without markers."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise HardwareError(f"The README has no place for the wiring: put the lines {BEGIN} and {END} into it.")
    return f"{before}{BEGIN}\n{wiring_table(wired)}\n{END}{after}"


def _through(wire: Pin) -> str:
    return wire.part if wire.ohm is None else f"{wire.part}, {wire.ohm} Ω in series"


def main() -> int:
    readme = Path(__file__).with_name("README.md")
    if not readme.exists():
        sys.stderr.write("There is no README.md here: run this in a checkout of the project.\n")
        return 2
    readme.write_text(renewed(readme.read_text(encoding="utf-8"), pins()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
