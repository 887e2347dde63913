"""The state machine of watching, on sequences of looks and readings without pictures."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import settle
from vision.happening import STATE_AFTER, Happening
from vision.motion import Look
from vision.presence import Blob
from vision.seen import Doubt, Reading, SeenDie
from vision.settle import Memory

FRAME_S = 1 / 30
STILL = Look(moving=False)
RESTFUL = ("removed", "empty", "settled", "unsure")


def die(value: int, x: float, y: float = 100.0, confidence: float = 1.0) -> SeenDie:
    return SeenDie(value, x, y, 50.0, 10.0, confidence=confidence)


class Film:
    """Feeds the two steps frame after frame; every still frame that is due is read as `reading`."""

    def __init__(self) -> None:
        self.memory, self.frame = Memory(), 0
        self.told: list[Happening] = []
        self.moved_at: list[int] = []
        self.readings = 0

    def still(self, *readings: Reading, frames: int = 12) -> list[Happening]:
        """Still frames, read as each of `readings` in turn, the last again and again."""
        before, waiting = len(self.told), list(readings)
        for _ in range(frames):
            self._see(STILL)
            if self.memory.due:
                reading = waiting.pop(0) if len(waiting) > 1 else waiting[0]
                self.readings += 1
                self._take(settle.judge(self.memory, self.frame, self.frame * FRAME_S, STILL, reading))
        return self.told[before:]

    def roll(self, frames: int = 12, dice: int = 3, hand: int = 0) -> None:
        """Dice rolling across the view, the first `hand` frames with a hand behind them."""
        for n in range(frames):
            free = tuple(Blob(10.0 + 12.0 * n, 40.0 + 60.0 * d) for d in range(dice))
            self.moved_at.append(self.frame)
            self._see(Look(moving=True, free=free, hand=n < hand, scale=4.0))

    def hand(self, frames: int = 12) -> None:
        for _ in range(frames):
            self.moved_at.append(self.frame)
            self._see(Look(moving=True, hand=True, scale=4.0))

    def light(self) -> None:
        """Everything changes at once, as with a lamp or the next picture of a show."""
        self.moved_at.append(self.frame)
        self._see(Look(moving=True, everywhere=True, scale=4.0))

    def _see(self, look: Look) -> None:
        self.frame += 1
        self._take(settle.step(self.memory, self.frame, self.frame * FRAME_S, look))

    def _take(self, told: settle.Told) -> None:
        self.memory = told[0]
        self.told += told[1]


def read(*dice: SeenDie, doubts: int = 0) -> Reading:
    return Reading(dice, tuple(Doubt("value", d.x, d.y, "Nudge it.") for d in dice[:doubts]))


SPOTS = [
    die(1, 100),
    die(2, 200),
    die(3, 300),
    die(4, 400),
    die(5, 500),
    die(6, 600),
    die(6, 300, 300),
    die(1, 500, 300),
]


@st.composite
def scripts(draw: st.DrawFn) -> list[tuple[str, tuple[SeenDie, ...], int]]:
    act = st.tuples(
        st.sampled_from(["roll", "hand", "light", "nothing", "lost", "both"]),
        st.lists(st.sampled_from(SPOTS), unique=True, max_size=6).map(tuple),
        st.integers(0, 2),
    )
    return draw(st.lists(act, min_size=1, max_size=8))


def played(script: list[tuple[str, tuple[SeenDie, ...], int]]) -> Film:
    film = Film()
    for what, dice, doubts in script:
        if what in ("roll", "both"):
            film.roll()
        if what in ("hand", "both"):
            film.hand()
        if what == "light":
            film.light()
        if what == "lost":
            film._take(settle.lost(film.memory, film.frame, film.frame * FRAME_S))
        film.still(read(*dice, doubts=doubts), frames=14)
    return film


@settings(max_examples=40)
@given(scripts())
def test_between_two_throws_something_moved(script: list[tuple[str, tuple[SeenDie, ...], int]]) -> None:
    film = played(script)
    at = [happening.frame for happening in film.told if happening.kind == "settled"]
    assert all(any(one < moved < other for moved in film.moved_at) for one, other in pairwise(at))


@settings(max_examples=40)
@given(scripts())
def test_each_roll_is_settled_once_and_they_are_counted_from_one(
    script: list[tuple[str, tuple[SeenDie, ...], int]],
) -> None:
    told = played(script).told
    settled = [happening.roll for happening in told if happening.kind == "settled"]
    assert len(settled) == len(set(settled))
    rolls = [happening.roll for happening in told if happening.roll is not None]
    assert list(dict.fromkeys(rolls)) == list(range(1, len(set(rolls)) + 1))


@settings(max_examples=40)
@given(scripts())
def test_after_hand_and_roll_every_rest_leads_to_a_restful_state(
    script: list[tuple[str, tuple[SeenDie, ...], int]],
) -> None:
    film = Film()
    for what, dice, doubts in script:
        for act in [what] if what in ("roll", "hand") else ["roll", "hand"]:
            getattr(film, act)()
        film.still(read(*dice, doubts=doubts), frames=14)
        assert film.memory.state in ("read", "empty", "unsure")
        assert film.memory.state == STATE_AFTER[film.told[-1].kind]


@settings(max_examples=40)
@given(scripts(), st.lists(st.sampled_from(SPOTS), unique=True, min_size=1, max_size=6))
def test_dice_that_lie_as_they_did_are_never_a_throw(
    script: list[tuple[str, tuple[SeenDie, ...], int]], dice: list[SeenDie]
) -> None:
    film = played([(what, tuple(dice), 0) for what, _, _ in script])
    assert "settled" not in [happening.kind for happening in film.told]


@settings(max_examples=40)
@given(scripts())
def test_at_rest_nothing_more_is_told_nor_read(script: list[tuple[str, tuple[SeenDie, ...], int]]) -> None:
    film = played(script)
    readings, told = film.readings, len(film.told)
    film.still(read(), frames=90)
    assert (film.readings, len(film.told)) == (readings, told)


@settings(max_examples=40)
@given(scripts())
def test_a_throw_holds_only_dice_of_the_tray_that_are_in_view(
    script: list[tuple[str, tuple[SeenDie, ...], int]],
) -> None:
    for happening in played(script).told:
        assert set(happening.thrown) <= set(happening.dice) or happening.kind == "unsure"
        assert all(seen.zone == "tray" for seen in happening.thrown)
        assert happening.kind in RESTFUL or not happening.dice


def test_nothing_is_read_before_it_has_been_still_for_three_frames_and_for_a_moment() -> None:
    slow, quick = Film(), Film()
    slow.still(read(), frames=2)
    assert slow.readings == 0
    quick.still(read(), frames=5)
    assert quick.readings == 0
    quick.still(read(), frames=1)
    assert quick.readings == 1


def test_a_reading_that_is_not_quite_certain_is_made_again_until_two_agree() -> None:
    film = Film()
    film.still(read())
    film.roll()
    shaky = read(die(2, 200, confidence=0.9), die(5, 400))
    told = film.still(read(die(3, 200, confidence=0.9), die(5, 400)), shaky, shaky, shaky)
    assert [(h.kind, h.values) for h in told] == [("settling", ()), ("settled", (2, 5))]
    assert film.readings == 1 + 3


def test_a_throw_that_interrupts_the_first_reading_is_a_throw() -> None:
    film = Film()
    film.still(read(die(1, 100), die(2, 200), doubts=1), frames=6)
    assert film.told == []
    film.roll()
    settled = film.still(read(die(1, 100), die(2, 200), die(4, 300), die(5, 400)))[-1]
    assert (settled.kind, settled.values) == ("settled", (4, 5))


def test_readings_that_never_agree_are_asked_about_and_name_the_die() -> None:
    film = Film()
    film.still(read())
    film.roll()
    told = film.still(*[read(die(value, 200, confidence=0.9), die(5, 400)) for value in (1, 2, 3, 4, 5, 6)])
    assert told[-1].kind == "unsure"
    assert told[-1].roll == 1
    assert (told[-1].doubts[0].x, told[-1].doubts[0].y) == (200, 100)


def test_an_unsure_throw_is_settled_with_its_own_number_when_a_nudge_makes_it_readable() -> None:
    film = Film()
    film.still(read())
    film.roll()
    assert film.still(read(die(1, 100), die(2, 200), doubts=1))[-1].kind == "unsure"
    film.hand()
    told = film.still(read(die(6, 120), die(2, 200)))
    assert [(h.kind, h.roll, h.values) for h in told if h.kind != "settling"] == [("settled", 1, (2, 6))]
    film.roll()
    assert film.still(read(die(4, 300), die(5, 500)))[-1].roll == 2


def test_what_is_left_of_an_unsure_throw_is_not_scored_while_its_doubtful_die_is_away() -> None:
    film = Film()
    film.still(read())
    film.roll()
    film.still(read(die(1, 100), die(2, 200), die(3, 300), doubts=1))
    film.hand()
    assert film.still(read(die(2, 200), die(3, 300)))[-1].kind == "removed"
    film.roll(dice=1)
    told = film.still(read(die(2, 200), die(3, 300), die(5, 500)))
    assert [(h.kind, h.roll, h.values) for h in told if h.kind == "settled"] == [("settled", 1, (2, 3, 5))]


@pytest.mark.parametrize("hand", [0, 3])
def test_a_throw_with_a_hand_that_leaves_is_a_throw(hand: int) -> None:
    film = Film()
    film.still(read())
    film.roll(hand=hand)
    assert film.still(read(die(1, 100), die(2, 200), die(3, 300)))[-1].kind == "settled"


def test_a_hand_lying_still_is_waited_for_and_then_asked_about() -> None:
    film, hand = Film(), Doubt("hand", 300.0, 100.0, "Something reaches in.")
    film.still(read())
    film.hand()
    for _ in range(30):
        film._see(STILL)
        if film.memory.due:
            film._take(settle.judge(film.memory, film.frame, film.frame * FRAME_S, STILL, read(die(1, 100)), hand=hand))
    assert film.memory.state == "hand"
    for _ in range(30):
        film._see(STILL)
        if film.memory.due:
            film._take(settle.judge(film.memory, film.frame, film.frame * FRAME_S, STILL, read(die(1, 100)), hand=hand))
    assert (film.told[-1].kind, film.told[-1].doubts) == ("unsure", (hand,))


def test_a_lost_camera_is_told_once_and_the_rest_after_it_is_no_throw() -> None:
    film = Film()
    film.still(read(die(1, 100)))
    film._take(settle.lost(film.memory, 20, 0.7))
    film._take(settle.lost(film.memory, 21, 0.8))
    film.roll()
    film.still(read(die(5, 300), die(6, 500)))
    assert [h.kind for h in film.told if h.kind not in ("rolling", "settling")] == ["removed", "camera-lost", "removed"]


def test_a_die_of_the_rail_is_no_part_of_a_throw() -> None:
    film = Film()
    kept = replace(die(5, 700), zone="rail")
    film.still(read(kept))
    film.roll()
    (settled,) = [h for h in film.still(read(die(1, 100), die(2, 200), kept)) if h.kind == "settled"]
    assert settled.values == (1, 2)
    assert kept in settled.dice


@pytest.mark.parametrize(("lost", "found"), [(3, False), (30, True)])
def test_dice_that_may_have_fallen_in_a_gap_behind_a_hand_are_told_as_found(lost: int, found: bool) -> None:
    film = Film()
    film.still(read(die(1, 100), die(2, 300)))
    film.hand(4)
    film.frame += lost
    film.hand(2)
    told = film.still(read(die(3, 200, 300.0), die(4, 420, 300.0)))
    assert [(one.kind, one.found) for one in told if one.kind in RESTFUL] == [("removed", found)]
