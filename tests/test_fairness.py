"""A loaded die is found, a fair one is left in peace; every chance is checked against another way to work it out."""

import itertools
import math
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rules import die_words, fairness
from rules.fairness import FACES, Bet

FAIR = [1 / FACES] * FACES
LOADED = [0.14] * 5 + [0.3]


def counted(values: list[int]) -> tuple[int, ...]:
    seen = Counter(values)
    return tuple(seen[face] for face in range(1, FACES + 1))


def every_count(rolls: int) -> dict[tuple[int, ...], Fraction]:
    """All counts of so many rolls of a fair die, with their chance."""
    found = {}
    for bars in itertools.combinations(range(rolls + FACES - 1), FACES - 1):
        edges = (-1, *bars, rolls + FACES - 1)
        counts = tuple(b - a - 1 for a, b in itertools.pairwise(edges))
        ways = math.factorial(rolls) // math.prod(math.factorial(count) for count in counts)
        found[counts] = Fraction(ways, FACES**rolls)
    return found


@pytest.mark.parametrize("rolls", [0, 1, 2, 5, 9])
def test_the_p_value_is_that_of_all_possible_counts(rolls: int) -> None:
    every = every_count(rolls)
    assert sum(every.values()) == 1
    by_squares: dict[int, Fraction] = defaultdict(Fraction)
    for counts, chance in every.items():
        by_squares[sum(n * n for n in counts)] += chance
    for counts in every:
        far = sum(n * n for n in counts)
        exact = sum(chance for squares, chance in by_squares.items() if squares >= far)
        assert fairness.p_value(counts) == pytest.approx(float(exact), rel=1e-9, abs=1e-12)


def test_p_values_of_fair_dice_are_no_smaller_than_they_say() -> None:
    throws = np.random.default_rng(5).multinomial(60, FAIR, 2000)
    found = np.array([fairness.p_value(tuple(int(n) for n in counts)) for counts in throws])
    for level in (0.5, 0.1, 0.01):
        assert (found <= level).mean() <= level + 2.6 * math.sqrt(level / 2000)


def test_the_formula_for_many_rolls_carries_on_where_the_exact_sum_ends() -> None:
    for rolls, off in ((5040, 44), (1512, 44), (1008, 44)):
        counts = (rolls // 6 + off, rolls // 6 - off, *[rolls // 6] * 4)
        exact, formula = fairness.p_value(counts), fairness._tail(fairness.chi_square(counts))
        assert fairness.is_exact(counts)
        assert formula == pytest.approx(exact, rel=0.02)
    many = (1900, 1700, 1800, 1800, 1800, 1800)
    assert not fairness.is_exact(many)
    assert fairness.p_value(many) == pytest.approx(0.0492, abs=0.0001)


def chi_square_power(centre: float, bound: float) -> float:
    """The chance that chi-square with 5 degrees of freedom and this non-centrality passes `bound`: by its series."""
    found, weight, tail = 0.0, math.exp(-centre / 2), fairness._tail(bound)
    term = math.sqrt(2 * bound / math.pi) * math.exp(-bound / 2) * bound / 3
    for k in range(200):
        found += weight * tail
        weight *= centre / 2 / (k + 1)
        term *= bound / (2 * k + 5)
        tail += term
    return found


def test_a_bias_is_seen_in_as_many_rolls_as_is_said_four_times_in_five() -> None:
    limit = 15.0863  # chi-square of 5 degrees of freedom passes it once in 100
    assert fairness._tail(limit) == pytest.approx(fairness.HINT, rel=1e-4)
    assert chi_square_power(fairness._SEEN, limit) == pytest.approx(0.8, abs=1e-4)
    for bias in (0.05, 0.02):
        rolls = fairness.rolls_for(bias)
        loaded = [1 / 6 - bias / 5] * 5 + [1 / 6 + bias]
        throws = np.random.default_rng(6).multinomial(rolls, loaded, 4000)
        chi = (6 * (throws.astype(float) ** 2).sum(1) - rolls**2) / rolls
        assert (chi >= limit).mean() == pytest.approx(0.8, abs=0.04)
        assert fairness.smallest_bias(rolls) == pytest.approx(bias, rel=0.01)


@given(st.lists(st.integers(1, 6), max_size=60))
def test_the_bet_is_the_ratio_of_the_likelihoods_in_any_order(values: list[int]) -> None:
    prior, counts = fairness._EXPECTED, counted(values)
    ratio = len(values) * math.log(FACES) + math.lgamma(FACES * prior) - math.lgamma(FACES * prior + len(values))
    ratio += sum(math.lgamma(prior + n) - math.lgamma(prior) for n in counts)
    assert fairness.bet(values).log_capital == pytest.approx(ratio, abs=1e-9)
    assert fairness.bet(sorted(values)).log_capital == pytest.approx(ratio, abs=1e-9)


def test_a_fair_die_neither_wins_nor_loses_the_bet_on_average() -> None:
    ends = [math.exp(fairness.bet(values).log_capital) for values in itertools.product(range(1, 7), repeat=5)]
    assert sum(ends) / len(ends) == pytest.approx(1)


def bets(dice: int, rolls: int, shares: list[float], seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The highest log capital of many dice at once, and their rolls (rolls, dice)."""
    thrown = np.random.default_rng(seed).choice(FACES, (rolls, dice), p=shares)
    seen, capital, most = np.zeros((dice, FACES)), np.zeros(dice), np.zeros(dice)
    die = np.arange(dice)
    for n, faces in enumerate(thrown):
        foreseen = (fairness._EXPECTED + seen[die, faces]) / (FACES * fairness._EXPECTED + n)
        capital += np.log(FACES * foreseen)
        seen[die, faces] += 1
        np.maximum(most, capital, out=most)
    return most, thrown + 1


def test_fewer_than_one_set_of_six_fair_dice_in_a_hundred_is_blamed_in_a_season_watched_throw_by_throw() -> None:
    sets = 2000
    most, thrown = bets(6 * sets, 2000, FAIR, seed=7)
    for die in range(3):
        assert fairness.bet(thrown[:, die].tolist(), 6).log_most == pytest.approx(most[die])
    blamed = (most >= math.log(fairness.limit(6))).reshape(sets, 6).any(1)
    # Measured on 60,000 dice: 0.53 % of sets.
    assert blamed.mean() < 0.01


def test_a_die_with_thirty_percent_sixes_is_named_within_400_rolls_19_times_in_20() -> None:
    _, thrown = bets(2000, 400, LOADED, seed=8)
    found = [fairness.bet(die.tolist(), 6).named_at for die in thrown.T]
    named = [at for at in found if at is not None]
    # Measured on 40,000 dice: 96.2 %, half of them within 199 rolls.
    assert len(named) / len(found) >= 0.95
    assert np.median(named) < 220


def test_a_die_once_named_stays_named() -> None:
    loaded = [6] * 40
    assert fairness.bet(loaded).named_at is not None
    after = fairness.bet(loaded + [1, 2, 3, 4, 5] * 40)
    assert after.log_capital < math.log(fairness.limit(1)) <= after.log_most
    assert after.named_at == fairness.bet(loaded).named_at


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((0,) * 6, "No rolls yet; to see a 5 % bias takes about 1,000."),
        ((50,) * 6, "No sign of a bias; to see a 5 % bias you need about 700 more rolls."),
        ((200,) * 6, "No sign of a bias of 5 % or more; to see one of 2 % you need about 5,100 more rolls."),
        ((9000,) * 6, "No sign of a bias of 1 % or more."),
        (
            (40, 40, 40, 40, 40, 70),
            "A hint of a bias, no more: one fair die in 200 strays so far. More rolls will tell.",
        ),
    ],
)
def test_the_record_is_told_in_plain_words(counts: tuple[int, ...], text: str) -> None:
    assert die_words.verdict(counts, Bet()).text == text


def test_a_named_die_is_told_with_its_face() -> None:
    told = die_words.verdict((41, 42, 43, 40, 44, 90), Bet(9.0, 9.0, 200), "red")
    assert told.finding == "named"
    assert told.text == "The red die is not fair: a six came in 30 % of 300 rolls, where 17 % are fair."
    assert die_words.verdict((5, 59, 59, 59, 59, 59), Bet(9, 9, 200), "ivory", 6).text == (
        "Not all ivory dice are fair: a one came in 1.7 % of 300 rolls, where 17 % are fair."
    )


def test_what_can_be_seen_yet_is_told() -> None:
    assert die_words.smallest_text(0) == "no bias yet"
    assert die_words.smallest_text(3) == "no bias yet"
    assert die_words.smallest_text(1000) == "a bias of 5 %, a face in 22 % of all rolls"
    assert die_words.p_text(1.0) == "1"
    assert die_words.p_text(0.4312) == "0.43"
    assert die_words.p_text(1e-9) == "under 0.000001"


@settings(max_examples=50)
@given(st.tuples(*[st.integers(0, 40)] * 6))
def test_any_record_can_be_told(counts: tuple[int, ...]) -> None:
    told = die_words.verdict(counts, Bet())
    assert told.text.endswith(".")
    assert 0 <= fairness.p_value(counts) <= 1
