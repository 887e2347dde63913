"""House rules, presets and rule sheets."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware import rulebook
from firmware.errors import BadInput
from rules.checks import CHECKS
from rules.conflicts import warnings
from rules.errors import BadRules
from rules.house import parse, read
from rules.options import Custom, Kind, Options, flat
from rules.sheet import sheet

# A busy machine may take its time.
STEADY = settings(suppress_health_check=[HealthCheck.too_slow])
PRESETS = sorted(rulebook.presets())
HOUSE = """\
name = "Our table"
base = "farkle"

[dice]
count = 6

[score]
straight = 1500
kind4 = {set = 1000}
kind5 = "adding"
kind6 = {mult = 10}
triples = {2 = 250}
custom = [{pattern = "aabb", value = 300, name = "two pairs"}]

[turn]
hot_dice = "must"

[win]
target = 5000
"""


def checked(tmp_path: Path, text: str) -> list[tuple[int | None, str]]:
    path = tmp_path / "house.toml"
    path.write_text(text)
    return [(finding.line, finding.mistake.text) for finding in rulebook.check(path)[1]]


def test_a_house_rules_file_is_its_base_and_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE)
    options = rulebook.load(str(path))
    assert options.name == "Our table"
    assert (options.score.straight, options.score.kind4, options.score.kind5) == (
        1500,
        Kind("set", 1000),
        Kind("adding"),
    )
    assert options.score.kind6 == Kind("mult", 10)
    assert options.score.triples == (250, 300, 400, 500, 600)
    assert options.score.custom == (Custom("aabb", 300, "two pairs"),)
    assert (options.turn.hot_dice, options.win.target, options.win.rule) == ("must", 5000, "at_least")


@pytest.mark.parametrize("off", ["off", "none", False, 0, None])
def test_a_combination_of_the_base_can_be_left_out(off: Any) -> None:
    options = rulebook.options_of({"base": "dice-10000", "score": {"mcflurry": off, "straight": off}})
    assert (options.score.mcflurry, options.score.straight, options.score.three_pairs) == (None, None, 1500)


def test_dotted_names_and_kinds_as_a_whole_are_understood() -> None:
    assert parse({"score.straight": 1500}) == parse({"score": {"straight": 1500}})
    kind = Kind("doubling")
    score = parse({"score": {"kinds": "doubling"}}).score
    assert (score.kind4, score.kind5, score.kind6) == (kind, kind, kind)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_the_same_after_json(name: str) -> None:
    options = rulebook.presets()[name].options
    assert options.name == name
    assert parse(options.to_json()) == options


@settings(STEADY)
@given(st.sampled_from(PRESETS), st.integers(1, 10_000), st.sampled_from([Kind("mult", 7), Kind("set", 50), None]))
def test_changed_options_are_the_same_after_json(name: str, points: int, kind: Kind | None) -> None:
    plain = {"adding": "adding"} if kind is None else {kind.how: kind.value}
    rules = {"base": name, "score": {"straight": points, "kind5": "adding" if kind is None else plain}}
    options = rulebook.options_of(rules)
    assert options.score.straight == points
    assert parse(options.to_json()) == options


def test_every_option_can_be_set_by_its_name() -> None:
    assert set(flat(Options().to_json())) == set(CHECKS)


def test_the_presets_are_those_of_the_rule_books() -> None:
    assert tuple(rulebook.presets()) == rulebook.NAMES
    presets = {name: preset.options for name, preset in rulebook.presets().items()}
    assert presets["farkle"] == Options(name="farkle")
    assert presets["pocket-farkel"].score.triple_1 == 300
    assert presets["dark-knights"].score.straight == 1000
    assert presets["dark-knights-full"].score.two_triplets == 2500
    assert (presets["dice-10000"].turn.entry_threshold, presets["dice-10000"].turn.minimum) == (1000, 500)
    assert presets["five-thousand"].score == presets["dice-10000"].score
    assert presets["five-thousand"].win.target == 5000
    assert (presets["five-dice"].dice.count, presets["twelve-dice"].dice.count) == (5, 12)
    assert presets["team-farkle"].win.target == 20_000
    assert presets["welfare"].win.overshoot == "give_to_lowest"


def test_no_preset_contradicts_itself_or_sets_what_has_no_effect() -> None:
    notes = {name: warnings(preset.options) for name, preset in rulebook.presets().items()}
    # Their rule books name both: a triple worth three singles, and points for what wins at once.
    assert {name for name, found in notes.items() if found} == {"pocket-farkel", "dark-knights-full"}


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("FARKLE", "farkle"),
        ("dice_10000", "dice-10000"),
        ("Dice 10,000", "dice-10000"),
        ("Dix Mille", "dice-10000"),
        ("zilch", "dice-10000"),
        ("5000", "five-thousand"),
        ("hot dice", "farkle"),
        ("dark_knights_full", "dark-knights-full"),
    ],
)
def test_a_preset_is_found_by_its_names_however_they_are_written(name: str, preset: str) -> None:
    assert rulebook.options_of(name) == rulebook.presets()[preset].options
    assert rulebook.load(name) == rulebook.presets()[preset].options


def test_no_two_presets_share_a_name() -> None:
    names = [name for preset in rulebook.presets().values() for name in (preset.name, *preset.aliases)]
    assert len(names) == len(set(names))


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(BadRules, match='no rules called "frakle"; did you mean farkle'):
        rulebook.options_of("frakle")
    with pytest.raises(BadRules, match="choose one of farkle, pocket-farkel"):
        rulebook.options_of("xyzzy")


def test_a_phone_cannot_name_a_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE)
    with pytest.raises(BadRules, match="no rules called"):
        rulebook.options_of(str(path))


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"score": {"straigt": 1500}}, "There is no option score.straigt; did you mean score.straight?"),
        ({"score": {"straight": "high"}}, 'score.straight = "high" is not allowed; use "off" or a whole number'),
        ({"score": {"straight": -5}}, "score.straight = -5 is not allowed"),
        ({"score": {"straight": True}}, "score.straight = true is not allowed"),
        ({"score": {"straight": 1.5}}, "score.straight = 1.5 is not allowed"),
        ({"score": {"kind4": {"set": 1000, "mult": 2}}}, "score.kind4 = {set = 1000, mult = 2} is not allowed"),
        ({"score": {"kind4": "tripling"}}, 'score.kind4 = "tripling" is not allowed; use "off", "adding", "doubling"'),
        ({"score": {"triples": {"1": 300}}}, "three 1s are triple_1"),
        ({"score": {"triples": {"2": -1}}}, "score.triples.2 = -1"),
        ({"score": {"custom": [{"pattern": "7", "value": 5}]}}, 'score.custom[0].pattern = "7" is not allowed'),
        ({"score": {"custom": [{"pattern": "11", "value": 0}]}}, "score.custom[0].value = 0 is not allowed"),
        ({"score": {"custom": [{"pattern": "aabbccd", "value": 5}]}}, "needs 7 dice, but 6 are played"),
        ({"score": {"custom": "11"}}, "use a list such as"),
        ({"straight": 1500}, "The option straight belongs under [score]."),
        ({"score": 5}, "[score] is a table of options"),
        ({"dice": {"count": 0}}, "dice.count = 0 is not allowed; use 5, 6 or 12."),
        ({"dice": {"count": 13}}, "dice.count = 13 is not allowed"),
        ({"win": {"target": -1}}, "win.target = -1 is not allowed"),
        ({"win": {"instant": ["seven"]}}, "five_kind_first_throw, six_kind, six_ones"),
        ({"win": {"instant": ["five_kind_first_throw"]}}, "play with five"),
        ({"turn": {"hot_dice": "mist"}}, 'turn.hot_dice = "mist" is not allowed; use "may" or "must".'),
        ({"turn": {"bank_max_dice_left": -1}}, 'use "off" or a whole number from 0 to 12'),
        ({"penalty": {"three_farkles": "some"}}, 'penalty.three_farkles = "some" is not allowed'),
        ({"penalty": {"four_twos": 3}}, "use true or false"),
        ({"base": "frakle"}, "did you mean farkle"),
        ({"base": 5}, "use the name of a preset"),
        ({"name": ""}, "a text of 1 to 60 characters"),
        ({"teams": 1}, "One team has nobody to play against"),
        ({"dice": {"count": 12, "wild": "coloured_4"}}, "among twelve dice is not defined"),
        ({"dice": {"wild": "coloured_4"}, "score": {"progressive": "all"}}, "set one of the two off"),
        ({"colour": "red"}, "There is no option colour; choose one of name, base"),
        ({"penalties": {"floor": 0}}, "There is no option penalties; did you mean penalty?"),
        ({"win": {"zeal": 1}}, "choose one of win.target, win.rule"),
        ({"dice": {"wild_colour": "mauve"}}, 'or "" for the die that differs from all others.'),
        ({"dice": {"wild": "coloured_4"}, "turn": {"triple_attempt": True}}, "attempt with a wild die is not defined"),
        (
            {"win": {"rule": "exact", "target": 10_025}},
            "10025 can never be hit exactly: all points come in steps of",
        ),
    ],
)
def test_a_mistake_is_named_with_what_is_allowed(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadRules) as refusal:
        rulebook.options_of(rules)
    assert sentence in str(refusal.value)


def test_every_mistake_is_found_not_only_the_first() -> None:
    _, mistakes = read({"score": {"straigt": 1, "kind4": "x"}, "dice": {"count": 7}}, {})
    assert [mistake.key for mistake in mistakes] == ["score.straigt", "score.kind4", "dice.count"]
    with pytest.raises(BadRules, match="2 more"):
        parse({"score": {"straigt": 1, "kind4": "x"}, "dice": {"count": 7}})


def test_mistakes_in_a_file_are_named_with_their_lines(tmp_path: Path) -> None:
    text = HOUSE.replace("count = 6", "count = 7").replace('"must"', '"mist"') + 'rule = "under"\nscore.fives = -3\n'
    lines = [line for line, _ in checked(tmp_path, text)]
    assert lines == [5, 16, 20, 21]
    with pytest.raises(BadRules, match=r"house\.toml, line 5: dice\.count = 7 .* \(and 3 more"):
        rulebook.load(str(tmp_path / "house.toml"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("score.straight = -1\n", 1),
        ('\n[score]\ncustom = [\n  {pattern = "9", value = 1},\n]\n', 3),
        ("[[score.custom]]\npattern = 9\nvalue = 1\n", 1),
        ("[score.kind4]\nset = -1\n", 1),
        ("score = {straight = -1}\n", 1),
        ("name = 5\n[score] # points\nstraight = 1000\n", 1),
    ],
)
def test_the_line_of_a_mistake_is_found_however_it_is_written(tmp_path: Path, text: str, line: int) -> None:
    assert [found for found, _ in checked(tmp_path, text)] == [line]


def test_a_file_that_is_no_toml_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("name = 'x'\n[score\nstraight = 1\n")
    with pytest.raises(BadInput, match=r"broken\.toml is not a TOML file: .*line 2"):
        rulebook.load(str(path))


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", None, "folder"])
def test_a_file_that_cannot_be_read_is_said_in_a_sentence(tmp_path: Path, content: bytes | str | None) -> None:
    path = tmp_path / "house.toml"
    if content == "folder":
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(BadInput, match=r"house\.toml.*\.$"):
        rulebook.load(str(path))


def test_an_empty_file_is_plain_farkle(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text("")
    assert rulebook.load(str(path)) == Options()


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"dice": {"count": 5}, "score": {"straight": 1000}}, "A straight cannot be thrown with five dice."),
        ({"dice": {"count": 12}, "score": {"nothing": 500}}, "never given"),
        ({"score": {"triple_1": 200}}, "no more than three single 1s"),
        ({"win": {"rule": "exact"}}, "There is no final round"),
        ({"win": {"roll_off": True}}, "only when the target must be hit exactly"),
        ({"penalty": {"floor": 0}}, "three farkles cost nothing"),
        ({"turn": {"straight_attempt": True}}, "a straight does not score"),
        ({"turn": {"piggyback_needs_board": True}}, "nobody may"),
        ({"turn": {"piggyback": "full", "piggyback_flat": 500}}, "not given"),
        ({"turn": {"piggyback": "full", "piggyback_needs_board": True}}, "on the board from the start"),
        ({"turn": {"bank_max_dice_left": 6}}, "no limit"),
        ({"score": {"nothing_hot_dice": False}}, "it is a farkle"),
        ({"dice": {"wild_alone": False}}, "there is none"),
        ({"win": {"tie": "shared", "final_round": False}}, "no ties"),
        ({"win": {"instant": ["six_kind"]}, "score": {"kind6": "adding"}}, "Six of a kind wins the game at once"),
        ({"win": {"instant": ["six_ones"]}, "score": {"six_ones": 5000}}, "Six 1s win the game at once"),
    ],
)
def test_options_without_effect_are_said_not_refused(rules: dict[str, Any], sentence: str) -> None:
    assert any(sentence in warning for warning in warnings(parse(rules)))


@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_sheet_reads_as_sentences(name: str) -> None:
    for chapter in sheet(rulebook.presets()[name].options):
        assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in chapter.sentences)
        assert not any(word in " ".join(chapter.sentences) for word in ("None", "True", "False", "_"))


def test_a_rule_sheet_says_every_option_that_is_changed() -> None:
    plain = sheet(Options())
    for changed in (
        {"score": {"ones": 150}},
        {"score": {"triples": {"2": 250}}},
        {"score": {"kind5": {"set": 2000}}},
        {"score": {"six_ones": 5000}},
        {"score": {"nothing": 500}},
        {"score": {"full_house_bonus": 250}},
        {"score": {"progressive": "kinds"}},
        {"score": {"custom": [{"pattern": "aabb", "value": 300}]}},
        {"turn": {"minimum": 500}},
        {"turn": {"bank_max_dice_left": 2}},
        {"turn": {"piggyback": "flat"}},
        {"turn": {"straight_attempt": True}},
        {"turn": {"triple_attempt": True}},
        {"turn": {"order": "counter"}},
        {"penalty": {"three_farkles": "all"}},
        {"penalty": {"four_twos": True}},
        {"win": {"tie": "shared"}},
        {"win": {"final_round": False}},
        {"win": {"instant": ["six_ones"]}},
        {"win": {"rule": "exact"}},
        {"dice": {"wild": "coloured_4"}},
        {"win": {"rule": "exact", "overshoot": "give_to_lowest"}},
        {"win": {"rule": "exact", "roll_off": True}},
        {"score": {"nothing": 500, "nothing_hot_dice": False}},
        {"turn": {"piggyback": "full", "piggyback_needs_board": True, "entry_threshold": 500}},
        {"stake": 5},
        {"teams": 2},
    ):
        assert sheet(parse(changed)) != plain, changed


def test_the_example_of_the_readme_runs_and_its_modules_exist(capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).parents[1] / "rules"
    text = (folder / "README.md").read_text()
    exec(text.split("```python\n")[1].split("```")[0], {})
    assert capsys.readouterr().out.strip() == "350"
    modules = {path.name for path in folder.glob("*.py")} - {"__init__.py", "errors.py"}
    assert all(f"`{name}`" in text for name in modules)
