"""A game from pictures and from films: what goes in through a camera driver is scored, shown and journaled once."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from patience import PATIENCE_S

from firmware.drivers.simulated import box
from firmware.drivers.simulated.render import Renderer, render
from firmware.drivers.simulated.scene import Scene
from firmware.drivers.simulated.stills import calibration_pictures
from firmware.drivers.simulated.tumble import tumble
from firmware.footage import footage_clock, is_footage, note_start
from firmware.journal import Journal
from vision.frame import Image

FIRST = (2, 3, 4, 4, 5, 6)
THROWS = [(1, 1, 2, 3, 4, 6), (2, 2, 3, 3, 4, 6), (1, 5, 5, 5, 3, 4), (1, 2, 3, 4, 5, 6)]
# Two seconds a picture, the first lies there from the start.
SHOW_S = 2.0 * len(THROWS)


def lying(seed: int, values: tuple[int, ...]) -> Image:
    dice = tumble(random.Random(seed), values, touching=0.0)
    return render(Scene(dice=dice), max(die.rests_s for die in dice) + 1, seed)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder of pictures of throws, and a profile that `stickman calibrate` made from pictures of the same tray."""
    folder = tmp_path_factory.mktemp("session")
    throws = folder / "throws"
    throws.mkdir()
    empty, dice = calibration_pictures()
    arguments = ["--empty", str(write(folder / "empty.png", empty))]
    for number, picture in enumerate(dice):
        arguments += ["--dice", str(write(folder / f"dice{number}.png", picture))]
    for number, values in enumerate([FIRST, *THROWS]):
        write(throws / f"throw{number}.jpg", lying(40 + number, values))
    profile = folder / "profile.toml"
    done = stickman("calibrate", *arguments, "--rail", "--out", str(profile))
    assert done.returncode == 0, done.stderr
    return throws, profile


def write(path: Path, picture: Image) -> Path:
    assert cv2.imwrite(str(path), picture)
    return path


def stickman(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "firmware", *arguments], capture_output=True, text=True, timeout=PATIENCE_S
    )


def thrown(state_dir: Path) -> list[tuple[int, ...]]:
    """The throws in the journal, as `stickman export` prints them."""
    done = stickman("export", "--state-dir", str(state_dir))
    assert done.returncode == 0, done.stderr
    events: Iterator[Any] = (json.loads(line) for line in done.stdout.splitlines())
    flat = [event for move in events for event in (move if isinstance(move, list) else [move])]
    return [tuple(event["values"]) for event in flat if event["event"] == "thrown"]


def test_a_game_is_played_from_pictures_and_each_throw_is_journaled_once(
    trays: Callable[..., Any], tmp_path: Path, session: tuple[Path, Path]
) -> None:
    throws, profile = session
    tray = trays(tmp_path, "--camera", f"pictures:{throws}", "--profile", str(profile))
    time.sleep(0.1)
    assert tray.state()["eye"]["state"] == "read", "the first picture waits, and is no throw"
    tray.start_game("Ann", "Bo")
    state = tray.until(lambda state: state["game"]["throws"] == len(THROWS), "the last throw")
    assert tuple(state["game"]["turn"]["throw"]) == THROWS[-1]
    tray.close()
    assert thrown(tmp_path) == [tuple(sorted(values)) for values in THROWS]


def test_a_table_killed_in_the_middle_of_the_pictures_counts_no_throw_twice(
    trays: Callable[..., Any], tmp_path: Path, session: tuple[Path, Path]
) -> None:
    throws, profile = session
    arguments = ("--camera", f"pictures:{throws}", "--profile", str(profile))
    tray = trays(tmp_path, *arguments)
    tray.start_game("Ann", "Bo")
    began_s = time.monotonic()
    before = tray.until(lambda state: state["game"]["throws"] == 2, "the second throw")
    tray.kill()
    again = trays(tmp_path, *arguments)
    after = again.state()
    assert after["game"]["players"] == before["game"]["players"]
    again.until(lambda _: time.monotonic() > began_s + SHOW_S + 2, "the end of the show")
    again.close()
    values = thrown(tmp_path)
    assert len(values) == len(set(values)), "no throw is counted twice"
    assert values[:2] == [tuple(sorted(values)) for values in THROWS[:2]]


def test_a_throw_on_film_reaches_the_page_and_is_journaled_once(
    trays: Callable[..., Any], tmp_path: Path, session: tuple[Path, Path]
) -> None:
    film = tmp_path / "throw.mp4"
    dice = tumble(random.Random(3), THROWS[0], start_s=1.0, touching=0.0)
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"mp4v"), 30, (box.WIDTH, box.HEIGHT))
    renderer = Renderer()
    for number in range(105):
        writer.write(renderer.render(Scene(dice=dice), number / 30, number))
    writer.release()
    tray = trays(tmp_path / "state", "--camera", f"video:{film}", "--profile", str(session[1]))
    tray.start_game("Ann", "Bo")
    state = tray.until(lambda state: state["game"]["throws"] == 1, "the throw")
    assert tuple(state["game"]["turn"]["throw"]) == THROWS[0]
    tray.close()
    assert thrown(tmp_path / "state") == [THROWS[0]]


def test_footage_goes_on_where_it_was_only_for_the_same_film_and_game(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "stickman.db")
    note_start(journal, "video:a.mp4", 12.5)
    assert is_footage("video:a.mp4")
    assert not is_footage("simulated")
    assert footage_clock(journal, "video:a.mp4", playing=True) == 12.5
    assert footage_clock(journal, "video:a.mp4", playing=False) is None
    assert footage_clock(journal, "video:b.mp4", playing=True) is None
    journal.close()
