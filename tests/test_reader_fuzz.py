"""Whatever is put before the reader: an answer, or one sentence with the cure. Never a traceback, never a sure die
where there is none."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reliability import reader
from rendered import DATA, LABELS, Rendered, picture

from calibration import store
from firmware.__main__ import main
from vision.frame import Frame, Image

_FILE = "b39_03_throw.jpg"
_VALUES = next(sorted(label["values"]) for label in LABELS if label["file"] == _FILE)
_FEW = settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _noise(seed: int, blur: float, height: int = 480, width: int = 640) -> Image:
    """Grain of any size at full contrast."""
    grain = np.random.default_rng(seed).normal(0, 1, (height, width, 3))
    if blur > 0.3:
        grain = cv2.GaussianBlur(grain, (0, 0), blur)
    low, high = grain.min(), grain.max()
    return np.asarray(255 * (grain - low) / (high - low), np.uint8)


def _ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    answer = main(["read", "--json", *arguments])
    told = capsys.readouterr()
    return answer, told.out, told.err


@_FEW
@given(seed=st.integers(0, 999), blur=st.floats(0, 12))
def test_noise_is_no_sure_die(seed: int, blur: float) -> None:
    reading = reader()(Frame(_noise(seed, blur)), None)
    assert not (reading.sure and reading.dice)


@_FEW
@given(seed=st.integers(0, 999), blur=st.floats(0, 12))
def test_noise_is_no_sure_die_with_a_profile_either(rendered: Rendered, seed: int, blur: float) -> None:
    reading = reader()(Frame(_noise(seed, blur, 960, 1280)), rendered.profile("b39"))
    assert not (reading.sure and reading.dice)


def test_a_dotted_cloth_is_asked_about_and_ends() -> None:
    cloth = np.full((480, 640, 3), 60, np.uint8)
    for x in range(30, 640, 24):
        for y in range(30, 480, 24):
            cv2.circle(cloth, (x, y), 5, (230, 230, 230), -1, cv2.LINE_AA)
    assert not reader()(Frame(cloth), None).sure


@pytest.mark.parametrize("suffix", ["16.png", "16.tiff", "alpha.png", "grey.png"])
@pytest.mark.parametrize("with_profile", [True, False])
def test_any_kind_of_picture_file_is_read(
    suffix: str, with_profile: bool, tmp_path: Path, rendered: Rendered, capsys: pytest.CaptureFixture[str]
) -> None:
    image = picture(_FILE)
    stored = {
        "16.png": image.astype(np.uint16) * 257,
        "16.tiff": image.astype(np.uint16) * 257,
        "alpha.png": np.dstack([image, np.full(image.shape[:2], 90, np.uint8)]),
        "grey.png": cv2.cvtColor(image, cv2.COLOR_BGR2GRAY),
    }[suffix]
    file, profile = tmp_path / suffix, tmp_path / "p.toml"
    cv2.imwrite(str(file), stored)
    store.save(rendered.profile("b39"), profile)
    answer, out, _ = _ask(capsys, *(["--profile", str(profile)] if with_profile else []), str(file))
    told = json.loads(out)
    assert answer == 0
    assert not told["sure"] or told["values"] == _VALUES


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kept=st.floats(0, 1), flips=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=30))
def test_a_damaged_file_is_told_in_a_sentence_or_shows_no_wrong_value(
    kept: float,
    flips: list[tuple[float, int]],
    tmp_path: Path,
    rendered: Rendered,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = bytearray((DATA / _FILE).read_bytes())
    for where, byte in flips:
        data[int(where * (len(data) - 1))] = byte
    file, profile = tmp_path / "damaged.jpg", tmp_path / "p.toml"
    file.write_bytes(data[: int(kept * len(data))] if kept < 0.9 else data)
    store.save(rendered.profile("b39"), profile)
    answer, out, err = _ask(capsys, "--profile", str(profile), str(file))
    if answer:
        assert (answer, out) == (2, "")
        assert err.startswith("stickman: ")
        assert len(err.splitlines()) == 1
    else:
        told = json.loads(out)
        assert not told["sure"] or not Counter(told["values"]) - Counter(_VALUES)
