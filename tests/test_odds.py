"""Exact odds against an independent enumeration, and against what the rule books print."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import rulebook
from rules.hands import Hand, fates, hands, throws
from rules.house import parse
from rules.odds import Odds, farkle_chance, first_throw_mean, odds
from rules.options import Options

GOLDEN = Path(__file__).parent / "data" / "golden"
EXACT = {entry["id"]: entry for entry in json.loads((GOLDEN / "odds.json").read_text())["odds"]}
KINDS = {"kind4": {"mult": 3}, "kind5": {"mult": 5}, "kind6": {"mult": 10}}
ALL = KINDS | {"straight": 2500, "three_pairs": 1500}


def rules(**score: Any) -> Options:
    return parse({"score": score})


def exact(name: str, alternative: str | None = None) -> Fraction:
    entry = EXACT[name] if alternative is None else EXACT[name]["alternatives"][alternative]
    return Fraction(entry["exact"])


def combination(known: Odds, name: str, dice: int) -> Fraction:
    return known.combinations[name][str(dice)]


@pytest.mark.parametrize(
    ("entry", "name", "dice"),
    [
        ("init_3k", "three of a kind", 6),
        ("init_4k", "four of a kind", 6),
        ("init_5k", "five of a kind", 6),
        ("init_6k", "six of a kind", 6),
        ("init_straight", "straight", 6),
        ("init_3pair", "three pairs", 6),
        ("init_2trip", "two triplets", 6),
        ("sub_3k_5", "three of a kind", 5),
        ("sub_3k_4", "three of a kind", 4),
        ("sub_3k_3", "three of a kind", 3),
        ("sub_4k_5", "four of a kind", 5),
        ("sub_4k_4", "four of a kind", 4),
        ("sub_5k_5", "five of a kind", 5),
    ],
)
def test_combinations_are_as_often_as_the_enumeration_says(entry: str, name: str, dice: int) -> None:
    assert combination(odds(rules(**ALL)), name, dice) == exact(entry)


def test_rarer_combinations_count_what_their_rule_counts() -> None:
    assert combination(odds(rules(three_pairs=500, three_pairs_four_plus_pair=True)), "three pairs", 6) == exact(
        "init_3pair", "incl_4_2"
    )
    assert combination(odds(rules(six_ones=5000)), "six ones", 6) == exact("d_six_ones")
    assert combination(odds(rules(mcflurry=2000)), "grand mcflurry", 6) == exact("d_mcflurry")
    assert combination(odds(rules(mcflurry=2000, mcflurry_exact=True)), "grand mcflurry", 6) == exact(
        "d_mcflurry_exact"
    )
    assert combination(odds(rulebook.load("five-dice")), "five of a kind", 5) == exact("d_five_of_five")
    assert combination(odds(rulebook.load("dark-knights-full")), "four 2s", 6) == exact("d_four_twos")
    assert combination(odds(rules(nothing=500)), "nothing", 6) == exact("farkle_6_no3p")
    run = odds(rules(custom=[{"pattern": "1234", "value": 300, "name": "run"}]))
    assert combination(run, "run", 4) == Fraction(24, 6**4)


@pytest.mark.parametrize("dice", range(1, 7))
def test_farkles_and_hot_dice_by_dice_thrown(dice: int) -> None:
    plain, full = odds(rules()), odds(rules(**ALL))
    assert plain.farkle[str(dice)] == exact(f"d_farkle_n{dice}")
    assert full.farkle[str(dice)] == exact(f"farkle_{dice}")
    assert plain.hot_dice[str(dice)] == exact(f"hot_{dice}", "standard")
    assert full.hot_dice[str(dice)] == exact(f"hot_{dice}")


def test_nothing_at_500_leaves_no_farkle_of_all_dice_and_makes_hot_dice_of_it() -> None:
    plain, paid = odds(rules()), odds(rules(nothing=500))
    assert paid.farkle["6"] == 0
    assert paid.hot_dice["6"] == plain.hot_dice["6"] + plain.farkle["6"]
    assert paid.farkle["5"] == plain.farkle["5"]


def test_the_wild_die_is_counted_with_the_dice_it_lies_among() -> None:
    known = odds(rulebook.load("wild"))
    for plain in range(6):
        name = "6" if plain == 5 else f"{plain + 1}w"
        assert known.farkle[name] == exact(f"d_wild_farkle_{plain}+1")
        if plain:
            assert known.farkle[str(plain)] == exact(f"d_farkle_n{plain}")


def test_twelve_dice_cannot_farkle_with_nine_or_more() -> None:
    known = odds(rulebook.load("twelve-dice"))
    assert [known.farkle[str(dice)] for dice in range(9, 13)] == [0] * 4
    assert known.farkle["7"] == exact("d_farkle_n7")
    assert known.farkle["8"] == exact("d_farkle_n8")


def test_a_rail_that_can_be_joined_makes_a_farkle_rarer() -> None:
    progressive = rules(progressive="kinds")
    alone, beside = Hand(4), Hand(4, rail=((1, 1),))
    assert farkle_chance(progressive, beside) == farkle_chance(progressive, alone)  # a 1 scores in any case
    threes = Hand(3, rail=((3, 3, 3),))
    assert farkle_chance(rules(progressive="kinds", kind4="adding"), threes) < Fraction(5, 18)


@pytest.mark.parametrize(
    ("entry", "option", "value"),
    [
        ("inc_four_kind", "kind4", {"mult": 3}),
        ("inc_five_kind", "kind5", {"mult": 5}),
        ("inc_six_kind", "kind6", {"mult": 10}),
        ("inc_straight", "straight", 2500),
        ("inc_three_pair", "three_pairs", 1500),
        ("claim_4k_1000", "kind4", {"set": 1000}),
        ("claim_5k_2000", "kind5", {"set": 2000}),
        *((f"inc_straight_{value}", "straight", value) for value in (1000, 1200, 1500, 2000, 2500, 3000)),
        *((f"inc_three_pairs_{value}", "three_pairs", value) for value in (500, 600, 750, 1000, 1500)),
    ],
)
def test_what_an_option_adds_to_the_first_throw(entry: str, option: str, value: Any) -> None:
    (share,) = odds(rules(**{option: value})).first_throw_shares.values()
    assert share == exact(entry)
    assert first_throw_mean(rules(**{option: value})) == exact("avg_std") + share


def test_what_each_option_adds_beside_all_the_others() -> None:
    known = odds(rules(**ALL))
    assert known.first_throw_mean == exact("avg_total")
    for name, entry in {
        "four of a kind": "inc_four_kind",
        "five of a kind": "inc_five_kind",
        "six of a kind": "inc_six_kind",
        "straight": "inc_straight",
        "three pairs": "inc_three_pair",
    }.items():
        assert known.first_throw_shares[name] == exact(entry, "removed_from_full"), name


@pytest.mark.parametrize(
    ("what", "printed", "ours", "wrong_by"),
    [
        ("farkle of four dice, 20 in 127", Fraction(20, 127), lambda: odds(rules()).farkle["4"], "1/13716"),
        ("hot dice of six, 1 in 12", Fraction(1, 12), lambda: odds(rules(**ALL)).hot_dice["6"], "7/1296"),
        ("hot dice of five, 1 in 32", Fraction(1, 32), lambda: odds(rules(**ALL)).hot_dice["5"], "7/7776"),
        ("first throw, standard, 302", Fraction(302), lambda: first_throw_mean(rules()), "-5947/864"),
        ("first throw, all variants, 446.6", Fraction("446.6"), lambda: first_throw_mean(rules(**ALL)), "-27649/4860"),
        ("a straight adds 37", Fraction(37), lambda: exact("inc_straight"), "119/162"),
        ("six of a kind adds 0.6", Fraction("0.6"), lambda: exact("inc_six_kind"), "104/1215"),
        ("four of a kind at 1,000 adds 47", Fraction(47), lambda: exact("claim_4k_1000"), "498391/23328"),
        (
            "without variants hot dice of six stay 1 in 12",
            Fraction(1, 12),
            lambda: odds(rules()).hot_dice["6"],
            "85/1296",
        ),
    ],
)
def test_printed_figures_are_wrong_by_so_much(what: str, printed: Fraction, ours: Any, wrong_by: str) -> None:
    assert printed - ours() == Fraction(wrong_by), what


def test_more_than_three_pairs_alters_the_chance_to_farkle() -> None:
    plain = odds(rules()).farkle["6"]
    assert plain - odds(rules(three_pairs=500)).farkle["6"] == Fraction(5, 162) - Fraction(5, 216)
    assert plain - odds(rules(nothing=500)).farkle["6"] == plain
    assert plain - odds(rulebook.load("wild")).farkle["6"] == Fraction(5, 162) - Fraction(5, 216)


@pytest.mark.parametrize("name", [name for name in rulebook.NAMES if name != "twelve-dice"])
def test_the_fates_of_every_hand_are_all_its_throws(name: str) -> None:
    options = rulebook.load(name)
    for hand in hands(options):
        assert sum(fate.ways for fate in fates(options, hand)) == 6**hand.dice


@given(st.integers(1, 8))
def test_throws_are_weighed_so_that_all_are_counted_once(dice: int) -> None:
    assert sum(ways for _, ways in throws(dice)) == 6**dice


@pytest.mark.parametrize("name", ["farkle", "wild", "dark-knights-full"])
def test_a_chance_is_between_never_and_always(name: str) -> None:
    known = odds(rulebook.load(name))
    chances = [known.farkle, known.hot_dice, *known.combinations.values()]
    assert all(0 <= chance <= 1 for by_dice in chances for chance in by_dice.values())
    assert all(known.farkle[dice] + known.hot_dice[dice] <= 1 for dice in known.farkle)
