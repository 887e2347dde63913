"""The pages of past games: the list with records, each game throw by throw, its graph and luck, exports, and taking one
up again - without a script."""

import csv
import io
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from served import House

from rules.events import Banked, Event, Player, Started, Thrown
from rules.game import ENGINE_VERSION
from rules.house import parse
from rules.record import Record
from rules.retelling import steps, turns
from web.commands import Bank, End, EnterThrow, Newcomer, NewGame
from web.graph import graph, leads_text
from web.marks import mark_of

EVIL = '=1+1|"<b>'


@pytest.fixture
def ann(house: House) -> FlaskClient:
    client = house.app.test_client()
    assert client.post("/api/v1/join", json={"code": house.room.code, "name": "Ann"}).status_code == 200
    return client


def begin(house: House, *names: str, **rules: Any) -> None:
    table: dict[str, Any] = {"base": "farkle", **rules}
    house.table.ask(NewGame(table if rules else "farkle", tuple(Newcomer(name) for name in names or ("Ann", "Bo"))))


def turn(house: House, *values: int) -> None:
    """Thrown and banked, or a farkle."""
    view = house.table.ask(EnterThrow(values))
    if view.game and view.game.board.turn and view.game.board.turn.throw:
        house.table.ask(Bank())


def short_game(house: House, *names: str) -> None:
    begin(house, *names, win={"target": 1000, "final_round": False})
    turn(house, 1, 1, 2, 3, 4, 6)
    turn(house, 2, 2, 3, 3, 4, 6)
    turn(house, 1, 1, 1, 2, 3, 4)


def text_of(page: str) -> str:
    return re.sub(r"[ \n]+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_tray_without_games_says_so(house: House) -> None:
    answer = house.app.test_client().get("/history")
    assert answer.status_code == 200
    assert "None yet" in answer.text
    assert house.app.test_client().get("/history/current").status_code == 404
    assert house.app.test_client().get("/history/none").status_code == 404


def test_the_list_says_when_who_and_how_it_ended_newest_first(house: House, ann: FlaskClient) -> None:
    short_game(house)
    begin(house, "Cleo", "Dan")
    house.table.ask(End())
    page = text_of(ann.get("/history").text)
    assert page.index("Stopped without a winner.") < page.index("Ann won.")
    assert re.search("Ann +1\u202f200 *, Bo +0", page)
    assert "29 November 2026" in page
    assert re.search(r"Ann +1 of 1 +600 +1\u202f000 +0 +Bo +0 of 1 +0 +0 +1", page)


def test_a_game_is_told_throw_by_throw_with_graph_and_luck(house: House, ann: FlaskClient) -> None:
    short_game(house)
    page = ann.get("/history/g1").text
    assert 'aria-label="Throw 1: 1 1 2 3 4 6; set aside 1 1"' in page
    assert 'aria-label="Throw 2: 2 2 3 3 4 6; nothing set aside"' in page
    assert 'aria-label="Scores over 3 turns. Ann: 1200. Bo: 0. "' in page
    text = text_of(page)
    assert "Ann led from turn 1 to 3." in text
    assert "Farkle. Score 0." in text
    assert "Banked 1\u202f000 and won. Score 1\u202f200." in text
    assert re.search(r"Ann \+\d+ Best play makes \d+ of 2 turns on average\. The dice brought \d+ more", text)
    assert "<script" not in page.replace('<script type="application/json"', "")
    assert " style=" not in page
    assert " on" not in "".join(re.findall(r"<[^>]+>", page))


def test_scoreboards_get_the_graph_alone_in_the_marks_of_the_players(house: House, ann: FlaskClient) -> None:
    house.table.ask(NewGame("farkle", (Newcomer("Ann", None, "green"), Newcomer("Bo", None, "pink"))))
    assert ann.get("/history/current/graph").text == ""
    turn(house, 1, 1, 2, 3, 4, 6)
    drawn = ann.get("/history/current/graph").text.strip()
    assert drawn.startswith("<svg")
    assert drawn.endswith("</svg>")
    for mark in ("green", "pink"):
        assert mark_of(mark).path in drawn
        assert mark_of(mark).path in ann.get("/history").text


def test_the_throw_that_decided_is_named_where_the_chance_is_exact(house: House, ann: FlaskClient) -> None:
    begin(house)
    turn(house, 1, 1, 2, 3, 4, 6)
    turn(house, 1, 1, 1, 1, 1, 1)
    turn(house, 2, 2, 3, 3, 4, 6)
    assert "Throw 2 weighed most: with 1 1 1 1 1 1 the chance that Bo wins went from" in ann.get("/history/g1").text
    assert ann.get("/api/v1/history/g1").json["decided"]["throw"] == 2
    begin(house, "Ann", "Bo", "Cleo")
    turn(house, 1, 1, 2, 3, 4, 6)
    assert "two sides only" in ann.get("/history/g2").text
    assert ann.get("/api/v1/history/g2").json["decided"] is None


def test_the_api_tells_the_same_and_the_sum_holds(house: House, ann: FlaskClient) -> None:
    short_game(house)
    listed = ann.get("/api/v1/history").json
    assert [(game["id"], game["winners"], game["current"]) for game in listed["games"]] == [("g1", [0], True)]
    assert (listed["players"][0]["name"], listed["players"][0]["average"]) == ("Ann", 600)
    story = ann.get("/api/v1/history/current").json
    assert [turn["points"] for turn in story["told"]] == [200, 0, 1000]
    assert story["told"][0]["throws"][0]["kept"] == [1, 1]
    for luck in story["luck"]:
        assert luck["expected"] + luck["dice"] - luck["given"] == pytest.approx(luck["made"], abs=0.2)


def test_the_export_is_folded_by_stickman_play(house: House, ann: FlaskClient, tmp_path: Path) -> None:
    short_game(house)
    answer = ann.get("/history/g1.json")
    assert answer.headers["Content-Disposition"] == "attachment; filename=g1.json"
    assert json.loads(answer.text)[0]["event"] == "started"
    file = tmp_path / "g1.json"
    file.write_text(answer.text)
    done = subprocess.run([sys.executable, "-m", "firmware", "play", file], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"Ann +1,200 +wins", done.stdout)
    file.write_text('[{"event": "banked"}]')
    done = subprocess.run([sys.executable, "-m", "firmware", "play", file], capture_output=True, text=True)
    assert done.returncode == 2
    assert "move 1" in done.stderr


def test_the_throws_as_csv_hold_no_formula(house: House, ann: FlaskClient) -> None:
    short_game(house, EVIL, "Bo")
    answer = ann.get("/history/g1.csv")
    assert answer.mimetype == "text/csv"
    first, second, third = csv.DictReader(io.StringIO(answer.text))
    assert (first["player"], first["dice"], first["set_aside"], first["points"]) == (
        f"'{EVIL}",
        "1 1 2 3 4 6",
        "1 1",
        "200",
    )
    assert (second["player"], second["ending"], second["made"]) == ("Bo", "farkle", "0")
    assert (third["ending"], third["score"]) == ("won", "1200")
    for path in ("/history", "/history/g1"):
        assert EVIL not in ann.get(path).text


def test_a_game_is_taken_up_again_by_whoever_sits_at_the_table(house: House, ann: FlaskClient) -> None:
    begin(house)
    turn(house, 1, 1, 2, 3, 4, 6)
    begin(house, "Cleo", "Dan")
    assert house.app.test_client().post("/history/g1/resume").status_code == 403
    assert "Join the table first" in house.app.test_client().post("/history/g1/resume").text
    answer = ann.post("/history/g1/resume", data={"rev": house.table.view().rev})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    view = house.table.view()
    assert view.game is not None
    assert (view.game.id, view.game.board.players[0].score) == ("g1", 200)
    stale = ann.post("/history/g2/resume", data={"rev": 1})
    assert stale.status_code == 409
    assert "moved on" in stale.text
    assert ann.post("/api/v1/history/g2/resume", json={}).json["current"] is True
    assert ann.post("/api/v1/history/g2/resume", json={"rev": 1}).status_code == 409
    assert ann.post("/api/v1/history/none/resume", json={}).status_code == 404
    assert ann.post("/api/v1/history/g1/burn", json={}).status_code == 404


def test_a_game_goes_into_the_archive_and_out_of_it(house: House, ann: FlaskClient) -> None:
    short_game(house)
    begin(house, "Cleo", "Dan")
    assert ann.post("/history/g1/archive").headers["Location"] == "/history"
    page = text_of(ann.get("/history").text)
    assert "Archive: 1 game" in page
    assert ("Ann won." in page, "Records" in page) == (False, False)
    assert "Ann won." in text_of(ann.get("/history?archive").text)
    assert ann.post("/api/v1/history/g1/restore", json={}).json["archived"] is False
    assert "Records" in ann.get("/history").text


def test_many_games_are_listed_by_pages(house: House, ann: FlaskClient) -> None:
    for _ in range(31):
        begin(house)
    first, second = ann.get("/history").text, ann.get("/history?page=2").text
    assert first.count("/history/g") - second.count("/history/g") > 29
    assert ("Older games" in first, "Newer games" in first, "Newer games" in second) == (True, False, True)
    assert 'href="/history/g1"' in second


def test_any_throw_is_corrected_on_the_page_and_everybody_is_told(house: House, ann: FlaskClient) -> None:
    begin(house)
    turn(house, 1, 1, 2, 3, 4, 6)
    turn(house, 1, 2, 3, 4, 6, 6)
    page = ann.get("/history/current?correct=1").text
    assert 'value="1 1 2 3 4 6"' in page
    rev = house.table.view().rev
    answer = ann.post("/history/g1/correct", data={"rev": rev, "throw": "1", "values": "1-1-1 234"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/history/g1")
    view = house.table.view()
    assert view.game is not None
    [note] = view.game.notes
    assert note == "Ann's first throw in turn 1 is 1-1-1-2-3-4 now, not 1-1-2-3-4-6: 800 points more."
    assert "800 points more." in ann.get("/history/g1").text
    for values, status in (("1 1 1 2 3 7", 422), ("", 422), ("1 1", 409), ("2w 3w 1 1 1 1", 422)):
        answer = ann.post("/history/g1/correct", data={"rev": view.rev, "throw": "1", "values": values})
        assert (answer.status_code, 'role="alert"' in answer.text) == (status, True)
    assert ann.post("/history/g1/correct", data={"rev": rev, "throw": "1", "values": "1 1 1 2 3 4"}).status_code == 409
    for deed in ("undo", "redo"):
        assert ann.post(f"/history/g1/{deed}", data={"rev": house.table.view().rev}).status_code == 303
    assert ann.post("/history/g1/dance").status_code == 404


def test_who_plays_may_correct_on_any_phone_and_onlookers_may_not(house: House) -> None:
    ann, bo, cleo = house.phone("Ann"), house.phone("Bo"), house.phone("Cleo")
    assert ann.post("games", {"rules": "farkle", "players": ["Ann", "Bo"]}).status == 200
    turn(house, 1, 1, 2, 3, 4, 6)
    turn(house, 1, 2, 3, 4, 6, 6)
    body = {"throw": 1, "values": [1, 1, 1, 2, 3, 4]}
    assert cleo.post("games/current/correct", body).status == 403
    assert bo.post("games/current/correct", body).status == 200
    assert ann.post("games/current/undo").status == 200
    assert ann.post("games/current/redo").json["game"]["notes"][0].startswith("Done again")


def test_a_game_that_is_not_on_the_table_is_taken_up_before_it_is_corrected(house: House, ann: FlaskClient) -> None:
    begin(house)
    turn(house, 1, 1, 2, 3, 4, 6)
    begin(house)
    answer = ann.post("/history/g1/correct", data={"throw": "1", "values": "1 1 1 2 3 4"})
    assert answer.status_code == 409
    assert "take it up again first" in answer.text


def test_the_page_of_a_very_long_game_shows_its_turns_by_pages(house: House, ann: FlaskClient) -> None:
    begin(house)
    for _ in range(70):
        turn(house, 2, 2, 3, 3, 4, 6)
    page = ann.get("/history/g1").text
    assert "Turns 61 to 70" in page
    assert 'id="t70"' in page
    assert 'id="t1"' not in page
    assert 'id="t1"' in ann.get("/history/g1?page=1").text
    assert 'id="values"' in ann.get("/history/g1?correct=5").text
    assert len(page.encode()) < 60_000


# The graph.


def drawn(*moves: Event, names: tuple[str, ...] = ("Ann", "Bo"), **rules: Any) -> Any:
    players = tuple(Player(name) for name in names)
    record = Record.begin(Started("farkle", parse({"name": "x", **rules}).to_json(), ENGINE_VERSION, players))
    for move in moves:
        record = record.play(move)
    return graph(record.board, turns(steps(record.started, record.facts)), None)


BANK200, FARKLE = (Thrown((1, 1, 2, 3, 4, 6)), Banked()), (Thrown((2, 2, 3, 3, 4, 6)),)


def test_lines_begin_at_nothing_and_the_lead_is_told() -> None:
    found = drawn(*BANK200, *FARKLE, *FARKLE, Thrown((1, 1, 1, 2, 3, 4)), Banked())
    assert [line.score for line in found.lines] == [200, 1000]
    starts = {line.points.split()[0] for line in found.lines}
    assert len(starts) == 1
    assert [(lead.side, lead.first, lead.last) for lead in found.leads] == [(0, 1, 3), (1, 4, 4)]
    assert leads_text(found) == "Ann led from turn 1 to 3; Bo led after turn 4."


def test_names_stand_clear_of_one_another_however_close_the_scores() -> None:
    names = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Fay", "Gus", "A very long name indeed")
    found = drawn(*FARKLE, names=names)
    heights = sorted(line.label_y for line in found.lines)
    assert all(above + 12.9 <= below for above, below in itertools.pairwise(heights))
    assert heights[-1] <= 270
    assert found.lines[-1].name == "A very l…"
    assert found.leads == ()


def test_scores_below_nothing_are_drawn_too() -> None:
    farkles = [Thrown((2, 2, 3, 3, 4, 6))] * 6
    found = drawn(*farkles, penalty={"three_farkles": 1000})
    assert [line.score for line in found.lines] == [-1000, -1000]
    assert all(0 < line.y < 270 for line in found.lines)


def test_team_mates_share_a_line() -> None:
    found = drawn(*BANK200, names=("Ann", "Bo", "Cleo", "Dan"), teams=2)
    assert [line.players for line in found.lines] == [("Ann", "Cleo"), ("Bo", "Dan")]
