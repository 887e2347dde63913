"""What the dice have shown: on the page, as JSON and as CSV, and the one sentence among the dice sets."""

import csv
import io
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from served import House, house_in
from sets_of_dice import kept, profile

from calibration import store
from firmware.die_book import DieBook
from firmware.journal import Journal, Rolled
from firmware.set_cards import SetCards
from firmware.sets import Shelf
from rules.events import Player, Started, Thrown
from rules.options import Options

BEGUN = Started("farkle", Options().to_json(), 1, (Player("Ann"), Player("Bo")))
EVIL = '=1+1,"</text><b>'


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    """A tray with a mixed set, of which 30 throws were read; the red die shows nothing but sixes."""
    ours = profile()
    kinds = [replace(ours.kinds[0], name=name, count=count) for name, count in (("ivory", 2), ("red", 1), (EVIL, 1))]
    shelf = Shelf(tmp_path)
    shelf.keep(store.packed(replace(ours, kinds=tuple(kinds))), "Ours <b>")
    with ExitStack() as parts:
        book = DieBook(tmp_path / "stickman.db", SetCards(shelf).called)
        parts.callback(book.close)
        house = house_in(tmp_path, parts, dice_sets=SetCards(shelf, book.forget), die_book=book)
        with closing(Journal(tmp_path / "stickman.db")) as journal:
            journal.append("g", (BEGUN,), at="")
            for k in range(30):
                dice = (("ivory", 1 + k % 6), ("ivory", 6 - k % 6), ("red", 6), (EVIL, 1 + k % 6))
                journal.append("g", (Thrown((1,)),), at="", rolled=Rolled("ours-b", dice))
        yield house


@pytest.fixture
def ann(at: House) -> FlaskClient:
    client = at.app.test_client()
    assert client.post("/api/v1/join", json={"code": at.room.code, "name": "Ann"}).status_code == 200
    return client


def test_the_page_shows_counts_words_p_value_and_bet_of_each_die(at: House) -> None:
    text = at.app.test_client().get("/sets/ours-b/dice").text
    assert "Ours &lt;b&gt;: are they fair?" in text
    assert "2 ivory dice together" in text
    assert 'aria-label="1: 10, 2: 10, 3: 10, 4: 10, 5: 10, 6: 10, 60 rolls"' in text
    assert "No sign of a bias; to see a 5\u00a0% bias you need about 940 more rolls." in text
    assert "<dd>1, exact</dd>" in text
    assert "The red die is not fair: a six came in 100\u00a0% of 30 rolls, where 17\u00a0% are fair." in text
    assert "reached at roll 1" in text
    assert "a bias of 29\u00a0%" in text
    assert EVIL not in text
    assert "<script" not in text


def test_the_same_as_json(at: House) -> None:
    found = at.app.test_client().get("/api/v1/sets/ours-b/dice").json
    assert found["name"] == "Ours <b>"
    ivory, red, _ = found["dice"]
    assert (ivory["counts"], ivory["dice"], ivory["finding"], ivory["p_value"]) == ([10] * 6, 2, "fair", 1.0)
    assert (red["counts"], red["limit"], red["finding"]) == ([0, 0, 0, 0, 0, 30], 600, "named")
    assert red["p_value"] < 1e-9
    assert red["log10_bet"] > 2.78


def test_the_same_as_csv_in_which_no_name_is_a_formula(at: House) -> None:
    answer = at.app.test_client().get("/sets/ours-b/dice.csv")
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"] == "attachment; filename=ours-b-dice.csv"
    ivory, red, evil = csv.DictReader(io.StringIO(answer.text))
    assert (ivory["die"], ivory["dice"], ivory["six"], ivory["rolls"], ivory["named_at"]) == (
        "ivory",
        "2",
        "10",
        "60",
        "",
    )
    assert (red["die"], red["six"], red["exact"]) == ("red", "30", "yes")
    assert evil["die"] == f"'{EVIL}"


def test_a_set_that_nobody_knows_is_none(at: House) -> None:
    for path in ("/sets/none/dice", "/sets/none/dice.csv", "/api/v1/sets/none/dice"):
        answer = at.app.test_client().get(path)
        assert answer.status_code == 404
        assert "There is no dice set" in answer.text


def test_the_page_of_dice_sets_says_one_calm_sentence_and_leads_there(at: House) -> None:
    text = at.app.test_client().get("/sets").text
    assert text.count("is not fair") == 1
    assert 'href="/sets/ours-b/dice"' in text


def test_a_set_that_is_forgotten_takes_its_records_along(ann: FlaskClient, tmp_path: Path) -> None:
    Shelf(tmp_path).keep(kept(), "Other")
    assert ann.post("/api/v1/sets/ours-b/forget", json={}).status_code == 200
    assert ann.get("/sets/ours-b/dice").status_code == 404
    Shelf(tmp_path).keep(kept(), "Ours <b>")
    assert {die["rolls"] for die in ann.get("/api/v1/sets/ours-b/dice").json["dice"]} == {0}


def test_the_profile_that_the_tray_was_started_with_has_its_page_too(tmp_path: Path) -> None:
    store.save(profile(), tmp_path / "mine.toml")
    with ExitStack() as parts:
        sets = SetCards(Shelf(tmp_path, fixed=tmp_path / "mine.toml"))
        book = DieBook(tmp_path / "stickman.db", sets.called)
        parts.callback(book.close)
        client = house_in(tmp_path, parts, dice_sets=sets, die_book=book).app.test_client()
        assert 'href="/sets/mine/dice"' in client.get("/sets").text
        assert "6 ivory dice together" in client.get("/sets/mine/dice").text


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_page_fits_every_screen(chromium: Any, at: House, theme: str) -> None:
    context = chromium.new_context(color_scheme=theme)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda line: complaints.append(line.text))
    page.goto(f"http://127.0.0.1:{at.port}/sets/ours-b/dice")
    for width, height in ((360, 740), (740, 360), (820, 1180), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, theme)
        # Numbers and dice are readable, and the line of fair dice lies among the bars.
        assert page.evaluate("[...document.querySelectorAll('svg')].every((e) => e.clientWidth > 250)")
    assert page.get_by_role("img").count() == 3
    assert complaints == []
    context.close()
