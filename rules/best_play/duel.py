"""The exact chances of two players who both play as well as can be, for every pair of scores.

A turn leads to higher scores only, or by a farkle back to the same pair with the other player to move. So pairs are
solved by falling sum of their scores, all of one sum at once; what is left is how a pair and its mirror image hang
together by their farkles: the chance to win is a convex function of what a farkle is worth, and Newton's method on the
two of them settles in two or three passes.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.best_play.throwing import Floats, Indices, Throwing, throwing
from rules.best_play.turn import least_to_bank, may_bank, may_stop
from rules.hands import first_hand
from rules.options import Options

# Beyond the target a leader throws on until the other's chance to surpass is this small. What that leaves out is this
# chance times the chance to come so far, and matters only where the other player is about to reach the target too.
SMALL = 1e-3
# Points by which a leader is surpassed in one turn less often than that under all rules that come with the tray.
FAR = 10_000
# Points beyond the target that are looked at where a player may be forced to throw on.
FORCED = 5000
SETTLED = 1e-7
PASSES = 50
# Four 2s lead from any pair back to a low one: everything is solved again until the low pairs stay as they are.
ROUNDS = 8
# Positions solved together: many enough that the calls do not count, few enough that their table stays in the cache.
TOGETHER = 48
# Time grows with the third power of the scores: 200 take seconds, 1,000 a quarter of an hour.
MOST_SCORES = 1000


@dataclass(frozen=True, eq=False, slots=True)
class Match:
    """What does not change during a game of two. Scores are in steps.

    `goal`: the lowest score that wins. `exact`: it must be hit; `gives`: points that go over it are the other's.
    `closing`: float64 (2, gaps), the chance to score more
    than `gap` in one turn, for a player who is not on the board yet and for one who is; all zero without final round.
    `least`: the fewest steps that may be banked, by the same two.
    """

    options: Options
    throwing: Throwing
    goal: int
    exact: bool
    gives: bool
    closing: Floats
    least: tuple[int, int]

    @property
    def longest(self) -> int:
        """Steps of the longest way that has to be looked at: to the goal, or to a turn that may be banked."""
        return max(self.goal, *self.least)

    @property
    def gaps(self) -> int:
        """How many gaps `closing` must know: beyond them nobody surpasses anybody but by a throw that wins at once."""
        return max(2 * self.goal, FAR // self.throwing.step)

    def far_enough(self, own: Indices, other: Indices) -> Indices:
        """The turn score from which banking is taken for granted."""
        turn = self.options.turn
        beyond = self.goal - own
        if self.gives:
            beyond = np.maximum(beyond, self.goal - other)
        elif not self.exact:
            gaps = np.array([int((row > row[-1] + SMALL).sum()) for row in self.closing])
            beyond = np.maximum(beyond, other + gaps[(other > 0).astype(np.intp)] - own)
            if turn.hot_dice == "must" or turn.bank_max_dice_left is not None:
                beyond = beyond + FORCED // self.throwing.step
        found: Indices = np.maximum(beyond, np.where(own > 0, self.least[1], self.least[0])) + 1
        return found

    def banked(self, own: Indices, other: Indices, points: Indices, won: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """The chance to win after banking `points`, (scores, positions), and where that is no more than a lost turn.
        `won`: chances of the player to move by pair of scores, known where they add up to more."""
        reach, top = own + points, self.goal - 1
        after = np.where(reach < self.goal, won[other, np.minimum(reach, top)], self._last_word(reach, other))
        over = (reach > self.goal) & self.exact
        if self.gives:
            given = other + points
            kept_from = np.where(given < self.goal, won[np.minimum(given, top), own], 1.0)
            return 1 - np.where(over, kept_from, after), over & (given > self.goal)
        return 1 - after, over

    def _last_word(self, reach: Indices, other: Indices) -> Floats:
        """The chance that the other player still wins when `reach`, the goal or more, is banked."""
        gap = np.clip(reach - other, 0, self.closing.shape[1] - 1)
        found: Floats = self.closing[(other > 0).astype(np.intp), gap]
        return found


class TooLong(ValueError):
    """A game with more scores than can be solved; the message is a sentence."""


def match(options: Options) -> Match:
    """The game of two under `options`. Raises `TooLong`."""
    known, win = throwing(options), options.win
    bare = match_of(options, known, np.zeros((2, 1)))
    if bare.longest > MOST_SCORES:
        way = f"{bare.longest:,} steps of {known.step} points to a win or a bank"
        text = f"There are {way} under these rules; a game of more than {MOST_SCORES:,} is not solved."
        raise TooLong(text)
    if bare.exact or not win.final_round:
        return bare
    return replace(bare, closing=np.stack([_surpassing(bare, bare.gaps, opening) for opening in (True, False)]))


def match_of(options: Options, known: Throwing, closing: Floats) -> Match:
    """The same with closing turns that are known already."""
    win = options.win
    goal = win.target // known.step + 1 if win.rule == "over" else -(-win.target // known.step)
    off, on = (-(-least_to_bank(options.turn, opening) // known.step) for opening in (True, False))
    exact = win.rule == "exact"
    return Match(options, known, goal, exact, exact and win.overshoot == "give_to_lowest", closing, (off, on))


def _surpassing(game: Match, gaps: int, opening: bool) -> Floats:
    """The chance to score more than 0, 1, ... steps in one turn by throwing on until then."""
    every = np.arange(gaps)
    return np.concatenate([_beyond(game, every[at : at + TOGETHER], opening) for at in range(0, gaps, TOGETHER)])


def _beyond(game: Match, gaps: Indices, opening: bool) -> Floats:
    known, hands, scores = game.throwing, len(game.throwing.hands), int(gaps[-1]) + 2
    reached = np.arange(scores + known.farthest)[:, None] > gaps
    values = np.repeat(reached.astype(np.float64), hands, axis=0)
    may = may_bank(game.options, known, scores, opening)
    values[: may.size][~may.reshape(-1)] = -np.inf
    found: Floats = known.pass_down(values, known.wins)[0, known.row(first_hand(game.options))]
    return found


def chances(game: Match) -> Floats:
    """The chance of the player to move, float64 (own score, other's score), both in steps and below the goal."""
    won = np.full((game.goal, game.goal), 0.5)
    slopes = np.full(game.goal, 0.3)
    for _ in range(ROUNDS if game.throwing.cancels.any() else 1):
        reset = won[:, 0].copy()
        for total in range(2 * game.goal - 2, -1, -1):
            _solve(game, won, total, slopes, reset)
        if np.abs(won[:, 0] - reset).max() < SETTLED:
            break
    return won


def _solve(game: Match, won: Floats, total: int, slopes: Floats, reset: Floats) -> None:
    """Fill in all pairs whose scores add up to `total`. `slopes`: how much of what a farkle is worth comes through, by
    own score; as found for the sum before. `reset`: the other's chance against a score of zero, by the other's score.
    """
    own = np.arange(max(0, total - game.goal + 1), min(total, game.goal - 1) + 1)
    other = total - own
    groups = [own[at : at + TOGETHER] for at in range(0, len(own), TOGETHER)]
    tables = [Table.of(game, group, total - group, won) for group in groups]
    lost = 1 - _guess(won, other, own)
    slope, before = slopes[own], None
    for _ in range(PASSES):
        parts = np.split(lost, np.cumsum([len(group) for group in groups])[:-1])
        found = np.concatenate(
            [
                table.start(part, 1 - reset[total - group])
                for table, group, part in zip(tables, groups, parts, strict=True)
            ]
        )
        if before is not None:
            moved = lost - before[0]
            sure = np.abs(moved) > 1e-9
            slope[sure] = np.clip((found - before[1])[sure] / moved[sure], 0.0, 0.95)
        before = lost, found
        # found + slope * (1 - mirror - lost) for the pair and its mirror image, solved for both.
        rest = found + slope * (1 - lost)
        value = (rest - slope * rest[::-1]) / (1 - slope * slope[::-1])
        lost = 1 - value[::-1]
        if np.abs(lost - before[0]).max() < SETTLED:
            break
    won[own, other] = value
    slopes[own] = slope


def _guess(won: Floats, own: Indices, other: Indices) -> Floats:
    """Chances by those of higher sums, as if they lay on a plane."""
    top = len(won) - 1
    up, right = np.minimum(own + 1, top), np.minimum(other + 1, top)
    inner = (own < top) & (other < top)
    edge = np.where(own < top, won[up, other], won[own, right])
    return np.where(inner, won[up, other] + won[own, right] - won[up, right], edge)


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """What banking brings in some positions, (turn scores * hands, positions), -inf where one may not; `lost_turn`
    marks where that is what a farkle is worth, None where nowhere."""

    game: Match
    banked: Floats
    lost_turn: NDArray[np.bool_] | None

    @classmethod
    def of(cls, game: Match, own: Indices, other: Indices, won: Floats) -> "Table":
        """`won`: chances by pair of scores, known for all higher sums."""
        known, hands = game.throwing, len(game.throwing.hands)
        scores = int(game.far_enough(own, other).max())
        points = np.arange(scores + known.farthest)[:, None]
        banked, lost_turn = game.banked(own, other, points, won)
        may = np.stack([may_bank(game.options, known, scores, opening) for opening in (True, False)], axis=-1)
        allowed = may[:, :, (own > 0).astype(np.intp)]
        if game.exact:
            # Who hits the target may always stop: a limit would keep the last points out of reach.
            hit = (own + points[:scores] == game.goal)[:, None, :]
            allowed = allowed | hit & may_stop(game.options, known)[:, None]
        values = np.repeat(banked, hands, axis=0)
        values[: scores * hands][~allowed.reshape(scores * hands, -1)] = -np.inf
        lost = np.repeat(lost_turn, hands, axis=0) & (values > -np.inf) if lost_turn.any() else None
        return cls(game, values, lost)

    def values(self, lost: Floats, reset: Floats) -> tuple[Floats, Floats]:
        """The values of best play, laid out as `banked`, and of throwing on, (turn scores, hands, positions).
        `lost`: what a farkle is worth, for each position; `reset`: four 2s."""
        known = self.game.throwing
        values = self.banked.copy() if self.lost_turn is None else np.where(self.lost_turn, lost, self.banked)
        throw = known.pass_down(values, known.farkle * lost + known.wins + known.cancels * reset)
        return values, throw

    def start(self, lost: Floats, reset: Floats) -> Floats:
        """The chance to win at the start of the turn."""
        found: Floats = self.values(lost, reset)[1][0, self.game.throwing.row(first_hand(self.game.options))]
        return found
