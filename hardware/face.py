"""The panel's face on the outside of the wall towards the players: where each button and lamp of it sits."""

from dataclasses import dataclass

from hardware.facts import Tray

WIDE_MM, HIGH_MM, DEEP_MM = 184.0, 48.0, 46.0
SKIN_MM = 3.0
SCREW_X_MM = 84.0  # both screws through the tray's wall, left and right of the middle
SCREW_Z_MM = 24.0
_BUTTONS_Z_MM, _LAMPS_Z_MM = 18.0, 39.0
_LAMPS_APART_MM = 11.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A hole in the face. `x_mm` to the right of the middle and `z_mm` above the lower edge, as the players see it;
    `wires`: the names in `pins.toml` of what sits there; `says`: the word beside it."""

    wires: tuple[str, ...]
    x_mm: float
    z_mm: float
    hole_mm: float
    says: str


def inside_mm(tray: Tray) -> float:
    """Height above the floor that is free inside the panel, which stands on the table."""
    return HIGH_MM - SKIN_MM - 1 - tray.floor_thickness_mm


def spots(tray: Tray) -> tuple[Spot, ...]:
    """All holes of the face. The middle is left free below the lamps: there the tray's lugs reach into the panel."""
    button, lamp = tray.button_mm, tray.lamp_mm
    bar = (Spot((f"dice-left-{n}",), _LAMPS_APART_MM * (n - 3.5), _LAMPS_Z_MM, lamp, str(n)) for n in range(1, 7))
    return (
        Spot(("mode",), -66, _BUTTONS_Z_MM, button, "MODE"),
        Spot(("undo",), -34, _BUTTONS_Z_MM, button, "UNDO"),
        Spot(("bank",), 52, _BUTTONS_Z_MM, button, "BANK"),
        Spot(("red", "green", "blue"), -50, _LAMPS_Z_MM, lamp, "TRAY"),
        *bar,
        Spot(("bank-lamp",), 52, _LAMPS_Z_MM, lamp, ""),
        Spot(("buzzer",), 9, _BUTTONS_Z_MM, 2, ""),
    )
