"""A hand's trip over the simulated tray, and the dice it carries below its fingers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from firmware.drivers.simulated import box
from firmware.drivers.simulated.scene import Leg, Pose, Reach

_IN_S, _OUT_S = 0.4, 0.35
_DOOR = (10.0, -330.0)  # mm: where the hand waits out of view
_ROOM = 17.0  # mm of the hand that each die takes


@dataclass(frozen=True, slots=True)
class Trip:
    """A hand's stops while it is being planned: (seconds, x, y)."""

    stops: tuple[tuple[float, float, float], ...]

    @classmethod
    def over(cls, begin_s: float, poses: Sequence[Pose], between_s: float) -> "Trip":
        """In from the player's side, and from die to die."""
        trip = cls(((begin_s, *_DOOR),))
        for number, pose in enumerate(poses):
            trip = trip.go(between_s if number else _IN_S, pose.x, pose.y)
        return trip

    @property
    def now_s(self) -> float:
        return self.stops[-1][0]

    @property
    def reach(self) -> Reach:
        return Reach(self.stops)

    def go(self, takes_s: float, x: float, y: float) -> "Trip":
        return Trip((*self.stops, (self.now_s + takes_s, x, y)))

    def out(self) -> "Trip":
        return self.go(_OUT_S, *_DOOR)

    def held(self, stop: int, place: int) -> tuple[float, float]:
        """Where a die lies in the hand at a stop: `place` dice behind the fingertips, towards the arm."""
        _, x, y = self.stops[stop]
        arm_x, arm_y = box.ARM_FROM[0] - x, box.ARM_FROM[1] - y
        back = _ROOM * place / math.hypot(arm_x, arm_y)
        return x + arm_x * back, y + arm_y * back


def carried(pose: Pose, trip: Trip, grip: int, lay: int) -> list[Leg]:
    """A die's legs in the hand from one stop to another: below the fingers, behind those picked up after it."""
    legs: list[Leg] = []
    for stop in range(grip, lay):
        start_s, end_s = trip.stops[stop][0], trip.stops[stop + 1][0]
        x, y = trip.stops[stop + 1][1:] if stop + 1 == lay else trip.held(stop + 1, min(stop + 1 - grip, 3))
        legs.append(Leg(start_s, end_s, pose, x, y, gap=8.0, ease="smooth"))
        pose = legs[-1].end
    return legs
