"""Pictures find their throw whichever comes first; the disputed ones outlive the others, restarts and full disks."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.album import Album, ThrowKey
from firmware.link import Pictured
from firmware.rack import Rack

RECENT, KEPT = 1000, 700
DEEDS = st.lists(st.tuples(st.sampled_from(["throw", "late", "dispute", "restart"]), st.integers(1, 400)), max_size=12)


@contextmanager
def album(folder: Path, free: int = 1 << 40) -> Iterator[Album]:
    made = Album(
        Rack(folder / "recent", RECENT, free=lambda _: free), Rack(folder / "kept", KEPT, True, free=lambda _: free)
    )
    made.start()
    yield made
    made.stop()


def shot(taken_ms: int, size: int = 100) -> Pictured:
    return Pictured(taken_ms, (b"die",), os.urandom(size), b"drawn", b"film")


def key(move: int) -> ThrowKey:
    return ThrowKey("g1", move)


def test_pictures_and_throw_find_each_other_in_either_order(tmp_path: Path) -> None:
    with album(tmp_path) as made:
        made.pictured(shot(7))
        made.counted(7, key(2))
        made.counted(9, key(3))
        made.pictured(shot(9))
        made.pictured(shot(11))
        made.counted(12, key(4))
    assert made.throws() == {"g1-2", "g1-3"}
    assert made.pictures(key(3)).keys() == {"still", "drawn", "film"}
    assert made.pictures(key(4)) == {}


def test_close_ups_are_those_of_the_last_readings_and_are_on_no_disk(tmp_path: Path) -> None:
    with album(tmp_path) as made:
        made.pictured(Pictured(7, (b"one", b"")))
        assert [made.closeup(7, 0), made.closeup(7, 1), made.closeup(7, 2), made.closeup(6, 0)] == [b"one", *[None] * 3]
        for taken_ms in range(8, 20):
            made.pictured(Pictured(taken_ms, (b"another",)))
        assert (made.closeup(7, 0), made.closeup(19, 0)) == (None, b"another")
    assert list(tmp_path.rglob("*.jpg")) == []


@settings(max_examples=40)
@given(DEEDS)
def test_disputed_throws_stay_whatever_comes_after_them(deeds: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, disputed, move = Path(place), list[int](), 0
        parts = album(folder)
        made = parts.__enter__()
        for deed, size in deeds:
            match deed:
                case "restart":
                    parts.__exit__(None, None, None)
                    parts = album(folder)
                    made = parts.__enter__()
                case "dispute" if move:
                    assert made.keep(key(move)), "it has just come"
                    disputed += [] if move in disputed else [move]
                case "throw" | "late":
                    move += 1
                    if deed == "late":
                        made.counted(move, key(move))
                    made.pictured(shot(move, size))
                    if deed == "throw":
                        made.counted(move, key(move))
        parts.__exit__(None, None, None)
        sizes = {name: [file.stat().st_size for file in (folder / name).rglob("*.jpg")] for name in ("recent", "kept")}
        assert sum(sizes["recent"]) <= RECENT
        assert sum(sizes["kept"]) <= KEPT
        # Of the disputed ones only those go that leave no room for newer disputed ones.
        kept = [number for number in disputed if made.pictures(key(number))]
        assert kept == disputed[len(disputed) - len(kept) :]
        assert len(kept) == len(disputed) or sum(sizes["kept"]) > KEPT - 500
        assert not move or made.pictures(key(move))


def test_on_a_full_disk_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    with album(tmp_path, free=0) as made:
        made.pictured(shot(7))
        made.counted(7, key(2))
        assert made.keep(key(2)) is False
        assert made.closeup(7, 0) == b"die"
    assert made.throws() == set()


def test_a_disk_that_fills_up_after_the_throw_leaves_what_is_looked_at(tmp_path: Path) -> None:
    with album(tmp_path) as made:
        made.pictured(shot(7))
        made.counted(7, key(2))
    full = Album(Rack(tmp_path / "recent", RECENT), Rack(tmp_path / "kept", KEPT, True, free=lambda _: 0))
    full.start()
    assert full.keep(key(2)) is False
    full.stop()
    assert full.pictures(key(2)).keys() == {"still", "drawn", "film"}
