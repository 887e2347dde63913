"""The turn of the highest expected score: when to bank, what to set aside, for any rules in one backward pass.

Every set-aside scores, so the turn score only grows: from a score at which one banks in any case, one pass down to
zero is exact.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.best_play.throwing import Floats, Throwing, throwing
from rules.hands import Hand, first_hand, full_hand
from rules.options import Options, TurnRules

# Points up to which the pass looks at first; it looks twice as far until nothing changes any more.
FIRST_CAP = 20_000
ENOUGH = 1e-9
ROUNDS = 200


@dataclass(frozen=True, eq=False, slots=True)
class BestTurn:
    """`value`: expected points of the turn. `throw`: float64 (turn scores, hands), expected points of throwing on;
    row t is a turn score of t * `step`. `may_bank`: bool of the same shape."""

    value: float
    step: int
    hands: tuple[Hand, ...]
    throw: Floats
    may_bank: NDArray[np.bool_]

    def bank_from(self, hand: Hand) -> int | None:
        """The turn score from which banking beats throwing `hand`, whatever the score; None when it never does."""
        row = self.hands.index(hand)
        scores = np.arange(len(self.throw)) * float(self.step)
        throws_on = ~self.may_bank[:, row] | (self.throw[:, row] > scores)
        last = int(np.flatnonzero(throws_on)[-1])
        # The last scores of the table know no more than that one banks beyond them.
        return (last + 1) * self.step if last < 0.9 * len(throws_on) else None

    def throwing_on(self, hand: Hand, score: int) -> float:
        """Expected points of a turn that stands at `score` when `hand` is thrown."""
        # That a throw is the first of its turn matters to who wins at once, not to points.
        row = self.hands.index(replace(hand, first=False))
        return float(self.throw[min(score // self.step, len(self.throw) - 1), row])


@dataclass(frozen=True, slots=True)
class LongRun:
    """`average`: points a turn under a penalty for three farkles in a row. `after`: how much less the future is worth
    after no, one and two farkles."""

    average: float
    after: tuple[float, float, float]


def best_turn(options: Options, opening: bool = False) -> BestTurn:
    """The best turn of a player who is on the board or, `opening`, is not yet. A penalty for farkles is weighed in by
    what it costs in the long run. Instant wins and four 2s have no worth in points: they are left out."""
    opening = opening and options.turn.entry_threshold > 0
    return _turn(for_points(options), opening, long_run(options).after)


@lru_cache(maxsize=64)
def long_run(options: Options) -> LongRun:
    """The average of endless turns on the board: three turns, after no, one and two farkles, that hang together."""
    options = for_points(options)
    penalty = options.penalty.three_farkles
    if not isinstance(penalty, int) or penalty == 0:
        return LongRun(_pass_down(options, False, 0.0).value, (0.0, 0.0, 0.0))
    after = np.zeros(3)
    average = 0.0
    for _ in range(ROUNDS):
        lost = (after[1], after[2], after[0] - penalty)
        values = np.array([_pass_down(options, False, float(each)).value for each in lost])
        settled = abs(values[0] - average) < ENOUGH and np.abs(values - values[0] - after).max() < ENOUGH
        average, after = float(values[0]), values - values[0]
        if settled:
            break
    return LongRun(average, (0.0, float(after[1]), float(after[2])))


def left_out(options: Options) -> tuple[str, ...]:
    """Sentences about what the best turn does not weigh in."""
    turn = options.turn
    parts = {
        "throws that win at once": bool(options.win.instant),
        "four 2s": options.penalty.four_twos,
        "the penalty of all points": options.penalty.three_farkles == "all",
        "the floor of penalties": options.penalty.floor is not None and options.penalty.three_farkles != 0,
        "attempts at a straight or a triple": turn.straight_attempt or turn.triple_attempt,
        "what the next player may take over": turn.piggyback != "off",
        "the exact target": options.win.rule == "exact",
    }
    return tuple(f"The best turn leaves out {name}." for name, is_missing in parts.items() if is_missing)


def for_points(options: Options) -> Options:
    """The rules without what has no worth in points."""
    win = replace(options.win, instant=(), rule="at_least", target=0, final_round=True)
    return replace(options, name="", win=win, penalty=replace(options.penalty, four_twos=False))


@lru_cache(maxsize=32)
def _turn(options: Options, opening: bool, after: tuple[float, float, float]) -> BestTurn:
    return _pass_down(options, opening, after[1])


def _pass_down(options: Options, opening: bool, lost: float) -> BestTurn:
    """`lost`: points that a farkle is worth."""
    return _from(_cap(options, opening), options, opening, lost)


@lru_cache(maxsize=64)
def _cap(options: Options, opening: bool) -> int:
    """Points so high that looking twice as far changed nothing."""
    cap, value = FIRST_CAP, _from(FIRST_CAP, options, opening, 0.0).value
    while cap < 16 * FIRST_CAP:
        cap *= 2
        before, value = value, _from(cap, options, opening, 0.0).value
        if abs(value - before) < ENOUGH:
            break
    return cap


def _from(cap: int, options: Options, opening: bool, lost: float) -> BestTurn:
    known = throwing(options)
    scores = cap // known.step
    may = may_bank(options, known, scores, opening)
    points = np.arange(scores + known.farthest)[:, None] * float(known.step)
    banked = np.repeat(points, len(known.hands), axis=1)
    banked[:scores][~may] = -np.inf
    throw = known.pass_down(banked.reshape(-1, 1), known.farkle * lost)[:, :, 0]
    return BestTurn(float(throw[0, known.row(first_hand(options))]), known.step, known.hands, throw, may)


def may_bank(options: Options, known: Throwing, scores: int, opening: bool) -> NDArray[np.bool_]:
    """Whether a turn may be banked, bool (turn scores, hands)."""
    enough = np.arange(scores)[:, None] * known.step >= least_to_bank(options.turn, opening)
    ended = np.array([hand.dice == 0 for hand in known.hands])
    found: NDArray[np.bool_] = (enough & may_stop(options, known)) | ended
    return found


def may_stop_at(options: Options, hand: Hand, points: int, opening: bool) -> bool:
    """Whether a turn of `points` may be banked with `hand` left. (That an exact target may always be hit is not a
    matter of the turn alone.)"""
    enough = points >= least_to_bank(options.turn, opening)
    return hand.dice == 0 or (enough and _may_stop_with(hand, options))


def least_to_bank(turn: TurnRules, opening: bool) -> int:
    return max(turn.minimum, turn.bank_min_score, turn.entry_threshold if opening else 0, 1)


def may_stop(options: Options, known: Throwing) -> NDArray[np.bool_]:
    """Whether the dice left allow to stop, bool (hands,)."""
    return np.array([_may_stop_with(hand, options) for hand in known.hands])


def _may_stop_with(hand: Hand, options: Options) -> bool:
    if hand == full_hand(options):
        return options.turn.hot_dice == "may"
    most = options.turn.bank_max_dice_left
    return not hand.first and (most is None or hand.dice <= most)
