"""Ones: single pips in the middle of a square of the right size and colour."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import faces, kinship, outline
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import size_of, turned
from vision.ground import die_like, floor_like
from vision.lattice import PLACES
from vision.pips import Pips
from vision.profile import Profile
from vision.sampling import Floats, middle, sample

_TURNS = turned(np.deg2rad(np.arange(0, 90, 4.5)))
_ROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_LEAST = 0.1  # score
_OTHER = np.hypot(*PLACES.T) > 0.5  # places of a face where a one has no pip
# A face on which a gleam lies is uneven. There must be die all around then, the pip must be just as a one's, and the
# square plain to see: share of die colours; natural logarithm of the radius against the kind's; short over long axis;
# colour step at three sides. Of 800 ones and 3000 other spots in rendered throws these part 15 gleaming ones from all
# else.
_DIE, _RADIUS, _CIRCLE, _STEP = 0.85, 0.15, 0.85, 0.1
_SAME = 0.03  # natural logarithm of edges that count as one size
_GLEAMS = 0.5  # what such a one is worth against one on an even face


def ones(image: Image, every: Pips, profile: Profile) -> Faces:
    """Each pip is tried as the one of each kind. What is cheap to know is asked first: the outline is not."""
    looks = profile.looks
    scale = profile.camera.scale(every.xy.astype(np.float64)[None], looks.edge_mm[:, None])
    edge = size_of(scale) * looks.edge_mm[:, None]
    kind, row = np.nonzero(_of_size(every, edge, profile) & (every.ratio > 0.68) & (every.clean > 0.5))
    edge, scale = edge[kind, row], scale[kind, row]
    single = every.pick(row)
    even = (faces.company(single, every, 0.46 * edge) == 0) & (single.clean > 0.7)
    just = _just(single, every, edge, kind, profile)
    rows = np.nonzero(even | just)[0]
    found = _squares(image, single.pick(rows), edge[rows], scale[rows], kind[rows], even[rows], just[rows], profile)
    return _outlined(image, found, profile) if len(found) else found


def _just(single: Pips, every: Pips, edge: Floats, kind: NDArray[np.int64], profile: Profile) -> NDArray[np.bool_]:
    """Which are just as a one's pip, and have no other of about their size near; specks in a gleam are smaller."""
    radius = np.array([k.one for k in profile.kinds])[kind]
    just = (np.abs(np.log(single.radius / edge / radius)) < _RADIUS) & (single.ratio > _CIRCLE)
    apart = np.hypot(*(single.xy[:, None] - every.xy[None]).transpose(2, 0, 1))
    near = (apart < 0.55 * edge[:, None]) & (apart > 0.8 * single.radius[:, None]) & (every.ratio > 0.7)
    return np.asarray(just & ~(near & (np.abs(np.log(every.radius / single.radius[:, None])) < 0.45)).any(1))


def _of_size(every: Pips, edge: Floats, profile: Profile) -> NDArray[np.bool_]:
    """(kinds, n) which pips may be the one of which kind; `edge`: (kinds, n) of the die, pixels."""
    share = every.radius / edge
    low = np.array([0.7 * min(kind.radius, kind.one) for kind in profile.kinds])
    high = np.array([1.35 * max(kind.radius, kind.one) for kind in profile.kinds])
    return np.asarray((share > low[:, None]) & (share < high[:, None]))


def _squares(
    image: Image,
    single: Pips,
    edge: Floats,
    scale: Floats,
    kind: NDArray[np.int64],
    even: NDArray[np.bool_],
    just: NDArray[np.bool_],
    profile: Profile,
) -> Faces:
    """Those with one colour all around (`even`) or die all around (`just`), as faces that have no outline yet and are
    not turned. The latter, that gleam, are marked by a margin of 0."""
    n = len(single)
    if not n:
        return faces.no_faces()
    inner = 1.5 * single.radius
    far = inner[:, None] + (0.41 * edge - inner)[:, None] * np.linspace(0, 1, 4)
    x = single.xy[:, :1] + (far[:, :, None] * np.cos(_ROUND)).reshape(n, -1)
    y = single.xy[:, 1:] + (far[:, :, None] * np.sin(_ROUND)).reshape(n, -1)
    around = sample(image, x, y)
    body = middle(around)
    spread = faces.unlikeness(around, body, single.inner)
    uneven = np.clip(spread / 0.6, 0, 1).mean(1)
    worst = np.sort(spread, axis=1)[:, -5]
    even = even & (uneven < 0.3) & (worst < 0.7)
    gleams = just & ~even
    if gleams.any():
        gleams[gleams] = die_like(image, np.stack([x, y], axis=2)[gleams], profile).mean(1) > _DIE
    quality = single.clean * np.clip((single.ratio - 0.5) / 0.35, 0, 1)
    quality *= np.where(gleams, _GLEAMS, np.clip(1 - uneven / 0.4, 0, 1))
    found = Faces(
        xy=single.xy,
        frame=scale * (profile.looks.offset * profile.looks.edge_mm)[kind, None, None],
        value=np.ones(n, np.int64),
        radius=single.radius,
        body=body,
        pip=single.inner,
        misfit=worst,
        margin=np.where(gleams, 0.0, 1.0),
        rival=np.zeros(n, np.int64),
        uneven=uneven,
        strays=np.zeros(n),
        score=0.6 * quality,
        half=np.zeros(n),
        sides=np.zeros((n, 4)),
        backed=np.ones(n),
        upright=np.zeros(n),
        kind=kind,
    ).pick(even | gleams)
    kindred = kinship.of_its_kind(found, profile)
    # In a gleam colours say little.
    found = faces.scored(kindred, np.where(kindred.margin > 0, kindred.score, np.maximum(kindred.score, 0.2)))
    found = found.pick(found.score > _LEAST)
    return found.pick(_likeliest(found, profile))


def _likeliest(found: Faces, profile: Profile) -> NDArray[np.int64]:
    """Of each pip the likeliest kind of each size: kinds of one size have the same outline there."""
    size = np.round(np.log(profile.looks.edge_mm[found.kind]) / _SAME)
    order = np.argsort(-found.score, kind="stable")
    best: dict[tuple[float, ...], int] = {}
    for k in order.tolist():
        best.setdefault((*found.xy[k].tolist(), float(size[k])), k)
    return np.array(sorted(best.values()), np.int64)


def _outlined(image: Image, found: Faces, profile: Profile) -> Faces:
    """Those with an outline, turned as it is."""
    half = 0.5 / profile.looks.offset[found.kind]
    enough = 0.3 * found.contrast
    frame = found.frame[:, None] @ _TURNS
    floor = _floor(image, found.xy.astype(np.float64), frame, half, profile)
    fair = (1 - (floor - floor.min(1, keepdims=True))) ** 3
    lines = outline.trace(image, found.xy, frame, 0.93 * half, 1.07 * half, enough, grid=6, sharpest=True, fair=fair)
    sides = lines.steps / found.contrast[:, None]
    gleams = found.margin == 0
    frame = frame[np.arange(len(found)), lines.turn]
    # There the face says nothing by its evenness; that no other pip shows through must do.
    other = faces.here(image, found.xy.astype(np.float64), frame, found.radius, found.pip)[:, _OTHER].max(1)
    found = replace(
        found,
        frame=frame,
        misfit=np.where(gleams, np.clip(other, 0, 1.5), found.misfit),
        uneven=np.where(gleams, 0.0, found.uneven),
        margin=np.ones(len(found)),
        half=lines.half * found.offset,
        sides=sides,
        score=found.score * np.clip(lines.best / found.contrast / 0.12, 0, 1),
    )
    shows = np.where(gleams, (sides > _STEP).sum(1) > 2, (sides > 0.07).sum(1) > 1)
    return found.pick(shows & (found.score > _LEAST))


def _floor(image: Image, xy: Floats, frame: Floats, half: Floats, profile: Profile) -> Floats:
    """(n, k) share of floor along the border of each square, inside: none when it is turned as the die is."""
    n, k = frame.shape[:2]
    border = np.array([(x, y) for x in (-0.86, 0.86) for y in (-0.75, -0.4, 0, 0.4, 0.75)])
    border = np.concatenate([border, border[:, ::-1]])
    at = (border * half[:, None, None])[:, None] @ frame.transpose(0, 1, 3, 2) + xy[:, None, None]
    return np.asarray(floor_like(image, at.reshape(n, -1, 2), profile).reshape(n, k, -1).mean(2))
