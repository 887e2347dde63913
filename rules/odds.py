"""Exact odds of one throw under any rules: farkle, hot dice, every combination, and the mean of the first throw."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rules.combinations import FACES, Combination, Counts, alike, counted, spanning
from rules.hands import Hand, after, full_hand, throws
from rules.options import Options
from rules.scoring import WILD
from rules.splits import fits

ByDice = dict[str, Fraction]
"""By what is thrown: "4" is four plain dice, "4w" four with the coloured die among them, "6" always all of six."""

# Options that may be left out, and what they are called at the table.
EXTRAS = {
    "kind4": "four of a kind",
    "kind5": "five of a kind",
    "kind6": "six of a kind",
    "six_ones": "six ones",
    "straight": "straight",
    "three_pairs": "three pairs",
    "two_triplets": "two triplets",
    "full_house_bonus": "full house",
    "nothing": "nothing",
    "mcflurry": "grand mcflurry",
}


@dataclass(frozen=True, slots=True)
class Odds:
    """Chances of a single throw.

    `farkle`: nothing can be set aside. `hot_dice`: all dice thrown can be set aside. Under progressive scoring both
    are for dice that join nothing on the rail.
    `combinations`: the dice of the combination are in the throw; but "four of a kind" and its like: the most dice alike
    are four, of one face only, so that two triplets are no three of a kind and five alike no four.
    `first_throw_mean`: of the best score of all dice. `first_throw_shares`: by how much it would be less without the
    option, everything else as it is; shares overlap, so they do not add up.
    """

    farkle: ByDice
    hot_dice: ByDice
    combinations: dict[str, ByDice]
    first_throw_mean: Fraction
    first_throw_shares: dict[str, Fraction]


@lru_cache(maxsize=64)
def odds(options: Options) -> Odds:
    return Odds(
        farkle={label(options, hand): _chance(hand, _farkles(options, hand)) for hand in _hands(options)},
        hot_dice={label(options, hand): _chance(hand, _hot(options, hand)) for hand in _hands(options)},
        combinations={name: _by_dice(options, holds) for name, holds in _patterns(options).items()} | _nothing(options),
        first_throw_mean=first_throw_mean(options),
        first_throw_shares=_shares(options),
    )


def farkle_chance(options: Options, hand: Hand) -> Fraction:
    """That nothing of this throw can be set aside, what lies on the rail of `hand` considered."""
    return _chance(hand, _farkles(options, hand))


def first_throw_mean(options: Options) -> Fraction:
    """Mean of the best score of a throw of all dice."""
    hand = full_hand(options)
    total = sum(
        ways * max((points for points, _ in after(options, hand, throw, coloured)), default=0)
        for throw, coloured, ways in _outcomes(hand)
    )
    return Fraction(total, 6**hand.dice)


def _hands(options: Options) -> list[Hand]:
    """Everything that can be thrown, fewest dice first: plain dice, then those with the coloured die among them."""
    full = full_hand(options)
    plain = [Hand(number) for number in range(1, full.plain + 1)]
    return plain + [Hand(number, True) for number in range(full.plain + 1) if full.coloured]


def label(options: Options, hand: Hand) -> str:
    """What odds of this hand go by, see `ByDice`."""
    return str(hand.dice) if hand == full_hand(options) else hand.name


def _outcomes(hand: Hand) -> Iterator[tuple[tuple[int, ...], int | None, int]]:
    for throw, ways in throws(hand.plain):
        for coloured in FACES if hand.coloured else (None,):
            yield throw, coloured, ways


Holds = Callable[[tuple[int, ...], int | None], bool]


def _chance(hand: Hand, holds: Holds) -> Fraction:
    ways = sum(ways for throw, coloured, ways in _outcomes(hand) if holds(throw, coloured))
    return Fraction(ways, 6**hand.dice)


def _farkles(options: Options, hand: Hand) -> Holds:
    return lambda throw, coloured: not after(options, hand, throw, coloured)


def _hot(options: Options, hand: Hand) -> Holds:
    all_aside = (full_hand(options), Hand(0))
    return lambda throw, coloured: any(left in all_aside for _, left in after(options, hand, throw, coloured))


def _by_dice(options: Options, holds: Callable[[Counts], bool]) -> ByDice:
    """The wild card is whatever face makes the combination."""

    def any_face(throw: tuple[int, ...], coloured: int | None) -> bool:
        if coloured is None:
            return holds(counted(throw))
        faces = FACES if coloured == WILD else (coloured,)
        return any(holds(counted((*throw, face))) for face in faces)

    chances = {label(options, hand): _chance(hand, any_face) for hand in _hands(options)}
    return {label: chance for label, chance in chances.items() if chance}


def _patterns(options: Options) -> dict[str, Callable[[Counts], bool]]:
    """The combinations in force by name, and when a throw holds them."""
    found: dict[str, Callable[[Counts], bool]] = {}
    for face in FACES:
        for part in alike(options.dice, options.score, face):
            name, number = _name(part, face), sum(part.counts)
            found[name] = _most_alike(number) if name.endswith("of a kind") else _has([part.counts])
    if options.dice.count >= 6:
        found["two triplets"] = lambda counts: sum(number >= 3 for number in counts) >= 2
    spans = spanning(options.dice, options.score)
    for name in dict.fromkeys(span.name for span in spans):
        found[name] = _has([span.counts for span in spans if span.name == name])
    if options.score.mcflurry is not None and options.score.mcflurry_exact:
        found["grand mcflurry"] = lambda counts: counts[4] == 4 and counts[1] >= 1
    if options.penalty.four_twos:
        found["four 2s"] = lambda counts: counts[1] >= 4
    if "five_kind_first_throw" in options.win.instant:
        found.setdefault("five of a kind", _most_alike(5))
    return found


def _nothing(options: Options) -> dict[str, ByDice]:
    """A throw of all dice without any score, where that scores."""
    full = full_hand(options)
    chance = farkle_chance(replace(options, score=replace(options.score, nothing=None)), full)
    return {} if options.score.nothing is None or not chance else {"nothing": {label(options, full): chance}}


def _name(part: Combination, face: int) -> str:
    return f"single {face}" if part.name == "single" else part.name


def _most_alike(number: int) -> Callable[[Counts], bool]:
    return lambda counts: max(counts) == number and counts.count(number) == 1


def _has(parts: list[Counts]) -> Callable[[Counts], bool]:
    return lambda counts: any(fits(part, counts) for part in parts)


def _shares(options: Options) -> dict[str, Fraction]:
    whole = first_throw_mean(options)
    found = {name: whole - first_throw_mean(without) for name, without in _left_out(options)}
    return {name: share for name, share in found.items() if share}


def _left_out(options: Options) -> Iterator[tuple[str, Options]]:
    """The rules without each of their options."""
    for option, name in EXTRAS.items():
        if getattr(options.score, option) is not None:
            off: dict[str, Any] = {option: None}
            yield name, replace(options, score=replace(options.score, **off))
    for custom in options.score.custom:
        rest = tuple(each for each in options.score.custom if each is not custom)
        yield custom.name or custom.pattern, replace(options, score=replace(options.score, custom=rest))
    if options.dice.wild != "off":
        yield "wild card", replace(options, dice=replace(options.dice, wild="off"))
