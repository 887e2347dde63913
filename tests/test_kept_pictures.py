"""The whole tray keeps pictures of its throws: real eye, real files; only the dice are drawn."""

import http.client
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from patience import PATIENCE_S
from test_box import eye_of, turn

from firmware.filming import FRAMES, HEIGHT, WIDTH
from firmware.rack import Rack
from vision.drawing import GREEN


def fetch(tray: Any, path: str, seated: bool = True) -> np.ndarray | None:
    """The picture at this address; None when it is refused."""
    with closing(http.client.HTTPConnection("127.0.0.1", tray.port, timeout=PATIENCE_S)) as line:
        line.request("GET", path, headers={"Cookie": tray.cookie} if seated else {})
        reply = line.getresponse()
        found = reply.read()
    return cv2.imdecode(np.frombuffer(found, np.uint8), cv2.IMREAD_COLOR) if reply.status == 200 else None


def until_there(tray: Any, path: str) -> np.ndarray:
    ends_s = time.monotonic() + PATIENCE_S
    while (found := fetch(tray, path)) is None:
        assert time.monotonic() < ends_s, f"{path} never came"
        time.sleep(0.05)
    return found


@pytest.fixture(autouse=True)
def on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the memory of this machine's user, but in the state folder."""
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)


def test_a_throw_keeps_its_picture_and_film_and_a_disputed_one_outlives_eye_and_table(
    trays: Callable[..., Any], tmp_path: Path
) -> None:
    tray = trays(tmp_path, "--simulated", "--seed", "7")
    game = tray.start_game("Ann", "Bo")["game"]["id"]
    tray.throw(1, 1, 1, 2, 3, 4)
    place = f"/history/{game}/throws/1"
    still, drawn = until_there(tray, f"{place}/still.jpg"), until_there(tray, f"{place}/drawn.jpg")
    assert still.shape == (960, 1280, 3)
    assert drawn.shape[1] / drawn.shape[0] == pytest.approx(4 / 3, rel=0.01)
    outlined = np.abs(drawn.astype(int) - GREEN).max(2) < 40
    assert 0.005 < outlined.mean() < 0.2
    film = until_there(tray, f"{place}/film.jpg").reshape(FRAMES, HEIGHT, WIDTH, 3).astype(int)
    moved = np.abs(np.diff(film, axis=0)).max(3) > 60
    assert (moved.mean((1, 2)) > 0.002).sum() >= 3, "something rolls in it"
    assert fetch(tray, f"{place}/still.jpg", seated=False) is None

    told = tray.post("games/current/dispute", {"throw": 1})["game"]["disputed"]
    assert fetch(tray, told["drawn"], seated=False) is not None
    os.kill(eye_of(tray.process.pid), signal.SIGKILL)
    tray.until(lambda state: state["eye"]["state"] == "read", "the eye")
    tray.kill()
    for file in (tmp_path / "throws").rglob("*"):
        assert not file.is_file(), "kept for good it is no more among the last"
    again = trays(tmp_path, "--simulated", "--seed", "7")
    again.cookie = tray.cookie
    assert again.state()["game"]["disputed"] == told
    assert (until_there(again, told["drawn"]) == drawn).all()
    assert again.post("games/current/stands", {"throw": 1})["game"]["disputed"] is None


def test_a_die_that_is_asked_about_is_shown_large_and_its_answer_keeps_the_picture(tray: Any) -> None:
    game = tray.start_game("Ann", "Bo")["game"]["id"]
    tray.post("sim/throw", {"values": [1, 1, 5, 2, 3, 4], "cocked": 1})
    state = tray.until(lambda state: turn(state)["doubts"] and turn(state)["doubts"][0]["closeup"], "the close-up")
    doubt = turn(state)["doubts"][0]
    assert isinstance(doubt["likely"], list)
    view = fetch(tray, doubt["closeup"])
    assert view is not None
    assert view.shape == (480, 480, 3)
    assert view.std() > 20, "a die on felt"
    assert fetch(tray, doubt["closeup"], seated=False) is None
    tray.post("games/current/throws", {"values": [1, 1, 5, 2, 3, 4]})
    assert turn(tray.state())["doubts"] == []
    assert until_there(tray, f"/history/{game}/throws/1/still.jpg").shape == (960, 1280, 3)


def test_a_full_disk_costs_pictures_and_no_throw(trays: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "throws").write_bytes(b"no folder can be made here")
    (tmp_path / "disputed").write_bytes(b"nor here")
    tray = trays(tmp_path, "--simulated", "--seed", "7")
    tray.start_game("Ann", "Bo")
    assert turn(tray.throw(1, 1, 1, 2, 3, 4))["throw"] == [1, 1, 1, 2, 3, 4]
    told = tray.post("games/current/dispute", {"throw": 1})["game"]["disputed"]
    assert (told["drawn"], told["film"]) == (None, None)
    assert "There is no picture of it" in tray.call("GET", told["page"])[1]


def test_who_wants_no_pictures_has_none(trays: Callable[..., Any], tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[pictures]\nkeep = false\n")
    Rack(tmp_path / "throws", 1000).put("g0-1", {"still": b"of an evening before"})
    tray = trays(tmp_path, "--simulated", "--seed", "7", "--config", str(config))
    tray.start_game("Ann", "Bo")
    tray.post("sim/throw", {"values": [1, 1, 5, 2, 3, 4], "cocked": 1})
    state = tray.until(lambda state: turn(state)["doubts"] and turn(state)["doubts"][0]["closeup"], "the close-up")
    tray.post("games/current/throws", {"values": [1, 1, 5, 2, 3, 4], "rev": state["rev"]})
    told = tray.post("games/current/dispute", {"throw": 1})["game"]["disputed"]
    assert told["drawn"] is None
    assert list(tmp_path.rglob("still.jpg")) == []
