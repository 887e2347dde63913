"""The places in and around a spot at which it is measured, and what colours lie there."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sampling import Floats, middle, planes, split

_REACH = 2.1  # in radii: as far as a neighbouring pip of a six
_AXIS = np.linspace(-_REACH, _REACH, 13, dtype=np.float32)
_SQUARE = np.meshgrid(_AXIS, _AXIS)
_ORDER = np.argsort(np.hypot(*_SQUARE), axis=None, kind="stable")
_ORDER = _ORDER[np.hypot(*_SQUARE).ravel()[_ORDER] < _REACH]
# Places in radii from the spot's middle, the nearest first.
_X, _Y = (axis.ravel()[_ORDER] for axis in _SQUARE)
_FAR = np.hypot(_X, _Y)
_CELL = float(_AXIS[1] - _AXIS[0]) ** 2
_NEAR = int((_FAR < 1.4).sum())
_RING = _FAR > 1.4


def _mean(which: NDArray[np.bool_]) -> Floats:
    """Weights that give the mean over some of the places."""
    return np.asarray(which / max(1, which.sum()), np.float32)


def _sectors() -> list[NDArray[np.bool_]]:
    sector = ((np.arctan2(_Y, _X) + np.pi) * 8 / (2 * np.pi)).astype(int) % 8
    return [_RING & (sector == k) for k in range(8)]


def _bands(far: Floats) -> list[NDArray[np.bool_]]:
    return [(far >= low) & (far < low + 0.35) for low in (0.0, 0.35, 0.7, 1.05)]


_MEANS = np.stack([_mean(which) for which in (_FAR < 0.6, *_sectors())], axis=1)
_BANDS = np.stack([_mean(which) for which in _bands(_FAR)], axis=1)
_MOMENTS = np.stack([np.ones_like(_X), _X, _Y, _X * _X, _Y * _Y, _X * _Y], axis=1)[:_NEAR]


_EIGHT = np.arange(8) * np.pi / 4
_WAYS = np.stack([np.cos(_EIGHT), np.sin(_EIGHT)], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Gauged:
    """Spots at the places and radii they were looked at, one a row.

    `inner`, `outer`: (n, 3) BGR in the middle and around; the latter is the middle of eight sectors. `along`: (n, p)
    where the colour at each place lies on the way from `outer` (0) to `inner` (1); `sectors`: (n, 8) the same of the
    sectors. `square`: (n,) of the two colours' distance. `shift`: (n, 2) from the place to the spot's middle, and
    `size`: (n,) its radius, in the radii it was looked at with. `spread`: (n, 3) its second moments xx, yy, xy.
    """

    inner: Floats
    outer: Floats
    along: Floats
    sectors: Floats
    square: Floats
    shift: Floats
    size: Floats
    spread: Floats

    @property
    def ratio(self) -> Floats:
        """(n,) short over long axis."""
        xx, yy, xy = self.spread.T
        half, root = (xx + yy) / 2, np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
        return np.asarray(np.sqrt(np.maximum(half - root, 1e-4) / np.maximum(half + root, 1e-4)))

    @property
    def lean(self) -> Floats:
        """(n,) radians from the x axis to the long axis, y down."""
        xx, yy, xy = self.spread.T
        return np.asarray(np.arctan2(2 * xy, xx - yy) / 2)

    @property
    def one_sided(self) -> Floats:
        """(n,) how far the third worst sector is from the surroundings, see `_one_sided`."""
        return _one_sided(self.sectors)

    @property
    def rough(self) -> Floats:
        """(n,) how much the colour varies along circles around the middle."""
        mean, square = _weighted(self.along, _BANDS), _weighted(self.along * self.along, _BANDS)
        return np.asarray(np.sqrt(np.maximum(square - mean * mean, 0).mean(1)))

    @property
    def grain(self) -> Floats:
        """(n,) half the surroundings' samples lie farther from their middle than this share of the contrast."""
        ring = self.along[:, _RING]
        return middle(np.maximum(ring, -0.5 * ring))


def gauge(image: Image, xy: Floats, radius: Floats) -> Gauged:
    """Look at spots of `radius` (n,) at `xy` (n, 2), all float32 pixels."""
    patch = planes(image, xy[:, :1] + radius[:, None] * _X, xy[:, 1:] + radius[:, None] * _Y)
    means = _weighted(patch.reshape(-1, len(_X)), _MEANS).reshape(3, len(xy), _MEANS.shape[1])
    inner, sectors = means[..., 0], means[..., 1:]
    outer, way, square = _ground(inner, sectors)
    along = _along(patch, outer, way)
    weight = np.clip((along[:, :_NEAR] - 0.3) / 0.4, 0, 1)
    moments = _weighted(weight, _MOMENTS)
    total = np.maximum(moments[:, :1], 1e-3)
    x, y, xx, yy, xy_ = (moments[:, 1:] / total).T
    return Gauged(
        inner.T,
        outer.T,
        along,
        _along(sectors, outer, way),
        square,
        np.stack([x, y], axis=1),
        np.sqrt(total[:, 0] * _CELL / np.pi),
        np.stack([xx - x * x, yy - y * y, xy_ - x * y], axis=1),
    )


def glance(smoothed: Image, at: Floats, radius: float) -> tuple[Floats, Floats, Floats]:
    """The middle's colour and the surroundings' (n, 3 each), and how one-sided they are (n,), by nine pixels a spot.

    `smoothed`: see `pips.smoothed`. `at`: (n, 2) pixels, which may be off by one or two, so this only tells what is no
    spot at all.
    """
    centre, ring = np.round(at).astype(np.int32), np.round(1.75 * radius * _WAYS).astype(np.int32)
    x = np.clip(centre[:, :1] + ring[:, 0], 0, smoothed.shape[1] - 1)
    y = np.clip(centre[:, 1:] + ring[:, 1], 0, smoothed.shape[0] - 1)
    inner = smoothed[centre[:, 1], centre[:, 0]].T.astype(np.float32)
    sectors = split(smoothed[y, x])
    outer, way, _ = _ground(inner, sectors)
    return inner.T, outer.T, _one_sided(_along(sectors, outer, way))


def _ground(inner: Floats, sectors: Floats) -> tuple[Floats, Floats, Floats]:
    """The middle of the eight `sectors` (3, n, 8); the way from it to `inner` (3, n), divided by the square of its
    length; and that square (n,)."""
    ordered = np.sort(sectors, axis=-1)
    outer = (ordered[..., 3] + ordered[..., 4]) / 2
    way = inner - outer
    square = np.maximum((way * way).sum(0), 1.0)
    return outer, way / square, square


def _along(colours: Floats, outer: Floats, way: Floats) -> Floats:
    """(n, p) how far colours (3, n, p) are on their way."""
    along: Floats = np.einsum("cnp,cn->np", colours, way)
    return np.asarray(along - (outer * way).sum(0)[:, None])


def _one_sided(sectors: Floats) -> Floats:
    """(n,) share of the way to the spot's colour that the third worst sector has come.

    Neighbouring pips of a six reach into two sectors at most. Away from the pip's colour matters less than towards it,
    and never more than half: a dark bevel beside a light pip, the rim of a gleam that a pip lies in.
    """
    return np.asarray(np.sort(np.maximum(sectors, np.minimum(-0.4 * sectors, 0.5)), axis=1)[:, 5])


def odd(size: float) -> int:
    """The nearest odd whole number, 3 at least: what a blur takes."""
    return max(3, 2 * round((size - 1) / 2) + 1)


def _weighted(values: Floats, weights: Floats) -> Floats:
    """Matrix product in one thread: numpy's wakes all cores for a thousand spots, and they get in each other's way."""
    if not len(values):
        return np.zeros((0, weights.shape[1]), np.float32)
    return np.asarray(cv2.gemm(values, weights, 1.0, None, 0.0))  # type: ignore[call-overload]  # None: nothing added
