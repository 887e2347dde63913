"""Where the tray and its keep rail are in the picture."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration import box, floor, ring
from vision.frame import Image
from vision.polygon import Polygon
from vision.profile import Profile
from vision.sampling import Floats

# Cells, a quarter of a die, that the outline reaches beyond the lines found: dice lean on walls, and nothing else
# lies there.
_GROW = 5.0
# Lab units: below these the walls are guessed, and the whole picture is safer.
_LEAST, _LEAST_ROUND, _LEAST_RIDGE = 2.0, 1.5, 8.0
_CLEAR_RIDGE = 20.0  # no round tray shows such a line from side to side, so it need not be looked for
_CLEARER = 1.5  # corners of polygons find some support in any tray: they have to show so much better than four walls


@dataclass(frozen=True, slots=True)
class Where:
    tray: Polygon | None
    rail: Polygon | None


def find(empty: Image | None, dice: Sequence[Image], places: Sequence[Floats], profile: Profile, rail: bool) -> Where:
    """Outline of the play area and of the rail, pixels on the tray's floor. `places`: (n, 2) of dice, per picture.

    Both reach a little onto the walls, and meet on the rail's side of the ridge. None for what does not show well
    enough; without a ridge the tray is all that lies inside its walls."""
    view = floor.bare(dice, places, profile) if empty is None else floor.above(empty, profile)
    edge = profile.kinds[0].edge_mm
    inside = view.of_table(profile.camera.table(np.concatenate([*places, np.zeros((0, 2))]).astype(np.float64), edge))
    divided = box.find(view, inside, rail=True) if rail else None
    ridge = divided.ridge[1].strength if divided is not None and divided.ridge is not None else 0.0
    round_ = ring.find(view, inside) if ridge < _CLEAR_RIDGE else None
    if divided is not None and ridge > max(_LEAST_RIDGE, round_.strength if round_ else 0.0):
        return Where(_polygon(divided.outline(_GROW), view, profile), _polygon(divided.rail(_GROW), view, profile))
    straight = box.find(view, inside, rail=False)
    if round_ is not None and round_.strength > max(_LEAST_ROUND, _CLEARER * straight.strength):
        return Where(_polygon(round_.outline(_GROW), view, profile), None)
    if straight.strength > _LEAST:
        return Where(_polygon(straight.outline(_GROW), view, profile), None)
    return Where(None, None)


def _polygon(cells: Floats, view: floor.View, profile: Profile) -> Polygon:
    pixels = profile.camera.pixels(view.to_table(cells))
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in pixels)
