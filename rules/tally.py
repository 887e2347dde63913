"""What a player has done over many games."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.retelling import ToldTurn

FARKLES = ("farkle", "four-twos")


@dataclass(frozen=True, slots=True)
class Tally:
    """`games`: that somebody has won, `wins`: those that this player has. `turns`: that are finished, `points`: made
    in them, `best`: the most in one. `farkles`: turns lost, `row`: the most in a row; a row goes on from game to game.
    `now`: how long the present row is."""

    games: int = 0
    wins: int = 0
    turns: int = 0
    points: int = 0
    best: int = 0
    farkles: int = 0
    row: int = 0
    now: int = 0

    @property
    def average(self) -> float:
        return self.points / self.turns if self.turns else 0.0

    def after(self, turns: Iterable[ToldTurn], player: int, winners: tuple[int, ...]) -> "Tally":
        """With one more game, in which this player was number `player`."""
        tally = replace(self, games=self.games + bool(winners), wins=self.wins + (player in winners))
        for turn in turns:
            if turn.player == player and turn.ending not in ("", "ended"):
                tally = tally._with(turn)
        return tally

    def _with(self, turn: ToldTurn) -> "Tally":
        now = self.now + 1 if turn.ending in FARKLES else 0
        return replace(
            self,
            turns=self.turns + 1,
            points=self.points + turn.points,
            best=max(self.best, turn.points),
            farkles=self.farkles + (now > 0),
            row=max(self.row, now),
            now=now,
        )
