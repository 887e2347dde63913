"""Settings, secrets, the club and what is told: each mistake is a sentence, nothing that others send does harm."""

import json
import string
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from a_table import begin, eventually, settle, table_in
from hypothesis import given
from hypothesis import strategies as st

from firmware.config import Config, config_from
from firmware.errors import BadInput
from firmware.integrations import home_assistant, settings
from firmware.integrations.club import NAME, STATE_BYTES, TRAYS, Club, club_tray
from firmware.integrations.home_assistant import PLAYERS, Card
from firmware.integrations.links import links_of
from firmware.integrations.news import KINDS, happened, in_short
from firmware.table import Table
from web.asked import PLAYERS as MOST_PLAYERS

CARD = Card("abc", "Table one", "1.0")


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def table(tmp_path: Path, parts: ExitStack) -> Table:
    return table_in(tmp_path, parts)


def read(text: str) -> tuple[Config, tuple[str, ...]]:
    return config_from(text, Path("/etc/stickman/config.toml"))


def test_all_of_it_is_off_unless_it_is_asked_for(table: Table, tmp_path: Path) -> None:
    links = links_of(Config(), tmp_path, table, "1.0", lambda: ())
    assert (links.links, links.club, links.troubles) == ((), None, ())
    assert settings.broker(Config()) is None
    assert settings.hook(Config()) is None


def test_the_three_lines_of_the_readme_are_enough() -> None:
    config, mistakes = read(
        '[mqtt]\nbroker = "homeassistant.local"\nuser = "stickman"\npassword_file = "mqtt-password"\n'
    )
    assert mistakes == ()
    assert (config.broker, config.broker_port, config.broker_user) == ("homeassistant.local", 1883, "stickman")
    assert config.broker_password_file == Path("/etc/stickman/mqtt-password")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('[mqtt]\nbroker = "mqtt://ha.local:1883"', "(the nearest is ha.local)"),
        ('[mqtt]\nbroker = "ha.local:1883"', "(the nearest is ha.local)"),
        ('[mqtt]\nbroker = ""', "such as homeassistant.local, without a port"),
        ('[mqtt]\npassword = "hunter2"', "(did you mean 'password_file'?)"),
        ("[mqtt]\nport = 99999", "(the nearest is 65535)"),
        ('[mqtt]\ndiscovery = "devices"', "(the nearest is device)"),
        ('[mqtt]\nprefix = "home/#"', "without # and +"),
        ('[lights]\nwled = "192.168.1.50"', "(the nearest is http://192.168.1.50)"),
        ('[webhook]\nurl = "ftp://x"', "begins with http:// or https://"),
        ('[webhook]\nurl = "http://user:hunter2@house/"', "begins with http:// or https://"),
        ('[webhook]\nurl = "http://house:99999/"', "begins with http:// or https://"),
        ('[webhook]\nurl = "http:///news"', "begins with http:// or https://"),
        (f'[mqtt]\nbroker = "{"a" * 64}.local"', "such as homeassistant.local"),
        ('[mqtt]\nbroker = "ha..local"', "such as homeassistant.local"),
        ("[mqt]\nport = 1", "did you mean 'mqtt'?"),
    ],
)
def test_a_mistake_in_the_config_is_a_sentence_with_what_was_meant(text: str, hint: str) -> None:
    config, (mistake,) = read(text)
    assert hint in mistake
    assert mistake.startswith("/etc/stickman/config.toml:")
    assert config == Config()


@pytest.mark.parametrize("host", ["192.168.1.5", "fe80::1", "[fe80::1]", "ha", "my-ha.local"])
def test_brokers_are_named_in_any_usual_way(host: str) -> None:
    config, mistakes = read(f'[mqtt]\nbroker = "{host}"')
    assert mistakes == ()
    found = settings.broker(config)
    assert found is not None
    assert found.host == host.strip("[]")


def test_a_secret_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("hunter2\n")
    assert settings.secret(file, "[mqtt] password_file") == "hunter2"
    assert settings.secret(None, "[mqtt] password_file") == ""


def test_a_secret_that_cannot_be_read_turns_its_integration_off_and_says_why(table: Table, tmp_path: Path) -> None:
    empty, wild = tmp_path / "empty", tmp_path / "wild"
    empty.write_text("\n")
    wild.write_bytes(b"hunter2\xff")
    config = Config(
        broker="ha.local", broker_password_file=tmp_path / "none", webhook="http://x/", webhook_secret_file=empty
    )
    links = links_of(config, tmp_path, table, "1.0", lambda: ())
    assert links.links == ()
    about_mqtt, about_webhook = links.troubles
    assert "[mqtt] password_file" in about_mqtt
    assert "cannot be read (No such file or directory)" in about_mqtt
    assert about_mqtt.endswith("Until then MQTT is off.")
    assert "is empty: put the secret into its first line" in about_webhook
    with pytest.raises(BadInput, match="not UTF-8") as refused:
        settings.secret(wild, "[webhook] secret_file")
    assert "hunter2" not in str(refused.value)
    for ca_file in (tmp_path / "none", empty, wild):
        with pytest.raises(BadInput, match=r"\[mqtt\] ca_file.* is no certificate in PEM format"):
            settings.broker(Config(broker="ha", broker_ca_file=ca_file))


def test_a_disk_that_cannot_be_written_turns_mqtt_off_and_nothing_else(table: Table, tmp_path: Path) -> None:
    (tmp_path / settings.ID_FILE).mkdir()
    links = links_of(Config(broker="ha"), tmp_path, table, "1.0", lambda: ())
    assert links.links == ()
    assert "cannot be written" in links.troubles[0]


def test_a_tray_is_called_the_same_for_ever(tmp_path: Path) -> None:
    first = settings.tray_id(tmp_path)
    assert first == settings.tray_id(tmp_path)
    assert first != settings.tray_id(tmp_path / "another")
    twin = settings.tray_id(tmp_path, "1000000012345678")
    assert twin.startswith(first)
    assert twin != settings.tray_id(tmp_path, "10000000abcdef01"), "a copied card in another box"
    (tmp_path / settings.ID_FILE).write_text("a/b+#\n")
    assert set(settings.tray_id(tmp_path)) <= set(string.hexdigits)


def test_what_is_told_names_who_threw_and_what_they_made_of_it(table: Table) -> None:
    views = [table.view(), begin(table, "Ann", "Bo")]
    settle(table, 1, 1, 1, 2, 3, 4)
    views.append(table.view())
    assert happened(None, views[0]) == ()
    assert happened(views[0], views[1]) == (), "that a game begins is in the state"
    (roll,) = happened(views[1], views[2])
    assert roll == {
        "event_type": "roll", "url": "", "game": "g1", "rules": "farkle", "player": "Ann", "points": 0, "best": 1000,
        "values": [1, 1, 1, 2, 3, 4],
    }  # fmt: skip
    assert happened(replace(views[1], epoch="before"), views[2]) == (), "the tray has started anew meanwhile"
    assert happened(views[2], views[2]) == ()


def test_every_news_is_a_kind_that_home_assistant_was_told_of(table: Table) -> None:
    whole = home_assistant.announcement(CARD, "http://192.0.2.7:8080", ("Ann",), ("farkle",), True)
    assert tuple(whole["cmps"]["roll"]["event_types"]) == KINDS
    assert in_short(table.view())["status"] in whole["cmps"]["status"]["options"]


def test_the_announcement_says_what_home_assistant_asks_for() -> None:
    """Its schema of device discovery: device with an identifier, origin with a name, a platform for every component."""
    whole = home_assistant.announcement(CARD, "http://192.0.2.7:8080", ("Ann", "Bo"), ("farkle", "dice-10000"), True)
    assert whole["dev"]["ids"]
    assert whole["dev"]["configuration_url"] == "http://192.0.2.7:8080"
    assert whole["o"]["name"]
    for key, entity in whole["cmps"].items():
        assert entity["p"] in ("event", "sensor", "binary_sensor", "button", "select")
        if len(entity) > 1:
            assert entity["unique_id"] == f"stickman_abc_{key}"
        if entity["p"] in ("button", "select"):
            assert entity["command_topic"] == f"stickman/abc/cmd/{key}"
    assert whole["cmps"]["rules"]["options"] == ["farkle", "dice-10000"]
    assert PLAYERS == MOST_PLAYERS
    assert json.loads(json.dumps(whole)) == whole


def test_a_single_announcement_of_a_player_who_left_is_empty() -> None:
    whole = home_assistant.announcement(CARD, "http://192.0.2.7:8080", ("Ann",), (), False)
    told = home_assistant.single("homeassistant", CARD, whole)
    assert told["homeassistant/sensor/stickman_abc/score_2/config"] is None
    one = told["homeassistant/sensor/stickman_abc/score_1/config"]
    assert one is not None
    assert one["availability_topic"] == "stickman/abc/availability"


def state_of(table: Table) -> dict[str, Any]:
    return in_short(table.view()) | {"name": "Table one"}


def test_the_club_knows_the_game_of_a_tray(table: Table) -> None:
    begin(table, "Ann", "Bo")
    settle(table, 1, 1, 1, 2, 3, 4)
    tray = club_tray("abc", json.dumps(state_of(table)).encode())
    assert tray is not None
    assert (tray.name, tray.rules, tray.target, tray.players) == ("Table one", "farkle", 10000, (("Ann", 0), ("Bo", 0)))
    assert (tray.turn, tray.at_risk, tray.dice) == (0, 0, (1, 1, 1, 2, 3, 4))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
GAMES = st.fixed_dictionaries(
    {"rules": JSON, "target": JSON, "players": JSON, "turn": JSON, "winners": JSON}
) | JSON  # fmt: skip


@given(st.binary(max_size=200) | st.fixed_dictionaries({"name": JSON, "word": JSON, "game": GAMES}))
def test_whatever_a_broker_sends_a_tray_is_made_of_it_or_nothing(payload: Any) -> None:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    tray = club_tray("x", raw)
    if tray is not None:
        assert len(tray.name) <= NAME
        assert all(1 <= value <= 6 for value in tray.dice)
        assert tray.turn is None or 0 <= tray.turn < len(tray.players)


def test_a_club_is_no_larger_than_a_hall() -> None:
    club = Club()
    told = json.dumps({"name": "x", "word": "ready", "game": None}).encode()
    for number in range(TRAYS + 50):
        club.told(f"t{number}", "availability", b"online")
        club.told(f"t{number}", "state", told)
    assert len(club.trays()) == TRAYS
    assert club_tray("x", told + b" " * STATE_BYTES) is None


def test_a_box_shows_its_links_and_is_ready_without_them(table: Table, tmp_path: Path, parts: ExitStack) -> None:
    config = Config(broker="192.0.2.1", webhook="http://127.0.0.1:9/", lights="http://127.0.0.1:9")
    links = links_of(config, tmp_path, table, "1.0", lambda: ("farkle",))
    parts.callback(links.stop)
    links.start()
    assert [check.name for check in links.checks()] == ["mqtt", "webhook", "lights"]
    assert not any(check.needed for check in links.checks())
    assert eventually(lambda: not links.checks()[2].ok)
    assert links.club is not None
