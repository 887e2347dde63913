"""`stickman odds`: exact odds under any rules, the best turn, and who wins."""

import argparse
import json
import os
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from typing import Any

from firmware import config, house_rules, winning
from rules.best_play import of_two, table
from rules.best_play.duel import TooLong
from rules.best_play.turn import BestTurn, best_turn, left_out, long_run
from rules.odds import ByDice, Odds, label, odds
from rules.options import Options

HELP = "Give the exact odds of any rules, their best turn, and the chance of who begins."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", default="farkle", metavar="NAME|FILE", help="a preset, house rules or their file")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument(
        "--solve", action="store_true", help="solve the game of two now if nobody has: seconds to hours"
    )
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where house rules and their tables are kept")


def run(args: argparse.Namespace) -> int:
    state_dir = config.state_dir(args.state_dir, dict(os.environ))
    options = house_rules.load(args.rules, state_dir)
    answer = _answer(options, odds(options), _first(options, state_dir, args.solve))
    print(json.dumps(answer) if args.json else _text(options, answer))
    return 0


def _first(options: Options, state_dir: Path, solve: bool) -> tuple[float | None, tuple[str, ...]]:
    """The chance of who begins, and what is to be said about it."""
    found = winning.known(options, state_dir)
    if found is None and solve:
        try:
            found = table.solve(options)
        except TooLong as error:
            return None, (str(error),)
        winning.keep(found, state_dir / winning.FOLDER)
    if found is None:
        return None, ("Nobody has solved the game of two under these rules yet; --solve does.",)
    return found.first, of_two.left_out(options)


def _answer(options: Options, found: Odds, first: tuple[float | None, tuple[str, ...]]) -> dict[str, Any]:
    chance, notes = first
    return {
        "rules": options.name,
        "farkle": _fractions(found.farkle),
        "hot_dice": _fractions(found.hot_dice),
        "combinations": {name: _fractions(each) for name, each in found.combinations.items()},
        "first_throw_mean": str(found.first_throw_mean),
        "first_throw_shares": _fractions(found.first_throw_shares),
        "best_turn": _best_turn(options),
        "first_player_wins": {
            "value": chance,
            "final_round": options.win.final_round and options.win.rule != "exact",
            "exact": chance is not None and not notes,
        },
        "notes": [*_progressive(options), *left_out(options), *notes],
    }


def _best_turn(options: Options) -> dict[str, Any]:
    """`value`: of the first turn; turns `on_board` have their own where a threshold must be met first. A penalty for
    three farkles is in these values by what it costs in the long run; `without_penalty` knows nothing of it."""
    opening, on_board = best_turn(options, opening=True), best_turn(options)
    found: dict[str, Any] = {"value": opening.value, "bank_from": _limits(options, opening)}
    if options.turn.entry_threshold:
        found["on_board"] = {"value": on_board.value, "bank_from": _limits(options, on_board)}
    if options.penalty.three_farkles not in (0, "all"):
        lenient = best_turn(replace(options, penalty=replace(options.penalty, three_farkles=0)))
        found["without_penalty"] = {"value": lenient.value, "bank_from": _limits(options, lenient)}
        found["worth_after_farkles"] = list(long_run(options).after[1:])
    return found


def _limits(options: Options, turn: BestTurn) -> dict[str, int | None]:
    """By the dice left; under progressive scoring they depend on the rail as well, and there is no such list."""
    if any(hand.rail for hand in turn.hands):
        return {}
    hands = sorted((hand for hand in turn.hands if hand.dice and not hand.first), key=attrgetter("coloured", "plain"))
    return {label(options, hand): turn.bank_from(hand) for hand in hands}


def _progressive(options: Options) -> tuple[str, ...]:
    if options.score.progressive == "off":
        return ()
    return ("Chances of farkle and hot dice are of dice that join nothing on the rail; dice that can do better.",)


def _fractions(found: dict[str, Fraction] | ByDice) -> dict[str, str]:
    return {name: str(value) for name, value in found.items()}


def _text(options: Options, answer: dict[str, Any]) -> str:
    lines = [f"Odds of {options.name}", "", f"{'dice':>22}  {'farkle':>22}  {'hot dice':>22}"]
    for dice, farkle in answer["farkle"].items():
        lines.append(f"{dice:>22}  {_said(farkle):>22}  {_said(answer['hot_dice'][dice]):>22}")
    lines += ["", "Combinations, by dice thrown:"]
    for name, by_dice in answer["combinations"].items():
        lines.append(f"  {name}: " + ", ".join(f"{dice}: {chance}" for dice, chance in by_dice.items()))
    lines += ["", f"Mean of the first throw: {float(Fraction(answer['first_throw_mean'])):.2f}"]
    lines += [f"  less without {name}: {float(Fraction(v)):.2f}" for name, v in answer["first_throw_shares"].items()]
    lines += ["", *_turn_lines(answer["best_turn"]), "", *_who_wins(answer["first_player_wins"])]
    return "\n".join([*lines, *answer["notes"]])


def _turn_lines(best: dict[str, Any]) -> list[str]:
    on_board = best.get("on_board")
    lines = [f"Best first turn: {best['value']:.2f} points.", *_bank_lines(best["bank_from"])]
    if on_board:
        lines += [f"Best turn on the board: {on_board['value']:.2f} points.", *_bank_lines(on_board["bank_from"])]
    return lines


def _bank_lines(limits: dict[str, int | None]) -> list[str]:
    parts = [f"{dice}: {'never' if points is None else f'{points:,}'}" for dice, points in limits.items()]
    return [f"  Bank from, by dice left: {', '.join(parts)}"] if parts else []


def _who_wins(first: dict[str, Any]) -> list[str]:
    if first["value"] is None:
        return []
    how = "with" if first["final_round"] else "without"
    about = "wins" if first["exact"] else "wins about"
    return [f"Between two who play as well as can be, who begins {about} {first['value']:.4%} ({how} a final round)."]


def _said(fraction: str) -> str:
    value = Fraction(fraction)
    return f"{fraction} (1 in {float(1 / value):.4g})" if value else "never"
