"""The tray at a real Mosquitto: retained state, last will, announcements, restarts, refusals; and never in the way."""

import json
import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from a_table import begin, eventually, settle, table_in
from mosquitto import Ear, Mosquitto

from firmware.config import Config
from firmware.doctor_house import house_findings
from firmware.integrations.club import Club
from firmware.integrations.home_assistant import Card
from firmware.integrations.mqtt import Mqtt
from firmware.integrations.settings import Broker
from firmware.table import Table
from firmware.vitals import Vitals, vitals
from web.commands import Bank, Undo

CARD = Card("abc", "Table one", "1.0")
CONFIG = "homeassistant/device/stickman_abc/config"
STATE, AWAY, ROLL, BOARD = (f"stickman/abc/{leaf}" for leaf in ("state", "availability", "roll", "board"))
WELL = Vitals(under_voltage=False, celsius=47, free_mb=9000)
Open = Callable[..., Mqtt]


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def table(tmp_path: Path, parts: ExitStack) -> Table:
    return table_in(tmp_path, parts)


@pytest.fixture
def broker(tmp_path: Path, parts: ExitStack) -> Mosquitto:
    started = Mosquitto(tmp_path)
    parts.callback(started.stop)
    return started


@pytest.fixture
def ear(broker: Mosquitto, parts: ExitStack) -> Ear:
    return parts.enter_context(closing(Ear(broker.port)))


@pytest.fixture
def opened(table: Table, parts: ExitStack) -> Open:
    """Start a tray at a broker; it is stopped at the end."""

    def start(port: int, card: Card = CARD, club: Club | None = None, delay_s: float = 0.0, **more: Any) -> Mqtt:
        settings = Broker("127.0.0.1", port, **more)
        link = Mqtt(
            settings, card, table, club or Club(), lambda: ("farkle", "dice-10000"), lambda: WELL, lambda: delay_s
        )
        parts.callback(link.stop)
        link.start()
        return link

    return start


def state(ear: Ear) -> Any:
    return json.loads(ear.newest(STATE) or b"null")


def test_what_lies_on_the_table_is_retained(ear: Ear, broker: Mosquitto, table: Table, opened: Open) -> None:
    opened(broker.port)
    assert ear.hears(lambda: ear.newest(AWAY) == b"online" and ear.newest(STATE))
    assert state(ear)["game"] is None
    begin(table, "Ann", "Bo")
    settle(table, 1, 1, 1, 2, 3, 4)
    assert ear.hears(lambda: state(ear)["game"] and state(ear)["game"]["turn"]["throw"])
    game = state(ear)["game"]
    assert game["players"] == [{"name": "Ann", "score": 0}, {"name": "Bo", "score": 0}]
    assert (game["turn"]["name"], game["turn"]["throw"]) == ("Ann", [1, 1, 1, 2, 3, 4])
    with closing(Ear(broker.port)) as late:
        assert late.hears(lambda: late.newest(STATE) == ear.newest(STATE))
        assert all(retained for topic, _, retained in late.said if topic in (STATE, AWAY, CONFIG))
        assert late.newest(AWAY) == b"online"
        assert late.newest(ROLL) is None, "news are not kept for those who come later"


def test_news_are_told_once_as_home_assistant_wants_them(
    ear: Ear, broker: Mosquitto, table: Table, opened: Open
) -> None:
    opened(broker.port)
    assert ear.hears(lambda: ear.newest(AWAY) == b"online" and ear.newest(STATE))
    begin(table, "Ann", "Bo")
    settle(table, 1, 1, 1, 2, 3, 4)
    table.ask(Bank())
    settle(table, 2, 2, 3, 3, 4, 6)
    assert ear.hears(lambda: len(ear.all(ROLL)) >= 4)
    news = [json.loads(payload) for payload in ear.all(ROLL)]
    assert [one["event_type"] for one in news] == ["roll", "banked", "roll", "farkle"]
    assert news[0] | {"values": [1, 1, 1, 2, 3, 4], "player": "Ann"} == news[0]
    assert (news[1]["player"], news[1]["points"]) == ("Ann", 1000)
    assert (news[3]["player"], news[3]["values"]) == ("Bo", [2, 2, 3, 3, 4, 6])
    table.ask(Undo())
    assert ear.hears(lambda: state(ear)["game"]["turn"]["name"] == "Bo")
    assert len(ear.all(ROLL)) == 4, "what is taken back is no news"


def test_the_last_will_says_that_a_tray_is_gone(ear: Ear, broker: Mosquitto, opened: Open) -> None:
    link = opened(broker.port)
    assert ear.hears(lambda: ear.newest(AWAY) == b"online")
    # As if the plug were pulled: no goodbye.
    client = link._client
    assert client is not None
    sock = client.socket()
    assert sock is not None
    sock.shutdown(socket.SHUT_RDWR)
    assert ear.hears(lambda: b"offline" in ear.all(AWAY))


def test_a_tray_that_is_stopped_says_goodbye(ear: Ear, broker: Mosquitto, opened: Open) -> None:
    link = opened(broker.port)
    assert ear.hears(lambda: ear.newest(AWAY) == b"online")
    link.stop()
    assert ear.hears(lambda: ear.newest(AWAY) == b"offline")


def test_home_assistant_finds_one_device_with_its_entities(
    ear: Ear, broker: Mosquitto, table: Table, opened: Open
) -> None:
    opened(broker.port)
    assert ear.hears(lambda: ear.newest(CONFIG))
    begin(table, "Ann", "Bo")
    assert ear.hears(lambda: b"Score of Bo" in (ear.newest(CONFIG) or b""))
    told = json.loads(ear.newest(CONFIG) or b"")
    assert told["dev"]["ids"] == ["stickman_abc"]
    assert "configuration_url" not in told["dev"], "nobody reaches the pages yet"
    assert told["o"]["name"] == "stickman"
    assert (told["availability_topic"], told["state_topic"]) == (AWAY, STATE)
    entities = told["cmps"]
    assert entities["roll"]["state_topic"] == ROLL
    assert entities["score_2"]["name"] == "Score of Bo"
    assert entities["score_3"] == {"p": "sensor"}, "only a platform: forget this one"
    assert not any(one["p"] in ("button", "select") for one in entities.values()), "commands are off"
    ids = [one["unique_id"] for one in entities.values() if len(one) > 1]
    assert len(set(ids)) == len(ids)


def test_home_assistant_knows_how_the_box_is(ear: Ear, broker: Mosquitto, table: Table, opened: Open) -> None:
    opened(broker.port)
    begin(table, "Ann", "Bo")
    assert ear.hears(lambda: ear.newest(BOARD) and ear.newest(CONFIG))
    told = json.loads(ear.newest(BOARD) or b"")
    assert told == {"under_voltage": False, "hot": False, "celsius": 47, "free_mb": 9000, "version": "1.0"}
    entities = json.loads(ear.newest(CONFIG) or b"")["cmps"]
    of_box = {key for key, entity in entities.items() if entity.get("state_topic") == BOARD}
    assert of_box == {"supply", "heat", "temperature", "free", "version"}
    assert all(entities[key]["entity_category"] == "diagnostic" for key in of_box)


def test_how_a_board_is_comes_from_its_kernel_and_is_unknown_where_that_says_nothing(tmp_path: Path) -> None:
    assert (vitals(tmp_path, tmp_path).under_voltage, vitals(tmp_path, tmp_path).hot) == (None, None)
    for name, text in (
        ("hwmon/hwmon1/name", "rpi_volt"),
        ("hwmon/hwmon1/in0_lcrit_alarm", "1"),
        ("thermal/thermal_zone0/temp", "80400"),
    ):
        file = tmp_path / "sys/class" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", encoding="utf-8")
    found = vitals(tmp_path, tmp_path)
    assert (found.under_voltage, found.celsius, found.hot) == (True, 80, True)
    assert found.free_mb is not None


def test_another_address_of_the_tray_is_told(ear: Ear, broker: Mosquitto, table: Table, opened: Open) -> None:
    opened(broker.port)
    assert ear.hears(lambda: ear.newest(CONFIG) and ear.newest(STATE))
    table.reached("http://192.0.2.9:8080")
    assert ear.hears(lambda: state(ear)["url"] == "http://192.0.2.9:8080")
    assert ear.hears(lambda: b'"configuration_url": "http://192.0.2.9:8080"' in (ear.newest(CONFIG) or b""))


def test_it_is_announced_anew_when_home_assistant_is_born(ear: Ear, broker: Mosquitto, opened: Open) -> None:
    opened(broker.port)
    assert ear.hears(lambda: ear.newest(CONFIG) and ear.newest(STATE))
    told = len(ear.all(CONFIG)), len(ear.all(STATE))
    ear.say("homeassistant/status", "offline")
    ear.say("homeassistant/status", "online")
    assert ear.hears(lambda: len(ear.all(CONFIG)) > told[0] and len(ear.all(STATE)) > told[1])


def test_many_births_make_one_announcement_after_the_delay(ear: Ear, broker: Mosquitto, opened: Open) -> None:
    opened(broker.port, delay_s=0.3)
    assert ear.hears(lambda: ear.newest(CONFIG))
    for _ in range(3):
        ear.say("homeassistant/status", "online")
    assert ear.hears(lambda: len(ear.all(CONFIG)) == 2)
    ear.say("the end", "")
    assert ear.hears(lambda: ear.all("the end"))
    assert len(ear.all(CONFIG)) == 2


def test_a_retained_birth_is_old_news(ear: Ear, broker: Mosquitto, opened: Open) -> None:
    ear.say("homeassistant/status", "online", retain=True)
    assert ear.hears(lambda: ear.newest("homeassistant/status"))
    link = opened(broker.port)
    assert ear.hears(lambda: ear.newest(CONFIG))
    assert link._timer is None


def test_older_home_assistants_get_one_message_an_entity(ear: Ear, broker: Mosquitto, opened: Open) -> None:
    opened(broker.port, discovery="single", prefix="ha")
    topic = "ha/sensor/stickman_abc/status/config"
    assert ear.hears(lambda: ear.newest(topic))
    told = json.loads(ear.newest(topic) or b"")
    assert told["device"]["ids"] == ["stickman_abc"]
    assert (told["state_topic"], told["unique_id"]) == (STATE, "stickman_abc_status")
    assert ear.newest("ha/device/stickman_abc/config") == b"", "the other form is taken back"


def test_without_discovery_only_the_topics_are_there(ear: Ear, broker: Mosquitto, opened: Open) -> None:
    opened(broker.port, discovery="off")
    assert ear.hears(lambda: ear.newest(STATE))
    told = [(topic, payload) for topic, payload, _ in ear.said if topic.startswith("homeassistant")]
    assert set(told) == {(CONFIG, b"")}, "Home Assistant forgets what was announced before"


def test_a_broker_that_restarts_has_everything_again(ear: Ear, broker: Mosquitto, table: Table, opened: Open) -> None:
    link = opened(broker.port)
    assert ear.hears(lambda: ear.newest(STATE))
    broker.stop()
    assert eventually(lambda: not link.check().ok)
    assert "has gone" in link.check().text or "cannot be reached" in link.check().text
    begin(table, "Ann", "Bo")
    settle(table, 1, 1, 1, 2, 3, 4)
    broker.start()
    assert eventually(lambda: link.check().ok)
    with closing(Ear(broker.port)) as late:
        assert late.hears(lambda: late.newest(AWAY) == b"online" and late.newest(CONFIG) and late.newest(STATE))
        assert state(late)["game"]["turn"]["throw"] == [1, 1, 1, 2, 3, 4]
        assert late.newest(ROLL) is None


def test_a_wrong_password_is_said_and_never_shown(
    tmp_path: Path, parts: ExitStack, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    guarded = Mosquitto(tmp_path, "tray", "right")
    parts.callback(guarded.stop)
    caplog.set_level(logging.DEBUG)
    wrong = opened(guarded.port, user="tray", password="hunter2")
    assert eventually(lambda: "refuses the user name or the password" in wrong.check().text)
    assert not wrong.check().needed
    assert "hunter2" not in caplog.text + repr(wrong._broker) + wrong.check().text
    right = opened(guarded.port, Card("other", "", ""), user="tray", password="right")
    assert eventually(lambda: right.check().ok and "Connected" in right.check().text)


def test_a_broker_with_a_certificate_of_its_own_is_believed(tmp_path: Path, parts: ExitStack, opened: Open) -> None:
    sealed = Mosquitto(tmp_path, tls=True)
    parts.callback(sealed.stop)
    known = opened(sealed.port, tls=True, ca_file=str(sealed.ca_file))
    assert eventually(lambda: "Connected" in known.check().text)


def test_a_broker_that_is_not_there_stops_nobody(table: Table, opened: Open) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    link = opened(port)
    begin(table, "Ann", "Bo")
    for _ in range(5):
        settle(table, 1, 1, 1, 2, 3, 4)
        table.ask(Bank())
    assert eventually(lambda: "cannot be reached: check [mqtt] broker and port" in link.check().text)
    assert table.view().game is not None


def test_a_broker_that_takes_the_line_and_says_nothing_stops_nobody(table: Table, opened: Open) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        link = opened(silent.getsockname()[1])
        begin(table, "Ann", "Bo")
        for _ in range(40):
            settle(table, 2, 2, 3, 3, 4, 6)
        assert table.view().game is not None
        begun_s = time.monotonic()
        link.stop()
        assert time.monotonic() - begun_s < 10


def test_commands_press_the_buttons_where_the_owner_wants_them(
    ear: Ear, broker: Mosquitto, table: Table, opened: Open
) -> None:
    opened(broker.port, commands=True)
    assert ear.hears(lambda: b"cmd/new_game" in (ear.newest(CONFIG) or b""))
    begin(table, "Ann", "Bo")
    settle(table, 1, 1, 1, 2, 3, 4)
    ear.say("stickman/abc/cmd/bank", "PRESS")
    assert eventually(lambda: table.view().game.board.players[0].score == 1000)  # type: ignore[union-attr]
    ear.say("stickman/abc/cmd/undo", "PRESS")
    assert eventually(lambda: table.view().game.board.players[0].score == 0)  # type: ignore[union-attr]
    ear.say("stickman/abc/cmd/rules", "no such rules")
    ear.say("stickman/abc/cmd/rules", "dice-10000")
    assert eventually(lambda: table.view().offered == "dice-10000")
    ear.say("stickman/abc/cmd/launch", "PRESS")
    ear.say("stickman/abc/cmd/new_game", "PRESS")
    assert eventually(lambda: table.view().game.id == "g2")  # type: ignore[union-attr]
    game = table.view().game
    assert game is not None
    assert [player.name for player in game.board.players] == ["Ann", "Bo"]


def test_commands_are_not_heard_unless_the_owner_wants_them(
    ear: Ear, broker: Mosquitto, table: Table, opened: Open
) -> None:
    opened(broker.port)
    begin(table, "Ann", "Bo")
    settle(table, 1, 1, 1, 2, 3, 4)
    assert ear.hears(lambda: state(ear) and state(ear)["game"])
    ear.say("stickman/abc/cmd/bank", "PRESS")
    ear.say("homeassistant/status", "online")
    assert ear.hears(lambda: len(ear.all(CONFIG)) > 1), "this was heard after it"
    game = table.view().game
    assert game is not None
    assert game.board.players[0].score == 0


def test_a_club_sees_every_tray_and_who_has_left(broker: Mosquitto, ear: Ear, table: Table, opened: Open) -> None:
    club = Club()
    opened(broker.port, club=club)
    far = opened(broker.port, Card("xyz", "Bar", "1.0"))
    begin(table, "Ann", "Bo")

    def playing() -> list[str]:
        return [tray.name for tray in club.trays() if tray.here and tray.players]

    assert eventually(lambda: playing() == ["Bar", "Table one"])
    far.stop()
    assert eventually(lambda: [tray.here for tray in club.trays()] == [False, True])
    ear.say("stickman/xyz/state", "", retain=True)
    assert eventually(lambda: [tray.name for tray in club.trays()] == ["Table one"])


def test_the_doctor_says_whether_the_broker_lets_the_tray_in(tmp_path: Path, parts: ExitStack) -> None:
    guarded = Mosquitto(tmp_path, "tray", "right")
    parts.callback(guarded.stop)
    (tmp_path / "right").write_text("right\n")
    (tmp_path / "wrong").write_text("hunter2\n")
    config = Config(broker="127.0.0.1", broker_port=guarded.port, broker_user="tray")
    right, wrong = (replace(config, broker_password_file=tmp_path / name) for name in ("right", "wrong"))
    (found,) = house_findings(right)
    assert (found.check, found.verdict) == ("mqtt", "ok")
    (found,) = house_findings(wrong)
    assert (found.verdict, found.cure) == ("warn", "check [mqtt]")
    assert "does not let the tray in (not authorized)" in found.text
    (found,) = house_findings(replace(config, broker_password_file=tmp_path / "none"))
    assert found.cure == "the tray's user must be able to"
    guarded.stop()
    (found,) = house_findings(right)
    assert "cannot be reached (Connection refused)" in found.text
    assert list(house_findings(Config())) == []


def test_a_whole_tray_tells_its_broker_and_shows_the_club(
    trays: Callable[..., Any], broker: Mosquitto, ear: Ear, tmp_path: Path
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        f'[tray]\nname = "Table one"\n[mqtt]\nbroker = "127.0.0.1"\nport = {broker.port}\n', encoding="utf-8"
    )
    tray = trays(tmp_path / "state", "--simulated", "--seed", "7", "--config", str(config))
    tray.start_game("Ann", "Bo")
    topic = f"stickman/{(tmp_path / 'state' / 'tray-id').read_text().strip()}"
    assert ear.hears(lambda: b'"Ann"' in (ear.newest(f"{topic}/state") or b""))
    assert ear.newest(f"{topic}/availability") == b"online"
    status, page = tray.call("GET", "/tv?club")
    assert status == 200
    assert "Table one" in page
    assert "Ann" in page
    assert "Connected to the broker" in tray.call("GET", "/health")[1]
    tray.close()
    assert ear.hears(lambda: ear.newest(f"{topic}/availability") == b"offline")
