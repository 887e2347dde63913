"""The combinations that a rule set scores: what each needs and what it is worth.

Dice are counted by face: a `Counts` holds how many dice show 1, 2, ... 6. Two families are kept apart. One face at
a time (singles, three and more alike) is a table per face. Combinations that span faces are a list.
"""

from dataclasses import dataclass
from itertools import combinations, permutations

from rules.options import Custom, Dice, Kind, Score

Counts = tuple[int, int, int, int, int, int]
FACES = range(1, 7)
MCFLURRY = (0, 1, 0, 0, 4, 0)


@dataclass(frozen=True, slots=True)
class Combination:
    """`name`: for the players, as "straight". `counts`: the dice it takes, all from one throw."""

    name: str
    counts: Counts
    value: int


def counted(dice: tuple[int, ...]) -> Counts:
    ones, twos, threes, fours, fives, sixes = (dice.count(face) for face in FACES)
    return ones, twos, threes, fours, fives, sixes


def listed(counts: Counts) -> tuple[int, ...]:
    """The dice of `counts`, sorted."""
    return tuple(face for face, number in zip(FACES, counts, strict=True) for _ in range(number))


def alike(dice: Dice, score: Score, face: int) -> tuple[Combination, ...]:
    """All that dice of one face can be by themselves: singles, triples and more."""
    found = []
    if face in (1, 5):
        found.append(("single", 1, score.ones if face == 1 else score.fives))
    found.append(("three of a kind", 3, score.triple(face)))
    for number in range(4, dice.count + 1):
        kind = _kind(score, number)
        if kind is not None:
            found.append((_WORDS.get(number, f"{number} of a kind"), number, kind.points(number, score.triple(face))))
    if face == 1 and score.six_ones is not None and dice.count >= 6:
        found = [each for each in found if each[1] != 6] + [("six ones", 6, score.six_ones)]
    return tuple(Combination(name, _only(face, number), value) for name, number, value in found if value > 0)


_WORDS = {4: "four of a kind", 5: "five of a kind", 6: "six of a kind"}


def _kind(score: Score, number: int) -> Kind | None:
    """Above six alike (twelve dice) adding and doubling go on; a set value or a multiplier names six dice only."""
    if number <= 6:
        return {4: score.kind4, 5: score.kind5, 6: score.kind6}[number]
    return score.kind6 if score.kind6 is not None and score.kind6.how in ("adding", "doubling") else None


def spanning(dice: Dice, score: Score) -> tuple[Combination, ...]:
    """Combinations of more than one face that fit the number of dice in play."""
    found: list[Combination] = []
    if score.straight is not None:
        found.append(Combination("straight", (1, 1, 1, 1, 1, 1), score.straight))
    if score.three_pairs is not None:
        found += _three_pairs(score, score.three_pairs)
    if score.two_triplets is not None:
        found += _shapes("two triplets", (3, 3), score.two_triplets)
    if score.full_house_bonus is not None:
        found += _full_houses(score, score.full_house_bonus)
    if score.mcflurry is not None:
        found.append(Combination("grand mcflurry", MCFLURRY, score.mcflurry))
    for custom in score.custom:
        found += _customs(custom)
    return tuple(each for each in found if sum(each.counts) <= dice.count)


def _three_pairs(score: Score, value: int) -> list[Combination]:
    found = _shapes("three pairs", (2, 2, 2), value)
    if score.three_pairs_four_plus_pair:
        found += _shapes("three pairs", (4, 2), value)
    if score.three_pairs_six_kind:
        found += _shapes("three pairs", (6,), value)
    return found


def _full_houses(score: Score, bonus: int) -> list[Combination]:
    return [
        Combination("full house", _add(_only(three, 3), _only(pair, 2)), score.triple(three) + bonus)
        for three, pair in permutations(FACES, 2)
    ]


def _shapes(name: str, sizes: tuple[int, ...], value: int) -> list[Combination]:
    """Groups of alike dice of so many different faces."""
    choices = permutations(FACES, len(sizes)) if len(set(sizes)) > 1 else combinations(FACES, len(sizes))
    return [
        Combination(name, _add(*(_only(face, size) for face, size in zip(faces, sizes, strict=True))), value)
        for faces in choices
    ]


def _customs(custom: Custom) -> list[Combination]:
    fixed = {int(each) for each in custom.pattern if each.isdigit()}
    letters = sorted({each for each in custom.pattern if not each.isdigit()})
    free = [face for face in FACES if face not in fixed]
    found = {}
    for faces in permutations(free, len(letters)):
        stands_for = dict(zip(letters, faces, strict=True))
        dice = tuple(int(each) if each.isdigit() else stands_for[each] for each in custom.pattern)
        counts = counted(dice)
        found[counts] = Combination(custom.name or custom.pattern, counts, custom.value)
    return list(found.values())


def _only(face: int, number: int) -> Counts:
    return counted((face,) * number)


def _add(*parts: Counts) -> Counts:
    ones, twos, threes, fours, fives, sixes = (sum(column) for column in zip(*parts, strict=True))
    return ones, twos, threes, fours, fives, sixes
