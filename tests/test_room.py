"""Who sits where: several seats on a phone, handing over, coming back, colours, and the codes that are shown."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from served import House, Phone, house_in, start

from firmware.config import config_from
from firmware.room import Room
from web import qr
from web.marks import MARKS, apart
from web.phones import AWAY_S
from web.seating import HANDING_S
from web.site import Wifi
from web.stream import Timing


@dataclass
class Clock:
    now_s: float = 1000.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Evening:
    """A served tray whose clock goes on when told to."""

    house: House
    clock: Clock = field(default_factory=Clock)

    def join(self, phone: Phone, name: str, **more: Any) -> Any:
        return phone.post("join", {"code": self.house.room.code, "name": name} | more)

    def sit(self, name: str, **more: Any) -> Phone:
        phone = self.house.phone()
        answer = self.join(phone, name, **more)
        assert answer.status == 200, answer.text
        return phone

    def holds(self, phone: Phone) -> list[str]:
        return phone.get("/api/v1/seats").json["held"]

    def form(self, phone: Phone, path: str, **fields: str) -> Any:
        text = "&".join(f"{name}={value}" for name, value in fields.items())
        return phone.ask("POST", path, text, Content_Type="application/x-www-form-urlencoded", Accept="text/html")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with ExitStack() as parts:
        clock = Clock()
        yield Evening(house_in(tmp_path, parts, timing=Timing(now=clock)), clock)


# Several seats on a phone.


def test_two_people_share_a_phone_and_each_moves_when_it_is_their_turn(evening: Evening) -> None:
    phone, other = evening.sit("Ann"), evening.sit("Cleo")
    assert phone.post("join", {"name": "Bo"}).status == 200
    ann, bo = evening.holds(phone)
    start(phone, ann, bo, "Cleo")
    evening.house.settle(1, 2, 3, 4, 6, 6)
    assert other.post("games/current/keep", {"dice": [1]}).status == 403
    assert phone.post("games/current/keep", {"dice": [1]}).status == 200
    evening.house.settle(2, 3, 4, 6, 6)
    assert evening.house.table.view().game.board.turn.player == 1  # type: ignore[union-attr]  # a game is on
    evening.house.settle(1, 2, 3, 4, 6, 6)
    assert phone.post("games/current/keep", {"dice": [1]}).status == 200


def test_sitting_down_twice_is_one_seat(evening: Evening) -> None:
    phone = evening.sit("Ann")
    again = evening.join(phone, "ann")
    assert [again.json["seat"]] == evening.holds(phone)
    assert len(evening.house.room.seats()) == 1


def test_a_page_that_was_opened_gives_the_phone_its_cookie_so_that_a_double_tap_is_one_phone(evening: Evening) -> None:
    phone = evening.house.phone()
    phone.get("/join")
    first = phone.cookie
    for _ in range(2):
        assert evening.form(phone, "/join", name="Ann", code=evening.house.room.code).status == 303
    assert phone.cookie == first
    assert len(evening.holds(phone)) == 1


def test_a_phone_holds_no_more_seats_than_a_game_has_players(evening: Evening) -> None:
    phone = evening.sit("P0")
    for number in range(1, 8):
        assert evening.join(phone, f"P{number}").status == 200
    refused = evening.join(phone, "P8")
    assert refused.status == 409
    assert "8 seats" in refused.json["detail"]


def test_one_seat_is_given_up_and_the_others_stay(evening: Evening) -> None:
    phone = evening.sit("Ann")
    evening.join(phone, "Bo")
    ann, bo = evening.holds(phone)
    assert phone.post("leave", {"seat": ann}).status == 204
    assert evening.holds(phone) == [bo]
    assert phone.post("leave").status == 204
    assert evening.holds(phone) == []
    assert phone.post("games", {"players": ["A", "B"]}).status == 403


def test_a_screen_that_only_moves_is_no_player(evening: Evening) -> None:
    screens = [evening.sit("This screen", plays=False) for _ in range(2)]
    ann = evening.sit("Ann")
    assert [seat["name"] for seat in ann.get("/api/v1/seats").json["seats"]] == ["Ann"]
    start(ann, "Bo", "Cleo")
    assert [screen.post("games/current/end").status for screen in screens] == [200, 409]


def test_the_token_of_a_phone_is_kept_nowhere(evening: Evening, tmp_path: Path) -> None:
    token = evening.sit("Ann").cookie.partition("=")[2]
    assert len(token) > 20
    assert all(token.encode() not in file.read_bytes() for file in tmp_path.glob("stickman.db*"))


# Names, and coming back.


def test_a_name_that_somebody_has_is_refused_with_what_to_do(evening: Evening) -> None:
    evening.sit("Ann")
    refused = evening.join(evening.house.phone(), "ANN")
    assert refused.status == 409
    assert "another name" in refused.json["detail"]
    assert "free" not in refused.json


def test_a_phone_that_lost_its_cookie_takes_its_seat_back_once_nobody_holds_it(evening: Evening) -> None:
    lost = evening.sit("Ann")
    seat = evening.holds(lost)[0]
    start(lost, seat, "Bo")
    again = evening.house.phone()
    assert evening.join(again, "Ann").status == 409
    evening.clock.now_s += AWAY_S + 1
    offered = evening.join(again, "Ann")
    assert offered.status == 409
    assert offered.json["free"] == {"seat": seat, "name": "Ann"}
    assert [each["name"] for each in again.get("/api/v1/seats").json["free"]] == ["Ann"]
    taken = again.post("join", {"code": evening.house.room.code, "take": seat})
    assert taken.status == 200
    assert evening.holds(again) == [seat]
    assert evening.holds(lost) == []
    assert again.post("games/current/end").status == 200
    assert lost.post("games/current/undo").status == 403


def test_a_seat_that_was_given_up_goes_to_the_next_of_that_name(evening: Evening) -> None:
    first = evening.sit("Ann", mark="blue")
    seat = evening.holds(first)[0]
    first.post("leave")
    second = evening.sit("Ann")
    assert evening.holds(second) == [seat]
    assert evening.house.room.seats()[0].mark == "blue"


def test_the_same_name_of_another_evening_is_another_seat(evening: Evening) -> None:
    evening.sit("Ann")
    evening.clock.now_s += 24 * 3600
    assert evening.join(evening.house.phone(), "Ann").status == 200
    assert len(evening.house.room.seats()) == 2


def test_no_seat_is_taken_without_the_code_of_the_table(evening: Evening) -> None:
    phone = evening.sit("Ann")
    seat = evening.holds(phone)[0]
    phone.post("leave")
    for body in ({"take": seat}, {"take": seat, "code": "wrong"}, {"code": "hand-abcde"}):
        assert evening.house.phone().post("join", body).status == 403
    assert evening.house.phone().post("join", {"take": "nobody", "code": evening.house.room.code}).status == 404


def test_two_phones_at_once_never_get_the_same_seat(evening: Evening) -> None:
    first = evening.sit("Ann")
    seat = evening.holds(first)[0]
    start(first, seat, "Bo")
    first.post("leave")
    holder = only_one(evening, {"take": seat, "code": evening.house.room.code})
    only_one(evening, {"code": holder.post(f"seats/{seat}/hand").json["code"]})
    assert evening.holds(holder) == []


def only_one(evening: Evening, body: Any) -> Phone:
    """Of six phones that ask at once."""
    phones = [evening.house.phone() for _ in range(6)]
    statuses = at_once([lambda phone=phone: phone.post("join", body).status for phone in phones])
    assert statuses.count(200) == 1, statuses
    (holder,) = [phone for phone in phones if evening.holds(phone)]
    return holder


def test_two_phones_at_once_never_get_the_same_colour(evening: Evening) -> None:
    phones = [evening.house.phone() for _ in range(6)]
    asks = [
        lambda at=at, phone=phone: evening.join(phone, f"P{at}", mark="blue").status for at, phone in enumerate(phones)
    ]
    assert sorted(at_once(asks)) == [200, 409, 409, 409, 409, 409]


def at_once(asks: list[Callable[[], int]]) -> list[int]:
    gate, statuses = threading.Barrier(len(asks)), []

    def one(ask: Callable[[], int]) -> None:
        gate.wait()
        statuses.append(ask())

    threads = [threading.Thread(target=one, args=(ask,)) for ask in asks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


def test_after_a_restart_a_phone_has_its_seats_and_nobody_takes_them_before_it_is_back(tmp_path: Path) -> None:
    with ExitStack() as parts:
        before = Evening(house_in(tmp_path, parts))
        phone = before.sit("Ann")
        before.join(phone, "Bo")
        seats = before.holds(phone)
        start(phone, *seats)
    with ExitStack() as parts:
        after = Evening(house_in(tmp_path, parts))
        phone.port = after.house.port
        assert after.join(after.house.phone(), "Ann").status == 409
        assert after.holds(phone) == seats


def test_the_seats_of_an_older_tray_move_over(tmp_path: Path) -> None:
    with closing(Room(tmp_path / "stickman.db")), closing(sqlite3.connect(tmp_path / "stickman.db")) as database:
        database.execute("CREATE TABLE seats (id TEXT PRIMARY KEY, name TEXT NOT NULL, token TEXT NOT NULL UNIQUE)")
        database.execute("INSERT INTO seats VALUES ('s1', 'Ann', 'hash')")
        database.execute("INSERT INTO marks VALUES ('paired-s1', 'Ann')")
        database.commit()
    with closing(Room(tmp_path / "stickman.db")) as room:
        assert [(seat.id, seat.name, seat.phone) for seat in room.seats()] == [("s1", "Ann", "hash")]
        assert room.pair("hash")


# Handing over.


def test_a_seat_is_handed_to_another_phone_with_a_code_once(evening: Evening) -> None:
    giver, taker, late = evening.sit("Ann"), evening.house.phone(), evening.house.phone()
    evening.join(giver, "Bo")
    ann, bo = evening.holds(giver)
    code = giver.post(f"seats/{bo}/hand").json["code"]
    assert giver.post(f"seats/{bo}/hand").json["code"] == code
    assert taker.post("join", {"code": code.upper()}).json["name"] == "Bo"
    assert evening.holds(giver) == [ann]
    assert evening.holds(taker) == [bo]
    assert late.post("join", {"code": code}).status == 403
    assert taker.post(f"seats/{ann}/hand").status == 403


def test_a_code_that_hands_over_ends_after_minutes_and_with_the_seat(evening: Evening) -> None:
    giver = evening.sit("Ann")
    seat = evening.holds(giver)[0]
    code = giver.post(f"seats/{seat}/hand").json["code"]
    evening.clock.now_s += HANDING_S + 1
    assert "shown anew" in evening.house.phone().post("join", {"code": code}).json["detail"]
    code = giver.post(f"seats/{seat}/hand").json["code"]
    giver.post("leave")
    assert evening.house.phone().post("join", {"code": code}).status == 403


def test_the_page_hands_over_without_a_script(evening: Evening) -> None:
    giver, taker = evening.sit("Ann"), evening.house.phone()
    seat = evening.holds(giver)[0]
    assert giver.get(f"/join/hand/{seat}.svg").status == 404
    assert evening.form(giver, "/join/hand", seat=seat).status == 303
    picture = giver.get(f"/join/hand/{seat}.svg")
    assert picture.status == 200
    assert picture.headers["cache-control"] == "no-store"
    assert taker.get(f"/join/hand/{seat}.svg").status == 404
    code = giver.post(f"seats/{seat}/hand").json["code"].removeprefix("hand-")
    assert code in giver.get("/join").text
    assert evening.form(taker, "/join", code=code).headers["location"] == "/play"
    assert evening.holds(taker) == [seat]
    assert evening.form(taker, "/join/leave", seat=seat).status == 303
    assert evening.holds(taker) == []


# Colours.


def test_a_colour_that_is_taken_is_told_and_not_given_twice(evening: Evening) -> None:
    ann = evening.sit("Ann", mark="green")
    refused = evening.join(evening.house.phone(), "Bo", mark="green")
    assert refused.status == 409
    assert "Ann has that colour" in refused.json["detail"]
    page = evening.house.phone().get("/join").text
    assert 'value="green" disabled' in " ".join(page.split())
    assert evening.join(ann, "Ann", mark="blue").json["mark"] == "blue"
    assert evening.join(evening.house.phone(), "Bo", mark="green").status == 200
    assert evening.join(evening.house.phone(), "Cleo", mark="plaid").status == 422


def test_every_player_of_a_game_has_a_colour_of_their_own(evening: Evening) -> None:
    ann = evening.sit("Ann", mark="orange")
    evening.sit("Bo", mark="grey")
    players = start(ann, "Ann", "Cleo", "Bo", "Di")["game"]["players"]
    marks = [player["mark"] for player in players]
    assert [marks[0], marks[2]] == ["orange", "grey"]
    assert len(set(marks)) == 4


def test_when_all_colours_are_taken_they_may_be_shared(evening: Evening) -> None:
    for number, mark in enumerate(MARKS):
        evening.sit(f"P{number}", mark=mark.name)
    assert evening.join(evening.house.phone(), "Late", mark="blue").json["mark"] == "blue"


def test_marks_are_apart_whatever_players_wish() -> None:
    assert apart(["blue", "blue", "", "no colour"]) == ("blue", "orange", "sky", "green")
    assert len(set(apart(["red"] * 8))) == 8
    assert len({mark.path for mark in MARKS}) == len({mark.colour for mark in MARKS}) == 8


# The codes that are shown.


def test_the_code_follows_the_tray_into_another_network(evening: Evening) -> None:
    phone = evening.house.phone()
    table = evening.house.table
    with table.listen() as views:
        table.reached("http://10.42.0.1:8080")
        assert views.get(5) is not None
    assert decoded(phone.get("/join/qr.svg").text) == f"http://10.42.0.1:8080/join#{evening.house.room.code}"
    assert "http://10.42.0.1:8080/join" in phone.get("/join/scan").text
    assert phone.get("/api/v1/state").json["url"] == "http://10.42.0.1:8080"


def test_without_a_network_the_page_says_what_to_do_instead_of_a_code(evening: Evening) -> None:
    phone, table = evening.house.phone(), evening.house.table
    with table.listen() as views:
        table.reached("", "This tray is in no network.")
        assert views.get(5) is not None
    assert phone.get("/join/qr.svg").status == 404
    page = phone.get("/join/scan").text
    assert "in no network" in page
    assert "qr.svg" not in page


@pytest.mark.parametrize("home", [True, False])
def test_the_wifi_is_shown_at_home_only(tmp_path: Path, home: bool) -> None:
    wifi = Wifi("Café; 2", 'pass:"word\\,')
    with ExitStack() as parts:
        phone = house_in(tmp_path, parts, wifi=wifi, at_home=lambda _: home).phone()
        answer, page = phone.get("/join/wifi.svg"), phone.get("/join").text
    assert answer.status == (200 if home else 404)
    assert ("wifi.svg" in page) == ("Café" in page) == ("pass:" in page) == home
    if home:
        assert decoded(answer.text) == 'WIFI:T:WPA;S:Café\\; 2;P:pass\\:\\"word\\\\\\,;;'


def test_the_code_of_a_wifi_is_what_phones_read() -> None:
    assert qr.wifi_text(Wifi("Home", "secret88")) == "WIFI:T:WPA;S:Home;P:secret88;;"
    assert qr.wifi_text(Wifi("Open")) == "WIFI:T:nopass;S:Open;;"
    assert qr.wifi_text(Wifi("Home", "secret88", hidden=True)) == "WIFI:T:WPA;S:Home;P:secret88;H:true;;"


def test_a_wifi_that_is_half_written_in_the_config_is_shown_to_nobody() -> None:
    config, notes = config_from('[wifi]\nname = "Home"\npassword = "short"\n', Path("config.toml"))
    assert config.wifi_name is None
    assert len(notes) == 2
    assert "short" not in "".join(notes)
    config, notes = config_from('[wifi]\npassword = "long enough"\n', Path("config.toml"))
    assert config.wifi_name is None
    assert "lacks a name" in notes[0]
    config, notes = config_from('[wifi]\nname = "Home"\n', Path("config.toml"))
    assert (config.wifi_name, config.wifi_password, notes) == ("Home", None, ())


def decoded(svg: str) -> str:
    """What a camera reads in a code of ours, which is drawn as one path of horizontal strokes."""
    text = svg.split('viewBox="0 0 ')[1]
    side = int(text.split(" ")[0])
    picture = np.full((side, side), 255, np.uint8)
    dark = svg.split('stroke="#10231a"')[1] if 'stroke="#10231a"' in svg else svg
    x = y = 0.0
    moves = dark.split(' d="')[1].split('"')[0]
    for kind, numbers in parsed(moves):
        if kind in "Mm":
            x, y = (numbers[0], numbers[1]) if kind == "M" else (x + numbers[0], y + numbers[1])
        else:
            picture[int(y), int(x) : int(x + numbers[0])] = 0
            x += numbers[0]
    return cv2.QRCodeDetector().detectAndDecode(np.kron(picture, np.ones((8, 8), np.uint8)))[0]


def parsed(path: str) -> Iterator[tuple[str, list[float]]]:
    kind, text = "", ""
    for letter in path + "Z":
        if letter.isalpha():
            if kind:
                yield kind, [float(number) for number in text.replace("-", " -").replace(",", " ").split()]
            kind, text = letter, ""
        else:
            text += letter
