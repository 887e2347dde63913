"""How far a value can be trusted: what each thing measured on its face leaves of the confidence."""

from vision.evidence import Clue, weighed
from vision.faces import Faces

# From this share on of the face's pips found one by one; fewer may be a pattern by chance.
_FOUND = 0.6
# Of 620 dice read rightly without a profile one in fifty had less of these: pips as round, and a score as near to full.
_ROUND, _PLAIN = 0.86, 0.33
# Of 1,093 dice in pictures read rightly without a profile none had pips of a colour this far off; those that show
# through a clear die are four times as far.
_TINGE = 0.2
_EXACT = 0.15  # misfit of a pattern that leaves no doubt of its places; a four taken for a six has 2
# Likeness of an emblem from which on it is one for sure, and by how much the next likeliest must stay behind.
_LIKE, _APART = 0.8, 0.06
_STEP = 0.06  # colour step that is a side, as a share of the pips' contrast


def value_clues(face: Faces, k: int) -> tuple[Clue, ...]:
    """What speaks for and against the value of face `k`."""
    if face.pictured[k]:
        return _emblem_clues(face, k)
    value, misfit, uneven = int(face.value[k]), float(face.misfit[k]), float(face.uneven[k])
    backed, strays = float(face.backed[k]), float(face.strays[k])
    # Where each pip was found on its own and no other, the colours at the nine places need not be as clear.
    agreed = value > 1 and backed == 1 and strays == 0
    slope, clear = 0.3 if value == 1 or agreed else 0.5, 0.35 if agreed else 0.6
    fit = weighed("fit", misfit, 0.15 / slope, 1.15 - slope * misfit, value)
    even = weighed("even", uneven, 0.25, 1.25 - uneven) if not agreed else weighed("even", uneven, 0.5, 1.5 - uneven)
    if value == 1:
        # A one must show its square, or it may be any spot.
        sides = int((face.sides[k] > _STEP).sum())
        return fit, even, weighed("square", sides, 3, 0.65 + 0.13 * sides)
    # Pips that run together are not found one by one, yet all their places may be as they should.
    missing = (1 - backed) * (0.15 if misfit < 0.2 else 0.4)
    return (
        fit,
        even,
        weighed("margin", face.margin[k], clear, face.margin[k] / clear, face.rival[k]),
        weighed("pips", backed, 1, 1 - missing if backed > _FOUND else 0.6),
        weighed("strays", strays, 0, 0.6**strays),
    )


def _emblem_clues(face: Faces, k: int) -> tuple[Clue, ...]:
    value, like, margin = int(face.value[k]), 1 - float(face.misfit[k]), float(face.margin[k])
    return (
        weighed("picture", like, _LIKE, 1 - (_LIKE - like) / _LIKE, value),
        weighed("other", margin, _APART, margin / _APART, int(face.rival[k])),
    )


def counted(face: Faces, k: int) -> bool:
    """Three pips or more, each found on its own just where it must be, and none besides: that is no chance."""
    found = face.backed[k] == 1 and face.strays[k] == 0
    return bool(face.value[k] >= 3 and found and face.misfit[k] < _EXACT)


def level_clues(face: Faces, k: int, round_: float, beside: int, tinge: float) -> tuple[Clue, ...]:
    """What else speaks against face `k` where no profile tells how a level one looks.

    `round_`: 0-1, of its pips. `beside`: how much tells that it is the side of a die. `tinge`: see `tinge.of`.
    """
    full = float(face.value[k]) * (0.3 + 0.7 * float(face.backed[k]))
    plain = (float(face.score[k]) + (0.45 + 0.8 * float(face.strays[k]) if face.value[k] > 1 else 0)) / full
    return (
        weighed("round", round_, _ROUND, 1 - 4 * (_ROUND - round_)),
        weighed("upper", beside, 0, 1 - 0.3 * beside),
        weighed("plain", plain, _PLAIN, 1 - 2 * (_PLAIN - plain)),
        weighed("tinge", tinge, _TINGE, 2 - tinge / _TINGE),
    )
