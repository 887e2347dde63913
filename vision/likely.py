"""What a die may show, when it has to be asked about: the reader's own alternatives, likeliest first."""

from vision.faces import Faces
from vision.sampling import Floats

# As many as a person chooses among at a glance.
MOST = 2
# The network's probability of a value that nothing else speaks for: below, it is chance.
_SOME = 0.02
# Of a value that the pips fit best, and next best, beside the network's probabilities. Over 31 rendered sessions the
# value, or what leaning dice nearly show, came first in 45 of 51 dice that were asked about, and among two in 47.
_READ, _RIVAL = 0.5, 0.1


def likely(face: Faces, k: int, share: Floats | None = None) -> tuple[int, ...]:
    """Values of face `k`. `share`: (8,), a row of `Opinion.share`, of a face that the network has looked at."""
    weight = dict.fromkeys(range(1, 7), 0.0)
    # A rival of 0 is none.
    for value, worth in ((int(face.rival[k]), _RIVAL), (int(face.value[k]), _READ)):
        if value:
            weight[value] = worth
    if share is not None:
        shown = max(1e-6, float(share[1:7].sum()))
        for value in weight:
            weight[value] += float(share[value]) / shown
    ranked = sorted(weight, key=lambda value: -weight[value])
    return tuple(value for value in ranked if weight[value] > _SOME)[:MOST]
