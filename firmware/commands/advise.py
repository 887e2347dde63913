"""`stickman advise`: the best play of a moment, what it is worth, and the chance to win with it."""

import argparse
import json
import os
import re
from pathlib import Path
from typing import Any

from firmware import config, house_rules, winning
from firmware.errors import BadInput
from rules.best_play import of_two
from rules.best_play.advice import Moment, outcome, plays
from rules.best_play.contest import contest
from rules.best_play.findings import Play, Worth
from rules.best_play.turn import left_out
from rules.hands import Hand, first_hand, full_hand, hand_of, hands
from rules.odds import farkle_chance
from rules.options import Options
from rules.wording import count_text, dice_text, points_text

HELP = "Say what to do: set aside, throw on or bank, and what that is worth."
EXPLAINED = "The first of the scores is of the player to move. With two scores the best play is the one that wins."
NO_CHOICE = {
    "farkle": "A farkle: nothing scores.",
    "wins": "This throw wins the game.",
    "cancels": "Four 2s: all points are lost.",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXPLAINED
    parser.add_argument("--rules", default="farkle", metavar="NAME|FILE", help="a preset, house rules or their file")
    parser.add_argument(
        "--turn-score", type=_points, default=0, metavar="T", help="points of the turn before the throw"
    )
    parser.add_argument("--dice", metavar="N", help="dice due, or in the throw; 3w with the coloured one among them")
    parser.add_argument("--throw", default="", metavar="1,1,5", help="what was thrown; the coloured die as 4w")
    parser.add_argument("--held", default="", metavar="5,5", help="dice on the rail (progressive rules)")
    parser.add_argument("--scores", default="", metavar="A,B", help="scores of the game, the player to move first")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--state-dir", type=Path, metavar="D", help="where house rules and their tables are kept")


def run(args: argparse.Namespace) -> int:
    state_dir = config.state_dir(args.state_dir, dict(os.environ))
    options = house_rules.load(args.rules, state_dir)
    scores = tuple(_score(word) for word in _words(args.scores))
    moment = _moment(options, args, opening=bool(scores) and scores[0] == 0)
    answer = _answer(options, moment, scores, state_dir)
    print(json.dumps(answer) if args.json else _text(answer))
    return 0


def _answer(options: Options, moment: Moment, scores: tuple[int, ...], state_dir: Path) -> dict[str, Any]:
    known = winning.known(options, state_dir) if len(scores) > 1 else None
    playing = contest(options, known, scores[0], max(scores[1:])) if known else None
    found = plays(options, moment, playing)
    best = found[0] if found else None
    answer: dict[str, Any] = {"rules": options.name, "turn_score": moment.points, "dice": moment.hand.dice}
    if moment.throw is not None:
        answer |= {"throw": list(_shown(moment)), "plays": [_said(options, moment, play) for play in found]}
    answer |= {
        "best": _said(options, moment, best) if best else {"then": outcome(options, moment), "dice": []},
        "value": best.worth.points if best else 0.0,
        "farkle": _farkle(options, best),
        "win_probability": best.worth.win if best else None,
        "exact": playing is not None and len(scores) == 2 and not of_two.left_out(options),
        "notes": _notes(options, scores, playing is not None),
    }
    return answer


def _notes(options: Options, scores: tuple[int, ...], is_known: bool) -> list[str]:
    if len(scores) < 2:
        return list(left_out(options))
    if not is_known:
        solve = "stickman odds --solve solves it"
        return [f"Nobody has solved the game of two under these rules: this is the play of most points; {solve}."]
    many = ("Against the strongest rival only: an estimate.",) if len(scores) > 2 else ()
    return [*many, *of_two.left_out(options)]


def _said(options: Options, moment: Moment, play: Play) -> dict[str, Any]:
    """`value` and `win_probability` are of the better of the two: to bank, or to throw what is left."""
    said: dict[str, Any] = {"then": play.then, "dice": None}
    left = moment.points
    if play.option is not None:
        left += play.option.score
        said |= {"dice": list(play.option.faces(moment.coloured)), "score": play.option.score}
        if play.option.with_coloured is not None:
            said["with_coloured"] = play.option.with_coloured
    said["farkle"] = _farkle(options, play)
    said |= {"value": play.worth.points, "win_probability": play.worth.win, "turn_score": left}
    return said | {"bank": _worth(play.bank), "throw": _worth(play.throw)}


def _farkle(options: Options, play: Play | None) -> str | None:
    """The chance that throwing what is left farkles; None when nothing is."""
    return str(farkle_chance(options, play.left)) if play is not None and play.left.dice else None


def _worth(worth: Worth | None) -> dict[str, float | None] | None:
    return None if worth is None else {"value": worth.points, "win_probability": worth.win}


def _moment(options: Options, args: argparse.Namespace, opening: bool) -> Moment:
    coloured, throw = _thrown(args.throw)
    if coloured is not None and options.dice.wild == "off":
        raise BadInput("These rules have no coloured die.")
    hand = _hand(options, args, len(throw) + (coloured is not None), coloured is not None)
    return Moment(args.turn_score, hand, throw if args.throw else None, coloured, opening)


def _hand(options: Options, args: argparse.Namespace, thrown: int, coloured: bool) -> Hand:
    text = args.dice or str(thrown or options.dice.count)
    marked = text.lower().endswith("w")
    count = _points(text.rstrip("wW"))
    if not 1 <= count <= options.dice.count:
        raise BadInput(f"These rules are played with {count_text(options.dice.count)}; {text} cannot be due.")
    if thrown and count != thrown:
        raise BadInput(f"{count_text(count).capitalize()} were due, but {thrown} are in the throw.")
    if marked and options.dice.wild == "off":
        raise BadInput("These rules have no coloured die.")
    if count == options.dice.count:
        return full_hand(options) if args.turn_score else first_hand(options)
    held = tuple(sorted(_face(word) for word in _words(args.held)))
    hand = hand_of(options, count, coloured or marked, (held,) if held else ())
    if hand not in hands(options):
        progressive = "name the dice on the rail with --held" if options.score.progressive != "off" else ""
        raise BadInput(f"{count_text(count).capitalize()} cannot be left so; {progressive or 'check the dice'}.")
    return hand


def _thrown(text: str) -> tuple[int | None, tuple[int, ...]]:
    words = _words(text)
    marked = [word for word in words if word.lower().endswith("w")]
    if len(marked) > 1:
        raise BadInput("There is only one coloured die.")
    plain = tuple(sorted(_face(word) for word in words if word not in marked))
    return (_face(marked[0].rstrip("wW")) if marked else None), plain


def _shown(moment: Moment) -> tuple[int, ...]:
    return tuple(sorted((*(moment.throw or ()), *(() if moment.coloured is None else (moment.coloured,)))))


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", text) if word]


def _face(word: str) -> int:
    if word not in ("1", "2", "3", "4", "5", "6"):
        raise BadInput(f"A die shows 1 to 6, not {word}.")
    return int(word)


def _points(word: str) -> int:
    if not word.isdecimal() or len(word) > 7:
        raise BadInput(f"{word} is not a number of points or dice.")
    return int(word)


def _score(word: str) -> int:
    """Penalties can take a score below zero."""
    return -_points(word[1:]) if word.startswith("-") else _points(word)


def _text(answer: dict[str, Any]) -> str:
    best = answer["best"]
    if best["then"] in NO_CHOICE:
        return NO_CHOICE[best["then"]]
    aside = f"Set {dice_text(tuple(best['dice']))} aside, then " if best["dice"] else ""
    verb = "bank" if best["then"] == "bank" else "throw on"
    doing = f"{aside}{verb}" if aside else verb.capitalize()
    lines = [f"{doing}: {best['value']:.1f} points expected of the turn."]
    if answer["win_probability"] is not None:
        about = "" if answer["exact"] else "about "
        lines.append(f"The chance to win is {about}{answer['win_probability']:.2%}.")
    if answer["farkle"] is not None:
        lines.append(f"What is left then farkles with a chance of {answer['farkle']}.")
    for play in answer.get("plays", [])[1:]:
        win = "" if play["win_probability"] is None else f", {play['win_probability']:.2%}"
        dice, worth = dice_text(tuple(play["dice"])), f"{play['then']}: {play['value']:.1f}{win}"
        lines.append(f"  {dice:14} {points_text(play['score'])}, {worth}")
    return "\n".join([*lines, *answer["notes"]])
