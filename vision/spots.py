"""Pips of dice that are known: of their sizes, in their colours, and not there before the dice came."""

import numpy as np
from numpy.typing import NDArray

from vision import exact, gauge, likeness, pips
from vision.frame import Image
from vision.pips import Pips
from vision.polygon import Box
from vision.profile import Looks, Profile
from vision.sampling import Floats, middle, sample


def _radii(profile: Profile) -> list[float]:
    """Pip radii in pixels to look for, a factor 1.3 apart at least."""
    sizes: list[float] = []
    for kind, edge in zip(profile.kinds, profile.looks.edge_px, strict=True):
        sizes += [float(kind.radius * edge), float(kind.one * edge)]
    out: list[float] = []
    for size in sorted(sizes):
        if not out or size > 1.3 * out[-1]:
            out.append(size)
    return out


def look(image: Image, boxes: tuple[Box, ...], profile: Profile) -> Pips:
    """All spots in `boxes` that may be a pip of the profile's dice."""
    found = []
    for radius in _radii(profile):
        xy = _places(image, boxes, radius, profile)
        if len(xy):
            second = pips.second_look(image, xy, radius)
            second = second.pick(_any_kind(second.inner, second.outer, profile.looks, 0.65, 0.8))
            found.append(pips.measure(image, second.xy, second.radius, turns=1))
    every = pips.join(found)
    # A round strong spot is one on an uneven ground too: beside a dark bevel, in a gleam.
    strong = max(40.0, 0.4 * float(profile.looks.contrast.min()))
    round_ = (every.ratio > 0.88) & (every.rough < 0.2) & (every.clean > 0.05) & (every.contrast > strong)
    sound = (every.ratio > 0.5) & ((every.clean > 0.35) | round_) & (every.contrast > 10)
    every = every.pick(sound)
    every = every.pick(_any_kind(every.inner, every.outer, profile.looks))
    if profile.empty is not None:
        every = every.pick(_new(every, profile.empty))
    return pips.distinct(exact.pips(image, every, profile))


def _places(image: Image, boxes: tuple[Box, ...], radius: float, profile: Profile) -> Floats:
    """(n, 2) pixels where at first sight there may be a pip of about this radius, pixels."""
    scale = min(1.0, pips.LOOK_AT / radius)
    places, seen = [], []
    for x0, y0, x1, y1 in boxes:
        part = pips.resized(image[y0:y1, x0:x1], scale)
        if min(part.shape[:2]) >= 5:
            inside = pips.smoothed(part, radius * scale)
            at = pips.spots(inside, radius * scale)
            places.append((at + 0.5) / scale - 0.5 + (x0, y0))
            seen.append(gauge.glance(inside, at, radius * scale))
    if not places:
        return np.zeros((0, 2))
    inner, outer, one_sided = (np.concatenate(column) for column in zip(*seen, strict=True))
    may = (one_sided < 1.5) & _any_kind(inner, outer, profile.looks, 0.5, 0.5) & _on_die(inner, outer, profile)
    return np.asarray(np.concatenate(places)[may])


def _on_die(inner: Floats, outer: Floats, profile: Profile) -> NDArray[np.bool_]:
    """Which spots are not floor on floor, the grain of a felt; `inner`, `outer`: (n, 3) BGR."""
    if profile.likeness is None or not len(inner):
        return np.ones(len(inner), np.bool_)
    like = likeness.of(np.stack([inner, outer]).astype(np.uint8), profile.likeness)
    return np.asarray(like.max(0) > _FLOOR)


# Likeness up to which both are surely floor's: it leaves out half of all spots on rendered floors, and none of 14,900
# pips of top faces, of which the least had 63.
_FLOOR = 50


def _new(every: Pips, empty: Image) -> NDArray[np.bool_]:
    """Which spots were not there before the dice came: those of the floor's own pattern are no pips."""
    radius = every.radius[:, None]
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)[None]

    def ring(far: float) -> Floats:
        return sample(
            empty, every.xy[:, :1] + far * radius * np.cos(turn), every.xy[:, 1:] + far * radius * np.sin(turn)
        )

    inner, outer = ring(0.45).mean(1), middle(ring(1.7))
    # In the shadow of a die the pattern is as much fainter as its ground is darker.
    gain = np.clip(every.outer.sum(1) / np.maximum(outer.sum(1), 1), 0.1, 1.5)
    way = every.inner - every.outer
    before = gain * ((inner - outer) * way).sum(1) / np.maximum((way**2).sum(1), 1)
    return np.asarray(before < 0.5)


def _any_kind(
    inner: Floats, outer: Floats, looks: Looks, direction: float = 0.75, strength: float = 1.0
) -> NDArray[np.bool_]:
    """Which spots differ from their ground as the pips of some kind do, in direction and strength.

    `inner`, `outer`: (n, 3) BGR. `direction`: least cosine. `strength`: least share of the usual least difference.
    """
    differs, contrast = inner - outer, looks.contrast[:, None]
    along = (looks.pip - looks.body) @ differs.T / contrast
    fits = along > direction * np.linalg.norm(differs, axis=1)
    fits &= along > strength * np.maximum(0.12 * looks.gain(outer, inner, 0.1), 0.1) * contrast
    return np.asarray(fits.any(0))
