"""How fast rules are scored and solved, for `make bench`. Processor seconds, since machines are shared."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from firmware import rulebook, winning
from rules.best_play import table
from rules.best_play.advice import Moment, plays
from rules.best_play.contest import contest
from rules.best_play.turn import best_turn
from rules.hands import Hand
from rules.house import parse
from rules.odds import odds
from rules.options import Options

THROWS = 300_000
SHOWN = ("farkle", "dice-10000", "dark-knights-full", "wild", "twelve-dice")


def rules() -> None:
    scoring()
    for name in SHOWN:
        solving(name)
    position()
    for final_round in (False, True):
        options = parse({"win": {"final_round": final_round}})
        found, spent = timed(lambda options=options: table.solve(options))
        how = "with" if final_round else "without"
        print(f"   the game of two to 10,000 {how} final round: {spent:.1f} s, who begins wins {found.first:.8f}")


def scoring() -> None:
    """Throws a second through the command, the start of Python taken off."""
    rng = random.Random(1)
    lines = "".join(f"[{','.join(str(rng.randint(1, 6)) for _ in range(6))}]\n" for _ in range(THROWS))
    few, many = batch("[1,1,1,1,1,1]\n"), batch(lines)
    print(f"-- stickman score --batch: {THROWS / (many - few):,.0f} throws a second of wall time")


def batch(lines: str) -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "firmware", "score", "--batch", "--rules", "dice-10000"]
    subprocess.run(command, input=lines, stdout=subprocess.DEVNULL, text=True, check=True)
    return time.perf_counter() - began


def solving(name: str) -> None:
    options = rulebook.load(name)
    _, exact = timed(lambda: odds(options))
    turn, best = timed(lambda: best_turn(options))
    print(f"   {name:18} odds {exact:.2f} s, best turn {best:.2f} s ({turn.value:.6f})")


def position() -> None:
    options = Options()
    known = winning.shipped(options)
    if known is not None:
        thrown = Moment(300, Hand(6), (1, 1, 2, 3, 3, 5))
        repetitions = 50
        _, spent = timed(
            lambda: [plays(options, thrown, contest(options, known, 4000, k * 100)) for k in range(repetitions)]
        )
        print(f"   a position with a throw of six: {1000 * spent / repetitions:.1f} ms")


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    found = call()
    return found, time.process_time() - began


if __name__ == "__main__":
    rules()
