"""What counts as a throw, on rendered sequences of the simulated tray.

The dice are read as the scene knows them, so that these promises are about watching alone.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import straight
from firmware.drivers.simulated import box, lens
from firmware.drivers.simulated.render import Renderer
from firmware.drivers.simulated.scene import Die, Fault, Leg, Pose, Reach, Scene
from firmware.drivers.simulated.tumble import tumble
from firmware.drivers.simulated.turns import lying, top_face
from vision.frame import Fetched, Frame, Image
from vision.happening import Happening
from vision.profile import Profile
from vision.seen import Doubt, Reading, SeenDie
from vision.watcher import Watcher

PER_S = 15
OUT = (10.0, -330.0)
RENDERER = Renderer()


def seen(scene: Scene, at_s: float, with_rail: bool) -> Reading:
    """The dice in view, as a perfect reader would read them."""
    dice, doubts = [], []
    for die in scene.dice:
        pose = die.at(at_s)
        if pose is None:
            continue
        middle, beside = lens.project(
            np.array([[pose.x + d, pose.y, die.edge_mm + pose.gap] for d in (0, die.edge_mm)])
        )
        x, y = float(middle[0]), float(middle[1])
        if not (0 <= x < box.WIDTH and 0 <= y < box.HEIGHT):
            continue
        value, lean = top_face(pose.turn)
        flat = lean < 0.15
        zone = "rail" if with_rail and pose.x > box.RIDGE_RIGHT else "tray"
        size = float(np.hypot(*(beside - middle)))
        dice.append(SeenDie(value if flat else None, x, y, size, zone=zone, state="flat" if flat else "cocked"))
        if not flat:
            doubts.append(Doubt("cocked", x, y, "This die leans: nudge it."))
    return Reading(tuple(sorted(dice, key=lambda die: (die.y, die.x))), tuple(doubts))


def profile() -> Profile:
    """What is known of the simulated tray: its camera is fixed, and where tray and rail are."""
    near, far = box.FLOOR_NEAR, box.FLOOR_FAR
    tray = _floor((box.FLOOR_LEFT, near), (box.RIDGE_LEFT, near), (box.RIDGE_LEFT, far), (box.FLOOR_LEFT, far))
    rail = _floor((box.RIDGE_RIGHT, near), (box.FLOOR_RIGHT, near), (box.FLOOR_RIGHT, far), (box.RIDGE_RIGHT, far))
    return Profile(box.WIDTH, box.HEIGHT, straight(box.WIDTH, box.HEIGHT), (), tray, rail)


def _floor(*corners: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    pixels = lens.project(np.array([(x, y, 0.0) for x, y in corners]))
    return tuple((float(x), float(y)) for x, y in pixels)


class Eye:
    """A watcher before the simulated tray. `rail`: it knows the tray (its camera is fixed), and where the rail is.
    `sends`: how the camera hands over what it films."""

    def __init__(
        self, rail: bool = False, per_s: float = PER_S, sends: Callable[[Frame], Frame] = lambda frame: frame
    ) -> None:
        self.sends = sends
        self.rail, self.per_s, self.frame, self.scene = rail, per_s, 0, Scene()
        self.watcher = Watcher(profile() if rail else None, read=self._read)
        self.told: list[Happening] = []

    def _read(self, frame: Frame, _profile: Profile | None) -> Reading:
        return seen(self.scene, frame.at_s, self.rail)

    def watch(
        self,
        scene: Scene,
        until_s: float,
        *,
        dropped: Callable[[float], bool] = lambda _at: False,
        held: Callable[[Image, float], Image] = lambda picture, _at: picture,
    ) -> list[Happening]:
        """Film up to `until_s`; what happened."""
        self.scene, before = scene, len(self.told)
        while (at_s := self.frame / self.per_s) < until_s:
            if not dropped(at_s):
                picture = held(RENDERER.render(scene, at_s, self.frame), at_s)
                self.told += self.watcher.see(self.sends(Frame(picture, self.frame, at_s)))
            self.frame += 1
        return self.told[before:]


def thrown(values: Sequence[int], at_s: float, seed: int = 1, stay: Sequence[Die] = (), cocked: int = 0) -> list[Die]:
    return list(tumble(random.Random(seed), values, [die.last for die in stay], cocked, at_s))


def lie(*places: tuple[int, float, float]) -> list[Die]:
    return [Die(Pose(x, y, lying(value, 0.3 * value))) for value, x, y in places]


def taken(dice: Sequence[Die], at_s: float) -> tuple[list[Die], Reach]:
    """A hand comes for the dice, and takes them out within 0.9 s."""
    x, y = dice[0].last.x, dice[0].last.y
    under = [
        replace(d, until_s=at_s + 0.8, legs=(*d.legs, Leg(at_s + 0.45, at_s + 0.8, d.last, *OUT, gap=10.0)))
        for d in dice
    ]
    return under, Reach(((at_s, *OUT), (at_s + 0.4, x, y), (at_s + 0.5, x, y), (at_s + 0.9, *OUT)))


def carried(die: Die, at_s: float, x: float, y: float) -> tuple[Die, Reach]:
    """A hand moves a die, at rest again after 0.9 s, and is gone after 1.3 s."""
    there = die.last
    legs = (*die.legs, Leg(at_s + 0.4, at_s + 0.9, there, x, y, lift=10.0, ease="smooth"))
    stops = ((at_s, *OUT), (at_s + 0.4, there.x, there.y), (at_s + 0.9, x, y), (at_s + 1.3, *OUT))
    return replace(die, legs=legs), Reach(stops)


def flicked(die: Die, at_s: float, x: float, y: float, value: int) -> Die:
    """The die rolls to another place and another value in 0.4 s."""
    halfway = Leg(at_s, at_s + 0.4, replace(die.last, turn=lying(value, 1.0)), x, y, spin=(0, 0, 2.0), ease="slowing")
    return replace(die, legs=(*die.legs, halfway))


def kinds(told: Sequence[Happening]) -> list[str]:
    return [happening.kind for happening in told]


def settled(told: Sequence[Happening]) -> list[tuple[int, ...]]:
    return [happening.values for happening in told if happening.kind == "settled"]


def resting(told: Sequence[Happening]) -> list[str]:
    return [kind for kind in kinds(told) if kind not in ("hand", "rolling", "settling")]


SIX = [(1, -100.0, 60.0), (2, -40.0, 60.0), (3, 20.0, 60.0), (4, -100.0, -20.0), (5, -40.0, -20.0), (6, 20.0, -20.0)]


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_throw_is_told_once_with_its_values_soon_after_it_rests(seed: int) -> None:
    dice = thrown([1, 2, 2, 4, 5, 6], 0.4, seed)
    told = Eye(per_s=30).watch(Scene(dice=tuple(dice)), 3.0)
    assert kinds(told) == ["empty", "rolling", "settling", "settled"]
    assert settled(told) == [(1, 2, 2, 4, 5, 6)]
    assert told[-1].roll == 1
    assert 0.1 <= told[-1].at_s - max(die.rests_s for die in dice) <= 0.3


def test_dice_that_lie_there_at_the_start_are_no_throw() -> None:
    told = Eye().watch(Scene(dice=tuple(lie(*SIX))), 1.0)
    assert kinds(told) == ["removed"]
    assert told[0].values == (1, 2, 3, 4, 5, 6)
    assert told[0].roll is None


def test_dice_set_aside_on_the_rail_are_no_throw_and_no_part_of_the_next() -> None:
    eye, dice = Eye(rail=True), lie(*SIX)
    one, first = carried(dice[0], 0.5, 113.0, 0.0)
    told = eye.watch(Scene(dice=(one, *dice[1:]), hands=(first,)), 2.3)
    assert resting(told) == ["removed", "removed"]
    assert told[-1].values == (2, 3, 4, 5, 6)
    assert "hand" in kinds(told)
    gone, second = taken(dice[1:], 2.4)
    new = thrown([3, 3, 3, 4, 6], 3.9, 2, [one])
    told = eye.watch(Scene(dice=(one, *gone, *new), hands=(second,)), 6.2)
    assert settled(told) == [(3, 3, 3, 4, 6)]
    assert told[-1].kind == "settled"
    assert len(told[-1].dice) == 6
    assert len(told[-1].thrown) == 5


def test_without_a_rail_the_dice_that_lie_as_before_are_no_part_of_the_throw() -> None:
    eye, dice = Eye(), lie(*SIX)
    gone, hand = taken(dice[3:], 0.5)
    new = thrown([2, 2, 5], 2.0, 3, dice[:3])
    told = eye.watch(Scene(dice=(*dice[:3], *gone, *new), hands=(hand,)), 4.3)
    assert settled(told) == [(2, 2, 5)]
    assert len(told[-1].dice) == 6


@pytest.mark.parametrize("rail", [False, True])
def test_a_die_pushed_by_a_finger_is_no_throw(rail: bool) -> None:
    dice = lie(*SIX)
    pushed, hand = carried(dice[5], 0.5, 45.0, -30.0)
    told = Eye(rail).watch(Scene(dice=(*dice[:5], pushed), hands=(hand,)), 2.5)
    assert resting(told) == ["removed", "removed"]


def test_a_die_flicked_right_across_the_tray_is_no_throw_while_the_others_lie() -> None:
    dice = lie(*SIX)
    away = flicked(dice[5], 1.0, -60.0, -90.0, 3)
    hand = Reach(((0.5, *OUT), (1.0, 20.0, -30.0), (1.1, 20.0, -30.0), (1.6, *OUT)))
    told = Eye().watch(Scene(dice=(*dice[:5], away), hands=(hand,)), 2.8)
    assert resting(told) == ["removed", "removed"]
    assert told[-1].values == (1, 2, 3, 3, 4, 5)


def test_the_only_die_thrown_again_is_a_throw_each_time() -> None:
    eye = Eye()
    first = thrown([4], 0.4, 5)
    gone, hand = taken(first, 2.4)
    again = thrown([4], 3.7, 6)
    told = eye.watch(Scene(dice=(*gone, *again), hands=(hand,)), 6.0)
    assert settled(told) == [(4,), (4,)]
    assert [happening.roll for happening in told if happening.kind == "settled"] == [1, 2]


def test_the_only_die_rolled_out_of_the_hand_that_covered_it_is_a_throw() -> None:
    (die,) = lie((4, 0.0, -60.0))
    rolled = flicked(die, 1.2, -80.0, 60.0, 2)
    hand = Reach(((0.5, *OUT), (0.9, 0.0, -60.0), (1.3, 0.0, -70.0), (1.8, *OUT)))
    told = Eye().watch(Scene(dice=(rolled,), hands=(hand,)), 3.0)
    assert settled(told) == [(2,)]


def test_the_only_die_pushed_a_little_is_no_throw() -> None:
    (die,) = lie((4, 0.0, 0.0))
    pushed, hand = carried(die, 0.5, 22.0, 8.0)
    told = Eye().watch(Scene(dice=(pushed,), hands=(hand,)), 2.5)
    assert resting(told) == ["removed", "removed"]


def test_dice_put_down_by_hand_are_no_throw() -> None:
    die = Die(Pose(*OUT, lying(5, 0.2)))
    laid, hand = carried(die, 0.3, -20.0, 20.0)
    told = Eye().watch(Scene(dice=(laid,), hands=(hand,)), 2.5)
    assert resting(told) == ["empty", "removed"]


def test_dice_thrown_from_a_hand_that_stays_are_told_when_it_has_gone() -> None:
    dice = thrown([1, 3, 5, 6], 0.6, 8)
    hand = Reach(((0.3, *OUT), (0.6, 40.0, -60.0), (3.0, 42.0, -62.0), (3.5, *OUT)))
    eye = Eye()
    told = eye.watch(Scene(dice=tuple(dice), hands=(hand,)), 2.9)
    assert settled(told) == []
    assert eye.watcher.state == "hand"
    told = eye.watch(Scene(dice=tuple(dice), hands=(hand,)), 4.3)
    assert settled(told) == [(1, 3, 5, 6)]


def test_a_throw_that_a_resting_hand_half_hides_is_asked_about_and_told_when_the_hand_has_gone() -> None:
    dice = thrown([1, 3, 5, 6], 0.6, 8)
    hidden = min(dice, key=lambda die: math.dist((die.last.x, die.last.y), (0.0, 0.0)))
    over = hidden.last.x, hidden.last.y - 10.0
    hand = Reach(((1.0, *OUT), (2.0, *over), (5.0, *over), (5.5, *OUT)))
    scene, eye = Scene(dice=tuple(dice), hands=(hand,)), Eye()

    def read(frame: Frame, _profile: Profile | None) -> Reading:
        there = scene if not 1.0 < frame.at_s < 5.3 else Scene(dice=tuple(die for die in dice if die is not hidden))
        return seen(there, frame.at_s, False)

    eye.watcher = Watcher(None, read=read)
    told = eye.watch(scene, 4.9)
    assert resting(told) == ["empty", "unsure"]
    assert (told[-1].roll, [doubt.kind for doubt in told[-1].doubts]) == (1, ["hand"])
    told = eye.watch(scene, 6.5)
    assert [(happening.roll, happening.values) for happening in told if happening.kind == "settled"] == [
        (1, (1, 3, 5, 6))
    ]


def test_a_hand_over_the_dice_ends_in_a_restful_state_without_a_throw() -> None:
    eye, dice = Eye(), lie(*SIX)
    hand = Reach(((0.6, *OUT), (1.0, -30.0, 20.0), (1.6, -20.0, 30.0), (2.0, *OUT)))
    told = eye.watch(Scene(dice=tuple(dice), hands=(hand,)), 2.8)
    assert resting(told) == ["removed", "removed"]
    assert eye.watcher.state == "read"


@pytest.mark.parametrize("kind", ["dark", "glare", "flicker"])
@pytest.mark.parametrize("rail", [False, True])
def test_a_change_of_the_light_is_nothing(kind: str, rail: bool) -> None:
    eye = Eye(rail)
    scene = Scene(dice=tuple(lie(*SIX)), faults=(Fault(kind, 0.6, 1.4),))
    assert kinds(eye.watch(scene, 2.2)) == ["removed"]
    assert eye.watcher.state == "read"


def test_darkness_in_which_no_die_can_be_read_takes_none_away() -> None:
    eye, dice = Eye(), tuple(lie(*SIX))
    eye.watch(Scene(dice=dice), 0.6)
    dark = Scene(dice=dice, faults=(Fault("dark", 0.6, 1.4),))
    blind = eye.watcher
    assert blind.state == "read"
    told = eye.watch(replace(dark, dice=dice), 0.6)
    eye.scene = Scene()
    at_s = eye.frame / PER_S
    while at_s < 1.4:
        told += blind.see(Frame(RENDERER.render(dark, at_s, eye.frame), eye.frame, at_s))
        eye.frame += 1
        at_s = eye.frame / PER_S
    told += eye.watch(Scene(dice=dice), 2.2)
    assert told == []


def test_a_bumped_camera_is_no_throw() -> None:
    def bumped(picture: Image, at_s: float) -> Image:
        if at_s < 0.8:
            return picture
        way = np.array([[1.0, 0.0, 9.0], [0.0, 1.0, -6.0]], dtype=np.float32)
        return cv2.warpAffine(picture, way, (box.WIDTH, box.HEIGHT), borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)

    eye = Eye(rail=True)

    def read(frame: Frame, _profile: Profile | None) -> Reading:
        reading = seen(eye.scene, frame.at_s, True)
        if frame.at_s < 0.8:
            return reading
        return Reading(tuple(replace(die, x=die.x + 9.0, y=die.y - 6.0) for die in reading.dice))

    eye.watcher = Watcher(profile(), read=read)
    told = eye.watch(Scene(dice=tuple(lie(*SIX))), 1.8, held=bumped)
    assert settled(told) == []
    assert resting(told)[-1] == "removed"


def test_a_camera_held_by_hand_tells_a_throw_once() -> None:
    def trembling(picture: Image, at_s: float) -> Image:
        dx, dy = 14.0 * math.sin(2.1 * at_s), 10.0 * math.sin(1.7 * at_s + 1.0)
        way = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]], dtype=np.float32)
        return cv2.warpAffine(picture, way, (box.WIDTH, box.HEIGHT), borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)

    told = Eye(per_s=30).watch(Scene(dice=tuple(thrown([2, 3, 6], 0.5, 4))), 2.6, held=trembling)
    assert settled(told) == [(2, 3, 6)]


@pytest.mark.parametrize("dropped", [lambda at: round(at * 30) % 3 != 0, lambda at: 0.45 < at < 1.45])
def test_lost_frames_lose_no_throw_and_make_none(dropped: Callable[[float], bool]) -> None:
    dice = thrown([1, 1, 3, 4, 6], 0.5, 9)
    told = Eye(per_s=30).watch(Scene(dice=tuple(dice)), 3.2, dropped=dropped)
    assert settled(told) == [(1, 1, 3, 4, 6)]


def test_each_picture_of_a_show_of_pictures_is_a_throw() -> None:
    shows = [thrown([value] * 2 + [6, 5], -9.0, 20 + value) for value in (1, 2, 3, 4)]
    dice = [replace(d, from_s=2.0 * i, until_s=2.0 * i + 2.0) for i, show in enumerate(shows) for d in show]
    told = Eye(per_s=10).watch(Scene(dice=tuple(dice)), 8.0)
    assert settled(told) == [(2, 2, 5, 6), (3, 3, 5, 6), (4, 4, 5, 6)]


def test_dice_that_lay_there_while_the_camera_was_lost_are_no_throw() -> None:
    eye = Eye()
    dice = tuple(thrown([1, 5], 0.4, 2))
    assert settled(eye.watch(Scene(dice=dice), 2.4)) == [(1, 5)]
    assert kinds(eye.watcher.lost(2.4)) == ["camera-lost"]
    assert eye.watcher.lost(2.9) == ()
    assert eye.watcher.state == "camera-lost"
    others = tuple(lie(*SIX))
    assert kinds(eye.watch(Scene(dice=others), 3.4)) == ["removed"]
    new = thrown([2, 2], 3.6, 3, others)
    told = eye.watch(Scene(dice=(*others, *new)), 6.0)
    assert [(h.roll, h.values) for h in told if h.kind == "settled"] == [(2, (2, 2))]


def cocked_throw(eye: Eye) -> tuple[list[Die], Die]:
    """Four dice of which one leans, told as unsure; those that lie, and the one that leans."""
    dice = thrown([1, 2, 3, 4], 0.4, 7, cocked=1)
    told = eye.watch(Scene(dice=tuple(dice)), 2.5)
    assert resting(told) == ["empty", "unsure"]
    assert told[-1].roll == 1
    assert [doubt.kind for doubt in told[-1].doubts] == ["cocked"]
    assert len(told[-1].thrown) == 4
    (leaning,) = [die for die in dice if die.last.leans > 0.1]
    return [die for die in dice if die is not leaning], leaning


def test_a_cocked_die_nudged_flat_completes_its_own_throw() -> None:
    eye = Eye()
    flat, leaning = cocked_throw(eye)
    fallen = replace(leaning, legs=(*leaning.legs, Leg(2.9, 3.1, replace(leaning.last, turn=lying(6, 0.4)), -70, 80)))
    hand = Reach(((2.5, *OUT), (2.9, leaning.last.x, leaning.last.y), (3.4, *OUT)))
    told = eye.watch(Scene(dice=(*flat, fallen), hands=(hand,)), 4.2)
    assert [(h.kind, h.roll, h.values) for h in told if h.kind in ("settled", "unsure")] == [
        ("settled", 1, tuple(sorted([6, *(die.last.value for die in flat)])))
    ]


def test_a_cocked_die_thrown_again_completes_its_own_throw() -> None:
    eye = Eye()
    flat, leaning = cocked_throw(eye)
    gone, hand = taken([leaning], 2.5)
    new = thrown([5], 4.2, 11, flat)
    told = eye.watch(Scene(dice=(*flat, *gone, *new), hands=(hand,)), 6.3)
    assert [(h.roll, h.values) for h in told if h.kind == "settled"] == [
        (1, tuple(sorted([5, *(die.last.value for die in flat)])))
    ]


def test_after_a_throw_that_nobody_could_read_the_next_is_another() -> None:
    eye = Eye()
    flat, leaning = cocked_throw(eye)
    gone, hand = taken([*flat, leaning], 2.5)
    new = thrown([1, 2, 3, 4], 4.2, 12)
    told = eye.watch(Scene(dice=(*gone, *new), hands=(hand,)), 6.5)
    assert [(h.roll, h.values) for h in told if h.kind == "settled"] == [(2, (1, 2, 3, 4))]


def glanced_at(whole: Frame) -> Frame:
    """As a camera sends it that makes a small picture beside the whole one, which is for the reader alone."""
    rows, columns = whole.size
    half = cv2.resize(whole.image, (columns // 2, rows // 2), interpolation=cv2.INTER_AREA)
    later = Fetched(whole.size, lambda: pytest.fail("the whole picture was fetched to be watched"))
    return Frame(later, whole.seq, whole.at_s, np.asarray(half, np.uint8))


@pytest.mark.parametrize("rail", [False, True])
def test_what_happens_is_told_from_the_small_pictures_of_a_camera_that_makes_them(rail: bool) -> None:
    dice = thrown([1, 2, 2, 4, 5, 6], 0.4)
    pushed, finger = carried(dice[0], 2.5, 0.0, 0.0)
    told = []
    for sends in (lambda frame: frame, glanced_at):
        eye = Eye(rail, sends=sends)
        eye.watch(Scene(dice=tuple(dice)), 2.4)
        eye.watch(Scene(dice=(pushed, *dice[1:]), hands=(finger,)), 5.0)
        told.append(eye.told)
    assert settled(told[1]) == [(1, 2, 2, 4, 5, 6)]
    assert [(one.kind, one.values) for one in told[0]] == [(one.kind, one.values) for one in told[1]]


def test_a_still_tray_tells_nothing_and_is_not_read_again() -> None:
    eye = Eye(per_s=30)
    eye.watch(Scene(dice=tuple(lie(*SIX))), 0.5)
    eye.watcher._read = lambda _frame, _profile: pytest.fail("a still tray was read again")
    assert eye.watch(Scene(dice=tuple(lie(*SIX))), 1.5) == []


def test_a_die_that_was_not_read_is_asked_about_where_it_lies() -> None:
    eye, dice = Eye(), thrown([1, 3, 4, 6], 0.4, 13)
    scene = Scene(dice=tuple(dice))
    (missed,) = [die for die in seen(scene, 9.0, False).dice if die.value == 1]

    def read(frame: Frame, _profile: Profile | None) -> Reading:
        return Reading(tuple(die for die in seen(scene, frame.at_s, False).dice if die.value != 1))

    eye.watcher = Watcher(None, read=read)
    told = eye.watch(scene, 2.6)
    assert resting(told) == ["empty", "unsure"]
    assert told[-1].roll == 1
    (doubt,) = told[-1].doubts
    assert math.hypot(doubt.x - missed.x, doubt.y - missed.y) < missed.size


def test_what_looked_doubtful_before_the_throw_and_looks_the_same_delays_nothing() -> None:
    eye, scene, frames = Eye(), Scene(dice=tuple(thrown([3, 4], 0.6, 13))), []

    def read(frame: Frame, _profile: Profile | None) -> Reading:
        frames.append(frame.seq)
        stain = (Doubt("count", 40.0, 40.0, "What is this?"),) if len(frames) % 2 else ()
        return Reading(seen(scene, frame.at_s, False).dice, stain)

    eye.watcher = Watcher(None, read=read)
    told = eye.watch(scene, 3.0)
    (throw,) = [happening for happening in told if happening.kind == "settled"]
    assert throw.values == (3, 4)
    settling = max(h.frame for h in told if h.kind == "settling" and h.frame < throw.frame)
    assert throw.frame == settling + 1


def test_without_a_profile_a_doubtful_throw_is_read_some_time_apart_before_it_is_asked_about() -> None:
    eye, scene, at_s = Eye(), Scene(dice=tuple(thrown([3, 4], 0.6, 13))), []

    def read(frame: Frame, _profile: Profile | None) -> Reading:
        dice = seen(scene, frame.at_s, False).dice
        at_s.append(frame.at_s)
        return Reading(dice, tuple(Doubt("value", die.x, die.y, "Is it a 4?") for die in dice if die.value == 4))

    eye.watcher = Watcher(None, read=read)
    told = eye.watch(scene, 3.0)
    settling, throw = told[-2:]
    assert (settling.kind, throw.kind, throw.values) == ("settling", "unsure", (3, 4))
    assert throw.at_s - settling.at_s > 0.3
    assert sum(settling.at_s <= at <= throw.at_s for at in at_s) == 5


def test_a_doubt_about_a_die_that_lay_still_does_not_spoil_the_throw() -> None:
    eye, kept = Eye(), lie((5, -120.0, 60.0))
    gone, hand = taken(lie((2, 40.0, -40.0)), 0.6)
    new = thrown([2, 6], 2.0, 14, kept)
    scene = Scene(dice=(*kept, *gone, *new), hands=(hand,))

    def read(frame: Frame, _profile: Profile | None) -> Reading:
        dice = seen(scene, frame.at_s, False).dice
        return Reading(dice, tuple(Doubt("value", d.x, d.y, "Is it a 5?") for d in dice if d.value == 5))

    eye.watcher = Watcher(None, read=read)
    told = eye.watch(scene, 4.2)
    assert settled(told) == [(2, 6)]


def test_a_hand_there_from_the_start_is_known_by_the_picture_of_the_empty_tray() -> None:
    eye, dice = Eye(), lie(*SIX)
    hand = Reach(((-1.0, *OUT), (-0.5, 40.0, -60.0), (0.8, 44.0, -60.0), (1.2, *OUT)))
    eye.watcher = Watcher(None, read=eye._read, empty=RENDERER.render(Scene(), 0.0))
    assert eye.watch(Scene(dice=tuple(dice), hands=(hand,)), 0.8) == []
    assert kinds(eye.watch(Scene(dice=tuple(dice), hands=(hand,)), 2.0)) == ["removed"]


def test_frames_of_another_size_start_over_without_a_throw() -> None:
    eye, dice = Eye(), tuple(thrown([1, 5], 0.4, 2))
    eye.watch(Scene(dice=dice), 2.4)

    def halved(picture: Image, _at_s: float) -> Image:
        return cv2.resize(picture, (box.WIDTH // 2, box.HEIGHT // 2), interpolation=cv2.INTER_AREA).astype(np.uint8)

    def read(frame: Frame, _profile: Profile | None) -> Reading:
        dice = eye._read(frame, None).dice
        return Reading(tuple(replace(die, x=die.x / 2, y=die.y / 2, size=die.size / 2) for die in dice))

    eye.watcher._read = read
    assert resting(eye.watch(Scene(dice=dice), 3.2, held=halved)) == ["removed"]
