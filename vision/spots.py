"""Pips of dice that are known: of their sizes, in their colours, and not there before the dice came."""

import numpy as np
from numpy.typing import NDArray

from vision import gauge, pips
from vision.frame import Image
from vision.pips import Pips
from vision.places import Box
from vision.profile import Kind, Profile
from vision.sampling import Floats, sample


def _radii(profile: Profile) -> list[float]:
    """Pip radii in pixels to look for, a factor 1.3 apart at least."""
    middle = np.array([[profile.width / 2, profile.height / 2]])
    sizes: list[float] = []
    for kind in profile.kinds:
        scale = float(profile.camera.scale(middle, kind.edge_mm)[0, 0, 0]) * kind.edge_mm
        sizes += [kind.radius * scale, kind.one * scale]
    out: list[float] = []
    for size in sorted(sizes):
        if not out or size > 1.3 * out[-1]:
            out.append(size)
    return out


def look(image: Image, boxes: tuple[Box, ...], profile: Profile) -> Pips:
    """All spots in `boxes` that may be a pip of the profile's dice."""
    found = []
    for radius in _radii(profile):
        scale = min(1.0, pips.LOOK_AT / radius)
        places = []
        for x0, y0, x1, y1 in boxes:
            part = pips.resized(image[y0:y1, x0:x1], scale)
            if min(part.shape[:2]) < 5:
                continue
            at = pips.spots(part, radius * scale)
            inner, outer, one_sided = gauge.glance(part, at, radius * scale)
            at = at[(one_sided < 1.5) & _any_kind(inner, outer, profile.kinds, 0.5, 0.5)]
            places.append((at + 0.5) / scale - 0.5 + (x0, y0))
        if places:
            xy = np.concatenate(places)
            found.append(pips.measured(image, xy, radius))
    every = pips.join(found)
    # A round strong spot is one on an uneven ground too: beside a dark bevel, in a gleam.
    strong = min(float(np.linalg.norm(np.subtract(kind.pip, kind.body))) for kind in profile.kinds)
    strong = max(40.0, 0.4 * strong)
    round_ = (every.ratio > 0.88) & (every.rough < 0.2) & (every.clean > 0.05) & (every.contrast > strong)
    sound = (every.ratio > 0.5) & ((every.clean > 0.35) | round_) & (every.contrast > 10)
    every = every.pick(sound)
    every = every.pick(_any_kind(every.inner, every.outer, profile.kinds))
    if profile.empty is not None:
        every = every.pick(_new(every, profile.empty))
    return pips.distinct(every)


def _new(every: Pips, empty: Image) -> NDArray[np.bool_]:
    """Which spots were not there before the dice came: those of the floor's own pattern are no pips."""
    radius = every.radius[:, None]
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)[None]

    def ring(far: float) -> Floats:
        return sample(
            empty, every.xy[:, :1] + far * radius * np.cos(turn), every.xy[:, 1:] + far * radius * np.sin(turn)
        )

    inner, outer = ring(0.45).mean(1), np.median(ring(1.7), axis=1)
    # In the shadow of a die the pattern is as much fainter as its ground is darker.
    gain = np.clip(every.outer.sum(1) / np.maximum(outer.sum(1), 1), 0.1, 1.5)
    way = every.inner - every.outer
    before = gain * ((inner - outer) * way).sum(1) / np.maximum((way**2).sum(1), 1)
    return np.asarray(before < 0.5)


def _any_kind(
    inner: Floats, outer: Floats, kinds: tuple[Kind, ...], direction: float = 0.75, strength: float = 1.0
) -> NDArray[np.bool_]:
    """Which spots differ from their ground as the pips of some kind do, in direction and strength.

    `inner`, `outer`: (n, 3) BGR. `direction`: least cosine. `strength`: least share of the usual least difference.
    """
    body, pip = np.array([kind.body for kind in kinds]), np.array([kind.pip for kind in kinds])
    way = pip - body
    contrast = np.linalg.norm(way, axis=1)
    light_body = body.sum(1) > pip.sum(1)
    lightest = np.where(light_body[:, None], body, pip)
    seen = np.where(light_body, outer @ lightest.T, inner @ lightest.T)
    gain = np.clip(seen / np.maximum(1.0, (lightest**2).sum(1)), 0.1, 1.5)
    differs = inner - outer
    along = differs @ way.T / contrast
    fits = along > direction * np.linalg.norm(differs, axis=1)[:, None]
    return np.asarray((fits & (along > strength * np.maximum(0.2 * gain, 0.1) * contrast)).any(1))
