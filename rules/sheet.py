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
        Chapter("Your turn", tuple(_turn(options))),
        Chapter("What scores", tuple(_scores(options))),
        Chapter("When you may stop", tuple(_stopping(options))),
        Chapter("Penalties", tuple(_penalties(options))),
        Chapter("How the game ends", tuple(_end(options))),
        Chapter("Please note", warnings(options)),
    )
    return tuple(chapter for chapter in chapters if chapter.sentences)


def _turn(options: Options) -> list[str]:
    dice, turn = options.dice, options.turn
    number = NUMBER[dice.count]
    found = [
        f"Throw all {number} dice.",
        "After each throw set aside at least one die that scores, then throw the rest or stop and bank your points.",
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
        alone = "" if dice.wild_alone else " It must complete a combination; it may not stand alone."
        found.append(f"When the coloured die shows 4 it is wild and stands for any number.{alone}")
    found += _piggyback(options) + _attempts(options)
    if turn.order == "counter":
        found.append("The turn passes counter-clockwise.")
    return found


def _piggyback(options: Options) -> list[str]:
    turn = options.turn
    if turn.piggyback == "off":
        return []
    who = "A player on the board" if turn.piggyback_needs_board else "The next player"
    gain = "the points just banked" if turn.piggyback == "full" else points_text(turn.piggyback_flat)
    return [f"{who} may go on with the dice left over after a bank, and starts from {gain}."]


def _attempts(options: Options) -> list[str]:
    found = []
    if options.turn.straight_attempt:
        found.append("You may try once to complete a straight; when it fails the turn is lost.")
    if options.turn.triple_attempt:
        found.append("You may try once to make a pair into three of a kind; when it fails the turn is lost.")
    return found


def _scores(options: Options) -> list[str]:
    score, count = options.score, options.dice.count
    found = [
        f"A single 1: {points_text(score.ones)}. A single 5: {points_text(score.fives)}.",
        f"Three 1s: {points_text(score.triple_1)}. Three alike of another number: {_triples(score.triples)}.",
    ]
    for number, kind in ((4, score.kind4), (5, score.kind5), (6, score.kind6)):
        if kind is not None and number <= count:
            found.append(f"{NUMBER[number].capitalize()} of a kind: {_kind(kind, number)}.")
    named = [
        ("Six 1s", score.six_ones),
        ("A straight, 1 to 6", score.straight),
        (f"Three pairs{_pairs(options)}", score.three_pairs),
        ("Two triplets", score.two_triplets),
        ("Grand mcflurry, four 5s and a 2" + (", never five 5s" if score.mcflurry_exact else ""), score.mcflurry),
        (f"A throw of all {NUMBER[count]} dice without a score", score.nothing),
    ]
    found += [f"{name}: {points_text(points)}." for name, points in named if points is not None]
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
    return f"{kind.points(number, 1)} times the three of a kind"


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
        found.append(f"You may stop only when no more than {NUMBER[turn.bank_max_dice_left]} dice are left.")
    if turn.hot_dice == "must":
        found.append("You may not stop on hot dice.")
    return found


def _penalties(options: Options) -> list[str]:
    penalty = options.penalty
    found = []
    if penalty.three_farkles:
        lost = "your whole score" if penalty.three_farkles == "all" else points_text(penalty.three_farkles)
        floor = "" if penalty.floor is None else f", but never below {penalty.floor}"
        found.append(f"Three farkles in a row cost {lost}{floor}.")
    if penalty.four_twos:
        found.append("Four or more 2s in one throw cost your whole score.")
    return found


def _end(options: Options) -> list[str]:
    win = options.win
    reach = {"at_least": "reach", "over": "pass", "exact": "hit exactly"}[win.rule]
    found = [f"Be the first to {reach} {points_text(win.target)}."]
    if win.rule == "exact":
        over = "the turn is lost" if win.overshoot == "lose_turn" else "the turn's points go to who has the least"
        found.append(f"Whoever hits it wins at once; go above it and {over}.")
    elif win.final_round:
        tie = {"first": "a tie is not enough", "shared": "a tie is shared", "playoff": "a tie is played off"}[win.tie]
        found.append(f"Then every other player has one last turn to score more; {tie}.")
    else:
        found.append("That wins at once, without a last round.")
    if win.roll_off and win.rule == "exact":
        found.append("When the winner left dice over, the next player may roll off the score with them.")
    instant = {
        "five_kind_first_throw": "five of a kind on the first throw of a turn",
        "six_kind": "six of a kind in one throw",
        "six_ones": "six 1s in one throw",
    }
    found += [f"{instant[name].capitalize()} wins at once." for name in win.instant]
    if options.teams:
        found.append(f"{NUMBER[options.teams].capitalize()} teams play; each adds up the points of its players.")
    if options.stake:
        found.append(f"Everyone puts {options.stake} in the pot.")
    return found
