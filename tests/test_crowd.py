"""Two hundred phones at one tray: each is told everything, those that never read harm nobody, and the end is an end."""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crowd import Crowd, waits
from patience import PATIENCE_S
from served import house_in

from web.app import streams_of
from web.stream import Timing

PATHS = ("/events?board=play", "/events?board=tv", "/events")


def until(true: Callable[[], object]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends_s, "it never came"
        time.sleep(0.05)


@pytest.fixture
def crowds() -> Iterator[Callable[..., Crowd]]:
    with contextlib.ExitStack() as parts:

        def gather(*numbers: Any, **more: Any) -> Crowd:
            crowd = Crowd(*numbers, **more)
            parts.callback(crowd.close)
            return crowd

        yield gather


def test_every_state_reaches_two_hundred_streams_while_the_eye_reads_and_phones_poll(
    tray: Any, crowds: Callable[..., Crowd]
) -> None:
    tray.start_game("Ann", "Bo")
    crowd = crowds(tray.port, 200, pollers=20, stalled=10, paths=PATHS)
    until(lambda: crowd.heard(0) == 200)
    for values in ((1, 1, 5, 2, 3, 4), (5, 5, 2, 3)):
        state = tray.throw(*values)
        tray.post("games/current/keep", {"dice": [values[0], values[1]], "rev": state["rev"]})
    last = tray.post("games/current/bank")["seq"]
    until(lambda: crowd.heard(last) == 200)
    assert [stream.gaps() for stream in crowd.streams if stream.gaps()] == []
    assert not any(stream.ended for stream in crowd.streams)
    heard = [{rev for rev, _ in stream.came.values()} for stream in crowd.streams]
    assert all(len(revs) >= 6 for revs in heard)
    assert {status for status, _ in crowd.polls()} <= {200, 304}
    tray.close()
    assert tray.process.returncode == 0
    until(lambda: all(stream.ended for stream in crowd.streams))


def test_clients_that_never_read_are_dropped_and_the_others_miss_nothing(
    tmp_path: Path, crowds: Callable[..., Crowd]
) -> None:
    with contextlib.ExitStack() as parts:
        house = house_in(tmp_path, parts, user_timeout_ms=1000)
        streams = streams_of(house.app)
        crowd = crowds(house.port, 10, stalled=10, paths=PATHS)
        until(lambda: streams.count() == 20)
        for number in range(2000):
            # Buffers fill, then the stream is closed.
            house.table.reached(f"http://192.0.2.{number % 200}:80", "x" * 5000)
            until(lambda number=number: crowd.heard(number) == 10)
            if streams.count() == 10:
                break
        until(lambda: streams.count() == 10)
        until(lambda: crowd.heard(house.table.view().seq) == 10)
        assert [stream.gaps() for stream in crowd.streams if stream.gaps()] == []


def test_a_phone_that_closes_its_stream_frees_its_place_before_the_next_beat(
    tmp_path: Path, crowds: Callable[..., Crowd]
) -> None:
    with contextlib.ExitStack() as parts:
        house = house_in(tmp_path, parts, timing=Timing(beat_s=1e6))
        streams = streams_of(house.app)
        crowd = crowds(house.port, 3)
        until(lambda: streams.count() == 3)
        crowd.close()
        until(lambda: streams.count() == 0)


def test_waits_are_taken_from_the_first_state_that_holds_a_move() -> None:
    came = {3: (1, 10.2), 4: (1, 10.4), 5: (2, 11.5)}
    assert list(waits([came, {}], {1: 10.0, 2: 11.0, 3: 12.0})) == [pytest.approx(0.2), pytest.approx(0.5)]
