"""`stickman odds` and `stickman advise` as people and programs meet them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware import winning
from firmware.__main__ import main
from rules.best_play import table
from rules.best_play.of_two import fingerprint
from rules.house import parse


@pytest.fixture(autouse=True)
def _no_state_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def house(folder: Path, text: str) -> str:
    path = folder / "house.toml"
    path.write_text(text)
    return str(path)


def test_odds_of_plain_farkle_in_the_words_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    answer = asked(capsys, "odds", "--rules", "farkle")
    assert answer["rules"] == "farkle"
    assert answer["farkle"] == {"1": "2/3", "2": "4/9", "3": "5/18", "4": "17/108", "5": "25/324", "6": "5/162"}
    assert answer["hot_dice"]["6"] == "23/1296"
    assert answer["combinations"]["three of a kind"]["6"] == "25/81"
    assert answer["first_throw_mean"] == "266875/864"
    assert answer["best_turn"]["value"] == pytest.approx(446.571440, abs=1e-6)
    assert answer["best_turn"]["bank_from"] == {"1": 250, "2": 250, "3": 400, "4": 1000, "5": 2900, "6": 10050}
    assert answer["first_player_wins"] == {
        "value": pytest.approx(0.53565521, abs=1e-8),
        "final_round": True,
        "exact": True,
    }


def test_odds_of_rules_with_everything(capsys: pytest.CaptureFixture[str]) -> None:
    answer = asked(capsys, "odds", "--rules", "dice-10000")
    best = answer["best_turn"]
    assert best["value"] < best["on_board"]["value"] < best["without_penalty"]["value"]
    assert best["without_penalty"]["value"] == pytest.approx(561.2984993, abs=1e-6)
    assert answer["first_player_wins"]["exact"] is False
    assert "The chance to win leaves out the penalty for three farkles." in answer["notes"]


def test_without_a_final_round_the_published_value_comes_with_the_tray(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = asked(capsys, "odds", "--rules", house(tmp_path, "[win]\nfinal_round = false\n"))
    assert answer["first_player_wins"]["value"] == pytest.approx(0.53695303, abs=1e-8)


def test_a_short_game_of_house_rules_is_solved_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = house(tmp_path, "[score]\nstraight = 1200\n[win]\ntarget = 1000\n")
    assert 0.5 < asked(capsys, "odds", "--rules", rules)["first_player_wins"]["value"] < 0.7


def test_house_rules_are_solved_when_asked_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = house(tmp_path, 'name = "Ours"\n[score]\nstraight = 1200\n[win]\ntarget = 500\n')
    monkeypatch.setattr(table, "QUICK", 0)
    assert asked(capsys, "odds", "--rules", rules)["first_player_wins"]["value"] is None
    solved = asked(capsys, "odds", "--rules", rules, "--solve")["first_player_wins"]["value"]
    assert 0.5 < solved < 0.7
    assert asked(capsys, "odds", "--rules", rules)["first_player_wins"]["value"] == solved
    assert asked(capsys, "advise", "--rules", rules, "--scores", "0,0")["win_probability"] == pytest.approx(solved)


def test_a_game_too_long_to_solve_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = house(tmp_path, "[turn]\nentry_threshold = 100000\n[win]\ntarget = 50\n")
    assert asked(capsys, "odds", "--rules", rules)["first_player_wins"]["value"] is None
    assert "is not solved." in asked(capsys, "odds", "--rules", rules, "--solve")["notes"][-1]


def test_odds_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--rules", "five-dice"]) == 0
    out = capsys.readouterr().out
    assert "25/324 (1 in 12.96)" in out
    assert "Best first turn: 293.60 points." in out
    assert "who begins wins 52.2974% (with a final round)" in out


def test_advice_on_a_throw(capsys: pytest.CaptureFixture[str]) -> None:
    answer = asked(capsys, "advise", "--turn-score", "0", "--dice", "6", "--throw", "1,2,3,3,3,5")
    assert answer["throw"] == [1, 2, 3, 3, 3, 5]
    assert (answer["best"]["dice"], answer["best"]["then"]) == ([1, 3, 3, 3, 5], "bank")
    assert answer["value"] == max(play["value"] for play in answer["plays"]) >= 450
    assert answer["win_probability"] is None


def test_advice_before_a_throw_is_to_bank_from_the_limit_on(capsys: pytest.CaptureFixture[str]) -> None:
    below = asked(capsys, "advise", "--turn-score", "350", "--dice", "3")
    limit = asked(capsys, "advise", "--turn-score", "400", "--dice", "3")
    assert (below["best"]["then"], limit["best"]["then"]) == ("throw", "bank")
    assert limit["value"] == 400
    assert below["farkle"] == "5/18"


def test_advice_with_two_scores_is_to_win_not_to_score(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["advise", "--turn-score", "350", "--dice", "2"]
    assert asked(capsys, *arguments)["best"]["then"] == "bank"
    behind = asked(capsys, *arguments, "--scores", "8000,9950")
    assert behind["best"]["then"] == "throw"
    assert 0 < behind["win_probability"] < 0.5
    assert behind["exact"] is True


def test_advice_among_three_is_an_estimate_against_the_strongest_rival(capsys: pytest.CaptureFixture[str]) -> None:
    two = asked(capsys, "advise", "--scores", "3000,5000")
    three = asked(capsys, "advise", "--scores", "3000,1000,5000")
    assert three["win_probability"] == two["win_probability"]
    assert (two["exact"], three["exact"]) == (True, False)
    assert "Against the strongest rival only: an estimate." in three["notes"]


def test_advice_knows_the_coloured_die_the_threshold_and_the_rail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wild = asked(capsys, "advise", "--rules", "wild", "--throw", "3,3,2,2,6,4w")
    assert (wild["best"]["dice"], wild["best"]["with_coloured"], wild["best"]["then"]) == ([4], True, "throw")
    opening = asked(
        capsys, "advise", "--rules", "dice-10000", "--scores", "0,4000", "--turn-score", "950", "--dice", "1"
    )
    assert (opening["best"]["then"], opening["best"]["bank"]) == ("throw", None)
    rules = house(tmp_path, '[score]\nprogressive = "kinds"\nkinds = "adding"\n')
    rail = asked(capsys, "advise", "--rules", rules, "--turn-score", "300", "--throw", "3,4,6", "--held", "3,3,3")
    assert rail["best"]["score"] == 300


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--dice", "13"], "These rules are played with 6 dice; 13 cannot be due."),
        (["--dice", "0"], "These rules are played with 6 dice; 0 cannot be due."),
        (["--throw", "7"], "A die shows 1 to 6, not 7."),
        (["--dice", "3", "--throw", "1,1"], "3 dice were due, but 2 are in the throw."),
        (["--dice", "3w"], "These rules have no coloured die."),
        (["--throw", "4w"], "These rules have no coloured die."),
        (["--scores", "5,x"], "x is not a number of points or dice."),
        (["--rules", "frakle"], "did you mean farkle"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert sentence in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--throw", "2,3", "--turn-score", "200"], "A farkle: nothing scores."),
        (["--rules", "dark-knights-full", "--throw", "2,2,2,2,1,5"], "Four 2s: all points are lost."),
        (["--rules", "five-dice", "--throw", "3,3,3,3,3"], "This throw wins the game."),
    ],
)
def test_some_throws_leave_no_choice(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", *arguments]) == 0
    assert capsys.readouterr().out.strip() == sentence


def test_a_damaged_table_is_as_good_as_none(tmp_path: Path) -> None:
    options = parse({"win": {"target": 200}})
    winning.keep(table.solve(options), tmp_path)
    assert winning.kept(options, tmp_path) is not None
    (tmp_path / winning.file_name(options)).write_bytes(b"half a ta")
    assert winning.kept(options, tmp_path) is None


def test_missing_tables_are_solved_in_the_background_and_found_later(tmp_path: Path) -> None:
    options = parse({"win": {"target": 300}})
    tables = winning.Tables(tmp_path)
    try:
        assert tables.find(options) is None
        tables.wait()
        found = tables.find(options)
        assert found is not None
        assert found.fingerprint == fingerprint(options)
    finally:
        tables.close()


def test_scoring_does_not_load_the_solver() -> None:
    code = "import sys; import rules.odds, firmware.commands.score; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
