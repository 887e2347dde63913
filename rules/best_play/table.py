"""The chances of two players as a file: small enough to ship, named by the rules it holds for.

Layout: a line of JSON, then zlib of the chances and of the closing turns. Chances are whole numbers of 2**-24, written
as what a plane through their neighbours gets wrong, byte by byte of the same weight together: a smooth table of
40,000 pairs of scores takes some 50 KB.
"""

import json
import zlib
from dataclasses import dataclass

import numpy as np

from rules.best_play.duel import MOST_SCORES, Match, chances, match, match_of
from rules.best_play.of_two import fingerprint, two_player
from rules.best_play.throwing import Floats, throwing
from rules.options import Options

BITS = 24
# Pairs of scores times turn scores times choices; plain Farkle to 10,000 has 4.6e9 and takes seven seconds.
QUICK = 8e8
ERROR = 2.0 ** -(BITS + 1)
"""No chance read from a file is farther from what was computed."""


@dataclass(frozen=True, eq=False, slots=True)
class WinTable:
    """`first`: the exact chance of who begins. `chances`, `closing`: as `rules.best_play.duel` has them."""

    rules: str
    fingerprint: str
    first: float
    chances: Floats
    closing: Floats

    def to_bytes(self) -> bytes:
        head = {
            "rules": self.rules,
            "fingerprint": self.fingerprint,
            "first": self.first,
            "goal": len(self.chances),
            "gaps": self.closing.shape[1],
        }
        body = _packed(self.chances) + self.closing.astype("<f4").tobytes()
        return json.dumps(head).encode() + b"\n" + zlib.compress(body, 9)


def from_bytes(data: bytes) -> WinTable:
    """Raises `ValueError` for what is no such file."""
    line, _, body = data.partition(b"\n")
    try:
        head = json.loads(line)
        goal, gaps, plain = int(head["goal"]), int(head["gaps"]), zlib.decompress(body)
        cells = 4 * goal * goal
        closing = np.frombuffer(plain[cells:], "<f4").astype(np.float64).reshape(2, gaps)
        return WinTable(
            str(head["rules"]),
            str(head["fingerprint"]),
            float(head["first"]),
            _unpacked(plain[:cells], goal),
            closing,
        )
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise ValueError(f"This is no table of chances: {error}.") from None


def solve(options: Options) -> WinTable:
    """The table of these rules, computed: seconds to minutes. Raises `TooLong`, see `rules.best_play.duel.match`."""
    return table_of(options, match(two_player(options)))


def is_quick(options: Options) -> bool:
    """Whether solving takes no longer than a second or two: a short game, or few things to weigh."""
    game = match_of(two_player(options), throwing(two_player(options)), np.zeros((2, 1)))
    if game.longest > MOST_SCORES or game.throwing.cancels.any():
        return False
    weighed = sum(len(column) for column in game.throwing.columns)
    closing = game.gaps**2 if options.win.final_round and not game.exact else 0
    return (game.goal**2 * game.longest + closing) * weighed <= QUICK


def table_of(options: Options, game: Match) -> WinTable:
    won = chances(game)
    return WinTable(options.name, fingerprint(options), float(won[0, 0]), won, game.closing)


def _packed(won: Floats) -> bytes:
    whole = np.rint(won * 2.0**BITS).astype(np.int64)
    wrong = np.diff(np.diff(whole, axis=0, prepend=0), axis=1, prepend=0)
    # Small numbers of either sign become small positive ones.
    unsigned = ((wrong << 1) ^ (wrong >> 63)).astype("<u4")
    return unsigned.reshape(-1).view(np.uint8).reshape(-1, 4).T.tobytes()


def _unpacked(data: bytes, goal: int) -> Floats:
    planes = np.frombuffer(data, np.uint8).reshape(4, -1).T
    unsigned = np.ascontiguousarray(planes).view("<u4").astype(np.int64).reshape(goal, goal)
    wrong = (unsigned >> 1) ^ -(unsigned & 1)
    found: Floats = wrong.cumsum(axis=1).cumsum(axis=0) / 2.0**BITS
    return found
