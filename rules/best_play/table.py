"""The chances of two players as a file: small enough to ship, named by the rules it holds for.

Layout: a line of JSON, then zlib of the chances and of the closing turns. Chances are whole numbers of 2**-24, written
as what a plane through their neighbours gets wrong, byte by byte of the same weight together: a smooth table of
40,000 pairs of scores takes some 50 KB.
"""

import hashlib
import json
import zlib
from dataclasses import dataclass, replace

import numpy as np

from rules.best_play.duel import MOST_SCORES, Match, chances, match, match_of
from rules.best_play.throwing import Floats, throwing
from rules.options import Options, TurnRules
from speech.sentence import say

# Goes up when the same rules would give other numbers, or the layout changes.
VERSION = 1
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


def two_player(options: Options) -> Options:
    """The rules as far as the table knows them; `left_out` says what is missing."""
    turn = options.turn
    kept = TurnRules(
        entry_threshold=turn.entry_threshold,
        minimum=turn.minimum,
        bank_min_score=turn.bank_min_score,
        bank_max_dice_left=turn.bank_max_dice_left,
        hot_dice=turn.hot_dice,
    )
    return Options(
        name="",
        dice=replace(options.dice, wild_colour=Options().dice.wild_colour),
        score=options.score,
        turn=kept,
        penalty=replace(Options().penalty, four_twos=options.penalty.four_twos),
        win=replace(options.win, roll_off=False, tie="first"),
    )


def left_out(options: Options) -> tuple[str, ...]:
    """Sentences about what the table does not know of these rules; none when it is exact between two players."""
    turn, win = options.turn, options.win
    parts = {
        say("The chance to win leaves out taking over the dice of the player before."): turn.piggyback != "off",
        say("The chance to win leaves out attempts at a straight or a triple."): turn.straight_attempt
        or turn.triple_attempt,
        say("The chance to win leaves out the penalty for three farkles."): options.penalty.three_farkles != 0,
        say("The chance to win leaves out rolling off the score."): win.roll_off and win.rule == "exact",
        say("The chance to win leaves out what a tie means."): win.tie != "first"
        and win.rule != "exact"
        and win.final_round,
    }
    return tuple(sentence for sentence, is_missing in parts.items() if is_missing)


def fingerprint(options: Options) -> str:
    """Of all that the table depends on: the same for rules that share one."""
    text = json.dumps([VERSION, two_player(options).to_json()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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
