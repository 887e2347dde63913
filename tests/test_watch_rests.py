"""What is told from several readings of one rest, and from what has come into view without being read."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision import larger, motion
from vision.agree import LONG_TRIES, UNCERTAIN_TRIES, agree
from vision.align import aligned, laid, shared
from vision.evidence import Clue, confidence, weighed
from vision.frame import Frame, Image
from vision.fresh import believed
from vision.glance import coloured, glance, tinted
from vision.motion import Seen
from vision.opinion import Network
from vision.presence import Altered, unread
from vision.profile import Profile
from vision.reader import asked
from vision.seen import Doubt, Reading, SeenDie

FELT = (40, 90, 30)


def die(value: int, x: float, y: float = 100.0) -> SeenDie:
    return SeenDie(value, x, y, 40.0, 10.0)


def read(*dice: SeenDie, doubts: tuple[Doubt, ...] = ()) -> Reading:
    return Reading(dice, doubts)


def doubt(x: float, y: float = 100.0) -> Doubt:
    return Doubt("count", x, y, "Something lies here.")


def told(*readings: Reading) -> tuple[tuple[int, ...], int] | None:
    """Values and number of doubts of the verdict on readings without a profile; None while one more may help."""
    verdict = agree(readings, trusted=False)
    return None if verdict is None else (verdict.reading.values, len(verdict.doubts))


def test_without_a_profile_one_reading_is_never_enough_but_two_alike_are() -> None:
    both = read(die(2, 100), die(5, 300))
    assert told(both) is None
    assert told(both, both) == ((2, 5), 0)


def test_readings_alike_that_are_not_certain_are_told_after_some_more_of_them() -> None:
    likely = read(die(2, 100), replace(die(1, 300), confidence=0.9))
    assert told(*[likely] * (UNCERTAIN_TRIES - 1)) is None
    assert told(*[likely] * UNCERTAIN_TRIES) == ((1, 2), 0)


def test_a_die_that_one_reading_took_together_with_its_shadow_is_one_die() -> None:
    wide = replace(die(1, 96, 112), size=64.0)
    readings = [read(wide, doubts=(doubt(96, 112),)), read(die(2, 100)), read(die(2, 100)), read(die(2, 100))]
    assert told(*readings, *readings[1:2]) == ((2,), 0)


def test_a_die_that_only_some_readings_show_lies_there_when_two_do() -> None:
    all_three, two = read(die(2, 100), die(5, 300), die(6, 500)), read(die(2, 100), die(6, 500))
    readings = [two, two, all_three, two, two, all_three, two, two]
    assert told(*[two, all_three]) is None
    assert told(*readings[:LONG_TRIES]) == ((2, 5, 6), 0)


def test_a_die_that_one_reading_shows_is_asked_about() -> None:
    two = read(die(2, 100), die(6, 500))
    readings = [two] * (LONG_TRIES - 1) + [read(die(2, 100), die(5, 300), die(6, 500))]
    verdict = agree(readings, trusted=False)
    assert verdict is not None
    assert [(d.kind, d.x) for d in verdict.doubts] == [("count", 300)]


def test_a_die_read_for_two_values_is_asked_about_however_often_for_one() -> None:
    readings = [read(die(2, 100), die(6, 300))] * (LONG_TRIES - 1) + [read(die(2, 100), die(5, 300))]
    verdict = agree(readings, trusted=False)
    assert verdict is not None
    assert [(d.kind, d.x) for d in verdict.doubts] == [("value", 300)]


def test_a_die_doubted_more_often_than_not_stays_doubtful() -> None:
    sure, doubted = read(die(2, 100), die(6, 300)), read(die(2, 100), die(6, 300), doubts=(doubt(305),))
    assert told(*[doubted] * 5, *[sure] * 3) == ((2, 6), 1)
    assert told(*[doubted] * 3, *[sure] * 5) == ((2, 6), 0)


def test_what_two_readings_doubt_where_no_die_is_read_stays_doubtful() -> None:
    sure, doubted = read(die(2, 100)), read(die(2, 100), doubts=(doubt(300),))
    assert told(*[sure] * 6, doubted, doubted) == ((2,), 1)
    assert told(*[sure] * 7, doubted) == ((2,), 0)


def ground(seed: int = 1) -> Image:
    """A floor with some texture, 640x480."""
    rng = np.random.default_rng(seed)
    clouds = cv2.GaussianBlur(rng.standard_normal((480, 640)).astype(np.float32), (0, 0), 9) * 240
    return np.clip(np.array(FELT) + clouds[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("grown", "turned", "way"), [(1.0, 0.0, (9.0, -5.0)), (1.03, 2.0, (-6.0, 4.0))])
def test_a_camera_that_moved_turned_and_came_nearer_is_followed(
    grown: float, turned: float, way: tuple[float, float]
) -> None:
    then = glance(ground())
    c, s = grown * math.cos(math.radians(turned)), grown * math.sin(math.radians(turned))
    true = np.array([[c, -s, way[0]], [s, c, way[1]]])
    now = laid(then, true)
    now[100:130, 140:170] = 250  # a die has come meanwhile
    found = aligned(then, now, (0.0, 0.0))
    corners = np.array([[20, 20, 1], [300, 20, 1], [300, 220, 1], [20, 220, 1]], dtype=np.float64)
    assert np.abs(corners @ found.T - corners @ true.T).max() < 0.5
    assert 0.7 < np.mean(shared(found, now.shape) > 0) < 1.0


def test_light_and_shadow_tint_nothing_and_a_die_as_bright_as_its_floor_does() -> None:
    then = ground()
    now = then.copy()
    now[:, 320:] = (0.6 * now[:, 320:]).astype(np.uint8)
    assert not tinted(coloured(now), coloured(then)).any()
    now = with_die(then, 200, 200)
    assert cv2.countNonZero(cv2.absdiff(glance(now), glance(then)) // 8) < 40
    assert tinted(coloured(now), coloured(then))[100, 100] == 255


def with_die(picture: Image, x: int, y: int) -> Image:
    """A plain square of 36 pixels around the place, of another colour and the floor's own brightness."""
    picture = picture.copy()
    part = picture[y - 18 : y + 18, x - 18 : x + 18]
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.int32)
    red = np.stack([grey - 20, grey - 25, grey + 57], axis=-1)
    part[:] = np.clip(red, 0, 255)
    return picture


def test_a_die_as_bright_as_its_floor_that_was_not_read_is_asked_about() -> None:
    then, now = ground(), with_die(ground(), 200, 200)
    seen = motion.rest(Seen(glance(then), glance(then)), coloured(then))
    seen, look = motion.look(seen, glance(now), 18.0, 2.0, steady=True)
    change = motion.altered(seen, coloured(now), look.scale)
    other = SeenDie(3, 500.0, 300.0, 36.0)
    (asked,) = unread(change, [other], [])
    assert math.hypot(asked.x - 200, asked.y - 200) < 8
    assert unread(change, [other, SeenDie(4, 200.0, 200.0, 36.0)], []) == ()
    assert len(unread(change, [], [])) == 1, "also when nothing at all was read"


OVAL = weighed("round", 0.78, 0.86, 0.7)
AGREES, SILENT = weighed("second", 0.99, 0.5, 1.0), weighed("second", 0.7, 0.5, 1.0)
ODD = weighed("fit", 0.6, 0.5, 0.8, 3)


def come() -> Altered:
    """Something has come to lie at (200, 200), and nothing elsewhere."""
    then, now = ground(), with_die(ground(), 200, 200)
    seen, look = motion.look(motion.rest(Seen(glance(then), glance(then)), coloured(then)), glance(now), 18.0, 2.0)
    return motion.altered(seen, coloured(now), look.scale)


@pytest.mark.parametrize(
    ("clues", "place", "is_believed"),
    [
        ((OVAL,), 200.0, True),
        ((OVAL, AGREES), 200.0, True),
        ((OVAL, AGREES), 400.0, False),
        ((OVAL, SILENT), 200.0, False),
        ((OVAL, ODD, AGREES), 200.0, False),
    ],
)
def test_a_die_that_may_be_a_pattern_of_the_floor_is_believed_where_something_has_come(
    clues: tuple[Clue, ...], place: float, is_believed: bool
) -> None:
    seen = replace(die(1, place, 200.0), size=36.0, confidence=confidence(clues), clues=clues)
    other = doubt(place, 200.0)
    reading = believed(Reading((seen,), (asked(seen), other)), come())
    assert reading.doubts == ((other,) if is_believed else (asked(seen), other))
    assert believed(Reading((seen,), (asked(seen),)), Altered()).doubts, "nothing is known of what was there before"


def test_what_two_sizes_read_for_two_values_is_doubted_even_if_one_took_a_shadow_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def reader(frame: Frame, _profile: Profile | None, _network: Network | None) -> Reading:
        large = frame.image.shape[1] > 640
        return read(SeenDie(1, 2 * 96, 2 * 109, 2 * 30.0) if large else SeenDie(2, 100, 100, 20.0))

    monkeypatch.setattr("vision.reader.read", reader)
    reading = larger.read(Frame(np.zeros((480, 640, 3), np.uint8)), None)
    assert [doubt.kind for doubt in reading.doubts] == ["value"]


@pytest.mark.parametrize(("doubted", "values"), [(100.0, (2,)), (300.0, ())])
def test_a_die_that_only_one_size_shows_is_asked_about_where_the_other_doubts(
    doubted: float, values: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def reader(frame: Frame, _profile: Profile | None, _network: Network | None) -> Reading:
        return (
            read(doubts=(doubt(2 * doubted, 200),)) if frame.image.shape[1] > 640 else read(SeenDie(2, 100, 100, 20.0))
        )

    monkeypatch.setattr("vision.reader.read", reader)
    reading = larger.read(Frame(np.zeros((480, 640, 3), np.uint8)), None)
    assert reading.values == values
    assert [doubt.kind for doubt in reading.doubts] == (["value"] if values else ["count"])


@pytest.mark.parametrize(("size", "times"), [(24.0, 2), (40.0, 1)])
def test_small_dice_are_read_in_an_enlarged_picture_and_told_in_pixels_of_the_frame(
    size: float, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes = []

    def reader(frame: Frame, _profile: Profile | None, _network: Network | None) -> Reading:
        height, width = frame.image.shape[:2]
        shapes.append((height, width))
        scale = width / 640
        place = (100.5 * scale - 0.5, 200.5 * scale - 0.5)
        return Reading((SeenDie(3, *place, size * scale),), (Doubt("count", *place, "What is this?"),))

    monkeypatch.setattr("vision.reader.read", reader)
    reading = larger.read(Frame(np.zeros((480, 640, 3), np.uint8)), None)
    assert len(shapes) == times
    (seen,), (asked,) = reading.dice, reading.doubts
    assert (seen.x, seen.y, seen.size) == pytest.approx((100, 200, size))
    assert (asked.x, asked.y) == pytest.approx((100, 200))
