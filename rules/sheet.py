"""A rule sheet in plain words, to be read aloud at the table: headings and sentences."""

from dataclasses import dataclass

from rules.conflicts import warnings
from rules.options import Kind, Options
from rules.wording import FIRST, KINDS, NUMBER, points_text
from speech.colours import colour
from speech.sentence import Sentence, joined, listed, say, say_many


@dataclass(frozen=True, slots=True)
class Chapter:
    heading: str
    sentences: tuple[str, ...]


def sheet(options: Options) -> tuple[Chapter, ...]:
    """All rules in force, in the order in which a newcomer needs them."""
    chapters = (
        Chapter(say("Who plays"), tuple(_who(options))),
        Chapter(say("Your turn"), tuple(_turn(options))),
        Chapter(say("What scores"), tuple(_scores(options))),
        Chapter(say("When you may stop"), tuple(_stopping(options))),
        Chapter(say("Penalties"), tuple(_penalties(options))),
        Chapter(say("How the game ends"), tuple(_end(options))),
        Chapter(say("Please note"), warnings(options)),
    )
    return tuple(chapter for chapter in chapters if chapter.sentences)


def _who(options: Options) -> list[Sentence]:
    found = []
    if options.teams:
        found.append(
            say(
                "{number} teams play, and team-mates never sit side by side: the teams throw in turn. "
                "All points of a team are one score.",
                number=FIRST[options.teams],
            )
        )
    if options.stake:
        found.append(
            say(
                "Everyone puts {stake:,} in the pot before the first throw; the winner takes it.",
                stake=options.stake,
            )
        )
    if options.turn.order == "counter":
        found.append(say("The turn passes counter-clockwise."))
    return found


def _turn(options: Options) -> list[Sentence]:
    dice = options.dice
    number = NUMBER[dice.count]
    hot = {
        "must": say(
            "When all {number} dice have scored you have hot dice: you must throw all of them again.", number=number
        ),
        "may": say(
            "When all {number} dice have scored you have hot dice: you may throw all of them again.", number=number
        ),
    }
    progressive = {
        "off": say("Each combination must lie in a single throw."),
        "kinds": say("Dice of a kind may join those set aside before; other combinations must lie in a single throw."),
        "all": say("Dice may join those set aside before, for any combination."),
    }
    found = [
        say("Throw all {number} dice.", number=number),
        say(
            "After each throw set aside at least one die that scores, as many as you like, then throw the rest or stop "
            "and bank your points."
        ),
        say("A throw without a score is a farkle: the points of this turn are lost and the turn passes on."),
        hot[options.turn.hot_dice],
        progressive[options.score.progressive],
    ]
    return found + _wild(options) + _piggyback(options) + _attempts(options)


def _wild(options: Options) -> list[Sentence]:
    dice = options.dice
    if dice.wild != "coloured_4":
        return []
    if dice.wild_alone:
        how = say("it stands for any number, even alone, as a 1")
    else:
        how = say("it stands for any number, but only within a combination, never alone")
    return [
        say("The {colour} die is wild when it shows 4: {how}.", colour=colour(dice.wild_colour), how=how)
        if dice.wild_colour
        else say("One die has a colour of its own, and is wild when it shows 4: {how}.", how=how),
        say("Showing anything else it counts as it lies; not set aside, it is thrown again with the rest."),
    ]


def _piggyback(options: Options) -> list[Sentence]:
    turn, every = options.turn, NUMBER[options.dice.count]
    if turn.piggyback == "off":
        return []
    found = [
        say(
            "Once you are on the board you may start your turn, instead of with all {every} dice, with those left by "
            "the player who just banked.",
            every=every,
        )
        if turn.piggyback_needs_board
        else say(
            "You may start your turn, instead of with all {every} dice, with those left by the player who just banked.",
            every=every,
        ),
        say(
            "Score with at least one of them, and the points that player banked count for you too; the player before "
            "keeps those points."
        )
        if turn.piggyback == "full"
        else say(
            "Score with at least one of them, and {points} count for you too; the player before keeps those points.",
            points=points_text(turn.piggyback_flat),
        ),
    ]
    if turn.hot_dice == "may":
        found.append(say("After a bank on hot dice you may take over all dice in this way."))
    return found


def _attempts(options: Options) -> list[Sentence]:
    found = []
    if options.turn.straight_attempt:
        found.append(
            say(
                "After a throw of all dice that scores but is no straight you may call a straight: keep different dice "
                "and throw the rest once."
            )
        )
    if options.turn.triple_attempt:
        found.append(
            say(
                "After a throw of all dice that scores you may call three of a kind: keep a pair and throw the rest "
                "once."
            )
        )
    if found:
        found.append(say("When what you called does not come, that is a farkle, whatever else scores."))
    return found


def _scores(options: Options) -> list[Sentence]:
    score, count = options.score, options.dice.count
    found = [
        say("A single 1: {ones}. A single 5: {fives}.", ones=points_text(score.ones), fives=points_text(score.fives)),
        say(
            "Three 1s: {ones}. Three alike of another number: {others}.",
            ones=points_text(score.triple_1),
            others=_triples(score.triples),
        ),
    ]
    kinds = ((4, score.kind4), (5, score.kind5), (6, score.kind6))
    if not any(kind for number, kind in kinds if number <= count):
        found.append(say("More than three alike are worth no more than three of a kind and what remains."))
    for number, kind in kinds:
        if kind is not None and number <= count:
            found.append(say("{name}: {points}.", name=KINDS[number], points=_kind(kind, number)))
    mcflurry = say("Grand mcflurry, four 5s and a 2")
    named = [
        (say("Six 1s"), score.six_ones),
        (say("A straight, 1 to 6"), score.straight),
        (_pairs(options), score.three_pairs),
        (say("Two different triplets"), score.two_triplets),
        (say("{name}, never five 5s", name=mcflurry) if score.mcflurry_exact else mcflurry, score.mcflurry),
    ]
    found += [
        say("{name}: {points}.", name=name, points=points_text(points)) for name, points in named if points is not None
    ]
    if score.nothing is not None:
        found.append(_nothing(options, score.nothing))
    if score.full_house_bonus is not None:
        bonus = points_text(score.full_house_bonus)
        found.append(say("A full house: its three of a kind and {points} more.", points=bonus))
    for each in score.custom:
        name = f"{each.name[0].upper()}{each.name[1:]}" if each.name else _pattern(each.pattern)
        found.append(say("{name}: {points}.", name=name, points=points_text(each.value)))
    return found


def _nothing(options: Options, points: int) -> Sentence:
    values = {"number": NUMBER[options.dice.count], "points": points_text(points)}
    if options.score.nothing_hot_dice:
        return say(
            "A throw of all {number} dice without a score: {points}, no farkle, and all of them have scored.", **values
        )
    return say(
        "A throw of all {number} dice without a score: {points}, no farkle, and the turn ends with them if you may "
        "stop.",
        **values,
    )


def _pattern(pattern: str) -> Sentence:
    dice = "-".join(pattern)
    if pattern.isdigit():
        return say("Dice {dice}", dice=dice)
    return say("Dice {dice} (a letter is any number)", dice=dice)


def _triples(triples: tuple[int, ...]) -> str:
    if triples == (200, 300, 400, 500, 600):
        return say("a hundred times that number")
    return joined(
        [say("{face}s {points:,}", face=face, points=points) for face, points in enumerate(triples, start=2)], ", "
    )


def _kind(kind: Kind, number: int) -> Sentence:
    if kind.how == "set":
        return points_text(kind.value)
    times = kind.points(number, 1)
    return say("twice its three of a kind") if times == 2 else say("{times} times its three of a kind", times=times)


def _pairs(options: Options) -> Sentence:
    also = []
    if options.score.three_pairs_four_plus_pair:
        also.append(say("four of a kind with a pair"))
    if options.score.three_pairs_six_kind:
        also.append(say("six of a kind"))
    name = say("Three different pairs")
    return say("{name} ({others} too)", name=name, others=listed(also)) if also else name


def _stopping(options: Options) -> list[Sentence]:
    turn = options.turn
    found = []
    if turn.entry_threshold:
        found.append(
            say("To get on the board you need {points} in one turn.", points=points_text(turn.entry_threshold))
        )
    least = max(turn.minimum, turn.bank_min_score)
    if least:
        found.append(say("A turn must make {points} before you may stop.", points=points_text(least)))
    if turn.bank_max_dice_left == 0:
        found.append(say("You may stop only when no die is left."))
    elif turn.bank_max_dice_left is not None:
        found.append(
            say_many(
                "You may stop only when no more than one die is left.",
                "You may stop only when no more than {number} dice are left.",
                turn.bank_max_dice_left,
                number=NUMBER[turn.bank_max_dice_left],
            )
        )
    if turn.hot_dice == "must":
        found.append(say("You may not stop on hot dice."))
    if options.win.rule == "exact" and (least or turn.entry_threshold):
        target = points_text(options.win.target)
        found.append(say("A turn that brings you to exactly {target} may always be banked.", target=target))
    return found


def _penalties(options: Options) -> list[Sentence]:
    penalty = options.penalty
    whole = say("the team's whole score") if options.teams else say("your whole score")
    found = []
    if penalty.three_farkles:
        lost = whole if penalty.three_farkles == "all" else points_text(penalty.three_farkles)
        if penalty.floor is None:
            found.append(say("Three farkles in a row cost {lost}.", lost=lost))
        else:
            found.append(
                say(
                    "Three farkles in a row cost {lost}, but never take a score below {floor}.",
                    lost=lost,
                    floor=penalty.floor,
                )
            )
    if penalty.four_twos:
        found.append(
            say("Four or more 2s in one throw end the turn and cost {lost}, whatever else they make.", lost=whole)
        )
    return found


def _end(options: Options) -> list[Sentence]:
    win = options.win
    found = [_goal(options)]
    if win.rule == "exact":
        found += _exactly(options)
    elif win.final_round:
        found.append(
            {
                "first": say(
                    "Everybody else then has one last turn, and the highest score wins; with a tie it goes to whoever "
                    "got there first."
                ),
                "shared": say(
                    "Everybody else then has one last turn, and the highest score wins; with a tie it is shared."
                ),
                "playoff": say(
                    "Everybody else then has one last turn, and the highest score wins; those who tie play one more "
                    "turn each, until one is ahead."
                ),
            }[win.tie]
        )
    instant = {
        "five_kind_first_throw": say(
            "Five of a kind on the first throw of a turn wins the game at once, whatever the scores."
        ),
        "six_kind": say("Six of a kind in one throw wins the game at once, whatever the scores."),
        "six_ones": say("Six 1s in one throw wins the game at once, whatever the scores."),
    }
    return found + [instant[name] for name in win.instant]


def _goal(options: Options) -> Sentence:
    win, target = options.win, points_text(options.win.target)
    if options.teams:
        goals = {
            "at_least": say("The first team to reach {target} {then}.", target=target, then=_then(options)),
            "over": say("The first team to go above {target} {then}.", target=target, then=_then(options)),
            "exact": say("The first team to reach exactly {target} {then}.", target=target, then=_then(options)),
        }
    else:
        goals = {
            "at_least": say("The first player to reach {target} {then}.", target=target, then=_then(options)),
            "over": say("The first player to go above {target} {then}.", target=target, then=_then(options)),
            "exact": say("The first player to reach exactly {target} {then}.", target=target, then=_then(options)),
        }
    return goals[win.rule]


def _then(options: Options) -> Sentence:
    win = options.win
    if win.rule == "exact" and win.roll_off:
        return say("wins, unless the score is rolled off")
    return say("is the one to beat") if win.rule != "exact" and win.final_round else say("wins at once")


def _exactly(options: Options) -> list[Sentence]:
    win = options.win
    if win.overshoot == "lose_turn":
        found = [say("A bank that would go above it counts nothing.")]
    else:
        found = [
            say(
                "A bank that would go above it goes whole to the other player with the least; of two to the next in "
                "turn."
            ),
            say("If it would carry that player above it too, nobody gets it."),
        ]
    if win.roll_off:
        found.append(
            say(
                "When the winner left dice, the next player throws them once: if one scores, the winner's last turn "
                "does not count and the game goes on from there; if none does, the winner has won."
            )
        )
    return found
