"""What the eye keeps of a throw: the still with what was seen, the film before it, the die that is asked about."""

import threading

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.filming import EVERY_S, FRAMES, HEIGHT, WIDTH, Film, Filming, Throw, fitted, stills, strip
from firmware.link import Pictured
from vision.closeup import SIDE, around, closeup
from vision.frame import Frame, Image
from vision.happening import Happening
from vision.overlay import draw
from vision.profile import Profile
from vision.seen import Doubt, Reading, SeenDie
from vision.watcher import Watcher

DIE = SeenDie(5, 300.0, 200.0, 60.0)
DOUBT = Doubt("value", 302.0, 199.0, "This one?", (5, 6))


def tray(level: int = 90, rows: int = 480, columns: int = 640) -> Image:
    return np.full((rows, columns, 3), level, np.uint8)


def picture(jpeg: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def nothing(_: Frame, __: Profile | None) -> Reading:
    return Reading()


def unsure(roll: int = 1) -> Happening:
    return Happening("unsure", 7, 1.0, roll, (DIE,), (DIE,), (DOUBT, Doubt("light", 320.0, 240.0, "Dark.")))


@pytest.mark.parametrize(("rows", "columns"), [(240, 320), (180, 320), (320, 240), (308, 410), (12, 320)])
def test_any_view_fits_into_the_film_with_its_shape(rows: int, columns: int) -> None:
    view = fitted(np.full((rows, columns, 3), 200, np.uint8))
    assert view.shape == (HEIGHT, WIDTH, 3)
    _, _, wide, high = cv2.boundingRect(view[..., 0])
    assert wide == WIDTH or high == HEIGHT
    assert abs(wide / high - columns / rows) < 0.02 * columns / rows + 1 / rows


@given(st.integers(1, 2 * FRAMES + 3))
def test_a_film_holds_the_last_views_in_their_order(count: int) -> None:
    film = Film()
    for number in range(count):
        film.take(tray(5 * number, HEIGHT, WIDTH))
    views = film.so_far()
    assert views is not None
    shown = strip(views)
    assert shown.shape == (FRAMES * HEIGHT, WIDTH, 3)
    levels = [int(level) for level in shown[HEIGHT // 2 :: HEIGHT, WIDTH // 2, 1]]
    last = [5 * number for number in range(max(0, count - FRAMES), count)]
    wanted = [last[0]] * (FRAMES - len(last)) + last
    assert max(abs(one - other) for one, other in zip(levels, wanted, strict=True)) <= 3


def test_no_film_before_the_first_view() -> None:
    assert Film().so_far() is None


def test_what_is_drawn_is_what_read_annotate_draws_around_the_dice() -> None:
    image = tray()
    made = stills(Throw(unsure(), image, None), True)
    shown = picture(made.drawn)
    assert shown.shape[:2] == (193, 257)
    part, reading = around(image, Reading((DIE,), unsure().doubts), (DIE,))
    assert (part.shape, reading.dice[0].value) == (shown.shape, DIE.value)
    assert np.abs(shown.astype(int) - draw(part, reading, captions=False)).mean() < 3, "nothing but the losses of JPEG"
    assert np.abs(picture(made.still).astype(int) - image).max() < 3
    assert (image == tray()).all(), "the frame itself is left as it was"


def test_without_pictures_only_the_place_that_is_asked_about_is_made() -> None:
    made = stills(Throw(unsure(), tray(), None), False)
    assert (made.still, made.drawn, made.film) == (b"", b"", b"")
    assert [bool(jpeg) for jpeg in made.closeups] == [True, False]
    assert picture(made.closeups[0]).shape == (SIDE, SIDE, 3)


@given(st.floats(-50, 700), st.floats(-50, 500), st.floats(4, 900))
def test_a_close_up_shows_its_place_wherever_that_is(x: float, y: float, size: float) -> None:
    image = tray(0)
    inside = 0 <= x < 640 and 0 <= y < 480
    if inside:
        image[int(y), int(x)] = 255
    view = closeup(image, Doubt("value", x, y, ""), (SeenDie(1, x, y, size),))
    assert (view is not None) == inside
    if view is not None:
        assert view.shape == (SIDE, SIDE, 3)
        assert size > 150 or view.max() > 60


def test_a_doubt_about_the_whole_picture_has_no_place() -> None:
    assert closeup(tray(), Doubt("light", 320, 240, "Dark."), ()) is None


def test_a_throw_is_made_into_pictures_beside_the_watching() -> None:
    filming, watcher = Filming(True), Watcher(None, nothing)
    told: list[Pictured] = []
    for number in range(60):
        frame = Frame(tray(40 + number), number, number * EVERY_S / 3)
        watcher.see(frame)
        filming.see(frame, [unsure()] if number == 59 else [], watcher)
    done = threading.Event()
    while not told and not done.wait(0.01):
        told += filming.made()
    assert (told[0].taken_ms, len(told[0].closeups)) == (1000, 2)
    assert picture(told[0].film).shape == (FRAMES * HEIGHT, WIDTH, 3)
    assert list(filming.made()) == []


def test_more_throws_than_can_be_made_into_pictures_cost_pictures_only() -> None:
    filming, watcher = Filming(True), Watcher(None, nothing)
    frame = Frame(tray())
    watcher.see(frame)
    for roll in range(50):
        filming.see(frame, [unsure(roll)], watcher)


@given(st.lists(st.tuples(st.floats(0, 639), st.floats(0, 479), st.floats(8, 90)), max_size=6), st.booleans())
def test_the_part_that_is_shown_has_all_the_dice(places: list[tuple[float, float, float]], tall: bool) -> None:
    image = tray(0, 864, 640) if tall else tray(0)
    for x, y, _ in places:
        image[int(y), int(x)] = 255
    dice = tuple(SeenDie(1, x, y, size) for x, y, size in places)
    shown, reading = around(image, Reading(dice), dice)
    assert all(shown[int(die.y), int(die.x)].all() for die in reading.dice)
    assert np.count_nonzero(shown) == np.count_nonzero(image)
    assert shown.shape[1] >= 0.4 * 640
    full = 640 in shown.shape or image.shape[0] in shown.shape
    assert full or abs(shown.shape[1] / shown.shape[0] - 4 / 3) < 0.02
