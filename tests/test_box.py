"""The whole tray as a process: real eye, real journal, real pages; only the dice are drawn."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE_S, SLOWER

from calibration import kept
from firmware.sets import Shelf


def turn(state: Any) -> Any:
    return state["game"]["turn"]


def resident_mb(pid: int, what: str = "VmRSS") -> float:
    """Now; as "VmHWM" the most there ever was."""
    if SLOWER > 1:
        pytest.skip("the memory of whatever makes it so slow would be measured too")
    resident = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert resident is not None
    return int(resident[1]) / 1024


def test_a_throw_is_read_kept_and_banked(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    state = tray.throw(1, 1, 5, 2, 3, 4)
    assert turn(state)["throw"] == [1, 1, 2, 3, 4, 5]
    assert {"dice": [1, 1, 5], "score": 250} in turn(state)["options"]
    state = tray.post("games/current/keep", {"dice": [1, 1], "rev": state["rev"]})
    assert (turn(state)["score"], turn(state)["dice_left"]) == (200, 4)
    state = tray.post("games/current/bank", {"rev": state["rev"]})
    assert [player["score"] for player in state["game"]["players"]] == [200, 0]
    assert turn(state)["player"] == 1


def test_dice_moved_to_the_rail_are_set_aside_without_a_phone(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    tray.throw(1, 1, 5, 2, 3, 4)
    tray.post("sim/aside", {"dice": [1, 1]})
    state = tray.until(lambda state: turn(state)["aside"] == [1, 1], "the set-aside")
    assert turn(state)["dice_left"] == 4
    state = tray.throw(5, 5, 2, 3)
    assert turn(state)["throw"] == [2, 3, 5, 5]
    assert turn(state)["score"] == 200


def test_a_throw_asked_for_at_once_waits_until_the_dice_are_seen_on_the_rail(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    tray.throw(1, 1, 5, 2, 3, 4)
    tray.post("sim/aside", {"dice": [1, 1, 5]})
    tray.post("sim/throw", {"values": [2, 3, 4]})
    state = tray.until(lambda state: state["game"]["throws"] == 2, "the throw")
    assert state["game"]["last"] == {"player": 0, "what": "farkle", "points": 250, "throw": [2, 3, 4]}


def test_dice_that_do_not_score_are_refused_with_a_sentence(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    tray.throw(1, 1, 5, 2, 3, 4)
    tray.post("sim/aside", {"dice": [1, 2]})
    state = tray.until(lambda state: state["game"]["notes"], "the refusal")
    assert state["game"]["notes"] == ["The 2 does not score: put it back in the tray."]
    assert turn(state)["aside"] == []


def test_a_farkle_passes_the_turn_by_itself(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    state = tray.throw(2, 2, 3, 3, 4, 6)
    assert turn(state)["player"] == 1
    assert state["game"]["last"]["what"] == "farkle"
    assert state["game"]["players"][0]["farkles"] == 1


def test_a_cocked_die_is_asked_about_and_answered_by_hand(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    tray.post("sim/throw", {"values": [1, 1, 5, 2, 3, 4], "cocked": 1})
    state = tray.until(lambda state: turn(state)["doubts"], "the question")
    assert state["eye"]["state"] == "unsure"
    assert turn(state)["throw"] is None
    state = tray.post("games/current/throws", {"values": [1, 1, 5, 2, 3, 4]})
    assert turn(state)["throw"] == [1, 1, 2, 3, 4, 5]
    assert turn(state)["doubts"] == []


def test_buttons_on_the_panel_bank_and_undo(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    state = tray.throw(1, 1, 1, 2, 3, 4)
    assert state["panel"]["bank"] is True
    tray.post("sim/press", {"button": "bank"})
    state = tray.until(lambda state: state["game"]["players"][0]["score"] == 1000, "the bank")
    tray.post("sim/press", {"button": "undo"})
    state = tray.until(lambda state: state["game"]["players"][0]["score"] == 0, "the undo")
    assert turn(state)["player"] == 0


def test_a_table_killed_at_any_moment_comes_back_with_the_same_score_and_turn(
    trays: Callable[..., Any], tmp_path: Path
) -> None:
    tray = trays(tmp_path, "--simulated")

    def killed_and_back(tray: Any) -> Any:
        before = tray.state()
        tray.kill()
        again = trays(tmp_path, "--simulated")
        after = again.state()
        assert (after["game"], after["rev"]) == (before["game"], before["rev"])
        again.cookie = tray.cookie
        return again

    tray.start_game("Ann", "Bo")
    tray.post("sim/throw", {"values": [1, 1, 1, 2, 3, 4]})
    tray.until(lambda state: state["eye"]["state"] == "rolling", "the roll")
    tray = killed_and_back(tray)
    tray.throw(1, 1, 1, 2, 3, 4)
    tray = killed_and_back(tray)
    tray.post("games/current/keep", {"dice": [1, 1, 1]})
    tray = killed_and_back(tray)
    state = tray.post("games/current/bank", {"rev": tray.state()["rev"]})
    tray = killed_and_back(tray)
    assert [player["score"] for player in state["game"]["players"]] == [1000, 0]
    assert turn(tray.throw(5, 5, 5, 2, 3, 4))["player"] == 1


def test_a_killed_eye_is_replaced_and_the_game_goes_on(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    state = tray.throw(1, 1, 1, 2, 3, 4)
    os.kill(eye_of(tray.process.pid), signal.SIGKILL)
    tray.until(lambda state: state["eye"]["state"] == "camera-lost", "the loss")
    tray.until(lambda state: state["eye"]["state"] == "read", "the eye")
    assert tray.state()["rev"] == state["rev"], "dice that lay there are no new throw"
    state = tray.post("games/current/bank")
    state = tray.throw(5, 5, 5, 1, 3, 4)
    assert turn(state)["throw"] == [1, 3, 4, 5, 5, 5]


def test_an_eye_takes_less_than_120_megabytes_at_every_moment(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    for values in ((1, 1, 1, 2, 3, 4), (5, 5, 5, 1, 3, 4), (1, 2, 2, 3, 4, 6)):
        tray.throw(*values)
        tray.post("games/current/bank")
    assert resident_mb(eye_of(tray.process.pid), "VmHWM") < 120


def test_the_table_takes_less_than_70_megabytes_and_never_loads_what_looks_at_pictures(tray: Any) -> None:
    maps = Path(f"/proc/{tray.process.pid}/maps")
    assert "numpy" not in maps.read_text(), "for odds, when somebody plays"
    assert resident_mb(tray.process.pid) < 70
    tray.start_game("Ann", "Bo")
    tray.throw(1, 1, 1, 2, 3, 4)
    tray.post("sets/simulated-set/use")
    assert tray.call("GET", "/api/v1/odds")[0] == 200
    assert "cv2" not in maps.read_text()
    assert resident_mb(tray.process.pid) < 70


def test_dice_are_changed_in_one_tap_while_the_tray_runs(tray: Any, tmp_path: Path) -> None:
    tray.start_game("Ann", "Bo")
    tray.throw(1, 1, 1, 2, 3, 4)
    shelf = Shelf(tmp_path)
    shelf.add(kept.load(shelf.path("simulated-set")), "simulated-set")
    rev, eye = tray.state()["rev"], eye_of(tray.process.pid)
    found = tray.post("sets/simulated-set-2/use")["sets"]
    assert [(each["slug"], each["active"]) for each in found] == [("simulated-set", False), ("simulated-set-2", True)]
    assert (tray.state()["rev"], turn(tray.state())["throw"]) == (rev, [1, 1, 1, 2, 3, 4])
    tray.post("games/current/bank")
    assert turn(tray.throw(5, 5, 5, 1, 3, 4))["throw"] == [1, 3, 4, 5, 5, 5]
    assert eye_of(tray.process.pid) == eye, "the eye goes on"


def test_a_set_in_use_that_is_damaged_is_said_and_the_tray_starts(trays: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    (folder / "red.toml").write_text("format = 1\n")
    (folder / "active").write_text("red\n")
    tray = trays(tmp_path, "--simulated")
    assert any("red.toml is no profile of this program" in text for text in tray.state()["banners"])


def test_a_dead_camera_is_said_and_throws_are_entered_by_hand(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    tray.post("sim/fault", {"kind": "dead-camera", "seconds": 6})
    tray.until(lambda state: state["eye"]["state"] == "camera-lost", "the loss")
    state = tray.post("games/current/throws", {"values": [1, 1, 5, 2, 3, 4]})
    assert turn(state)["throw"] == [1, 1, 2, 3, 4, 5]
    tray.until(lambda state: state["eye"]["state"] != "camera-lost", "the camera")


def test_a_port_in_use_is_one_sentence_that_names_the_flag(tray: Any, tmp_path: Path) -> None:
    done = stickman(
        "run", "--simulated", "--port", str(tray.port), "--host", "127.0.0.1", "--state-dir", str(tmp_path / "other")
    )
    assert done.returncode == 2
    assert re.fullmatch(r"stickman: .*--port.*\n", done.stderr)


def test_two_trays_never_share_a_state_folder(tray: Any) -> None:
    done = stickman("run", "--simulated", "--port", "0", "--host", "127.0.0.1", "--state-dir", str(tray.state_dir))
    assert done.returncode == 2
    assert re.fullmatch(r"stickman: Another Stickman runs with .*--state-dir.*\n", done.stderr)


def eye_of(pid: int) -> int:
    """The process id of the eye: the one child of the table."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for task in Path(f"/proc/{pid}/task").iterdir():
        children += (task / "children").read_text().split()
    return next(int(c) for c in children if "firmware.looking" in Path(f"/proc/{c}/cmdline").read_text())


def stickman(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "firmware", *arguments], capture_output=True, text=True, timeout=PATIENCE_S
    )
