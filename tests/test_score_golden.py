"""The scorer against vectors of an independent brute force."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from rules.game import Option
from rules.options import Dice, Kind, Score
from rules.scoring import Scorer, scorer

GOLDEN = Path(__file__).parent / "data" / "golden"
FILES = sorted(path.name.removesuffix(".json.gz") for path in GOLDEN.glob("*.json.gz"))
THROWS = [name for name in FILES if name != "patterns_six_dice"]


def read(name: str) -> dict[str, Any]:
    vectors: dict[str, Any] = json.loads(gzip.decompress((GOLDEN / f"{name}.json.gz").read_bytes()))
    return vectors


def scorer_of(preset: dict[str, Any]) -> Scorer:
    return scorer(Dice(preset["n_dice"], "coloured_4" if preset["wild"] else "off"), score_of(preset))


def score_of(preset: dict[str, Any]) -> Score:
    kinds = preset["kinds"] or {}
    if isinstance(kinds, str):
        kinds = {number: [kinds, 0] for number in "456"}
    kind4, kind5, kind6 = (Kind(*kinds[number]) if number in kinds else None for number in "456")
    return Score(
        triple_1=preset["triples"]["1"],
        kind4=kind4,
        kind5=kind5,
        kind6=kind6,
        six_ones=preset["kind_override"].get("6 x 1"),
        straight=preset["straight"],
        three_pairs=preset["three_pairs"],
        three_pairs_four_plus_pair=preset["three_pairs_4_2"],
        three_pairs_six_kind=preset["three_pairs_6"],
        two_triplets=preset["two_triplets"],
        full_house_bonus=preset["full_house"],
        nothing=preset["nothing"],
        mcflurry=preset["mcflurry"],
        progressive=preset.get("mode", "off"),
    )


def answer(known: Scorer, vector: dict[str, Any]) -> list[dict[str, Any]]:
    """The options in the words of the vector's file."""
    if "plain" in vector:
        options = known.options(tuple(vector["plain"]), coloured=vector["coloured"])
        return [{"dice": list(each.dice), "with_coloured": each.with_coloured, "score": each.score} for each in options]
    if "held" in vector:
        options = known.options(tuple(vector["throw"]), (tuple(vector["held"]),))
        return [{"dice": list(each.dice), "gain": each.score} for each in options]
    return [{"dice": list(each.dice), "score": each.score} for each in known.options(tuple(vector["throw"]))]


def best(options: list[dict[str, Any]]) -> int:
    return max((option.get("score", option.get("gain")) for option in options), default=0)


@pytest.mark.parametrize("name", THROWS)
def test_every_throw_scores_as_the_brute_force_says(name: str) -> None:
    golden = read(name)
    known = scorer_of(golden["preset"])
    for vector in golden["vectors"]:
        options = answer(known, vector)
        assert best(options) == vector.get("best", vector.get("best_gain")), vector
        if "options" in vector:
            assert options == vector["options"], vector
        else:
            assert len(options) == vector["n_options"], vector
            assert any(len(option["dice"]) == 12 for option in options) == vector["all_dice_can_score"], vector


def test_farkles_of_six_dice_are_5_in_162_and_5_in_216_with_three_pairs() -> None:
    ways = {tuple(vector["throw"]): vector["ways"] for vector in read("patterns_six_dice")["vectors"]}
    assert sum(ways.values()) == 6**6
    plain, pairs = scorer(Dice(), Score()), scorer(Dice(), Score(three_pairs=500))
    assert sum(number for throw, number in ways.items() if not plain.options(throw)) == 1440
    assert sum(number for throw, number in ways.items() if not pairs.options(throw)) == 1080


@pytest.mark.parametrize(
    ("flag", "score"),
    [
        ("straight", Score(ones=0, fives=0, triple_1=0, triples=(0,) * 5, straight=1)),
        ("three_pairs_distinct", Score(ones=0, fives=0, triple_1=0, triples=(0,) * 5, three_pairs=1)),
        ("two_triplets", Score(ones=0, fives=0, triple_1=0, triples=(0,) * 5, two_triplets=1)),
        ("contains_full_house", Score(ones=0, fives=0, triple_1=0, triples=(0,) * 5, full_house_bonus=1)),
        ("grand_mcflurry", Score(ones=0, fives=0, triple_1=0, triples=(0,) * 5, mcflurry=1)),
        (
            "grand_mcflurry_exactly_four_5s",
            Score(ones=0, fives=0, triple_1=0, triples=(0,) * 5, mcflurry=1, mcflurry_exact=True),
        ),
    ],
)
def test_a_combination_alone_scores_exactly_where_its_pattern_is(flag: str, score: Score) -> None:
    known = scorer(Dice(), score)
    for vector in read("patterns_six_dice")["vectors"]:
        assert bool(known.options(tuple(vector["throw"]))) == vector[flag], vector


def test_the_wild_die_scenario() -> None:
    scenarios = json.loads((GOLDEN / "scenarios.json").read_text())["scenarios"]
    steps = next(scenario["steps"] for scenario in scenarios if scenario["name"] == "wild four")
    known = scorer(Dice(wild="coloured_4"), Score())
    for step in steps:
        aside = step["set_aside"]
        wanted = Option(tuple(aside["dice"]), step["score"], aside["with_coloured"])
        assert wanted in known.options(tuple(step["plain"]), coloured=step["coloured"])
        assert step["dice_left"] == 6 - len(aside["dice"]) - 1
