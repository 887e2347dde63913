"""Draw what was seen on a copy of the picture."""

import numpy as np

from vision.drawing import AMBER, GREEN, GREY, INK, LINE, badge, caption, polygon, ring, thickness
from vision.frame import Image
from vision.profile import Profile
from vision.reader import SURE
from vision.seen import Doubt, Reading, SeenDie


def draw(image: Image, reading: Reading, profile: Profile | None = None, captions: bool = True) -> Image:
    """`image`: uint8 (h, w, 3) BGR, left as it is. Outlines turn with the dice; values stand in a badge beside.
    `captions`: the sentence of each doubt too, in English."""
    out = image.copy()
    thick = thickness(image)
    if profile is not None:
        here = profile.for_size(image.shape[1], image.shape[0])
        for outline in (here.tray, here.rail):
            if outline is not None:
                polygon(out, np.array(outline), LINE, max(1, thick // 2), edged=False)
    for die in reading.dice:
        _die(out, die, thick)
    for doubt in reading.doubts:
        if captions or not doubt.everywhere:
            _doubt(out, doubt, thick, captions)
    return out


def _die(out: Image, die: SeenDie, thick: int) -> None:
    doubtful = die.state != "flat" or die.confidence < SURE
    colour = AMBER if doubtful else GREEN if die.counts else GREY
    turn = np.deg2rad(die.angle)
    axis = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * die.size / 2
    polygon(out, np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axis + (die.x, die.y), colour, thick)
    radius = max(9.0, 0.3 * die.size)
    reach = 0.5 * die.size * (abs(np.cos(turn)) + abs(np.sin(turn))) + 0.4 * radius
    x = float(np.clip(die.x + 0.75 * reach, radius, out.shape[1] - radius))
    y = float(np.clip(die.y - 0.75 * reach, radius, out.shape[0] - radius))
    badge(out, str(die.value) if die.value is not None else "?", x, y, radius, colour)


def _doubt(out: Image, doubt: Doubt, thick: int, captions: bool) -> None:
    """A ring around the place, and with `captions` the sentence in a box near it, inside the picture."""
    h, w = out.shape[:2]
    radius = max(20, round(0.045 * max(h, w)))
    ring(out, doubt.x, doubt.y, radius, INK, thick + 2)
    ring(out, doubt.x, doubt.y, radius, AMBER, thick)
    if not captions:
        return
    scale = max(0.4, max(h, w) / 2400)
    high = round(22 * scale)  # of a line
    below = doubt.y + radius + 2 * high
    y = below if below + high < h else doubt.y - radius - high
    caption(out, doubt.text, doubt.x, y, AMBER, scale)
