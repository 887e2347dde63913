"""The simulated tray over HTTP: its hands, buttons and faults."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from patience import PATIENCE_S
from served import House, Phone, house_in, start

import web.sim
from vision.happening import Happening
from vision.seen import SeenDie

DICE = (1, 1, 5, 2, 3, 4)


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


def while_a_hand_is_there(house: House) -> Phone:
    """A throw lies open, and the last that the eye has told is a hand."""
    phone = house.phone("Ann")
    start(phone, "Ann", "Bo")
    house.settle(*DICE)
    house.table.saw(Happening("hand", 2, 2.0))
    return phone


def test_a_throw_waits_for_an_eye_that_still_looks_at_the_hand(house: House) -> None:
    phone = while_a_hand_is_there(house)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(phone.post, "sim/throw")
        with pytest.raises(TimeoutError):
            asked.result(0.3)
        lying = [
            SeenDie(value, 40.0 * at, 10, 40, zone="rail" if value == 1 else "tray") for at, value in enumerate(DICE)
        ]
        house.table.saw(Happening("removed", 3, 3.0, dice=tuple(lying)))
        assert asked.result(PATIENCE_S).status == 202
    assert house.fingers.asked == [("throw", 4, None, 0)]


def test_a_whole_set_is_thrown_though_the_eye_tells_of_a_hand_no_more(house: House) -> None:
    """As in a calibration: the eye leads it, and tells the game nothing."""
    phone = while_a_hand_is_there(house)
    with ThreadPoolExecutor() as pool:
        assert pool.submit(phone.post, "sim/throw", {"all": True}).result(web.sim.SLOWEST_EYE_S / 2).status == 202
    assert house.fingers.asked == [("throw", 6, None, 0)]


def test_nobody_waits_for_ever_for_an_eye_that_says_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.sim, "SLOWEST_EYE_S", 0.3)
    phone = while_a_hand_is_there(house)
    refused = phone.post("sim/throw")
    assert (refused.status, refused.json["detail"]) == (409, "Set aside at least one scoring die first.")


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


def test_another_set_of_dice_is_taken_up_laid_out_and_thrown_as_a_whole(house: House) -> None:
    phone = house.phone("Ann")
    assert phone.post("sim/dice", {"set": "green", "count": 5}).status == 202
    assert phone.post("sim/dice", {"set": "glass"}).json["detail"] == '"set" is one of ivory, green.'
    assert phone.post("sim/dice", {"set": "green", "count": True}).status == 422
    assert phone.post("sim/dice", {"set": "green", "count": 13}).status == 422
    assert phone.post("sim/place").status == 202
    assert phone.post("sim/clear").status == 202
    start(phone, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    assert phone.post("sim/throw", {"all": 1}).status == 422
    assert phone.post("sim/throw", {"all": True}).status == 202
    wanted = [("use", "green", 5), ("use", "green", 13), ("place",), ("clear",), ("throw", 6, None, 0)]
    assert house.fingers.asked == wanted


def test_the_simulated_hands_are_moved_from_their_own_machine_only(house: House) -> None:
    client = house.app.test_client()
    elsewhere = {"REMOTE_ADDR": "192.0.2.44"}
    for path in ("throw", "aside", "dice", "place", "clear", "press", "fault"):
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
