"""Ones: single pips in the middle of an even square of the right size and colour."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import faces, kinship, outline
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import size_of, turned
from vision.pips import Pips
from vision.profile import Profile
from vision.sampling import Floats, middle, sample

_TURNS = turned(np.deg2rad(np.arange(0, 90, 4.5)))
_ROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_LEAST = 0.1  # score


def ones(image: Image, every: Pips, profile: Profile) -> Faces:
    """Each pip is tried as the one of each kind. What is cheap to know is asked first: the outline is not."""
    looks = profile.looks
    scale = profile.camera.scale(every.xy.astype(np.float64)[None], looks.edge_mm[:, None])
    edge = size_of(scale) * looks.edge_mm[:, None]
    kind, row = np.nonzero(_of_size(every, edge, profile) & (every.ratio > 0.68) & (every.clean > 0.7))
    edge, scale = edge[kind, row], scale[kind, row]
    alone = faces.company(every.pick(row), every, 0.46 * edge) == 0
    found = _squares(image, every.pick(row[alone]), edge[alone], scale[alone], kind[alone], profile)
    return _outlined(image, found, profile) if len(found) else found


def _of_size(every: Pips, edge: Floats, profile: Profile) -> NDArray[np.bool_]:
    """(kinds, n) which pips may be the one of which kind; `edge`: (kinds, n) of the die, pixels."""
    share = every.radius / edge
    low = np.array([0.7 * min(kind.radius, kind.one) for kind in profile.kinds])
    high = np.array([1.35 * max(kind.radius, kind.one) for kind in profile.kinds])
    return np.asarray((share > low[:, None]) & (share < high[:, None]))


def _squares(
    image: Image, single: Pips, edge: Floats, scale: Floats, kind: NDArray[np.int64], profile: Profile
) -> Faces:
    """Those with one colour all around, as faces that have no outline yet and are not turned."""
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
    quality = single.clean * np.clip((single.ratio - 0.5) / 0.35, 0, 1) * np.clip(1 - uneven / 0.4, 0, 1)
    found = Faces(
        xy=single.xy,
        frame=scale * (profile.looks.offset * profile.looks.edge_mm)[kind, None, None],
        value=np.ones(n, np.int64),
        radius=single.radius,
        body=body,
        pip=single.inner,
        misfit=worst,
        margin=np.ones(n),
        rival=np.zeros(n, np.int64),
        uneven=uneven,
        strays=np.zeros(n),
        score=0.6 * quality,
        half=np.zeros(n),
        sides=np.zeros((n, 4)),
        backed=np.ones(n),
        upright=np.zeros(n),
        kind=kind,
    ).pick((uneven < 0.3) & (worst < 0.7))
    found = kinship.of_its_kind(found, profile)
    return found.pick(found.score > _LEAST)


def _outlined(image: Image, found: Faces, profile: Profile) -> Faces:
    """Those with an outline, turned as it is."""
    half = 0.5 / profile.looks.offset[found.kind]
    enough = 0.3 * found.contrast
    frame = found.frame[:, None] @ _TURNS
    lines = outline.trace(image, found.xy, frame, 0.93 * half, 1.07 * half, enough, grid=6, sharpest=True)
    sides = lines.steps / found.contrast[:, None]
    found = replace(
        found,
        frame=frame[np.arange(len(found)), lines.turn],
        half=lines.half * found.offset,
        sides=sides,
        score=found.score * np.clip(lines.best / found.contrast / 0.12, 0, 1),
    )
    return found.pick(((sides > 0.07).sum(1) >= 2) & (found.score > _LEAST))
