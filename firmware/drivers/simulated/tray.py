"""The hands at the simulated tray: they throw, set aside and sweep up in turn, and break things on request."""

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from firmware.drivers.simulated import box
from firmware.drivers.simulated.dice_sets import DICE_SETS, USUAL
from firmware.drivers.simulated.scene import LOOKS, Die, Fault, Leg, Look, Pose, Reach, Scene
from firmware.drivers.simulated.trip import Trip, carried
from firmware.drivers.simulated.tumble import tumble
from firmware.drivers.simulated.turns import levelling, lying
from speech.sentence import say

FAULTS = ("dead-camera", "dropped-frames", "dark", "glare", "flicker", "moved", "smudge", "felt", "hand", "nudge")

COLOURED = LOOKS["red"]  # the die that may be wild, where the set has none
SET = 6  # dice in a set; those on the rail are taken up when a throw needs more than are left
MOST = 12  # dice that find room
LIE_S = 0.9  # how long things lie still before the next hand comes: time to be read
_PICK_S = 0.16  # from one die to the next while picking up
_SWEEP_S = 0.1
_CARRY_S = 0.4
_NUDGE_S = 0.3
_KEEP_S = 20.0  # ended ways are forgotten after this: an eye on a slow machine comes to them late
_COCKED = 0.15  # radians


class Hands:
    """Owner of the simulated world. Each call returns at once; what follows happens in the scene's time, in order.

    `changed`: called with each new scene, under the lock. `clock`: monotonic seconds, as the camera's.
    `seed`: of the throws.
    """

    def __init__(
        self,
        changed: Callable[[Scene], None],
        clock: Callable[[], float],
        seed: int = 1,
        dice_set: str = USUAL,
        edge_mm: float = box.EDGE,
    ) -> None:
        self._changed, self._clock = changed, clock
        self._rng = random.Random(seed)
        self._name, self._count, self._edge = dice_set, SET, edge_mm
        self._lock = threading.Lock()
        self._free_s = clock()  # when the last thing asked for is over
        self._scene = Scene()

    @property
    def scene(self) -> Scene:
        return self._scene

    @property
    def quiet_s(self) -> float:
        """When everything asked for so far will have happened."""
        return self._free_s

    @property
    def dice_set(self) -> str:
        """Name of the set in use."""
        return self._name

    @property
    def count(self) -> int:
        """Dice of the set in use."""
        return self._count

    def use(self, dice_set: str, count: int = SET) -> None:
        """Take up another set, of `count` dice; what lies in the tray and on the rail is cleared. Raises
        `ValueError`."""
        if dice_set not in DICE_SETS:
            raise ValueError(f"The simulated tray has no dice set {dice_set!r}; it has {', '.join(DICE_SETS)}.")
        if not 1 <= count <= MOST:
            raise ValueError(f"A set of the simulated tray has 1 to {MOST} dice, not {count}.")
        self.clear()
        with self._lock:
            self._name, self._count = dice_set, count

    def place(self) -> None:
        """Put the whole set into the tray, flat and apart, any faces up."""
        with self._lock:
            dice, hands, start_s = self._swept(self._lying())
            faces = [self._rng.randint(1, 6) for _ in range(self._count)]
            laid = tumble(
                self._rng, faces, (), 0, start_s, DICE_SETS[self._name].looks(self._count), self._edge, touching=0.0
            )
            self._become(dice + laid, hands, max(die.rests_s for die in laid))

    def throw(self, count: int, values: Sequence[int] | None = None, cocked: int = 0, coloured: bool = False) -> None:
        """Roll `count` dice; those in the tray are taken up first, the rail's only when the set has no more dice.

        `values`: how they are to fall. `coloured`: the first is the coloured die. Raises `ValueError`.
        """
        if not 1 <= count <= MOST:
            raise ValueError(f"The simulated tray throws 1 to {MOST} dice, not {count}.")
        if values is not None and (len(values) != count or any(v not in range(1, 7) for v in values)):
            raise ValueError(f"Give a value from 1 to 6 for each of the {count} dice, or none at all.")
        if not 0 <= cocked <= count:
            raise ValueError(f"Of {count} dice, {cocked} cannot lie cocked.")
        with self._lock:
            fallen = [self._rng.randint(1, 6) for _ in range(count)] if values is None else list(values)
            on_rail = self._lying(rail=True)
            short = bool(on_rail) and count + len(on_rail) > max(self._count, count)
            dice, hands, start_s = self._swept([*self._lying(rail=False), *(on_rail if short else [])])
            stay = [] if short else [d.last for d in on_rail]
            looks = self._looks(count, [] if short else [die.look for die in on_rail], coloured)
            thrown = tumble(self._rng, fallen, stay, cocked, start_s, looks, self._edge)
            self._become(dice + thrown, hands, max(die.rests_s for die in thrown))

    def aside(self, dice: Sequence[int], coloured: bool = False) -> None:
        """A hand moves flat dice with these values from the tray to the rail, `coloured`: the coloured one among them.
        Raises `ValueError`."""
        with self._lock:
            picked = self._picked(dice, coloured)
            taken = [die.last for die in self._lying(rail=True)]
            places = [p for p in box.RAIL_PLACES if all(abs(p[0] - t.x) + abs(p[1] - t.y) > 20 for t in taken)]
            if len(places) < len(picked):
                raise ValueError(say("The rail of the simulated tray is full; clear the tray first."))
            trip = Trip.over(self._begin_s(), [d.last for d in picked], _PICK_S)
            for number, (x, y) in enumerate(places[: len(picked)]):
                trip = trip.go(_PICK_S if number else _CARRY_S, x, y)
            trip = trip.out()
            count = len(picked)
            moved = [self._laid(die, trip, grip + 1, grip + 1 + count) for grip, die in enumerate(picked)]
            stay = tuple(d for d in self._scene.dice if not any(d is p for p in picked))
            self._become((*stay, *moved), (trip.reach,), trip.now_s)

    def clear(self) -> None:
        """A hand takes all dice out, the rail's too."""
        with self._lock:
            dice, hands, end_s = self._swept(self._lying())
            self._become(dice, hands, end_s)

    def nudge(self) -> None:
        """The tray is knocked: cocked dice fall flat, and all in it slide a little."""
        with self._lock:
            at_s = self._begin_s()
            in_tray = self._lying(rail=False)
            stay = tuple(d for d in self._scene.dice if not any(d is t for t in in_tray))
            dx, dy = self._knock([die.last for die in in_tray])
            self._become((*stay, *(_nudged(die, at_s, dx, dy) for die in in_tray)), (), at_s + _NUDGE_S)

    def fault(self, kind: str, seconds: float) -> None:
        """`kind` is one of `faults()`, from now on for `seconds`; "hand" and "nudge" wait for their turn instead."""
        if kind not in FAULTS:
            raise ValueError(f"The simulated tray has no fault {kind!r}; it knows {', '.join(FAULTS)}.")
        if not 0 < seconds <= 3600:
            raise ValueError("A fault lasts more than 0 and at most 3600 seconds.")
        if kind == "nudge":
            self.nudge()
            return
        with self._lock:
            if kind == "hand":
                over = Pose(-30, 10, lying(1, 0))
                trip = Trip.over(self._begin_s(), [over], 0).go(seconds, -26, 14).out()
                self._become(self._scene.dice, (trip.reach,), trip.now_s)
                return
            now_s = self._clock()
            faults = tuple(f for f in self._scene.faults if f.until_s > now_s - _KEEP_S)
            self._show(replace(self._scene, faults=(*faults, Fault(kind, now_s, now_s + seconds))))

    def faults(self) -> tuple[str, ...]:
        return FAULTS

    def _begin_s(self) -> float:
        return max(self._clock(), self._free_s)

    def _lying(self, rail: bool | None = None) -> list[Die]:
        """The dice that will lie there when all asked for so far has happened."""
        there = [die for die in self._scene.dice if die.until_s == float("inf")]
        return [die for die in there if rail is None or (die.last.x > box.RIDGE_RIGHT) == rail]

    def _odd(self) -> Look:
        return DICE_SETS[self._name].odd or COLOURED

    def _looks(self, count: int, kept: Sequence[Look], coloured: bool) -> list[Look]:
        """Of the dice to throw: those of the set that are not `kept` on the rail. `coloured`: the coloured one
        first."""
        free = list(DICE_SETS[self._name].looks(max(self._count, count + len(kept))))
        for look in kept:
            if look in free:
                free.remove(look)
        if coloured:
            odd = self._odd()
            free = [odd, *(look for look in free if look != odd)]
        return free[:count]

    def _picked(self, values: Sequence[int], coloured: bool) -> list[Die]:
        if not values:
            raise ValueError("Name the dice to set aside, such as 1, 5.")
        free = [die for die in self._lying(rail=False) if die.last.leans < _COCKED]
        free.sort(key=lambda die: (die.look == self._odd()) != coloured)
        picked: list[Die] = []
        for value in values:
            die = next((d for d in free if d.last.value == value), None)
            if die is None:
                lying_now = ", ".join(str(d.last.value) for d in self._lying(rail=False)) or "nothing"
                raise ValueError(
                    f"The dice {', '.join(map(str, values))} do not all lie in the tray; there lies {lying_now}."
                )
            free.remove(die)
            picked.append(die)
        return picked

    def _laid(self, die: Die, trip: Trip, grip: int, lay: int) -> Die:
        """The die in the hand from stop `grip` until stop `lay`, where it is put down squarely."""
        lay_s, x, y = trip.stops[lay]
        flat = lying(die.last.value, self._rng.gauss(0, 0.1))
        down = Leg(lay_s, lay_s + 0.04, Pose(x, y, flat, 4.0), x, y)
        return replace(die, legs=(*die.legs, *carried(die.last, trip, grip, lay), down))

    def _swept(self, dice: Sequence[Die]) -> tuple[tuple[Die, ...], tuple[Reach, ...], float]:
        """All dice of the scene, `dice` leaving under a hand; the hand's way; and when it is out."""
        if not dice:
            return self._scene.dice, (), self._begin_s()
        dice = sorted(dice, key=lambda d: d.last.x)
        trip = Trip.over(self._begin_s(), [d.last for d in dice], _SWEEP_S).out()
        end = len(trip.stops) - 1
        taken = tuple(
            replace(die, until_s=trip.now_s, legs=(*die.legs, *carried(die.last, trip, number + 1, end)))
            for number, die in enumerate(dice)
        )
        stay = tuple(d for d in self._scene.dice if not any(d is t for t in dice))
        return stay + taken, (trip.reach,), trip.now_s + 0.1

    def _knock(self, poses: Sequence[Pose]) -> tuple[float, float]:
        """How far everything in the tray slides, mm: none that would carry a die into a wall."""
        room = 0.75 * self._edge
        for _ in range(20):
            dx, dy = self._rng.uniform(-3, 3), self._rng.uniform(-3, 3)
            across = all(box.FLOOR_LEFT + room < p.x + dx < box.RIDGE_LEFT - room for p in poses)
            along = all(box.FLOOR_NEAR + room < p.y + dy < box.FLOOR_FAR - room for p in poses)
            if across and along:
                return dx, dy
        return 0.0, 0.0

    def _become(self, dice: tuple[Die, ...], hands: tuple[Reach, ...], ends_s: float) -> None:
        """The scene with these, without what is long over; the next thing waits until the dice have lain a while."""
        old_s = self._clock() - _KEEP_S
        self._free_s = ends_s + LIE_S
        dice = tuple(_settled(die, old_s) for die in dice if die.until_s > old_s)
        hands = tuple(h for h in (*self._scene.hands, *hands) if h.ends_s > old_s)
        faults = tuple(f for f in self._scene.faults if f.until_s > old_s)
        self._show(replace(self._scene, dice=dice, hands=hands, faults=faults))

    def _show(self, scene: Scene) -> None:
        self._scene = scene
        self._changed(scene)


def _nudged(die: Die, at_s: float, dx: float, dy: float) -> Die:
    p = die.last
    fall = levelling(p.turn)
    leg = Leg(at_s, at_s + _NUDGE_S, p, p.x + dx, p.y + dy, lift=1.2, spin=fall, ease="slowing")
    return replace(die, legs=(*die.legs, leg))


def _settled(die: Die, old_s: float) -> Die:
    """Without the legs that are long over."""
    if die.legs and die.rests_s < old_s:
        return replace(die, pose=die.last, legs=())
    return die
