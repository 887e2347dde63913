"""Is a die fair: an exact test of its counts, how much it can see, and a bet that may be watched while it is thrown.

The test looks once at how often each face came; its p-value means what it says only to who did not wait for it. So no
die is ever named by it. A die is named by a bet: a player who begins with 1 and stakes all of it on every roll of a
fair die can at no time have more than a chance of 1 in x to own x (Ville, "Étude critique de la notion de collectif",
1939), however often one looks and whenever one stops.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

FACES = 6
# Of so many sets of fair dice one is ever called unfair, if all are thrown and watched for ever; each die of a set has
# its part. Simulated over 2,000 throws of six dice, looked at after each: 53 of 10,000 sets.
ONE_SET_IN = 200
# What the bet expects, in rolls of each face that it has seen before the first. With 12 a die that shows a six in 30 of
# 100 rolls is named soonest (measured from 1 to 40; from 8 to 20 it hardly matters).
_EXPECTED = 12
# A hint is what one of so many fair dice shows. No more than a hint: six dice that are looked at have six chances.
HINT = 0.01
# Non-centrality at which chi-square with 5 degrees of freedom passes its limit for `HINT` four times in five (Cohen,
# "Statistical power analysis", 1988, chapter 7, for the formula).
_SEEN = 17.869
# Up to here (rolls times chi-square) the exact sum takes a tenth of a second; it grows with the power of 1.5.
_EXACT = 24_000
_LEAST = 1e-12  # what the exact sum can just tell from nothing

Counts = Sequence[int]  # how often each face came, from the one to the six


@dataclass(frozen=True, slots=True)
class Bet:
    """`log_capital`: natural logarithm of what the bet against the die is worth now, having begun with 1. `log_most`:
    of the most it ever was. `named_at`: number of the roll at which it reached its limit, from 1; None when it never
    did. Once named a die stays named."""

    log_capital: float = 0.0
    log_most: float = 0.0
    named_at: int | None = None


def limit(records: int) -> int:
    """What a bet must be worth to name a die, in a set whose dice have so many records of their own."""
    return ONE_SET_IN * max(1, records)


def bet(values: Iterable[int], records: int = 1) -> Bet:
    """The bet on these rolls, 1-6 each, in the order in which they fell.

    Each roll is staked on as a Dirichlet prior around the fair die foresees it, so that the capital is the ratio of the
    Dirichlet-multinomial to the fair likelihood (Good, "A Bayesian significance test for multinomial distributions",
    1967); with a fair die it is a martingale.
    """
    seen, log_capital, log_most, named_at = [0] * FACES, 0.0, 0.0, None
    enough = math.log(limit(records))
    for rolls, value in enumerate(values):
        log_capital += math.log(FACES * (_EXPECTED + seen[value - 1]) / (FACES * _EXPECTED + rolls))
        seen[value - 1] += 1
        log_most = max(log_most, log_capital)
        if named_at is None and log_capital >= enough:
            named_at = rolls + 1
    return Bet(log_capital, log_most, named_at)


def chi_square(counts: Counts) -> float:
    """How far the counts are from equal ones (Pearson, 1900). 0 without a roll."""
    rolls = sum(counts)
    return _spread(counts) / rolls if rolls else 0.0


@lru_cache(maxsize=256)
def p_value(counts: tuple[int, ...]) -> float:
    """The chance that a fair die thrown as often strays as far from equal counts, by chi-square, or farther.

    Exact as long as rolls times chi-square stay below 24,000, which is some 4,000 rolls of a fair die; beyond that by
    the chi-square distribution, which is then right to one part in fifty (in ten where p is below 0.00001).
    Never less than 1e-12.
    """
    if _spread(counts) > _EXACT:
        return _tail(chi_square(counts))
    return max(_LEAST, 1.0 - _nearer(sum(counts), sum(count * count for count in counts)))


def is_exact(counts: Counts) -> bool:
    return _spread(counts) <= _EXACT


def smallest_bias(rolls: int) -> float | None:
    """The bias that so many rolls show, as a hint at least, about four times in five (simulated: 77 in 100 for a bias
    of 0.05): by how much one face comes more often than in a sixth of all rolls, the others being alike. None when
    they are too few to show any."""
    # Chi-square of a roll with this bias: 6 (bias² + 5 (bias / 5)²).
    bias = math.sqrt(_SEEN / (7.2 * rolls)) if rolls else 1.0
    return bias if bias <= 1 - 1 / FACES else None


def rolls_for(bias: float) -> int:
    """How many rolls show such a bias four times in five, see `smallest_bias`."""
    return math.ceil(_SEEN / (7.2 * bias * bias))


def _spread(counts: Counts) -> int:
    """Rolls times chi-square: a whole number."""
    return FACES * sum(count * count for count in counts) - sum(counts) ** 2


def _nearer(rolls: int, squares: int) -> float:
    """The chance that the squares of a fair die's counts add up to less.

    The counts of a fair die are independent Poisson numbers, given their sum. Those of three faces are listed by their
    sum and their squares, and the list is put together with itself; of it only what can come out nearer is made.
    """
    mean = rolls / FACES
    reach = math.sqrt(max(0.0, (squares - rolls * mean) * (FACES - 1) / FACES))
    faces = range(max(0, math.floor(mean - reach)), math.ceil(mean + reach) + 1)
    chance = {n: math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) if rolls else 1.0 for n in faces}
    three: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for low in faces:
        for middle in range(low, faces.stop):
            for high in range(middle, faces.stop):
                total, own = low + middle + high, low * low + middle * middle + high * high
                # The other three have at least the squares of three equal counts.
                if 3 * own + (rolls - total) ** 2 < 3 * squares:
                    orders = (6, 3, 1)[(low == middle) + (middle == high)]
                    three[total][own] += orders * chance[low] * chance[middle] * chance[high]
    found = sum(_below(three[total], three.get(rolls - total, {}), squares) for total in list(three))
    return min(1.0, found / math.exp(rolls * math.log(rolls) - rolls - math.lgamma(rolls + 1))) if rolls else 0.0


def _below(some: dict[int, float], others: dict[int, float], squares: int) -> float:
    """The chance of one of `some` and one of `others` with fewer squares together."""
    rising, found, low = sorted(others.items()), 0.0, 0.0
    next_one = 0
    for own, chance in sorted(some.items(), reverse=True):
        while next_one < len(rising) and rising[next_one][0] + own < squares:
            low += rising[next_one][1]
            next_one += 1
        found += chance * low
    return found


def _tail(chi: float) -> float:
    """Chi-square with 5 degrees of freedom (Abramowitz and Stegun, 26.4.4)."""
    return math.erfc(math.sqrt(chi / 2)) + math.sqrt(2 * chi / math.pi) * math.exp(-chi / 2) * (1 + chi / 3)
