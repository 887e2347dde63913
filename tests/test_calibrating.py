"""A calibration on the running tray over HTTP: real eye, real learning, real shelf; only the dice are drawn."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from patience import PATIENCE_S


class Owner:
    """Follows the page's instructions on a simulated tray."""

    def __init__(self, tray: Any) -> None:
        self.tray = tray
        self.moved: set[tuple[str, int]] = set()

    def now(self) -> Any:
        return get(self.tray, "calibration")

    def do(self, deed: str, **body: Any) -> Any:
        return self.tray.post(f"calibration/{deed}", body)

    def begin(self) -> None:
        """Hold MODE, then begin."""
        self.tray.post("sim/press", {"button": "mode", "long": True})
        ends_s = time.monotonic() + 2 * PATIENCE_S
        while self.tray.call("POST", "/api/v1/calibration/begin")[0] != 200:
            assert time.monotonic() < ends_s, "the phone was never paired"
            time.sleep(0.1)

    def until(self, step: str) -> Any:
        """Do what each step asks for, once a picture or roll."""
        ends_s = time.monotonic() + 2 * PATIENCE_S
        while time.monotonic() < ends_s:
            now = self.now()
            if now["step"] == step:
                return now
            assert now["step"] not in ("off", "failed"), now
            self.follow(now)
            time.sleep(0.1)
        raise AssertionError(f"{step} never came; last: {now}")

    def follow(self, now: Any) -> None:
        rolls = now["rolls"]
        if now["step"] == "dice":
            self.once(("dice", "again" in now["text"]), lambda: self.tray.post("sim/throw", {"all": True}))
        elif now["step"] == "rolls" and any(roll["confirmed"] is None for roll in rolls):
            self.do("confirm", roll=len(rolls))
        elif now["step"] == "rolls":
            self.once(("roll", len(rolls)), lambda: self.tray.post("sim/throw", {"all": True}))

    def once(self, what: tuple[str, int], move: Callable[[], object]) -> None:
        if what not in self.moved:
            self.moved.add(what)
            move()


def get(tray: Any, path: str) -> Any:
    status, answer = tray.call("GET", f"/api/v1/{path}")
    assert status == 200
    return answer


def active(tray: Any) -> str:
    return next(each["name"] for each in get(tray, "sets")["sets"] if each["active"])


def test_a_set_of_another_look_is_learned_in_the_middle_of_a_game_and_the_game_goes_on_with_it(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    before = tray.throw(1, 1, 5, 2, 3, 4)
    tray.post("sim/dice", {"set": "ivory and blue"})
    owner = Owner(tray)
    owner.begin()
    now = owner.until("rolls")
    assert sorted(kind["count"] for kind in now["kinds"]) == [3, 3]
    assert now["tray"]
    assert now["rail"]
    now = owner.until("passed")
    assert [roll["confirmed"] and roll["sure"] for roll in now["rolls"]] == [True] * 3
    assert min(roll["least"] for roll in now["rolls"]) > 0.85
    state = tray.state()
    assert (state["rev"], state["game"]["turn"]["throw"]) == (before["rev"], before["game"]["turn"]["throw"])
    name = now["name"]
    assert owner.do("name")["step"] == "named"
    assert active(tray) == name
    # At once: the eye may just be taking up the new set, and then asks.
    tray.post("games/current/keep", {"dice": [1, 1, 5]})
    tray.post("games/current/bank")
    tray.post("sim/throw", {"values": [5, 5, 5, 2, 3, 4]})
    state = tray.until(lambda state: state["game"]["turn"]["throw"] or state["game"]["turn"]["doubts"], "the throw")
    if state["game"]["turn"]["doubts"]:
        assert sorted(state["game"]["turn"]["proposed"]) == [2, 3, 4, 5, 5, 5]
        state = tray.post("games/current/throws", {"values": [5, 5, 5, 2, 3, 4]})
    assert state["game"]["turn"]["throw"] == [2, 3, 4, 5, 5, 5]
    assert owner.do("undo")["step"] == "named"
    assert active(tray) == "Simulated set"


def test_cancelling_and_a_learning_that_dies_leave_the_tray_as_it_was(tray: Any) -> None:
    tray.start_game("Ann", "Bo")
    owner = Owner(tray)
    owner.begin()
    owner.until("tray")
    assert owner.do("cancel")["step"] == "off"
    tray.until(lambda state: state["eye"]["state"] == "empty", "the eye that watches again")
    assert tray.throw(1, 1, 5, 2, 3, 4)["game"]["turn"]["throw"] == [1, 1, 2, 3, 4, 5]
    tray.post("sim/clear")
    owner.do("begin")
    os.kill(learner_of(tray.process.pid), signal.SIGKILL)
    owner.until("tray")
    os.kill(learner_of(tray.process.pid), signal.SIGSTOP)
    owner.until("dice")
    tray.post("sim/place")
    while not (tray.state_dir / "calibration" / "dice0.jpg").exists():
        time.sleep(0.1)
    os.kill(learner_of(tray.process.pid), signal.SIGKILL)
    ends_s = time.monotonic() + 2 * PATIENCE_S
    while owner.now()["step"] != "failed" and time.monotonic() < ends_s:
        time.sleep(0.1)
    assert "begin again" in owner.now()["reason"]
    assert active(tray) == "Simulated set"


def test_a_power_cut_in_the_middle_leaves_the_set_that_was_in_use(trays: Callable[..., Any], tmp_path: Path) -> None:
    tray = trays(tmp_path, "--simulated", "--seed", "7")
    tray.start_game("Ann", "Bo")
    owner = Owner(tray)
    owner.begin()
    owner.until("rolls")
    tray.kill()
    again = trays(tmp_path, "--simulated", "--seed", "7")
    again.cookie = tray.cookie
    assert get(again, "calibration")["step"] == "off"
    assert not (tmp_path / "calibration").exists()
    assert active(again) == "Simulated set"
    assert again.throw(1, 1, 5, 2, 3, 4)["game"]["turn"]["throw"] == [1, 1, 2, 3, 4, 5]


def learner_of(pid: int) -> int:
    """The process id of the learning process, a child of the table."""
    children: list[str] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        children += (task / "children").read_text().split()
    return next(int(c) for c in children if "firmware.learning" in Path(f"/proc/{c}/cmdline").read_text())
