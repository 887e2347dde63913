"""The tray is kept true: what has changed is told while nobody plays, and one request takes the tray as it is now."""

import random
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from calibration import store, weights
from firmware.coaching import Coaching
from firmware.drivers.pictures import read_picture
from firmware.drivers.simulated.camera import SimulatedCamera
from firmware.drivers.simulated.scene import Fault, Scene
from firmware.drivers.simulated.tumble import tumble
from firmware.keeping import Keeper
from firmware.lessons import EMPTY, still
from firmware.link import Drifted
from vision.errors import VisionError
from vision.frame import Frame
from vision.happening import Happening
from vision.profile import Profile
from vision.watcher import Watcher


@pytest.fixture(scope="session")
def simulated(learned: Path) -> Profile:
    return store.load(learned / "profiles" / "simulated-set.toml")


class Tray:
    """The simulated tray and its keeper in a time of their own, three looks a second."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.now_s = 0.0
        self.camera = SimulatedCamera(Scene(), lambda: self.now_s, self._wait)
        self.keeper = Keeper()
        self._number = count()

    def _wait(self, seconds: float) -> None:
        self.now_s += seconds

    def show(self, *faults: str, dice: Any = ()) -> None:
        self.camera.show(Scene(dice=dice, faults=tuple(Fault(fault, 0.0, float("inf")) for fault in faults)))

    def rest(self, kind: Any = "empty", seconds: float = 6.0, dice: Any = ()) -> list[Drifted]:
        """What is told while the tray lies still for so long."""
        told, happenings = [], (Happening(kind, 0, self.now_s, dice=dice),)
        ends_s = self.now_s + seconds
        while self.now_s < ends_s:
            self.now_s += 0.3
            frame = self.camera.read(1.0)
            message = self.keeper.see(frame, happenings, self.profile)
            happenings = ()
            told += [message] if message else []
        return told

    def relock(self) -> Profile:
        return self.keeper.relock(self.camera, self.profile, weights.reading())


@pytest.fixture
def tray(simulated: Profile) -> Iterator[Tray]:
    tray = Tray(simulated)
    yield tray
    tray.camera.close()


def kinds(told: list[Drifted]) -> list[list[str]]:
    return [[one.kind for one in each.drifts] for each in told]


def dice(seed: int = 3, *values: int) -> Any:
    return tumble(random.Random(seed), list(values or (1, 2, 3, 4, 5, 6)), touching=0.0)


def read(tray: Tray) -> Any:
    """A throw, read with the profile."""
    thrown = dice(5)
    tray.now_s = max(tray.now_s, max(die.rests_s for die in thrown) + 1)
    tray.camera.show(Scene(dice=thrown, faults=tray.camera._scene.faults))
    return weights.reading()(Frame(tray.camera.read(1.0).image), tray.profile)


def test_a_tray_as_it_was_calibrated_has_nothing_to_tell(tray: Tray) -> None:
    assert kinds(tray.rest()) == [[]]


@pytest.mark.parametrize(
    ("fault", "kind"), [("dark", "darker"), ("moved", "moved"), ("smudge", "thing"), ("felt", "floor")]
)
def test_what_has_changed_is_told_once_and_again_when_it_is_over(tray: Tray, fault: str, kind: str) -> None:
    tray.show(fault)
    assert kinds(tray.rest()) == [[kind]]
    tray.show()
    assert kinds(tray.rest()) == [[]]


def test_a_hand_that_passes_is_no_drift(tray: Tray) -> None:
    tray.show("smudge")
    tray.rest(seconds=0.8)
    tray.show()
    assert kinds(tray.rest()) == [[]]


def test_nothing_is_compared_while_things_move(tray: Tray) -> None:
    tray.show("dark")
    assert tray.rest("rolling") == []


@pytest.mark.parametrize("fault", ["dark", "moved", "smudge", "felt"])
def test_a_changed_tray_that_is_set_again_has_not_drifted_and_reads_its_dice(tray: Tray, fault: str) -> None:
    tray.show(fault)
    tray.rest("unsure" if fault != "smudge" else "empty")
    tray.profile = tray.relock()
    tray.keeper.afresh()
    assert kinds(tray.rest()) == [[]]
    seen = read(tray)
    assert (seen.values, seen.sure) == ((1, 2, 3, 4, 5, 6), True), seen.doubts


def test_in_poor_light_the_camera_is_locked_to_more_gain(tray: Tray) -> None:
    tray.show("dark")
    tray.rest("unsure")
    assert float(str(tray.relock().controls["AnalogueGain"])) > 3


def test_a_calibration_locks_the_camera_on_the_empty_tray_and_keeps_what_it_saw_then(
    tray: Tray, tmp_path: Path
) -> None:
    tray.show("dark")
    kept = Coaching(tmp_path, "empty").keep(tray.camera.read(1.0), EMPTY, tray.camera)
    assert float(str(kept.controls["AnalogueGain"])) > 3
    assert read_picture(still(tmp_path, EMPTY)).mean() > 50


def test_with_dice_in_the_tray_nothing_is_set(tray: Tray) -> None:
    tray.now_s = 10
    tray.show(dice=dice())
    tray.rest()  # whatever the eye believes
    with pytest.raises(VisionError, match="take them out"):
        tray.relock()


def test_without_a_profile_there_is_nothing_to_set(tray: Tray) -> None:
    with pytest.raises(VisionError, match="calibrate first"):
        tray.keeper.relock(tray.camera, None, weights.reading())


@pytest.mark.parametrize("fault", ["dark", "moved", "felt"])
def test_no_throw_in_a_changed_tray_is_told_for_sure(simulated: Profile, fault: str) -> None:
    now_s = [100.0]
    camera = SimulatedCamera(Scene(), lambda: now_s[0], lambda s: now_s.__setitem__(0, now_s[0] + s))
    watcher, told = Watcher(simulated, weights.reading()), []
    faults = (Fault(fault, 0.0, float("inf")),)
    camera.show(Scene(faults=faults))
    for _ in range(12):
        told += watcher.see(camera.read(1.0))
    camera.show(Scene(dice=tumble(random.Random(4), [1, 1, 5, 2], start_s=now_s[0] + 0.1), faults=faults))
    for _ in range(150):
        told += watcher.see(camera.read(1.0))
    camera.close()
    assert not [happening for happening in told if happening.kind == "settled"]


def test_the_whole_tray_tells_a_drift_and_is_set_again_in_one_request(
    trays: Callable[..., Any], tmp_path: Path
) -> None:
    tray = trays(tmp_path, "--simulated", "--seed", "7")
    tray.start_game("Ann", "Bo")
    assert tray.state()["eye"]["drifts"] == []
    tray.post("sim/fault", {"kind": "felt", "seconds": 3600})
    state = tray.until(lambda state: state["eye"]["drifts"], "the drift")
    assert [drift["kind"] for drift in state["eye"]["drifts"]] == ["floor"]
    assert state["eye"]["drifts"][0]["text"] in state["banners"]
    assert tray.call("POST", "/api/v1/calibration/relock")[0] == 403  # not by anybody
    tray.post("sim/press", {"button": "mode", "long": True})
    tray.until(lambda state: any("paired" in note for note in state["game"]["notes"]), "the pairing")
    status, answer = tray.call("POST", "/api/v1/calibration/relock")
    assert status == 200, answer
    assert answer["can_undo"]
    tray.until(lambda state: state["eye"]["drifts"] == [], "that all is well")
    assert tray.throw(1, 1, 5, 2, 3, 4)["game"]["turn"]["throw"] == [1, 1, 2, 3, 4, 5]
