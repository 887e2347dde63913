"""Options that contradict each other (refused), and options that change nothing beside others (said, not refused)."""

from rules.options import Options


def contradictions(options: Options) -> list[tuple[str, str]]:
    """Name of the option and the sentence that says why these rules cannot be played."""
    found = []
    count, win = options.dice.count, options.win
    if options.dice.wild != "off" and count == 12:
        found.append(("dice.wild", "A wild die among twelve dice is not defined; play it with 5 or 6 dice."))
    if "five_kind_first_throw" in win.instant and count != 5:
        text = "Five of a kind on the first throw wins only where five dice are played; set dice.count = 5."
        found.append(("win.instant", text))
    if options.teams == 1:
        found.append(("teams", "One team has nobody to play against; use 0 for no teams, or 2 to 4."))
    for custom in options.score.custom:
        if len(custom.pattern) > count:
            text = f'The combination "{custom.pattern}" needs {len(custom.pattern)} dice, but {count} are played.'
            found.append(("score.custom", text))
    if options.dice.wild != "off" and options.score.progressive != "off":
        text = "A wild die under progressive scoring is not defined; set one of the two off."
        found.append(("dice.wild", text))
    return found


def warnings(options: Options) -> tuple[str, ...]:
    """Sentences about options that have no effect in these rules."""
    return (*_void_scores(options), *_void_wins(options))


def _void_scores(options: Options) -> list[str]:
    score, count = options.score, options.dice.count
    found = []
    if count == 5:
        six = {
            "A straight": score.straight,
            "Three pairs": score.three_pairs,
            "Two triplets": score.two_triplets,
            "Six of a kind": score.kind6,
            "Six 1s": score.six_ones,
        }
        found += [f"{name} cannot be thrown with five dice." for name, value in six.items() if value is not None]
    if count == 12 and score.nothing is not None:
        found.append("A throw of twelve dice always scores, so points for nothing are never given.")
    if score.triple_1 <= 3 * score.ones and score.kind4 is None and score.kind5 is None and score.kind6 is None:
        found.append(f"Three 1s at {score.triple_1} are no more than three single 1s.")
    if score.three_pairs is None and (score.three_pairs_four_plus_pair or score.three_pairs_six_kind):
        found.append("What counts as three pairs does not matter: three pairs do not score.")
    if score.mcflurry is None and score.mcflurry_exact:
        found.append("What counts as a grand mcflurry does not matter: it does not score.")
    return found


def _void_wins(options: Options) -> list[str]:
    win = options.win
    found = []
    if win.rule == "exact" and win.final_round:
        found.append("There is no final round: who hits the target exactly wins at once.")
    if win.rule != "exact" and (win.roll_off or win.overshoot == "give_to_lowest"):
        found.append("Overshooting and rolling off matter only when the target must be hit exactly.")
    if options.dice.count == 5 and {"six_kind", "six_ones"} & set(win.instant):
        found.append("Six alike cannot be thrown with five dice, so they never win the game.")
    if options.penalty.floor is not None and options.penalty.three_farkles == 0:
        found.append("The floor of penalties does not matter: three farkles cost nothing.")
    return found
