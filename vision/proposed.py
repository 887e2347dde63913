"""Where something lies that no face explains: flat dice supposed there in many poses, for the second opinion to see."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import cube, faces, ninefold, opinion, pips
from vision.cube import Cubes
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import size_of, turned
from vision.lattice import BARE
from vision.opinion import Network
from vision.pips import Pips
from vision.profile import Profile
from vision.sampling import Floats, middle

_STEP = 0.16  # edges from one supposed place to the next; the lumps' middles lie within 0.2 of the dice's
_HERE, _BESIDE = np.zeros((1, 2)), np.array([(1.0, 0), (-1, 0), (0, 1), (0, -1)])
_TURNS = 6  # over a quarter turn
_TURNED = 2  # of them, the likeliest: those for which the places beside are tried
_FINER = 0.5  # of each step: the poses tried around the likeliest one
# Of 58 places 17 were plainer than this at once: the places beside were never likelier, a finer turn changed nothing.
# Nine were fainter than the other: beside them nothing was likelier than 0.09.
_PLAIN, _FAINT = 0.95, 0.05
# What is less likely so far did not become likely by looking finer at any of 35 places; the least that did had 0.6.
_HOPE = 0.4
_MOST = 3  # places that are tried; where more are unread the players are asked in any case
# What is likelier than this is shown as a die; the value is then asked about, unless it is clear.
_LIKELY = 0.9
_KINDS = 2  # of a mixed set those that are tried


def proposed(
    image: Image, at: Sequence[tuple[float, float]], others: Cubes, profile: Profile, network: Network
) -> tuple[Faces, Pips, NDArray[np.float32]]:
    """The likeliest flat die about each place, where there is one, its pips, and what the network says of it (n, 8).

    `at`: pixels, about the middles of top faces. `others`: the dice that are known already.
    """
    faces_, every = [faces.no_faces()], [pips.none()]
    shares = [np.zeros((0, opinion.LABELS), np.float32)]
    for place in at[:_MOST]:
        face, share = _best(image, np.array(place), others, profile, network)
        if _shown(share)[0] > _LIKELY:
            face, own = ninefold.settled(image, face)
            faces_.append(face)
            every.append(own)
            # Where its pips put it the network may see it better than at any of the poses tried.
            again = _said(image, face, others, profile, network)
            value = int(face.value[0])
            shares.append(again if again[0, value] > share[0, value] else share)
    return faces.join(faces_), pips.join(every), np.concatenate(shares)


def _best(
    image: Image, place: Floats, others: Cubes, profile: Profile, network: Network
) -> tuple[Faces, NDArray[np.float32]]:
    """First all turns, then the places beside for the likeliest of them, unless one is plain to see or all are nothing;
    then finer around the likeliest of all, where it is not plain in finer turns too."""

    def seen(pose: Floats, kind: NDArray[np.int64]) -> tuple[Faces, NDArray[np.float32]]:
        supposed = _supposed(image, place, pose, kind, profile)
        return supposed, _said(image, supposed, others, profile, network)

    kind = np.repeat(_kinds(image, place, profile), _TURNS)
    pose = np.tile(_poses(_HERE, np.arange(float(_TURNS))), (len(kind) // _TURNS, 1))
    share = seen(pose, kind)[1]
    plain = _shown(share).max() > _PLAIN
    if _FAINT < _shown(share).max() <= _PLAIN:
        likely = np.argsort(-_shown(share), kind="stable")[:_TURNED]
        beside = _poses(_BESIDE, np.zeros(1))
        pose = np.concatenate([pose, *(pose[k] + beside for k in likely)])
        kind = np.concatenate([kind, np.repeat(kind[likely], len(beside))])
        share = np.concatenate([share, seen(pose[len(share) :], kind[len(share) :])[1]])
    best = int(_shown(share).argmax())
    around: Floats = np.zeros((1, 3))
    if _shown(share)[best] > _HOPE:
        around = _FINER * _poses(np.concatenate([_HERE, _BESIDE]), np.zeros(1) if plain else np.arange(-1.0, 2))
    faces_, share = seen(pose[best] + around, np.full(len(around), kind[best]))
    one = np.array([_shown(share).argmax()])
    value = 1 + share[one, 1:-1].argmax(1)
    own = profile.kinds[int(kind[best])]
    radius = faces_.radius[one] * (own.one / own.radius if value[0] == 1 else 1.0)
    return replace(faces_.pick(one), value=value, radius=radius), share[one]


def _said(image: Image, supposed: Faces, others: Cubes, profile: Profile, network: Network) -> NDArray[np.float32]:
    """(n, 8) what the network says of each, as if it were the only one beside the `others`."""
    cubes = cube.flat(supposed, profile)
    return network.opinion(opinion.patches(image, cubes, supposed, profile, others)).share


def _shown(share: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n,) the probability of the likeliest value."""
    return np.asarray(share[:, 1:-1].max(1))


def _poses(shift: Floats, turn: Floats) -> Floats:
    """(n, 3) edges right, edges down and radians: each `shift` (k, 2) with each `turn` (m,), both in steps."""
    shift, turn = np.repeat(shift, len(turn), axis=0), np.tile(turn, len(shift))
    return np.column_stack([_STEP * shift, turn * np.pi / 2 / _TURNS])


def _kinds(image: Image, place: Floats, profile: Profile) -> NDArray[np.int64]:
    """The kinds whose bodies are most like what is seen there, whatever the light."""
    cost = []
    for kind in profile.kinds:
        reach = 0.3 * kind.edge_mm * float(size_of(profile.camera.scale(place, kind.edge_mm)))
        points = np.stack(np.meshgrid(*[np.linspace(-1, 1, 9)] * 2), -1).reshape(-1, 2)
        seen = faces.looks(image, place[None], np.eye(2)[None] * reach, points, np.ones(1))[0]
        body = np.array(kind.body)
        gain = np.clip((seen @ body) / max(1.0, float(body @ body)), 0.3, 2.0)[:, None]
        cost.append(float(np.median(np.linalg.norm(seen - gain * body, axis=1))))
    return np.argsort(cost)[:_KINDS]


def _supposed(image: Image, place: Floats, pose: Floats, kind: NDArray[np.int64], profile: Profile) -> Faces:
    """Faces at `place` moved and turned by each `pose` (n, 3): edges right and down, radians. `kind`: (n,)."""
    n, kinds = len(pose), [profile.kinds[k] for k in kind]
    edge, offset = np.array([k.edge_mm for k in kinds]), np.array([k.offset for k in kinds])
    scale = profile.camera.scale(np.broadcast_to(place, (n, 2)), edge)
    xy = place + (scale @ (pose[:, :2] * edge[:, None])[:, :, None])[..., 0]
    frame = profile.camera.scale(xy, edge) @ turned(pose[:, 2]) * (offset * edge)[:, None, None]
    radius = size_of(frame) * np.array([k.radius for k in kinds]) / offset
    body = middle(faces.looks(image, xy, frame, BARE, 0.25 * radius))
    own, pip = np.array([k.body for k in kinds]), np.array([k.pip for k in kinds])
    gain = np.clip(body.sum(1) / np.maximum(1.0, own.sum(1)), 0.3, 2)[:, None]
    one, whole = np.ones(n), np.ones(n, np.int64)
    return Faces(
        xy=xy,
        frame=frame,
        value=whole,
        radius=radius,
        body=body,
        pip=np.clip(body + gain * (pip - own), 0, 255),
        misfit=0 * one,
        margin=one,
        rival=0 * whole,
        uneven=0 * one,
        strays=0 * one,
        score=one,
        half=size_of(frame) / offset / 2,
        sides=np.zeros((n, 4)),
        backed=0 * one,
        upright=0 * one,
        kind=kind,
    )
