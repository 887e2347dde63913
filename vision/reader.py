"""Read the dice in one picture: right, or with a doubt that says where and why."""

from dataclasses import replace

import numpy as np

from vision import alone, attitude, check, colour, known, light, lone, pips, pose, zones
from vision.evidence import Clue, confidence
from vision.faces import Faces
from vision.frame import Frame, Image
from vision.geometry import size_of
from vision.profile import Profile
from vision.sampling import Floats
from vision.seen import Doubt, Reading, SeenDie
from vision.trust import value_clues

# Below this confidence a value is asked about.
SURE = 0.85
# Something die-like of this area, in squared edges, and no die: a die that was not read, or a thing in the tray.
_LEAST_LUMP = 0.35
# Below this confidence a face is a pattern of the floor; were it a die after all, its body is left over: a doubt.
_NOTHING = 0.4
_WHY = {
    "cocked": "This die does not lie flat: please set it down or throw it again.",
    "stacked": "This die lies on another one: please set it down beside it.",
    "partly-out": "This die is partly out of the picture: please move it inwards.",
    "count": "There is something here that I cannot read: please move it, or say what it shows.",
}


def read(frame: Frame, profile: Profile | None) -> Reading:
    """The dice of one still, sharp picture. Without a profile it reads what the picture alone tells.

    Raises `VisionError` when the picture has another shape than the profile's.
    """
    image = frame.image
    if profile is None:
        return _read_alone(image) if min(image.shape[:2]) >= 24 else Reading()
    return _read_known(image, profile.for_size(image.shape[1], image.shape[0]))


def _read_known(image: Image, profile: Profile) -> Reading:
    image = light.as_learned(image, profile)
    found = known.look(image, profile)
    worth = [confidence(value_clues(found.faces, k)) > _NOTHING for k in range(len(found.faces))]
    found = replace(found, faces=found.faces.pick(np.array(worth, np.bool_)))
    measured = pose.measure(found.faces, found.pips, profile)
    seen = check.check(image, found.faces, found.boxes, profile)
    dice, doubts = [], []
    size, mm, foot = _places(found.faces, profile)
    for k, clues in enumerate(attitude.clues(found.faces, measured, seen, profile)):
        zone = zones.of((float(foot[k, 0]), float(foot[k, 1])), profile)
        die = replace(
            _seen(found.faces, k, 1.0, clues),
            size=float(size[k]),
            # Not as it looks here: a white die in a warm corner is no ivory one.
            colour=profile.kinds[found.faces.kind[k]].name,
            zone=zone,
            x_mm=float(mm[k, 0]),
            y_mm=float(mm[k, 1]),
        )
        verdict = attitude.verdict(clues)
        if verdict != "flat":
            doubts.append(Doubt(verdict, die.x, die.y, _WHY[verdict]))
            die = replace(die, value=None, state="partly-out" if verdict == "partly-out" else "cocked")
        dice.append(die)
    for lump in seen.lumps:
        if lump.die < 0 and lump.size > _LEAST_LUMP and zones.well_inside((lump.x, lump.y), profile):
            kind = "partly-out" if lump.at_rim else "count"
            doubts.append(Doubt(kind, lump.x, lump.y, _WHY[kind]))
    doubts += _unexplained(found, doubts, profile)
    return _reading(dice, doubts)


def _unexplained(found: known.Found, doubts: list[Doubt], profile: Profile) -> list[Doubt]:
    """A doubt for pips on no die, one where several lie together."""
    said = [(d.x, d.y) for d in doubts]
    edge_mm = max(kind.edge_mm for kind in profile.kinds)
    out = []
    for x, y in lone.lone(found.pips, found.faces, profile):
        place = (float(x), float(y))
        edge = float(size_of(profile.camera.scale(np.array(place), edge_mm))) * edge_mm
        new = all(np.hypot(place[0] - a, place[1] - b) > edge for a, b in said)
        if new and zones.well_inside(place, profile):
            said.append(place)
            out.append(Doubt("count", *place, _WHY["count"]))
    return out


def _places(found: Faces, profile: Profile) -> tuple[Floats, Floats, Floats]:
    """(n,) pixels, the edge as the profile knows it; (n, 2) millimetres and (n, 2) pixels on the floor, under the
    middle of each die, not behind it."""
    at, edge_mm = found.xy.astype(np.float64), profile.looks.edge_mm[found.kind]
    mm = profile.camera.table(at, edge_mm)
    return size_of(profile.camera.scale(at, edge_mm)) * edge_mm, mm, profile.camera.pixels(mm, 0.0)


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
        if d.confidence < SURE and d.state == "flat"
    ]
    return Reading(tuple(dice), tuple(unsure + doubts))


def _seen(face: Faces, k: int, scale: float, attitude_clues: tuple[Clue, ...] = ()) -> SeenDie:
    x, y = (float(v) for v in (face.xy[k] + 0.5) / scale - 0.5)
    clues = (*value_clues(face, k), *attitude_clues)
    return SeenDie(
        int(face.value[k]),
        x,
        y,
        float(2 * face.half[k] / scale),
        float(np.rad2deg(face.angle[k]) % 90),
        colour.name(face.body[k]),
        confidence=confidence(clues),
        clues=clues,
    )
