"""Anybody at the table asks everybody to look at a throw again; anybody lets it stand or corrects it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from served import House, Phone, start
from test_past import one_turn
from test_table import begin, close, flushed, settled, table_on

from firmware.album import ThrowKey
from firmware.journal import Journal
from firmware.link import Pictured
from firmware.table import Table
from rules.errors import IllegalMove
from web import commands, refusals
from web.view import Disputed, View

JPEG = {name: b"\xff\xd8" + name.encode() + b"\xff\xd9" for name in ("still", "drawn", "film")}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = table_on(tmp_path)
    table.start()
    yield table
    close(table)


def disputed(view: View) -> Disputed | None:
    assert view.game is not None
    return view.game.disputed


def play(table: Table) -> None:
    begin(table)
    for roll, values in enumerate(((1, 1, 5, 2, 3, 4), (5, 2, 2, 3, 4, 6), (1, 2, 2, 3, 4, 6)), 1):
        one_turn(table, *values, roll=roll)


def test_a_throw_is_shown_to_all_until_it_stands_and_the_game_is_untouched(table: Table) -> None:
    play(table)
    before = flushed(table)
    view = table.ask(commands.Dispute(2, "Bo", ("drawn",)))
    assert disputed(view) == Disputed(2, "Bo", (2, 2, 3, 4, 5, 6), ("drawn",))
    assert view.rev == before.rev
    assert table.ask(commands.Dispute(2, "Ann")) == view, "asked twice it is asked once"
    with pytest.raises(IllegalMove, match=r"Throw 2 is being looked at: let it stand or correct it first\."):
        table.ask(commands.Dispute(1, "Ann"))
    assert disputed(table.ask(commands.Stands(1))) == disputed(view), "another throw than the one that is looked at"
    view = table.ask(commands.Stands(2))
    assert disputed(view) is None
    assert view.game is not None
    assert view.game.notes == ("Throw 2 stands.",)
    assert table.ask(commands.Stands(2)) == view, "two phones at once"
    with pytest.raises(IllegalMove, match="no throw 4"):
        table.ask(commands.Dispute(4, "Ann"))


def test_the_game_goes_on_meanwhile(table: Table) -> None:
    play(table)
    table.ask(commands.Dispute(2, "Bo"))
    assert disputed(one_turn(table, 1, 1, 1, 2, 3, 4, roll=4)) == Disputed(2, "Bo", (2, 2, 3, 4, 5, 6))


def test_a_correction_ends_it_and_one_of_another_throw_does_not(table: Table) -> None:
    play(table)
    table.ask(commands.Dispute(2, "Bo"))
    assert disputed(table.ask(commands.Correct(1, (1, 1, 1, 2, 3, 4)))) is not None
    assert disputed(table.ask(commands.Correct(2, (5, 5, 2, 3, 4, 6)))) is None


def test_a_throw_that_is_taken_back_is_looked_at_no_more(table: Table) -> None:
    play(table)
    table.ask(commands.Dispute(3, "Bo"))
    assert disputed(table.ask(commands.Undo())) is not None, "only the bank is taken back"
    assert disputed(table.ask(commands.Undo())) is None
    table.ask(commands.Dispute(2, "Bo"))
    assert disputed(begin(table)) is None


@pytest.mark.parametrize(
    ("after", "open_still"),
    [
        (None, True),
        (commands.Stands(2), False),
        (commands.Correct(2, (5, 5, 2, 3, 4, 6)), False),
        (commands.Correct(1, (1, 1, 1, 2, 3, 4)), True),
        (commands.Undo(), True),
    ],
)
def test_a_restart_finds_it_as_it_was(tmp_path: Path, after: commands.Command | None, open_still: bool) -> None:
    table = table_on(tmp_path)
    table.start()
    play(table)
    view = table.ask(commands.Dispute(2, "Bo", ("drawn", "film")))
    if after is not None:
        view = table.ask(after)
    close(table)
    again = table_on(tmp_path)
    assert disputed(again.view()) == disputed(view)
    assert (disputed(view) is not None) == open_still
    close(again)


def test_on_a_full_disk_it_is_refused_with_the_cure(table: Table) -> None:
    play(table)
    before = table.view()
    table._journal._database.execute("PRAGMA query_only = ON")
    with pytest.raises(refusals.TrayBusy, match="cannot be written"):
        table.ask(commands.Dispute(2, "Bo"))
    table._journal._database.execute("PRAGMA query_only = OFF")
    assert table.view() == before


# Over HTTP.


def pictured_throw(house: House, *values: int) -> None:
    house.album.pictured(Pictured(1000 * (house.table.view().rev + 1), (), **JPEG))
    house.settle(*values)
    assert not house.album.keep(ThrowKey("none", 0)), "asked for so that all that came before is written"


@pytest.fixture
def ann(house: House) -> Phone:
    ann = house.phone("Ann")
    start(ann, "Ann", "Bo")
    pictured_throw(house, 1, 1, 5, 2, 3, 4)
    return ann


def test_pictures_are_for_the_table_and_a_disputed_one_for_everybody(house: House, ann: Phone) -> None:
    place = "/history/g1/throws/1"
    onlooker = house.phone()
    assert ann.picture(f"{place}/still.jpg") == JPEG["still"]
    assert onlooker.picture(f"{place}/still.jpg") is None
    assert "Join the table to see its picture" in onlooker.get(place).text
    assert onlooker.post("games/current/dispute", {"throw": 1}).status == 403
    told = ann.post("games/current/dispute", {"throw": 1}).json["game"]["disputed"]
    assert (told["throw"], told["by"], told["values"]) == (1, "Ann", [1, 1, 2, 3, 4, 5])
    assert told["text"] == "Ann asks everybody to look at throw 1 again."
    assert {name: onlooker.picture(f"{place}/{name}.jpg") for name in JPEG} == JPEG
    assert onlooker.picture(told["drawn"]) == JPEG["drawn"]
    assert onlooker.picture(told["film"]) == JPEG["film"]
    assert onlooker.get("/api/v1/state").json["game"]["disputed"] == told
    assert onlooker.get(told["page"]).status == 200
    assert house.phone("Bo").post("games/current/stands", {"throw": 1}).json["game"]["disputed"] is None
    assert onlooker.picture(f"{place}/still.jpg") is None


def test_every_page_says_that_a_throw_is_looked_at_and_leads_there(house: House, ann: Phone) -> None:
    ann.post("games/current/dispute", {"throw": 1})
    for path in ("/history", "/history/current", "/sets", "/rules/farkle", "/health"):
        page = house.phone().get(path).text
        assert "Ann asks everybody to look at throw 1 again." in page, path
        assert 'href="/history/g1/throws/1"' in page, path


def test_the_page_of_a_throw_is_where_it_stands_or_is_corrected(house: House, ann: Phone) -> None:
    place, form = "/history/current/throws/1", {"Content_Type": "application/x-www-form-urlencoded"}
    page = ann.get(place).text
    assert "Show it on every screen" in page
    for name in ("drawn", "film", "still"):
        assert f"/history/g1/throws/1/{name}.jpg" in page
    answer = ann.ask("POST", "/history/g1/throws/1/dispute", "", **form)
    assert (answer.status, answer.headers["location"]) == (303, "/history/g1/throws/1")
    page = house.phone("Bo").get(place).text
    assert "Ann asks everybody to look at this throw again." in page
    assert "It stands" in page
    assert ann.ask("POST", "/history/g1/throws/1/correct", "values=1+1+1", **form).status == 409
    answer = ann.ask("POST", "/history/g1/throws/1/correct", "values=1+1+1+5+2+3", **form)
    assert answer.status == 303
    game = ann.get("/api/v1/state").json["game"]
    assert game["disputed"] is None
    assert game["turn"]["throw"] == [1, 1, 1, 2, 3, 5]
    assert "entered or corrected by hand" in ann.get(place).text
    assert ann.ask("POST", "/history/g1/throws/1/eat", "", **form).status == 404
    assert ann.get("/history/current/throws/2").status == 404


def test_the_list_of_throws_leads_to_those_that_have_a_picture(house: House, ann: Phone) -> None:
    ann.post("games/current/bank")
    house.settle(5, 2, 2, 3, 4, 6)
    page = ann.get("/history/g1").text
    assert 'href="/history/g1/throws/1"' in page
    assert 'href="/history/g1/throws/2"' not in page
    assert "There is no picture of it" in ann.get("/history/g1/throws/2").text


def test_a_corrected_throw_keeps_its_pictures_for_good(house: House, ann: Phone, tmp_path: Path) -> None:
    ann.post("games/current/correct", {"throw": 1, "values": [1, 1, 1, 2, 3, 4]})
    house.album.stop()
    assert [place.name for place in (tmp_path / "disputed").iterdir()] == ["g1-2"]
    assert ann.picture("/history/g1/throws/1/still.jpg") == JPEG["still"]


def test_the_pictures_follow_their_throw_when_numbers_change(house: House, ann: Phone) -> None:
    ann.post("games/current/undo")
    assert ann.picture("/history/g1/throws/1/still.jpg") is None
    house.settle(1, 2, 2, 3, 4, 6)
    assert ann.picture("/history/g1/throws/1/still.jpg") is None
    ann.post("games/current/undo")
    ann.post("games/current/undo")
    assert ann.post("games/current/throws", {"values": [1, 1, 2, 3, 4, 5]}).status == 200
    assert ann.picture("/history/g1/throws/1/still.jpg") is None, "entered by hand, with nothing asked"


def test_a_picture_is_sent_again_only_when_it_is_another(ann: Phone) -> None:
    tag = ann.ask("HEAD", "/history/g1/throws/1/still.jpg").headers["etag"]
    assert ann.ask("HEAD", "/history/g1/throws/1/still.jpg", If_None_Match=tag).status == 304


def test_without_a_game_nothing_is_looked_at(house: House) -> None:
    ann = house.phone("Ann")
    assert ann.post("games/current/dispute", {"throw": 1}).status == 503
    assert ann.get("/history/current/throws/1").status == 404
    assert ann.get("/api/v1/games/current/doubts/1/x.jpg").status == 404
    for body in ({}, {"throw": 0}, {"throw": "1"}, {"throw": True}):
        assert ann.post("games/current/stands", body).status == 422


def test_the_journal_knows_nothing_of_it(table: Table, tmp_path: Path) -> None:
    play(table)
    journal = Journal(tmp_path / "stickman.db")
    before = journal.moves("g1")
    table.ask(commands.Dispute(2, "Bo"))
    table.ask(commands.Stands(2))
    assert journal.moves("g1") == before
    journal.close()


def test_a_throw_is_read_while_another_is_looked_at(table: Table) -> None:
    play(table)
    table.ask(commands.Dispute(2, "Bo"))
    table.saw(settled(1, 1, 1, 2, 3, 4, roll=4))
    view = flushed(table)
    assert view.game is not None
    assert view.game.board.throws == 4
    assert disputed(view) is not None
