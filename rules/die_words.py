"""What the record of a die says, in plain words."""

import math
from dataclasses import dataclass
from typing import Literal

from rules import fairness
from rules.fairness import FACES, HINT, Bet

FACE = ("one", "two", "three", "four", "five", "six")
# Biases that are spoken of, as the share of all rolls by which one face comes too often.
BIASES = (0.05, 0.02, 0.01)
Finding = Literal["new", "fair", "hint", "named"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`finding`: "new" without a roll, "hint" for a small p-value, "named" once the bet has reached its limit."""

    finding: Finding
    text: str


def verdict(counts: tuple[int, ...], bet: Bet, name: str = "", dice: int = 1) -> Verdict:
    """`counts`: how often each face came, from the one to the six. `name`: of this kind of dice, such as "red".
    `dice`: that share this record."""
    if not sum(counts):
        return Verdict("new", f"No rolls yet; to see {_bias(BIASES[0])} takes about {_about(_needed(0))}.")
    if bet.named_at is not None:
        return Verdict("named", unfair(counts, name, dice))
    chance = fairness.p_value(counts)
    if chance < HINT:
        return Verdict(
            "hint", f"A hint of a bias, no more: one fair die in {_one_in(chance)} strays so far. More rolls will tell."
        )
    return Verdict("fair", _no_sign(sum(counts)))


def unfair(counts: tuple[int, ...], name: str, dice: int) -> str:
    """Why a die was named: what it shows most oddly."""
    rolls = sum(counts)
    face = max(range(FACES), key=lambda k: abs(counts[k] - rolls / FACES))
    which = f"The {name} die is not fair" if dice == 1 else f"Not all {name} dice are fair"
    share = f"{_percent(counts[face] / rolls)} % of {rolls:,} rolls"
    return f"{' '.join(which.split())}: a {FACE[face]} came in {share}, where 17 % are fair."


def title(name: str, dice: int) -> str:
    """Who shares a record: "The red die", "6 ivory dice together"."""
    if dice == 1:
        return f"The {name} die"
    return f"{dice} {name} dice together" if dice else f"{name.capitalize()} dice"


def bet_text(bet: Bet) -> str:
    """What the bet is worth, to two digits."""
    if bet.log_capital > math.log(1e6):
        return "over a million"
    worth = math.exp(bet.log_capital)
    return f"{worth:,.0f}" if worth >= 100 else "under 0.001" if worth < 0.001 else f"{worth:.2g}"


def bias_text() -> str:
    """What the smallest number spoken of means."""
    often, fair = 100 * (1 / FACES + BIASES[0]), 100 / FACES
    return (
        f"{_bias(BIASES[0]).capitalize()} means that one face comes in {often:.1f} % of all rolls, not in {fair:.1f} %"
    )


def p_text(chance: float) -> str:
    """A p-value to two digits."""
    return "under 0.000001" if chance < 1e-6 else f"{chance:.2g}" if chance >= 1e-3 else f"{chance:.6f}"


def smallest_text(rolls: int) -> str:
    """The smallest bias that would have shown in so many rolls."""
    bias = fairness.smallest_bias(rolls)
    if bias is None:
        return "no bias yet"
    return f"a bias of {_percent(bias)} %, a face in {_percent(1 / FACES + bias)} % of all rolls"


def _no_sign(rolls: int) -> str:
    left = next((k for k in range(len(BIASES)) if _needed(k) > rolls), None)
    if left is None:
        return f"No sign of a bias of {_percent(BIASES[-1])} % or more."
    more = _about(_needed(left) - rolls)
    if not left:
        return f"No sign of a bias; to see {_bias(BIASES[0])} you need about {more} more rolls."
    so_far = f"No sign of a bias of {_percent(BIASES[left - 1])} % or more"
    return f"{so_far}; to see one of {_percent(BIASES[left])} % you need about {more} more rolls."


def _needed(k: int) -> int:
    return fairness.rolls_for(BIASES[k])


def _bias(bias: float) -> str:
    return f"a {_percent(bias)} % bias"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}" if share > 0.0995 else f"{100 * share:.2g}"


def _about(number: int) -> str:
    """To two digits, as what is only about right is said."""
    size = 10 ** max(0, len(str(number)) - 2)
    return f"{math.ceil(number / size) * size:,}"


def _one_in(chance: float) -> str:
    return _about(round(1 / chance)) if chance > 1e-6 else "a million"
