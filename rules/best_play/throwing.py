"""One throw as arrays: the mean of the best choice over all fates of every hand, many positions at once."""

from dataclasses import dataclass
from functools import lru_cache
from math import gcd

import numpy as np
from numpy.typing import NDArray

from rules.hands import Fate, Hand, fates, hands
from rules.options import Options

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Throwing:
    """`hands`: every hand that can come up, rows of all arrays; the first of a turn first. `step`: points that all
    gains are multiples of; `farthest`: the largest gain in steps.

    A value table of a turn has a row for each (turn score in steps) * len(hands) + hand, and a column a position.
    `columns`: for the first, second, ... choice of the fates that have so many, how many rows further on it leads.
    Fates are sorted by number of choices, most first. `weights`: float64 (hands, fates), their chances.
    `farkle`, `wins`, `cancels`: float64 (hands, 1), the chances of throws without a choice.
    """

    hands: tuple[Hand, ...]
    step: int
    farthest: int
    columns: tuple[Indices, ...]
    weights: Floats
    farkle: Floats
    wins: Floats
    cancels: Floats

    def mean(self, rows: Floats) -> Floats:
        """Mean of the best choice, (hands, positions). `rows`: the value table from the present turn score on."""
        first, *others = self.columns
        best = rows.take(first, axis=0)
        for column in others:
            reached = best[: len(column)]
            np.maximum(reached, rows.take(column, axis=0), out=reached)
        found: Floats = self.weights @ best
        return found

    def pass_down(self, values: Floats, ends: Floats) -> Floats:
        """Make `values`, what banking brings (-inf where one may not), into the values of best play, from the highest
        turn score down, in place. Its last `farthest` turn scores stay as they are. `ends`: (hands, positions), what
        throws without a choice bring. Returns the values of throwing on, (turn scores, hands, positions).
        """
        count = len(self.hands)
        scores = len(values) // count - self.farthest
        throw = np.empty((scores, count, values.shape[1]))
        for score in range(scores - 1, -1, -1):
            here = values[score * count : (score + 1) * count]
            np.add(self.mean(values[score * count :]), ends, out=throw[score])
            np.maximum(here, throw[score], out=here)
        return throw

    def row(self, hand: Hand) -> int:
        return self.hands.index(hand)


@lru_cache(maxsize=16)
def throwing(options: Options) -> Throwing:
    known = hands(options)
    plays = [(hand, fate) for hand in known if hand.dice for fate in fates(options, hand)]
    scoring = sorted((play for play in plays if play[1].choices), key=lambda play: -len(play[1].choices))
    gains = [points for _, fate in scoring for points, _ in fate.choices]
    step = gcd(*gains)
    row = {hand: number for number, hand in enumerate(known)}
    weights = np.zeros((len(known), len(scoring)))
    for number, (hand, fate) in enumerate(scoring):
        weights[row[hand], number] = _chance(hand, fate)
    columns = []
    for place in range(len(scoring[0][1].choices)):
        reach = [fate.choices[place] for _, fate in scoring if len(fate.choices) > place]
        columns.append(np.array([points // step * len(known) + row[hand] for points, hand in reach], np.intp))
    ends = {how: np.zeros((len(known), 1)) for how in ("farkle", "wins", "cancels")}
    for hand, fate in plays:
        if not fate.choices:
            ends[fate.how][row[hand]] += _chance(hand, fate)
    return Throwing(known, step, max(gains) // step, tuple(columns), weights, **ends)


def _chance(hand: Hand, fate: Fate) -> float:
    return float(fate.ways / 6**hand.dice)
