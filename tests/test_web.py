"""The pages' HTTP side: real table, real journal, real waitress; the eye's messages are given by hand."""

import http.client
import itertools
import json
import re
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware import rulebook
from firmware.journal import Journal
from firmware.room import Room
from firmware.table import Table
from firmware.table_rules import TableRules
from vision.happening import Happening
from vision.seen import SeenDie
from web import guard
from web.app import create_app
from web.errors import PortTaken
from web.ports import Site
from web.serve import listen, serve


@dataclass
class Fingers:
    """A simulated tray that only notes what was asked of it; what the eye sees is told by the tests."""

    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def busy(self) -> bool:
        return False

    def picture(self) -> bytes | None:
        return b"a picture"

    def throw(self, count: int, values: Sequence[int] | None = None, cocked: int = 0, coloured: bool = False) -> None:
        self.asked.append(("throw", count, values, cocked, *(["coloured"] if coloured else [])))

    def aside(self, dice: Sequence[int], coloured: bool = False) -> None:
        if 6 in dice:
            raise ValueError("No 6 lies in the tray.")
        self.asked.append(("aside", tuple(dice), *(["coloured"] if coloured else [])))

    def clear(self) -> None:
        self.asked.append(("clear",))

    def press(self, button: str, long: bool = False) -> None:
        self.asked.append(("press", button, long))

    def fault(self, kind: str, seconds: float) -> None:
        self.asked.append(("fault", kind, seconds))

    def faults(self) -> tuple[str, ...]:
        return ("dead-camera", "glare")


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Phone:
    """A browser's side of HTTP: keeps its cookie."""

    port: int
    cookie: str = ""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            sent["Cookie"] = self.cookie
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as line:
            line.request(method, path, text, sent)
            reply = line.getresponse()
            found = Answer(reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read().decode())
        if "set-cookie" in found.headers:
            self.cookie = found.headers["set-cookie"].split(";")[0]
        return found

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("POST", f"/api/v1/{path}", {} if body is None else body, **headers)


@dataclass
class House:
    """A served tray and what stands around it."""

    app: Flask
    table: Table
    room: Room
    fingers: Fingers
    port: int

    def phone(self, name: str | None = None) -> Phone:
        phone = Phone(self.port)
        if name is not None:
            assert phone.post("join", {"code": self.room.code, "name": name}).status == 200
        return phone

    def settle(self, *values: int) -> None:
        dice = tuple(SeenDie(value, 100.0 * k, 100.0, 50.0) for k, value in enumerate(values, start=1))
        before = self.table.view().rev
        with self.table.listen() as views:
            self.table.saw(Happening("settled", 1, 1.0, roll=before + 1, dice=dice, thrown=dice))
            while self.table.view().rev == before:
                assert views.get(5) is not None


def house_in(path: Path, parts: ExitStack, **site: Any) -> House:
    names = itertools.count(1)
    journal, room = Journal(path / "stickman.db"), Room(path / "stickman.db")
    parts.callback(journal.close)
    parts.callback(room.close)
    rules = TableRules("farkle", path)
    table = Table(journal, rules.options_of, epoch="e", now=lambda: "2026-11-29", new_id=lambda: f"g{next(names)}")
    table.start()
    parts.callback(table.stop)
    sock = listen("127.0.0.1", 0)
    port = sock.getsockname()[1]
    fingers = Fingers()
    simulated = site.pop("simulated", True)
    app = create_app(table, room, rules, Site(f"http://192.0.2.7:{port}", **site), fingers if simulated else None)
    server = serve(app, sock, threads=8)
    parts.callback(server.wait)
    parts.callback(server.stop)
    return House(app, table, room, fingers, port)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with ExitStack() as parts:
        yield house_in(tmp_path, parts)


def start(phone: Phone, *players: str) -> Any:
    found = phone.post("games", {"rules": "farkle", "players": list(players)})
    assert found.status == 200, found.text
    return found.json


# The state.


def test_the_state_says_what_the_contract_names(house: House) -> None:
    ann = house.phone("Ann")
    assert ann.get("/api/v1/state").json["game"] is None
    start(ann, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    state = house.phone().get("/api/v1/state").json
    assert {"epoch", "rev", "eye", "panel", "game"} <= state.keys()
    assert {"state", "text", "dice"} <= state["eye"].keys()
    game = state["game"]
    assert {"id", "rules", "status", "players", "turn", "winner"} <= game.keys()
    assert game["players"][0].keys() == {"name", "seat", "score", "on_board", "farkles"}
    turn = game["turn"]
    assert {"player", "score", "dice_left", "throw", "kept", "options", "may_bank", "doubts"} <= turn.keys()
    assert turn["throw"] == [1, 1, 2, 3, 4, 5]
    assert {"dice": [1, 1, 5], "score": 250} in turn["options"]


def test_dice_lie_within_the_picture_whatever_its_size(house: House) -> None:
    house.table.eye_size(200, 100)
    start(house.phone("Ann"), "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    die = house.phone().get("/api/v1/state").json["eye"]["dice"][0]
    assert (die["x"], die["y"], die["size"]) == (0.5, 1.0, 0.25)


def test_an_unchanged_state_is_not_sent_again(house: House) -> None:
    phone = house.phone()
    tag = phone.get("/api/v1/state").headers["etag"]
    assert phone.get("/api/v1/state", If_None_Match=tag).status == 304
    start(house.phone("Ann"), "Ann", "Bo")
    assert phone.get("/api/v1/state", If_None_Match=tag).status == 200


# Joining.


def test_a_seat_is_a_cookie_no_script_can_read_and_no_other_site_can_use(house: House) -> None:
    answer = house.phone().post("join", {"code": house.room.code.upper() + " ", "name": "  Ann   Lee "})
    assert answer.json["name"] == "Ann Lee"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"code": "wrong", "name": "Ann"}, 403),
        ({"name": "Ann"}, 403),
        ({"code": "CODE", "name": ""}, 422),
        ({"code": "CODE", "name": "x" * 25}, 422),
        ({"code": "CODE", "name": 5}, 422),
        ({"code": "CODE"}, 422),
        ("not json", 400),
        ("[1]", 400),
        ("[" * 60_000, 400),
    ],
)
def test_a_bad_join_is_refused_with_a_sentence(house: House, body: Any, status: int) -> None:
    if isinstance(body, dict) and body.get("code") == "CODE":
        body["code"] = house.room.code
    answer = house.phone().post("join", body)
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["status"] == status
    assert answer.json["detail"].endswith(".")


def test_the_room_code_is_never_in_an_address(house: House) -> None:
    for path in ("/", "/join", "/tv", "/play", "/sim"):
        page = house.phone().get(path).text
        assert f"?code={house.room.code}" not in page
        assert f"/{house.room.code}" not in page


# Moves.


def test_only_a_seat_starts_a_game(house: House) -> None:
    assert house.phone().post("games", {"players": ["Ann"]}).status == 403


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"players": []},
        {"players": ["Ann", "ann"]},
        {"players": ["A"] * 9},
        {"players": [""]},
        {"players": "Ann"},
        {"players": ["Ann"]},
        {"players": ["Ann"], "rules": 5},
        {"players": ["Ann", "Bo"], "rules": "no such rules"},
        {"players": ["Ann", "Bo"], "rules": {"base": "farkle", "win": {"target": "much"}}},
        {"players": ["Ann"], "rev": "1"},
    ],
)
def test_a_game_that_cannot_be_played_is_refused_with_a_sentence(house: House, body: Any) -> None:
    answer = house.phone("Ann").post("games", body)
    assert answer.status == 422
    assert answer.json["detail"].endswith((".", "?"))
    assert house.table.view().game is None


def test_house_rules_can_be_sent_as_a_table(house: House) -> None:
    rules = {"base": "farkle", "win": {"target": 2500}}
    state = house.phone("Ann").post("games", {"rules": rules, "players": ["Ann", "Bo"]}).json
    assert state["game"]["target"] == 2500


def test_players_are_names_or_seats(house: House) -> None:
    ann, bo = house.phone("Ann"), house.phone("Bo")
    seats = {seat.name: seat.id for seat in house.room.seats()}
    players = start(ann, seats["Bo"], "Cleo", "ann")["game"]["players"]
    assert [(p["name"], p["seat"]) for p in players] == [("Bo", seats["Bo"]), ("Cleo", None), ("Ann", seats["Ann"])]
    assert bo.get("/api/v1/seats").json["mine"] == seats["Bo"]


def test_moves_belong_to_the_phone_of_the_player_whose_turn_it_is(house: House) -> None:
    ann, bo = house.phone("Ann"), house.phone("Bo")
    start(ann, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    for move, body in (("bank", {}), ("keep", {"dice": [1]}), ("throws", {"values": [1]}), ("undo", {})):
        refused = bo.post(f"games/current/{move}", body)
        assert refused.status == 403
        assert "Ann" in refused.json["detail"]
        assert house.phone().post(f"games/current/{move}", body).status == 403
    assert ann.post("games/current/keep", {"dice": [5, 1]}).json["game"]["turn"]["aside"] == [1, 5]
    assert ann.post("games/current/bank").json["game"]["players"][0]["score"] == 150
    assert ann.post("games/current/bank").status == 403


def test_whoever_moved_last_may_take_it_back_though_the_turn_has_passed(house: House) -> None:
    ann, bo = house.phone("Ann"), house.phone("Bo")
    start(ann, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    ann.post("games/current/bank")
    assert ann.post("games/current/undo").json["game"]["turn"]["throw"] == [1, 1, 2, 3, 4, 5]
    ann.post("games/current/bank")
    assert bo.post("games/current/undo").status == 200


def test_any_phone_at_the_table_plays_for_someone_without_a_phone(house: House) -> None:
    ann, bo = house.phone("Ann"), house.phone("Bo")
    start(ann, "Cleo", "Dora")
    house.settle(1, 1, 5, 2, 3, 4)
    assert bo.post("games/current/keep", {"dice": [1]}).status == 200
    assert ann.post("games/current/bank").status == 200


def test_a_throw_by_hand_and_its_correction(house: House) -> None:
    ann = house.phone("Ann")
    start(ann, "Ann", "Bo")
    turn = ann.post("games/current/throws", {"values": [5, 4, 3, 2, 2, 6]}).json["game"]["turn"]
    assert turn["throw"] == [2, 2, 3, 4, 5, 6]
    fixed = ann.post("games/current/correct", {"throw": turn["throw_id"], "values": [1, 4, 3, 2, 2, 6]})
    assert fixed.json["game"]["turn"]["throw"] == [1, 2, 2, 3, 4, 6]


def test_everybody_who_plays_may_end_the_game(house: House) -> None:
    ann, bo, cleo = house.phone("Ann"), house.phone("Bo"), house.phone("Cleo")
    start(ann, "Ann", "Bo")
    assert cleo.post("games/current/end").status == 403
    assert bo.post("games/current/end").json["game"]["status"] == "over"


@pytest.mark.parametrize(
    ("move", "body", "status"),
    [
        ("keep", {}, 422),
        ("keep", {"dice": []}, 422),
        ("keep", {"dice": [7]}, 422),
        ("keep", {"dice": [True]}, 422),
        ("keep", {"dice": [2]}, 409),
        ("throws", {"values": "123"}, 422),
        ("correct", {"values": [1]}, 422),
        ("correct", {"throw": 0, "values": [1]}, 422),
        ("dance", {}, 404),
    ],
)
def test_a_wrong_move_is_refused_with_a_sentence_and_changes_nothing(
    house: House, move: str, body: Any, status: int
) -> None:
    ann = house.phone("Ann")
    start(ann, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    before = house.table.view()
    answer = ann.post(f"games/current/{move}", body)
    assert answer.status == status
    assert len(answer.json["detail"]) > 10
    assert house.table.view() == before


def test_a_move_without_a_game_is_refused_with_the_cure(house: House) -> None:
    answer = house.phone("Ann").post("games/current/bank")
    assert answer.status == 409
    assert "start" in answer.json["detail"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=30) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
MOVES, HANDS = ("keep", "throws", "correct", "bank"), ("throw", "aside", "press", "fault")
words = ("code", "name", "rules", "players", "rev", "dice", "values", "throw", "cocked", "button", "kind", "seconds")


@given(
    path=st.sampled_from([*(f"games/current/{m}" for m in MOVES), "join", "games", *(f"sim/{m}" for m in HANDS)]),
    body=st.dictionaries(st.sampled_from(words), json_values, max_size=4),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_sent_is_answered_with_a_sentence(house: House, path: str, body: Any) -> None:
    client = house.app.test_client()
    client.post("/api/v1/join", json={"code": house.room.code, "name": "Ann"})
    if house.table.view().game is None:
        client.post("/api/v1/games", json={"players": ["Ann", "Bo"]})
    answer = client.post(f"/api/v1/{path}", json=body)
    assert answer.status_code < 500
    assert answer.status_code < 300 or answer.get_json()["detail"]


# Once and only once.


def test_the_same_key_counts_once_even_when_the_turn_has_passed(house: House) -> None:
    ann = house.phone("Ann")
    house.phone("Bo")
    rev = start(ann, "Ann", "Bo")["rev"]
    house.settle(1, 1, 5, 2, 3, 4)
    first = ann.post("games/current/bank", {"rev": rev + 1}, Idempotency_Key="tap")
    again = ann.post("games/current/bank", {"rev": rev + 1}, Idempotency_Key="tap")
    assert first.status == again.status == 200
    assert again.json["game"]["players"][0]["score"] == 250
    assert again.json["rev"] == first.json["rev"]


def test_a_stale_move_is_refused_with_the_present_state(house: House) -> None:
    ann = house.phone("Ann")
    rev = start(ann, "Ann", "Bo")["rev"]
    house.settle(1, 1, 5, 2, 3, 4)
    answer = ann.post("games/current/bank", {"rev": rev})
    assert answer.status == 409
    assert answer.json["state"]["game"]["turn"]["throw"] == [1, 1, 2, 3, 4, 5]


def test_two_phones_at_once_count_once(house: House) -> None:
    ann, bo = house.phone("Ann"), house.phone("Bo")
    start(ann, "Cleo", "Dora")
    house.settle(1, 1, 5, 2, 3, 4)
    rev = house.table.view().rev
    statuses: list[int] = []
    together = threading.Barrier(2)

    def bank(phone: Phone) -> None:
        together.wait(5)
        statuses.append(phone.post("games/current/bank", {"rev": rev}, Idempotency_Key="1").status)

    phones = [threading.Thread(target=bank, args=(phone,)) for phone in (ann, bo)]
    for thread in phones:
        thread.start()
    for thread in phones:
        thread.join()
    assert sorted(statuses) == [200, 409]
    game = house.table.view().game
    assert game is not None
    assert [player.score for player in game.board.players] == [250, 0]


# Who may talk to the tray.


@pytest.mark.parametrize(
    "host", ["evil.example", "stickman.local.evil.example", "192.0.2.7.evil.example", "[", "a b", ""]
)
def test_a_foreign_name_is_turned_away(house: House, host: str) -> None:
    assert house.phone().get("/api/v1/state", Host=host).status == 400


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8080", "[::1]:80", "192.0.2.7", "10.1.2.3:99"])
def test_numbers_and_this_machine_are_always_ours(house: House, host: str) -> None:
    assert house.phone().get("/api/v1/state", Host=host).status == 200


def test_names_of_ours_are_allowed_with_the_number_that_a_network_adds() -> None:
    names = guard.allowed_names(Site("http://192.0.2.7:80", frozenset({"Stickman.local", "tray.lan"})))
    assert all(guard.host_is_ours(h, names) for h in ("stickman.local:80", "STICKMAN-2.local", "tray.lan", "tray.lan."))
    assert not any(guard.host_is_ours(h, names) for h in ("other.local", "tray-2.lan", "stickman.local.x", "x"))


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_other_sites_cannot_write(house: House, headers: dict[str, str]) -> None:
    ann = house.phone("Ann")
    assert ann.post("games", {"players": ["Ann", "Bo"]}, **headers).status == 403
    assert house.table.view().game is None


def test_our_own_pages_can_write(house: House) -> None:
    own = {"Origin": f"http://127.0.0.1:{house.port}", "Sec_Fetch_Site": "same-origin"}
    assert house.phone("Ann").post("games", {"players": ["Ann", "Bo"]}, **own).status == 200


def test_a_form_of_another_kind_is_refused(house: House) -> None:
    ann = house.phone("Ann")
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        answer = ann.post("games", '{"players": ["Ann"]}', Content_Type=kind)
        assert answer.status == 415
        assert "JSON" in answer.json["detail"]


def test_a_huge_body_is_refused(house: House) -> None:
    assert house.phone("Ann").post("games", {"players": ["x" * 100_000]}).status == 413


def test_getting_changes_nothing(house: House) -> None:
    ann = house.phone("Ann")
    start(ann, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    before, seats = house.table.view(), house.room.seats()
    for rule in house.app.url_map.iter_rules():
        path = rule.rule.replace("<kind>", "bank").replace("<name>", "farkle").replace("<path:filename>", "board.js")
        if path == "/events":
            continue
        answer = ann.get(path)
        assert (answer.status == 405) == ("GET" not in (rule.methods or set())), path
        assert answer.status < 500, path
    assert house.table.view() == before
    assert house.room.seats() == seats
    assert house.fingers.asked == []


def test_pages_load_nothing_inline_and_nothing_from_elsewhere(house: House) -> None:
    ann = house.phone("Ann")
    for path in (
        "/",
        "/play",
        "/join",
        "/tv",
        "/sim",
        "/health",
        "/rules",
        "/rules/farkle",
        "/rules/farkle/change",
        "/nothing",
    ):
        page = ann.get(path, Accept="text/html")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "no-referrer"
        assert " style=" not in page.text
        assert " onclick" not in page.text
        assert page.text.count("<script") == page.text.count('src="/static/') + page.text.count("application/json")
        assert "//" not in page.text.replace(f"http://192.0.2.7:{house.port}", "")


def test_a_name_cannot_become_part_of_the_page(house: House) -> None:
    evil = "</script><b>x"
    ann = house.phone(evil)
    start(ann, evil, "Bo")
    assert evil not in ann.get("/").text


@pytest.mark.parametrize(
    "path", ["/", "/play", "/join", "/tv", "/sim", "/rules", "/rules/farkle", "/rules/farkle/change"]
)
def test_a_page_and_all_that_it_loads_is_small(house: House, path: str) -> None:
    ann = house.phone("Ann")
    texts, wanted = {}, [path]
    while wanted:
        address = wanted.pop()
        if address not in texts:
            texts[address] = ann.get(address).text
            wanted += re.findall(r'(?:src|href|from)(?:=| )"(/static/[^"]+|/join/qr.svg)"', texts[address])
    assert "/static/stickman.css" in texts
    assert sum(len(text.encode()) for text in texts.values()) < 100_000, {at: len(text) for at, text in texts.items()}


def test_all_scripts_and_styles_together_are_small() -> None:
    static = Path(guard.__file__).parent / "static"
    assert sum(f.stat().st_size for f in static.iterdir() if f.suffix in (".js", ".css")) < 100_000


# Errors, health, files.


def test_people_get_a_page_and_programs_a_problem(house: House) -> None:
    page = house.phone().get("/nothing", Accept="text/html,*/*;q=0.8")
    assert page.status == 404
    assert "<h1>" in page.text
    problem = house.phone().get("/api/v1/nothing", Accept="text/html")
    assert problem.headers["content-type"] == "application/problem+json"


def test_health_tells_the_camera(house: House) -> None:
    house.table.eye_lost("The ribbon is loose.")
    phone = house.phone()
    assert phone.get("/healthz").status == 200
    ready = phone.get("/readyz")
    assert ready.status == 503
    assert ready.json["checks"][0]["ok"] is False
    assert "ribbon" in phone.get("/health").text


def test_the_description_of_the_api_names_every_address(house: House) -> None:
    described = house.phone().get("/openapi.json").json["paths"].keys()
    served = {rule.rule.replace("<kind>", "{move}") for rule in house.app.url_map.iter_rules()}
    assert {path for path in served if path.startswith("/api/")} <= described
    assert described <= served


def test_the_join_code_is_a_picture_that_is_never_kept(house: House) -> None:
    answer = house.phone().get("/join/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.startswith("<svg")


# The simulated tray.


def test_the_dice_that_are_due_roll(house: House) -> None:
    phone = house.phone("Ann")
    assert phone.post("sim/throw").status == 202
    start(phone, "Ann", "Bo")
    assert phone.post("sim/throw", {"values": [4, 1, 5, 2, 3, 6], "cocked": 1}).status == 202
    assert house.fingers.asked == [("throw", 6, None, 0), ("throw", 6, (4, 1, 5, 2, 3, 6), 1)]
    house.settle(1, 1, 5, 2, 3, 4)
    refused = phone.post("sim/throw")
    assert (refused.status, refused.json["detail"]) == (409, "Set aside at least one scoring die first.")
    phone.post("games/current/keep", {"dice": [1, 1]})
    assert phone.post("sim/throw", {"values": [1, 2, 3]}).status == 422
    assert phone.post("sim/throw", {"values": [1, 2, 3, 7]}).status == 422
    assert phone.post("sim/throw", {"cocked": 5}).status == 422
    assert phone.post("sim/throw").status == 202
    # Dice kept on the phone still lie in the tray: they are moved aside first.
    assert house.fingers.asked[2:] == [("aside", (1, 1)), ("throw", 4, None, 0)]


def test_dice_of_the_last_turn_leave_the_rail(house: House) -> None:
    phone = house.phone("Ann")
    start(phone, "Ann", "Bo")
    dice = (SeenDie(1, 10, 10, 40, zone="rail"), SeenDie(2, 100, 100, 40))
    house.table.saw(Happening("removed", 1, 1.0, dice=dice))
    phone.post("games/current/keep", {"dice": [1]})
    assert phone.post("sim/throw").status == 202
    assert house.fingers.asked == [("clear",), ("throw", 6, None, 0)]


def test_hands_buttons_and_faults(house: House) -> None:
    phone = house.phone()
    assert phone.post("sim/aside", {"dice": [5, 1]}).status == 202
    assert phone.post("sim/aside", {"dice": [6]}).json["detail"] == "No 6 lies in the tray."
    assert phone.post("sim/press", {"button": "mode", "long": True}).status == 202
    assert phone.post("sim/press", {"button": "launch"}).status == 422
    assert phone.post("sim/fault", {"kind": "glare", "seconds": 2}).status == 202
    assert phone.post("sim/fault", {"kind": "earthquake"}).status == 422
    assert phone.post("sim/fault", {"kind": "glare", "seconds": -1}).status == 422
    assert house.fingers.asked == [("aside", (1, 5)), ("press", "mode", True), ("fault", "glare", 2.0)]


def test_the_simulated_hands_are_moved_from_their_own_machine_only(house: House) -> None:
    client = house.app.test_client()
    elsewhere = {"REMOTE_ADDR": "192.0.2.44"}
    for path in ("throw", "aside", "press", "fault"):
        answer = client.post(f"/api/v1/sim/{path}", json={}, environ_overrides=elsewhere)
        assert answer.status_code == 403
    page = client.get("/sim", headers={"Accept": "text/html"}, environ_overrides=elsewhere)
    assert page.status_code == 403
    assert "127.0.0.1" in page.text
    assert house.fingers.asked == []


def test_a_real_tray_has_no_simulated_hands(tmp_path: Path) -> None:
    with ExitStack() as parts:
        phone = house_in(tmp_path, parts, simulated=False).phone("Ann")
        assert phone.post("sim/throw").status == 404
        assert phone.get("/sim").status == 404
        assert "/sim" not in phone.get("/").text


# The socket.


def test_a_taken_port_is_a_sentence_with_the_cure() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(PortTaken, match=f"Port {port} .* --port"):
            listen("127.0.0.1", port)
    with pytest.raises(PortTaken, match="--port"):
        listen("127.0.0.1", 70_000)


def test_a_silent_phone_is_dropped_by_the_kernel() -> None:
    with listen("127.0.0.1", 0) as sock:
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000


# Decisions of other rules.


def begun(house: House, **rules: Any) -> Phone:
    phone = house.phone("Ann")
    reply = phone.post("games", {"rules": {"base": "farkle", **rules}, "players": ["Ann", "Bo"]})
    assert reply.status == 200, reply.text
    return phone


def turn_of(answer: Answer) -> Any:
    assert answer.status == 200, answer.text
    return answer.json["game"]["turn"]


def test_dice_are_taken_over_on_a_phone(house: House) -> None:
    ann = begun(house, turn={"piggyback": "full"})
    assert ann.post("games/current/take").status == 409
    ann.post("games/current/throws", {"values": [1, 1, 1, 2, 3, 4]})
    ann.post("games/current/keep", {"dice": [1, 1, 1]})
    turn = turn_of(ann.post("games/current/bank"))
    assert turn["may_take"] == {"player": 0, "points": 1000, "dice": 3}
    turn = turn_of(house.phone("Bo").post("games/current/take"))
    assert (turn["carried"], turn["dice_left"], turn["kept"], turn["may_take"]) == (1000, 3, [1, 1, 1], None)


def test_an_attempt_is_declared_on_a_phone(house: House) -> None:
    ann = begun(house, score={"straight": 1500}, turn={"straight_attempt": True})
    turn = turn_of(ann.post("games/current/throws", {"values": [1, 2, 3, 4, 6, 6]}))
    assert turn["may_attempt"] == [{"what": "straight", "dice": [1, 2, 3, 4, 6]}]
    turn = turn_of(ann.post("games/current/attempt", turn["may_attempt"][0]))
    assert (turn["attempt"], turn["dice_left"]) == ({"what": "straight", "dice": [1, 2, 3, 4, 6]}, 1)
    turn = turn_of(ann.post("games/current/throws", {"values": [5]}))
    assert (turn["score"], turn["hot_dice"]) == (1500, True)


def test_the_coloured_die_is_told_with_the_throw_and_the_choice(house: House) -> None:
    ann = begun(house, dice={"wild": "coloured_4"})
    values = [1, 1, 2, 3, 4, 6]
    assert "coloured die" in ann.post("games/current/throws", {"values": values}).json["detail"]
    turn = turn_of(ann.post("games/current/throws", {"values": values, "coloured": 4}))
    assert (turn["coloured"], turn["throw"]) == (4, values)
    assert {"dice": [1, 1], "with_coloured": True, "score": 1000} in turn["options"]
    turn = turn_of(ann.post("games/current/keep", {"dice": [], "with_coloured": True}))
    assert (turn["score"], turn["aside"], turn["coloured_due"]) == (100, [4], False)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("attempt", {"what": "flush", "dice": [1]}),
        ("attempt", {"what": "straight"}),
        ("attempt", {"what": "straight", "dice": [7]}),
        ("keep", {"dice": [1], "with_coloured": "yes"}),
        ("keep", {"dice": []}),
        ("throws", {"values": [1, 2, 3, 4, 5, 6], "coloured": 7}),
        ("throws", {"values": [1, 1, 1, 1, 1, 1], "coloured": 2}),
        ("correct", {"throw": 1, "values": [1], "coloured": True}),
    ],
)
def test_a_decision_that_cannot_be_read_is_refused_in_a_sentence(house: House, kind: str, body: Any) -> None:
    answer = begun(house).post(f"games/current/{kind}", body)
    assert answer.status == 422
    assert answer.json["detail"].endswith(".")


def test_teams_are_told_with_their_scores(house: House) -> None:
    ann = house.phone("Ann")
    ann.post("games", {"rules": "team-farkle", "players": ["Ann", "Bo", "Cy", "Di"]})
    game = ann.post("games/current/throws", {"values": [1, 1, 1, 2, 3, 4]}).json["game"]
    assert game["teams"] == [{"players": [0, 2], "score": 0}, {"players": [1, 3], "score": 0}]
    game = ann.post("games/current/bank").json["game"]
    assert [player["score"] for player in game["players"]] == [1000, 0, 1000, 0]
    assert [player["team"] for player in game["players"]] == [0, 1, 0, 1]


@pytest.mark.parametrize("name", rulebook.NAMES)
def test_every_preset_can_be_started(house: House, name: str) -> None:
    reply = house.phone("Ann").post("games", {"rules": name, "players": ["Ann", "Bo"]})
    assert reply.status == 200
    assert reply.json["game"]["rules"] == name


def test_the_simulated_hands_throw_and_move_the_coloured_die(house: House) -> None:
    ann = begun(house, dice={"wild": "coloured_4"})
    ann.post("sim/throw", {"values": [4, 1, 1, 2, 3, 6]})
    ann.post("games/current/throws", {"values": [1, 1, 2, 3, 4, 6], "coloured": 4})
    assert ann.post("sim/aside", {"dice": [1, 1, 4], "coloured": True}).status == 202
    ann.post("games/current/keep", {"dice": [1, 1], "with_coloured": True})
    ann.post("sim/throw", {})
    assert [each for each in house.fingers.asked if each[0] != "clear"] == [
        ("throw", 6, (4, 1, 1, 2, 3, 6), 0, "coloured"),
        ("aside", (1, 1, 4), "coloured"),
        ("aside", (1, 1, 4), "coloured"),
        ("throw", 3, None, 0),
    ]
    assert ann.post("sim/aside", {"dice": [1], "coloured": 1}).status == 422
