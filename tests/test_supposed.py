"""Dice supposed where something lies unread: which kinds they may be, and the colours that they then have there."""

from dataclasses import replace

import numpy as np
import pytest

from vision import check, cube, supposed
from vision.dice_set import Kind
from vision.faces import no_faces
from vision.frame import Image
from vision.geometry import Camera
from vision.profile import Profile

_FLOOR, _BODY, _PIP = (40, 40, 160), (30, 25, 20), (190, 200, 205)
_EDGE = 64.0
_BLACK = Kind("black", _BODY, _PIP, 16.0, 0.25, 0.09, 0.09, 12)
_GREEN = replace(_BLACK, name="green", body=(40.0, 150.0, 40.0))
# Straight above and far away: dice hardly show their sides.
_CAMERA = Camera(16000.0, 199.5, 199.5, 0.0, 0.0, 16 * 250.0 + 16.0)


def _floor(colour: tuple[int, int, int] = _FLOOR) -> Image:
    return np.full((400, 400, 3), colour, np.uint8)


def _profile(*kinds: Kind, floor: Image | None = None) -> Profile:
    return Profile(400, 400, _CAMERA, kinds, empty=_floor() if floor is None else floor)


def _square(image: Image, colour: tuple[int, int, int], side: int = 32) -> Image:
    out = image.copy()
    out[200 - side : 200 + side, 200 - side : 200 + side] = colour
    return out


@pytest.mark.parametrize(("seen", "gleams"), [((30, 25, 20), False), ((15, 12, 10), False), ((210, 209, 208), True)])
def test_a_body_far_brighter_than_it_was_learned_may_gleam_and_its_pips_are_then_as_learned(
    seen: tuple[int, int, int], gleams: bool
) -> None:
    image, profile = _square(_floor(), seen), _profile(_BLACK)
    dice = supposed.at(image, np.array([199.5, 199.5]), profile)
    assert bool(dice.gleams.any()) == gleams
    face = dice.faces(image, profile)
    assert np.allclose(face.body, seen, atol=1)
    if gleams:
        assert np.allclose(face.pip[dice.gleams], _PIP)


def test_of_a_mixed_set_the_kinds_come_first_that_look_so_in_any_light() -> None:
    profile = _profile(_BLACK, _GREEN)
    for seen, first in (((30, 25, 20), 0), ((30, 112, 30), 1), ((112, 192, 112), 1)):
        dice = supposed.at(_square(_floor(), seen), np.array([199.5, 199.5]), profile)
        assert dice.kind[dice.gleams.argmax()] == first


def test_a_pose_is_in_edges_and_degrees() -> None:
    profile = _profile(_BLACK)
    die = supposed.at(_floor(), np.array([199.5, 199.5]), profile).pick(np.array([0]))
    moved = die.varied([(0.5, 0, 0), (0, -0.25, 90)], profile)
    assert np.allclose(moved.xy, [(199.5 + _EDGE / 2, 199.5), (199.5, 199.5 - _EDGE / 4)], atol=0.3)
    assert np.allclose(moved.turn - die.turn, [0, np.pi / 2])


@pytest.mark.parametrize(
    ("floor", "seen", "told"), [(30, 80, True), (30, 45, False), (120, 190, True), (120, 150, False)]
)
def test_what_is_brighter_than_reflected_light_makes_the_floor_is_left_over_whatever_its_colour(
    floor: int, seen: int, told: bool
) -> None:
    empty = _floor((floor,) * 3)
    profile, image = _profile(_BLACK, floor=empty), _square(empty, (seen,) * 3)
    left = check.check(image, no_faces(), cube.flat(no_faces(), profile), ((100, 100, 300, 300),), profile)
    assert bool(left.lumps) == told
