"""What is in the picture of a known tray: the dice, what the networks say of each, and what no die explains."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import check, cube, faces, heard, known, opinion, pips, proposed, unread
from vision.cube import Cubes
from vision.evidence import confidence
from vision.faces import Faces
from vision.frame import Image
from vision.opinion import Network
from vision.profile import Profile
from vision.sampling import Floats
from vision.trust import value_clues

# Below this confidence a face is a pattern of the floor; were it a die after all, its body is left over: a doubt.
_NOTHING = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What is in the picture. `share`: the network's word on each face, see `Opinion.share`; None where none was asked
    for. `leans`: (n,) see `Network.leans`, not a number where that was not asked. `read`: how many of the faces were
    read by their pips; the rest the network alone has read. `lone`: where pips lie that are on none of them, pixels."""

    found: known.Found
    seen: check.Check
    share: NDArray[np.float32] | None
    leans: Floats
    read: int
    lone: list[unread.Place]


def closely(image: Image, found: known.Found, profile: Profile, network: Network | None) -> Looked:
    """With what the networks say, and without what is a pattern of the floor."""
    worth = np.array([confidence(value_clues(found.faces, k)) for k in range(len(found.faces))]) > _NOTHING
    if network is None:
        found = replace(found, faces=found.faces.pick(worth))
        seen, lone = _left(image, found, cube.flat(found.faces, profile), profile)
        return Looked(found, seen, None, _unasked(found.faces), len(found.faces), lone)
    cubes = cube.flat(found.faces, profile)
    patches = opinion.patches(image, cubes, found.faces, profile)
    share, leans = network.opinion(patches).share, _unasked(found.faces)
    # This network knows pips only.
    worth &= found.faces.pictured | (share[:, 0] < heard.NO_FACE)
    worth |= ~found.faces.pictured & (share[np.arange(len(share)), found.faces.value] >= heard.CLEAR)
    # The pips of fours and more tell better how a die lies.
    few = worth & ((found.faces.value < 4) | found.faces.pictured)
    leans[few] = network.leans(patches[few])
    found, cubes = replace(found, faces=found.faces.pick(worth)), cubes.pick(worth)
    seen, lone = _left(image, found, cubes, profile)
    looked = Looked(found, seen, share[worth], leans[worth], len(found.faces), lone)
    any_pips = any(len({one.value for one in kind.emblems}) < 6 for kind in profile.kinds)
    return _more(image, looked, cubes, profile, network) if any_pips else looked


def _more(image: Image, looked: Looked, cubes: Cubes, profile: Profile, network: Network) -> Looked:
    """With the dice that the network sees where something lies that those found so far, `cubes`, do not explain, and
    those that it sees otherwise than their pips were read."""
    assert looked.share is not None
    at, found, share = unread.tops(looked.lone, looked.seen, profile), looked.found, looked.share
    keep = np.ones(len(found.faces), np.bool_)
    answers: list[proposed.Answer] = []
    for k in np.nonzero(heard.disputed(found.faces, share))[0]:
        face = replace(found.faces.pick(np.array([k])), value=np.array([heard.seen(share[k])]))
        others = cubes.pick(np.arange(len(cubes)) != k)
        own = proposed.agreed(image, face, others, profile, network)
        keep[k] = not own
        answers += own
    cubes = cubes.pick(keep)
    answers += proposed.proposed(image, at, cubes, profile, network)
    if not answers:
        return looked
    every = faces.join([found.faces.pick(keep), *(one.face for one in answers)])
    found = replace(found, faces=every, pips=pips.join([found.pips, *(one.pips for one in answers)]))
    read, cubes, leans = int(keep.sum()), cube.flat(every, profile), _unasked(every)
    leans[:read] = looked.leans[keep]
    few = (every.value < 4) & (np.arange(len(every)) >= read)
    leans[few] = network.leans(opinion.patches(image, cubes.pick(few), every.pick(few), profile, cubes))
    share = np.concatenate([share[keep], *(one.share for one in answers)])
    seen, lone = _left(image, found, cubes, profile)
    return Looked(found, seen, share, leans, read, lone)


def _left(image: Image, found: known.Found, cubes: Cubes, profile: Profile) -> tuple[check.Check, list[unread.Place]]:
    """How well the dice explain what is seen, and where pips lie that are on none of them."""
    return check.check(image, found.faces, cubes, found.boxes, profile), unread.pips(found.pips, cubes, profile)


def _unasked(found: Faces) -> Floats:
    return np.full(len(found), np.nan)
