"""Read the dice in one picture: right, or with a doubt that says where and why."""

import numpy as np

from vision import alone, colour, pips
from vision.frame import Frame
from vision.profile import Profile
from vision.seen import Doubt, Reading, SeenDie

# Below this confidence a value is asked about.
SURE = 0.9


def read(frame: Frame, profile: Profile | None) -> Reading:
    """The dice of one still, sharp picture. Without a profile it reads what the picture alone tells."""
    return _read_alone(frame)


def _read_alone(frame: Frame) -> Reading:
    image = frame.image
    if min(image.shape[:2]) < 24:
        return Reading()
    scale = min(1.0, alone.WORK_SIDE / max(image.shape[:2]))
    found = alone.look(pips.resized(image, scale))
    dice, doubts = [], []
    for k in range(len(found.faces)):
        die = _seen(found, k, scale)
        dice.append(die)
        if die.confidence < SURE:
            doubts.append(
                Doubt("value", die.x, die.y, f"This die looks like a {die.value}, but I am not sure: please say.")
            )
    for xy in found.rest.xy:
        x, y = (float(v) for v in (xy + 0.5) / scale - 0.5)
        doubts.append(Doubt("count", x, y, "There may be a die here that I cannot read: please move it."))
        break
    dice.sort(key=lambda d: (d.y, d.x))
    return Reading(tuple(dice), tuple(doubts))


def _seen(found: alone.Found, k: int, scale: float) -> SeenDie:
    face = found.faces
    x, y = (float(v) for v in (face.xy[k] + 0.5) / scale - 0.5)
    return SeenDie(
        int(face.value[k]),
        x,
        y,
        float(2 * found.half[k] / scale),
        float(np.rad2deg(face.angle[k]) % 90),
        colour.name(face.body[k]),
        confidence=_confidence(found, k),
    )


def _confidence(found: alone.Found, k: int) -> float:
    face = found.faces
    fit = float(np.clip(1.15 - face.misfit[k] * (0.5 if face.value[k] > 1 else 0.4), 0, 1))
    even = float(np.clip(1.15 - face.uneven[k], 0, 1))
    apart = float(np.clip(face.margin[k] / 0.6, 0, 1))
    edges = float(np.clip(0.7 + (found.sides[k] > 0.1).sum() / 10, 0, 1))
    return min(fit, even, apart, edges)
