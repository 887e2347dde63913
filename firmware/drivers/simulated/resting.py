"""Where thrown dice come to lie: apart, face against face, or leaning on a wall or another die."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from firmware.drivers.simulated import box
from firmware.drivers.simulated.scene import Pose
from firmware.drivers.simulated.turns import Vector, about, after, lying, matrix, support, yaw_of

_APART = 1.62  # edges between the centres of dice that do not touch: cubes turned corner to corner stay clear
_TRIES = 400


@dataclass(frozen=True, slots=True)
class Rest:
    pose: Pose
    heading: float | None = None  # radians, the way it must come from; None for any


def rests(
    rng: random.Random,
    values: Sequence[int],
    lying_there: Sequence[Pose],
    cocked: int,
    edge_mm: float,
    touching: float,
) -> list[Rest]:
    flat = len(values) - cocked
    found: list[Rest] = []
    for index, value in enumerate(values):
        taken = [*lying_there, *(r.pose for r in found)]
        for attempt in range(_TRIES):
            if index >= flat:
                rest = _leaning(rng, value, [r.pose for r in found[:flat]], edge_mm)
            elif found and attempt < 20 and rng.random() < touching:
                rest = _beside(rng, value, rng.choice(found).pose, edge_mm)
            else:
                rest = _anywhere(rng, value, edge_mm)
            if _fits(rest.pose, taken, edge_mm):
                found.append(rest)
                break
        else:
            raise ValueError(f"There is no room for {len(values)} dice in the simulated tray; throw fewer.")
    return found


def _anywhere(rng: random.Random, value: int, edge_mm: float) -> Rest:
    margin = 0.8 * edge_mm
    x = rng.uniform(box.FLOOR_LEFT + margin, box.RIDGE_LEFT - margin)
    y = rng.uniform(box.FLOOR_NEAR + margin, box.FLOOR_FAR - margin)
    return Rest(Pose(x, y, lying(value, rng.uniform(0, 2 * math.pi))))


def _beside(rng: random.Random, value: int, other: Pose, edge_mm: float) -> Rest:
    """Face against face with a die that lies flat, shifted along it a little."""
    yaw = yaw_of(other.turn)
    side = yaw + rng.randrange(4) * math.pi / 2
    out, along = edge_mm + 0.15, rng.uniform(-0.45, 0.45) * edge_mm
    x = other.x + math.cos(side) * out - math.sin(side) * along
    y = other.y + math.sin(side) * out + math.cos(side) * along
    return Rest(Pose(x, y, lying(value, yaw + rng.randrange(4) * math.pi / 2)), side + math.pi)


def _leaning(rng: random.Random, value: int, flat: Sequence[Pose], edge_mm: float) -> Rest:
    """One lower edge lifted by 20 to 40 degrees, resting against a wall or the side of another die."""
    lean = math.radians(rng.uniform(20, 40))
    reach = edge_mm / 2 * (math.cos(lean) + math.sin(lean)) + 0.1
    if flat and rng.random() < 0.4:
        other = rng.choice(list(flat))
        towards = yaw_of(other.turn) + rng.randrange(4) * math.pi / 2
        out, along = reach + edge_mm / 2, rng.uniform(-0.3, 0.3) * edge_mm
        x = other.x - math.cos(towards) * out - math.sin(towards) * along
        y = other.y - math.sin(towards) * out + math.cos(towards) * along
    else:
        towards = rng.choice([math.pi / 2, math.pi])  # far or left wall
        x = rng.uniform(box.FLOOR_LEFT + 30, box.RIDGE_LEFT - 30) if towards < 3 else box.FLOOR_LEFT + reach
        y = rng.uniform(box.FLOOR_NEAR + 50, box.FLOOR_FAR - 30) if towards > 3 else box.FLOOR_FAR - reach
    flat_turn = lying(value, towards + rng.randrange(4) * math.pi / 2)
    axis = (math.sin(towards), -math.cos(towards), 0.0)  # turning about it lifts the side that looks `towards`
    return Rest(Pose(x, y, after(about(axis, lean), flat_turn)), towards)


def _fits(pose: Pose, taken: Sequence[Pose], edge_mm: float) -> bool:
    turned = 0.75 * edge_mm  # half a diagonal and a little
    # Leaning ones are laid to touch the wall: what counts is how far they really reach.
    left, far = turned, turned
    if pose.leans >= 0.1:
        left, far = (edge_mm / 2 * sum(map(abs, row)) for row in matrix(pose.turn)[:2])
    if not (box.FLOOR_LEFT + left < pose.x < box.RIDGE_LEFT - turned):
        return False
    if not (box.FLOOR_NEAR + turned < pose.y < box.FLOOR_FAR - far):
        return False
    return all(_free(pose, other, edge_mm) for other in taken)


def _free(pose: Pose, other: Pose, edge_mm: float) -> bool:
    """Far enough apart, or laid face to face on purpose: then one axis of the pair is at least a die's width."""
    dx, dy = pose.x - other.x, pose.y - other.y
    if math.hypot(dx, dy) >= _APART * edge_mm:
        return True
    if pose.leans > 0.1 or other.leans > 0.1:
        return not _meet(pose, other, edge_mm)
    yaw = yaw_of(other.turn)
    aligned = abs(math.remainder(yaw_of(pose.turn) - yaw, math.pi / 2)) < 1e-6
    across = max(abs(dx * math.cos(yaw) + dy * math.sin(yaw)), abs(dy * math.cos(yaw) - dx * math.sin(yaw)))
    return aligned and across >= edge_mm


def _meet(p: Pose, q: Pose, edge_mm: float) -> bool:
    """Whether two cubes reach into each other: no face or pair of edges has a plane between them."""
    edges = ours, theirs = tuple(zip(*matrix(p.turn), strict=True)), tuple(zip(*matrix(q.turn), strict=True))
    between = (p.x - q.x, p.y - q.y, support(p.turn, edge_mm) - support(q.turn, edge_mm))
    axes = (*ours, *theirs, *(_cross(one, other) for one in ours for other in theirs))
    return not any(
        abs(_dot(axis, between)) > edge_mm / 2 * sum(abs(_dot(axis, edge)) for cube in edges for edge in cube) + 1e-6
        for axis in axes
    )


def _dot(one: Vector, other: Vector) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _cross(one: Vector, other: Vector) -> Vector:
    (a, b, c), (x, y, z) = one, other
    return b * z - c * y, c * x - a * z, a * y - b * x
