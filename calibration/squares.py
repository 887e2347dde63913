"""Dice of which nothing is known but their size: cubes whose outline shows against the empty tray."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import camera as cameras
from vision import cube, likeness, places
from vision.frame import Image
from vision.geometry import Camera, size_of, turned
from vision.profile import SHRINK, shrunk
from vision.sampling import Floats, sample

_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
_ALONG = np.linspace(0.18, 0.82, 9)  # of each side of the outline: corners are round
_BESIDE = (1.0, 2.0)  # pixels to both sides of it
_STRANGE = 40  # colour distance, 0-255, from which on something is no floor for sure
_SHADE = 0.25  # of the light is left in a shadow
_CHANGED = 15  # difference to the empty tray that may be a die
_TURNS = np.deg2rad(np.arange(0, 90, 6.0))
_REACH = 0.42  # edges around the middle of what has changed that are tried
_AROUND = np.array([(x, y, t) for x in (-1, 0, 1) for y in (-1, 0, 1) for t in (-1, 0, 1)], np.float64)
_FINER = (0.06, 0.03, 0.015, 0.008)  # edges and radians
# A thing is a die if this many squared edges have changed, and its outline shows by this much.
_LEAST, _SHOWS = 0.4, 0.2
# A camera that is not known: what is tried of its tilt, height (natural logarithm) and the dice's roundness.
_TRIED = np.array(
    [(0.06, 0.06, 0.05, 0.1), (0.03, 0.03, 0.025, 0.05), (0.015, 0.015, 0.012, 0.05), (0.008, 0.008, 0.006, 0.03)]
)
_MOST_TILT, _TILT = 0.3, 0.15  # a straight camera is likelier: a tilt of `_TILT` costs this of what shows
_ROUND = 0.2  # of usual dice
_COST = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
    """Dice that lie flat. `mm`: (n, 2) table places of their middles, `turn`: (n,) radians of an edge, `shown`: (n,)
    up to 1, how much of the outline shows."""

    mm: Floats
    turn: Floats
    shown: Floats

    def __len__(self) -> int:
        return len(self.turn)

    def axes(self, camera: Camera, edge_mm: float) -> tuple[Floats, Floats]:
        """Middles (n, 2) of the top faces and half edges (n, 2, 2) along x and y, in pixels."""
        xy = camera.pixels(self.mm, edge_mm)
        return xy, camera.scale(xy, edge_mm) @ turned(self.turn) * edge_mm / 2


def strange(image: Image, empty: Image) -> Image:
    """uint8 (h, w, 3): first how far each colour is from that of the empty tray there, be it in a shadow, 0 to
    `_STRANGE`; then nothing, which `topped` fills."""
    now, then = image.astype(np.float32), empty.astype(np.float32)
    light = (now * then).sum(2) / np.maximum((then * then).sum(2), 1)
    off = np.linalg.norm(now - then * np.clip(light, _SHADE, 1.0)[..., None], axis=2)
    out = np.zeros(image.shape, np.uint8)
    out[..., 0] = np.minimum(off, _STRANGE)
    return out


def topped(
    dice: Sequence[Image], odd: Sequence[Image], seen: Sequence[Squares], camera: Camera, edge_mm: float
) -> list[Image]:
    """`odd` with how much each colour is that of a top face rather than of what is around it, 0-255, in the second
    plane. Sides are darker than tops, or lighter, and shadows fall on one side."""
    on, off = (np.zeros((likeness.BINS,) * 3) for _ in range(2))
    for image, one in zip(dice, seen, strict=True):
        xy, axes = one.axes(camera, edge_mm)
        for points, table in ((_INSIDE, on), (_OUTSIDE, off)):
            at = points @ axes.transpose(0, 2, 1) + xy[:, None]
            colours = sample(image, at[..., 0], at[..., 1]).astype(np.uint8)
            table += likeness.count(colours, np.ones(colours.shape[:2], np.bool_))
    like = likeness.learned(on, off)
    return [
        np.dstack([one[..., 0], likeness.of(image, like), one[..., 2]]) for image, one in zip(dice, odd, strict=True)
    ]


def things(image: Image, empty: Image, taken: NDArray[np.uint8] | None = None) -> Floats:
    """(n, 3) what lies in the tray: x, y and area in pixels. `taken`: uint8 (h, w), 1 where the dice lie that are known
    already."""
    changed = (places.difference(image, shrunk(empty)) > _CHANGED).astype(np.uint8)
    if taken is not None:
        changed[cv2.resize(taken, changed.shape[1::-1], interpolation=cv2.INTER_LINEAR) > 0] = 0
    mask = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, stats, centre = cv2.connectedComponentsWithStats(mask)
    return np.column_stack([(centre[1:] + 0.5) * SHRINK - 0.5, stats[1:, 4] * SHRINK**2]).reshape(-1, 3)


def covered(found: Squares, camera: Camera, edge_mm: float, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """uint8 of this shape, 1 where these dice stand."""
    corners = _CORNERS * edge_mm @ turned(found.turn).transpose(0, 2, 1) + found.mm[:, None]
    return cube.filled(*shape, *cube.of(camera.pixels(corners, edge_mm), camera.pixels(corners, 0.0)).hulls)


def left(odd: Image, taken: NDArray[np.uint8]) -> Floats:
    """(n, 3) what is strange, so no shadow, and not `taken`, see `covered`: as `things`."""
    mask = ((odd[..., 0] >= _STRANGE / 2) & (taken == 0)).astype(np.uint8)
    _, _, stats, centre = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    )
    return np.asarray(np.column_stack([centre[1:], stats[1:, 4]]), np.float64).reshape(-1, 3)


def fitted(odd: Image, things_: Floats, camera: Camera, edge_mm: float, round_: float) -> Squares:
    """The dice among `things_`, where their outlines show best. `odd`: see `strange`. `round_`: from 0 for cubes with
    sharp edges to 0.5: how far up, in edges, the outline of a die is widest."""
    found: list[Squares] = []
    for x, y, area in things_:
        edge = edge_mm * float(size_of(camera.scale(np.array((x, y)), edge_mm)))
        if area > _LEAST * edge**2:
            found.append(refined(odd, _first(odd, (x, y), camera, edge_mm, round_), camera, edge_mm, round_))
    every = Squares(
        np.concatenate([one.mm for one in found]) if found else np.zeros((0, 2)),
        np.concatenate([one.turn for one in found]) if found else np.zeros(0),
        np.concatenate([one.shown for one in found]) if found else np.zeros(0),
    )
    keep = every.shown > _SHOWS
    return Squares(every.mm[keep], every.turn[keep], every.shown[keep])


def joined(one: Squares, other: Squares) -> Squares:
    return Squares(*(np.concatenate([getattr(s, name) for s in (one, other)]) for name in ("mm", "turn", "shown")))


def roundness(odd: list[Image], seen: list[Squares], camera: Camera, edge_mm: float) -> float:
    """How round dice are that lie at known places, see `fitted`."""
    tried = np.arange(0, 0.46, 0.05)
    if not sum(len(one) for one in seen):
        return _ROUND
    worth = [
        np.concatenate([_shown(o, s.mm, s.turn, camera, edge_mm, r) for o, s in zip(odd, seen, strict=True)]).sum()
        for r in tried
    ]
    return float(tried[int(np.argmax(worth))])


def seen_from(
    dice: Sequence[Image], odd: list[Image], every: list[Floats], edge_mm: float
) -> tuple[Camera, float, list[Squares]]:
    """The camera, and the roundness and places of the dice, from their outlines alone."""
    height, width = odd[0].shape[:2]
    area = float(np.median(np.concatenate([things_[:, 2] for things_ in every])))
    camera, round_ = cameras.straight(width, height), _ROUND
    camera = replace(camera, height_mm=edge_mm + camera.focal * edge_mm / (0.85 * np.sqrt(area)))
    best: tuple[float, Camera, list[Squares]] | None = None
    for factor in np.exp(np.arange(-0.24, 0.25, 0.06)):
        tried = replace(camera, height_mm=camera.height_mm * float(factor))
        found = [fitted(o, things_, tried, edge_mm, round_) for o, things_ in zip(odd, every, strict=True)]
        worth = sum(float(one.shown.sum()) for one in found)
        if best is None or worth > best[0]:
            best = worth, tried, found
    assert best is not None
    camera, round_, found = _settled(odd, best[2], best[1], edge_mm, round_)
    return _settled(topped(dice, odd, found, camera, edge_mm), found, camera, edge_mm, round_)


def _settled(
    odd: list[Image], found: list[Squares], camera: Camera, edge_mm: float, round_: float
) -> tuple[Camera, float, list[Squares]]:
    """One quantity after the other, in ever smaller steps, to where all outlines together show best."""
    state = np.array([camera.tilt_x, camera.tilt_y, 0.0, round_])
    start = camera.height_mm

    def look(a: Floats, dice: list[Squares]) -> tuple[float, Camera, list[Squares]]:
        tilted = replace(camera, tilt_x=float(a[0]), tilt_y=float(a[1]), height_mm=start * float(np.exp(a[2])))
        at = [tilted.table(camera_.pixels(one.mm, edge_mm), edge_mm) for one in dice]
        moved = [Squares(mm, one.turn, one.shown) for mm, one in zip(at, dice, strict=True)]
        dice = [refined(o, one, tilted, edge_mm, float(a[3])) for o, one in zip(odd, moved, strict=True)]
        cost = _COST * float((a[:2] ** 2).sum()) / _TILT**2 * sum(len(one) for one in dice)
        return sum(float(one.shown.sum()) for one in dice) - cost, tilted, dice

    camera_ = camera
    worth, camera_, found = look(state, found)
    for steps in _TRIED:
        for _ in range(4):
            before = worth
            for k in range(len(state)):
                for sign in (1, -1):
                    a = state.copy()
                    a[k] += sign * steps[k]
                    if np.abs(a[:2]).max() > _MOST_TILT or not 0 <= a[3] <= 0.45:
                        continue
                    tried = look(a, found)
                    if tried[0] > worth + 1e-6:
                        state, (worth, camera_, found) = a, tried
                        break
            if worth - before < 1e-3:
                break
    return camera_, float(state[3]), found


def outlined(image: Image, empty: Image, found: Squares, camera: Camera, edge_mm: float) -> NDArray[np.bool_]:
    """(n,) whether anything of an outline shows where these should be."""
    shown = _shown(strange(image, empty), found.mm, found.turn, camera, edge_mm, _ROUND)
    return np.asarray(shown > _SHOWS / 2)


def _first(odd: Image, at: tuple[float, float], camera: Camera, edge_mm: float, round_: float) -> Squares:
    line = np.linspace(-_REACH, _REACH, 9) * edge_mm
    x, y, turn = (grid.ravel() for grid in np.meshgrid(line, line, _TURNS))
    mm = camera.table(np.array(at), edge_mm / 2) + np.stack([x, y], 1)
    worth = _shown(odd, mm, turn, camera, edge_mm, round_)
    best = slice(int(worth.argmax()), int(worth.argmax()) + 1)
    return Squares(mm[best], turn[best], worth[best])


def refined(odd: Image, found: Squares, camera: Camera, edge_mm: float, round_: float) -> Squares:
    """Each moved and turned, in ever smaller steps, to where it shows best."""
    mm, turn, n = found.mm, found.turn, len(found)
    best, rows = found.shown, np.arange(len(found))
    for step in _FINER if n else ():
        for _ in range(3):
            shift = (mm[:, None] + step * edge_mm * _AROUND[:, :2]).reshape(-1, 2)
            angle = (turn[:, None] + step * _AROUND[:, 2]).ravel()
            worth = _shown(odd, shift, angle, camera, edge_mm, round_).reshape(n, -1)
            pick = worth.argmax(1)
            mm, turn = shift.reshape(n, -1, 2)[rows, pick], angle.reshape(n, -1)[rows, pick]
            best = worth[rows, pick]
            if (pick == len(_AROUND) // 2).all():
                break
    return Squares(mm, turn, best)


def _shown(odd: Image, mm: Floats, turn: Floats, camera: Camera, edge_mm: float, round_: float) -> Floats:
    """(n,) up to 1: how much stranger it is within than beyond the outline of flat dice at `mm` (n, 2), turned by
    `turn` (n,) radians."""
    n = len(turn)
    if not n:
        return np.zeros(0)
    corners = _CORNERS * edge_mm @ turned(turn).transpose(0, 2, 1) + mm[:, None]
    top, foot = camera.pixels(corners, (1 - round_) * edge_mm), camera.pixels(corners, round_ * edge_mm)
    start, end = top, np.roll(top, -1, axis=1)
    low_start, low_end = foot, np.roll(foot, -1, axis=1)
    way = end - start
    out = np.stack([way[..., 1], -way[..., 0]], -1)
    out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-6)
    # Corners run clockwise in the picture, so this points outwards; a side that is in view ends at its foot.
    in_view = ((low_start + low_end - start - end) * out).sum(-1, keepdims=True) > 0
    start, end = np.where(in_view, low_start, start), np.where(in_view, low_end, end)
    at = start[:, :, None] + (end - start)[:, :, None] * _ALONG[:, None]
    step = np.zeros((n, 4, len(_ALONG)))
    for far in _BESIDE:
        pair = np.stack([at - far * out[:, :, None], at + far * out[:, :, None]], 0).reshape(2 * n, -1, 2)
        inner, outer = sample(odd, pair[..., 0], pair[..., 1])[..., 0].reshape(2, n, 4, len(_ALONG))
        step += (inner - outer) / len(_BESIDE)
    return np.asarray((step / _STRANGE).mean((1, 2)) + _top(odd, mm, turn, camera, edge_mm))


def _top(odd: Image, mm: Floats, turn: Floats, camera: Camera, edge_mm: float) -> Floats:
    """(n,) -1 to 1: how much more the colours within the top face are those of one than those right beyond it."""
    if not odd[..., 1].any():
        return np.zeros(len(turn))
    corners = _CORNERS * edge_mm @ turned(turn).transpose(0, 2, 1) + mm[:, None]
    top = camera.pixels(corners, edge_mm)
    half = np.stack([(top[:, 1] - top[:, 0]) / 2, (top[:, 3] - top[:, 0]) / 2], 2)
    inner, outer = (
        sample(odd, at[..., 0], at[..., 1])[..., 1].mean(1)
        for at in (points @ half.transpose(0, 2, 1) + top.mean(1)[:, None] for points in (_WITHIN, _BEYOND))
    )
    return np.asarray((inner - outer) / 255)


def _band(*reach: float) -> Floats:
    """Places around a square at so many half edges from its middle lines; corners are round."""
    along = np.linspace(-0.7, 0.7, 7)
    sides = [(x, y) for r in reach for a in along for x, y in ((r, a), (-r, a), (a, r), (a, -r))]
    return np.array(sides)


_WITHIN, _BEYOND = _band(0.72, 0.82), _band(1.1, 1.2)
_INSIDE, _OUTSIDE = _band(*np.linspace(0, 0.65, 8)), _band(*np.linspace(1.05, 1.8, 9))
