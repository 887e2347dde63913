"""One turn between two players: the chance to win by banking or throwing on, read off a table in milliseconds."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rules.best_play.duel import Match, Table, match_of
from rules.best_play.of_two import two_player
from rules.best_play.table import WinTable
from rules.best_play.throwing import Floats, throwing
from rules.best_play.turn import may_bank
from rules.hands import Hand, first_hand
from rules.options import Options


@dataclass(frozen=True, eq=False, slots=True)
class Contest:
    """`banked`, `thrown`: float64 (turn scores, hands), the chance of the player to move; -inf where one may not bank.
    Row t is a turn score of t * `step`."""

    step: int
    hands: tuple[Hand, ...]
    banked: Floats
    thrown: Floats

    def bank(self, points: int, hand: Hand) -> float | None:
        """After banking `points` with the dice of `hand` left; None where one may not."""
        value = float(self.banked[self._row(points, self.banked), self.hands.index(hand)])
        return None if value == -np.inf else value

    def throw(self, points: int, hand: Hand) -> float:
        """When `hand` is thrown at a turn score of `points`."""
        return float(self.thrown[self._row(points, self.thrown), self.hands.index(hand)])

    def _row(self, points: int, of: Floats) -> int:
        return min(points // self.step, len(of) - 1)


@lru_cache(maxsize=32)
def contest(options: Options, table: WinTable, own: int, other: int) -> Contest:
    """The turn of a player who has `own` points against one who has `other`, the table being of these rules. A rival
    at or beyond the target has had the last word: he is to be surpassed in this one turn."""
    options = two_player(options)
    game = match_of(options, throwing(options), table.closing)
    mine, theirs = _on_table(game, own), max(0, other) // game.throwing.step
    if theirs >= game.goal:
        return _chase(game, mine, theirs)
    lost, reset = 1 - table.chances[theirs, mine], 1 - table.chances[theirs, 0]
    turn = Table.of(game, np.array([mine]), np.array([theirs]), table.chances)
    _, thrown = turn.values(np.array([lost]), np.array([reset]))
    banked = turn.banked if turn.lost_turn is None else np.where(turn.lost_turn, lost, turn.banked)
    return _laid_out(game, banked, thrown)


def before_turn(options: Options, table: WinTable, own: int, other: int) -> float:
    """The chance of a player about to begin a turn."""
    game = match_of(two_player(options), throwing(two_player(options)), table.closing)
    theirs = max(0, other) // game.throwing.step
    if theirs < game.goal:
        return float(table.chances[_on_table(game, own), theirs])
    return contest(options, table, own, other).throw(0, first_hand(two_player(options)))


def _on_table(game: Match, score: int) -> int:
    """In steps. Below zero the table ends; a score on the goal is another's to surpass, never one's own to play."""
    return min(max(0, score) // game.throwing.step, game.goal - 1)


def _chase(game: Match, own: int, other: int) -> Contest:
    known = game.throwing
    gap = max(0, other - own)
    scores = gap + 2
    wins = (np.arange(scores + known.farthest) > gap).astype(np.float64)[:, None]
    banked = np.repeat(wins, len(known.hands), axis=1)
    banked[:scores][~may_bank(game.options, known, scores, own == 0)] = -np.inf
    values = banked.reshape(-1, 1)
    return _laid_out(game, values, known.pass_down(values.copy(), known.wins))


def _laid_out(game: Match, banked: Floats, thrown: Floats) -> Contest:
    known = game.throwing
    return Contest(known.step, known.hands, banked.reshape(-1, len(known.hands)), thrown[:, :, 0])
