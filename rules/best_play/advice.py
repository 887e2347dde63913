"""What to do now: every choice with what it is worth, in points of the turn and as a chance to win."""

from dataclasses import dataclass

from rules.best_play.contest import Contest
from rules.best_play.findings import Play, Worth
from rules.best_play.turn import BestTurn, best_turn, may_stop_at
from rules.game import Option
from rules.hands import Hand, How, after, at_once, following
from rules.options import Options
from rules.scoring import Throw, scorer


@dataclass(frozen=True, slots=True)
class Moment:
    """`points`: of the turn, without the present throw. `hand`: the dice that were thrown, or are due when `throw` is
    None. `throw`: plain dice; `coloured`: what the coloured die shows. `opening`: not on the board yet."""

    points: int
    hand: Hand
    throw: Throw | None = None
    coloured: int | None = None
    opening: bool = False


def plays(options: Options, moment: Moment, contest: Contest | None = None) -> tuple[Play, ...]:
    """Every choice, the best first: by the chance to win where a contest is given, otherwise by expected points. None
    at all when the throw leaves no choice: see `outcome`."""
    if outcome(options, moment) not in ("scores", None):
        return ()
    turn = best_turn(options, moment.opening)
    if moment.throw is None:
        return (_play(options, turn, contest, moment, None, moment.points, moment.hand),)
    known = scorer(options.dice, options.score)
    found = []
    for option in known.options(moment.throw, moment.hand.rail, moment.coloured):
        left = following(options, moment.hand, moment.throw, moment.coloured, option)
        found.append(_play(options, turn, contest, moment, option, moment.points + option.score, left))
    return tuple(sorted(found, key=lambda play: _rank(play.worth), reverse=True))


def outcome(options: Options, moment: Moment) -> How | None:
    """What the throw of the moment comes to; None when it is still due."""
    if moment.throw is None:
        return None
    how = at_once(options, moment.hand, moment.throw, moment.coloured)
    if how == "scores" and not after(options, moment.hand, moment.throw, moment.coloured):
        return "farkle"
    return how


def _play(
    options: Options,
    turn: BestTurn,
    contest: Contest | None,
    moment: Moment,
    option: Option | None,
    points: int,
    left: Hand,
) -> Play:
    banked = contest.bank(points, left) if contest else None
    # The contest knows when a target that must be hit exactly may be hit against all limits.
    may = banked is not None if contest else may_stop_at(options, left, points, moment.opening)
    bank = Worth(float(points), banked) if may and points else None
    win = contest.throw(points, left) if contest and left.dice else None
    throw = Worth(turn.throwing_on(left, points), win) if left.dice else None
    if throw is None or (bank is not None and _rank(bank) >= _rank(throw)):
        worth = bank or Worth(float(points))
        return Play(option, left, worth, throw, "bank", worth)
    return Play(option, left, bank, throw, "throw", throw)


def _rank(worth: Worth) -> tuple[float, float]:
    return (worth.points if worth.win is None else worth.win, worth.points)
