"""Each step of a reading can be looked at: a picture of what it found, where it found it."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from rendered import DATA, Rendered, picture

from calibration import store
from firmware.__main__ import main
from vision import steps
from vision.drawing import AMBER, GREEN
from vision.frame import Image

_FILE = "b39_06_throw.jpg"  # five red dice, one of them leaning
_KNOWN = ["places", "pips", "candidates", "faces", "cubes", "verdict"]


def _near(drawn: Image, x: float, y: float, size: float, colour: tuple[int, int, int]) -> bool:
    """Whether something is drawn in this colour within a die's size."""
    part = drawn[max(0, int(y - size)) : int(y + size), max(0, int(x - size)) : int(x + size)].astype(int)
    return bool((np.abs(part - colour).max(2) < 12).sum() > 20)


@pytest.fixture(scope="module")
def drawn(rendered: Rendered) -> dict[str, Image]:
    return steps.draw(picture(_FILE), rendered.profile("b39"))


def test_every_step_has_its_picture_in_the_order_of_the_reading(drawn: dict[str, Image]) -> None:
    assert list(drawn) == _KNOWN
    assert {image.shape for image in drawn.values()} == {picture(_FILE).shape}


@pytest.mark.parametrize("step", ["pips", "faces", "cubes", "verdict"])
def test_what_a_step_found_is_marked_where_it_lies(step: str, drawn: dict[str, Image], rendered: Rendered) -> None:
    dice = rendered.reading(_FILE).dice
    assert len(dice) == 5
    for die in dice:
        sure = die.state == "flat" or step in ("pips", "faces")
        assert _near(drawn[step], die.x, die.y, die.size, GREEN if sure else AMBER)


def test_places_keep_their_colours_and_the_rest_is_dimmed(drawn: dict[str, Image], rendered: Rendered) -> None:
    first = picture(_FILE)
    die = rendered.reading(_FILE).dice[0]
    x, y = round(die.x + 0.2 * die.size), round(die.y)
    assert (drawn["places"][y, x] == first[y, x]).all()
    assert float(drawn["places"].mean()) < 0.8 * float(first.mean())


def test_drawing_leaves_the_picture_as_it_is_and_works_without_a_profile() -> None:
    image = picture(_FILE)
    before = image.copy()
    assert list(steps.draw(image, None)) == ["pips", "faces", "verdict"]
    assert (image == before).all()


def test_an_empty_picture_has_steps_too(rendered: Rendered) -> None:
    image = picture("b39_00_empty.jpg")
    assert list(steps.draw(image, rendered.profile("b39"))) == _KNOWN
    assert list(steps.draw(np.zeros_like(image), None)) == ["pips", "faces", "verdict"]


def test_the_command_writes_a_picture_a_step(tmp_path: Path, rendered: Rendered) -> None:
    store.save(rendered.profile("b39"), tmp_path / "p.toml")
    out = tmp_path / "seen"
    arguments = ["read", "--profile", str(tmp_path / "p.toml"), "--annotate", str(out), "--steps", str(DATA / _FILE)]
    assert main(arguments) == 0
    stem = _FILE.removesuffix(".jpg")
    names = [f"{stem}.png", *(f"{stem}-{number}-{name}.png" for number, name in enumerate(_KNOWN, 1))]
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    assert all(cv2.imread(str(out / name)) is not None for name in names)


def test_steps_without_a_folder_are_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--steps", str(DATA / _FILE)]) == 2
    assert "add --annotate DIR" in capsys.readouterr().err
