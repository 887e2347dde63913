"""`stickman score`: what a throw is worth under any rules, one throw or a stream of them."""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from firmware import config, house_rules
from rules.combinations import listed
from rules.errors import InvalidMove, RulesError
from rules.game import Option
from rules.options import Options
from rules.scoring import Scorer, scorer
from rules.wording import dice_text, points_text

CHUNK = 1 << 16

HELP = "Say what a throw scores, and every way to set dice aside."


@dataclass(frozen=True, slots=True)
class Question:
    """Sorted plain dice, what the coloured die shows (None: it was not thrown), and the dice on the rail."""

    throw: tuple[int, ...]
    coloured: int | None = None
    held: tuple[int, ...] = ()


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", default="farkle", metavar="NAME|FILE", help="a preset, house rules or their file")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--batch", action="store_true", help="answer every line of JSON on standard input")
    parser.add_argument("--held", default="", metavar="1,1", help="dice already set aside (progressive rules)")
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where house rules were saved")
    parser.add_argument("dice", nargs="*", metavar="DICE", help="1 to 6 each; the coloured die as 4w")


def run(args: argparse.Namespace) -> int:
    options = house_rules.load(args.rules, config.state_path(args.state_dir, dict(os.environ)))
    held = _plain(_words(args.held))
    if args.batch:
        if args.dice:
            raise InvalidMove("With --batch the dice come on standard input; leave them off the command line.")
        return _batch(options, held)
    question = _question(_words(" ".join(args.dice)), None, held)
    print(json.dumps(_answer(options, question)) if args.json else _text(options, question))
    return 0


def _batch(options: Options, held: tuple[int, ...]) -> int:
    wrong = 0

    # Orders and spellings of one throw share the text of one answer.
    @lru_cache(maxsize=10_000)
    def text(question: Question) -> str:
        return json.dumps(_answer(options, question), separators=(",", ":"))

    @lru_cache(maxsize=100_000)
    def answer(line: bytes) -> tuple[str, int]:
        try:
            return text(_read(line, held)), 0
        except RulesError as error:
            return json.dumps({"error": str(error)}), 1

    for lines in _as_they_come(sys.stdin.buffer):
        answers = [answer(line) for line in lines]
        wrong += sum(mistakes for _, mistakes in answers)
        sys.stdout.write("\n".join([each for each, _ in answers]) + "\n")
        # Somebody may be waiting for this answer before asking again.
        sys.stdout.flush()
    return 2 if wrong else 0


def _as_they_come(stream: BinaryIO) -> Iterator[list[bytes]]:
    """The lines of a stream, as many together as are there to be read: a write for each would take most of the time."""
    rest = b""
    while chunk := os.read(stream.fileno(), CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        if lines:
            yield lines
    if rest:
        yield [rest]


def _read(line: bytes, held: tuple[int, ...]) -> Question:
    try:
        asked = json.loads(line)
    except ValueError:
        raise InvalidMove('A line is JSON: [1, 1, 5], or {"throw": [1, 1, 5], "held": [1]}.') from None
    if isinstance(asked, list):
        return _question(asked, None, held)
    if not isinstance(asked, dict) or "throw" not in asked or not asked.keys() <= {"throw", "coloured", "held"}:
        raise InvalidMove('A line is a list of dice or a table with "throw" and perhaps "coloured" and "held".')
    throw, coloured = asked["throw"], asked.get("coloured")
    if not isinstance(throw, list) or not isinstance(asked.get("held", []), list):
        raise InvalidMove('"throw" and "held" are lists of dice.')
    return _question(throw, coloured, _plain(asked["held"]) if "held" in asked else held)


def _question(dice: list[Any], coloured: Any, held: tuple[int, ...]) -> Question:
    marked = [die for die in dice if isinstance(die, str) and die.endswith(("w", "W"))]
    given = [*(die[:-1] for die in marked), *([] if coloured is None else [coloured])]
    if len(given) > 1:
        raise InvalidMove("There is only one coloured die.")
    throw = _plain([die for die in dice if die not in marked])
    if not throw and not given:
        raise InvalidMove("Which dice were thrown? Give a number from 1 to 6 for each.")
    return Question(throw, _value(given[0]) if given else None, held)


def _words(text: str) -> list[Any]:
    return [word for word in re.split(r"[\s,-]+", text) if word]


def _plain(dice: list[Any]) -> tuple[int, ...]:
    return tuple(sorted(_value(die) for die in dice))


def _value(die: Any) -> int:
    if isinstance(die, str) and die.isdecimal():
        die = int(die)
    if isinstance(die, bool) or not isinstance(die, int) or not 1 <= die <= 6:
        raise InvalidMove(f"A die shows 1 to 6, not {die}.")
    return die


def _options(rules: Options, question: Question) -> tuple[Scorer, tuple[Option, ...]]:
    known = scorer(rules.dice, rules.score)
    held = (question.held,) if question.held else ()
    return known, known.options(question.throw, held, question.coloured)


def _answer(rules: Options, question: Question) -> dict[str, Any]:
    """The contract of `--json`. Under progressive rules with dice held the scores are what is gained."""
    _, options = _options(rules, question)
    answer: dict[str, Any] = {"throw": question.throw}
    if question.coloured is not None:
        answer["coloured"] = question.coloured
    if question.held:
        answer["held"] = question.held
    answer["best"] = max((option.score for option in options), default=0)
    answer["options"] = [_listed(option) for option in options]
    return answer


def _listed(option: Option) -> dict[str, Any]:
    if option.with_coloured is None:
        return {"dice": option.dice, "score": option.score}
    return {"dice": option.dice, "with_coloured": option.with_coloured, "score": option.score}


def _text(rules: Options, question: Question) -> str:
    known, options = _options(rules, question)
    thrown = _with_coloured(question.throw, question.coloured)
    if not options:
        return f"{thrown}: a farkle, nothing scores ({rules.name})."
    best = max(options, key=lambda option: (option.score, len(option.dice)))
    gain = "gains" if question.held and rules.score.progressive != "off" else "scores"
    lines = [f"{thrown} {gain} {points_text(best.score)} at best ({rules.name})."]
    if question.coloured is None and not question.held:
        parts = known.split(best.dice)
        lines += [f"  {part.name}, {dice_text(listed(part.counts))}: {points_text(part.value)}" for part in parts]
    lines.append("Dice to set aside:")
    for option in options:
        dice = _with_coloured(option.dice, question.coloured if option.with_coloured else None)
        lines.append(f"  {dice:14} {option.score:7,}")
    return "\n".join(lines)


def _with_coloured(dice: tuple[int, ...], coloured: int | None) -> str:
    marked = () if coloured is None else (f"{coloured}w",)
    return "-".join((dice_text(dice), *marked)) if dice else "".join(marked)
