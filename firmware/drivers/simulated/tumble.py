"""How thrown dice fly, hop, tip over and slide to rest: seeded, and ending as asked.

A die's way is laid out backwards from where it is to lie: slide, tip over an edge, three hops that gravity times, and
the flight in from outside the picture. Spins are those of a rolling cube, about the level axis across its way.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from firmware.drivers.simulated import box
from firmware.drivers.simulated.resting import Rest, rests
from firmware.drivers.simulated.scene import LOOKS, Die, Ease, Leg, Look, Pose
from firmware.drivers.simulated.turns import Vector, after, by, yaw_of

_GRAVITY = 9810.0  # mm/s2


def tumble(
    rng: random.Random,
    values: Sequence[int],
    lying_there: Sequence[Pose] = (),
    cocked: int = 0,
    start_s: float = 0.0,
    looks: Sequence[Look] = (LOOKS["ivory"],),
    edge_mm: float = box.EDGE,
    touching: float = 0.14,
) -> tuple[Die, ...]:
    """Dice thrown at `start_s`, at rest 0.7 to 1.3 s later with `values` up; the last `cocked` of them lean instead.

    `lying_there`: dice that stay where they are and are not run into. `touching`: share of dice that come to lie
    against another. `looks`: of the dice in the order of `values`, again and again when there are fewer. Raises
    `ValueError` when there is no room.
    """
    around = [p for p in lying_there if p.x < box.RIDGE_LEFT]
    goals = rests(rng, values, around, cocked, edge_mm, touching)
    side = rng.uniform(-70, 50)
    order = sorted(range(len(goals)), key=lambda i: -goals[i].pose.y)  # the far ones leave the hand first
    dice: list[Die] = []
    for place, index in enumerate(order):
        begin = start_s + place * rng.uniform(0.01, 0.05)
        plain = Die(goals[index].pose, (), looks[index % len(looks)], edge_mm, from_s=begin)
        dice.append(_thrown(rng, goals[index], side, plain, dice, lying_there))
    return tuple(dice)


def _thrown(
    rng: random.Random, rest: Rest, side: float, plain: Die, dice: Sequence[Die], lying_there: Sequence[Pose]
) -> Die:
    """`plain` on a way to its rest that meets no other die, or after many tries on one that does."""
    found: Die | None = None
    for attempt in range(60):
        way = _way(rng, rest, side, plain.from_s, plain.edge_mm, wild=attempt / 60)
        if way is None:
            continue
        found = replace(plain, pose=way[0].start, legs=way)
        if _clear(found, dice, lying_there):
            break
    if found is None:
        raise ValueError("There is no way for a die to its place; clear the tray and throw again.")
    return found


def _way(
    rng: random.Random, rest: Rest, side: float, begin: float, edge_mm: float, wild: float
) -> tuple[Leg, ...] | None:
    """Legs from outside the picture to the rest, or None when this try leaves the tray. `wild`: 0-1, how far the
    direction may stray from straight out of the hand."""
    pose = rest.pose
    often = 0.9 if pose.y < box.FLOOR_NEAR + 95 else 0.25 if rest.heading is None else 0.05
    bounce = rng.random() < often
    wall = box.FLOOR_FAR - 0.62 * edge_mm
    goal_y = 2 * wall - pose.y if bounce else pose.y  # unfold the way at the far wall
    heading = math.atan2(goal_y - (box.FLOOR_NEAR - 110), pose.x - side) + rng.gauss(0, 0.12 + 0.6 * wild)
    if rest.heading is not None and not bounce:
        heading += max(-0.9, min(0.9, math.remainder(rest.heading - heading, 2 * math.pi))) * rng.uniform(0.3, 1)
    if math.sin(heading) < 0.15:
        return None
    room = (goal_y - box.FLOOR_NEAR - 30) / math.sin(heading)
    least = (goal_y - wall) / math.sin(heading) + 15 if bounce else 14.0
    if room < least:
        return None
    length = rng.uniform(max(least, min(90.0, room)), max(least, min(room, 270.0)))
    legs = _unfolded(rng, Pose(pose.x, goal_y, pose.turn), heading, length, begin, edge_mm)
    legs = [piece for leg in legs for piece in _folded(leg, wall)] if bounce else legs
    inside = all(_inside(leg.start, edge_mm) for leg in legs[1:])
    return tuple(legs) if inside else None


def _inside(pose: Pose, edge_mm: float) -> bool:
    margin = 0.6 * edge_mm
    return (
        box.FLOOR_LEFT + margin < pose.x < box.RIDGE_LEFT - margin
        and box.FLOOR_NEAR + margin < pose.y < box.FLOOR_FAR - margin + 1.0
    )


def _unfolded(rng: random.Random, goal: Pose, heading: float, length: float, begin: float, edge_mm: float) -> list[Leg]:
    """The way as if there were no walls, in order of time."""
    hops = [(rng.uniform(13, 24), 1.0), (rng.uniform(5, 10), 0.75), (rng.uniform(1.5, 3.5), 0.55)]  # height mm, pace
    times = [2 * math.sqrt(2 * lift / _GRAVITY) for lift, _ in hops] + [rng.uniform(0.07, 0.1), rng.uniform(0.12, 0.2)]
    paces = [pace for _, pace in hops] + [0.42, 0.2]
    pace = length / sum(t * p for t, p in zip(times, paces, strict=True))
    rolled = [t * p * pace / (0.6 * edge_mm) for t, p in zip(times[:3], paces[:3], strict=True)]
    spins = [*rolled, rng.uniform(0.5, 1.5), 0.0]
    lifts = [lift for lift, _ in hops] + [0.0, 0.0]
    flight = rng.uniform(0.24, 0.3)
    ends = [begin + flight]
    for t in times:
        ends.append(ends[-1] + t)
    legs: list[Leg] = []
    pose = goal
    for i in reversed(range(5)):
        way = heading + (rng.gauss(0, 0.08) if i else 0.0)
        spin = _spin(pose, way, spins[i]) if i < 4 else (0.0, 0.0, rng.gauss(0, 0.25))
        pose = _before(pose, way, times[i] * paces[i] * pace, spin)
        end_xy = (legs[0].start.x, legs[0].start.y) if legs else (goal.x, goal.y)
        ease: Ease = "slowing" if i == 4 else "even"
        legs.insert(0, Leg(ends[i], ends[i + 1], pose, *end_xy, lift=lifts[i], spin=spin, ease=ease))
    out = (pose.y - (box.FLOOR_NEAR - 105)) / math.sin(heading)
    spin = _spin(pose, heading, rng.uniform(3, 6))
    start = _before(pose, heading, out, spin)
    start = Pose(start.x, start.y, start.turn, gap=rng.uniform(70, 100))
    return [Leg(begin, ends[0], start, pose.x, pose.y, lift=_GRAVITY * flight**2 / 8, spin=spin), *legs]


def _spin(pose: Pose, heading: float, angle: float) -> Vector:
    """Rolling forwards by `angle` about the level axis across `heading`; small tips keep to the cube's own edge."""
    axis = heading + math.pi / 2
    if angle < 1.6 and pose.leans < 0.1:
        yaw = yaw_of(pose.turn)
        axis = yaw + round((axis - yaw) / (math.pi / 2)) * math.pi / 2
    return (math.cos(axis) * angle, math.sin(axis) * angle, 0.0)


def _before(pose: Pose, heading: float, distance: float, spin: Vector) -> Pose:
    turn = after(by((-spin[0], -spin[1], -spin[2])), pose.turn)
    return Pose(pose.x - math.cos(heading) * distance, pose.y - math.sin(heading) * distance, turn)


def _folded(leg: Leg, wall: float) -> list[Leg]:
    """The leg mirrored where it runs beyond the far wall; cut in two where it hits it."""
    y0, y1 = leg.start.y, leg.y
    if y1 <= wall:
        return [leg]
    if y0 >= wall:
        return [_mirrored(leg, wall)]
    u = (wall - y0) / (y1 - y0)
    before, beyond = _cut(leg, u)
    return [before, _mirrored(beyond, wall)]


def _cut(leg: Leg, u: float) -> tuple[Leg, Leg]:
    at_s = leg.start_s + u * (leg.end_s - leg.start_s)
    if leg.ease == "slowing":
        at_s = leg.start_s + (1 - math.sqrt(1 - u)) * (leg.end_s - leg.start_s)
    middle = leg.at(at_s)
    share = (at_s - leg.start_s) / (leg.end_s - leg.start_s)
    sx, sy, sz = leg.spin
    first = Leg(
        leg.start_s, at_s, leg.start, middle.x, middle.y, middle.gap, leg.lift * share**2, (sx * u, sy * u, sz * u)
    )
    rest = (sx * (1 - u), sy * (1 - u), sz * (1 - u))
    second = Leg(at_s, leg.end_s, middle, leg.x, leg.y, leg.gap, leg.lift * (1 - share) ** 2, rest, leg.ease)
    return first, second


def _mirrored(leg: Leg, wall: float) -> Leg:
    """Same turning, the way mirrored at the wall: a die that comes back from a wall often spins on as it did."""
    s = leg.start
    start = Pose(s.x, 2 * wall - s.y, s.turn, s.gap)
    return Leg(leg.start_s, leg.end_s, start, leg.x, 2 * wall - leg.y, leg.gap, leg.lift, leg.spin, leg.ease)


def _clear(die: Die, others: Sequence[Die], lying_there: Sequence[Pose]) -> bool:
    """Runs through no other die: tried sixty times a second."""
    steps = [die.from_s + n / 60 for n in range(int((die.rests_s - die.from_s) * 60) + 2)]
    near = 0.97 * die.edge_mm
    for at_s in steps:
        pose = die.at(at_s)
        if pose is None:
            continue
        around = [*lying_there, *(p for o in others if (p := o.at(at_s)) is not None)]
        if any(math.dist((pose.x, pose.y, pose.gap), (p.x, p.y, p.gap)) < near for p in around):
            return False
    return True
