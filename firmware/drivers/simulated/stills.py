"""Pictures for calibrating on the simulated tray, taken by its camera as an owner would take them."""

import random

from firmware.drivers.simulated import box
from firmware.drivers.simulated.render import render
from firmware.drivers.simulated.scene import LOOKS, Look, Scene
from firmware.drivers.simulated.tumble import tumble
from vision.frame import Image


def calibration_pictures(
    seed: int = 1,
    look: Look = LOOKS["ivory"],
    edge_mm: float = box.EDGE,
    pictures: int = 3,
    coloured: Look | None = None,
) -> tuple[Image, tuple[Image, ...]]:
    """The empty tray, and pictures of six dice lying flat and apart. Their values are for the reader to find.
    `coloured`: the look of one of them, when it is another."""
    rng = random.Random(seed)
    looks = [look if coloured is None else coloured, *[look] * 5]
    stills = []
    for number in range(pictures):
        dice = tumble(rng, rng.sample(range(1, 7), 6), looks=looks, edge_mm=edge_mm, touching=0.0)
        at_s = max(die.rests_s for die in dice) + 1
        stills.append(render(Scene(dice=dice), at_s, number + 1))
    return render(Scene(), 0.0), tuple(stills)
