"""The commands `score`, `rules` and `play`, as they are typed."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from firmware.__main__ import main


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def batch(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> int:
    with tempfile.TemporaryFile("w+") as asked:
        asked.write(text)
        asked.flush()
        os.lseek(asked.fileno(), 0, os.SEEK_SET)
        monkeypatch.setattr(sys, "stdin", asked)
        return main(["score", "--batch", *arguments])


def test_score_answers_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--rules", "farkle", "--json", "5", "1", "2"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "throw": [1, 2, 5],
        "best": 150,
        "options": [{"dice": [1], "score": 100}, {"dice": [5], "score": 50}, {"dice": [1, 5], "score": 150}],
    }


def test_score_tells_people_how_the_best_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "1", "2", "3", "3", "3", "5"]) == 0
    out = lines(capsys)
    assert out[0] == "1-2-3-3-3-5 scores 450 points at best (farkle)."
    assert out[1] == "  three of a kind, 3-3-3: 300 points"
    assert main(["score", "2", "3"]) == 0
    assert lines(capsys) == ["2-3: a farkle, nothing scores (farkle)."]


def test_the_coloured_die_is_written_with_a_w(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--rules", "wild", "--json", "6", "4w"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "throw": [6],
        "coloured": 4,
        "best": 100,
        "options": [{"dice": [], "with_coloured": True, "score": 100}],
    }


def test_with_dice_held_progressive_rules_answer_gains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "dice-10000"\nscore.progressive = "all"\n')
    assert main(["score", "--rules", str(house), "--json", "--held", "1,1", "1", "2"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["best"], answer["options"]) == (800, [{"dice": [1], "score": 800}])
    assert main(["score", "--rules", "dice-10000", "--json", "--held", "1,1", "1", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["best"] == 100


def test_batch_answers_every_line_in_order(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = '[1, 1]\n{"throw": [2]}\n{"throw": [1], "coloured": 4, "held": []}\n["4w", 6]\n'
    assert batch(monkeypatch, text, "--rules", "wild") == 0
    answers = [json.loads(line) for line in lines(capsys)]
    assert [answer["best"] for answer in answers] == [200, 0, 200, 100]


def test_batch_answers_each_line_as_soon_as_it_is_asked() -> None:
    command = [sys.executable, "-m", "firmware", "score", "--batch"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for die, best in ((1, 100), (5, 50)):
            asked.stdin.write(f"[{die}]\n")
            assert json.loads(asked.stdout.readline())["best"] == best
        asked.stdin.write("[2]")
        asked.stdin.close()
        assert json.loads(asked.stdout.readline())["best"] == 0


def test_a_bad_line_is_answered_with_a_sentence_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = ["[7]", "x", "", "5", "[]", "[true]", '{"dice": [1]}', '{"throw": 1}', "[1,1,1,1,1,1,1]", '["4w"]', "[1.5]"]
    assert batch(monkeypatch, "\n".join(["[1]", *bad, "[5]"]) + "\n") == 2
    answers = [json.loads(line) for line in lines(capsys)]
    assert (answers[0]["best"], answers[-1]["best"], len(answers)) == (100, 50, len(bad) + 2)
    assert all(set(answer) == {"error"} and answer["error"].endswith(".") for answer in answers[1:-1])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["score", "7"], "A die shows 1 to 6, not 7."),
        (["score", "one"], "A die shows 1 to 6, not one."),
        (["score"], "Which dice were thrown?"),
        (["score", "1", "1", "1", "1", "1", "1", "1"], "That is 7 dice; these rules are played with 6."),
        (["score", "4w"], "These rules have no coloured die."),
        (["score", "--rules", "wild", "4w", "3w"], "There is only one coloured die."),
        (["score", "--rules", "frakle", "1"], "did you mean farkle"),
        (["score", "--rules", "missing.toml", "1"], "There is no rules file missing.toml."),
        (["score", "--batch", "1"], "leave them off the command line"),
        (["rules", "show", "frakle"], "did you mean farkle"),
        (["rules", "show"], "stickman rules show NAME"),
        (["rules", "check", "missing.toml"], "There is no rules file missing.toml."),
        (["play", "missing.jsonl"], "There is no file missing.jsonl."),
    ],
)
def test_a_mistake_is_one_sentence_on_stderr_and_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert sentence in error
    assert error.startswith("stickman: ")
    assert len(error.splitlines()) == 1


def test_scoring_starts_without_the_camera_and_the_pages() -> None:
    code = "import sys; import firmware.commands.score; print({'cv2', 'numpy', 'flask', 'gpiozero'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "set()"


def test_rules_are_listed_with_their_other_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    out = capsys.readouterr().out
    assert "dice-10000" in out
    assert "dix-mille" in out


def test_a_rule_sheet_can_be_read_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "dice-10000"]) == 0
    out = capsys.readouterr().out
    assert "To get on the board you need 1,000 points in one turn." in out
    assert "The first player to go above 10,000 points is the one to beat." in out


def test_good_house_rules_pass_the_check_with_their_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "house.toml"
    house.write_text('name = "Ours"\n[dice]\ncount = 5\n[score]\nstraight = 1000\n')
    assert main(["rules", "check", str(house)]) == 0
    out = capsys.readouterr().out
    assert "good rules, called Ours" in out
    assert "A straight cannot be thrown with five dice." in out


def test_bad_house_rules_are_reported_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "house.toml"
    house.write_text("[dice]\ncount = 13\n[score]\nstraigt = 1\n")
    assert main(["rules", "check", str(house)]) == 2
    error = capsys.readouterr().err.splitlines()
    assert error == [
        f"{house}, line 2: dice.count = 13 is not allowed; use 5, 6 or 12.",
        f"{house}, line 4: There is no option score.straigt; did you mean score.straight?",
    ]


def test_play_folds_a_file_of_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "game.jsonl"
    game.write_text(
        '{"event": "started", "rules": {"win": {"target": 2000}}, "players": ["Ann", "Bob"]}\n'
        '{"event": "thrown", "values": [1, 1, 1, 5, 5, 5]}\n'
        '[{"event": "kept", "dice": [1, 1, 1]}, {"event": "thrown", "values": [5, 2, 3]}]\n'
        '{"event": "banked"}\n\n'
    )
    assert main(["play", str(game)]) == 0
    assert lines(capsys) == ["farkle to 2,000: throw 2", "  Ann    1,050", "> Bob        0", "Bob is to throw 6 dice."]
    assert main(["play", "--json", str(game)]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["score"] == 1050


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "holds no game"),
        ("{", "line 1: This is not JSON"),
        ('{"event": "banked"}\n', "line 1: A game begins with a started event"),
        ('{"event": "started", "players": ["Ann"]}\n', "line 1: Farkle is for 2 to 8 players, not 1."),
        ('{"event": "started", "players": ["A", "B"]}\n{"event": "banked"}\n', "line 2: Throw first"),
        ('{"event": "started", "rules": "frakle", "players": ["A", "B"]}\n', "line 1: There are no rules called"),
    ],
)
def test_a_file_that_cannot_be_played_is_named_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, sentence: str
) -> None:
    game = tmp_path / "game.jsonl"
    game.write_text(text)
    assert main(["play", str(game)]) == 2
    assert sentence in capsys.readouterr().err
