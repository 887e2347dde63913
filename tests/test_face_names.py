"""Dice without pips are shown as they look: by the names that their owner gave the faces."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import paged
import pytest
from patience import PATIENCE_S
from served import House
from test_emblems import EMBLEMS
from test_web_stream import Stream

from calibration import store
from vision.dice_set import called
from vision.reader import asked
from vision.seen import Doubt, SeenDie

POKER = dict(enumerate(("9", "10", "J", "Q", "K", "A"), 1))
NUMERALS = {value: str(value) for value in range(1, 7)}


def test_faces_have_the_names_that_all_dice_share() -> None:
    assert called([POKER]) == ("9", "10", "J", "Q", "K", "A")
    assert called([POKER, POKER | {3: "Jack"}]) == ("9", "10", "", "Q", "K", "A")
    assert called([POKER, {}]) == ()
    assert called([]) == ()


def test_a_logo_that_only_counts_something_keeps_its_pips_and_numerals_are_numerals() -> None:
    assert called([{1: "1"}]) == ()
    assert called([{1: "logo"}]) == ("logo", "", "", "", "", "")
    assert called([NUMERALS]) == ("1", "2", "3", "4", "5", "6")


def test_a_doubt_calls_a_face_by_its_name() -> None:
    queen = SeenDie(4, 10.0, 10.0, 40.0, likely=(4, 5))
    assert "looks like a Q, but" in asked(queen, tuple(POKER.values())).text
    assert "looks like a 4, but" in asked(queen).text
    assert "looks like a 4, but" in asked(queen, ("logo", "", "", "", "", "")).text


def test_an_open_page_draws_the_names_once_such_dice_are_used_and_pips_again_afterwards(house: House) -> None:
    stream = Stream(house.port, "/events?board=play")
    assert letters(stream.event("board")["data"]) == ["?"]
    house.table.faces_called(("9", "10", "J", "Q", "K", ""))
    assert letters(stream.event("board")["data"]) == ["?", "9", "10", "J", "Q", "K"]
    house.table.faces_called(())
    assert letters(stream.event("board")["data"]) == ["?"]
    stream.close()


def test_a_name_that_does_not_fit_on_a_die_leaves_its_pips(house: House) -> None:
    stream = Stream(house.port, "/events?board=tv")
    stream.event("board")
    house.table.faces_called(("skull", "", "", "", "", "K"))
    assert letters(stream.event("board")["data"]) == ["?", "K"]
    stream.close()


@pytest.mark.browser
def test_those_who_listen_hear_the_names_that_others_see(phone: Any, home: paged.House) -> None:
    ann = phone("Ann")
    home.table.faces_called(tuple(POKER.values()))
    home.start("Ann", "Bo")
    home.throw(1, 2, 3, 4, 5, 6)
    ann.get_by_role("button", name="Set aside 9 K for 150").click()
    ann.get_by_role("button", name="K, set aside", exact=True).wait_for()
    home.see("unsure", *paged.dice(1, None, 3, 4), doubts=(Doubt("value", 300, 500, "?", (2, 6)),), roll=9)
    ann.get_by_role("button", name="It shows a 10").wait_for()
    ann.get_by_text("Something else").click()
    ann.get_by_role("button", name="A J", exact=True).wait_for()


def test_the_eye_tells_the_names_of_the_set_that_it_reads_with(
    trays: Callable[..., Any], learned: Path, tmp_path: Path
) -> None:
    profile = store.load(learned / "profiles" / "simulated-set.toml")
    faces = tuple(replace(one, value=at, name=POKER[at]) for at, one in enumerate((*EMBLEMS, *EMBLEMS)[:6], 1))
    path = tmp_path / "poker.toml"
    store.save(replace(profile, kinds=tuple(replace(kind, emblems=faces) for kind in profile.kinds)), path)
    tray = trays(tmp_path / "state", "--simulated", "--profile", str(path))
    ends_s, page = time.monotonic() + PATIENCE_S, ""
    while ">Q</text>" not in page:
        assert time.monotonic() < ends_s
        time.sleep(0.2)
        page = urlopen(tray.url).read().decode()


def letters(told: dict[str, Any]) -> list[str]:
    """What is written on the faces 0 to 6, where there are no pips."""
    return re.findall(r">([^<>]+)</text>", told["sections"]["dice"])
