"""What is in the simulated tray, as values: dice and hands with their ways through time, and the light.

All times are seconds on the monotonic clock; all lengths millimetres, axes as in `box`. A scene is small, frozen and
picklable: the table's process makes it, the eye's process renders it.
"""

import math
from dataclasses import dataclass
from typing import Literal

from firmware.drivers.simulated import box
from firmware.drivers.simulated.turns import Quaternion, Vector, after, by, top_face

Colour = tuple[int, int, int]  # BGR
Ease = Literal["even", "slowing", "smooth"]


@dataclass(frozen=True, slots=True)
class Look:
    """Body and pip colours of a die under white light, BGR. `big_one`: its 1 is one large pip. `signs`: what stands on
    its faces 1 to 6 in place of pips, "" where there are pips; none for pips alone."""

    body: Colour
    pips: Colour
    big_one: bool = False
    signs: tuple[str, ...] = ()


# A logo: the only sign that is no writing.
STAR = "\N{BLACK STAR}"
LOOKS: dict[str, Look] = {
    "ivory": Look((178, 212, 230), (34, 30, 30)),
    "white": Look((234, 236, 236), (30, 26, 24)),
    "black": Look((44, 42, 40), (236, 238, 238)),
    "red": Look((44, 38, 178), (232, 236, 238)),
    "blue": Look((150, 72, 34), (96, 196, 226)),
    "green": Look((72, 120, 36), (232, 236, 236)),
    "big-one": Look((44, 38, 178), (232, 236, 238), big_one=True),
    "numerals": Look((178, 212, 230), (60, 30, 30), signs=("1", "2", "3", "4", "5", "6")),
    "star-one": Look((44, 38, 178), (232, 236, 238), signs=(STAR, "", "", "", "", "")),
    "star-six": Look((44, 42, 40), (236, 238, 238), signs=("", "", "", "", "", STAR)),
    "poker": Look((234, 236, 236), (30, 26, 150), signs=("9", "10", "J", "Q", "K", "A")),
}


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a cube is. `x`, `y`: its centre. `gap`: between its lowest corner and the floor."""

    x: float
    y: float
    turn: Quaternion
    gap: float = 0.0

    @property
    def value(self) -> int:
        return top_face(self.turn)[0]

    @property
    def leans(self) -> float:
        """Radians between the top face and the level."""
        return top_face(self.turn)[1]


@dataclass(frozen=True, slots=True)
class Leg:
    """One piece of a way: from `start` to `x`, `y`, `gap`, turning by the rotation vector `spin` meanwhile.

    `lift`: how far a parabola bulges above the straight line between the gaps.
    """

    start_s: float
    end_s: float
    start: Pose
    x: float
    y: float
    gap: float = 0.0
    lift: float = 0.0
    spin: Vector = (0.0, 0.0, 0.0)
    ease: Ease = "even"

    def at(self, at_s: float) -> Pose:
        u = min(1.0, max(0.0, (at_s - self.start_s) / (self.end_s - self.start_s)))
        e = eased(self.ease, u)
        s, spin = self.start, self.spin
        gap = s.gap + (self.gap - s.gap) * u + 4 * self.lift * u * (1 - u)
        turn = after(by((spin[0] * e, spin[1] * e, spin[2] * e)), s.turn)
        return Pose(s.x + (self.x - s.x) * e, s.y + (self.y - s.y) * e, turn, max(0.0, gap))

    @property
    def end(self) -> Pose:
        return self.at(self.end_s)


@dataclass(frozen=True, slots=True)
class Die:
    """A die: it lies at `pose` until its first leg. It exists from `from_s` until `until_s`."""

    pose: Pose
    legs: tuple[Leg, ...] = ()
    look: Look = LOOKS["ivory"]
    edge_mm: float = box.EDGE
    from_s: float = -math.inf
    until_s: float = math.inf

    def at(self, at_s: float) -> Pose | None:
        """Where it is, None when it is not there."""
        if not self.from_s <= at_s < self.until_s:
            return None
        begun = [leg for leg in self.legs if leg.start_s <= at_s]
        return begun[-1].at(at_s) if begun else self.pose

    def moves(self, at_s: float) -> bool:
        return any(leg.start_s <= at_s < leg.end_s for leg in self.legs)

    @property
    def rests_s(self) -> float:
        """From when on it lies still."""
        return self.legs[-1].end_s if self.legs else self.from_s

    @property
    def last(self) -> Pose:
        """Where it comes to rest."""
        return self.legs[-1].end if self.legs else self.pose


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand's way: (seconds, x, y) of its fingertips, smooth in between. It is in view from first to last."""

    stops: tuple[tuple[float, float, float], ...]

    def at(self, at_s: float) -> tuple[float, float] | None:
        if not self.stops[0][0] <= at_s < self.stops[-1][0]:
            return None
        for (t0, x0, y0), (t1, x1, y1) in zip(self.stops, self.stops[1:], strict=False):
            if at_s < t1:
                e = eased("smooth", (at_s - t0) / (t1 - t0))
                return x0 + (x1 - x0) * e, y0 + (y1 - y0) * e
        return None

    @property
    def ends_s(self) -> float:
        return self.stops[-1][0]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with the camera or the light, from `from_s` until `until_s`."""

    kind: str
    from_s: float
    until_s: float


@dataclass(frozen=True, slots=True)
class Scene:
    """`grain` seeds wood and felt: another number is another tray, and wants another profile."""

    grain: int = 1
    dice: tuple[Die, ...] = ()
    hands: tuple[Reach, ...] = ()
    faults: tuple[Fault, ...] = ()

    def moves(self, from_s: float, until_s: float) -> bool:
        """Whether a die or a hand is on its way at any time between."""
        ways = [(leg.start_s, leg.end_s) for die in self.dice for leg in die.legs]
        ways += [(reach.stops[0][0], reach.ends_s) for reach in self.hands]
        return any(begins_s < until_s and ends_s > from_s for begins_s, ends_s in ways)

    def faulty(self, kind: str, at_s: float) -> bool:
        return any(f.kind == kind and f.from_s <= at_s < f.until_s for f in self.faults)


def eased(ease: Ease, u: float) -> float:
    """Share of the way done after the share `u` of the time."""
    if ease == "slowing":
        return 1 - (1 - u) ** 2
    if ease == "smooth":
        return u * u * (3 - 2 * u)
    return u
