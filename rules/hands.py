"""What a throw of the dice in the hand can come to, and in how many of its ordered throws: the ground of all odds."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Literal

from rules.combinations import FACES, Counts, counted, listed, spanning
from rules.game import Option
from rules.options import Dice, Options, Score
from rules.scoring import WILD, Groups, Throw, scorer
from rules.splits import fits, less

How = Literal["scores", "farkle", "wins", "cancels"]


@dataclass(frozen=True, slots=True, order=True)
class Hand:
    """Dice about to be thrown.

    `plain`: how many plain dice. `coloured`: the coloured die is among them. `first`: it is the first throw of a turn,
    where that matters. `rail`: dice set aside that this throw may join (progressive scoring only).
    `plain == 0` without the coloured die: nothing to throw, the turn must be banked.
    """

    plain: int
    coloured: bool = False
    first: bool = False
    rail: Groups = ()

    @property
    def dice(self) -> int:
        return self.plain + self.coloured

    @property
    def name(self) -> str:
        """As the command line writes it: "4", or "4w" when the coloured die is one of the four."""
        return f"{self.dice}w" if self.coloured else str(self.dice)


Choice = tuple[int, Hand]
"""Points gained, and the dice to throw after it."""


@dataclass(frozen=True, slots=True)
class Fate:
    """`ways`: ordered throws that end so. `choices`: every set-aside worth a thought; only where it `scores`.
    "wins": the game is won at once. "cancels": four 2s, all points of the player are lost."""

    ways: int
    how: How
    choices: tuple[Choice, ...] = ()


@cache
def throws(plain: int) -> tuple[tuple[Throw, int], ...]:
    """Every throw of so many dice, sorted, with the number of ordered throws that look like it."""
    return tuple(
        (throw, factorial(plain) // prod(factorial(number) for number in Counter(throw).values()))
        for throw in combinations_with_replacement(FACES, plain)
    )


def full_hand(options: Options) -> Hand:
    """All dice, as after hot dice."""
    wild = options.dice.wild != "off"
    return Hand(options.dice.count - wild, wild)


def first_hand(options: Options) -> Hand:
    """All dice, at the start of a turn."""
    full = full_hand(options)
    return Hand(full.plain, full.coloured, first="five_kind_first_throw" in options.win.instant)


def hand_of(options: Options, left: int, coloured: bool = False, rail: Groups = ()) -> Hand:
    """The hand of `left` dice in the middle of a turn."""
    if left in (0, options.dice.count):
        return full_hand(options)
    return Hand(left - coloured, coloured, rail=_joinable(options, rail))


def after(options: Options, hand: Hand, throw: Throw, coloured: int | None = None) -> tuple[Choice, ...]:
    """What can be set aside from this throw of `hand`: for each hand that can follow the most points (every number
    of points where the target must be hit exactly, since fewer can then be better). None: a farkle."""
    if _by_size_alone(options):
        most = _most(options.dice, options.score, counted(throw))
        if hand.dice == options.dice.count and not any(most) and options.score.nothing:
            return ((options.score.nothing, full_hand(options) if options.score.nothing_hot_dice else Hand(0)),)
        return tuple((points, hand_of(options, hand.dice - size)) for size, points in enumerate(most) if points > 0)
    known = scorer(options.dice, options.score)
    found = {
        (option.score, following(options, hand, throw, coloured, option))
        for option in known.options(throw, hand.rail, coloured)
    }
    return tuple(sorted(found if options.win.rule == "exact" else _undominated(found)))


@lru_cache(maxsize=256)
def fates(options: Options, hand: Hand) -> tuple[Fate, ...]:
    """Everything a throw of `hand` can come to, alike throws taken together. Their ways add up to 6 ** dice."""
    ways: Counter[tuple[How, tuple[Choice, ...]]] = Counter()
    for throw, number in throws(hand.plain):
        for coloured in FACES if hand.coloured else (None,):
            how = at_once(options, hand, throw, coloured)
            choices = after(options, hand, throw, coloured) if how == "scores" else ()
            ways[how if choices or how != "scores" else "farkle", choices] += number
    return tuple(Fate(number, how, choices) for (how, choices), number in ways.items())


@lru_cache(maxsize=32)
def hands(options: Options) -> tuple[Hand, ...]:
    """Every hand that can come up, the first of a turn first."""
    found = {first_hand(options): None}
    waiting: list[Hand] = list(found)
    while waiting:
        for fate in fates(options, waiting.pop()):
            for _, hand in fate.choices:
                if hand not in found:
                    found[hand] = None
                    if hand.dice:
                        waiting.append(hand)
    return tuple(found)


def at_once(options: Options, hand: Hand, throw: Throw, coloured: int | None) -> How:
    """What a throw does before anything is set aside; "scores" when nothing, even if it is a farkle. A wild card
    completes an instant win."""
    instant = options.win.instant
    joins = tuple(FACES) if coloured == WILD else (coloured,)
    alike = [throw.count(face) + (face in joins) for face in FACES]
    wins = {"six_kind": max(alike) >= 6, "six_ones": alike[0] >= 6, "five_kind_first_throw": max(alike) >= 5}
    if any(wins[name] for name in instant if name != "five_kind_first_throw" or hand.first):
        return "wins"
    return "cancels" if options.penalty.four_twos and throw.count(2) + (coloured == 2) >= 4 else "scores"


def following(options: Options, hand: Hand, throw: Throw, coloured: int | None, option: Option) -> Hand:
    """The dice to throw after `option` is set aside from this throw of `hand`."""
    if _nothing_ends_the_turn(options, hand, throw, coloured):
        return Hand(0)
    rail = (*hand.rail, option.dice) if options.score.progressive != "off" else ()
    return hand_of(options, hand.dice - option.size, hand.coloured and not option.with_coloured, rail)


def _nothing_ends_the_turn(options: Options, hand: Hand, throw: Throw, coloured: int | None) -> bool:
    if options.score.nothing_hot_dice or options.score.nothing is None or hand.dice < options.dice.count:
        return False
    return not scorer(options.dice, replace(options.score, nothing=None)).options(throw, (), coloured)


def _by_size_alone(options: Options) -> bool:
    """Only the number of dice set aside and their points matter: no list of all set-asides is needed, which twelve
    dice have thousands of."""
    score = options.score
    plain = options.dice.wild == "off" and score.progressive == "off" and not score.mcflurry_exact
    return plain and options.win.rule != "exact"


@cache
def _most(dice: Dice, score: Score, thrown: Counts) -> tuple[int, ...]:
    """The most that 0, 1, ... all of the dice thrown can score, 0 where no such number of them does."""
    whole = max(0, scorer(dice, score).best(listed(thrown)))
    most = [*(0,) * sum(thrown), whole]
    for face in FACES:
        if thrown[face - 1]:
            fewer = _most(dice, score, less(thrown, counted((face,))))
            most[:-1] = map(max, most[:-1], fewer)
    return tuple(most)


def _joinable(options: Options, rail: Groups) -> Groups:
    """The rail as far as it matters for what may join it: dice whose throws no longer differ are one group."""
    if options.score.progressive == "off" or not rail:
        return ()
    if options.score.progressive == "all":
        whole = tuple(sorted(die for group in rail for die in group))
        return (whole,) if whole else ()
    spans = spanning(options.dice, options.score)
    apart = [group for group in rail if any(fits(span.counts, counted(group)) for span in spans)]
    loose = tuple(sorted(die for group in rail if group not in apart for die in group))
    return (*((loose,) if loose else ()), *sorted(apart))


def _undominated(choices: set[Choice]) -> list[Choice]:
    most: dict[Hand, int] = {}
    for points, hand in choices:
        most[hand] = max(points, most.get(hand, 0))
    return [(points, hand) for hand, points in most.items()]
