"""What a throw can score: every legal set-aside and its points.

A set-aside is legal when each of its dice goes into exactly one combination. It scores its best split, which is not
the greedy one: four 1s under "four of a kind = 1000" are a triple and a single, 1100.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product

from rules.combinations import FACES, Combination, Counts, alike, counted, listed, spanning
from rules.errors import IllegalMove, InvalidMove
from rules.game import Option
from rules.options import Dice, Score
from rules.splits import NO_SPLIT, NONE, Splits, fits, less, plus
from speech.sentence import say

Throw = tuple[int, ...]
Groups = tuple[Throw, ...]
"""Dice set aside since the last hot dice, one group for each throw that they came from."""

WILD = 4


@lru_cache(maxsize=64)
def scorer(dice: Dice, score: Score) -> "Scorer":
    """The scorer of a rule set, the same object every time, so that its tables stay warm."""
    return Scorer(dice, score)


class Scorer:
    """Scores throws under one rule set. It only ever adds to its tables, so threads may share it."""

    def __init__(self, dice: Dice, score: Score) -> None:
        self.dice = dice
        self.score = score
        kinds = tuple(alike(dice, score, face) for face in FACES)
        self._splits = Splits(kinds, spanning(dice, score), dice.count)
        self._no_mcflurry = Splits(kinds, spanning(dice, replace(score, mcflurry=None)), dice.count)
        self._remembered = lru_cache(maxsize=4096)(self._options)

    def best(self, dice: Throw) -> int:
        """Points of `dice` set aside together from one throw, 0 when some die cannot score."""
        counts = counted(dice)
        return max(0, self._in(counts).total(counts))

    def split(self, dice: Throw) -> tuple[Combination, ...]:
        """The combinations that make up `best(dice)`, dearest first; none when some die cannot score."""
        counts = counted(dice)
        return self._in(counts).parts(counts)

    def options(self, throw: Throw, held: Groups = (), coloured: int | None = None) -> tuple[Option, ...]:
        """Every legal set-aside, sorted by number of dice, then dice. None at all is a farkle.

        `throw`: values of the plain dice, in any order. `coloured`: what the coloured die shows, None when it is not
        among the dice thrown. `held`: dice on the rail; under progressive rules the scores are what is gained.
        Raises `InvalidMove` for what cannot be a throw of these rules, `IllegalMove` for held dice that do not score.
        """
        whole = not held and len(throw) + (coloured is not None) == self.dice.count
        groups = held if self.score.progressive != "off" else ()
        self._check(throw, held, coloured)
        return self._remembered(tuple(sorted(throw)), groups, coloured, whole)

    def held_score(self, held: Groups) -> int:
        """What dice on the rail score together under progressive rules. Raises `IllegalMove` when one is dead."""
        total = self._joined(held, NONE, NONE)
        if total == NO_SPLIT:
            dice = "-".join(str(die) for group in held for die in group)
            raise IllegalMove(f"The dice held, {dice}, do not all score.")
        return total

    def _check(self, throw: Throw, held: Groups, coloured: int | None) -> None:
        dice = [*throw, *(die for group in held for die in group)] + ([] if coloured is None else [coloured])
        for value in dice:
            if not 1 <= value <= 6:
                raise InvalidMove(say("A die shows 1 to 6, not {value}.", value=value))
        if len(dice) > self.dice.count:
            raise InvalidMove(
                say(
                    "That is {thrown} dice; these rules are played with {count}.",
                    thrown=len(dice),
                    count=self.dice.count,
                )
            )
        if coloured is not None and self.dice.wild == "off":
            raise InvalidMove(say("These rules have no coloured die."))

    def _options(self, throw: Throw, held: Groups, coloured: int | None, whole: bool) -> tuple[Option, ...]:
        before = self.held_score(held)
        thrown = counted(throw)
        found = []
        for counts in _within(thrown):
            for joins in (None,) if coloured is None else (False, True):
                score = self._set_aside(counts, thrown, held, coloured if joins else None) - before
                if score > 0:
                    found.append(Option(listed(counts), score, joins))
        if not found and self.score.nothing and whole:
            found.append(Option(throw, self.score.nothing, None if coloured is None else True))
        return tuple(sorted(found, key=_by_size))

    def _set_aside(self, counts: Counts, thrown: Counts, held: Groups, coloured: int | None) -> int:
        """Best score of these plain dice, the coloured one (if any) and the dice held, or `NO_SPLIT`."""
        if coloured is None:
            return self._joined(held, counts, thrown)
        if coloured == WILD and not self.dice.wild_alone:
            return max(self._completing(face, counts, thrown, held) for face in FACES)
        faces = FACES if coloured == WILD else (coloured,)
        dice = (counted((face,)) for face in faces)
        return max(self._joined(held, plus(counts, die), plus(thrown, die)) for die in dice)

    def _completing(self, face: int, counts: Counts, thrown: Counts, held: Groups) -> int:
        """Best score when the wild card, as `face`, is part of a combination of two or more dice."""
        die = counted((face,))
        counts, thrown = plus(counts, die), plus(thrown, die)
        best = NO_SPLIT
        splits = self._in(thrown)
        for part in (*splits.spans, *splits.kinds[face - 1]):
            if part.counts[face - 1] and sum(part.counts) > 1 and fits(part.counts, counts):
                rest = self._joined(held, less(counts, part.counts), thrown)
                best = max(best, rest + part.value if rest != NO_SPLIT else NO_SPLIT)
        return best

    def _joined(self, held: Groups, counts: Counts, thrown: Counts) -> int:
        """Best split of one throw's dice together with those held: how far they join is the rules' choice."""
        if not held:
            return self._in(thrown).total(counts)
        if self.score.progressive == "kinds":
            return self._joined_by_kind((*held, listed(counts)))
        on_rail = plus(NONE, *(counted(group) for group in held))
        return self._in(plus(on_rail, thrown)).total(plus(on_rail, counts))

    def _joined_by_kind(self, groups: Groups) -> int:
        """Alike dice of several throws may join; every other combination lies within one throw."""
        reached = {NONE: 0}
        for group in groups:
            left_over = self._in(counted(group)).left_over(counted(group))
            grown: dict[Counts, int] = {}
            for (first, value), (second, more) in product(reached.items(), left_over.items()):
                both = plus(first, second)
                grown[both] = max(grown.get(both, 0), value + more)
            reached = grown
        totals = ((self._splits.by_kind(counts), value) for counts, value in reached.items())
        return max((total + value for total, value in totals if total != NO_SPLIT), default=NO_SPLIT)

    def _in(self, thrown: Counts) -> Splits:
        """The splits open to a throw: the strict grand mcflurry asks for exactly four 5s in it."""
        return self._no_mcflurry if self.score.mcflurry_exact and thrown[4] != 4 else self._splits


def dearest(options: tuple[Option, ...]) -> Option:
    """The option of most points, of more dice when two score the same. `options` must not be empty."""
    return max(options, key=lambda option: (option.score, option.size))


def _by_size(option: Option) -> tuple[int, Throw, bool]:
    return option.size, option.dice, bool(option.with_coloured)


def _within(counts: Counts) -> Iterator[Counts]:
    """Every choice of these dice, none and all included."""
    yield from product(*(range(number + 1) for number in counts))
