"""Decisions of other rules than plain Farkle, made on a phone: dice taken over, attempts, the coloured die, teams."""

from typing import Any

import pytest
from served import Answer, House, Phone

from firmware import rulebook

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
