"""All printed parts: as each stands in the box, and as it lies in the printer."""

from collections.abc import Iterable
from dataclasses import dataclass

from build123d import Part, Pos, Rot

from hardware.cad import arm, panel, tray
from hardware.facts import Tray
from hardware.plan import Plan


@dataclass(frozen=True, slots=True)
class Printed:
    """`solid`: where it stands in the box. `turn`: degrees around X, then Y, then Z, that lay it down to print without
    supports. `copies`: how many are needed."""

    name: str
    solid: Part
    turn: tuple[float, float, float] = (0.0, 0.0, 0.0)
    copies: int = 1

    @property
    def flat(self) -> Part:
        """As it is printed: its lowest corner at the origin of the bed."""
        lying = Rot(*self.turn) * self.solid
        low = lying.bounding_box().min
        return Part() + Pos(-low.X, -low.Y, -low.Z) * lying


def printed(box: Tray, plan: Plan) -> tuple[Printed, ...]:
    """Every part of this box, in the order in which it is built."""
    return (
        *(Printed(name, solid) for name, solid in tray.parts(box, plan).items()),
        Printed("key", tray.key(), copies=len(plan.keys)),
        Printed("foot", arm.foot(box)),
        *_beams(arm.beams(box, plan).items()),
        Printed("camera-plate", arm.camera_plate(box, plan), (180, 0, 0)),
        Printed("pi-plate", arm.pi_plate(box, plan), (0, -90, 0)),
        Printed("panel", panel.panel(box), (90, 0, 0)),
    )


def _beams(beams: Iterable[tuple[str, Part]]) -> Iterable[Printed]:
    """Beams lie on the side that their laps leave whole, which is the other one of each next beam."""
    for n, (name, solid) in enumerate(beams):
        yield Printed(name, solid, (0, -90 if n % 2 == 0 else 90, 0))
