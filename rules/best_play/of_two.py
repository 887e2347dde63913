"""The rules as far as the game of two is solved: what counts, what is left out, and a fingerprint of the rest."""

import hashlib
import json
from dataclasses import replace

from rules.options import Options, TurnRules
from speech.sentence import say

# Goes up when the same rules would give other numbers, or the layout changes.
VERSION = 1


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
