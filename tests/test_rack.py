"""The folder of pictures never grows beyond its size, keeps the newest, and survives whatever ends a program."""

import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rack import RESERVE, Rack

MOST = 1000
THROWS = st.lists(st.tuples(st.integers(0, 700), st.integers(0, 700)), max_size=12)


@contextmanager
def folder() -> Iterator[Path]:
    place = Path(tempfile.mkdtemp())
    yield place / "rack"
    shutil.rmtree(place)


def on_disk(place: Path) -> int:
    return sum(file.stat().st_size for file in place.rglob("*.jpg"))


def pictures(*sizes: int) -> dict[str, bytes]:
    return {f"p{k}": bytes([k]) * size for k, size in enumerate(sizes)}


@settings(max_examples=60)
@given(THROWS, st.booleans())
def test_whatever_is_put_the_newest_are_there_and_never_too_many(sizes: list[tuple[int, int]], lasting: bool) -> None:
    with folder() as place:
        rack, held = Rack(place, MOST, lasting), {}
        for number, size in enumerate(sizes):
            if sum(size) > MOST:
                with pytest.raises(OSError, match="No space left"):
                    rack.put(str(number), pictures(*size))
                continue
            rack.put(str(number), pictures(*size))
            held[str(number)] = pictures(*size)
            while sum(len(jpeg) for each in held.values() for jpeg in each.values()) > MOST:
                held.pop(next(iter(held)))
            assert on_disk(place) == rack.size <= MOST
        for each in (rack, Rack(place, MOST, lasting)):
            assert {throw: each.pictures(throw) for throw in each.throws} == held


def test_a_throw_is_put_with_all_its_pictures_or_not_at_all(tmp_path: Path) -> None:
    rack = Rack(tmp_path, 10_000_000)
    rack.put("1", pictures(10, 10))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            rack.put("2", pictures(500, 5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [path.name for path in tmp_path.iterdir()] == ["1"]
    rack.put("2", pictures(500, 5000))
    assert rack.throws == ("1", "2")


def test_a_disk_that_fills_up_takes_from_the_pictures_and_leaves_room_for_the_game(tmp_path: Path) -> None:
    left = [RESERVE + 100]
    rack = Rack(tmp_path, MOST, free=lambda _: left[0] - on_disk(tmp_path))
    for number in range(3):
        rack.put(str(number), pictures(40))
    assert rack.throws == ("1", "2")
    left[0] = RESERVE
    with pytest.raises(OSError, match="No space left"):
        rack.put("3", pictures(40))
    assert rack.throws == ()


def test_what_a_power_cut_left_half_written_is_gone(tmp_path: Path) -> None:
    Rack(tmp_path, MOST).put("1", pictures(10))
    (tmp_path / ".new").mkdir()
    (tmp_path / ".new" / "still.jpg").write_bytes(b"half")
    assert Rack(tmp_path, MOST).throws == ("1",)
    assert not (tmp_path / ".new").exists()


def test_a_rack_that_was_made_smaller_holds_less_at_once(tmp_path: Path) -> None:
    rack = Rack(tmp_path, MOST)
    for number in range(5):
        rack.put(str(number), pictures(200))
    assert Rack(tmp_path, 500).throws == ("3", "4")


def test_a_folder_that_cannot_be_used_holds_nothing_and_says_so_when_put(tmp_path: Path) -> None:
    (tmp_path / "rack").write_bytes(b"a file stands here")
    rack = Rack(tmp_path / "rack", MOST)
    assert rack.throws == ()
    with pytest.raises(OSError, match="rack"):
        rack.put("1", pictures(10))
