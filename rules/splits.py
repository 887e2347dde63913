"""The best way to split dice into combinations, each die in exactly one. Tables are filled as they are asked for."""

from rules.combinations import Combination, Counts

NO_SPLIT = -1
NONE: Counts = (0, 0, 0, 0, 0, 0)


class Splits:
    """Splits by one list of combinations. `kinds`: those of each face by itself, face 1 first.

    It only ever adds to its table, so threads may share it.
    """

    def __init__(self, kinds: tuple[tuple[Combination, ...], ...], spans: tuple[Combination, ...], most: int) -> None:
        self.kinds = kinds
        self.spans = spans
        self._alone = tuple(_one_face(face, most) for face in kinds)
        self._known: dict[Counts, int] = {}

    def total(self, counts: Counts) -> int:
        """Points of the best complete split, or `NO_SPLIT`."""
        known = self._known.get(counts)
        if known is None:
            known = self.by_kind(counts)
            for span in self.spans:
                if fits(span.counts, counts):
                    rest = self.total(less(counts, span.counts))
                    if rest != NO_SPLIT:
                        known = max(known, rest + span.value)
            self._known[counts] = known
        return known

    def by_kind(self, counts: Counts) -> int:
        """The same without combinations that span faces: a sum over the faces."""
        total = 0
        for table, number in zip(self._alone, counts, strict=True):
            if table[number] == NO_SPLIT:
                return NO_SPLIT
            total += table[number]
        return total

    def parts(self, counts: Counts) -> tuple[Combination, ...]:
        """The combinations of the best complete split, dearest first; none when there is no split."""
        total = self.total(counts)
        parts: list[Combination] = []
        while any(counts) and total != NO_SPLIT:
            part = next(part for part in self._all_parts() if self._leads_to(part, counts, total))
            parts.append(part)
            counts, total = less(counts, part.counts), total - part.value
        return tuple(sorted(parts, key=lambda part: -part.value))

    def _all_parts(self) -> tuple[Combination, ...]:
        """Larger ones first: players would rather hear "three of a kind" than three singles of the same worth."""
        every = (*self.spans, *(kind for kinds in self.kinds for kind in kinds))
        return tuple(sorted(every, key=lambda part: -sum(part.counts)))

    def _leads_to(self, part: Combination, counts: Counts, total: int) -> bool:
        return fits(part.counts, counts) and self.total(less(counts, part.counts)) == total - part.value

    def left_over(self, counts: Counts) -> dict[Counts, int]:
        """What can remain when spanning combinations are taken out, and what those score together."""
        found = {counts: 0}
        waiting = [counts]
        while waiting:
            present = waiting.pop()
            for span in self.spans:
                if fits(span.counts, present):
                    rest, value = less(present, span.counts), found[present] + span.value
                    if value > found.get(rest, NO_SPLIT):
                        found[rest] = value
                        waiting.append(rest)
        return found


def _one_face(kinds: tuple[Combination, ...], most: int) -> tuple[int, ...]:
    """Best split of 0, 1, ... `most` dice of one face."""
    best = [0]
    for number in range(1, most + 1):
        steps = ((number - sum(kind.counts), kind.value) for kind in kinds)
        best.append(
            max((best[rest] + value for rest, value in steps if rest >= 0 and best[rest] >= 0), default=NO_SPLIT)
        )
    return tuple(best)


def fits(part: Counts, counts: Counts) -> bool:
    a, b, c, d, e, f = part
    u, v, w, x, y, z = counts
    return a <= u and b <= v and c <= w and d <= x and e <= y and f <= z


def less(counts: Counts, part: Counts) -> Counts:
    a, b, c, d, e, f = part
    u, v, w, x, y, z = counts
    return u - a, v - b, w - c, x - d, y - e, z - f


def plus(first: Counts, *others: Counts) -> Counts:
    for a, b, c, d, e, f in others:
        u, v, w, x, y, z = first
        first = u + a, v + b, w + c, x + d, y + e, z + f
    return first
