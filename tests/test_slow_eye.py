"""An eye on a slow machine takes a second for a frame; the simulated tray waits for it, and no throw is lost."""

import math
from pathlib import Path

import pytest

from calibration import store, weights
from firmware.drivers.simulated.camera import SimulatedCamera
from firmware.drivers.simulated.tray import Hands
from firmware.link import Job
from firmware.looking import load_profile
from vision.happening import Happening
from vision.profile import Profile
from vision.watcher import Watcher


@pytest.fixture(scope="module")
def profile(learned: Path) -> Profile:
    return store.load(learned / "profiles" / "simulated-set.toml")


class SlowEye:
    """Camera, hands and watcher in a time of their own, in which every look takes `look_s`."""

    def __init__(self, profile: Profile, look_s: float) -> None:
        self.now_s, self._look_s = 1000.0, look_s
        self.camera = SimulatedCamera(None, self._clock, self._wait)
        self.hands = Hands(self.camera.show, self._clock)
        self._watcher = Watcher(profile, weights.reading())

    def _clock(self) -> float:
        return self.now_s

    def _wait(self, seconds: float) -> None:
        self.now_s += seconds

    def sees(self, seconds: float) -> list[Happening]:
        told: list[Happening] = []
        ends_s = self.now_s + seconds
        while self.now_s < ends_s:
            told += self._watcher.see(self.camera.read(2.0))
            self.now_s += self._look_s
        return told


@pytest.mark.parametrize("look_s", [0.3, 1.0])
def test_throws_count_and_what_is_set_aside_is_no_throw(profile: Profile, look_s: float) -> None:
    eye = SlowEye(profile, look_s)
    # As long as all that moves may take: some three seconds, in steps of at most a tenth of a second.
    patience_s = 4.0 + 40 * look_s
    eye.sees(2.0 + 5 * look_s)
    eye.hands.throw(6, [1, 1, 2, 3, 4, 6])
    first = eye.sees(patience_s)
    eye.hands.aside([1, 1])
    aside = eye.sees(patience_s)
    eye.hands.throw(4, [5, 5, 2, 3])
    second = eye.sees(patience_s)
    assert _thrown(first) == [(1, 1, 2, 3, 4, 6)]
    assert _thrown(aside) == []
    assert _thrown(second) == [(2, 3, 5, 5)]
    assert not [happening for happening in (*first, *second) if happening.kind == "unsure"]


def test_the_wait_is_over_once_all_lies_still(profile: Profile) -> None:
    eye = SlowEye(profile, 1.0)
    eye.sees(5.0)
    eye.hands.throw(3, [1, 2, 3])
    eye.sees(60.0)
    assert math.isclose(eye.camera.read(2.0).at_s, eye.now_s, abs_tol=0.05)


def test_signs_of_life_come_while_the_simulated_dice_are_learned(tmp_path: Path) -> None:
    signs = []
    load_profile(Job("simulated", None, str(tmp_path)), lambda: signs.append("alive"))
    assert signs


def _thrown(told: list[Happening]) -> list[tuple[int, ...]]:
    return [happening.values for happening in told if happening.kind == "settled"]
