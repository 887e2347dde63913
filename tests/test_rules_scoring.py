"""Scoring against a second, slow way of doing it, for any options."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.combinations import listed
from rules.errors import IllegalMove, InvalidMove
from rules.options import Custom, Dice, Kind, Score
from rules.scoring import Scorer, dearest, scorer

# A busy machine may take its time.
STEADY = settings(suppress_health_check=[HealthCheck.too_slow])
Tagged = tuple[tuple[int, int], ...]
"""Dice as (face, number of the throw they came from)."""

kinds = st.sampled_from([None, Kind("adding"), Kind("doubling"), Kind("set", 1000), Kind("set", 250), Kind("mult", 3)])
customs = st.sampled_from([Custom("aabb", 300), Custom("12345", 700), Custom("2a", 40), Custom("66", 60)])


def maybe(*values: int) -> st.SearchStrategy[int | None]:
    return st.sampled_from([None, *values])


def scores(progressive: str = "off") -> st.SearchStrategy[Score]:
    return st.builds(
        Score,
        triple_1=st.sampled_from([1000, 300, 200]),
        kind4=kinds,
        kind5=kinds,
        kind6=kinds,
        six_ones=maybe(5000),
        straight=maybe(1000, 1500),
        three_pairs=maybe(500, 1500),
        three_pairs_four_plus_pair=st.booleans(),
        three_pairs_six_kind=st.booleans(),
        two_triplets=maybe(2500),
        full_house_bonus=maybe(250),
        nothing=maybe(500),
        mcflurry=maybe(2000),
        progressive=st.just(progressive),
        custom=st.lists(customs, max_size=2, unique=True).map(tuple),
    )


def throws(fewest: int = 1, most: int = 6) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(1, 6), min_size=fewest, max_size=most).map(lambda dice: tuple(sorted(dice)))


def worths(dice: tuple[int, ...], score: Score) -> dict[str, int]:
    """Everything that these dice, all of them, are as one combination; by looking at the pattern alone."""
    found = {}
    shape = sorted(Counter(dice).values(), reverse=True)
    face, number = dice[0], len(dice)
    if len(shape) == 1:
        found["kind"] = alike(face, number, score)
    if sorted(dice) == [1, 2, 3, 4, 5, 6]:
        found["straight"] = score.straight or 0
    pairs = [[2, 2, 2]] + [[4, 2]] * score.three_pairs_four_plus_pair + [[6]] * score.three_pairs_six_kind
    if shape in pairs:
        found["pairs"] = score.three_pairs or 0
    if shape == [3, 3]:
        found["triplets"] = score.two_triplets or 0
    if shape == [3, 2] and score.full_house_bonus:
        three = Counter(dice).most_common(1)[0][0]
        found["house"] = score.triple(three) + score.full_house_bonus
    if sorted(dice) == [2, 5, 5, 5, 5]:
        found["mcflurry"] = score.mcflurry or 0
    for custom in score.custom:
        if matches(custom.pattern, dice):
            found[custom.pattern] = custom.value
    return {name: value for name, value in found.items() if value}


def alike(face: int, number: int, score: Score) -> int:
    if number == 1:
        return {1: score.ones, 5: score.fives}.get(face, 0)
    if number == 3:
        return score.triple(face)
    if number == 6 and face == 1 and score.six_ones:
        return score.six_ones
    kind = {4: score.kind4, 5: score.kind5, 6: score.kind6}.get(number)
    if kind is None:
        return 0
    times = {"adding": number - 2, "doubling": 2 ** (number - 3), "mult": kind.value}
    return kind.value if kind.how == "set" else times[kind.how] * score.triple(face)


def matches(pattern: str, dice: tuple[int, ...]) -> bool:
    if len(pattern) != len(dice):
        return False
    letters = sorted({sign for sign in pattern if sign.isalpha()})
    named = {int(sign) for sign in pattern if sign.isdigit()}
    for faces in permutations(set(range(1, 7)) - named, len(letters)):
        meaning = dict(zip(letters, faces, strict=True))
        if sorted(meaning.get(sign) or int(sign) for sign in pattern) == sorted(dice):
            return True
    return False


def brute(dice: Tagged, score: Score) -> int | None:
    """Best total over all partitions into combinations, None when there is no partition."""
    if not dice:
        return 0
    first, rest = dice[0], dice[1:]
    best = None
    for size in range(len(rest) + 1):
        for places in combinations(range(len(rest)), size):
            block = (first, *(rest[place] for place in places))
            found = worths(tuple(face for face, _ in block), score)
            if score.progressive != "all" and len({throw for _, throw in block}) > 1:
                found = {"kind": found["kind"]} if score.progressive == "kinds" and "kind" in found else {}
            if found:
                others = brute(tuple(die for place, die in enumerate(rest) if place not in places), score)
                if others is not None:
                    best = max(best or 0, max(found.values()) + others)
    return best


def tagged(*groups: tuple[int, ...]) -> Tagged:
    return tuple((die, throw) for throw, group in enumerate(groups) for die in group)


def subsets(dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    return {part for size in range(1, len(dice) + 1) for part in combinations(dice, size)}


@settings(STEADY, max_examples=60)
@given(throws(), scores())
def test_the_best_split_is_never_beaten_by_brute_force(throw: tuple[int, ...], score: Score) -> None:
    expected = {part: brute(tagged(part), score) for part in subsets(throw)}
    legal = {part: value for part, value in expected.items() if value}
    if not legal and len(throw) == 6 and score.nothing:
        legal = {throw: score.nothing}
    assert {option.dice: option.score for option in scorer(Dice(), score).options(throw)} == legal


@settings(STEADY, max_examples=60)
@given(throws(), scores())
def test_a_legal_set_aside_has_no_dead_die(throw: tuple[int, ...], score: Score) -> None:
    known = Scorer(Dice(), score)
    for option in known.options(throw):
        if option.score == score.nothing and len(option.dice) == 6 and not known.best(option.dice):
            continue
        parts = known.split(option.dice)
        assert sorted(die for part in parts for die in listed(part.counts)) == list(option.dice)
        assert sum(part.value for part in parts) == option.score
        assert all(part.value > 0 for part in parts)


@settings(STEADY, max_examples=40)
@given(st.sampled_from(["kinds", "all"]), throws(1, 2), throws(1, 2), throws(1, 2), st.data())
def test_progressive_gains_are_those_of_brute_force_over_all_throws(
    progressive: str, first: tuple[int, ...], second: tuple[int, ...], throw: tuple[int, ...], data: st.DataObject
) -> None:
    score = data.draw(scores(progressive))
    before = brute(tagged(first, second), score)
    known = Scorer(Dice(), score)
    if before is None:
        with pytest.raises(IllegalMove, match="do not all score"):
            known.options(throw, (first, second))
        return
    totals = {part: brute(tagged(first, second, part), score) for part in subsets(throw)}
    gains = {part: total - before for part, total in totals.items() if total is not None and total > before}
    assert {option.dice: option.score for option in known.options(throw, (first, second))} == gains


@settings(STEADY, max_examples=40)
@given(throws(1, 5), st.integers(1, 6), scores())
def test_the_wild_die_scores_as_its_best_face(plain: tuple[int, ...], shown: int, score: Score) -> None:
    known = Scorer(Dice(wild="coloured_4"), score)
    faces = range(1, 7) if shown == 4 else [shown]
    expected = {}
    for part in subsets(plain) | {()}:
        values = [brute(tagged((*part, face)), score) or 0 for face in faces]
        if max(values):
            expected[part] = max(values)
    found = {option.dice: option.score for option in known.options(plain, coloured=shown) if option.with_coloured}
    if not expected and not any(brute(tagged(part), score) for part in subsets(plain)) and score.nothing:
        expected = {plain: score.nothing} if len(plain) == 5 else {}
    assert found == expected


def test_a_wild_die_that_may_not_stand_alone_must_complete_a_combination() -> None:
    known = scorer(Dice(wild="coloured_4", wild_alone=False), Score())
    assert [(option.dice, option.score) for option in known.options((2, 3, 3, 6), coloured=4)] == [((3, 3), 300)]
    assert known.options((2, 3), coloured=4) == ()
    with_single = known.options((1, 3, 3), coloured=4)
    assert [(each.dice, each.score) for each in with_single if each.with_coloured] == [((3, 3), 300), ((1, 3, 3), 400)]


@pytest.mark.parametrize(
    ("kind", "value"), [(Kind("adding"), 300 * 5), (Kind("doubling"), 300 * 16), (Kind("set", 3000), 3000)]
)
def test_more_than_six_alike_go_on_as_six_do(kind: Kind, value: int) -> None:
    known = scorer(Dice(12), Score(kind4=kind, kind5=kind, kind6=kind))
    # A set value is for six dice: a seventh 3 is dead, so the best seven-dice set-aside is 4 + 3 alike.
    assert known.best((3,) * 7) == (value if kind.how != "set" else 3000 + 300)


def test_greed_does_not_beat_the_best_split() -> None:
    known = scorer(Dice(), Score(kind4=Kind("set", 1000)))
    assert known.best((1, 1, 1, 1)) == 1100
    assert [part.name for part in known.split((1, 1, 1, 1))] == ["three of a kind", "single"]


def test_a_full_house_leaves_or_adds_the_sixth_die() -> None:
    known = scorer(Dice(), Score(full_house_bonus=250))
    assert known.best((2, 2, 2, 3, 3)) == 450
    assert known.best((2, 2, 2, 3, 3, 3)) == 500
    assert known.best((3, 3, 3, 3, 3)) == 0


def test_nothing_scores_only_when_all_dice_are_thrown_at_once() -> None:
    known = scorer(Dice(), Score(nothing=500))
    assert [option.score for option in known.options((2, 2, 3, 4, 6, 6))] == [500]
    assert known.options((2, 2, 3, 4, 6)) == ()
    assert known.options((2, 2, 3, 4, 6), held=((1,),)) == ()


@pytest.mark.parametrize(
    ("dice", "coloured"), [((0,), None), ((7,), None), ((1,) * 7, None), ((1,), 4), ((-1, 2), None)]
)
def test_what_cannot_be_thrown_is_no_move(dice: tuple[int, ...], coloured: int | None) -> None:
    with pytest.raises(InvalidMove, match=r"\.$"):
        scorer(Dice(), Score()).options(dice, coloured=coloured)


def test_a_tie_in_points_takes_more_dice() -> None:
    score = Score(custom=(Custom("15", 100),), ones=100, fives=0)
    assert dearest(scorer(Dice(), score).options((1, 5))).dice == (1, 5)
