"""Where something lies that no face explains: flat dice supposed there in many poses, for the second opinion to see."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import cube, emblems, ninefold, opinion, supposed
from vision.cube import Cubes
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import turned
from vision.opinion import Network
from vision.pips import Pips
from vision.profile import Profile
from vision.sampling import Floats
from vision.supposed import Pose, Supposed

# Turns that are tried of all that may lie there, degrees.
_TURNS = [(0.0, 0.0, turn) for turn in range(0, 90, 15)]
# Then poses around the likeliest, in edges right and down and degrees, step by step: places beside it, for the lumps'
# middles lie within 0.2 of the dice's; half as far, and a finer turn; quarter turns; finer still.
_BESIDE, _QUARTERS = [(0.16, 0, 0), (-0.16, 0, 0), (0, 0.16, 0), (0, -0.16, 0)], [(0, 0, 90), (0, 0, 180), (0, 0, 270)]
_HALF: list[Pose] = [(x / 2, y / 2, 0) for x, y, _ in _BESIDE]
_CLOSE = [(x, y, turn) for x, y, _ in [(0, 0, 0), *_HALF] for turn in (-7.5, 0, 7.5) if x or y or turn]
_FINE: list[Pose] = [*((x / 4, y / 4, 0) for x, y, _ in _BESIDE), (0, 0, -3.75), (0, 0, 3.75)]
_STEPS = (_BESIDE, _CLOSE, _QUARTERS, _FINE)
_TIMES = 4  # that a step is repeated at most, while it makes the die likelier
# Of 58 places 17 were plainer than this at once: the places beside were never likelier, a finer turn changed nothing.
# Nine were fainter than the other: beside them nothing was likelier than 0.09.
_PLAIN, _FAINT = 0.95, 0.05
# What is less likely beside those did not become likely by looking finer at any of 35 places.
_HOPE = 0.4
_MOST = 3  # places that are tried; where more are unread the players are asked in any case
# What is likelier than this is looked at in all quarter turns, and shown as a die if it is likely on the mean of them;
# the value is then asked about, unless it is clear.
_LIKELY, _LIKELY_TURNED = 0.9, 0.8
Shares = NDArray[np.float32]  # (n, 8): see `Opinion.share`


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """A die that the network alone has read: its face, one row, its pips, and `share` (1, 8), what the network says."""

    face: Faces
    pips: Pips
    share: Shares


def proposed(
    image: Image, at: Sequence[tuple[float, float]], others: Cubes, profile: Profile, network: Network
) -> list[Answer]:
    """The likeliest flat die about each place where there is one.

    `at`: pixels, about the middles of top faces. `others`: the dice that are known already.
    """
    out = []
    for place in at[:_MOST]:
        face, share = _best(image, np.array(place), others, profile, network)
        if _shown(share)[0] > _LIKELY and emblems.none_there(image, face, profile)[0]:
            out += agreed(image, face, others, profile, network)
    return out


def agreed(image: Image, face: Faces, others: Cubes, profile: Profile, network: Network) -> list[Answer]:
    """`face`, one row whose value is known and whose pose about, where its pips put it; none where the network does not
    see that value from all sides."""
    settled, own = ninefold.settled(image, face)
    # Where its pips put it the network may see it better than at any of the poses tried.
    value = int(face.value[0])
    turned_ = [_turned(image, one, others, profile, network) for one in (settled, face)]
    share = max(turned_, key=lambda one: float(one[0, value]))
    return [Answer(settled, own, share)] if share[0, value] > _LIKELY_TURNED else []


def _best(image: Image, place: Floats, others: Cubes, profile: Profile, network: Network) -> tuple[Faces, Shares]:
    """First all turns of all that may lie there, then better poses for the likeliest of each, unless one is plain to
    see at once or all are nothing."""

    def seen(dice: Supposed) -> Shares:
        return _said(image, dice.faces(image, profile), others, profile, network)

    guesses = supposed.at(image, place, profile)
    tried = guesses.varied(_TURNS, profile)
    share = seen(tried)
    shown = _shown(share).reshape(len(guesses), -1)
    best = shown.argmax(1) + np.arange(0, len(tried), shown.shape[1])
    best = best[np.argsort(-shown.max(1), kind="stable")]
    die, share_ = tried.pick(best[:1]), share[best[:1]]
    if shown.max() > _PLAIN:
        die, share_ = _better(die, share_, _HALF, seen, profile)
    elif shown.max() > _FAINT:
        for k in best[_shown(share[best]) > _FAINT]:
            other = _climbed(tried.pick(np.array([k])), share[[k]], seen, profile)
            if _shown(other[1]) > _shown(share_):
                die, share_ = other
            if _shown(share_) > _PLAIN:
                break
    face, value = die.faces(image, profile), 1 + share_[:, 1:-1].argmax(1)
    own = profile.kinds[int(face.kind[0])]
    return replace(face, value=value, radius=face.radius * (own.one / own.radius if value[0] == 1 else 1.0)), share_


def _climbed(
    die: Supposed, share: Shares, seen: Callable[[Supposed], Shares], profile: Profile
) -> tuple[Supposed, Shares]:
    """Moved and turned by less and less, as long as that makes it likelier."""
    for step in _STEPS:
        for _ in range(_TIMES):
            before = _shown(share)
            die, share = _better(die, share, step, seen, profile)
            if _shown(share) <= before:
                break
        if _shown(share) < _HOPE:
            break
    return die, share


def _better(
    die: Supposed, share: Shares, step: Sequence[Pose], seen: Callable[[Supposed], Shares], profile: Profile
) -> tuple[Supposed, Shares]:
    """The likeliest of the `die` and what lies around it."""
    around = die.varied(step, profile)
    every, shares = supposed.join([die, around]), np.concatenate([share, seen(around)])
    best = np.array([_shown(shares).argmax()])
    return every.pick(best), shares[best]


def _said(image: Image, face: Faces, others: Cubes, profile: Profile, network: Network) -> Shares:
    """(n, 8) what the network says of each, as if it were the only one beside the `others`."""
    cubes = cube.flat(face, profile)
    return network.opinion(opinion.patches(image, cubes, face, profile, others)).share


def _turned(image: Image, face: Faces, others: Cubes, profile: Profile, network: Network) -> Shares:
    """(1, 8) what it says on the mean over quarter turns: of a face that is seen well it says the same."""
    frame = np.concatenate([face.frame @ turn for turn in turned(np.arange(4) * np.pi / 2)])
    every = replace(face.pick(np.zeros(4, np.int64)), frame=frame)
    return np.asarray(_said(image, every, others, profile, network).mean(0, keepdims=True))


def _shown(share: Shares) -> Shares:
    """(n,) the probability of the likeliest value."""
    return np.asarray(share[:, 1:-1].max(1))
