"""House rules from the form to the file and back: checked, saved by a paired phone, offered, played."""

import json
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from a_table import eventually
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from firmware import house_rules, rulebook
from firmware.__main__ import main
from firmware.drivers import Press
from firmware.errors import BadState
from firmware.journal import Journal
from firmware.room import PAIRING_S, Room
from firmware.table import Table
from firmware.table_rules import TableRules
from rules import house
from rules.checks import CHECKS
from rules.choices import GROUPS, QUESTIONS
from rules.errors import BadRules
from rules.house import read
from rules.sheet import sheet
from web.app import create_app
from web.offers import shown
from web.site import Site


@dataclass
class House:
    table: Table
    room: Room
    client: FlaskClient
    folder: Path
    now: list[float] = field(default_factory=lambda: [0.0])

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        answer = self.client.post(f"/api/v1/{path}", json=body)
        return answer.status_code, answer.get_json()

    def sit(self) -> None:
        assert self.post("join", {"code": self.room.code, "name": "Ann"})[0] == 200

    def press(self, *, long: bool) -> None:
        """Press MODE, and wait until the table has heard of it."""
        with self.table.listen() as views:
            self.table.pressed(Press("mode", long=long))
            self.table.banner(f"heard {self.table.view().seq}")
            while not any(text.startswith("heard") for text in (views.get(5) or self.table.view()).banners):
                pass

    @property
    def file(self) -> Path:
        return self.folder / "rules" / "our-table.toml"


@pytest.fixture
def at_table(tmp_path: Path) -> Iterator[House]:
    with ExitStack() as parts:
        now = [0.0]
        journal, room = Journal(tmp_path / "stickman.db"), Room(tmp_path / "stickman.db", lambda: now[0])
        parts.callback(journal.close)
        parts.callback(room.close)
        rules = TableRules("farkle", tmp_path)
        table = Table(
            journal,
            rules.options_of,
            epoch="e",
            now=lambda: "2026-11-29",
            new_id=lambda: "g",
            presets=rules.names,
            mode_held=room.button_held,
        )
        table.start()
        parts.callback(table.stop)
        client = create_app(table, room, rules, Site()).test_client()
        yield House(table, room, client, tmp_path, now)


# Letters, marks, numbers, punctuation, symbols: no control characters, no half characters.
PRINTABLE = st.characters(categories=("L", "M", "N", "P", "S"))
OURS = {"name": "Our table", "base": "dice-10000", "score.straight": 2000}


def test_saved_rules_are_a_file_a_card_and_a_game(at_table: House) -> None:
    at_table.sit()
    status, card = at_table.post("rules/save", {"rules": OURS})
    assert status == 201
    assert (card["name"], card["title"], card["own"]) == ("our-table", "Our table", True)
    assert card["description"] == "Dice 10,000 with changes. Straight, 1 to 6: 2,000 points."
    assert tomllib.loads(at_table.file.read_text()) == {
        "name": "Our table",
        "base": "dice-10000",
        "score": {"straight": 2000},
    }
    assert at_table.client.get("/api/v1/rules").get_json()["rules"][0] == card
    assert "A straight, 1 to 6: 2,000 points." in at_table.client.get("/rules/our-table").text
    status, state = at_table.post("games", {"rules": "our-table", "players": ["Ann", "Bo"]})
    assert (status, state["game"]["rules"], state["game"]["target"]) == (200, "Our table", 10_000)
    assert "A straight, 1 to 6: 2,000 points." in at_table.client.get("/sheet").text


def test_again_is_the_same_rules_even_when_they_were_never_saved(at_table: House) -> None:
    at_table.sit()
    at_table.post("games", {"rules": {"base": "farkle", "score.straight": 1700}, "players": ["Ann", "Bo"]})
    at_table.post("games/current/end", {})
    assert at_table.post("games", {"again": True, "players": ["Ann", "Bo"]})[0] == 200
    assert "A straight, 1 to 6: 1,700 points." in at_table.client.get("/sheet").text


def test_saved_rules_can_be_built_upon_and_are_still_written_as_changes_of_a_preset(at_table: House) -> None:
    at_table.sit()
    at_table.post("rules/save", {"rules": OURS})
    status, _ = at_table.post("rules/save", {"rules": {"name": "Short", "base": "our-table", "win.target": 3000}})
    assert status == 201
    written = tomllib.loads((at_table.folder / "rules" / "short.toml").read_text())
    assert written == {
        "name": "Short",
        "base": "dice-10000",
        "score": {"straight": 2000},
        "win": {"target": 3000},
    }


def test_saving_over_asks_first(at_table: House) -> None:
    at_table.sit()
    at_table.post("rules/save", {"rules": OURS})
    before = at_table.file.read_bytes()
    status, problem = at_table.post("rules/save", {"rules": OURS | {"score.straight": 1500}})
    assert (status, problem["taken"]) == (409, True)
    assert at_table.file.read_bytes() == before
    assert at_table.post("rules/save", {"rules": OURS | {"win.target": 5000}, "replace": True})[0] == 201
    assert at_table.file.read_bytes() != before


def test_forgotten_rules_are_gone_and_the_game_played_by_them_goes_on(at_table: House) -> None:
    at_table.sit()
    at_table.post("rules/save", {"rules": OURS})
    at_table.post("games", {"rules": "our-table", "players": ["Ann", "Bo"]})
    status, left = at_table.post("rules/forget", {"name": "our-table"})
    assert (status, left["rules"][0]["name"]) == (200, "farkle")
    assert "A straight, 1 to 6: 2,000 points." in at_table.client.get("/sheet").text
    for name in ("our-table", "farkle", "../stickman"):
        status, problem = at_table.post("rules/forget", {"name": name})
        assert (status, problem["detail"]) == (422, f'There are no house rules called "{name}".')
    assert (at_table.folder / "stickman.db").exists()


@pytest.mark.parametrize("name", rulebook.NAMES)
def test_the_page_of_a_rule_set_says_what_the_command_says(at_table: House, name: str) -> None:
    page = unescape(at_table.client.get(f"/rules/{name}").text)
    for chapter in sheet(rulebook.options_of(name)):
        for sentence in chapter.sentences:
            assert sentence in page


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"name": "Farkle"}, '"Farkle" is the name of rules that come with the tray; give yours another.'),
        ({"name": "Dice 10,000"}, "give yours another."),
        ({"name": "?!"}, "at least one letter or digit."),
        ({"base": "farkle"}, "House rules need a name, such as Our table."),
        ({"name": "A", "dice.count": 0}, "Number of dice: 0 is not allowed; use 5, 6 or 12."),
        ({"name": "A", "dice.count": 13}, "Number of dice: 13 is not allowed; use 5, 6 or 12."),
        ({"name": "A", "score.ones": "much"}, 'A single 1: "much" is not allowed; use a whole number of points'),
        ({"name": "A", "score.strait": 5}, "There is no option score.strait; did you mean score.straight?"),
        ({"name": "A", "base": "frakle"}, "did you mean farkle"),
        ({"name": "../../etc/passwd", "win.target": -1}, "Target: -1 is not allowed"),
        ({"name": "A", "score.custom": [{"pattern": "7", "value": 3}]}, "Combinations of your own, number 1, pattern:"),
    ],
)
def test_bad_rules_are_refused_in_a_sentence_and_nothing_is_written(at_table: House, rules: Any, sentence: str) -> None:
    at_table.sit()
    status, problem = at_table.post("rules/save", {"rules": rules})
    assert (status, problem["status"]) == (422, 422)
    assert sentence in problem["detail"]
    assert not list(at_table.folder.glob("rules/*"))


def test_a_name_never_leaves_the_folder(at_table: House) -> None:
    at_table.sit()
    assert at_table.post("rules/save", {"rules": {"name": "../../Tom's"}})[0] == 201
    assert [path.name for path in (at_table.folder / "rules").iterdir()] == ["tom-s.toml"]


def test_every_mistake_is_told_with_its_option_and_good_rules_with_their_meaning(at_table: House) -> None:
    wrong = {"base": "farkle", "score": {"straight": -5}, "dice": {"count": 13}}
    _, told = at_table.post("rules/check", {"rules": wrong})
    assert {each["key"] for each in told["mistakes"]} == {"score.straight", "dice.count"}
    assert "sheet" not in told
    _, clash = at_table.post("rules/check", {"rules": {"dice.wild": "coloured_4", "score.progressive": "all"}})
    assert clash["mistakes"] == [
        {"key": "dice.wild", "text": "A wild die under progressive scoring is not defined; set one of the two off."}
    ]
    _, good = at_table.post("rules/check", {"rules": {"base": "farkle", "dice.count": 5, "score.straight": 1000}})
    assert good["mistakes"] == []
    assert good["warnings"] == ["A straight cannot be thrown with five dice."]
    assert good["changes"] == ["Number of dice: five", "Straight, 1 to 6: 1,000 points"]
    assert good["rules"] == {"name": "farkle", "base": "farkle", "dice.count": 5, "score.straight": 1000}
    assert at_table.post("rules/check", {"rules": 5})[0] == 422


def test_only_a_seat_saves_rules(at_table: House) -> None:
    assert at_table.post("rules/save", {"rules": OURS})[0] == 403
    assert not at_table.file.exists()


def test_where_there_are_buttons_holding_mode_pairs_one_phone_for_good(at_table: House) -> None:
    at_table.table.panel_is("mock", ())
    assert eventually(lambda: at_table.table.view().panel.factory == "mock")
    at_table.sit()
    status, problem = at_table.post("rules/save", {"rules": OURS})
    assert (status, problem["pairing"]) == (403, True)
    at_table.press(long=False)
    assert at_table.post("rules/save", {"rules": OURS})[0] == 403
    at_table.press(long=True)
    at_table.now[0] += PAIRING_S + 1
    assert at_table.post("rules/save", {"rules": OURS})[0] == 403
    at_table.press(long=True)
    at_table.now[0] += PAIRING_S - 1
    assert at_table.post("rules/save", {"rules": OURS})[0] == 201
    at_table.now[0] += 1e6
    assert at_table.post("rules/save", {"rules": OURS, "replace": True})[0] == 201
    another = at_table.client.application.test_client()
    assert another.post("/api/v1/join", json={"code": at_table.room.code, "name": "Bo"}).status_code == 200
    refused = another.post("/api/v1/rules/save", json={"rules": OURS, "replace": True})
    assert refused.status_code == 403, "one hold, one phone"


def test_mode_goes_through_saved_rules_too(at_table: House) -> None:
    at_table.sit()
    at_table.post("rules/save", {"rules": OURS})
    names = [card["name"] for card in at_table.client.get("/api/v1/rules").get_json()["rules"]]
    assert names[:2] == ["our-table", "farkle"]
    at_table.press(long=False)
    assert at_table.table.view().offered == "pocket-farkel"


def test_a_full_disk_leaves_the_rules_that_were_there(at_table: House, monkeypatch: pytest.MonkeyPatch) -> None:
    at_table.sit()
    at_table.post("rules/save", {"rules": OURS})
    before = at_table.file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware.files.os.fsync", full)
    status, problem = at_table.post("rules/save", {"rules": OURS | {"win.target": 5000}, "replace": True})
    assert status == 503
    assert "No space left on device" in problem["detail"]
    assert at_table.file.read_bytes() == before


def test_a_damaged_file_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    house_rules.save(tmp_path, "Good", "farkle", rulebook.options_of({"name": "Good", "stake": 5}))
    (tmp_path / "rules" / "bad.toml").write_text('base = "frakle"\n')
    rules = TableRules("farkle", tmp_path)
    assert rules.names()[0] == "good"
    assert "bad.toml, line 1" in rules.banners[0]
    assert TableRules("good", tmp_path).offered == "good"


def test_rules_named_by_the_config_have_a_card_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "Ann/Bo #1"\nstake = 3\n')
    rules = TableRules(str(file), tmp_path)
    assert (rules.offered, rules.names()[0], rules.cards()[0].title) == ("ann-bo-1", "ann-bo-1", "Ann/Bo #1")
    assert rules.options_of("ann-bo-1") == rules.options_of("Ann/Bo #1") == rulebook.load(str(file))


def test_no_more_rules_are_kept_than_anyone_wants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_rules, "MOST", 1)
    options = rulebook.options_of("farkle")
    house_rules.save(tmp_path, "One", "farkle", options)
    house_rules.save(tmp_path, "One", "farkle", options)
    with pytest.raises(BadRules, match="save over one of them"):
        house_rules.save(tmp_path, "Two", "farkle", options)


def test_the_command_line_knows_saved_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house_rules.save(tmp_path, "Our table", "farkle", rulebook.options_of({"name": "Our table", "stake": 5}))
    there = ["--state-dir", str(tmp_path)]
    assert main(["rules", "list", *there]) == 0
    assert "our-table          Farkle with changes. Everybody puts in the pot: 5." in capsys.readouterr().out
    assert main(["rules", "check", "Our table", *there]) == 0
    assert "good rules, called Our table." in capsys.readouterr().out
    assert main(["rules", "show", "our-table", *there]) == 0
    assert "Everyone puts 5 in the pot" in capsys.readouterr().out
    assert main(["score", "1,1", "--rules", "our-table", *there]) == 0
    assert "(Our table)" in capsys.readouterr().out
    for command in (["odds"], ["advise", "--dice", "6", "--turn-score", "300"]):
        assert main([*command, "--rules", "our-table", "--json", *there]) == 0
        assert json.loads(capsys.readouterr().out)["rules"] == "Our table"
    assert main(["score", "1,5", "--rules", "their-table", *there]) == 2
    assert "their-table" in capsys.readouterr().err


# The form.


def test_every_option_is_asked_once() -> None:
    asked = [question.key for group in GROUPS for question in group.questions]
    assert sorted(asked) == sorted(key for key in CHECKS if key != "name")


@pytest.mark.parametrize("key", QUESTIONS)
def test_every_choice_offered_is_allowed_and_has_words(key: str) -> None:
    question = QUESTIONS[key]
    for choice in question.choices:
        CHECKS[key].read([choice.value] if question.asked == "several" else choice.value)
        assert choice.said
    if question.void is not None:
        assert question.void[0] in QUESTIONS
        CHECKS[key].read(question.idle)


@pytest.mark.parametrize("name", rulebook.NAMES)
def test_a_form_left_as_it_is_says_the_preset_itself(name: str) -> None:
    options = rulebook.options_of(name)
    values = shown(options)
    for question in QUESTIONS.values():
        if question.void is not None and values[question.void[0]] in question.void[1]:
            values[question.key] = question.idle
    again, mistakes = read(values, {})
    assert mistakes == ()
    assert again == options


@given(st.data())
def test_what_is_written_reads_as_the_same_rules(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from(rulebook.NAMES))
    several = data.draw(
        st.sets(st.sampled_from([key for key, each in QUESTIONS.items() if each.asked == "choice"]), max_size=6)
    )
    picked = {key: data.draw(st.sampled_from(QUESTIONS[key].choices)).value for key in several}
    custom = [{"pattern": "aabb", "value": 300, "name": data.draw(st.text(PRINTABLE, max_size=8))}]
    options, mistakes = read(
        picked | {"name": 'Tom\'s "best"\\', "base": base, "score.custom": custom}, rulebook.by_any_name()
    )
    if mistakes:
        return
    changed = house.changes(options, rulebook.options_of(base))
    text = house.written(options.name, base, changed)
    assert rulebook.options_of(tomllib.loads(text)) == options


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("in the way")
    with pytest.raises(BadState, match="check the disk, then save again"):
        house_rules.save(tmp_path, "Ours", "farkle", rulebook.options_of("farkle"))
