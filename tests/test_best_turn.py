"""The turn of most points against an independent solver, and against anything simpler."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import rulebook
from rules.best_play.turn import BestTurn, best_turn, left_out, long_run
from rules.hands import Hand, fates, first_hand
from rules.house import parse
from rules.options import Options

GOLDEN = Path(__file__).parent / "data" / "golden"
TURNS = json.loads((GOLDEN / "ev_turn.json").read_text())
MORE = json.loads((GOLDEN / "ev_more.json").read_text())

DARK = {"straight": 1000, "three_pairs": 500, "two_triplets": 2500}
TIMES = {"kind4": {"mult": 2}, "kind5": {"mult": 3}, "kind6": {"mult": 4}}
TEN = {"kinds": "adding", "straight": 1500, "three_pairs": 1500}
SETS = {"kind4": {"set": 1000}, "kind5": {"set": 2000}, "kind6": {"set": 3000}}
EFFECTS = {
    "kind4": {"mult": 3},
    "kind5": {"mult": 5},
    "kind6": {"mult": 10},
    "straight": 2500,
    "three_pairs": 1500,
}
RULES: dict[str, dict[str, Any]] = {
    "farkle_standard": {},
    "pocket_farkel_300": {"triple_1": 300},
    "pocket_farkel_200": {"triple_1": 200},
    "dark_knights_base": {"straight": 1000},
    "dark_knights_first_values": DARK | TIMES,
    "dark_knights_set_values": DARK | SETS,
    "dark_knights_4x6x8x": DARK | {"kind4": {"mult": 4}, "kind5": {"mult": 6}, "kind6": {"mult": 8}},
    "dark_knights_six_ones_5000": DARK | TIMES | {"six_ones": 5000},
    "dice_10000": TEN | {"mcflurry": 2000},
    "dice_10000_no_mcflurry": TEN,
    "wikipedia_effects_all": EFFECTS,
    "opt_nothing_500": {"nothing": 500},
    "opt_three_pairs_500": {"three_pairs": 500},
    "opt_three_pairs_1500": {"three_pairs": 1500},
    "opt_straight_1000": {"straight": 1000},
    "opt_straight_1500": {"straight": 1500},
    "opt_straight_2500": {"straight": 2500},
    "opt_full_house_250": {"full_house_bonus": 250},
    "opt_kinds_adding": {"kinds": "adding"},
    "opt_kinds_doubling": {"kinds": "doubling"},
    "opt_kinds_set_1000_2000_3000": SETS,
    "opt_two_triplets_2500": {"two_triplets": 2500},
    "opt_mcflurry_2000": {"mcflurry": 2000},
    "patch_products": {
        "triple_1": 300,
        "kind4": {"set": 1000},
        "kind5": {"set": 2000},
        "kind6": {"set": 3000},
        "straight": 1500,
        "three_pairs": 1500,
        "three_pairs_four_plus_pair": True,
        "two_triplets": 2500,
    },
}
ZILCH = {
    "score": {
        "kinds": "doubling",
        "straight": 1500,
        "three_pairs": 1500,
        "three_pairs_four_plus_pair": True,
        "nothing": 500,
    },
    "turn": {"minimum": 300},
    "penalty": {"three_farkles": 500},
}


def limits(turn: BestTurn) -> dict[str, int | None]:
    return {str(hand.dice): turn.bank_from(hand) for hand in turn.hands}


@pytest.mark.parametrize("name", [name for name in TURNS if name in RULES])
def test_the_best_turn_is_worth_what_another_solver_says(name: str) -> None:
    turn = best_turn(parse({"score": RULES[name]}))
    assert turn.value == pytest.approx(TURNS[name]["ev"], abs=1e-6)
    assert limits(turn) == TURNS[name]["bank_from"]


def test_every_rule_set_of_the_other_solver_is_tried() -> None:
    assert set(TURNS) - set(RULES) == {"five_dice_standard"}


@pytest.mark.parametrize(
    ("rules", "opening", "value"),
    [
        ({"dice": {"count": 5}}, False, TURNS["five_dice_standard"]["ev"]),
        ({"turn": {"entry_threshold": 350}}, True, MORE["farkle_standard opening 350"]),
        ({"turn": {"entry_threshold": 400}}, True, MORE["farkle_standard opening 400"]),
        ({"turn": {"entry_threshold": 500}}, True, MORE["farkle_standard opening turn 500"]),
        ({"turn": {"entry_threshold": 1000}}, True, MORE["farkle_standard opening 1000"]),
        ({"turn": {"entry_threshold": 1000}}, False, TURNS["farkle_standard"]["ev"]),
        ({"turn": {"hot_dice": "must"}}, False, MORE["farkle_standard forced hot"]),
        ({"score": RULES["dice_10000"], "turn": {"minimum": 500}}, False, MORE["dice_10000 min500"]),
        ({"dice": {"wild": "coloured_4"}}, False, MORE["wild_standard"]),
        ({"dice": {"count": 12}}, False, MORE["twelve_dice_standard_cap20000"]),
    ],
)
def test_limits_and_other_dice(rules: dict[str, Any], opening: bool, value: float) -> None:
    assert best_turn(parse(rules), opening).value == pytest.approx(value, abs=1e-6)


def test_the_penalty_for_three_farkles_makes_three_turns_hang_together() -> None:
    """Zilch, whose optimum Matt Busche published as 620.855 points a turn."""
    zilch = long_run(parse(ZILCH))
    assert zilch.average == pytest.approx(620.8546723, abs=1e-6)
    assert zilch.after == pytest.approx((0, -11.187, -73.698), abs=1e-3)
    assert best_turn(parse(ZILCH)).value == pytest.approx(zilch.average, abs=1e-6)


def test_a_custom_combination_is_worth_having() -> None:
    plain = best_turn(Options()).value
    assert best_turn(parse({"score": {"custom": [{"pattern": "222", "value": 200}]}})).value == pytest.approx(plain)
    assert best_turn(parse({"score": {"custom": [{"pattern": "2346", "value": 400}]}})).value > plain


def test_joining_the_rail_is_worth_more_than_not() -> None:
    values = [
        best_turn(parse({"score": {"kinds": "adding", "progressive": how}})).value for how in ("off", "kinds", "all")
    ]
    assert values == sorted(values)


@pytest.mark.parametrize("name", ["farkle", "wild", "five-dice", "twelve-dice"])
def test_throwing_on_is_worth_more_at_a_higher_turn_score(name: str) -> None:
    turn = best_turn(rulebook.load(name))
    below_the_cap = turn.throw[: len(turn.throw) * 9 // 10]
    assert (np.diff(below_the_cap, axis=0) >= -1e-9).all()


@settings(max_examples=15)
@given(st.dictionaries(st.integers(1, 6), st.integers(1, 60).map(lambda steps: 50 * steps), min_size=6, max_size=6))
def test_no_rule_of_thumb_beats_the_best_turn(limits: dict[int, int]) -> None:
    """Bank from a limit for each number of dice left, setting the most points aside."""
    assert _by_limits(Options(), limits) <= best_turn(Options()).value + 1e-9


def test_the_best_limits_come_close_but_lose_what_the_best_choice_of_dice_gains() -> None:
    best = best_turn(Options())
    thumb = _by_limits(Options(), {hand.dice: best.bank_from(hand) or 0 for hand in best.hands})
    assert best.value - 50 < thumb < best.value


def _by_limits(options: Options, limits: dict[int, int]) -> float:
    """Expected points of playing by limits, without numpy and without the solver."""
    known: dict[tuple[Hand, int], float] = {}

    def thrown(hand: Hand, score: int) -> float:
        if (hand, score) not in known:
            total = 0.0
            for fate in fates(options, hand):
                if fate.choices:
                    points, left = max(fate.choices)
                    after = score + points
                    stops = after >= min(limits[left.dice], 12_000)
                    total += fate.ways * (after if stops else thrown(left, after))
            known[hand, score] = total / 6**hand.dice
        return known[hand, score]

    return thrown(first_hand(options), 0)


def test_what_is_left_out_is_said() -> None:
    assert left_out(Options()) == ()
    assert left_out(rulebook.load("dark-knights-full")) == (
        "The best turn leaves out throws that win at once.",
        "The best turn leaves out four 2s.",
    )
