"""Which of the candidate faces are the top faces: the set that agrees with itself and explains most."""

import numpy as np
from numpy.typing import NDArray

from vision.faces import APART, Faces
from vision.sampling import Floats

# Beyond this many looks at a group the best set so far is taken: a heap of 70 dice must end too.
_PATIENCE = 4000


def clashes(faces: Faces) -> NDArray[np.bool_]:
    """(n, n): the two cannot both be top faces, because they lie too close."""
    offset = faces.offset
    apart = np.hypot(*(faces.xy[:, None] - faces.xy[None]).transpose(2, 0, 1))
    clash = apart < APART * (offset[:, None] + offset[None]) / 2
    np.fill_diagonal(clash, False)
    return np.asarray(clash)


def choose(faces: Faces) -> NDArray[np.int64]:
    """Indices of the faces that do not clash and score most in all, by falling score."""
    order = np.argsort(-faces.score)
    order = order[faces.score[order] > 0]
    if not len(order):
        return order
    sorted_ = faces.pick(order)
    clash = clashes(sorted_)
    chosen: list[int] = []
    for group in _groups(clash):
        chosen += _best(group, clash, sorted_.score)
    return order[np.array(sorted(chosen), np.int64)]


def _groups(clash: NDArray[np.bool_]) -> list[list[int]]:
    left, groups = set(range(len(clash))), []
    while left:
        group, todo = [], [left.pop()]
        while todo:
            k = todo.pop()
            group.append(k)
            near = [int(j) for j in np.nonzero(clash[k])[0] if int(j) in left]
            left.difference_update(near)
            todo += near
        groups.append(sorted(group))
    return groups


def _best(group: list[int], clash: NDArray[np.bool_], score: Floats) -> list[int]:
    """Exact search, best first; `group` is ordered by falling score."""
    worth = {k: float(score[k]) for k in group}
    foes = {k: {j for j in group if clash[k, j]} for k in group}
    best: list[int] = []
    best_sum = -1.0
    looks = 0

    def search(free: list[int], taken: list[int], total: float) -> None:
        nonlocal best, best_sum, looks
        looks += 1
        if total > best_sum:
            best, best_sum = list(taken), total
        if looks > _PATIENCE or not free or total + sum(worth[k] for k in free) <= best_sum:
            return
        first, rest = free[0], free[1:]
        search([k for k in rest if k not in foes[first]], [*taken, first], total + worth[first])
        if foes[first] & set(rest):
            search(rest, taken, total)

    search(group, [], 0.0)
    return best
