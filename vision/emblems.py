"""Dice in a picture whose faces are emblems: places of their size are compared with each, in all turns."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import cube, ink, likeness
from vision.dice_set import Kind
from vision.emblem import CLOSE, COARSE, FINE, SIDE, SQUEEZED, Album, album
from vision.faces import Faces, join, no_faces
from vision.frame import Image
from vision.geometry import size_of, turned
from vision.lattice import ONE, PATTERNS, PLACES
from vision.pips import resized
from vision.polygon import Box
from vision.profile import SHRINK, Profile, shrunk
from vision.sampling import Floats

Numbers = NDArray[np.int64]

_EDGE = 14  # pixels of an edge in the picture that is searched: emblems are still told by and large
_STEP = 1 / 12  # edges from one place to the next
_CLOSE_EDGE, _CLOSE_STEP = 28, 1 / 22  # the same where it is looked at closely
_MANY = 8000  # places of ten dice, looked at closely: what is larger is a hand or a box, and would take seconds
_AT_ONCE = 512
_FLOOR_LIKE = 60  # likeness up to which a colour is the floor's
_CHANGED, _SHARE = 12, 0.3  # difference to the empty tray, and share of a face that must show it
_FIRST = 0.4  # likeness of a first look from which on it is worth a second
_PEAKS = 30  # places that get a second look, at most
_SECOND = 2  # emblems of each that get a third
_NEAR = 0.35  # edges: places nearer to each other are one die's
ODD = 0.3  # misfit: of fifteen rendered ones one had more, in a gleam, and all of five logos that seemed ones
_THIRD = 0.55  # likeness from which on it gets that: a star that lies turned by one of its points has 0.62
_LEAST = 0.76  # likeness of something that may be an emblem
# Likeness where a spot like a one is its middle: 0.92 and more on 12 rendered logos, on 11 ones in gleams 0.45 at most.
_LOGO = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """Of one kind: `value` (m,) of each picture in `fine`, first the emblems, then 0 for faces with pips, which `ones`
    and `lattice` read better: with these what was found is compared, they are not looked for. `way`: in which way their
    ink differs from the dice. `whole`: the emblems as they are, with what is no ink."""

    value: NDArray[np.int64]
    way: ink.Way
    coarse: Album
    close: Album
    fine: Album
    whole: Album


@lru_cache(maxsize=8)
def pictures(kind: Kind) -> Pictures:
    """The same kind is asked for at each picture."""
    own = [one.picture for one in kind.emblems]
    own += [pipped(kind, value) for value in sorted(set(range(1, 7)) - {one.value for one in kind.emblems})]
    value = np.array([one.value for one in kind.emblems] + [0] * (len(own) - len(kind.emblems)))
    way, whole = ink.way(own[: len(kind.emblems)]), album(own, FINE)
    own = [ink.of(one, SIDE, way) for one in own]
    softer, soft = ([_resized(one, edge) for one in own[: len(kind.emblems)]] for edge in (_EDGE, _CLOSE_EDGE))
    return Pictures(value, way, album(softer, COARSE), album(soft, CLOSE), album(own, FINE), whole)


def inked(image: Image, kind: Kind, edge_px: float, boxes: tuple[Box, ...] | None = None) -> Image:
    """The picture that this kind's `pictures` are looked for in. `boxes`: see `ink.of`."""
    return ink.of(image, edge_px, pictures(kind).way, boxes)


def _resized(picture: Image, edge: int) -> Image:
    return np.asarray(cv2.resize(picture, (edge, edge), interpolation=cv2.INTER_AREA), np.uint8)


def pipped(kind: Kind, value: int) -> Image:
    """A face of this kind with pips, as an emblem's picture."""
    pattern = ONE if value == 1 else next(p for v, p in PATTERNS if v == value)
    radius = kind.one if value == 1 else kind.radius
    out = np.full((4 * SIDE, 4 * SIDE, 3), kind.body, np.float32)
    for x, y in (PLACES[pattern > 0.5] * kind.offset + 0.5) * 4 * SIDE - 0.5:
        cv2.circle(out, (round(float(x)), round(float(y))), round(radius * 4 * SIDE), kind.pip, -1, cv2.LINE_AA)
    return np.asarray(cv2.resize(out, (SIDE, SIDE), interpolation=cv2.INTER_AREA).clip(0, 255), np.uint8)


def without(image: Image, found: Faces, profile: Profile) -> Faces:
    """Without faces read by pips whose value has an emblem on their kind of dice, and without what is not quite a one
    where an emblem may be: the middle of a logo may be such a spot."""
    if not any(kind.emblems for kind in profile.kinds):
        return found
    found = found.pick(~_drawn(found, profile))
    odd = ~_quite(found)
    odd[odd] = _likest(image, found.pick(odd), profile) > _LOGO
    return found.pick(~odd)


def none_there(image: Image, found: Faces, profile: Profile) -> NDArray[np.bool_]:
    """(n,) which of the faces that a second look alone has read can have these pips: it takes many a logo for a one."""
    may = np.array([not kind.emblems for kind in profile.kinds], np.bool_)[found.kind]
    may |= ~_drawn(found, profile) & (found.value > 1)
    may[may] = _likest(image, found.pick(may), profile) < _LOGO
    return may


def _drawn(found: Faces, profile: Profile) -> NDArray[np.bool_]:
    """(n,) whose value has an emblem on their kind of dice."""
    drawn = [{one.value for one in kind.emblems} for kind in profile.kinds]
    return np.array([value in drawn[k] for value, k in zip(found.value, found.kind, strict=True)], np.bool_)


def _likest(image: Image, found: Faces, profile: Profile) -> Floats:
    """(n,) 0-1: how well the likest emblem of its kind explains what lies about the middle of each face."""
    out = np.zeros(len(found))
    for k, kind in enumerate(profile.kinds):
        rows = np.nonzero(found.kind == k)[0]
        if kind.emblems and len(rows):
            known, n, m = pictures(kind).fine.first(len(kind.emblems)), len(rows), len(kind.emblems)
            xy = found.xy[rows].astype(np.float64)
            way: Floats = found.frame[rows].astype(np.float64) / (2 * kind.offset)
            low = np.maximum(xy - _BESIDE * size_of(way)[:, None], 0).astype(int)
            high = (xy + _BESIDE * size_of(way)[:, None]).astype(int)
            boxes = tuple((int(x0), int(y0), int(x1), int(y1)) for (x0, y0), (x1, y1) in zip(low, high, strict=True))
            inks = inked(image, kind, float(profile.looks.edge_px[k]), boxes)
            at, way = _looked_about(inks, xy, way, known)
            like = known.refined(inks, at, way, np.tile(np.arange(m).repeat(_LIES), n), 5)[2]
            out[rows] = like.reshape(n, -1).max(1)
    return out


_BESIDE = 2.0  # half edges from the middle of a face


def like_pips(found: Faces) -> Faces:
    """Without ones that are not quite like one: the middle of a logo may be such a spot."""
    return found.pick(_quite(found))


def _quite(found: Faces) -> NDArray[np.bool_]:
    return np.asarray(found.pictured | (found.value > 1) | (found.misfit < ODD))


def find(image: Image, boxes: tuple[Box, ...], changed: NDArray[np.uint8] | None, profile: Profile) -> Faces:
    """All that may be a die with an emblem on top."""
    return _find(image, boxes, changed, profile, closely=False)


def find_closely(image: Image, boxes: tuple[Box, ...], left: NDArray[np.uint8], profile: Profile) -> Faces:
    """The same where something is `left` that no die explains: emblems that differ from others in little, too."""
    return _find(image, boxes, left, profile, closely=True)


def about_ones(image: Image, boxes: tuple[Box, ...], found: Faces, profile: Profile) -> Faces:
    """The emblems where ones were `found`: the middle of a logo may be such a spot."""
    parts = []
    for k, kind in enumerate(profile.kinds):
        ones = found.pick((found.kind == k) & (found.value == 1) & ~found.pictured)
        if kind.emblems and len(ones):
            inks = inked(image, kind, float(profile.looks.edge_px[k]), boxes)
            at, way = ones.xy.astype(np.float64), ones.frame.astype(np.float64) / (2 * kind.offset)
            parts.append(_told(image, inks, at, way, profile, k))
    return join(parts)


def unexplained(image: Image, changed: NDArray[np.uint8], found: Faces, profile: Profile) -> NDArray[np.uint8]:
    """`changed` without what the dice `found` hide, and without the colours of the floor."""
    left = changed.copy()
    hidden = cube.covered(profile.height, profile.width, found, profile)
    left[cv2.resize(hidden, left.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0] = 0
    if profile.likeness is not None:
        left[likeness.of(shrunk(image), profile.likeness) < _FLOOR_LIKE] = 0
    return left


def _find(
    image: Image, boxes: tuple[Box, ...], changed: NDArray[np.uint8] | None, profile: Profile, closely: bool
) -> Faces:
    rows = [k for k, kind in enumerate(profile.kinds) if kind.emblems]
    return join([_of_kind(image, boxes, changed, profile, k, closely) for k in rows])


def _of_kind(
    image: Image, boxes: tuple[Box, ...], changed: NDArray[np.uint8] | None, profile: Profile, k: int, closely: bool
) -> Faces:
    kind = profile.kinds[k]
    known = pictures(kind)
    edge = float(profile.looks.edge_px[k])
    xy = _places(boxes, changed, edge, _CLOSE_STEP if closely else _STEP)
    if not len(xy) or (closely and len(xy) > _MANY):
        return no_faces()
    inks = inked(image, kind, edge, boxes)
    shrink = min(1.0, (_CLOSE_EDGE if closely else _EDGE) / edge)
    small, first_look = resized(inks, shrink), known.close if closely else known.coarse
    axes = profile.camera.scale(xy, kind.edge_mm) * kind.edge_mm / 2
    first = _first_look(small, (xy + 0.5) * shrink - 0.5, axes * shrink, first_look)
    peak, place, which, turn = _hypotheses(xy, 2 * size_of(axes), first)
    at: Floats = (xy[place] + 0.5) * shrink - 0.5
    way: Floats = axes[place] @ turned(turn * 2 * np.pi / first_look.rings.shape[1]) * shrink
    at, way, like = first_look.refined(small, at, way, which, 5)
    best = _best_of(peak, like, _SECOND)
    at, way, which = (at[best] + 0.5) / shrink - 0.5, way[best] / shrink, which[best]
    at, way, like = known.fine.refined(inks, at, way, which, 6)
    best = _apart(at, like, _NEAR * 2 * size_of(way))
    if not len(best):
        return no_faces()
    return _told(image, inks, at[best], way[best], profile, k)


def _first_look(image: Image, xy: Floats, axes: Floats, known: Album) -> Floats:
    """See `Album.in_all_turns`, of a few places at a time: all at once would take much memory."""
    parts = [slice(start, start + _AT_ONCE) for start in range(0, len(xy), _AT_ONCE)]
    return np.concatenate([known.in_all_turns(known.rings.seen(image, xy[part], axes[part])) for part in parts])


def _places(boxes: tuple[Box, ...], changed: NDArray[np.uint8] | None, edge: float, step: float) -> Floats:
    """(n, 2) pixels: a grid over what may be a top face; `edge`: of it, pixels; `step`: of the grid, edges."""
    out = []
    for x0, y0, x1, y1 in boxes:
        grid = np.meshgrid(np.arange(x0, x1, step * edge), np.arange(y0, y1, step * edge))
        out.append(np.stack(grid, -1).reshape(-1, 2))
    at = np.concatenate(out) if out else np.zeros((0, 2))
    if changed is None or not len(at):
        return at
    reach = max(1, round(0.35 * edge / SHRINK))
    share = cv2.blur((changed > _CHANGED).astype(np.float32), (2 * reach + 1,) * 2)
    col, row = np.round((at + 0.5) / SHRINK - 0.5).astype(int).T
    shows = share[row.clip(0, len(share) - 1), col.clip(0, share.shape[1] - 1)] > _SHARE
    return np.asarray(at[shows])


def _hypotheses(xy: Floats, edge: Floats, first: Floats) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """For each peak of the likeness `first` (n, m, turns) and each emblem its best place and turn near there: four
    (h,): peak, place, emblem, turn."""
    m = first.shape[1]
    worth, turn = first.max(2), first.argmax(2)
    best = worth.max(1)
    free = best > _FIRST
    place: list[Numbers] = []
    while free.any() and len(place) < _PEAKS:
        top = int(np.where(free, best, 0).argmax())
        near = np.nonzero(np.hypot(*(xy - xy[top]).T) < _NEAR * edge[top])[0]
        free[near] = False
        place.append(near[worth[near].argmax(0)])
    at = np.concatenate([np.zeros(0, np.int64), *place])
    which = np.tile(np.arange(m), len(place))
    return np.repeat(np.arange(len(place)), m), at, which, turn[at, which]


def _best_of(group: Numbers, like: Floats, most: int) -> Numbers:
    """Indices of the `most` likest of each group."""
    order = np.lexsort((-like, group))
    rank = np.arange(len(order)) - np.searchsorted(group[order], group[order])
    return order[rank < most]


def _apart(at: Floats, like: Floats, reach: Floats) -> Numbers:
    """Indices of the likest, each farther than `reach` from those that are likelier."""
    out: list[int] = []
    for k in np.argsort(-like):
        if like[k] > _THIRD and all(np.hypot(*(at[k] - at[j])) > reach[k] for j in out):
            out.append(int(k))
    return np.array(out, np.int64)


def _told(image: Image, inks: Image, at: Floats, way: Floats, profile: Profile, k: int) -> Faces:
    """Which emblem each face shows, and by how much the next one stays behind. Faces with pips are left out."""
    kind = profile.kinds[k]
    known = pictures(kind)
    n, m = len(at), len(known.value)
    at, way = _looked_about(inks, at, way, known.fine)
    at, way, like = known.fine.refined(inks, at, way, np.tile(np.arange(m).repeat(_LIES), n), 5)
    rows, every = np.arange(n), like.reshape(n, m * _LIES)
    likest_way, like = every.argmax(1), every.reshape(n, m, _LIES).max(2)
    best = likest_way // _LIES
    value = known.value[best]
    others = np.where(known.value == value[:, None], 0, like)
    at, way = (each.reshape(n, m * _LIES, *each.shape[1:])[rows, likest_way] for each in (at, way))
    at, way, whole = _squeezed(image, inks, at, way, best, profile, k)
    frame = 2 * kind.offset * way
    zero, likest = np.zeros(n), like[rows, best]
    margin = likest - others.max(1, initial=0)
    if (known.value == 0).any():
        # Gleams on a face with pips may be as like to the ink of a logo, but the rest of that face is not.
        margin[(likest < _PLAINLY) & (whole < _LOGO)] = 0
    return Faces(
        xy=at,
        frame=frame,
        value=value,
        radius=zero,
        body=np.tile(np.array(kind.body), (n, 1)),
        pip=np.tile(np.array(kind.pip), (n, 1)),
        misfit=1 - likest,
        margin=margin,
        rival=known.value[others.argmax(1)],
        uneven=zero,
        strays=zero,
        score=_WORTH * np.maximum(2 * likest - 1, 0) ** 3 * np.clip(margin / _CLEARLY, _AS_WELL, 1),
        half=size_of(way),
        sides=np.zeros((n, 4)),
        backed=zero,
        upright=zero,
        kind=np.full(n, k),
    ).pick((value > 0) & (likest > _LEAST))


_CLEARLY, _AS_WELL = 0.12, 0.1  # by so much the next must stay behind; what one is worth that may be another as well
_PLAINLY = 0.9  # likeness of an emblem from which on its ink alone tells enough


def _squeezed(
    image: Image, inks: Image, at: Floats, way: Floats, which: Numbers, profile: Profile, k: int
) -> tuple[Floats, Floats, Floats]:
    """Each pose (n, 2), (n, 2, 2) as foreshortened as emblem `which` (n,) is there, and how well the emblem with what
    is no ink explains the face (n,). Its ink alone may be little, all of the face may be in a gleam: what leans is so
    by both."""
    known, edge = pictures(profile.kinds[k]), profile.kinds[k].edge_mm
    at, way, _ = known.fine.refined(inks, at, way, which, 4, SQUEEZED)
    other, more, like = known.whole.refined(image, at, way, which, 6, SQUEEZED)
    spans = [
        np.linalg.svd(np.linalg.solve(profile.camera.scale(xy, edge), axes), compute_uv=False)
        for xy, axes in ((at, way), (other, more))
    ]
    by_ink, by_all = (span[:, 1] / span[:, 0] for span in spans)
    better = (like > _WHOLE) & (by_all > by_ink)
    at[better], way[better] = other[better], more[better]
    return at, way, like


_WHOLE = 0.8  # likeness of a face on which no gleam lies


def _looked_about(image: Image, xy: Floats, way: Floats, known: Album) -> tuple[Floats, Floats]:
    """(n * m * 2, 2), (n * m * 2, 2, 2): for each face and each emblem where right about there it lies best, and where
    turned otherwise: what was found in few pixels may be the same upside down, and then lies a little beside it."""
    n, m, steps = len(xy), len(known), known.rings.shape[1]
    at = xy[:, None] + _ABOUT @ way.transpose(0, 2, 1)
    seen = known.rings.seen(image, at.reshape(-1, 2), np.repeat(way, len(_ABOUT), 0))
    like = known.in_all_turns(seen).reshape(n, len(_ABOUT), m, steps)
    first = like.max(1).argmax(2)
    near = np.abs((np.arange(steps) - first[..., None] + steps // 2) % steps - steps // 2) < steps // 6
    other = np.where(near, 0, like.max(1)).argmax(2)
    turn = np.stack([first, other], 2).reshape(n, -1)
    start = np.take_along_axis(like.repeat(_LIES, 2).reshape(n, len(_ABOUT), -1, steps), turn[:, None, :, None], 3)
    at = at[np.arange(n)[:, None], start[..., 0].argmax(1)]
    return at.reshape(-1, 2), (way[:, None] @ turned(turn * 2 * np.pi / steps)).reshape(-1, 2, 2)


_LIES = 2  # in how many turns each emblem is tried
_ABOUT = np.stack(np.meshgrid(*[(-0.16, 0, 0.16)] * 2), -1).reshape(-1, 2)  # half edges
_WORTH = 6.0


def sure(found: Faces) -> NDArray[np.bool_]:
    """(n,) all but those that are not quite like their picture: of those some are no faces."""
    return np.asarray(~found.pictured | (found.misfit < _SURELY))


_SURELY = 0.15
