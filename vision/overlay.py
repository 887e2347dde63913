"""Draw what was seen on a copy of the picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.profile import Profile
from vision.sampling import Floats
from vision.seen import Doubt, Reading, SeenDie

# BGR. Sure, not sure, not counted, the tray's own lines.
_GREEN, _AMBER, _GREY, _LINE = (80, 200, 70), (0, 170, 255), (170, 170, 170), (220, 220, 220)
_INK = (30, 25, 20)
_SHIFT = 4  # OpenCV draws at sixteenths of a pixel


def draw(image: Image, reading: Reading, profile: Profile | None = None) -> Image:
    """`image`: uint8 (h, w, 3) BGR, left as it is. Outlines turn with the dice; values stand in a badge beside."""
    out = image.copy()
    thick = max(2, round(max(image.shape[:2]) / 500))
    if profile is not None:
        here = profile.for_size(image.shape[1], image.shape[0])
        for polygon in (here.tray, here.rail):
            if polygon is not None:
                cv2.polylines(out, [_fixed(np.array(polygon))], True, _LINE, max(1, thick // 2), cv2.LINE_AA, _SHIFT)
    for die in reading.dice:
        _die(out, die, thick)
    for doubt in reading.doubts:
        _doubt(out, doubt, thick)
    return out


def _die(out: Image, die: SeenDie, thick: int) -> None:
    doubtful = die.state != "flat" or die.confidence < 0.85
    colour = _AMBER if doubtful else _GREEN if die.counts else _GREY
    turn = np.deg2rad(die.angle)
    axis = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * die.size / 2
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axis + (die.x, die.y)
    cv2.polylines(out, [_fixed(corners)], True, _INK, thick + 2, cv2.LINE_AA, _SHIFT)
    cv2.polylines(out, [_fixed(corners)], True, colour, thick, cv2.LINE_AA, _SHIFT)
    radius = max(9.0, 0.3 * die.size)
    reach = 0.5 * die.size * (abs(np.cos(turn)) + abs(np.sin(turn))) + 0.4 * radius
    x = float(np.clip(die.x + 0.75 * reach, radius, out.shape[1] - radius))
    y = float(np.clip(die.y - 0.75 * reach, radius, out.shape[0] - radius))
    _badge(out, str(die.value) if die.value is not None else "?", x, y, radius, colour)


def _badge(out: Image, text: str, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
    centre = (round(x * 16), round(y * 16))
    cv2.circle(out, centre, round((radius + 1.5) * 16), _INK, -1, cv2.LINE_AA, _SHIFT)
    cv2.circle(out, centre, round(radius * 16), colour, -1, cv2.LINE_AA, _SHIFT)
    scale, thick = radius / 15, max(1, round(radius / 7))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
    cv2.putText(
        out, text, (round(x - w / 2), round(y + h / 2)), cv2.FONT_HERSHEY_DUPLEX, scale, _INK, thick, cv2.LINE_AA
    )


def _doubt(out: Image, doubt: Doubt, thick: int) -> None:
    """A ring around the place, and the sentence in a box near it, inside the picture."""
    h, w = out.shape[:2]
    ring = max(20, round(0.045 * max(h, w)))
    cv2.circle(out, (round(doubt.x), round(doubt.y)), ring, _INK, thick + 2, cv2.LINE_AA)
    cv2.circle(out, (round(doubt.x), round(doubt.y)), ring, _AMBER, thick, cv2.LINE_AA)
    scale = max(0.4, max(h, w) / 2400)
    line = max(1, round(1.6 * scale))
    (tw, th), base = cv2.getTextSize(doubt.text, cv2.FONT_HERSHEY_SIMPLEX, scale, line)
    pad = round(0.5 * th)
    x = int(np.clip(doubt.x - tw / 2, pad, max(pad, w - tw - pad)))
    below = doubt.y + ring + 2 * pad + th
    y = int(below if below + base + pad < h else max(th + pad, doubt.y - ring - pad - base))
    cv2.rectangle(out, (x - pad, y - th - pad), (x + tw + pad, y + base + pad), _INK, -1)
    cv2.putText(out, doubt.text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, _AMBER, line, cv2.LINE_AA)


def _fixed(points: Floats) -> NDArray[np.int32]:
    return np.asarray(np.round(points * 16), np.int32)
