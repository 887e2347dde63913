"""Videos and folders of pictures in place of a camera."""

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.drivers.files import WIDEST, FileCamera, frames_of
from firmware.drivers.pictures import natural, picture_files, read_picture
from firmware.errors import BadInput
from vision.frame import Frame


class Clock:
    """Time that goes on only while somebody waits."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def camera_of(path: Path, clock: Clock, started_at_s: float | None = None) -> FileCamera:
    return FileCamera(path, started_at_s=started_at_s, clock=clock, sleep=clock.sleep)


def picture(path: Path, level: int, width: int = 160, height: int = 120) -> Path:
    cv2.imwrite(str(path), np.full((height, width, 3), level, np.uint8))
    return path


def film(path: Path, frames: int = 20, fps: float = 25.0, width: int = 160, height: int = 120) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (width, height))
    for number in range(frames):
        writer.write(np.full((height, width, 3), 10 * number, np.uint8))
    writer.release()
    return path


def level(frame: Frame) -> int:
    return round(float(frame.image.mean()) / 10)


def test_pictures_come_in_the_order_a_person_would_count_them(tmp_path: Path) -> None:
    for name in ("10.png", "9.png", "b2.png", "b10.png", "1.PNG", "notes.txt"):
        picture(tmp_path / name, 0) if name.lower().endswith("png") else (tmp_path / name).write_text("x")
    assert [f.name for f in picture_files(tmp_path)] == ["1.PNG", "9.png", "10.png", "b2.png", "b10.png"]


@given(st.text(), st.integers(0, 10**6), st.integers(0, 10**6))
def test_numbers_in_names_are_ordered_as_numbers(start: str, low: int, high: int) -> None:
    start = start.rstrip("0123456789") + "-"
    first, second = natural(f"{start}{low}.png"), natural(f"{start}{high}.png")
    assert (first < second) == (low < high)


@given(st.text(), st.text())
def test_names_of_any_kind_have_an_order(one: str, other: str) -> None:
    assert (natural(one) < natural(other)) or (natural(other) <= natural(one))


def test_a_folder_is_watched_picture_by_picture(tmp_path: Path) -> None:
    for number in (2, 10, 1):
        picture(tmp_path / f"{number}.png", 10 * number)
    frames = list(frames_of(tmp_path))
    assert [level(f) for f in frames] == [1, 2, 10]
    assert [f.seq for f in frames] == [0, 1, 2]
    assert frames[2].at_s == pytest.approx(2 / 30)


def test_a_video_is_watched_frame_by_frame_in_its_own_time(tmp_path: Path) -> None:
    frames = list(frames_of(film(tmp_path / "f.avi")))
    assert [level(f) for f in frames] == list(range(20))
    assert frames[10].at_s == pytest.approx(10 / 25)


def test_a_picture_is_shown_for_two_seconds_and_the_last_one_for_ever(tmp_path: Path) -> None:
    for number in range(3):
        picture(tmp_path / f"{number}.png", 10 * number)
    clock = Clock()
    camera = camera_of(tmp_path, clock, clock.now_s)
    shown = []
    for after_s in (0.1, 1.8, 2.1, 3.8, 4.1, 60.0, 3600.0):
        clock.now_s = 1000.0 + after_s
        shown.append(level(camera.read(1.0)))
    assert shown == [0, 0, 1, 1, 2, 2, 2]


def test_footage_holds_its_first_frame_until_it_is_started(tmp_path: Path) -> None:
    clock = Clock()
    camera = camera_of(film(tmp_path / "f.avi"), clock)
    before = [camera.read(1.0) for _ in range(5)]
    camera.start(clock.now_s)
    after = [camera.read(1.0) for _ in range(5)]
    assert [level(f) for f in before] == [0] * 5
    assert [level(f) for f in after] == [1, 2, 3, 4, 5]
    assert [f.seq for f in before + after] == sorted({f.seq for f in before + after})
    camera.close()


def test_a_film_plays_each_frame_once_and_holds_the_last(tmp_path: Path) -> None:
    clock = Clock()
    camera = camera_of(film(tmp_path / "f.avi"), clock, clock.now_s + 1 / 25)
    levels = [level(camera.read(1.0)) for _ in range(30)]
    assert [n for n in levels if n < 19] == list(range(19))
    assert levels[19:] == [19] * 11
    camera.close()


def test_after_a_restart_footage_goes_on_where_it_was(tmp_path: Path) -> None:
    clock = Clock()
    camera = camera_of(film(tmp_path / "f.avi"), clock, clock.now_s - 0.4)
    assert level(camera.read(1.0)) in (10, 11)
    camera.close()


def test_starting_twice_does_not_start_again(tmp_path: Path) -> None:
    clock = Clock()
    camera = camera_of(film(tmp_path / "f.avi"), clock, clock.now_s - 0.4)
    camera.start(clock.now_s)
    assert level(camera.read(1.0)) >= 10
    camera.close()


def test_large_photographs_are_made_smaller_once(tmp_path: Path) -> None:
    picture(tmp_path / "1.jpg", 50, 3280, 2464)
    camera = FileCamera(tmp_path)
    first, second = camera.read(1.0), camera.read(1.0)
    assert first.image.shape == (1232, WIDEST, 3)
    assert first.image is second.image


@pytest.mark.parametrize(
    ("size", "shape"),
    [((640, 480), (480, 640, 3)), ((80, 60), (60, 80, 3)), ((640, 360), (120, 160, 3)), (None, (120, 160, 3))],
)
def test_pictures_take_the_profiles_size_when_their_shape_agrees(
    tmp_path: Path, size: tuple[int, int] | None, shape: tuple[int, ...]
) -> None:
    picture(tmp_path / "1.png", 50)
    assert FileCamera(tmp_path, size=size).read(1.0).image.shape == shape
    camera = FileCamera(film(tmp_path / "f.avi"), size=size)
    assert camera.read(1.0).image.shape == shape
    camera.close()


def test_a_photograph_lies_upright_as_its_camera_says(tmp_path: Path) -> None:
    # JPEG's orientation 6: turned by 90 degrees. Written by hand, as OpenCV writes none.
    plain = cv2.imencode(".jpg", np.zeros((20, 40, 3), np.uint8))[1].tobytes()
    tiff = b"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
    exif = b"Exif\x00\x00" + tiff
    turned = plain[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + plain[2:]
    (tmp_path / "t.jpg").write_bytes(turned)
    assert read_picture(tmp_path / "t.jpg").shape == (40, 20, 3)


def test_pictures_of_two_cameras_are_refused_by_name(tmp_path: Path) -> None:
    picture(tmp_path / "1.png", 50)
    picture(tmp_path / "2.png", 50, 320, 240)
    with pytest.raises(BadInput, match=r"1\.png is 160x120, 2\.png is 320x240"):
        FileCamera(tmp_path)


def broken(kind: str, folder: Path) -> Path:
    match kind:
        case "missing":
            return folder / "nothing.mp4"
        case "empty folder":
            return folder
        case "empty video":
            (folder / "v.mp4").touch()
            return folder / "v.mp4"
        case "text for a video":
            (folder / "v.mp4").write_text("hello")
            return folder / "v.mp4"
        case "video without frames":
            return film(folder / "v.avi", frames=0)
        case "one-pixel picture":
            picture(folder / "p.png", 0, 1, 1)
        case "empty picture":
            (folder / "p.png").touch()
        case "text for a picture":
            (folder / "p.png").write_text("hello")
        case "text among pictures":
            picture(folder / "o.png", 0)
            (folder / "p.png").write_text("hello")
        case "tiny video":
            return film(folder / "v.avi", width=8, height=8)
    return folder


@pytest.mark.parametrize(
    "kind",
    [
        "missing",
        "empty folder",
        "empty video",
        "text for a video",
        "video without frames",
        "one-pixel picture",
        "empty picture",
        "text for a picture",
        "text among pictures",
        "tiny video",
    ],
)
def test_bad_footage_is_answered_in_one_sentence(kind: str, tmp_path: Path) -> None:
    path = broken(kind, tmp_path)
    for use in (lambda: list(frames_of(path)), lambda: FileCamera(path)):
        with pytest.raises(BadInput) as caught:
            use()
        assert str(caught.value).endswith(".")
        assert "\n" not in str(caught.value)


def test_nothing_but_our_sentence_is_said_about_a_broken_video(tmp_path: Path) -> None:
    program = (
        "import sys; from firmware.drivers.files import FileCamera; FileCamera(__import__('pathlib').Path(sys.argv[1]))"
    )
    path = broken("text for a video", tmp_path)
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert "no frames that can be read" in done.stderr
    assert "moov" not in done.stderr


def test_no_frame_comes_twice_however_close_the_clock_stands_to_it(tmp_path: Path) -> None:
    picture(tmp_path / "1.png", 0)
    clock = Clock()
    clock.now_s = 2001 / 20 - 1e-9
    camera = camera_of(tmp_path, clock)
    assert camera.read(1.0).seq < camera.read(1.0).seq < camera.read(1.0).seq
