"""The hands at the simulated tray: each call returns at once, and what it asks for happens in its turn."""

import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from firmware.drivers.simulated import box, signs
from firmware.drivers.simulated.dice_sets import DICE_SETS
from firmware.drivers.simulated.render import render
from firmware.drivers.simulated.scene import LOOKS, Die, Look, Pose, Scene
from firmware.drivers.simulated.tray import FAULTS, LIE_S, Hands
from firmware.drivers.simulated.turns import lying
from vision.frame import Image


class World:
    """Hands, the scenes they made, and a clock that goes on when told."""

    def __init__(self, seed: int = 1) -> None:
        self.now_s = 10.0
        self.scenes: list[Scene] = []
        self.hands = Hands(self.scenes.append, lambda: self.now_s, seed)

    def wait(self) -> None:
        self.now_s = self.hands.quiet_s

    def tray(self, at_s: float | None = None) -> list[int]:
        return self._values(lambda x: x < box.RIDGE_LEFT, at_s)

    def rail(self, at_s: float | None = None) -> list[int]:
        return self._values(lambda x: x > box.RIDGE_RIGHT, at_s)

    def moving(self, at_s: float) -> bool:
        dice = any(d.moves(at_s) for d in self.hands.scene.dice)
        return dice or any(h.at(at_s) is not None for h in self.hands.scene.hands)

    def _values(self, there: Callable[[float], bool], at_s: float | None) -> list[int]:
        poses = [die.at(self.now_s if at_s is None else at_s) for die in self.hands.scene.dice]
        return sorted(p.value for p in poses if p is not None and there(p.x))


@pytest.fixture
def world() -> World:
    return World()


def test_the_asked_dice_lie_there_after_a_throw(world: World) -> None:
    world.hands.throw(6, [1, 1, 3, 4, 5, 6])
    assert world.now_s == 10.0
    world.wait()
    assert world.tray() == [1, 1, 3, 4, 5, 6]


def test_without_values_the_seed_decides() -> None:
    throws = []
    for seed in (1, 1, 2):
        world = World(seed)
        world.hands.throw(6)
        world.wait()
        throws.append(world.tray())
    assert throws[0] == throws[1] != throws[2]


def test_all_values_come_equally_often() -> None:
    world = World()
    counts = [0] * 7
    for _ in range(60):
        world.hands.throw(6)
        world.wait()
        for value in world.tray():
            counts[value] += 1
    assert min(counts[1:]) > 35


def test_dice_in_the_tray_are_taken_up_by_a_hand_before_the_next_throw(world: World) -> None:
    world.hands.throw(3, [1, 2, 3])
    world.wait()
    world.hands.throw(2, [6, 6])
    assert world.hands.scene.hands
    world.wait()
    assert world.tray() == [6, 6]


def test_dice_set_aside_go_under_a_hand_to_the_rail_and_stay_there(world: World) -> None:
    world.hands.throw(6, [1, 5, 2, 2, 3, 6])
    world.wait()
    world.hands.aside([5, 1])
    world.wait()
    assert world.tray() == [2, 2, 3, 6]
    assert world.rail() == [1, 5]
    world.hands.throw(4, [4, 4, 4, 4])
    world.wait()
    assert world.rail() == [1, 5]
    assert world.tray() == [4, 4, 4, 4]


def test_the_rail_is_taken_up_when_a_throw_needs_its_dice(world: World) -> None:
    world.hands.throw(6, [1, 1, 1, 5, 5, 5])
    world.hands.aside([1, 1, 1, 5, 5, 5])
    world.hands.throw(6, [2, 3, 4, 6, 6, 6])
    world.wait()
    assert world.rail() == []
    assert world.tray() == [2, 3, 4, 6, 6, 6]


def test_no_place_on_the_rail_is_taken_twice(world: World) -> None:
    world.hands.throw(6, [1] * 6)
    for _ in range(6):
        world.hands.aside([1])
        world.wait()
    on_rail = [die.last for die in world.hands.scene.dice]
    apart = [math.dist((a.x, a.y), (b.x, b.y)) for a in on_rail for b in on_rail if a is not b]
    assert min(apart) > 1.3 * box.EDGE


@pytest.mark.parametrize("dice", [[3], [1, 1], [], [7]])
def test_dice_that_do_not_lie_in_the_tray_cannot_be_set_aside(world: World, dice: list[int]) -> None:
    world.hands.throw(2, [1, 5])
    with pytest.raises(ValueError, match=r"\.$"):
        world.hands.aside(dice)
    world.wait()
    assert world.tray() == [1, 5]


def test_a_cocked_die_leans_and_is_not_to_be_set_aside(world: World) -> None:
    world.hands.throw(3, [2, 4, 1], cocked=1)
    with pytest.raises(ValueError, match="do not all lie"):
        world.hands.aside([1])
    assert sorted(d.last.leans > 0.3 for d in world.hands.scene.dice) == [False, False, True]


def test_a_nudge_lets_cocked_dice_fall_flat_with_the_same_face_up(world: World) -> None:
    world.hands.throw(3, [2, 4, 1], cocked=2)
    world.hands.fault("nudge", 1.0)
    world.wait()
    assert world.tray() == [1, 2, 4]
    assert all(d.last.leans < 0.01 for d in world.hands.scene.dice)


def test_clear_takes_the_rails_dice_too(world: World) -> None:
    world.hands.throw(3, [1, 2, 3])
    world.hands.aside([1])
    world.hands.clear()
    world.wait()
    assert world.tray() == world.rail() == []


def test_calls_in_one_breath_happen_one_after_the_other(world: World) -> None:
    ends = []
    for call in (
        lambda: world.hands.throw(6, [1, 5, 2, 3, 4, 6]),
        lambda: world.hands.aside([1, 5]),
        lambda: world.hands.throw(4, [1, 2, 2, 3]),
        lambda: world.hands.aside([1]),
    ):
        call()
        ends.append(world.hands.quiet_s)
    assert world.now_s == 10.0
    assert [world.tray(at_s - 0.01) for at_s in ends] == [[1, 2, 3, 4, 5, 6], [2, 3, 4, 6], [1, 2, 2, 3], [2, 2, 3]]
    assert world.rail(ends[3]) == [1, 1, 5]


def test_everything_lies_still_for_a_while_after_each_call(world: World) -> None:
    for call in (lambda: world.hands.throw(3, [1, 2, 3]), lambda: world.hands.aside([1]), lambda: world.hands.throw(2)):
        call()
        end_s = world.hands.quiet_s
        steps = [end_s - LIE_S + 0.05 + n * 0.02 for n in range(int(LIE_S / 0.02) - 4)]
        assert not any(world.moving(at_s) for at_s in steps)


def test_a_hand_is_over_the_dice_within_half_a_second(world: World) -> None:
    world.hands.throw(1, [1])
    world.wait()
    world.hands.aside([1])
    tips = world.hands.scene.hands[-1].at(world.now_s + 0.5)
    assert tips is not None
    assert tips[1] > box.FLOOR_NEAR


def test_what_is_long_over_is_forgotten(world: World) -> None:
    for _ in range(5):
        world.hands.throw(6)
        world.wait()
        world.now_s += 5
    world.hands.fault("dark", 1.0)
    world.now_s += 60
    world.hands.throw(1)
    assert len(world.hands.scene.dice) == 7
    assert world.hands.scene.faults == ()
    assert len(world.hands.scene.hands) == 1


def test_a_fault_is_there_now_and_over_later(world: World) -> None:
    for kind in ("dead-camera", "dropped-frames", "dark", "glare", "flicker"):
        world.hands.fault(kind, 2.0)
        assert world.hands.scene.faulty(kind, world.now_s + 1)
        assert not world.hands.scene.faulty(kind, world.now_s + 3)


def test_a_hand_may_stay_over_the_tray(world: World) -> None:
    world.hands.fault("hand", 5.0)
    assert world.hands.scene.hands[0].at(world.now_s + 3) is not None
    assert world.hands.scene.hands[0].at(world.now_s + 8) is None


@pytest.mark.parametrize(("kind", "seconds"), [("rain", 1.0), ("dark", 0.0), ("dark", -1.0), ("dark", 1e9)])
def test_unknown_faults_are_answered_with_those_that_exist(world: World, kind: str, seconds: float) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        world.hands.fault(kind, seconds)
    assert world.hands.faults() == FAULTS


@pytest.mark.parametrize(
    ("count", "values", "cocked"),
    [(0, None, 0), (13, None, 0), (2, [1], 0), (2, [1, 7], 0), (2, None, 3), (2, None, -1)],
)
def test_impossible_throws_are_refused_and_change_nothing(
    world: World, count: int, values: list[int] | None, cocked: int
) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        world.hands.throw(count, values, cocked)
    assert world.scenes == []


def test_every_change_is_told(world: World) -> None:
    world.hands.throw(1)
    world.hands.clear()
    world.hands.fault("dark", 1.0)
    assert len(world.scenes) == 3
    assert world.scenes[-1] is world.hands.scene


def test_the_tables_process_needs_no_opencv_for_the_hands() -> None:
    program = "import sys, firmware.drivers.simulated.tray; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("name", list(DICE_SETS))
def test_each_set_is_laid_out_flat_and_apart_in_its_looks(world: World, name: str) -> None:
    world.hands.use(name, 7)
    world.hands.place()
    world.wait()
    lying = [(die.last, die.look) for die in world.hands.scene.dice if die.until_s > world.now_s]
    assert sorted(look.body for _, look in lying) == sorted(look.body for look in DICE_SETS[name].looks(7))
    assert all(pose.leans < 0.01 for pose, _ in lying)
    assert min(math.dist((p.x, p.y), (q.x, q.y)) for p, _ in lying for q, _ in lying if p is not q) > 1.5 * box.EDGE


def test_dice_kept_on_the_rail_are_not_thrown_again(world: World) -> None:
    world.hands.use("ivory and blue")
    world.hands.throw(6, [1, 2, 3, 4, 5, 6])
    world.hands.aside([1, 3])  # both ivory: every second die is blue
    world.hands.throw(4, [2, 2, 4, 4])
    world.wait()
    lying = [die for die in world.hands.scene.dice if die.until_s > world.now_s]
    looks = sorted(die.look.body for die in lying)
    assert looks == sorted(look.body for look in DICE_SETS["ivory and blue"].looks(6))


def test_a_big_one_is_drawn_bigger() -> None:
    def light(look: Look) -> int:
        die = Die(Pose(0.0, 0.0, lying(1, 0.2)), look=look)
        return int((render(Scene(dice=(die,)), 0.0)[430:530, 590:690, 1] > 150).sum())

    assert light(LOOKS["big-one"]) > 2 * light(LOOKS["red"]) > 0


def test_a_set_has_a_name_and_a_size_that_exist(world: World) -> None:
    with pytest.raises(ValueError, match="it has ivory"):
        world.hands.use("glass")
    with pytest.raises(ValueError, match="1 to 12 dice"):
        world.hands.use("green", 13)
    assert world.hands.count == 6


@pytest.mark.parametrize("way", [1, -1])
def test_a_sign_is_never_mirrored(way: int) -> None:
    corners = np.array([(4.0, 4.0), (90.0, 4.0), (90.0, 90.0), (4.0, 90.0)])
    plain, other = (np.zeros((95, 95), np.uint8) for _ in range(2))
    signs.stamp(plain, "J", corners)
    signs.stamp(other, "J", np.roll(corners, 1, axis=0)[::way])

    def alike(one: Image) -> float:
        return max(float(((one > 99) & (np.rot90(other, k) > 99)).sum() / (one > 99).sum()) for k in range(4))

    assert alike(plain) > 0.9 > alike(plain[:, ::-1])


@pytest.mark.parametrize("name", ["numerals", "poker"])
def test_dice_without_pips_show_what_they_count_in_ink(name: str) -> None:
    def ink(value: int) -> int:
        die = Die(Pose(0.0, 0.0, lying(value, 0.2)), look=LOOKS[name])
        face = render(Scene(dice=(die,)), 0.0)[455:505, 615:665].astype(int)
        return int((face.sum(2) < 300).sum())

    assert min(ink(value) for value in range(1, 7)) > 40


@pytest.mark.parametrize(("name", "printed"), [("star-one", 1), ("star-six", 6)])
def test_a_logo_stands_in_place_of_one_face_and_the_others_have_their_pips(name: str, printed: int) -> None:
    def shows(value: int, look: Look) -> Image:
        return render(Scene(dice=(Die(Pose(0.0, 0.0, lying(value, 0.2)), look=look),)), 0.0)[440:520, 600:680]

    plain = replace(LOOKS[name], signs=())
    alike = [value for value in range(1, 7) if np.array_equal(shows(value, LOOKS[name]), shows(value, plain))]
    assert alike == [value for value in range(1, 7) if value != printed]
