"""The reader's parts: geometry, lattice, choice, colours; and pictures that show nothing."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import kinds
from vision import alone, choice, colour, cube, faces, kinship, likeness, lone, pips, pose, zones
from vision.dice_set import Kind
from vision.errors import VisionError
from vision.faces import Faces
from vision.frame import Frame, Image
from vision.geometry import Camera, angle_of, size_of, turned
from vision.lattice import PATTERNS, PLACES
from vision.pips import Pips
from vision.profile import Profile
from vision.reader import read
from vision.sampling import smaller

_KIND = Kind("ivory", (200, 220, 230), (20, 20, 20), 16.0, 0.25, 0.09, 0.1)
_CAMERA = Camera(1000.0, 639.5, 479.5, 0.05, -0.08, 350.0)
_PROFILE = Profile(1280, 960, _CAMERA, (_KIND,))

_cameras = st.builds(
    Camera,
    focal=st.floats(400, 3000),
    cx=st.just(639.5),
    cy=st.just(479.5),
    tilt_x=st.floats(-0.2, 0.2),
    tilt_y=st.floats(-0.2, 0.2),
    height_mm=st.floats(150, 900),
)
_pixels = st.tuples(st.floats(0, 1279), st.floats(0, 959)).map(np.array)


@given(_cameras, _pixels, st.floats(0, 40))
def test_pixels_to_table_and_back_is_where_it_was(camera: Camera, xy: np.ndarray, up_mm: float) -> None:
    assert np.allclose(camera.pixels(camera.table(xy, up_mm), up_mm), xy, atol=1e-6)


@given(_cameras)
def test_the_middle_of_the_picture_is_the_origin_of_the_table(camera: Camera) -> None:
    assert np.allclose(camera.table(np.array([camera.cx, camera.cy])), 0, atol=1e-6)


@given(_cameras, _pixels)
def test_scale_is_the_slope_of_pixels(camera: Camera, xy: np.ndarray) -> None:
    scale = camera.scale(xy, 16.0)
    step = np.array([0.3, -0.2])
    moved = camera.pixels(camera.table(xy, 16.0) + step, 16.0)
    assert np.allclose(moved - xy, scale @ step, atol=0.05)


@given(_cameras, _pixels, st.floats(0.3, 3))
def test_a_resized_camera_sees_the_same_table(camera: Camera, xy: np.ndarray, factor: float) -> None:
    small = (xy + 0.5) * factor - 0.5
    assert np.allclose(camera.resized(factor).table(small), camera.table(xy), atol=1e-6)


@given(_cameras, st.floats(10, 20))
def test_a_higher_thing_looks_larger(camera: Camera, up_mm: float) -> None:
    middle = np.array([camera.cx, camera.cy])
    assert np.linalg.det(camera.scale(middle, up_mm)) > np.linalg.det(camera.scale(middle))


@given(st.floats(-3, 3), st.floats(0.5, 50))
def test_a_frame_knows_its_turn_and_size(angle: float, size: float) -> None:
    frame = turned(np.array([angle])) * size
    assert size_of(frame)[0] == pytest.approx(size)
    assert angle_of(frame)[0] == pytest.approx(angle)


def test_every_value_has_its_number_of_pips() -> None:
    for value, pattern in PATTERNS:
        assert pattern.sum() == value


def _drawn(value: int, angle: float, edge: float = 60.0, dark: bool = False) -> Image:
    """A die's top face on a plain floor, 200x200."""
    image = np.full((200, 200, 3), (60, 110, 60), np.uint8)
    body, pip = ((40, 40, 40), (235, 235, 235)) if dark else ((225, 230, 235), (25, 25, 25))
    ys, xs = np.mgrid[0:800, 0:800] / 4 - 100 + 0.125
    turn = turned(np.array([angle]))[0]
    u, v = turn[0, 0] * xs + turn[1, 0] * ys, turn[0, 1] * xs + turn[1, 1] * ys
    big = np.repeat(np.repeat(image, 4, 0), 4, 1)
    big[(np.abs(u) < edge / 2) & (np.abs(v) < edge / 2)] = body
    places = [(0, 0)] if value == 1 else PLACES[next(p for n, p in PATTERNS if n == value) > 0]
    for x, y in places:
        big[np.hypot(u - 0.25 * edge * x, v - 0.25 * edge * y) < 0.09 * edge] = pip
    return np.asarray(big.reshape(200, 4, 200, 4, 3).mean((1, 3)), np.uint8)


@settings(max_examples=40)
@given(st.integers(1, 6), st.floats(0, 1.57), st.booleans())
def test_a_plain_face_is_read_at_any_turn(value: int, angle: float, dark: bool) -> None:
    reading = read(Frame(_drawn(value, angle, dark=dark)), None)
    assert list(reading.values) == [value]
    die = reading.dice[0]
    assert np.hypot(die.x - 99.5, die.y - 99.5) < 1.5
    # A lone one has no pattern that tells its size.
    assert die.size == pytest.approx(60, rel=0.25 if value == 1 else 0.15)


@pytest.mark.parametrize(
    ("pip", "sure"),
    [((190, 190, 190), True), ((90, 255, 235), False)],
    ids=["in a shade", "of another colour"],
)
@pytest.mark.parametrize("value", [3, 5])
def test_pips_of_two_colours_are_asked_about_but_not_one_in_a_shade(
    value: int, pip: tuple[int, int, int], sure: bool
) -> None:
    image = _drawn(value, 0.4, dark=True)
    ys, xs = np.mgrid[0:200, 0:200] - 99.5
    image[np.hypot(xs, ys) < 6] = pip
    reading = read(Frame(image), None)
    assert (reading.values, reading.sure) == ((value,), sure)
    assert [clue.name for clue in reading.dice[0].clues if clue.against] == ([] if sure else ["tinge"])


@settings(max_examples=15)
@given(st.integers(2, 6), st.floats(0, 1.57))
def test_the_turn_of_a_face_is_told(value: int, angle: float) -> None:
    (die,) = read(Frame(_drawn(value, angle)), None).dice
    off = abs(die.angle - np.rad2deg(angle)) % 90
    assert min(off, 90 - off) < 3


@pytest.mark.parametrize("shape", [(1, 1), (2, 300), (300, 2), (17, 17), (64, 48)])
def test_odd_and_tiny_pictures_show_nothing(shape: tuple[int, int]) -> None:
    assert read(Frame(np.zeros((*shape, 3), np.uint8)), None).dice == ()


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_plain_picture_is_empty_for_sure(level: int) -> None:
    reading = read(Frame(np.full((480, 640, 3), level, np.uint8)), None)
    assert reading.dice == ()
    assert reading.sure


def test_noise_is_no_dice() -> None:
    noise = np.random.default_rng(3).normal(110, 25, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    assert read(Frame(noise), None).dice == ()


def test_a_picture_of_another_shape_than_the_profiles_is_refused_in_a_sentence() -> None:
    with pytest.raises(VisionError, match=r"640x640.*1280x960.*calibrate again"):
        read(Frame(np.zeros((640, 640, 3), np.uint8)), _PROFILE)


def test_a_profile_for_half_the_size_keeps_its_shares() -> None:
    half = _PROFILE.for_size(640, 480)
    assert half.kinds == _PROFILE.kinds
    assert half.camera.focal == pytest.approx(500)


@pytest.mark.parametrize(
    ("ratio", "contrast", "told"), [(0.75, 300.0, True), (0.75, 200.0, False), (0.9, 200.0, True), (0.6, 320.0, False)]
)
def test_a_strong_pip_on_no_die_is_told_be_it_half_in_the_shade(ratio: float, contrast: float, told: bool) -> None:
    xy, body, pip = np.array([[640.0, 480.0]]), np.array([_KIND.body]), np.array([_KIND.pip])
    radius = _KIND.radius * _KIND.edge_mm * size_of(_CAMERA.scale(xy, _KIND.edge_mm))
    sound = np.ones(1)
    every = Pips(xy, radius, ratio * sound, pip, body, contrast * sound, 0.97 * sound, 0 * sound, 0 * sound, sound)
    assert len(lone.lone(every, cube.flat(faces.no_faces(), _PROFILE), _PROFILE)) == told


@pytest.mark.parametrize("light", [0.45, 0.7, 1.0])
@pytest.mark.parametrize(
    ("pip", "shows"), [((20, 20, 20), True), ((120, 60, 10), False)], ids=["its own", "of the underside"]
)
def test_a_twos_pips_belong_together_with_a_shadow_on_one_but_not_with_another_of_a_clear_dies_colours(
    light: float, pip: tuple[int, int, int], shows: bool
) -> None:
    body = np.array(_KIND.body)
    inner, outer = np.stack([np.array(_KIND.pip), light * np.array(pip)]), np.stack([body, light * body])
    # What shines through from below is the fainter for it.
    inner[1] = inner[1] if shows else 0.5 * outer[1] + inner[1]
    apart, two = np.linalg.norm(inner - outer, axis=1), np.ones(2)
    every = Pips(np.array([[0.0, 0], [20, 20]]), 4 * two, two, inner, outer, apart, two, 0 * two, 0 * two, two)
    found = [faces.alike(every, np.ones((2, 2), np.bool_), 0.85, shade) for shade in (1.0, 2.5)]
    assert len(found[1]) == shows
    assert len(found[0]) == (shows and light > 0.5)


def _candidates(places: list[tuple[float, float]], scores: list[float]) -> Faces:
    n = len(places)
    one, three = np.zeros(n), np.zeros((n, 3))
    return Faces(
        xy=np.array(places),
        frame=np.repeat(np.eye(2)[None] * 10, n, 0),
        value=np.full(n, 4),
        radius=one,
        body=three,
        pip=three,
        misfit=one,
        margin=one,
        rival=np.zeros(n, np.int64),
        uneven=one,
        strays=one,
        score=np.array(scores),
        half=one,
        sides=np.zeros((n, 4)),
        backed=one,
        upright=one,
        kind=np.zeros(n, np.int64),
    )


@given(st.lists(st.tuples(st.floats(0, 200), st.floats(0, 200), st.floats(0.1, 5)), min_size=1, max_size=9))
def test_chosen_faces_never_clash_and_no_set_is_worth_more(made: list[tuple[float, float, float]]) -> None:
    found = _candidates([(x, y) for x, y, _ in made], [s for _, _, s in made])
    chosen = choice.choose(found)
    clash = choice.clashes(found)
    assert not clash[np.ix_(chosen, chosen)].any()
    best = 0.0
    for bits in range(1 << len(made)):
        rows = [k for k in range(len(made)) if bits >> k & 1]
        if not clash[np.ix_(rows, rows)].any():
            best = max(best, float(found.score[rows].sum()))
    assert float(found.score[chosen].sum()) == pytest.approx(best)


def test_a_heap_of_candidates_ends() -> None:
    rng = np.random.default_rng(1)
    found = _candidates([tuple(p) for p in rng.uniform(0, 300, (120, 2))], list(rng.uniform(1, 2, 120)))
    assert len(choice.choose(found)) > 0


def test_a_die_is_never_of_a_kind_of_another_size_however_like_in_colour() -> None:
    red, gleaming = (60.0, 60.0, 230.0), (120.0, 120.0, 240.0)
    white = (250.0, 250.0, 250.0)
    small = Kind("red", red, white, 14.0, 0.27, 0.09, 0.1)
    large = Kind("blue", (200.0, 90.0, 60.0), white, 16.0, 0.27, 0.09, 0.1)
    profile = Profile(1280, 960, _CAMERA, (small, large))
    found = _candidates([(640.0, 480.0)], [2.0])
    frame = profile.camera.scale(found.xy, 16.0) * 16.0 * large.offset
    seen = replace(found, frame=frame, body=np.array([gleaming]), pip=np.array([white]), value=np.array([4]))
    assert kinship.of_kind(seen, profile).kind.tolist() == [1]


def test_a_die_on_a_die_is_of_its_own_colour_though_another_kind_has_pips_as_far_apart() -> None:
    white = (180.0, 185.0, 210.0)
    green = Kind("green", (44.0, 80.0, 44.0), white, 16.0, 0.254, 0.09, 0.1)
    black = Kind("black", (31.0, 28.0, 35.0), white, 16.0, 0.267, 0.09, 0.1)
    profile = Profile(1280, 960, _CAMERA, (green, black))
    found = _candidates([(640.0, 480.0)], [2.0])
    frame = profile.camera.scale(found.xy, 32.0) * 16.0 * green.offset
    seen = replace(found, frame=frame, body=np.array([green.body]), pip=np.array([white]), value=np.array([4]))
    assert kinship.of_kind(seen, profile).kind.tolist() == [0]


@pytest.mark.parametrize(("short", "least", "most"), [(1.0, -0.04, 0.04), (0.86, 0.1, 0.25)])
def test_a_leaning_face_squashes_all_its_pips_and_a_speck_one(short: float, least: float, most: float) -> None:
    profile = Profile(1280, 960, replace(_CAMERA, tilt_x=0.0, tilt_y=0.0), (replace(_KIND, round=1.0),))
    found = _candidates([(640.0, 480.0)], [2.0])
    scale = profile.camera.scale(found.xy, 16.0)[0] * 16.0
    seen = replace(found, frame=(scale * _KIND.offset)[None], value=np.array([3]), radius=np.array([4.0]))
    image = np.full((960, 1280, 3), 225, np.uint8)
    radius = float(np.linalg.norm(scale[:, 0]) * _KIND.radius)
    at = found.xy + PLACES[PATTERNS[1][1] > 0.5] @ seen.frame[0].T
    for k, (x, y) in enumerate(at):
        axes = (round(16 * radius), round(16 * radius * (short if k else 0.7)))
        cv2.ellipse(image, (round(16 * x), round(16 * y)), axes, 30, 0, 360, (20, 20, 20), -1, cv2.LINE_AA, 4)
    spots = pips.measure(image, at, np.full(3, radius))
    assert least < pose.measure(seen, spots, profile).squashed[0] < most
    unknown = replace(profile, kinds=(_KIND,))
    assert np.isnan(pose.measure(seen, spots, unknown).squashed[0])


@given(st.permutations(range(6)))
def test_two_sizes_of_one_look_stay_two_though_other_dice_lie_between_them(order: list[int]) -> None:
    size, look = np.array([0.240, 0.241, 0.245, 0.250, 0.255, 0.2600]), np.array([0, 0, 1, 1, 1, 0])
    label = kinds.sizes_of_looks(look[order], size[order])[np.argsort(order)]
    assert label[0] == label[1] != label[5]
    assert label[2] == label[3] == label[4]


@given(st.permutations(range(9)))
def test_edges_of_one_size_stay_together_and_two_sizes_near_each_other_do_not(order: list[int]) -> None:
    # Dice of 12 mm with sharp and round edges; then of 14 and 16 mm, of which the nearest are hardly apart.
    edge = np.array([38.0, 40.4, 41.7, 48.5, 49.6, 53.0, 54.5, 65.0, 69.5])
    label = kinds.sizes_of_edges(edge[order])[np.argsort(order)]
    assert label.tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("bgr", "said"),
    [
        ((240, 240, 240), "white"),
        ((30, 30, 30), "black"),
        ((120, 120, 120), "grey"),
        ((40, 40, 200), "red"),
        ((200, 70, 40), "blue"),
        ((40, 140, 40), "green"),
        ((30, 200, 230), "yellow"),
        ((190, 215, 230), "ivory"),
    ],
)
def test_colours_have_the_names_people_use(bgr: tuple[int, int, int], said: str) -> None:
    assert colour.name(bgr) == said


def test_likeness_parts_dice_from_floor() -> None:
    dice, floor = np.zeros((16, 16, 16)), np.zeros((16, 16, 16))
    dice[14, 14, 14], floor[2, 6, 2] = 100, 100
    table = likeness.learned(dice, floor)
    picture = np.array([[(230, 230, 230), (40, 100, 40), (128, 20, 250)]], np.uint8)
    die, ground, unknown = likeness.of(picture, table)[0]
    assert die > 200
    assert ground < 50
    assert unknown == 128


def test_a_die_is_on_the_rail_in_the_tray_or_outside() -> None:
    tray = ((100.0, 100.0), (900.0, 100.0), (900.0, 800.0), (100.0, 800.0))
    rail = ((900.0, 100.0), (1100.0, 100.0), (1100.0, 800.0), (900.0, 800.0))
    profile = Profile(1280, 960, _CAMERA, (_KIND,), tray, rail)
    assert [zones.of(p, profile) for p in ((500.0, 400.0), (1000.0, 400.0), (1250.0, 900.0))] == [
        "tray",
        "rail",
        "outside",
    ]


def test_spots_are_measured_to_a_part_of_a_pixel() -> None:
    face = _drawn(4, 0.3)
    found = pips.find(face, 5.4)
    found = found.pick(found.clean > 0.9)
    assert len(found) == 4
    assert np.allclose(found.radius, 5.4, rtol=0.12)
    assert (found.ratio > 0.85).all()
    middle = found.xy.mean(0)
    assert np.hypot(*(middle - 99.5)) < 0.3
    pairs = faces.diagonals(found, 4.4, 12.5)
    assert size_of(faces.frames(found, pairs)).max() == pytest.approx(15, rel=0.03)


def test_looking_without_knowledge_finds_dice_of_every_size() -> None:
    for edge in (34.0, 60.0, 90.0):
        assert list(alone.look(_drawn(5, 0.7, edge)).faces.value) == [5]


@given(st.integers(24, 300), st.integers(24, 300))
def test_a_smaller_picture_keeps_places_and_greys(width: int, height: int) -> None:
    ys, xs = np.mgrid[0:400, 0:400]
    picture = np.stack([xs / 2, ys / 2, (xs + ys) / 4], axis=-1).astype(np.uint8)
    small = smaller(picture, width, height)
    assert small.shape == (height, width, 3)
    ys, xs = (np.mgrid[0:height, 0:width] + 0.5) * [[[400 / height]], [[400 / width]]] - 0.5
    wanted = np.stack([xs / 2, ys / 2, (xs + ys) / 4], axis=-1)
    assert np.abs(small - wanted).max() < 4
