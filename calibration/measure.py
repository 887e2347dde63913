"""From the faces seen in all pictures to the camera that took them and the kinds of dice they belong to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration import camera as cameras
from calibration import edges
from calibration import kinds as sorting
from speech.sentence import say
from vision import faces, pose
from vision.dice_set import Kind
from vision.errors import VisionError
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import Camera
from vision.pips import Pips
from vision.plain import mode
from vision.profile import Profile
from vision.sampling import Floats

# What shines through clear dice has at most this share of their faces, and of their pips' contrast; how far the body's
# colour is off, as a share of that.
_SELDOM, _FAINT, _SAME = 0.4, 0.5, 0.15
# Natural logarithm of how pips are spaced on dice of 12 and 19 mm, near and far, of sets that space them otherwise.
_SIZES = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Faces of one picture and the pips they were made from."""

    faces: Faces
    pips: Pips


def measured(dice: Sequence[Image], seen: Sequence[Seen], size_mm: float, empty: Image | None) -> Profile:
    """Camera and kinds of dice. `size_mm`: edge of the commonest dice. Raises `VisionError` when there are no faces."""
    seen = of_one_set(seen)
    every = faces.join([one.faces for one in seen])
    if not len(every):
        raise VisionError(
            say("No dice were found in the pictures: put the dice flat, in good light, inside the tray, and try again.")
        )
    height, width = dice[0].shape[:2]
    look, many = sorting.looks(every), every.value > 1
    camera, spacing = _camera(cameras.straight(width, height), seen, every, look)
    size = np.full(len(every), -1)
    size[many] = sorting.sizes_of_looks(look[many], spacing[many])
    unit = _unit(camera, every.xy)
    edge_px = _edges(dice, seen, every, size, look, unit)
    flat = edge_px / unit
    # Edges of one size, up to the error of the vote on outlines, are one size.
    edge_size = sorting.sizes_of_edges(flat)
    for name in np.unique(edge_size):
        flat[edge_size == name] = np.median(flat[edge_size == name])
    edge_px = flat * unit
    group = look * 1000 + np.where(many, size, 0)
    group[~many] = [_kin(int(k), group, look, many, flat) for k in np.nonzero(~many)[0]]
    kept = _plausible(group, look, many) & ~shining(every, group)
    common = edge_size == np.bincount(edge_size[kept]).argmax()
    camera = replace(camera, height_mm=cameras.height(camera, every.xy[common], edge_px[common], size_mm))
    usual = _usual(every, edge_px)
    out: list[Kind] = []
    for name in np.unique(group[kept]):
        rows = (group == name) & kept
        edge_mm = size_mm if common[rows].all() else _edge_mm(camera, every.xy[rows], edge_px[rows])
        out.append(sorting.describe(every.pick(rows), edge_mm, edge_px[rows], usual))
    out.sort(key=lambda kind: -kind.seen)
    return Profile(width, height, camera, tuple(out), empty=empty)


def of_one_set(seen: Sequence[Seen]) -> list[Seen]:
    """Without faces that are far larger or smaller than most: whole dice, or the specks on one, make patterns too."""
    every = faces.join([one.faces for one in seen])
    if not len(every):
        return list(seen)
    usual = mode(np.log(every.offset), every.score, _SIZES)
    return [replace(one, faces=one.faces.pick(np.abs(np.log(one.faces.offset) - usual) < _SIZES)) for one in seen]


def _camera(camera: Camera, seen: Sequence[Seen], every: Faces, look: NDArray[np.int64]) -> tuple[Camera, Floats]:
    """The camera's tilt, and each face's pip spacing free of perspective (0 for ones)."""
    points, rows = [], []
    row = 0
    # Many sets space the six unlike the rest: it speaks only where nothing else does.
    few = ((every.value > 1) & (every.value < 6)).sum() < 3
    for one in seen:
        for k in range(len(one.faces)):
            if one.faces.value[k] > 1 and (one.faces.value[k] < 6 or few):
                places, xy = pose.matched(one.faces, k, one.pips, camera)
                if len(places) > 1:
                    points.append(cameras.Points(places, xy, 0))
                    rows.append(row)
            row += 1
    spacing = np.zeros(len(every))
    spacing[every.value > 1] = every.offset[every.value > 1]
    if not points:
        return camera, spacing
    at = np.array(rows)
    groups = look[at] * 1000 + sorting.sizes(every.offset[at], 0.1)
    for gap in (0.06, 0.03):
        marked = [replace(p, group=int(g)) for p, g in zip(points, groups, strict=True)]
        camera, sizes = cameras.tilted(camera, marked)
        groups = look[at] * 1000 + sorting.sizes(sizes, gap)
    spacing = every.offset / _unit(camera, every.xy)
    spacing[at] = sizes * camera.focal / 1000
    return camera, spacing


def _kin(k: int, group: NDArray[np.int64], look: NDArray[np.int64], many: NDArray[np.bool_], flat: Floats) -> int:
    """The group a one belongs to: dice of its look and size, or its own."""
    like = np.nonzero(many & (look == look[k]) & (np.abs(np.log(flat / flat[k])) < 0.02))[0]
    return int(group[like[0]]) if len(like) else int(look[k] * 1000 + 900)


def _plausible(group: NDArray[np.int64], look: NDArray[np.int64], many: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which faces are surely dice: a group of ones only, or a small one, beside a larger group of its look is none."""
    kept = np.ones(len(group), bool)
    for name in np.unique(group):
        rows = group == name
        fellows = np.bincount(np.unique(group[(look == look[rows][0]) & many], return_inverse=True)[1]).max(initial=0)
        if (not many[rows].any() and fellows > 0) or rows.sum() < 0.25 * fellows:
            kept[rows] = False
    return kept


def shining(every: Faces, group: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which faces are those of a clear die's other side: in a body of the same colour pips that are much fainter, seen
    much more seldom."""
    out = np.zeros(len(group), bool)
    for name in np.unique(group):
        own = every.pick(group == name)
        for other in np.unique(group):
            usual = every.pick(group == other)
            contrast = float(np.median(usual.contrast))
            apart = np.median(own.body, axis=0) - np.median(usual.body, axis=0)
            if (
                len(own) < _SELDOM * len(usual)
                and np.median(own.contrast) < _FAINT * contrast
                and np.linalg.norm(apart) < _SAME * contrast
            ):
                out[group == name] = True
    return out


def _edges(
    dice: Sequence[Image],
    seen: Sequence[Seen],
    every: Faces,
    size: NDArray[np.int64],
    look: NDArray[np.int64],
    unit: Floats,
) -> Floats:
    """(n,) edge of each top face in pixels; faces of one look and pip spacing are measured together."""
    votes = np.concatenate([edges.votes(image, one.faces) for image, one in zip(dice, seen, strict=True)])
    many = every.value > 1
    edge_px = 2 * every.half
    # Sets differ in spacing at one size, so each look is measured by itself; a look seen little asks the others too.
    pattern = look * 1000 + size
    for name in np.unique(pattern[many]):
        group = many & (pattern == name)
        others = votes[many].mean(0, keepdims=True) * (0.5 if group.sum() < 4 else 0.1)
        edge_px[group] = 2 * every.offset[group] * edges.elected(votes[group].mean(0, keepdims=True) + others)
    flat = edge_px / unit
    for k in np.nonzero(~many)[0]:
        # A one has no spacing: it is as large as a die of its look that has, if its outline agrees by and large. A look
        # of ones alone is mostly a gleam, which has an outline of its own: then any die's size will do, unless several
        # of them have one outline, and it is that of no other die.
        like, most = flat[many & (look == look[k])], 0.2
        if not len(like):
            own = ones_alone(flat[look == look[k]], flat[many], 2 * every.half[many] / unit[many])
            if own is not None:
                edge_px[k] = own * unit[k]
                continue
            like, most = flat[many], 0.35
        if len(like):
            nearest = like[np.abs(np.log(like / flat[k])).argmin()]
            if abs(np.log(nearest / flat[k])) < most:
                edge_px[k] = nearest * unit[k]
    return np.asarray(edge_px)


# Natural logarithm: outlines of one die agree by this, and dice of two sizes differ by more than that: 14 and 16 mm by
# 0.134, and those of dice in a gleam were off by 0.1 in two of 150 rendered sessions.
_AGREE, _OTHER = 0.1, 0.11


def ones_alone(ones: Floats, others: Floats, outlines: Floats) -> float | None:
    """The size of dice of a look of which only `ones` were seen, by their outlines, where these agree and no other die
    has it. `others`: sizes of the other dice, and their `outlines`, which are mostly a little smaller."""
    if len(ones) < 2 or not len(others) or np.ptp(np.log(ones)) > _AGREE:
        return None
    ones = ones * np.median(others / outlines)
    apart = np.log(ones[:, None] / others[None])
    return float(ones.mean()) if np.abs(apart).min() > _OTHER else None


def _unit(camera: Camera, xy: Floats) -> Floats:
    """(n,) size of things of one size at these places, 1 in the middle of the picture."""
    middle = np.array([[camera.cx, camera.cy]])
    scale = np.sqrt(np.abs(np.linalg.det(camera.scale(xy))))
    return np.asarray(scale / np.sqrt(np.abs(np.linalg.det(camera.scale(middle)))))


def _usual(every: Faces, edge_px: Floats) -> tuple[float, float]:
    many = every.value > 1
    if not many.any():
        return 0.255, 0.09
    return float(np.median((every.offset / edge_px)[many])), float(np.median((every.radius / edge_px)[many]))


def _edge_mm(camera: Camera, xy: Floats, edge_px: Floats) -> float:
    """A die that is larger is nearer the camera as well: solved by trying again with the height found."""
    edge = 16.0
    for _ in range(4):
        edge = float(np.median(edge_px / np.sqrt(np.abs(np.linalg.det(camera.scale(xy, edge))))))
    return edge
