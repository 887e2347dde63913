"""A rule sheet in plain words, to be read aloud at the table: headings and sentences."""

from dataclasses import dataclass

from rules.conflicts import warnings
from rules.options import Kind, Options
from rules.wording import points_text

NUMBER = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class Chapter:
    heading: str
    sentences: tuple[str, ...]


def sheet(options: Options) -> tuple[Chapter, ...]:
    """All rules in force, in the order in which a newcomer needs them."""
    chapters = (
        Chapter("Who plays", tuple(_who(options))),
        Chapter("Your turn", tuple(_turn(options))),
        Chapter("What scores", tuple(_scores(options))),
        Chapter("When you may stop", tuple(_stopping(options))),
        Chapter("Penalties", tuple(_penalties(options))),
        Chapter("How the game ends", tuple(_end(options))),
        Chapter("Please note", warnings(options)),
    )
    return tuple(chapter for chapter in chapters if chapter.sentences)


def _who(options: Options) -> list[str]:
    found = []
    if options.teams:
        found.append(
            f"{NUMBER[options.teams].capitalize()} teams play, and team-mates never sit side by side: the teams throw "
            "in turn. All points of a team are one score."
        )
    if options.stake:
        found.append(f"Everyone puts {options.stake:,} in the pot before the first throw; the winner takes it.")
    if options.turn.order == "counter":
        found.append("The turn passes counter-clockwise.")
    return found


def _turn(options: Options) -> list[str]:
    dice, turn = options.dice, options.turn
    number = NUMBER[dice.count]
    found = [
        f"Throw all {number} dice.",
        "After each throw set aside at least one die that scores, as many as you like, then throw the rest or stop and "
        "bank your points.",
        "A throw without a score is a farkle: the points of this turn are lost and the turn passes on.",
        f"When all {number} dice have scored you have hot dice: "
        + ("you must throw all of them again." if turn.hot_dice == "must" else "you may throw all of them again."),
        {
            "off": "Each combination must lie in a single throw.",
            "kinds": "Dice of a kind may join those set aside before; other combinations must lie in a single throw.",
            "all": "Dice may join those set aside before, for any combination.",
        }[options.score.progressive],
    ]
    if dice.wild == "coloured_4":
        die = f"The {dice.wild_colour} die" if dice.wild_colour else "One die has a colour of its own, and"
        alone = "even alone, as a 1" if dice.wild_alone else "but only within a combination, never alone"
        found.append(f"{die} is wild when it shows 4: it stands for any number, {alone}.")
        found.append("Showing anything else it counts as it lies; not set aside, it is thrown again with the rest.")
    found += _piggyback(options) + _attempts(options)
    return found


def _piggyback(options: Options) -> list[str]:
    turn = options.turn
    if turn.piggyback == "off":
        return []
    who = "Once you are on the board you" if turn.piggyback_needs_board else "You"
    gain = "the points that player banked" if turn.piggyback == "full" else points_text(turn.piggyback_flat)
    every = NUMBER[options.dice.count]
    found = [
        f"{who} may start your turn, instead of with all {every} dice, with those left by the player who just banked.",
        f"Score with at least one of them, and {gain} count for you too; the player before keeps those points.",
    ]
    if turn.hot_dice == "may":
        found.append("After a bank on hot dice you may take over all dice in this way.")
    return found


def _attempts(options: Options) -> list[str]:
    found = []
    if options.turn.straight_attempt:
        found.append(
            "After a throw of all dice that scores but is no straight you may call a straight: keep different dice and "
            "throw the rest once."
        )
    if options.turn.triple_attempt:
        found.append(
            "After a throw of all dice that scores you may call three of a kind: keep a pair and throw the rest once."
        )
    if found:
        found.append("When what you called does not come, that is a farkle, whatever else scores.")
    return found


def _scores(options: Options) -> list[str]:
    score, count = options.score, options.dice.count
    found = [
        f"A single 1: {points_text(score.ones)}. A single 5: {points_text(score.fives)}.",
        f"Three 1s: {points_text(score.triple_1)}. Three alike of another number: {_triples(score.triples)}.",
    ]
    kinds = ((4, score.kind4), (5, score.kind5), (6, score.kind6))
    if not any(kind for number, kind in kinds if number <= count):
        found.append("More than three alike are worth no more than three of a kind and what remains.")
    for number, kind in kinds:
        if kind is not None and number <= count:
            found.append(f"{NUMBER[number].capitalize()} of a kind: {_kind(kind, number)}.")
    named = [
        ("Six 1s", score.six_ones),
        ("A straight, 1 to 6", score.straight),
        (f"Three different pairs{_pairs(options)}", score.three_pairs),
        ("Two different triplets", score.two_triplets),
        ("Grand mcflurry, four 5s and a 2" + (", never five 5s" if score.mcflurry_exact else ""), score.mcflurry),
    ]
    found += [f"{name}: {points_text(points)}." for name, points in named if points is not None]
    if score.nothing is not None:
        then = "all of them have scored" if score.nothing_hot_dice else "the turn ends with them if you may stop"
        found.append(
            f"A throw of all {NUMBER[count]} dice without a score: {points_text(score.nothing)}, no farkle, and {then}."
        )
    if score.full_house_bonus is not None:
        found.append(f"A full house: its three of a kind and {points_text(score.full_house_bonus)} more.")
    for each in score.custom:
        name = each.name or _pattern(each.pattern)
        found.append(f"{name[0].upper()}{name[1:]}: {points_text(each.value)}.")
    return found


def _pattern(pattern: str) -> str:
    return "Dice " + "-".join(pattern) + (" (a letter is any number)" if not pattern.isdigit() else "")


def _triples(triples: tuple[int, ...]) -> str:
    if triples == (200, 300, 400, 500, 600):
        return "a hundred times that number"
    return ", ".join(f"{face}s {points:,}" for face, points in enumerate(triples, start=2))


def _kind(kind: Kind, number: int) -> str:
    if kind.how == "set":
        return points_text(kind.value)
    times = kind.points(number, 1)
    return f"{'twice' if times == 2 else f'{times} times'} its three of a kind"


def _pairs(options: Options) -> str:
    also = []
    if options.score.three_pairs_four_plus_pair:
        also.append("four of a kind with a pair")
    if options.score.three_pairs_six_kind:
        also.append("six of a kind")
    return f" ({' and '.join(also)} too)" if also else ""


def _stopping(options: Options) -> list[str]:
    turn = options.turn
    found = []
    if turn.entry_threshold:
        found.append(f"To get on the board you need {points_text(turn.entry_threshold)} in one turn.")
    least = max(turn.minimum, turn.bank_min_score)
    if least:
        found.append(f"A turn must make {points_text(least)} before you may stop.")
    if turn.bank_max_dice_left is not None:
        left = turn.bank_max_dice_left
        dice = (
            "no die is left"
            if left == 0
            else f"no more than {NUMBER[left]} {'die is' if left == 1 else 'dice are'} left"
        )
        found.append(f"You may stop only when {dice}.")
    if turn.hot_dice == "must":
        found.append("You may not stop on hot dice.")
    if options.win.rule == "exact" and (least or turn.entry_threshold):
        found.append(f"A turn that brings you to exactly {points_text(options.win.target)} may always be banked.")
    return found


def _penalties(options: Options) -> list[str]:
    penalty = options.penalty
    whole = "the team's whole score" if options.teams else "your whole score"
    found = []
    if penalty.three_farkles:
        lost = whole if penalty.three_farkles == "all" else points_text(penalty.three_farkles)
        floor = "" if penalty.floor is None else f", but never take a score below {penalty.floor}"
        found.append(f"Three farkles in a row cost {lost}{floor}.")
    if penalty.four_twos:
        found.append(f"Four or more 2s in one throw end the turn and cost {whole}, whatever else they make.")
    return found


def _end(options: Options) -> list[str]:
    win = options.win
    reach = {"at_least": "reach", "over": "go above", "exact": "reach exactly"}[win.rule]
    who = "team" if options.teams else "player"
    found = [f"The first {who} to {reach} {points_text(win.target)} {_then(options)}."]
    if win.rule == "exact":
        found += _exactly(options)
    elif win.final_round:
        tie = {
            "first": "with a tie it goes to whoever got there first",
            "shared": "with a tie it is shared",
            "playoff": "those who tie play one more turn each, until one is ahead",
        }[win.tie]
        found.append(f"Everybody else then has one last turn, and the highest score wins; {tie}.")
    instant = {
        "five_kind_first_throw": "Five of a kind on the first throw of a turn",
        "six_kind": "Six of a kind in one throw",
        "six_ones": "Six 1s in one throw",
    }
    found += [f"{instant[name]} wins the game at once, whatever the scores." for name in win.instant]
    return found


def _then(options: Options) -> str:
    win = options.win
    if win.rule == "exact":
        return "wins, unless the score is rolled off" if win.roll_off else "wins at once"
    return "is the one to beat" if win.final_round else "wins at once"


def _exactly(options: Options) -> list[str]:
    win = options.win
    if win.overshoot == "lose_turn":
        found = ["A bank that would go above it counts nothing."]
    else:
        found = [
            "A bank that would go above it goes whole to the other player with the least; of two to the next in turn.",
            "If it would carry that player above it too, nobody gets it.",
        ]
    if win.roll_off:
        found.append(
            "When the winner left dice, the next player throws them once: if one scores, the winner's last turn does "
            "not count and the game goes on from there; if none does, the winner has won."
        )
    return found
