"""The simulated camera's pictures: as a real one would take them, and nothing else."""

import pickle
import random
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from firmware.drivers.simulated import box
from firmware.drivers.simulated.camera import SimulatedCamera
from firmware.drivers.simulated.lens import plane, project, rays
from firmware.drivers.simulated.render import Renderer
from firmware.drivers.simulated.scene import LOOKS, Die, Fault, Leg, Pose, Reach, Scene
from firmware.drivers.simulated.stills import calibration_pictures
from firmware.drivers.simulated.tumble import tumble
from firmware.drivers.simulated.turns import lying
from firmware.errors import CameraLost
from vision.frame import Frame, Image


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer()


def lone(value: int, x: float = 0.0, y: float = 0.0, look: str = "ivory") -> Die:
    return Die(Pose(x, y, lying(value, 0.3)), look=LOOKS[look])


def camera_of(scene: Scene, clock: Clock) -> SimulatedCamera:
    return SimulatedCamera(scene, clock, clock.sleep)


def changed(one: Image, other: Image) -> np.ndarray:
    """Where two pictures differ by more than noise."""
    return np.asarray(np.abs(one.astype(int) - other).max(axis=2) > 30)


def test_a_picture_has_the_size_and_the_kind_of_a_cameras(renderer: Renderer) -> None:
    image = renderer.render(Scene(), 0.0)
    assert image.shape == (box.HEIGHT, box.WIDTH, 3)
    assert image.dtype == np.uint8


def test_the_same_moment_and_frame_give_the_same_picture(renderer: Renderer) -> None:
    scene = Scene(dice=tumble(random.Random(1), [1, 2, 3]))
    first = renderer.render(scene, 0.5, 9)
    renderer.render(scene, 5.0, 10)
    assert np.array_equal(first, renderer.render(scene, 0.5, 9))


def test_noise_is_fresh_in_every_frame_and_of_a_sensors_size(renderer: Renderer) -> None:
    frames = np.stack([renderer.render(Scene(), 0.0, n) for n in range(6)]).astype(float)
    assert 1.0 < frames.std(axis=0).mean() < 4.0
    assert all(not np.array_equal(a, b) for a, b in pairwise(frames))


def test_a_die_appears_where_it_lies_and_nowhere_else(renderer: Renderer) -> None:
    empty, full = renderer.render(Scene(), 0.0, 1), renderer.render(Scene(dice=(lone(5, 40, 30),)), 0.0, 2)
    rows, columns = np.nonzero(changed(empty, full))
    x, y = project(np.array([[40.0, 30.0, box.EDGE]]))[0]
    assert abs(columns - x).max() < 90
    assert abs(rows - y).max() < 90
    assert len(rows) > 1500


@pytest.mark.parametrize("value", range(1, 7))
def test_the_top_face_shows_its_pips(renderer: Renderer, value: int) -> None:
    """Pips counted in the upright top face: dark places of a pip's size on a bright ground."""
    image = renderer.render(Scene(dice=(lone(value, 5, 5),)), 0.0, 1)
    half = box.EDGE / 2
    across, along = (np.array([np.cos(a), np.sin(a), 0.0]) for a in (0.3, 0.3 + np.pi / 2))
    middle = np.array([5.0, 5.0, box.EDGE])
    lattice = [(u, v) for u in (-1, 0, 1) for v in (-1, 0, 1)]
    points = [middle + 0.54 * half * (u * across + v * along) for u, v in lattice]
    pixels = np.round(project(np.array(points))).astype(int)
    dark = [image[y - 1 : y + 2, x - 1 : x + 2].mean() < 90 for x, y in pixels]
    assert sum(dark) == value


def test_a_die_is_as_large_as_the_brief_of_a_reader_wants_it() -> None:
    ends = project(np.array([[-8.0, 0, 16.0], [8.0, 0, 16.0]]))
    assert 45 < float(np.linalg.norm(ends[1] - ends[0])) < 60


def test_the_whole_tray_is_in_view() -> None:
    left, right = box.FLOOR_LEFT - box.WALL_THICK, box.FLOOR_RIGHT + box.WALL_THICK
    near, far = box.FLOOR_NEAR - box.WALL_THICK, box.FLOOR_FAR + box.WALL_THICK
    pixels = project(np.array([[x, y, box.WALL_TOP] for x in (left, right) for y in (near, far)]))
    assert pixels.min() > 0
    assert pixels[:, 0].max() < box.WIDTH
    assert pixels[:, 1].max() < box.HEIGHT


def test_rays_and_planes_agree_with_the_projection() -> None:
    point = np.array([30.0, -20.0, 0.0])
    pixel = project(point[None])[0]
    from_plane = plane(np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])) @ [30.0, -20.0, 1.0]
    assert from_plane[:2] / from_plane[2] == pytest.approx(pixel)
    ray = rays() @ [*pixel, 1.0]
    assert project((np.array([6.0, -14.0, 370.0]) + 0.7 * ray)[None])[0] == pytest.approx(pixel)


def test_dice_in_flight_are_smeared(renderer: Renderer) -> None:
    def sharpness(die: Die) -> float:
        image = renderer.render(Scene(dice=(die,)), 0.5, 1).astype(float)
        x, y = project(np.array([[0.0, 0.0, box.EDGE]]))[0].astype(int)
        return float(np.abs(np.diff(image[y - 20 : y + 20, x - 20 : x + 20].mean(axis=2), axis=1)).max())

    still = lone(6)
    flying = Die(still.pose, (Leg(0.0, 1.0, Pose(-600, 0, still.pose.turn), 600, 0),))
    assert sharpness(flying) < 0.7 * sharpness(still)


def test_a_die_at_rest_looks_as_it_did_when_it_arrived(renderer: Renderer) -> None:
    scene = Scene(dice=tumble(random.Random(4), [1, 4, 6]))
    rests_s = max(d.rests_s for d in scene.dice)
    arriving, lying_there = renderer.render(scene, rests_s - 1e-6, 5), renderer.render(scene, rests_s + 1.0, 5)
    assert np.abs(arriving.astype(int) - lying_there).max() <= 8


def test_a_hand_covers_what_is_below_it(renderer: Renderer) -> None:
    scene = Scene(dice=(lone(5),), hands=(Reach(((0.0, 0.0, -25.0), (1.0, 0.0, -25.0))),))
    bare, covered = renderer.render(Scene(), 0.5, 1), renderer.render(scene, 0.5, 1)
    gone = renderer.render(scene, 2.0, 1)
    assert changed(bare, covered).mean() > 0.05
    assert changed(bare, gone).mean() < 0.01


def test_dark_glare_and_flicker_show(renderer: Renderer) -> None:
    scene = Scene(dice=(lone(5),))
    plain = renderer.render(scene, 0.5, 1)

    def faulty(kind: str) -> Image:
        return renderer.render(Scene(dice=scene.dice, faults=(Fault(kind, 0.0, 1.0),)), 0.5, 1)

    assert faulty("dark").mean() < 0.35 * plain.mean()
    assert (faulty("glare") >= 240).all(axis=2).mean() > 0.02
    rows = faulty("flicker").mean(axis=(1, 2)) / plain.mean(axis=(1, 2))
    assert rows.min() < 0.75
    assert rows.max() > 0.9


def test_every_look_has_pips_that_stand_out(renderer: Renderer) -> None:
    for name in (name for name, look in LOOKS.items() if not look.signs):
        image = renderer.render(Scene(dice=(lone(1, look=name),)), 0.0, 1).astype(float)
        x, y = np.round(project(np.array([[0.0, 0.0, box.EDGE]]))[0]).astype(int)
        pip, body = image[y - 1 : y + 2, x - 1 : x + 2].mean((0, 1)), image[y + 14 : y + 17, x - 1 : x + 2].mean((0, 1))
        assert np.abs(pip - body).max() > 80, name


def test_frames_are_a_thirtieth_of_a_second_apart() -> None:
    camera = camera_of(Scene(), Clock())
    frames = [camera.read(1.0) for _ in range(4)]
    assert [b.at_s - a.at_s for a, b in pairwise(frames)] == pytest.approx([1 / 30] * 3)
    assert [b.seq - a.seq for a, b in pairwise(frames)] == [1, 1, 1]


def test_whoever_looks_slowly_sees_all_that_moves_and_is_in_time_again_when_it_rests() -> None:
    clock = Clock()
    dice = tumble(random.Random(1), [1, 2, 3], start_s=101.0)
    rests_s = max(die.rests_s for die in dice)
    camera = camera_of(Scene(dice=dice), clock)
    seen = []
    while clock.now_s < 130:
        seen.append(camera.read(1.0).at_s)
        clock.sleep(0.7)
    begun = [at_s for at_s in seen if at_s > 101.0]
    rolling = [at_s for at_s in begun if at_s < rests_s]
    assert len(rolling) > 5
    assert all(b - a < 0.11 for a, b in pairwise(rolling))
    assert clock.now_s - seen[-1] < 0.8


def test_what_rests_is_seen_as_it_is_now_however_late_one_looks() -> None:
    clock = Clock()
    camera = camera_of(Scene(dice=(lone(3),)), clock)
    for _ in range(3):
        assert camera.read(1.0).at_s > clock.now_s - 1 / 30
        clock.sleep(5.0)


def test_a_board_that_draws_slowly_has_half_its_time_for_other_work_while_nothing_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, drawn, as_usual = Clock(), [], Renderer.render

    def slowly(renderer: Renderer, scene: Scene, at_s: float, frame: int, gain: float = 1.0) -> Image:
        drawn.append(clock.now_s)
        clock.sleep(0.2)
        return as_usual(renderer, scene, at_s, frame, gain)

    monkeypatch.setattr(Renderer, "render", slowly)
    dice = tumble(random.Random(1), [1, 2, 3], start_s=102.0)
    camera = camera_of(Scene(dice=dice), clock)
    seen = []
    while clock.now_s < 106:
        seen.append(camera.read(1.0).at_s)
    resting = [at_s for at_s in drawn if at_s < 102]
    assert all(b - a >= 0.4 for a, b in pairwise(resting))
    rolling = [at_s for at_s in seen if 102 < at_s < max(die.rests_s for die in dice)]
    assert len(rolling) > 5
    assert all(b - a < 0.11 for a, b in pairwise(rolling))


def test_dropped_frames_leave_gaps_in_the_count_and_in_time() -> None:
    clock = Clock()
    camera = camera_of(Scene(faults=(Fault("dropped-frames", 0.0, 1e9),)), clock)
    frames = [camera.read(1.0) for _ in range(4)]
    assert [b.seq - a.seq for a, b in pairwise(frames)] == [3, 3, 3]
    assert frames[3].at_s - frames[0].at_s == pytest.approx(9 / 30)


def test_a_dead_camera_is_lost_when_the_time_is_up_and_films_again_later() -> None:
    clock = Clock()
    camera = camera_of(Scene(faults=(Fault("dead-camera", 0.0, 102.0),)), clock)
    with pytest.raises(CameraLost):
        camera.read(1.5)
    assert clock.now_s == pytest.approx(101.5)
    assert camera.read(1.0).at_s >= 102.0


def test_what_is_shown_is_filmed_from_the_next_frame_on() -> None:
    camera = camera_of(Scene(), Clock())
    before = camera.read(1.0)
    camera.show(Scene(dice=(lone(3),)))
    after = camera.read(1.0)
    assert after.seq == before.seq + 1
    assert changed(before.image, after.image).sum() > 1500


def test_a_frame_carries_the_picture_and_nothing_of_the_truth() -> None:
    assert {f.name for f in fields(Frame)} == {"picture", "seq", "at_s", "small"}
    frame = camera_of(Scene(dice=(lone(3),)), Clock()).read(1.0)
    assert type(frame) is Frame
    assert type(frame.picture) is type(frame.image) is np.ndarray
    assert frame.small is None
    assert not frame.image.flags.writeable


def test_a_scene_can_be_sent_to_another_process() -> None:
    scene = Scene(dice=tumble(random.Random(1), [1, 2, 3, 4, 5, 6]), hands=(Reach(((0.0, 0, 0), (1.0, 1, 1))),))
    assert pickle.loads(pickle.dumps(scene)) == scene


def test_pictures_to_calibrate_on_are_an_empty_tray_and_all_faces() -> None:
    empty, pictures = calibration_pictures(3)
    assert len(pictures) == 3
    for image in pictures:
        assert image.shape == empty.shape
        assert 0.008 < changed(empty, image).mean() < 0.05
    assert not np.array_equal(pictures[0], pictures[1])


def test_no_frame_comes_twice_however_close_the_clock_stands_to_it() -> None:
    clock = Clock()
    clock.now_s = 3001 / 30 - 1e-9
    camera = camera_of(Scene(), clock)
    frames = [camera.read(1.0) for _ in range(3)]
    assert [b.seq - a.seq for a, b in pairwise(frames)] == [1, 1]
