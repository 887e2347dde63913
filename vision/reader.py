"""Read the dice in one picture: right, or with a doubt that says where and why."""

import numpy as np

from vision import alone, colour, known, pips
from vision.faces import Faces
from vision.frame import Frame, Image
from vision.profile import Profile
from vision.seen import Doubt, Reading, SeenDie

# Below this confidence a value is asked about.
SURE = 0.9


def read(frame: Frame, profile: Profile | None) -> Reading:
    """The dice of one still, sharp picture. Without a profile it reads what the picture alone tells.

    Raises `VisionError` when the picture has another shape than the profile's.
    """
    image = frame.image
    if profile is None:
        return _read_alone(image) if min(image.shape[:2]) >= 24 else Reading()
    return _read_known(image, profile.for_size(image.shape[1], image.shape[0]))


def _read_known(image: Image, profile: Profile) -> Reading:
    found = known.look(image, profile)
    dice = [_seen(found.faces, k, 1.0) for k in range(len(found.faces))]
    return _reading(dice, [])


def _read_alone(image: Image) -> Reading:
    scale = min(1.0, alone.WORK_SIDE / max(image.shape[:2]))
    found = alone.look(pips.resized(image, scale))
    dice = [_seen(found.faces, k, scale) for k in range(len(found.faces))]
    doubts = []
    for xy in found.rest.xy[:1]:
        x, y = (float(v) for v in (xy + 0.5) / scale - 0.5)
        doubts.append(Doubt("count", x, y, "There may be a die here that I cannot read: please move it."))
    return _reading(dice, doubts)


def _reading(dice: list[SeenDie], doubts: list[Doubt]) -> Reading:
    dice.sort(key=lambda d: (d.y, d.x))
    unsure = [
        Doubt("value", d.x, d.y, f"This die looks like a {d.value}, but I am not sure: please say.")
        for d in dice
        if d.confidence < SURE
    ]
    return Reading(tuple(dice), tuple(unsure + doubts))


def _seen(face: Faces, k: int, scale: float) -> SeenDie:
    x, y = (float(v) for v in (face.xy[k] + 0.5) / scale - 0.5)
    return SeenDie(
        int(face.value[k]),
        x,
        y,
        float(2 * face.half[k] / scale),
        float(np.rad2deg(face.angle[k]) % 90),
        colour.name(face.body[k]),
        confidence=_confidence(face, k),
    )


def _confidence(face: Faces, k: int) -> float:
    fit = float(np.clip(1.15 - face.misfit[k] * (0.5 if face.value[k] > 1 else 0.4), 0, 1))
    even = float(np.clip(1.15 - face.uneven[k], 0, 1))
    apart = float(np.clip(face.margin[k] / 0.6, 0, 1))
    edges = float(np.clip(0.7 + (face.sides[k] > 0.1).sum() / 10, 0, 1))
    return min(fit, even, apart, edges)
