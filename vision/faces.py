"""Faces: pips that sit on the lattice of a die's face, on one even body."""

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.geometry import angle_of, size_of, turned, within
from vision.lattice import BARE, BEYOND, LARGE, PLACES, SETS, VALUES
from vision.pips import Pips, without
from vision.sampling import Floats, middle, sample

# Centres of two top faces lie at least an edge apart, and an edge is 3.6 to 4.4 pip offsets on the dice measured.
APART = 3.2

# Pairs and faces looked at: 72 dice that touch make 660 pairs and 1,700 faces, a dotted cloth more than memory holds.
_MOST = 4000


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Candidate top faces, one a row.

    `xy`: (n, 2) pixels. `frame`: (n, 2, 2) columns are the face's own x and y axis in pixels, one pip offset long
    (from a face's middle line to its outer pips). `value`: (n,) 1-6. `radius`: (n,) pip radius in pixels, 0 on a face
    without pips: an emblem. `body`,
    `pip`: (n, 3) BGR. `misfit`: (n,) 0 is a perfect pattern. `margin`: (n,) how much worse the next best value fits;
    `rival`: (n,) that value, 0 where none was compared. `uneven`: (n,) 0-1, how much the bare places differ among
    themselves. `strays`: (n,) pips on the face off its pattern. `score`: (n,) larger is better, about one a pip.
    `half`: (n,) half edge of the top face in pixels. `sides`: (n, 4) colour step at each side as a share of the pips'
    contrast; both 0 until the outline was traced. `backed`: (n,) share of the value's places where a pip was found on
    its own. `upright`: (n,) 1 where a six has its rows along the y axis, else 0. `kind`: (n,) index of the kind of
    die, -1 where no kinds are known.
    """

    xy: Floats
    frame: Floats
    value: NDArray[np.int64]
    radius: Floats
    body: Floats
    pip: Floats
    misfit: Floats
    margin: Floats
    rival: NDArray[np.int64]
    uneven: Floats
    strays: Floats
    score: Floats
    half: Floats
    sides: Floats
    backed: Floats
    upright: Floats
    kind: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.value)

    @property
    def offset(self) -> Floats:
        """(n,) pixels."""
        return size_of(self.frame)

    @property
    def angle(self) -> Floats:
        """(n,) radians."""
        return angle_of(self.frame)

    @property
    def contrast(self) -> Floats:
        """(n,) colour distance of pips and body."""
        return np.asarray(np.maximum(np.linalg.norm(self.pip - self.body, axis=1), 1.0))

    @property
    def pictured(self) -> NDArray[np.bool_]:
        """(n,) which were read by an emblem, not by pips."""
        return np.asarray(self.radius == 0)

    def pick(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "Faces":
        return Faces(*(getattr(self, name)[which] for name in _NAMES))


_NAMES = tuple(f.name for f in fields(Faces))


def no_faces() -> Faces:
    one, three, whole = np.zeros(0), np.zeros((0, 3)), np.zeros(0, np.int64)
    return Faces(
        xy=np.zeros((0, 2)),
        frame=np.zeros((0, 2, 2)),
        value=whole,
        radius=one,
        body=three,
        pip=three,
        misfit=one,
        margin=one,
        rival=whole,
        uneven=one,
        strays=one,
        score=one,
        half=one,
        sides=np.zeros((0, 4)),
        backed=one,
        upright=one,
        kind=whole,
    )


def join(parts: list[Faces]) -> Faces:
    parts = [p for p in parts if len(p)]
    if not parts:
        return no_faces()
    return Faces(*(np.concatenate([getattr(p, name) for p in parts]) for name in _NAMES))


def diagonals(pips: Pips, low: float, high: float) -> NDArray[np.int64]:
    """Pairs of alike pips whose distance is `low` to `high` of their radius: (n, 2) indices."""
    if len(pips) < 2:
        return np.zeros((0, 2), np.int64)
    apart = np.hypot(*(pips.xy[:, None] - pips.xy[None]).transpose(2, 0, 1))
    radius = (pips.radius[:, None] + pips.radius[None]) / 2
    pairs = alike(pips, (apart > low * radius) & (apart < high * radius))
    if len(pairs) <= _MOST:
        return pairs
    worth = (pips.clean * pips.ratio)[pairs].min(1)
    return pairs[np.argsort(-worth, kind="stable")[:_MOST]]


def alike(pips: Pips, near: NDArray[np.bool_], ground: float = 0.5, shade: float = 1.0) -> NDArray[np.int64]:
    """Those of the pairs `near` (n, n) that have one size, one colour and one ground: (k, 2) indices.

    `ground`: how far the surroundings may differ, as a share of the fainter pip's contrast. `shade`: less than this
    many times as much light may fall on the one as on the other, where that explains both their colours.
    """
    first, second = np.nonzero(np.triu(near, 1))
    size = np.abs(np.log(pips.radius[first] / pips.radius[second])) < 0.33
    first, second = first[size], second[size]
    same = _like(pips, first, second, np.ones(len(first)), _PIP, ground)
    if shade > 1:
        lit = np.linalg.norm(pips.outer, axis=1)
        dark, light = np.where(lit[first] < lit[second], (first, second), (second, first))
        share = (pips.outer[dark] * pips.outer[light]).sum(1) / np.maximum(lit[light] ** 2, 1)
        same |= (share > 1 / shade) & (share < 1) & _like(pips, dark, light, share, _SHADED, _SHADED)
    return np.column_stack([first[same], second[same]])


# How far pips of one face may differ, as a share of the fainter contrast; and they and what lies around them where
# one is in a shadow: through a clear die the pips of its underside show, in other colours.
_PIP, _SHADED = 0.6, 0.3


def _like(
    pips: Pips, dark: NDArray[np.int64], light: NDArray[np.int64], share: Floats, inner: float, outer: float
) -> NDArray[np.bool_]:
    """Which of the pips `light` (n,) have the colours of those at `dark` in this `share` (n,) of their light."""
    contrast = np.minimum(pips.contrast[dark], share * pips.contrast[light])
    pip, ground = (
        np.linalg.norm(seen[dark] - share[:, None] * seen[light], axis=1) for seen in (pips.inner, pips.outer)
    )
    return np.asarray((pip < inner * contrast) & (ground < outer * contrast))


def frames(pips: Pips, pairs: NDArray[np.int64], scale: Floats | None = None) -> Floats:
    """The frame (n, 2, 2) that has each pair on its diagonal from (-1, -1) to (1, 1).

    `scale`: (n, 2, 2) pixels a millimetre where the pair lies, for a camera that does not look straight down.
    """
    way: Floats = (pips.xy[pairs[:, 1]] - pips.xy[pairs[:, 0]]).astype(np.float64)
    if scale is not None:
        way = within(scale, way)
    offset = np.hypot(way[:, 0], way[:, 1]) / (2 * np.sqrt(2))
    turn = turned(np.arctan2(way[:, 1], way[:, 0]) - np.pi / 4) * offset[:, None, None]
    return turn if scale is None else np.asarray(scale @ turn)


def fit(
    image: Image,
    pips: Pips,
    pairs: NDArray[np.int64],
    frame: Floats,
    centre: Floats | None = None,
    gleams: bool = False,
) -> Faces:
    """Read the face that has each pair on a diagonal. Those that are no face are left out.

    `frame`: (n, 2, 2). `centre`: (n, 2) pixels, where it is not the middle of each pair. `gleams`: faces may gleam.
    """
    if not len(pairs):
        return no_faces()
    one, two = pairs[:, 0], pairs[:, 1]
    clean = np.minimum(pips.clean[one], pips.clean[two])
    ratio = np.minimum(pips.ratio[one], pips.ratio[two])
    worth = clean * np.clip((ratio - 0.4) / 0.4, 0, 1)
    radius = (pips.radius[one] + pips.radius[two]) / 2
    pip = (pips.inner[one] + pips.inner[two]) / 2
    middle = (pips.xy[one] + pips.xy[two]) / 2 if centre is None else centre
    return read(image, pips, middle, frame, radius, pip, worth, gleams)


def read(
    image: Image,
    pips: Pips,
    xy: Floats,
    frame: Floats,
    radius: Floats,
    pip: Floats,
    worth: Floats,
    gleams: bool = False,
) -> Faces:
    """The value at each pose, by looking at all nine places of its lattice.

    `worth`: (n,) 0-1, how good the two pips are that suggested the pose. `gleams`: faces may be uneven, for a gleam
    lies on them; then each place is held against its own surroundings, and all the value's pips must be found.
    """
    body, uneven = _ground(image, xy, frame, radius, pip, BARE)
    large = radius > LARGE * np.linalg.norm(frame, axis=1).max(1)
    # Where a gleam is looked for, its border must not pass for the body.
    if large.any() and not gleams:
        beyond, as_even = _ground(image, xy[large], frame[large], radius[large], pip[large], BEYOND)
        better = as_even < uneven[large]
        rows = np.nonzero(large)[0][better]
        body[rows], uneven[rows] = beyond[better], as_even[better]
    way = pip - body
    contrast = np.maximum(np.linalg.norm(way, axis=1), 1.0)
    places = looks(image, xy, frame, PLACES, 0.45 * radius)
    t = np.einsum("npc,nc->np", places - body[:, None], way) / (contrast**2)[:, None]
    shiny = gleams & (uneven > _UNEVEN)
    if shiny.any():
        t[shiny] = here(image, xy[shiny], frame[shiny], radius[shiny], pip[shiny])
    cost = ((np.clip(t, -0.6, 1.3)[:, None] - SETS[None]) ** 2).sum(2)
    best = cost.argmin(1)
    misfit = cost[np.arange(len(best)), best]
    value = VALUES[best]
    cost[VALUES[None] == value[:, None]] = np.inf
    margin = cost.min(1) - misfit
    rows = np.nonzero((misfit < 1.6) & ((uneven < 0.45) | shiny) & (contrast > 12) & (worth > 0))[0]
    near = _strays(pips, xy[rows], frame[rows], SETS[best[rows]], body[rows], way[rows], radius[rows], gleams)
    strays, backed = near
    sure = shiny[rows] & (backed == 1) & (strays == 0) & (misfit[rows] < _SURE)
    rows, strays, backed = (part[sure | (uneven[rows] < 0.45)] for part in (rows, strays, backed))
    uneven = np.where(shiny, np.minimum(uneven, _UNEVEN), uneven)
    quality = np.clip(1 - misfit[rows] / 2.0, 0, 1) * np.clip(1 - uneven[rows] / 0.5, 0, 1) * (0.4 + 0.6 * worth[rows])
    zero = np.zeros(len(rows))
    return Faces(
        xy=xy[rows],
        frame=frame[rows],
        value=value[rows],
        radius=radius[rows],
        body=body[rows],
        pip=pip[rows],
        misfit=misfit[rows],
        margin=margin[rows],
        rival=VALUES[cost.argmin(1)][rows],
        uneven=uneven[rows],
        strays=strays,
        score=value[rows] * quality * (0.3 + 0.7 * backed) - 0.45 - 0.8 * strays,
        half=zero,
        sides=np.zeros((len(rows), 4)),
        backed=backed,
        upright=SETS[best[rows], 3] * (value[rows] == 6),
        kind=np.full(len(rows), -1),
    )


def _ground(
    image: Image, xy: Floats, frame: Floats, radius: Floats, pip: Floats, points: Floats
) -> tuple[Floats, Floats]:
    """The body's colour (n, 3) at `points` (p, 2) where no pips are, and how much they differ: (n,) 0-1."""
    bare = looks(image, xy, frame, points, 0.25 * radius)
    body = middle(bare)
    return body, np.clip(unlikeness(bare, body, pip) / 0.6, 0, 1).mean(1)


# From here on a face is so uneven that a gleam lies on it; and how well the places of such a face must fit.
_UNEVEN, _SURE = 0.25, 0.5
_SPECK = 0.25  # natural logarithm of a spot's radius against the face's pips


def here(image: Image, xy: Floats, frame: Floats, radius: Floats, pip: Floats) -> Floats:
    """(n, 9) how far each of the nine places has come from the colour right around it (0) to the pip's (1).

    Where a gleam has the pip's own colour nothing can be told: half.
    """
    places = looks(image, xy, frame, PLACES, 0.45 * radius)
    circle = radius[:, None, None] * 1.6 * _EIGHT
    middle = PLACES @ frame.transpose(0, 2, 1) + xy[:, None]
    at = (middle[:, :, None] + circle[:, None]).reshape(len(xy), -1, 2)
    ring = np.sort(sample(image, at[..., 0], at[..., 1]).reshape(len(xy), len(PLACES), len(_EIGHT), 3), axis=2)
    around = (ring[:, :, 3] + ring[:, :, 4]) / 2
    whole = np.linalg.norm(around - pip[:, None], axis=2)
    left = np.linalg.norm(places - pip[:, None], axis=2)
    return np.asarray(np.where(whole < _BLIND, 0.5, 1 - left / np.maximum(whole, 1)))


_EIGHT = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], 1)
_BLIND = 12.0  # colour distance, 0-255, that noise and sharpening make


def unlikeness(seen: Floats, body: Floats, pip: Floats) -> Floats:
    """How far colours (n, p, 3) are from the body's, as a share of the pips' contrast: (n, p).

    Away from the pips' colour counts less than towards it: a rounded edge beside light pips is darker than the face.
    """
    way = pip - body
    contrast = np.maximum(np.linalg.norm(way, axis=1), 1.0)[:, None]
    apart = seen - body[:, None]
    along = np.einsum("npc,nc->np", apart, way) / contrast**2
    aside = np.maximum(np.einsum("npc,npc->np", apart, apart) / contrast**2 - along**2, 0)
    return np.asarray(np.sqrt(np.maximum(along, -0.4 * along) ** 2 + 0.7 * aside))


def looks(image: Image, xy: Floats, frame: Floats, points: Floats, blur: Floats) -> Floats:
    """Mean colour around each of `points` (p, 2), in the units of each frame: (n, p, 3). `blur`: (n,) pixels."""
    at = points @ frame.transpose(0, 2, 1) + xy[:, None]
    around = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
    at = (at[:, :, None] + blur[:, None, None, None] * around).reshape(len(at), -1, 2)
    got = sample(image, at[..., 0], at[..., 1])
    # Five times as fast as a mean over an axis so short.
    total = np.einsum("npkc->npc", got.reshape(len(at), len(points), len(around), 3))
    return np.asarray(total / np.float32(len(around)))


def _strays(
    pips: Pips, xy: Floats, frame: Floats, sets: Floats, body: Floats, way: Floats, radius: Floats, gleams: bool
) -> tuple[Floats, Floats]:
    """(n,) pips like the face's own that lie on it off its pattern; (n,) share of the pattern that has its pip.

    `gleams`: specks in a gleam, that are smaller than pips, are none."""
    reach = 2.5 * size_of(frame)[:, None]
    near = (np.abs(pips.xy[:, 0] - xy[:, :1]) < reach) & (np.abs(pips.xy[:, 1] - xy[:, 1:]) < reach)
    row, col = np.nonzero(near)
    if not len(row):
        return np.zeros(len(xy)), np.zeros(len(xy))
    at = within(frame[row], pips.xy[col] - xy[row])
    t = ((pips.inner[col] - body[row]) * way[row]).sum(1) / np.maximum((way[row] ** 2).sum(1), 1)
    like = (np.abs(at) < 1.6).all(1) & (t > 0.55) & (np.abs(np.log(pips.radius[col] / radius[row])) < 0.5)
    size = np.abs(np.log(pips.radius[col] / radius[row]))[like]
    row, at = row[like], at[like]
    off = np.hypot(at[:, :1] - PLACES[:, 0], at[:, 1:] - PLACES[:, 1])
    off = np.where(sets[row] > 0.5, off, 9)
    nearest, place = off.min(1), off.argmin(1)
    stray = (nearest > 0.45) & ((size < _SPECK) if gleams else True)
    strays = np.bincount(row[stray], minlength=len(xy)).astype(np.float64)
    taken = np.zeros(sets.shape, bool)
    taken[row[nearest < 0.3], place[nearest < 0.3]] = True
    return strays, taken.sum(1) / sets.sum(1)


def company(single: Pips, every: Pips, reach: Floats) -> NDArray[np.int64]:
    """(n,) how many other pips of like colour lie within `reach` (n,) pixels of each: beside a one there are none."""
    apart = np.hypot(single.xy[:, :1] - every.xy[:, 0], single.xy[:, 1:] - every.xy[:, 1])
    one, other = np.nonzero((apart < reach[:, None]) & (apart > 1.2 * single.radius[:, None]))
    way = (single.inner - single.outer)[one]
    t = ((every.inner[other] - single.outer[one]) * way).sum(1) / np.maximum((way**2).sum(1), 1)
    return np.bincount(one[t > 0.5], minlength=len(single))


def distinct(faces: Faces) -> Faces:
    """One of each group that reads the same face the same way."""
    if len(faces) < 2:
        return faces
    f = faces.pick(np.argsort(-faces.score)[:_MOST])
    offset = f.offset
    apart = np.hypot(*(f.xy[:, None] - f.xy[None]).transpose(2, 0, 1))
    same = (apart < 0.5 * offset[:, None]) & (np.abs(np.log(offset[:, None] / offset[None])) < 0.2)
    same &= f.value[:, None] == f.value[None]
    return f.pick(without(same))


def scored(faces: Faces, score: Floats) -> Faces:
    return replace(faces, score=score)
