"""Lamps that draw more than a pin gives: the resistor in front of a transistor that switches them."""

from hardware.facts import SUPPLY_V, HardwareError

# A small NPN transistor, BC337 or 2N2222: driven with a twentieth of its load it is fully on, and its base is 0.75 V.
OVERDRIVE, BASE_V = 20.0, 0.75
BASE_LIMIT_MA = (
    8.0  # half of what a pin may give: the panel's own lamps need the rest of what all pins may give together
)
_ROW = tuple(
    ten * value for ten in (1, 10, 100, 1000, 10000) for value in (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
)


def base_ohm(load_ma: float) -> int:
    """The resistor between the pin and the base, the largest of the E12 row that switches this load fully. Raises
    `HardwareError` for a load that needs a MOSFET."""
    if load_ma <= 0:
        raise HardwareError(f"A lamp draws more than 0 mA, not {load_ma:g}; look at its label.")
    most = 1000 * (SUPPLY_V - BASE_V) / (load_ma / OVERDRIVE)
    ohm = max((ohm for ohm in _ROW if ohm <= most), default=_ROW[0])
    if base_ma(ohm) > BASE_LIMIT_MA:
        raise HardwareError(f"{load_ma:g} mA are too much for a small transistor on a pin; use a logic-level MOSFET.")
    return ohm


def base_ma(ohm: float) -> float:
    """What the pin then gives."""
    return 1000 * (SUPPLY_V - BASE_V) / ohm
