"""Every confidence has its reasons: what was looked at, what it says, and what it takes."""

import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import learn, store
from firmware.__main__ import main
from vision.evidence import WORDS, Clue, confidence, explained, ruled, weighed
from vision.frame import Frame, Image
from vision.profile import Profile
from vision.reader import SURE, read

ROOT = Path(__file__).parents[1]
_DATA = Path(__file__).parent / "data" / "reader"
_COCKED = _DATA / "white_07_throw.jpg"


def _image(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path)), np.uint8)


@pytest.fixture(scope="module")
def profile() -> Profile:
    empty, *dice = (_image(_DATA / f"white_{name}.jpg") for name in ("00_empty", "01_calib", "02_calib"))
    return learn.build(empty, dice, 16.0, rail=True).profile


def test_a_clue_that_rules_leaves_a_little_less_near_its_limit_and_nothing_beyond() -> None:
    far, near, at, beyond = (ruled("spacing", off, 0.02) for off in (0.005, 0.015, 0.02, 0.021))
    assert far.leaves == 1
    assert 1 > near.leaves > at.leaves
    # Two things just short of their limits leave a die sure, three are enough to ask: see `evidence.ruled`.
    assert at.leaves**2 >= SURE > at.leaves**3
    assert (beyond.leaves, beyond.against, at.against) == (0, True, False)
    assert [explained([clue])[0][0] for clue in (far, near, at, beyond)] == ["+", "~", "~", "-"]


def test_what_another_clue_overrules_is_told_as_such() -> None:
    forgiven = replace(ruled("sides", 0.5, 0.35), leaves=1.0)
    assert explained([forgiven]) == ["~ the floor shows where its sides should be (0.5, at most 0.35; overruled)"]


def test_no_clue_leaves_more_than_all_or_less_than_nothing() -> None:
    assert [weighed("even", 0.3, 0.25, leaves).leaves for leaves in (-0.4, 0.9, 1.2)] == [0, 0.9, 1]


def test_nothing_against_a_die_is_full_confidence_and_each_thing_takes_its_share() -> None:
    half, third = weighed("fit", 1, 0.5, 0.5), weighed("even", 1, 0.25, 1 / 3)
    assert confidence(()) == 1
    assert confidence((half, third)) == pytest.approx(1 / 6)
    assert confidence((half, third, ruled("room", 1, 0.1))) == 0


def test_what_speaks_against_a_die_is_told_first() -> None:
    clues = (ruled("room", 0, 0.1), weighed("margin", 0.2, 0.6, 1 / 3, 5), weighed("even", 0.4, 0.25, 0.85))
    first, second, third = explained(clues)
    assert first == "- a 5 would fit nearly as well (0.2, at least 0.6; takes 67 %)"
    assert second.startswith("- a gleam")
    assert third.startswith("+ there is room")


def test_every_clue_the_reader_gives_has_its_words() -> None:
    source = "".join(path.read_text() for path in (ROOT / "vision").glob("*.py"))
    given = set(re.findall(r'(?:ruled|weighed|Clue)\(\s*"([^"]+)"', source))
    assert given == set(WORDS)
    for name in given:
        for leaves in (0.0, 1.0):
            assert Clue(name, 0, 1, leaves, 4).text


def test_the_confidence_is_what_the_clues_leave(profile: Profile) -> None:
    for path in sorted(_DATA.glob("white_*_throw.jpg")):
        for seen in (profile, None):
            for die in read(Frame(_image(path)), seen).dice:
                assert die.clues
                assert die.confidence == confidence(die.clues)


def test_a_cocked_die_says_what_it_was_known_by(profile: Profile) -> None:
    (die,) = (die for die in read(Frame(_image(_COCKED)), profile).dice if die.state == "cocked")
    assert die.confidence == 0
    assert any(clue.leaves == 0 for clue in die.clues)


def test_explain_tells_per_die_why_and_then_the_doubts(
    profile: Profile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.save(profile, tmp_path / "p.toml")
    assert main(["read", "--explain", "--profile", str(tmp_path / "p.toml"), str(_COCKED)]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith(str(_COCKED))
    heads = [line for line in lines if re.match(r"  [1-6?] at \(\d+, \d+\): \w+ die, ", line)]
    assert len(heads) == 6
    assert sum("cocked, confidence 0.00" in head for head in heads) == 1
    assert any(line.startswith("      + each pip") for line in lines)
    assert re.match(r"  \? cocked at \(\d+, \d+\): This die does not lie flat", lines[-1])


def test_json_has_the_clues_only_when_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(_COCKED)]) == 0
    assert main(["read", "--json", "--explain", str(_COCKED)]) == 0
    plain, explained_ = (json.loads(line)["dice"] for line in capsys.readouterr().out.splitlines())
    assert all("clues" not in die for die in plain)
    for die in explained_:
        assert {"name", "text", "measured", "limit", "leaves"} == set(die["clues"][0])
