"""The dice sets on the page and through the API: who may do what, without a script."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from served import House, house_in
from sets_of_dice import kept

from firmware.set_cards import SetCards
from firmware.sets import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    shelf = Shelf(tmp_path)
    shelf.keep(kept(), "Red <b>dice</b>")
    shelf.keep(kept(), "Blue")
    return shelf


@pytest.fixture
def at(tmp_path: Path, shelf: Shelf) -> Iterator[House]:
    with ExitStack() as parts:
        yield house_in(tmp_path, parts, dice_sets=SetCards(shelf))


@pytest.fixture
def ann(at: House) -> FlaskClient:
    """The browser of a phone with a seat."""
    client = at.app.test_client()
    assert client.post("/api/v1/join", json={"code": at.room.code, "name": "Ann"}).status_code == 200
    return client


def wired(at: House) -> None:
    """A panel is there, so the owner is whoever stands at the tray."""
    at.table.panel_is("mock", ())
    with at.table.listen() as views:
        at.table.banner("heard")
        while "heard" not in at.table.view().banners:
            views.get(5)


def test_the_page_shows_every_set_and_offers_to_change_only_to_who_sits(at: House, ann: FlaskClient) -> None:
    text = at.app.test_client().get("/sets").text
    assert text.count('class="tag">in use') == 1
    assert "Red &lt;b&gt;dice&lt;/b&gt;" in text
    assert "6 dice, 16 mm. Calibrated 3 May 2026." in text
    assert 'action="/sets' not in text
    assert "Use these dice" in ann.get("/sets").text
    assert "<script" not in text


def test_one_tap_uses_other_dice_and_comes_back_to_the_page(ann: FlaskClient, shelf: Shelf) -> None:
    answer = ann.post("/sets/red-b-dice-b/use")
    assert (answer.status_code, answer.location) == (303, "/sets")
    assert shelf.active() == "red-b-dice-b"


def test_the_page_lets_its_forms_say_where_they_come_from(ann: FlaskClient) -> None:
    assert ann.get("/sets").headers["Referrer-Policy"] == "same-origin"
    assert ann.post("/sets/blue/use", headers={"Origin": "null"}).status_code == 403


def test_a_refusal_stands_on_the_page(at: House, ann: FlaskClient) -> None:
    answer = ann.post("/sets/blue/rename", data={"name": ""})
    assert answer.status_code == 422
    assert "1 to 40 characters" in answer.text
    answer = at.app.test_client().post("/sets/blue/use")
    assert answer.status_code == 403
    assert "Join the table first" in answer.text
    assert ann.post("/sets/none/use").status_code == 404
    assert ann.post("/sets/blue/eat").status_code == 404
    assert ann.post("/sets/blue/forget").status_code == 422


def test_all_but_the_change_of_dice_is_the_owners(at: House, ann: FlaskClient, shelf: Shelf) -> None:
    wired(at)
    assert ann.post("/sets/red-b-dice-b/use").status_code == 303
    for path in ("/sets/blue/rename", "/sets/blue/undo", "/sets/blue/forget", "/sets/import"):
        answer = ann.post(path, data={"name": "Mine"})
        assert answer.status_code == 403
        assert "hold the MODE button" in answer.text
    at.room.button_held()
    assert ann.post("/sets/blue/rename", data={"name": "Mine"}).status_code == 303
    assert shelf.name("blue") == "Mine"


def test_a_set_travels_from_one_page_to_another(ann: FlaskClient, shelf: Shelf) -> None:
    given = ann.get("/api/v1/sets/blue.zip", buffered=True)
    assert given.mimetype == "application/zip"
    assert given.headers["Content-Disposition"] == "attachment; filename=blue.zip"
    answer = ann.post("/sets/import", data={"zip": (BytesIO(given.data), "blue.zip")})
    assert answer.status_code == 303
    answer = ann.post("/api/v1/sets/import", data=given.data, content_type="application/zip")
    assert (answer.status_code, answer.json["name"]) == (201, "Blue 3")
    assert shelf.slugs() == ("blue", "blue-2", "blue-3", "red-b-dice-b")
    assert shelf.active() == "blue"


def test_what_is_no_set_is_refused_on_the_page(ann: FlaskClient, shelf: Shelf) -> None:
    for data in ({}, {"zip": (BytesIO(b"no zip"), "x.zip")}):
        answer = ann.post("/sets/import", data=data, content_type="multipart/form-data")
        assert answer.status_code == 422
        assert "no .zip" in answer.text
    assert ann.post("/api/v1/sets/import", data=b"no zip", content_type="application/zip").status_code == 422
    assert ann.post("/api/v1/sets/import", data=b"{}", content_type="application/json").status_code == 415
    assert len(shelf.slugs()) == 2


def test_the_api_lists_changes_and_undoes(ann: FlaskClient, shelf: Shelf) -> None:
    shelf.renew("blue", kept(made="2026-06-04"))
    found = ann.get("/api/v1/sets").json
    assert found["fixed"] is None
    blue = found["sets"][0]
    assert (blue["slug"], blue["active"], blue["made"], blue["before"]) == ("blue", True, "2026-06-04", "2026-05-03")
    assert (blue["rolls"], blue["least"], blue["kinds"][0]["count"]) == (1, 0.97, 6)
    assert "Back to the calibration of 3 May 2026" in ann.get("/sets").text
    again = ann.post("/api/v1/sets/blue/undo", json={}).json["sets"][0]
    assert (again["made"], again["before"]) == ("2026-05-03", "2026-06-04")
    assert ann.post("/api/v1/sets/blue/rename", json={"name": "Sky"}).json["sets"][1]["name"] == "Sky"


def test_a_damaged_set_is_shown_with_what_is_wrong(ann: FlaskClient, shelf: Shelf) -> None:
    shelf.path("blue").write_text("format = 1\n")
    text = ann.get("/sets").text
    assert "another version" in text
    assert re.search(r"stickman calibrate", text)
    assert ann.get("/api/v1/sets/blue.zip").status_code == 422


def test_a_tray_started_with_a_profile_says_so(tmp_path: Path) -> None:
    with ExitStack() as parts:
        at = house_in(tmp_path, parts, dice_sets=SetCards(Shelf(tmp_path, fixed=Path("mine.toml"))))
        assert "started with the profile mine.toml" in at.app.test_client().get("/sets").text
