"""Dice from a picture and a profile: sizes, colours and places are known, so little is left to guess."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import cube, emblems, exact, faces, kinship, landmarks, likeness, ones, outline, places, spots
from vision.choice import choose
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import within
from vision.lattice import BARE
from vision.pips import Pips
from vision.pips import none as no_pips
from vision.polygon import Box
from vision.profile import SHRINK, Profile, shrunk
from vision.sampling import Floats

# Pip spacing may differ by this much (natural logarithm) from what the profile says.
_SLACK = 0.09
# The wall's shadow may fall across a die: then this many times as much light falls on one of its pips as on another.
_SHADE = 2.5
_SIDE = 0.06  # colour step that is a side, as a share of the pips' contrast


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """`candidates`: all that may be a face. `faces`: chosen of them, not clashing. `pips`: all good pips. `boxes`:
    where it looked. `changed`: how much each place differs from the empty tray, 0-255, at a quarter of the size; None
    without an empty picture. `kept`: how much of the tray's edges is where it was, see `landmarks.kept`."""

    candidates: Faces
    faces: Faces
    pips: Pips
    boxes: tuple[Box, ...]
    changed: NDArray[np.uint8] | None
    kept: float = 1.0


def look(image: Image, profile: Profile) -> Found:
    """`image` has the profile's size."""
    changed, kept = None, 1.0
    if profile.empty_quarter is not None:
        small = shrunk(image)
        changed, kept = places.farthest(small, profile.empty_quarter), landmarks.kept(small, profile.landmarks)
        if places.strange(changed, profile.tray_quarter):
            # To look everywhere for dice takes a second, and finds none that could be believed.
            return Found(faces.no_faces(), faces.no_faces(), no_pips(), (), changed, kept)
    boxes = places.boxes(changed, image, profile)
    every = spots.look(image, boxes, profile)
    found = faces.join([_lattices(image, every, profile), ones.ones(image, every, profile)])
    if any(kind.emblems for kind in profile.kinds):
        found = emblems.without(image, found, profile)
        drawn = emblems.about_ones(image, boxes, found, profile), emblems.find(image, boxes, changed, profile)
        found = faces.join([found, *drawn])
    found = _on_dice(image, found, profile, changed)
    if changed is not None and any(kind.emblems for kind in profile.kinds):
        left = emblems.unexplained(image, changed, found.pick(choose(found)), profile)
        more = emblems.find_closely(image, boxes, left, profile)
        found = faces.join([found, _on_dice(image, more, profile, changed)])
    chosen = _without_sides(exact.faces(every, found.pick(choose(found)), profile), profile)
    return Found(found, chosen, every, boxes, changed, kept)


def _on_dice(image: Image, found: Faces, profile: Profile, changed: NDArray[np.uint8] | None) -> Faces:
    """Those that do not lie on the floor; the more floor shows, the less they are worth."""
    bare = _on_floor(image, found, profile, changed)
    # Few pips make a pattern by chance more often than many.
    worth = (1 - bare) ** np.where(found.value < 4, 2, 1)
    return faces.scored(found, found.score * worth).pick(bare < 0.4)


def _without_sides(found: Faces, profile: Profile) -> Faces:
    """Without those on the side of a better one, where no other die can stand: a large die's side has pips too. A
    picture that is not quite there needs not even to be on that side."""
    cubes = cube.flat(found, profile)
    edge = np.array([profile.kinds[k].edge_mm for k in found.kind])
    mm = cubes.foot.mean(1)
    mm = profile.camera.table(mm) if len(found) else mm
    keep, unsure = np.ones(len(found), np.bool_), ~emblems.sure(found)
    for k in range(len(found)):
        hull = cubes.hulls[k].astype(np.float32)
        for j in range(len(found)):
            inside = np.hypot(*(mm[j] - mm[k])) < 0.46 * (edge[j] + edge[k])
            if j != k and keep[k] and inside and found.score[j] < found.score[k]:
                x, y = (float(v) for v in found.xy[j])
                keep[j] = not unsure[j] and cv2.pointPolygonTest(hull, (x, y), False) < 0
    return found.pick(keep)


def _on_floor(image: Image, found: Faces, profile: Profile, changed: NDArray[np.uint8] | None) -> Floats:
    """(n,) share of each face's bare places that is floor. Pips of two dice that make a pattern have some between."""
    if not len(found):
        return np.zeros(0)
    colours = faces.looks(image, found.xy, found.frame, BARE, 0.25 * found.radius)
    like, own = np.full(colours.shape[:2], 128, np.uint8), np.full(len(found), 128, np.uint8)
    if profile.likeness is not None:
        like = likeness.of(np.clip(colours, 0, 255).astype(np.uint8), profile.likeness)
        own = likeness.of(np.clip(found.body, 0, 255).astype(np.uint8)[:, None], profile.likeness)[:, 0]
    floor = like < _FLOOR_LIKE
    if changed is not None:
        at = (BARE @ found.frame.transpose(0, 2, 1) + found.xy[:, None] + 0.5) / SHRINK - 0.5
        at = np.clip(np.round(at).astype(int), 0, np.array(changed.shape[::-1]) - 1)
        floor |= (changed[at[..., 1], at[..., 0]] < _NOISE) & (like < _UNLIKE)
    # The pips of a die in the floor's own colour have floor around them: more of it between them tells nothing.
    hidden = (own < _FLOOR_LIKE) & (found.value > 1) & (found.misfit < _EXACT)
    share = np.where(hidden, 0.0, floor.mean(1))
    # A picture may be there, in whatever colours: only much more floor tells.
    own_floor = own < _FLOOR_LIKE
    return np.where(found.pictured, np.where(own_floor, 0.0, np.maximum(share - _DRAWN, 0.0)), share)


# Likeness of a colour that is the floor's, whatever was there before, and of one that is if nothing changed there (a
# black die on a black floor changes little); changes up to this are noise (0-255, at a quarter of the size).
_FLOOR_LIKE, _UNLIKE, _NOISE = 50, 105, 10
_EXACT = 0.1  # misfit of pips that lie just as a die's
_DRAWN = 0.2  # share of a face with a picture that may have the floor's colours


def _lattices(image: Image, every: Pips, profile: Profile) -> Faces:
    """Faces of two and more pips."""
    if len(every) < 2:
        return faces.no_faces()
    apart, scale = _apart(every.xy.astype(np.float64), profile)
    whole, kind = _pairs(every, apart)
    found = faces.no_faces()
    if len(whole):
        middle = (scale[kind, whole[:, 0]] + scale[kind, whole[:, 1]]) / 2
        found = faces.fit(image, every, whole, faces.frames(every, whole, middle), gleams=True)
    # A corner and the middle of a three or five, should the other corner be lost in a shadow or a gleam. It is less
    # exact, so it counts only where no whole diagonal was found.
    half, kind = _pairs(every, apart + np.log(2))
    if len(half):
        half, kind = np.concatenate([half, half[:, ::-1]]), np.tile(kind, 2)
        frame = 2 * faces.frames(every, half, scale[kind, half[:, 0]])
        more = faces.fit(image, every, half, frame, every.xy[half[:, 0]])
        near = np.hypot(*(more.xy[:, None] - found.xy[None]).transpose(2, 0, 1)) < 0.7 * more.offset[:, None]
        found = faces.join([found, more.pick(~near.any(1))])
    if not len(found):
        return found
    # Size and colour are known, so grain and light across a face count less than without a profile.
    quality = np.clip(1 - found.misfit / 2, 0, 1) * np.clip(1.1 - found.uneven / 0.8, 0, 1)
    found = faces.scored(found, found.value * quality * (0.4 + 0.6 * found.backed) - 0.45 - 0.8 * found.strays)
    found = found.pick(found.score > 0.1)
    if not len(found):
        return found
    found = kinship.of_kind(faces.distinct(found), profile)
    found = _outlined(image, found, profile)
    return found.pick(found.score > 0.1)


def _apart(xy: Floats, profile: Profile) -> tuple[Floats, Floats]:
    """(kinds, n, n) natural logarithm of how far each two pips are apart, in diagonals of each kind; only for those
    near each other and above the matrix's diagonal, for the rest infinite. And (kinds, n, 2, 2) pixels a millimetre at
    each, on the level of the kind's top faces."""
    looks = profile.looks
    scale = profile.camera.scale(xy[None], looks.edge_mm[:, None])
    diagonal = 2 * np.sqrt(2) * looks.offset * looks.edge_mm
    x, y = xy.T
    reach = 1.2 * float((diagonal * np.linalg.norm(scale, axis=(2, 3)).max(1)).max())
    one, two = np.nonzero(np.triu((np.abs(x[:, None] - x) < reach) & (np.abs(y[:, None] - y) < reach), 1))
    mm = within((scale[:, one] + scale[:, two]) / 2, xy[one] - xy[two])
    apart = np.full((len(scale), len(xy), len(xy)), np.inf)
    apart[:, one, two] = np.log(np.maximum(np.hypot(mm[..., 0], mm[..., 1]), 1e-3) / diagonal[:, None])
    return apart, scale


def _pairs(every: Pips, apart: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs (k, 2) of like pips that are a diagonal of some kind apart, and the kind (k,) whose it is nearest to."""
    off = np.abs(apart)
    pairs = faces.alike(every, off.min(0) < _SLACK, 0.85, _SHADE)
    return pairs, off[:, pairs[:, 0], pairs[:, 1]].argmin(0)


def _outlined(image: Image, found: Faces, profile: Profile) -> Faces:
    shares = np.array([0.5 / profile.kinds[k].offset for k in found.kind])
    contrast = found.contrast
    lines = outline.trace(image, found.xy, found.frame[:, None], 0.94 * shares, 1.06 * shares, 0.3 * contrast, grid=6)
    sides = lines.steps / contrast[:, None]
    worth = np.clip(lines.best / contrast / 0.12, 0, 1)
    # A pair of pips on two dice has not the sides of a two around it.
    clear = np.where(found.value == 2, (sides > _SIDE).mean(1), 1.0)
    score = found.score * (0.5 + 0.5 * worth) * (0.4 + 0.6 * clear)
    return replace(found, half=lines.half * found.offset, sides=sides, score=score)
