"""All printed parts: as they stand in the box, and as each lies in the printer."""

from collections.abc import Iterable
from dataclasses import dataclass

from build123d import Part, Pos, Rot

from hardware.cad import arm, lamps, panel, tray
from hardware.facts import Tray
from hardware.plan import Plan


@dataclass(frozen=True, slots=True)
class Printed:
    """`solids`: where each of its copies stands in the box. `turn`: degrees around X, then Y, then Z, that lay the
    first of them down to print without supports."""

    name: str
    solids: tuple[Part, ...]
    turn: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def flat(self) -> Part:
        """As it is printed: its lowest corner at the origin of the bed."""
        lying = Rot(*self.turn) * self.solids[0]
        low = lying.bounding_box().min
        return Part() + Pos(-low.X, -low.Y, -low.Z) * lying


def printed(box: Tray, plan: Plan) -> tuple[Printed, ...]:
    """Every part of this box, in the order in which it is built."""
    return (
        *(Printed(name, (solid,)) for name, solid in tray.parts(box, plan).items()),
        Printed("key", tray.keys(box, plan)),
        Printed("foot", (arm.foot(box),)),
        *_beams(arm.beams(box, plan).items()),
        Printed("camera-plate", (arm.camera_plate(box, plan),), (180, 0, 0)),
        Printed("pi-plate", (arm.pi_plate(box, plan),), (0, -90, 0)),
        Printed("lamp-arm", lamps.arms(box, plan), (90, 0, 0)),
        Printed("lamp-bar", lamps.bars(box, plan), (0, 180 - lamps.tilt(box), 0)),
        Printed("panel", (panel.panel(box),), (90, 0, 0)),
    )


def _beams(beams: Iterable[tuple[str, Part]]) -> Iterable[Printed]:
    """Beams lie on the side that their laps leave whole, which is the other one of each next beam."""
    for n, (name, solid) in enumerate(beams):
        yield Printed(name, (solid,), (0, -90 if n % 2 == 0 else 90, 0))
