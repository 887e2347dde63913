"""Thrown dice: where they end, how they get there."""

import math
import pickle
import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware.drivers.simulated import box
from firmware.drivers.simulated.cube import Cube
from firmware.drivers.simulated.lens import project
from firmware.drivers.simulated.scene import Die, Pose
from firmware.drivers.simulated.tumble import tumble
from firmware.drivers.simulated.turns import FACE_AXES, after, by, lying, matrix, support, top_face

seeds = st.integers(0, 2**32)
throws = st.lists(st.integers(1, 6), min_size=1, max_size=12)


def corners(pose: Pose) -> np.ndarray:
    return Cube.of(pose, box.EDGE).corners()


def overlap(one: Pose, other: Pose) -> bool:
    """Whether two cubes reach into each other, by the separating axes of convex bodies."""
    a, b = np.array(matrix(one.turn)), np.array(matrix(other.turn))
    axes = [*a.T, *b.T, *(np.cross(u, v) for u in a.T for v in b.T)]
    first, second = corners(one), corners(other)
    for axis in axes:
        if np.linalg.norm(axis) > 1e-6:
            p, q = first @ axis, second @ axis
            if p.max() <= q.min() + 0.01 or q.max() <= p.min() + 0.01:
                return False
    return True


@settings(max_examples=40)
@given(seeds, throws)
def test_dice_end_flat_in_the_tray_with_the_asked_faces_up(seed: int, values: list[int]) -> None:
    dice = tumble(random.Random(seed), values)
    assert sorted(d.last.value for d in dice) == sorted(values)
    for die in dice:
        assert die.last.leans < 0.01
        assert die.last.gap == 0
        at = corners(die.last)
        assert at[:, 0].min() > box.FLOOR_LEFT
        assert at[:, 0].max() < box.RIDGE_LEFT
        assert at[:, 1].min() > box.FLOOR_NEAR
        assert at[:, 1].max() < box.FLOOR_FAR


@settings(max_examples=40)
@given(seeds, throws, st.integers(0, 2))
def test_no_die_comes_to_lie_inside_another(seed: int, values: list[int], cocked: int) -> None:
    dice = tumble(random.Random(seed), values, cocked=min(cocked, len(values)))
    assert not any(overlap(a.last, b.last) for a, b in combinations(dice, 2))


@settings(max_examples=30)
@given(seeds, st.integers(1, 2))
@example(363820928, 2)
def test_cocked_dice_lean_and_stay_within_the_walls(seed: int, cocked: int) -> None:
    dice = tumble(random.Random(seed), [1, 2, 3, 4, 5, 6], cocked=cocked)
    leaning = [d.last for d in dice if d.last.leans > 0.05]
    assert len(leaning) == cocked
    assert all(math.radians(19.9) < pose.leans < math.radians(40.1) for pose in leaning)
    assert all(corners(pose)[:, 0].min() > box.FLOOR_LEFT for pose in leaning)
    assert all(corners(pose)[:, 1].max() < box.FLOOR_FAR for pose in leaning)


@settings(max_examples=30)
@given(seeds)
def test_dice_fly_in_from_outside_the_picture_and_lie_still_soon(seed: int) -> None:
    dice = tumble(random.Random(seed), [1, 2, 3, 4, 5, 6], start_s=50.0)
    for die in dice:
        start = die.at(die.from_s)
        assert start is not None
        assert project(corners(start))[:, 1].min() > box.HEIGHT
        assert die.at(die.from_s - 0.01) is None
    assert 50.6 < max(d.rests_s for d in dice) < 51.5


@settings(max_examples=20)
@given(seeds)
def test_ways_have_no_jumps(seed: int) -> None:
    for die in tumble(random.Random(seed), [1, 2, 3, 4, 5, 6]):
        for one, other in pairwise(die.legs):
            assert one.end_s == pytest.approx(other.start_s)
            end, start = one.end, other.start
            assert (end.x, end.y, end.gap) == pytest.approx((start.x, start.y, start.gap), abs=1e-6)
            assert abs(np.dot(end.turn, start.turn)) == pytest.approx(1, abs=1e-6)


@settings(max_examples=20)
@given(seeds)
def test_dice_slow_down(seed: int) -> None:
    def pace(die: Die, start_s: float, end_s: float) -> float:
        a, b = die.at(start_s), die.at(end_s)
        assert a is not None
        assert b is not None
        return math.dist((a.x, a.y), (b.x, b.y)) / (end_s - start_s)

    for die in tumble(random.Random(seed), [1, 2, 3]):
        assert pace(die, die.rests_s - 0.05, die.rests_s) < pace(die, die.from_s, die.from_s + 0.05)


def test_the_same_seed_throws_the_same() -> None:
    assert tumble(random.Random(7), [1, 2, 3]) == tumble(random.Random(7), [1, 2, 3])
    assert tumble(random.Random(7), [1, 2, 3]) != tumble(random.Random(8), [1, 2, 3])


def test_some_dice_come_to_lie_against_others() -> None:
    touching = sum(
        math.dist((a.last.x, a.last.y), (b.last.x, b.last.y)) < 1.2 * box.EDGE
        for seed in range(20)
        for a, b in combinations(tumble(random.Random(seed), [1, 2, 3, 4, 5, 6]), 2)
    )
    assert 5 < touching < 40


def test_too_many_dice_have_no_room() -> None:
    with pytest.raises(ValueError, match="no room for 200 dice"):
        tumble(random.Random(1), [1] * 200)


def test_a_throw_is_small_to_send_to_another_process() -> None:
    dice = tumble(random.Random(1), [1, 2, 3, 4, 5, 6])
    data = pickle.dumps(dice)
    assert pickle.loads(data) == dice
    assert len(data) < 20_000


def test_faces_of_a_die_add_up_to_seven_and_run_as_on_western_dice() -> None:
    axes = {value: FACE_AXES[value][1] * np.eye(3)[FACE_AXES[value][0]] for value in FACE_AXES}
    assert all(np.allclose(axes[value], -axes[7 - value]) for value in range(1, 7))
    assert np.linalg.det(np.stack([axes[1], axes[2], axes[3]])) > 0


@given(st.integers(1, 6), st.floats(-10, 10))
def test_a_lying_die_shows_its_value_whatever_way_it_is_turned(value: int, yaw: float) -> None:
    turn = lying(value, yaw)
    assert top_face(turn) == (value, pytest.approx(0, abs=1e-6))
    assert support(turn, 16.0) == pytest.approx(8.0)


@given(st.tuples(*[st.floats(-4, 4)] * 3), st.tuples(*[st.floats(-4, 4)] * 3))
def test_turns_follow_one_another_as_matrices_do(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> None:
    one, two = by(first), by(second)
    assert np.allclose(matrix(after(two, one)), np.array(matrix(two)) @ matrix(one))
