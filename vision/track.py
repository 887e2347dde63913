"""Which dice lie as they did: dice of two readings paired by where they lie. Distances are in edges of a die."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from vision.seen import SeenDie

# A die at rest is found again within a twentieth of its edge; a thrown one that stops by chance this near to where
# another lay, with its value and its angle, comes once in some six hundred throws of six dice.
LIES = 0.2
# Pairs are looked for a little further, to find out by how much all of them have shifted (a bump of the camera).
REACH = 0.6
TURNED_DEG = 20.0


# Whether the picture has changed since the last rest at x, y, within a die's size (pixels of the frame).
Altered = Callable[[float, float, float], bool]


def anywhere(_x: float, _y: float, _size: float) -> bool:
    """Nothing is known: it may have changed."""
    return True


@dataclass(frozen=True, slots=True)
class Pairing:
    """Indices of the dice that lie as before, as (before, after); of those gone; and of those that are new here.
    A die read where the picture has not changed, or no more, is in none of them: only the reading has changed."""

    lying: tuple[tuple[int, int], ...] = ()
    gone: tuple[int, ...] = ()
    fresh: tuple[int, ...] = ()


def pair(
    before: Sequence[SeenDie],
    after: Sequence[SeenDie],
    drift: tuple[float, float] = (0.0, 0.0),
    altered: Altered = anywhere,
) -> Pairing:
    """Pair the dice of two rests. `drift`: pixels that the whole picture has moved meanwhile. Where the
    picture has not changed, a die lies as it did, whatever was read."""
    near = nearest(before, after, drift, REACH)
    shift = _common_shift(before, after, near, drift)
    lying = tuple((b, a) for b, a in near if _lies(before[b], after[a], shift) or not _at(altered, after[a]))
    was, now = {b for b, _ in lying}, {a for _, a in lying}
    return Pairing(
        lying,
        tuple(b for b in range(len(before)) if b not in was and _at(altered, _shifted(before[b], shift))),
        tuple(a for a in range(len(after)) if a not in now and _at(altered, after[a])),
    )


def _shifted(die: SeenDie, shift: tuple[float, float]) -> SeenDie:
    return replace(die, x=die.x + shift[0], y=die.y + shift[1])


def _at(altered: Altered, die: SeenDie) -> bool:
    return altered(die.x, die.y, die.size)


def nearest(
    before: Sequence[SeenDie], after: Sequence[SeenDie], drift: tuple[float, float], reach: float
) -> tuple[tuple[int, int], ...]:
    """Each die with at most one other, nearest pairs first, none further apart than `reach`."""
    apart = sorted((_apart(was, now, drift), b, a) for b, was in enumerate(before) for a, now in enumerate(after))
    pairs: dict[int, int] = {}
    for far, b, a in apart:
        if far <= reach and b not in pairs and a not in pairs.values():
            pairs[b] = a
    return tuple(pairs.items())


def _apart(before: SeenDie, after: SeenDie, shift: tuple[float, float]) -> float:
    """In edges of the two."""
    far = math.hypot(after.x - before.x - shift[0], after.y - before.y - shift[1])
    return far / max(1.0, (before.size + after.size) / 2)


def _common_shift(
    before: Sequence[SeenDie],
    after: Sequence[SeenDie],
    near: Sequence[tuple[int, int]],
    drift: tuple[float, float],
) -> tuple[float, float]:
    """How far the picture moved, seen by the dice themselves. One or two dice cannot tell it from their own moving."""
    if len(near) < 3:
        return drift
    return median(after[a].x - before[b].x for b, a in near), median(after[a].y - before[b].y for b, a in near)


def _lies(before: SeenDie, after: SeenDie, shift: tuple[float, float]) -> bool:
    """Same place; and the same value, or so nearly the same angle that it is the same die read otherwise."""
    if _apart(before, after, shift) > LIES:
        return False
    turned = abs(before.angle - after.angle) % 90.0
    turned = min(turned, 90.0 - turned)
    same = before.value == after.value or before.value is None or after.value is None
    return turned <= (TURNED_DEG if same else TURNED_DEG / 3)
