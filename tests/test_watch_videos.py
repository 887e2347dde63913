"""Watching rendered videos with hands, and the command that does it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.__main__ import main
from firmware.commands.watch import watched
from firmware.drivers.files import frames_of
from vision import settle
from vision.frame import Fetched, Frame
from vision.happening import Happening
from vision.profile import Profile
from vision.seen import Reading, SeenDie
from vision.watcher import Watcher

DATA = Path(__file__).parent / "data" / "watch"
CLIPS: dict[str, Any] = json.loads((DATA / "clips.json").read_text())


def watcher_of(name: str) -> Watcher:
    """One that reads the dice as they were rendered."""

    def read(frame: Frame, _profile: Profile | None) -> Reading:
        _, dice = [rest for rest in CLIPS[name]["rests"] if rest[0] <= max(0, frame.seq + 2)][-1]
        return Reading(tuple(SeenDie(value, x, y, size, angle) for value, x, y, size, angle, _ in dice))

    return Watcher(None, read=read)


def told(name: str, sees: Callable[[Frame], Frame | None] = lambda frame: frame) -> list[Happening]:
    """What such a watcher tells. It sees the first frame half a second longer."""
    watcher = watcher_of(name)
    film = list(frames_of(DATA / f"{name}.mp4"))
    lead = [Frame(film[0].image, seq, seq / 30) for seq in range(-15, 0)]
    frames = [sees(frame) for frame in lead + film]
    return [happening for frame in frames if frame is not None for happening in watcher.see(frame)]


def brighter(frame: Frame) -> Frame:
    """Someone switches a lamp on and off again every second."""
    gain = 1.0 + 0.25 * (frame.seq // 15 % 2)
    return Frame(np.clip(frame.image * gain, 0, 255).astype(np.uint8), frame.seq, frame.at_s)


def glanced_at(frame: Frame) -> Frame:
    """As a camera sends it that makes a small picture, in the colours of television, beside the whole one."""
    rows, columns = frame.size
    half = cv2.resize(frame.image, (columns // 4 * 2, rows // 4 * 2), interpolation=cv2.INTER_AREA)
    small = cv2.cvtColor(cv2.cvtColor(half, cv2.COLOR_BGR2YUV_I420), cv2.COLOR_YUV2BGR_I420)
    return Frame(Fetched(frame.size, lambda: frame.image), frame.seq, frame.at_s, np.asarray(small, np.uint8))


@pytest.mark.parametrize(
    "sees",
    [
        lambda frame: frame,
        lambda frame: frame if frame.seq % 2 else None,
        lambda frame: frame if frame.seq % 7 else None,
        brighter,
        glanced_at,
    ],
    ids=["as filmed", "half the frames", "every seventh lost", "lamp on and off", "in small"],
)
@pytest.mark.parametrize("name", CLIPS)
def test_each_video_settles_its_throw_once_with_its_values(name: str, sees: Callable[[Frame], Frame | None]) -> None:
    settled = [happening for happening in told(name, sees) if happening.kind == "settled"]
    assert [list(happening.values) for happening in settled] == [values for _, _, values in CLIPS[name]["throws"]]
    for happening, (starts, ends, _) in zip(settled, CLIPS[name]["throws"], strict=True):
        assert starts - 2 <= happening.frame <= min(ends, starts + 12)


@pytest.mark.parametrize("name", CLIPS)
def test_a_film_that_ends_while_its_dice_are_being_read_asks_about_the_throw(name: str) -> None:
    watcher, last = watcher_of(name), [happening.frame for happening in told(name) if happening.kind == "settled"][-1]
    for frame in frames_of(DATA / f"{name}.mp4"):
        if frame.seq < last:
            watcher.see(frame)
    (happening,) = watcher.ended()
    assert (happening.kind, list(happening.values)) == ("unsure", CLIPS[name]["throws"][-1][2])
    assert {doubt.text for doubt in happening.doubts} == {settle.OVER}
    assert watcher.ended() == ()


def test_dice_set_aside_one_after_the_other_are_told_each_time() -> None:
    kinds = [happening.kind for happening in told("aside")]
    assert [kind for kind in kinds if kind in ("hand", "removed", "settled")] == [
        *("removed", "hand", "removed", "hand", "removed", "hand", "removed", "settled")
    ]


def test_a_hand_is_told_while_it_drops_the_dice() -> None:
    kinds = [happening.kind for happening in told("hand_drop")]
    assert kinds.index("hand") < kinds.index("settled")


def test_the_command_prints_a_line_an_event_and_ends_with_the_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--json", str(DATA / "throw_a.mp4")]) == 0
    *events, end = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert end == {"event": "end", "throws": sum(event["event"] == "settled" for event in events)}
    assert all(set(event) == {"frame", "t", "event", "roll", "values", "dice", "doubts"} for event in events)
    assert [event["frame"] for event in events] == sorted(event["frame"] for event in events)
    assert all(event["t"] == round(event["frame"] / 30, 3) for event in events)
    assert "rolling" in [event["event"] for event in events]


def test_the_command_speaks_to_people_without_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(DATA / "throw_a.mp4")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "rolling" in "".join(lines)
    assert lines[-1].startswith("throws: ")


def test_the_command_watches_a_folder_of_frames_as_it_does_a_video(tmp_path: Path) -> None:
    for frame in frames_of(DATA / "throw_a.mp4"):
        if frame.seq < 40:
            cv2.imwrite(str(tmp_path / f"{frame.seq}.png"), frame.image)
    filmed = [happening for frame, found in watched(DATA / "throw_a.mp4") if frame.seq < 40 for happening in found]
    assert [happening for _, found in watched(tmp_path) for happening in found] == filmed


@pytest.mark.parametrize("make", [lambda _path: None, Path.touch, lambda path: path.write_text("no video")])
def test_what_is_no_video_is_said_in_one_sentence(
    make: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "film.mp4"
    make(path)
    assert main(["watch", "--json", str(path)]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("stickman: ")
    assert len(error.splitlines()) == 1


def test_an_empty_folder_and_an_empty_tray_of_another_size_are_said_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", str(tmp_path)]) == 2
    cv2.imwrite(str(tmp_path / "empty.png"), np.zeros((60, 80, 3), np.uint8))
    assert main(["watch", "--empty", str(tmp_path / "empty.png"), str(DATA / "throw_a.mp4")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
