"""Profiles on disk, and the commands that make and use them."""

import io
import json
import re
import shutil
import struct
import zlib
from dataclasses import fields, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import kept, learn, store, whole
from firmware.__main__ import main
from vision import emblem, likeness
from vision.dice_set import Kind, Learned, Roll, Slack
from vision.errors import VisionError
from vision.geometry import Camera
from vision.profile import Profile

_DATA = Path(__file__).parent / "data" / "reader"
_EMPTY, _THROW = _DATA / "white_00_empty.jpg", _DATA / "white_03_throw.jpg"
_DICE = (_DATA / "white_01_calib.jpg", _DATA / "white_02_calib.jpg")


def _profile(with_pictures: bool = True) -> Profile:
    rng = np.random.default_rng(5)
    return Profile(
        64,
        48,
        Camera(54.4, 31.5, 23.5, 0.012345, -0.04, 351.25, -0.05),
        (
            Kind(
                'say "red"',
                (20.5, 30.0, 200.0),
                (240.0, 241.0, 242.0),
                16.0,
                0.25125,
                0.0875,
                0.125,
                9,
                (1.15, 0.92),
                5,
            ),
            Kind("ivory", (200.0, 220.0, 230.0), (20.0, 20.0, 20.0), 12.0, 0.26, 0.1, 0.1),
        ),
        ((1.0, 2.0), (60.0, 2.0), (60.0, 40.0), (1.0, 40.0)),
        ((60.0, 2.0), (63.0, 2.0), (63.0, 40.0)),
        rng.integers(0, 255, (48, 64, 3), np.uint8) if with_pictures else None,
        rng.integers(0, 255, (16, 16, 16), np.uint8) if with_pictures else None,
        Slack(0.0123, 0.0345, 0.456, 0.25, 0.125, tuple(k / 100 for k in range(16)), (0.0031, 0.0042)),
        Learned("2026-02-03", "0.1.0", 2, 11, 2, 'Our "best" dice\x7f\n', "IMX708 0123456789"),
        {"ExposureTime": 10_000, "AeEnable": False, "ColourGains": (1.5, 2.25), "Lens Position": 2.5, "mode": "fast"},
        (Roll((1, 2, 3, 4, 5, 6), True, 0.9875), Roll((1, 1), False, 0.5)),
    )


@pytest.mark.parametrize("with_pictures", [True, False])
def test_a_profile_comes_back_as_it_was_saved(tmp_path: Path, with_pictures: bool) -> None:
    saved = _profile(with_pictures)
    store.save(saved, tmp_path / "new" / "tray.toml")
    loaded = store.load(tmp_path / "new" / "tray.toml")
    for name in (f.name for f in fields(Profile)):
        if name not in ("empty", "likeness"):
            assert getattr(loaded, name) == getattr(saved, name), name
    for name in ("empty", "likeness"):
        one, two = getattr(saved, name), getattr(loaded, name)
        assert (one is None) == (two is None)
        assert one is None or np.array_equal(one, two)


def test_a_profile_may_be_moved(tmp_path: Path) -> None:
    store.save(_profile(), tmp_path / "here" / "tray.toml")
    shutil.move(tmp_path / "here", tmp_path / "there")
    assert store.load(tmp_path / "there" / "tray.toml").empty is not None
    assert str(tmp_path) not in (tmp_path / "there" / "tray.toml").read_text()


def test_saving_again_leaves_nothing_behind(tmp_path: Path) -> None:
    store.save(_profile(), tmp_path / "tray.toml")
    before = {p.name for p in tmp_path.rglob("*")}
    empty = np.zeros((48, 64, 3), np.uint8)
    store.save(replace(_profile(), empty=empty), tmp_path / "tray.toml")
    after = {p.name for p in tmp_path.rglob("*")}
    assert len(before) == len(after) == 4
    assert len(after - before) == 1
    assert np.array_equal(np.asarray(store.load(tmp_path / "tray.toml").empty), empty)


def test_a_profile_of_before_has_pictures_by_another_name_and_no_set(tmp_path: Path) -> None:
    path = tmp_path / "tray.toml"
    store.save(_profile(), path)
    text = re.sub(r'^(name = "Our|camera = "IMX|count = |exact = ).*\n', "", path.read_text(), flags=re.M)
    text = re.sub(r"(?s)\[controls\].*", "", text)
    for what, name in (("empty", "empty.ppm"), ("colours", "colours.png")):
        next(tmp_path.glob(f"tray.d/{what}-*")).rename(tmp_path / "tray.d" / name)
        text = re.sub(rf'^{what} = ".*"', f"{what} = true", text, flags=re.M)
    path.write_text(text)
    loaded = store.load(path)
    assert loaded.empty is not None
    assert (loaded.learned.name, loaded.controls, loaded.rolls, loaded.kinds[0].count) == ("", {}, (), 0)
    assert loaded.slack.exact == (0.0, 0.0)


def _damage(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("format = 2", "format = 99", "another version"),
        ("[camera]", "[camera", "damaged"),
        ("focal = ", "vocal = ", "focal is missing"),
        ("focal = 54.400", "focal = -3", "out of range"),
        ("pip_offset = 0.25125", "pip_offset = 7", "larger than its die"),
        ("body = [20.5, 30.0, 200.0]", "body = [20.5, 30.0]", "damaged"),
        ("body = [20.5, 30.0, 200.0]", "body = [20.5, 30.0, 900.0]", "no colour"),
        ("width = 64", 'width = "wide"', "damaged"),
        ("[[dice]]", "[[cubes]]", "dice is missing"),
        ('empty = "empty', 'empty = "../empty', "no name of a picture"),
        ('AeEnable" = false', 'AeEnable" = {}', "no setting of a camera"),
    ],
)
def test_a_damaged_profile_is_refused_in_one_sentence_with_the_cure(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    path = tmp_path / "tray.toml"
    store.save(_profile(), path)
    _damage(path, old, new)
    with pytest.raises(VisionError, match=says) as caught:
        store.load(path)
    assert "stickman calibrate" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_and_foreign_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("name = 'Our table'\n")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for name, says in (("none.toml", "no profile"), ("other.toml", "is no profile"), ("binary.toml", "cannot be read")):
        with pytest.raises(VisionError, match=says):
            store.load(tmp_path / name)


def test_a_profile_without_its_pictures_says_which(tmp_path: Path) -> None:
    store.save(_profile(), tmp_path / "tray.toml")
    next(tmp_path.glob("tray.d/colours-*")).write_bytes(b"no picture")
    with pytest.raises(VisionError, match=r"colours-\w+\.png of .* cannot be read"):
        store.load(tmp_path / "tray.toml")
    next(tmp_path.glob("tray.d/empty-*")).unlink()
    with pytest.raises(VisionError, match=r"empty-\w+\.ppm of .* cannot be read"):
        store.load(tmp_path / "tray.toml")


def test_pictures_of_two_sizes_make_no_profile() -> None:
    one, two = np.zeros((480, 640, 3), np.uint8), np.zeros((240, 320, 3), np.uint8)
    with pytest.raises(VisionError, match="differ in size"):
        learn.build(one, [two])


def test_pictures_without_dice_make_no_profile() -> None:
    plain = np.full((480, 640, 3), 90, np.uint8)
    with pytest.raises(VisionError, match="No dice were found"):
        learn.build(plain, [plain])
    with pytest.raises(VisionError, match="no picture of dice"):
        learn.build(plain, [])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("calibrated") / "tray.toml"
    dice = [word for path in _DICE for word in ("--dice", str(path))]
    assert main(["calibrate", "--empty", str(_EMPTY), *dice, "--rail", "--count", "6", "--out", str(out)]) == 0
    return out


def test_calibrate_says_what_it_learned(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dice = [word for path in _DICE for word in ("--dice", str(path))]
    main(["calibrate", "--empty", str(_EMPTY), *dice, "--rail", "--out", str(made.with_name("again.toml"))])
    said = capsys.readouterr().out
    assert "16 mm" in said
    assert "2 of 2 of its own pictures read for sure" in said
    assert store.load(made).learned.version


def test_read_prints_one_line_of_json_a_picture(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--profile", str(made), "--json", str(_THROW), str(_EMPTY)]) == 0
    throw, empty = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert set(throw) == {"file", "values", "sure", "doubts", "dice", "ms"}
    assert throw["file"] == str(_THROW)
    assert throw["sure"]
    assert {"value", "x", "y", "size", "angle", "colour", "zone", "confidence", "state"} <= set(throw["dice"][0])
    assert empty["values"] == []
    assert empty["sure"]


def test_read_draws_what_it_saw(made: Path, tmp_path: Path) -> None:
    assert main(["read", "--profile", str(made), "--annotate", str(tmp_path / "seen"), str(_THROW)]) == 0
    drawn = cv2.imread(str(tmp_path / "seen" / "white_03_throw.png"))
    assert drawn is not None
    assert drawn.shape == cv2.imread(str(_THROW)).shape


def test_what_is_no_picture_is_named_and_the_rest_is_read(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "empty.png").write_bytes(b"")
    cv2.imwrite(str(tmp_path / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    size = struct.pack(">I", len(header)) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    (tmp_path / "huge.png").write_bytes(b"\x89PNG\r\n\x1a\n" + size)
    names = ("text.jpg", "empty.png", "dot.png", "huge.png", "none.png")
    bad = [str(tmp_path / name) for name in names] + [str(tmp_path)]
    assert main(["read", "--profile", str(made), "--json", *bad, str(_THROW)]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert len(captured.err.splitlines()) == len(bad)
    for name, line in zip(bad, captured.err.splitlines(), strict=True):
        assert line.startswith("stickman: ")
        assert name in line


def test_calibrate_refuses_what_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--dice", str(_DICE[0]), "--size-mm", "500", "--out", str(tmp_path / "p.toml")]) == 2
    assert main(["calibrate", "--dice", str(tmp_path / "none.jpg"), "--out", str(tmp_path / "p.toml")]) == 2
    assert main(["calibrate", "--out", str(tmp_path / "p.toml")]) == 2
    assert main(["calibrate", "--camera", "usb:0", "--dice", str(_DICE[0]), "--out", str(tmp_path / "p.toml")]) == 2
    assert all(line.startswith("stickman: ") for line in capsys.readouterr().err.splitlines())
    assert list(tmp_path.iterdir()) == []


def test_pictures_are_kept_in_the_size_that_they_are_used_in() -> None:
    assert (kept.FACE_PX, kept.COLOURS) == (emblem.SIDE, likeness.BINS)


@settings(max_examples=60)
@given(st.integers(1, 20), st.integers(1, 20), st.booleans(), st.data())
def test_a_png_is_whole_if_it_unpacks_and_is_found_out_when_a_byte_changes(
    h: int, w: int, colour: bool, data: st.DataObject
) -> None:
    shape = (h, w, 3) if colour else (h, w)
    picture = np.random.default_rng(h * w).integers(0, 255, shape, np.uint8)
    packed = cv2.imencode(".png", picture)[1].tobytes()
    whole.check(io.BytesIO(packed), shape)
    at, new = data.draw(st.integers(0, len(packed) - 1)), data.draw(st.integers(1, 255))
    with pytest.raises(ValueError, match=r"size|unpacked"):
        whole.check(io.BytesIO(packed[:at] + bytes((packed[at] ^ new,)) + packed[at + 1 :]), shape)
    with pytest.raises(ValueError, match=r"size|unpacked"):
        whole.check(io.BytesIO(packed[: -data.draw(st.integers(1, len(packed)))]), shape)
