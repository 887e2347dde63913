"""A calibration led at the terminal, with rendered pictures before the camera."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from rendered import LABELS, picture

from firmware.at_terminal import AtTerminal, Talk
from firmware.errors import CameraLost
from vision.frame import Frame, Image
from vision.larger import read

SESSION = "b18"
FRAME_S = 0.1


def shown(kind: str) -> list[Image]:
    return [picture(label["file"]) for label in LABELS if label["session"] == SESSION and label["kind"] == kind]


@dataclass
class Reel:
    """A camera that shows each picture for so many frames, without waiting, and then is gone."""

    scenes: list[tuple[Image, int]]
    name: str = "a reel"
    seq: int = 0
    frames: Iterator[Image] = field(init=False)

    def __post_init__(self) -> None:
        self.frames = (image for image, count in self.scenes for _ in range(count))

    def read(self, timeout_s: float) -> Frame:
        image = next(self.frames, None)
        if image is None:
            raise CameraLost(f"The reel is over; {timeout_s} s are of no use.")
        self.seq += 1
        return Frame(image, self.seq, self.seq * FRAME_S)

    def close(self) -> None: ...


@dataclass
class Owner:
    """Answers questions in turn, and hears everything."""

    answers: list[str]
    heard: list[str] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    def answer(self, question: str) -> str:
        self.heard.append(question)
        return self.answers.pop(0)

    @property
    def talk(self) -> Talk:
        return Talk(self.heard.append, self.answer, self.shares.append)


def learning() -> list[tuple[Image, int]]:
    """The empty tray, then the dice twice, and taken out."""
    (empty,), (first, second) = shown("empty"), shown("calib")
    return [(empty, 60), (first, 30), (second, 45), (empty, 15)]


def rolls(*throws: Image) -> list[tuple[Image, int]]:
    """Each throw after a moment in which dice are seen to move."""
    moving = [(image, 1) for image in shown("calib") * 4]
    return [scene for image in throws for scene in [*moving, (image, 20)]]


def led(owner: Owner, *scenes: tuple[Image, int]) -> AtTerminal:
    return AtTerminal(Reel(list(scenes)), read, owner.talk, "2026-05-03", "0.1.0", 16.0)


def test_the_owner_is_led_through_all_steps_to_a_profile_that_is_named_and_tested() -> None:
    owner = Owner(["", "y", "1 1 1 4 5", " Marbles "])
    profile = led(owner, *learning(), *rolls(*shown("throw")[:3])).calibrate()
    assert profile.learned.name == "Marbles"
    assert profile.learned.camera == "a reel"
    assert [roll.values for roll in profile.rolls] == [(2, 3, 4, 6, 6), (1, 2, 3, 3, 4), (1, 1, 1, 4, 5)]
    assert all(roll.sure for roll in profile.rolls)
    assert sum(kind.count for kind in profile.kinds) == 5
    assert owner.shares[-1] == 1
    told = "\n".join(owner.heard)
    for words in ("Take everything out", "Put all your dice in", "Roll the same dice again", "Roll 1 shows 2 3 4 6 6"):
        assert words in told


def test_a_camera_that_is_gone_ends_it_with_its_sentence() -> None:
    with pytest.raises(CameraLost, match="reel is over"):
        led(Owner([]), *learning()[:1]).calibrate()
