"""Options that contradict each other (refused), and options that change nothing beside others (said, not refused)."""

from math import gcd

from rules.options import Options
from speech.sentence import Sentence, say


def contradictions(options: Options) -> list[tuple[str, Sentence]]:
    """Name of the option and the sentence that says why these rules cannot be played."""
    found = []
    count, win = options.dice.count, options.win
    if options.dice.wild != "off" and count == 12:
        found.append(("dice.wild", say("A wild die among twelve dice is not defined; play it with 5 or 6 dice.")))
    if "five_kind_first_throw" in win.instant and count != 5:
        text = say("Five of a kind on the first throw wins only where five dice are played; play with five.")
        found.append(("win.instant", text))
    if options.teams == 1:
        found.append(("teams", say("One team has nobody to play against; use 0 for no teams, or 2 to 4.")))
    for custom in options.score.custom:
        if len(custom.pattern) > count:
            text = say(
                'The combination "{pattern}" needs {needed} dice, but {count} are played.',
                pattern=custom.pattern,
                needed=len(custom.pattern),
                count=count,
            )
            found.append(("score.custom", text))
    if options.dice.wild != "off" and options.score.progressive != "off":
        text = say("A wild die under progressive scoring is not defined; set one of the two off.")
        found.append(("dice.wild", text))
    for attempt in ("straight_attempt", "triple_attempt"):
        if options.dice.wild != "off" and getattr(options.turn, attempt):
            text = say("An attempt with a wild die is not defined; set one of the two off.")
            found.append((f"turn.{attempt}", text))
    step = _step(options)
    if win.rule == "exact" and step and win.target % step:
        text = say(
            "{target} can never be hit exactly: all points come in steps of {step}.", target=win.target, step=step
        )
        found.append(("win.target", text))
    return found


def _step(options: Options) -> int:
    """The greatest number that every score is a multiple of; 0 when nothing scores."""
    score, penalty = options.score, options.penalty
    kinds = [kind.value for kind in (score.kind4, score.kind5, score.kind6) if kind is not None and kind.how == "set"]
    combinations = (score.six_ones, score.straight, score.three_pairs, score.two_triplets, score.full_house_bonus)
    customs = (custom.value for custom in score.custom)
    points = [score.ones, score.fives, score.triple_1, *score.triples, *kinds, *customs]
    points += [value or 0 for value in (*combinations, score.nothing, score.mcflurry)]
    if options.turn.piggyback == "flat":
        points.append(options.turn.piggyback_flat)
    if penalty.three_farkles != "all":
        points += [penalty.three_farkles, penalty.floor or 0]
    return gcd(*points)


def warnings(options: Options) -> tuple[Sentence, ...]:
    """Sentences about options that have no effect in these rules."""
    return (*_void_scores(options), *_void_turns(options), *_void_wins(options))


def _void_scores(options: Options) -> list[Sentence]:
    score, count = options.score, options.dice.count
    found = []
    if count == 5:
        six = {
            say("A straight cannot be thrown with five dice."): score.straight,
            say("Three pairs cannot be thrown with five dice."): score.three_pairs,
            say("Two triplets cannot be thrown with five dice."): score.two_triplets,
            say("Six of a kind cannot be thrown with five dice."): score.kind6,
            say("Six 1s cannot be thrown with five dice."): score.six_ones,
        }
        found += [sentence for sentence, value in six.items() if value is not None]
    if count == 12 and score.nothing is not None:
        found.append(say("A throw of twelve dice always scores, so points for nothing are never given."))
    if score.triple_1 <= 3 * score.ones and score.kind4 is None and score.kind5 is None and score.kind6 is None:
        found.append(say("Three 1s at {points} are no more than three single 1s.", points=score.triple_1))
    if score.three_pairs is None and (score.three_pairs_four_plus_pair or score.three_pairs_six_kind):
        found.append(say("What counts as three pairs does not matter: three pairs do not score."))
    if score.mcflurry is None and score.mcflurry_exact:
        found.append(say("What counts as a grand mcflurry does not matter: it does not score."))
    return found


def _void_turns(options: Options) -> list[Sentence]:
    dice, score, turn = options.dice, options.score, options.turn
    found = []
    if dice.wild == "off" and (dice.wild_colour or not dice.wild_alone):
        found.append(say("What the wild die may be does not matter: there is none."))
    if turn.straight_attempt and (score.straight is None or dice.count == 5):
        found.append(say("No attempt at a straight can be made: a straight does not score."))
    if turn.piggyback == "off" and turn.piggyback_needs_board:
        found.append(say("Who may take over dice does not matter: nobody may."))
    if turn.piggyback != "flat" and turn.piggyback_flat != 1000:
        found.append(
            say("Points for taking over dice are not given: nobody takes dice over for a fixed number of points.")
        )
    if turn.piggyback != "off" and turn.piggyback_needs_board and not turn.entry_threshold:
        found.append(say("Everybody is on the board from the start, so everybody may take over dice."))
    if score.nothing is None and not score.nothing_hot_dice:
        found.append(say("Whether a throw without a score ends the turn does not matter: it is a farkle."))
    if turn.bank_max_dice_left is not None and turn.bank_max_dice_left >= dice.count:
        found.append(say("Never more than {count} dice are left, so that is no limit.", count=turn.bank_max_dice_left))
    return found


def _void_wins(options: Options) -> list[Sentence]:
    win = options.win
    found = []
    if win.rule == "exact" and win.final_round:
        found.append(say("There is no final round: who hits the target exactly wins at once."))
    if win.rule != "exact" and (win.roll_off or win.overshoot == "give_to_lowest"):
        found.append(say("Overshooting and rolling off matter only when the target must be hit exactly."))
    if win.tie != "first" and (win.rule == "exact" or not win.final_round):
        found.append(say("There is no last round, so there are no ties."))
    found += _never_scored(options)
    if options.dice.count == 5 and {"six_kind", "six_ones"} & set(win.instant):
        found.append(say("Six alike cannot be thrown with five dice, so they never win the game."))
    if options.penalty.floor is not None and options.penalty.three_farkles == 0:
        found.append(say("The floor of penalties does not matter: three farkles cost nothing."))
    return found


def _never_scored(options: Options) -> list[Sentence]:
    """What wins the game when it is thrown gives no points; under progressive scoring it may also be gathered."""
    score, instant = options.score, options.win.instant
    if options.score.progressive != "off" or options.dice.count != 6:
        return []
    if "six_kind" in instant and (score.kind6 is not None or score.six_ones is not None):
        return [say("Six of a kind wins the game at once, so its points are never given.")]
    if "six_ones" in instant and score.six_ones is not None:
        return [say("Six 1s win the game at once, so their points are never given.")]
    return []
