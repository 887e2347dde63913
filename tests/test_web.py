"""The pages' HTTP side: the state, joining, and moves that count once and only once."""

import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served import House, Phone, start

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
    assert game["players"][0].keys() == {"name", "seat", "score", "on_board", "farkles", "mark"}
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
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
