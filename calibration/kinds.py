"""Which dice there are: faces of one size and one look are one kind."""

import numpy as np
from numpy.typing import NDArray

from vision import colour
from vision.dice_set import Kind
from vision.faces import Faces
from vision.sampling import Floats

# Between neighbours in size a gap of this much (natural logarithm) parts two sizes: 14 and 16 mm are 0.13 apart,
# and pip spacings are measured to 0.01.
_SIZE = 0.025
# Edges of dice of one size, by the vote on outlines, lie within so much of each other (the roundness of edges differs
# from set to set), and with no gap of so much between neighbours. Of 76 mixed faces one size spans up to 0.09.
_SPAN, _EDGE = 0.11, 0.07
# Faces of one look differ in colour by less than this share of the pips' contrast, once made equally bright. Light
# from one side makes 0.25 within one set; a set that is split in two by it is still read.
_LOOK = 0.25


def looks(found: Faces) -> NDArray[np.int64]:
    """(n,) a number for each face, the same for faces of one look."""
    body, pip = _evened(found)
    contrast = found.contrast
    apart = np.maximum(
        np.linalg.norm(body[:, None] - body[None], axis=2), np.linalg.norm(pip[:, None] - pip[None], axis=2)
    )
    return _grouped(apart / (contrast[:, None] + contrast[None]) < _LOOK / 2, found.score)


def sizes(size: Floats, gap: float = _SIZE) -> NDArray[np.int64]:
    """(n,) a number for each face, the same for faces of one size. `size`: (n,) free of perspective."""
    if not len(size):
        return np.zeros(0, np.int64)
    order = np.argsort(size)
    jump = np.diff(np.log(size[order])) > gap
    label = np.zeros(len(size), np.int64)
    label[order] = np.concatenate([[0], np.cumsum(jump)])
    return label


def sizes_of_edges(edge: Floats) -> NDArray[np.int64]:
    """(n,) as `sizes`, for the edges of top faces, which are measured less exactly than pips are set apart."""
    order = np.argsort(edge)
    jump = np.diff(np.log(edge[order]))
    starts = [0, *(np.nonzero(jump > _EDGE)[0] + 1), len(edge)]
    k = 0
    while k < len(starts) - 1:
        inner = jump[starts[k] : starts[k + 1] - 1]
        if inner.sum() > _SPAN:
            starts.insert(k + 1, starts[k] + int(inner.argmax()) + 1)
        else:
            k += 1
    label = np.zeros(len(edge), np.int64)
    label[order] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return label


def sizes_of_looks(look: NDArray[np.int64], size: Floats) -> NDArray[np.int64]:
    """(n,) as `sizes` within each look: dice of other colours may lie between any two sizes."""
    label = np.zeros(len(size), np.int64)
    for name in np.unique(look):
        label[look == name] = sizes(size[look == name])
    return label


def _grouped(near: NDArray[np.bool_], worth: Floats) -> NDArray[np.int64]:
    """Groups around the best of those that are left, over and over."""
    label = np.full(len(near), -1, np.int64)
    for start in np.argsort(-worth):
        if label[start] < 0:
            group = near[start] & (label < 0)
            group[start] = True
            label[group] = label.max() + 1
    return label


def _evened(found: Faces) -> tuple[Floats, Floats]:
    """Colours with each face made as bright as all."""
    light = np.maximum(found.body.sum(1), found.pip.sum(1))
    gain = (np.median(light) / np.maximum(light, 1))[:, None]
    return found.body * gain, found.pip * gain


def describe(found: Faces, edge_mm: float, edge_px: Floats, usual: tuple[float, float]) -> Kind:
    """What faces of one kind have in common. `edge_px`: (n,). `usual`: offset and radius, as shares of the edge, of
    dice that were seen better, for a kind of which only ones were seen."""
    many, single = found.value > 1, found.value == 1
    offset, radius = usual
    if many.any():
        offset = float(np.median(found.offset[many] / edge_px[many]))
        radius = float(np.median(found.radius[many] / edge_px[many]))
    one = float(np.median(found.radius[single] / edge_px[single])) if single.any() else radius
    if not many.any():
        radius = min(radius, one)
    body, pip = np.median(found.body, axis=0), np.median(found.pip[many] if many.any() else found.pip, axis=0)
    return Kind(colour.name(body), _bgr(body), _bgr(pip), edge_mm, offset, radius, one, len(found))


def _bgr(value: Floats) -> tuple[float, float, float]:
    return float(value[0]), float(value[1]), float(value[2])
