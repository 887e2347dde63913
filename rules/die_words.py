"""What the record of a die says, in plain words."""

import math
from dataclasses import dataclass
from typing import Literal

from rules import fairness
from rules.fairness import FACES, HINT, Bet
from speech.colours import colour, colours
from speech.sentence import Sentence, figure, say

FACE = ("one", "two", "three", "four", "five", "six")
A_FACE = (say("a one"), say("a two"), say("a three"), say("a four"), say("a five"), say("a six"))
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
        return Verdict(
            "new",
            say(
                "No rolls yet; to see a {bias} % bias takes about {rolls}.",
                bias=_percent(BIASES[0]),
                rolls=_about(_needed(0)),
            ),
        )
    if bet.named_at is not None:
        return Verdict("named", unfair(counts, name, dice))
    chance = fairness.p_value(counts)
    if chance < HINT:
        return Verdict(
            "hint",
            say(
                "A hint of a bias, no more: one fair die in {number} strays so far. More rolls will tell.",
                number=_one_in(chance),
            ),
        )
    return Verdict("fair", _no_sign(sum(counts)))


def unfair(counts: tuple[int, ...], name: str, dice: int) -> str:
    """Why a die was named: what it shows most oddly."""
    rolls = sum(counts)
    face = max(range(FACES), key=lambda k: abs(counts[k] - rolls / FACES))
    values = {"face": A_FACE[face], "percent": _percent(counts[face] / rolls), "rolls": rolls}
    if dice != 1:
        return say(
            "Not all {name} dice are fair: {face} came in {percent} % of {rolls:,} rolls, where 17 % are fair.",
            name=colours(name),
            **values,
        )
    return say(
        "The {name} die is not fair: {face} came in {percent} % of {rolls:,} rolls, where 17 % are fair.",
        name=colour(name),
        **values,
    )


def title(name: str, dice: int) -> str:
    """Who shares a record: "The red die", "6 ivory dice together"."""
    if dice == 1:
        return say("The {name} die", name=colour(name))
    if dice:
        return say("{dice} {name} dice together", dice=dice, name=colours(name))
    return say("No longer in the set: {name} dice", name=colours(name))


def bet_text(bet: Bet) -> str:
    """What the bet is worth, to two digits."""
    if bet.log_capital > math.log(1e6):
        return say("over a million")
    worth = math.exp(bet.log_capital)
    if worth < 0.001:
        return say("under {number}", number=figure(0.001, "g"))
    return figure(worth, ",.0f" if worth >= 100 else ".2g")


def bias_text() -> str:
    """What the smallest number spoken of means."""
    often, fair = 100 * (1 / FACES + BIASES[0]), 100 / FACES
    return say(
        "A {bias} % bias means that one face comes in {often:.1f} % of all rolls, not in {fair:.1f} %, the others "
        "alike.",
        bias=_percent(BIASES[0]),
        often=often,
        fair=fair,
    )


def p_text(chance: float) -> str:
    """A p-value to two digits."""
    if chance < 1e-6:
        return say("under {number}", number=figure(1e-6, ".6f"))
    return figure(chance, ".2g" if chance >= 1e-3 else ".6f")


def smallest_text(rolls: int) -> str:
    """The smallest bias that would have shown in so many rolls."""
    bias = fairness.smallest_bias(rolls)
    if bias is None:
        return say("no bias yet")
    return say(
        "a bias of {bias} %, a face in {share} % of all rolls",
        bias=_percent(bias),
        share=_percent(1 / FACES + bias),
    )


def _no_sign(rolls: int) -> str:
    left = next((k for k in range(len(BIASES)) if _needed(k) > rolls), None)
    if left is None:
        return say("No sign of a bias of {bias} % or more.", bias=_percent(BIASES[-1]))
    more = _about(_needed(left) - rolls)
    if not left:
        return say(
            "No sign of a bias; to see a {bias} % bias you need about {more} more rolls.",
            bias=_percent(BIASES[0]),
            more=more,
        )
    return say(
        "No sign of a bias of {seen} % or more; to see one of {bias} % you need about {more} more rolls.",
        seen=_percent(BIASES[left - 1]),
        bias=_percent(BIASES[left]),
        more=more,
    )


def _needed(k: int) -> int:
    return fairness.rolls_for(BIASES[k])


def _percent(share: float) -> Sentence:
    return figure(100 * share, ".0f" if share > 0.0995 else ".2g")


def _about(number: int) -> Sentence:
    """To two digits, as what is only about right is said."""
    size = 10 ** max(0, len(str(number)) - 2)
    return figure(math.ceil(number / size) * size)


def _one_in(chance: float) -> str:
    return _about(round(1 / chance)) if chance > 1e-6 else say("a million")
