"""The tray's outline and its keep rail, found in pictures: rendered trays of all shapes, and the simulated one."""

import functools
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import tray
from firmware.drivers.simulated import box, lens
from firmware.drivers.simulated.stills import calibration_pictures
from vision import zones
from vision.dice_set import Kind
from vision.frame import Image
from vision.geometry import Camera
from vision.profile import Profile
from vision.sampling import Floats

_DATA = Path(__file__).parent / "data" / "outline"
_PICTURES: list[dict[str, Any]] = json.loads((_DATA / "pictures.json").read_text())
_WITH_RAIL = [p for p in _PICTURES if p["rail"]]
_WITHOUT = [p for p in _PICTURES if not p["rail"]]


def _profile(width: int, height: int, camera: Camera, edge_mm: float = 16.0) -> Profile:
    return Profile(width, height, camera, (Kind("ivory", (200, 220, 230), (20, 20, 20), edge_mm, 0.25, 0.09, 0.1),))


def _rendered(known: dict[str, Any]) -> tuple[Image, Profile]:
    image = cv2.imread(str(_DATA / known["picture"]))
    assert image is not None
    camera = Camera(*(known[k] for k in ("focal", "cx", "cy", "tilt_x", "tilt_y", "height_mm")))
    return np.asarray(image, np.uint8), _profile(image.shape[1], image.shape[0], camera, known["edge_mm"])


@functools.cache
def _found(picture: str, rail: bool) -> Profile:
    image, profile = _rendered(next(p for p in _PICTURES if p["picture"] == picture))
    return _with(profile, tray.find(image, [image], _NOWHERE, profile, rail))


@functools.cache
def _found_simulated() -> Profile:
    empty, dice = calibration_pictures(pictures=1)
    profile = _simulated_profile()
    return _with(profile, tray.find(empty, dice, _NOWHERE, profile, True))


def _simulated_profile() -> Profile:
    down = lens.TURN @ np.array([0.0, 0, -1])
    middle = ((box.WIDTH - 1) / 2, (box.HEIGHT - 1) / 2)
    camera = Camera(lens.FOCAL_PX, *middle, float(down[0]), float(down[1]), float(lens.EYE[2]))
    return _profile(box.WIDTH, box.HEIGHT, camera, box.EDGE)


def _with(profile: Profile, where: tray.Where) -> Profile:
    return Profile(profile.width, profile.height, profile.camera, profile.kinds, where.tray, where.rail)


def _zone(x: float, y: float, edge_mm: float, profile: Profile) -> str:
    """Of a die whose top face has its middle at this pixel."""
    foot = profile.camera.pixels(profile.camera.table(np.array([x, y]), edge_mm))
    return zones.of((float(foot[0]), float(foot[1])), profile)


def _standing(places: list[tuple[float, float]], profile: Profile) -> set[str]:
    """Zones of simulated dice at these places of the box."""
    tops = lens.project(np.array([(x, y, box.EDGE) for x, y in places]))
    return {_zone(float(x), float(y), box.EDGE, profile) for x, y in tops}


_AGAINST_WALLS = [
    (x, y)
    for x in np.linspace(box.FLOOR_LEFT + 8.5, box.RIDGE_LEFT - 8.5, 12)
    for y in np.linspace(box.FLOOR_NEAR + 8.5, box.FLOOR_FAR - 8.5, 12)
]
_NOWHERE: list[Floats] = [np.zeros((0, 2))]


@pytest.mark.parametrize("known", _PICTURES, ids=lambda p: p["picture"])
def test_every_die_that_lay_in_the_tray_or_on_its_rail_is_found_there(known: dict[str, Any]) -> None:
    found = _found(known["picture"], known["rail"] is not None)
    wrong = [(x, y, want) for x, y, edge, want in known["dice"] if _zone(x, y, edge, found) != want]
    assert not wrong
    assert found.tray is not None


@pytest.mark.parametrize("known", _WITH_RAIL, ids=lambda p: p["rail"])
def test_the_rail_is_found_on_the_side_where_it_is(known: dict[str, Any]) -> None:
    where = _found(known["picture"], True)
    assert where.tray is not None
    assert where.rail is not None
    x, y = np.mean(where.rail, axis=0) - np.mean(where.tray, axis=0)
    side = ("right" if x > 0 else "left") if abs(x) > abs(y) else ("bottom" if y > 0 else "top")
    assert side == known["rail"]


@pytest.mark.parametrize("known", _WITHOUT, ids=lambda p: p["picture"])
def test_a_tray_without_a_rail_is_given_none_when_one_is_asked_for(known: dict[str, Any]) -> None:
    where = _found(known["picture"], True)
    assert where.rail is None
    assert where.tray == _found(known["picture"], False).tray


@pytest.mark.parametrize("known", _PICTURES, ids=lambda p: p["picture"])
def test_what_lies_at_the_rim_of_the_picture_beside_the_tray_is_outside(known: dict[str, Any]) -> None:
    where = _found(known["picture"], known["rail"] is not None)
    assert where.tray is not None
    inside = np.zeros((where.height, where.width), np.uint8)
    for polygon in (where.tray, where.rail):
        if polygon is not None:
            cv2.fillPoly(inside, [np.round(np.array(polygon)).astype(np.int32)], (1,))
    assert inside.mean() < 0.92


def test_the_simulated_rail_is_found_and_holds_every_place_for_dice() -> None:
    found = _found_simulated()
    assert found.rail is not None
    assert _standing(list(box.RAIL_PLACES), found) == {"rail"}
    assert _standing(_AGAINST_WALLS, found) == {"tray"}


def test_dice_beyond_the_simulated_walls_are_outside() -> None:
    found = _found_simulated()
    gap = box.WALL_THICK + 2.5 * box.EDGE
    beside = [(0.0, box.FLOOR_NEAR - gap), (0.0, box.FLOOR_FAR + gap), (box.FLOOR_LEFT - gap, 0.0)]
    assert _standing(beside, found) == {"outside"}


def test_pictures_with_dice_do_when_there_is_none_of_the_empty_tray() -> None:
    _, dice = calibration_pictures(pictures=2)
    profile = _simulated_profile()
    nothing = [np.zeros((0, 2))] * len(dice)
    found = _with(profile, tray.find(None, dice, nothing, profile, True))
    assert _standing(list(box.RAIL_PLACES), found) == {"rail"}
    assert _standing(_AGAINST_WALLS, found) == {"tray"}


@pytest.mark.parametrize(("quarters", "side"), [(1, "top"), (2, "left"), (3, "bottom")])
def test_the_rail_is_found_however_the_camera_is_turned(quarters: int, side: str) -> None:
    empty, _ = calibration_pictures(pictures=1)
    turned = np.ascontiguousarray(np.rot90(empty, quarters))
    height, width = turned.shape[:2]
    profile = _profile(width, height, Camera(lens.FOCAL_PX, (width - 1) / 2, (height - 1) / 2, 0, 0, lens.EYE[2]))
    where = tray.find(turned, [turned], _NOWHERE, profile, True)
    assert where.tray is not None
    assert where.rail is not None
    x, y = np.mean(where.rail, axis=0) - np.mean(where.tray, axis=0)
    assert side == (("right" if x > 0 else "left") if abs(x) > abs(y) else ("bottom" if y > 0 else "top"))


@pytest.mark.parametrize("rail", [False, True])
def test_where_no_tray_shows_none_is_made_up(rail: bool) -> None:
    profile = _profile(640, 480, Camera(600, 319.5, 239.5, 0, 0, 330))
    noise = np.random.default_rng(4).normal(120, 6, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    assert tray.find(noise, [noise], _NOWHERE, profile, rail) == tray.Where(None, None)
    plain = np.full((480, 640, 3), 90, np.uint8)
    assert tray.find(plain, [plain], _NOWHERE, profile, rail) == tray.Where(None, None)


def test_the_outline_has_room_for_the_dice_it_was_learned_with() -> None:
    empty, dice = calibration_pictures(pictures=1)
    profile = _simulated_profile()
    corner = lens.project(np.array([(box.FLOOR_LEFT + 9, box.FLOOR_NEAR + 9, box.EDGE)]))
    found = _with(profile, tray.find(empty, dice, [corner], profile, False))
    assert _zone(float(corner[0, 0]), float(corner[0, 1]), box.EDGE, found) == "tray"
