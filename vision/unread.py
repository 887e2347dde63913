"""What no die explains: things of a die's size, and pips that lie on none."""

from collections.abc import Sequence

import numpy as np

from vision import lone, zones
from vision.check import Check
from vision.cube import Cubes
from vision.geometry import size_of
from vision.lump import Lump
from vision.pips import Pips
from vision.profile import Profile

# Something die-like of this area, in squared edges, and no die: a die that was not read, or a thing in the tray.
_LEAST_LUMP = 0.35
_SEEN = 0.75  # edges: how far up the middle of what is seen of a die lies; half an edge were all its sides seen
_WHOLE = 0.8  # squared edges: a die with its sides has more
# More than this is no single die, whatever sides it shows.
_MOST_LUMP = 2.2


def lumps(seen: Check, profile: Profile) -> list[Lump]:
    """Things of a die's size that no die explains."""
    large = [lump for lump in seen.lumps if lump.die < 0 and lump.size > _LEAST_LUMP]
    return [lump for lump in large if zones.well_inside((lump.x, lump.y), profile) or _at_border(lump, profile)]


def _at_border(lump: Lump, profile: Profile) -> bool:
    """Whether a whole die may lie there, near enough to the tray's outline to count: walls mirror less than that, and
    what reaches out of the picture as well may be a thing beside the tray."""
    whole = _WHOLE < lump.size < _MOST_LUMP and not lump.at_rim
    return whole and zones.of((lump.x, lump.y), profile) != "outside"


Place = tuple[float, float]  # pixels


def tops(lone_: Sequence[Place], seen: Check, profile: Profile) -> list[Place]:
    """About where the top faces of dice may be that were not read; `lone_`: see `pips`."""
    edge_mm = max(kind.edge_mm for kind in profile.kinds)
    middles = [(p.x, p.y) for p in lumps(seen, profile) if not p.at_rim and p.size < _MOST_LUMP]
    # What is seen of a die is its top, and of its sides those that are not dark.
    at = profile.camera.pixels(profile.camera.table(np.array(middles).reshape(-1, 2), _SEEN * edge_mm), edge_mm)
    near = [*((float(x), float(y)) for x, y in at)]
    for group in lone_:
        if all(np.hypot(group[0] - x, group[1] - y) > _edge_px(group, profile) for x, y in near):
            near.append(group)
    return near


def unsaid(lone_: Sequence[Place], said: Sequence[Place], profile: Profile) -> list[Place]:
    """Where pips lie on no die, and nothing is `said` about; `lone_`: see `pips`."""
    return [g for g in lone_ if all(np.hypot(g[0] - x, g[1] - y) > _edge_px(g, profile) for x, y in said)]


def pips(every: Pips, cubes: Cubes, profile: Profile) -> list[Place]:
    """Where pips lie that are on no die, well inside the tray: the middle of those that lie together."""
    groups: list[list[tuple[float, float]]] = []
    for x, y in lone.lone(every, cubes, profile):
        place = (float(x), float(y))
        if zones.well_inside(place, profile):
            reach = _edge_px(place, profile)
            near = next((g for g in groups if np.hypot(g[0][0] - place[0], g[0][1] - place[1]) < reach), None)
            groups.append([place]) if near is None else near.append(place)
    return [(float(np.mean([x for x, _ in g])), float(np.mean([y for _, y in g]))) for g in groups]


def _edge_px(place: tuple[float, float], profile: Profile) -> float:
    edge_mm = max(kind.edge_mm for kind in profile.kinds)
    return float(size_of(profile.camera.scale(np.array(place), edge_mm))) * edge_mm
