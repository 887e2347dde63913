"""Ones where no kinds of dice are known: single pips in the middle of an even square."""

import numpy as np
from numpy.typing import NDArray

from vision import faces, outline
from vision.choice import choose
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import turned
from vision.pips import Pips
from vision.plain import mode
from vision.sampling import Floats, sample
from vision.slant import Slant

_TURNS = turned(np.deg2rad(np.arange(0, 90, 4.5)))
_ROUND = np.linspace(0, 2 * np.pi, 20, endpoint=False)


def with_ones(image: Image, every: Pips, found: Faces, slant: Slant, alike: bool) -> Faces:
    """The faces found and the ones beside them. `alike`: only such as are like a face found, where any was."""
    if len(found):
        ones = _like_the_others(image, every, found, slant)
        ones = ones if alike else faces.join([ones, _of_any_size(image, every, found, slant)])
    else:
        ones = _of_any_size(image, every, found, slant)
        sizes = np.log(ones.half / slant.size(ones.xy))
        ones = ones.pick(np.abs(sizes - mode(sizes, ones.score, 0.12)) < 0.15) if len(ones) else ones
    both = faces.join([found, ones])
    return both.pick(choose(both)) if len(ones) else both


def _like_the_others(image: Image, every: Pips, found: Faces, slant: Slant) -> Faces:
    """Ones of the size and contrast of the faces `found`."""
    size = float(np.median(found.half / slant.size(found.xy)))
    radius = float(np.median(found.radius))
    bright = float(np.median(found.contrast))
    fit = (every.radius > 0.65 * radius) & (every.radius < 2.2 * radius) & (every.contrast > 0.4 * bright)
    fit &= _apart(every, found) & (every.ratio > 0.72) & (every.clean > 0.75)
    single = every.pick(fit)
    low, high = np.full(len(single), 0.85 * size), np.full(len(single), 1.15 * size)
    return _ones(image, every, single, low, high, True, slant)


def _of_any_size(image: Image, every: Pips, found: Faces, slant: Slant) -> Faces:
    """Ones that are as plain to see as is needed where nothing else tells how large dice are, or another size."""
    single = every.pick(_apart(every, found) & (every.ratio > 0.8) & (every.clean > 0.85) & (every.contrast > 60))
    size = single.radius / slant.size(single.xy)
    return _ones(image, every, single, 3.4 * size, 7.5 * size, False, slant)


def _apart(every: Pips, found: Faces) -> NDArray[np.bool_]:
    """(n,) which pips lie on none of the faces `found`."""
    if not len(found):
        return np.ones(len(every), np.bool_)
    apart = np.hypot(*(every.xy[:, None] - found.xy[None]).transpose(2, 0, 1)) / found.offset[None]
    return np.asarray(apart.min(1) > 2.9)


def _ones(image: Image, every: Pips, single: Pips, low: Floats, high: Floats, known: bool, slant: Slant) -> Faces:
    """Single pips in the middle of an even square. `low`, `high`: half edge on the table; `known`: it is surely so."""
    n = len(single)
    if not n:
        return faces.no_faces()
    scale, size = slant.scale(single.xy), slant.size(single.xy)
    frame = scale[:, None] @ _TURNS
    lines = outline.trace(image, single.xy, frame, low, high, 0.3 * single.contrast, grid=10 if known else 26)
    reach, inner = 0.82 * lines.half, 1.45 * single.radius / size
    far = inner[:, None] + (reach - inner)[:, None] * np.linspace(0, 1, 4)
    ring = (far[..., None, None] * np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])).reshape(n, -1, 2)
    at = single.xy[:, None] + ring @ scale.transpose(0, 2, 1)
    around = sample(image, at[..., 0], at[..., 1])
    body = np.median(around, axis=1)
    contrast = np.maximum(np.linalg.norm(single.inner - body, axis=1), 1)
    spread = faces.unlikeness(around, body, single.inner)
    uneven = np.clip(spread / 0.6, 0, 1).mean(1)
    worst = np.sort(spread, axis=1)[:, -4]
    sides = lines.steps / contrast[:, None]
    worth = np.clip(lines.best / contrast / 0.15, 0, 1)
    quality = single.clean * np.clip((single.ratio - 0.5) / 0.35, 0, 1) * np.clip(1 - uneven / 0.35, 0, 1) * worth
    keep = (uneven < 0.22) & (worst < 0.6) & ((sides > 0.08).sum(1) >= (3 if known else 4)) & (reach > 1.6 * inner)
    keep &= (quality > (0.25 if known else 0.5)) & ((sides > 0.15).sum(1) >= (2 if known else 4))
    keep &= faces.company(single, every, 0.9 * lines.half * size) == 0
    offset = lines.half / 1.9
    return Faces(
        xy=single.xy,
        frame=frame[np.arange(n), lines.turn] * offset[:, None, None],
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
        half=lines.half * size,
        sides=sides,
        backed=np.ones(n),
        upright=np.zeros(n),
        kind=np.full(n, -1),
    ).pick(keep)
