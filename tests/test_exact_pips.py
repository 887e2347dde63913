"""Lens, gleam and edge of a face: what moves pips in the picture is told from what a leaning die does."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import camera as cameras
from vision import exact, ground, pose
from vision.dice_set import Kind
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import Camera, turned
from vision.lattice import PATTERNS, PLACES
from vision.pips import Pips, measure
from vision.profile import Profile
from vision.vague import vague

_KIND = Kind("red", (40, 30, 220), (250, 250, 250), 16.0, 0.25, 0.1, 0.1, 12)
_OFFSET_MM = 4.0


def _camera(bend: float) -> Camera:
    return Camera(1088.0, 639.5, 479.5, 0.06, -0.04, 340.0, bend)


@given(st.floats(-0.12, 0.05), st.floats(0, 1279), st.floats(0, 959), st.floats(0, 30))
def test_a_bent_picture_and_the_table_are_each_others_inverse(bend: float, x: float, y: float, up_mm: float) -> None:
    camera, xy = _camera(bend), np.array([x, y])
    assert np.allclose(camera.pixels(camera.table(xy, up_mm), up_mm), xy, atol=1e-6)


def test_lines_bulge_outwards_in_a_lens_with_negative_bend() -> None:
    camera = replace(_camera(-0.08), tilt_x=0.0, tilt_y=0.0)
    end, middle, other = camera.pixels(np.array([(-150.0, -100.0), (0.0, -100.0), (150.0, -100.0)]))
    assert middle[1] < min(end[1], other[1]) - 3


def _pattern(value: int) -> np.ndarray:
    return PLACES[next(p for v, p in PATTERNS if v == value) > 0.5].astype(np.float64)


def _on_table(camera: Camera, value: int, mm: tuple[float, float], angle: float) -> cameras.Points:
    places = _pattern(value)
    xy = camera.pixels(places @ turned(np.array([angle]))[0].T * _OFFSET_MM + np.array(mm))
    return cameras.Points(places, xy, 0)


def _spread(camera: Camera) -> list[cameras.Points]:
    at = [(-90, -80), (-20, -70), (80, -85), (-95, 5), (10, 0), (90, 20), (-70, 80), (5, 75), (95, 85)]
    return [_on_table(camera, 2 + k % 4, mm, 0.4 * k) for k, mm in enumerate(at)]


@pytest.mark.parametrize("bend", [-0.09, 0.0, 0.03])
def test_the_lens_is_learned_from_dice_all_over_the_picture(bend: float) -> None:
    camera = _camera(bend)
    straight = replace(camera, tilt_x=0.0, tilt_y=0.0, bend=0.0)
    learned, sizes = cameras.tilted(straight, _spread(camera))
    assert learned.bend == pytest.approx(bend, abs=0.012)
    assert (learned.tilt_x, learned.tilt_y) == pytest.approx((0.06, -0.04), abs=0.006)
    assert sizes.max() / sizes.min() < 1.005


def test_pips_moved_by_a_gleam_do_not_bend_the_lens() -> None:
    camera = _camera(-0.05)
    seen = _spread(camera)
    for k in (1, 5):
        xy = seen[k].xy.copy()
        xy[0] += (2.5, -1.5)
        seen[k] = replace(seen[k], xy=xy)
    learned, _ = cameras.tilted(replace(camera, tilt_x=0.0, tilt_y=0.0, bend=0.0), seen)
    assert learned.bend == pytest.approx(-0.05, abs=0.015)


def test_after_few_dice_there_is_more_doubt_about_the_camera() -> None:
    camera = _camera(-0.05)
    seen = _spread(camera)
    many, four, one = (cameras.doubt(camera, cameras.covariance(camera, seen[:n])) for n in (9, 4, 1))
    assert many < four < 0.01 < one < cameras.doubt(camera, None)


def test_where_no_die_lay_the_camera_knows_sizes_less_exactly() -> None:
    camera = _camera(-0.05)
    right = [one for one in _spread(camera) if one.xy[:, 0].mean() > camera.cx]
    assert right
    known = cameras.covariance(camera, right).ravel().tolist()
    xs = np.array([1100.0, 640.0, 180.0])
    sizes = vague(camera, known, np.stack([xs, np.full(3, 480.0)], 1))
    assert sizes[2] > 3 * sizes[:2].max()
    assert (vague(camera, (), np.stack([xs, xs], 1)) == 0).all()


def _pip_in_a_gleam(x: float, y: float) -> Image:
    """A white pip of 7 pixels, half of it in a pink gleam that ends beside it."""
    big = np.full((640, 640, 3), _KIND.body, np.uint8)
    big[:, 320:] = (200, 190, 245)
    cv2.circle(big, (round(8 * x + 3.5), round(8 * y + 3.5)), 56, _KIND.pip, -1)
    return np.asarray(cv2.GaussianBlur(cv2.resize(big, (80, 80), interpolation=cv2.INTER_AREA), (0, 0), 0.7), np.uint8)


@settings(max_examples=20)
@given(st.floats(36, 44), st.floats(36, 44))
def test_a_pip_half_in_a_gleam_is_found_where_its_edge_is(x: float, y: float) -> None:
    image = _pip_in_a_gleam(x, y)
    pip = measure(image, np.array([[x + 1, y - 1]], np.float32), np.array([7.0], np.float32))
    at, seen = exact.centres(image, pip, np.array([7.0]))
    assert np.hypot(*(at[0] - (x, y))) < 0.5
    assert seen[0] > 0.5


@settings(max_examples=20)
@given(st.floats(38, 42), st.floats(38, 42), st.floats(0, 6.28))
def test_a_pip_that_runs_into_a_streak_of_its_own_colour_stays_where_it_is(x: float, y: float, angle: float) -> None:
    big = np.full((640, 640, 3), _KIND.body, np.uint8)
    middle = np.array([8 * x + 3.5, 8 * y + 3.5])
    far = middle + 8 * 6 * np.array([np.cos(angle), np.sin(angle)])
    along = 8 * 14 * np.array([-np.sin(angle), np.cos(angle)])
    start, end = ((round(float(a)), round(float(b))) for a, b in (far, far + along))
    cv2.line(big, start, end, _KIND.pip, 16)
    cv2.circle(big, (round(float(middle[0])), round(float(middle[1]))), 36, _KIND.pip, -1)
    image = np.asarray(cv2.GaussianBlur(cv2.resize(big, (80, 80), interpolation=cv2.INTER_AREA), (0, 0), 0.7), np.uint8)
    camera = Camera(80.0, 39.5, 39.5, 0.0, 0.0, 336.0)
    kind = replace(_KIND, radius=4.5 / (80 / 320) / 16, one=4.5 / (80 / 320) / 16)
    profile = Profile(80, 80, camera, (kind,))
    pip = measure(image, np.array([[x, y]], np.float32), np.array([4.5], np.float32))
    assert np.hypot(*(exact.pips(image, pip, profile).xy[0] - (x, y))) < 0.4


def _face(value: int) -> tuple[Faces, Pips, Profile]:
    """A face in the middle of the picture, lying level, and its pips."""
    profile = Profile(1280, 960, replace(_camera(0.0), tilt_x=0.0, tilt_y=0.0), (_KIND,))
    centre = np.array([639.5, 479.5])
    frame = profile.camera.scale(centre, _KIND.edge_mm) * _OFFSET_MM
    xy = _pattern(value) @ frame.T + centre
    n, one, three = len(xy), np.ones(1), np.zeros((1, 3))
    many = np.ones(n)
    pips = Pips(xy, 5 * many, many, np.zeros((n, 3)), np.zeros((n, 3)), many, many, many, many, many)
    whole = np.zeros(1, np.int64)
    face = Faces(
        xy=centre[None],
        frame=frame[None],
        value=np.array([value]),
        radius=5 * one,
        body=three,
        pip=three,
        misfit=0 * one,
        margin=one,
        rival=whole,
        uneven=0 * one,
        strays=0 * one,
        score=one,
        half=2 * one,
        sides=np.ones((1, 4)),
        backed=one,
        upright=0 * one,
        kind=whole,
    )
    return face, pips, profile


@pytest.mark.parametrize("value", [4, 5])
def test_one_pip_out_of_place_is_no_leaning_die(value: int) -> None:
    face, pips, profile = _face(value)
    xy = pips.xy.copy()
    xy[0] += (1.5, 1.0)
    seen = pose.measure(face, replace(pips, xy=xy), profile)
    assert seen.long[0] == pytest.approx(1, abs=0.01)
    assert seen.short[0] == pytest.approx(1, abs=0.01)


def test_two_pips_that_run_into_a_gleam_make_no_leaning_die() -> None:
    face, pips, profile = _face(5)
    xy, ratio, radius = pips.xy.copy(), pips.ratio.copy(), pips.radius.copy()
    right = pips.xy[:, 0] > face.xy[0, 0] + 1
    xy[right] += (1.5, 0.0)
    assert pose.measure(face, replace(pips, xy=xy), profile).long[0] > 1.02
    ratio[right], radius[right] = 0.75, 1.2 * radius[right]
    seen = pose.measure(face, replace(pips, xy=xy, ratio=ratio, radius=radius), profile)
    assert (seen.long[0], seen.short[0]) == pytest.approx((1, 1), abs=0.01)


@settings(max_examples=30)
@given(st.sampled_from([4, 5]), st.floats(0, np.pi), st.floats(0.9, 0.955))
def test_a_squeezed_pattern_stays_squeezed(value: int, along: float, squeeze: float) -> None:
    face, pips, profile = _face(value)
    way = np.array([np.cos(along), np.sin(along)])
    off = pips.xy - face.xy[0]
    xy = pips.xy - (1 - squeeze) * (off @ way)[:, None] * way
    seen = pose.measure(face, replace(pips, xy=xy), profile)
    assert seen.short[0] / seen.long[0] < 0.97


def test_a_level_face_is_put_where_its_pips_are() -> None:
    face, pips, profile = _face(5)
    moved = exact.faces(pips, replace(face, xy=face.xy + 2, frame=face.frame * 1.05), profile)
    assert np.allclose(moved.xy, face.xy, atol=0.02)
    assert np.allclose(moved.frame, face.frame, atol=0.05)


@pytest.mark.parametrize(("colour", "said"), [((24, 40, 51), True), ((25, 25, 25), False), ((200, 210, 220), False)])
def test_a_shadow_keeps_the_colour_of_its_floor(colour: tuple[int, int, int], said: bool) -> None:
    empty = np.full((100, 100, 3), (80, 130, 170), np.uint8)
    profile = replace(_face(4)[2], width=100, height=100, empty=empty)
    at = np.array([[(40.0, 40.0), (50.0, 40.0), (60.0, 40.0)]])
    image = np.full_like(empty, colour)
    assert bool(ground.shaded(image, at, np.ones((1, 3), np.bool_), profile)[0]) is said
