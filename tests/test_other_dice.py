"""When other dice than those of the set in use lie in the tray, their set is offered."""

import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration import learn, store, weights
from firmware.drivers.simulated.camera import SimulatedCamera
from firmware.drivers.simulated.scene import LOOKS, Scene
from firmware.drivers.simulated.stills import calibration_pictures
from firmware.drivers.simulated.tumble import tumble
from firmware.link import Offered
from firmware.other_dice import OtherDice
from vision.happening import Happening
from vision.profile import Profile


@pytest.fixture(scope="module")
def folder(learned: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The simulated tray's own set, a green one, and a damaged one."""
    folder = tmp_path_factory.mktemp("state") / "profiles"
    shutil.copytree(learned / "profiles", folder)
    empty, dice = calibration_pictures(look=LOOKS["green"], pictures=2)
    green = learn.build(empty, dice, count=6, rail=True, read=weights.reading()).profile
    store.save(replace(green, learned=replace(green.learned, name="Gran's dice")), folder / "green.toml")
    (folder / "broken.toml").write_text("format = 2")
    return folder


class Tray:
    def __init__(self, folder: Path) -> None:
        self.folder, self.now_s = folder, 0.0
        self.camera = SimulatedCamera(Scene(), lambda: self.now_s, self._wait)
        self.other = OtherDice(folder, weights.reading())

    def _wait(self, seconds: float) -> None:
        self.now_s += seconds

    def lie(self, look: str, used: str, kind: Any = "settled", cocked: int = 0) -> list[Offered]:
        """What is told while these dice lie there and this set is in use."""
        path = self.folder / f"{used}.toml"
        profile: Profile = store.load(path)
        dice = tumble(random.Random(7), [1, 3, 4, 5, 6], cocked=cocked, looks=[LOOKS[look]] * 5, touching=0.0)
        self.camera.show(Scene(dice=tuple(replace(die, pose=die.last, legs=()) for die in dice)))
        told, happenings = [], (Happening(kind, 0, self.now_s),)
        for _ in range(8):
            self.now_s += 0.4
            message = self.other.see(self.camera.read(1.0), happenings, profile, path)
            happenings = ()
            told += [message] if message else []
        return told


@pytest.fixture
def tray(folder: Path) -> Iterator[Tray]:
    tray = Tray(folder)
    yield tray
    tray.camera.close()


def test_the_set_that_the_dice_are_of_is_offered_and_no_more_when_its_own_dice_come_back(tray: Tray) -> None:
    assert tray.lie("green", "simulated-set", "empty") == [Offered("green", "Gran's dice")]
    assert tray.lie("ivory", "simulated-set") == [Offered()]


def test_it_works_the_other_way_round(tray: Tray) -> None:
    assert [offered.slug for offered in tray.lie("ivory", "green", "unsure")] == ["simulated-set"]


def test_its_own_dice_are_not_taken_for_others_even_when_one_leans(tray: Tray) -> None:
    assert tray.lie("ivory", "simulated-set") == [Offered()]
    assert tray.lie("ivory", "simulated-set", "unsure", cocked=1) == []


def test_dice_of_no_set_are_nobodys(tray: Tray) -> None:
    assert tray.lie("blue", "simulated-set", "unsure") == [Offered()]


def test_what_was_offered_is_over_when_it_is_taken(tray: Tray) -> None:
    tray.lie("green", "simulated-set", "empty")
    assert tray.other.afresh() == Offered()
    assert tray.lie("green", "green") == [Offered()]


def test_a_profile_that_was_named_at_the_start_is_the_only_one(tray: Tray, tmp_path: Path) -> None:
    shutil.copytree(tray.folder, tmp_path / "elsewhere")
    tray.other = OtherDice(tray.folder, weights.reading())
    tray.folder = tmp_path / "elsewhere"
    assert tray.lie("green", "simulated-set", "empty") == [Offered()]
