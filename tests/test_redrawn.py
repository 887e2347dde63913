"""Faces without pips once they are found again: a truer camera, pictures without gleams, and what test rolls teach."""

from dataclasses import replace

import cv2
import numpy as np
from test_emblems import tray_of

from calibration import emblems, learn, level, middles, redrawn
from calibration.alike import Face, grouped
from calibration.asked import Answer, Meaning, Unnamed, answered, asked_again, meaning
from calibration.redrawn import Shown
from vision.emblem import NO_PICTURE
from vision.frame import Frame, Image
from vision.geometry import Camera, turned
from vision.reader import read

TRUE = Camera(900.0, 319.5, 239.5, 0.05, -0.03, 320.0)
TEXTS = ["9", "10", "J", "Q", "K", "A"]
PLACES = [(42.0 * (k % 3) - 42, 44.0 * (k // 3) - 22) for k in range(6)]


def faces_of(camera: Camera, count: int, each: int) -> level.Faces:
    """`each` places of `count` faces, as `camera` sees them; their pictures were cut a little askew."""
    rng = np.random.default_rng(5)
    xy = rng.uniform((80, 80), (560, 400), (count * each, 2))
    which = np.arange(count * each) % count
    shape = np.eye(2) + rng.normal(0, 0.01, (count, 2, 2))
    flat = camera.scale(xy, 16.0) * 8.0 @ turned(rng.uniform(0, 6, len(xy)))
    return level.Faces(xy, flat @ shape[which], which)


def test_the_tilt_is_told_by_faces_that_show_the_same() -> None:
    told = level.levelled(replace(TRUE, tilt_x=0.03, tilt_y=-0.01), 16.0, faces_of(TRUE, 6, 3), 6)
    assert abs(told.camera.tilt_x - TRUE.tilt_x) < 0.004
    assert abs(told.camera.tilt_y - TRUE.tilt_y) < 0.004
    assert told.doubt < 0.005


def test_faces_that_are_seen_once_each_tell_nothing_of_the_camera() -> None:
    start = replace(TRUE, tilt_x=0.03)
    told = level.levelled(start, 16.0, faces_of(TRUE, 6, 1), 6)
    assert abs(told.camera.tilt_x - start.tilt_x) < 0.004
    assert told.doubt > 0.007


def gleaming(image: Image, at: tuple[int, int]) -> Image:
    """A lamp is mirrored in the face there."""
    light = np.zeros(image.shape[:2], np.float32)
    cv2.circle(light, at, 15, (230.0,), -1)
    return np.asarray(np.clip(image + cv2.GaussianBlur(light, (0, 0), 3)[..., None], 0, 255), np.uint8)


def thrown(texts: list[str], seed: int) -> Image:
    turns = np.random.default_rng(seed).uniform(0, 6, 6)
    return tray_of([(text, x, y, float(t)) for text, (x, y), t in zip(texts, PLACES, turns, strict=True)])


def named(asked: tuple[Unnamed, ...], rows: list[list[str]]) -> list[Meaning | None]:
    camera = Camera(900.0, 319.5, 239.5, 0.0, 0.0, 320.0)
    at = [camera.pixels(np.array([place]), 16.0)[0] for place in PLACES]
    first = [one.places[0] for one in asked]
    return [meaning(rows[k][int(np.argmin([np.hypot(x - u, y - v) for u, v in at]))]) for k, x, y in first]


def values(texts: list[str]) -> tuple[int, ...]:
    return tuple(sorted(meaning(text).value for text in texts))


def test_a_face_that_was_shown_in_a_gleam_is_learned_from_a_roll_whose_values_were_told() -> None:
    rows = [["9", "10", "J", "Q", "K", "A"], ["9", "10", "J", "Q", "K", "10"]]
    empty, dice = tray_of([]), [thrown(row, seed) for seed, row in enumerate(rows)]
    dice[0] = gleaming(dice[0], (437, 301))  # the ace, of which there is no other picture
    asked = learn.build(empty, dice).unnamed
    answers = answered(asked, named(asked, rows))
    texts = ["A", "9", "K", "J", "10", "Q"]
    roll, other = thrown(texts, 7), thrown(["Q", "A", "J", "A", "9", "K"], 8)
    taught = learn.build(empty, dice, answers=answers, rolls=[Shown(roll, values(texts))]).profile
    seen = read(Frame(other), taught)
    assert seen.values == values(["Q", "A", "J", "A", "9", "K"])
    assert seen.sure


def test_rolls_teach_no_pictures_where_no_face_was_named() -> None:
    image = tray_of([])
    profile = learn.build(image, [thrown(TEXTS, 1), thrown(TEXTS[::-1], 2)]).profile
    plain = replace(profile, kinds=(replace(profile.kinds[0], emblems=()),))
    assert redrawn.redrawn([], plain, (), [Shown(image, (1,))])[0] is plain


def test_answers_hold_for_the_same_faces_in_more_pictures() -> None:
    first, other = Unnamed(0, NO_PICTURE, ((0, 100.0, 50.0),)), Unnamed(0, NO_PICTURE, ((0, 300.0, 50.0),))
    more = Unnamed(0, NO_PICTURE, ((2, 10.0, 10.0), (0, 101.0, 49.0)))
    answers: tuple[Answer, ...] = ((first, Meaning(3, "J")), (other, None))
    assert asked_again([more], answers) == ((more, Meaning(3, "J")), (other, None))


def test_dice_without_pips_that_touch_are_found_each() -> None:
    image = tray_of([("A", -20.0, 0.0, 0.1), ("K", -3.9, 1.6, 0.1), ("Q", 40.0, 20.0, 0.8), ("9", 10.0, -40.0, 2.0)])
    drawn = emblems.drawn([image], tray_of([]), 16.0)
    assert drawn is not None
    assert [len(one) for one in drawn.squares] == [4]


def test_where_too_few_sorts_are_found_they_have_to_be_more_alike() -> None:
    image = tray_of([("E", -40.0, 0.0, 0.1), ("F", 0.0, 0.0, 0.1), ("E", 40.0, 0.0, 0.1)])
    camera = Camera(900.0, 319.5, 239.5, 0.0, 0.0, 320.0)
    xy = camera.pixels(np.array([(x, 0.0) for x in (-40.0, 0.0, 40.0)]), 16.0)
    axes = camera.scale(xy, 16.0) * 8.0 @ turned(np.full(3, 0.1))
    found = [Face(0, 0, *place) for place in zip(xy, axes, strict=True)]
    assert [len(group) for group in grouped([image], found, sorts=2)] == [2, 1]


def test_a_face_lies_in_its_picture_where_the_outlines_of_all_dice_that_show_it_say() -> None:
    camera, cut_off, askew = Camera(900.0, 319.5, 239.5, 0.0, 0.0, 320.0), np.array((0.12, -0.08)), 0.04
    which, rng = np.array([0, 0, 0, 1, 1, 1]), np.random.default_rng(6)
    images, found = [], []
    for _ in range(5):
        turn = rng.uniform(0, 6, 6)
        images.append(tray_of([("QK"[j], *place, float(t)) for j, place, t in zip(which, PLACES, turn, strict=True)]))
        xy = camera.pixels(np.array(PLACES), 16.0)
        axes = camera.scale(xy, 16.0) * 8.0 @ turned(turn + askew)
        found.append((xy + axes @ cut_off, axes, which))
    shift, turns = middles.of(images, tray_of([]), found, camera, 16.0, 2)
    # The outlines of these few drawn dice are found to a tenth of an edge.
    assert np.hypot(*(shift + cut_off).T).max() < 0.6 * np.hypot(*cut_off)
    assert np.abs(turns + askew).max() < 0.02
