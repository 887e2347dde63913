"""Read the dice in one picture: right, or with a doubt that says where and why."""

from dataclasses import replace

import numpy as np

from speech.sentence import say
from vision import (
    alone,
    attitude,
    colour,
    heard,
    known,
    landmarks,
    leftover,
    light,
    opinion,
    pips,
    places,
    pose,
    tinge,
    unread,
    zones,
)
from vision.evidence import Clue, confidence
from vision.faces import Faces
from vision.frame import Frame, Image
from vision.geometry import size_of
from vision.likely import likely
from vision.looked import Looked, closely
from vision.opinion import Network
from vision.profile import Profile
from vision.sampling import Floats
from vision.seen import Doubt, Reading, SeenDie
from vision.trust import counted, level_clues, value_clues

# Below this confidence a value is asked about.
SURE = 0.85
# From this probability on that a die leans, by the network, it is not one that stands on another.
_LEANS = 0.5
_WHY = {
    "cocked": say("This die does not lie flat: please set it down or throw it again."),
    "stacked": say("This die lies on another one: please set it down beside it."),
    "partly-out": say("This die is partly out of the picture: please move it inwards."),
    "count": say("There is something here that I cannot read: please move it, or say what it shows."),
    "moved": say("The camera or the tray has moved since it was calibrated: put it back, or set it up again."),
    "light": say("The light has changed since the tray was calibrated: put it back, or set the tray again."),
    "unlearned": say("No face of these dice was known when they were learned: calibrate again, and name their faces."),
    "strange": say("The tray does not look as it was learned: put its light and its camera back, or calibrate again."),
}


def read(frame: Frame, profile: Profile | None, network: Network | None = None) -> Reading:
    """The dice of one still, sharp picture. Without a profile it reads what the picture alone tells.

    `network`: gives a second opinion on each die; None asks for none.

    Raises `VisionError` when the picture has another shape than the profile's.
    """
    image = frame.image
    if profile is None:
        return _read_alone(image, network) if min(image.shape[:2]) >= 24 else Reading()
    return _read_known(image, profile.for_size(image.shape[1], image.shape[0]), network)


def _read_known(image: Image, profile: Profile, network: Network | None) -> Reading:
    if profile.learned.pictures and not profile.learned.dice:
        return _unread("unlearned", profile)
    gain = light.brightness(image, profile)
    other_light = light.other(image, profile, gain)
    image = light.as_learned(image, profile, gain)
    found = known.look(image, profile)
    if places.strange(found.changed, profile.tray_quarter):
        return _unread("strange", profile)
    looked = closely(image, found, profile, network)
    doubts = [
        Doubt(kind, profile.width / 2, profile.height / 2, _WHY[kind])
        for kind, is_so in (("moved", found.kept < landmarks.STEADY), ("light", other_light))
        if is_so
    ]
    dice, askew = _dice(looked, profile)
    doubts += askew
    for lump in unread.lumps(looked.seen, profile):
        kind = "partly-out" if lump.at_rim else "count"
        doubts.append(Doubt(kind, lump.x, lump.y, _WHY[kind]))
    said = [(doubt.x, doubt.y) for doubt in doubts]
    doubts += [Doubt("count", *place, _WHY["count"]) for place in unread.unsaid(looked.lone, said, profile)]
    return _reading(dice, doubts, profile.called)


def _unread(kind: str, profile: Profile) -> Reading:
    return Reading(doubts=(Doubt(kind, profile.width / 2, profile.height / 2, _WHY[kind]),))


def _dice(looked: Looked, profile: Profile) -> tuple[list[SeenDie], list[Doubt]]:
    """The dice, and what is to be said of those that do not lie flat on the floor."""
    found, dice, doubts = looked.found.faces, [], []
    size, mm, foot = _places(found, profile)
    for k, (shows, lies) in enumerate(_clues(looked, profile)):
        die = replace(
            _seen(found, k, 1.0, (*shows, *lies)),
            size=float(size[k]),
            # Not as it looks here: a white die in a warm corner is no ivory one.
            colour=profile.kinds[found.kind[k]].name,
            zone=zones.of((float(foot[k, 0]), float(foot[k, 1])), profile),
            x_mm=float(mm[k, 0]),
            y_mm=float(mm[k, 1]),
            likely=likely(found, k, None if looked.share is None else looked.share[k]),
        )
        verdict = attitude.verdict(lies)
        if verdict == "stacked" and looked.share is not None and looked.share[k, -1] > _LEANS:
            verdict = "cocked"
        if verdict != "flat":
            doubts.append(Doubt(verdict, die.x, die.y, _WHY[verdict], die.likely))
        if verdict == "stacked" and confidence(shows) > SURE:
            # It is the one below that cannot be read.
            die = replace(die, confidence=confidence(shows))
        elif verdict != "flat":
            die = replace(die, value=None, state="partly-out" if verdict == "partly-out" else "cocked")
        dice.append(die)
    return dice, doubts


def _clues(looked: Looked, profile: Profile) -> list[tuple[tuple[Clue, ...], tuple[Clue, ...]]]:
    """What speaks for and against each die's value, and against its lying flat."""
    found = looked.found
    out = []
    lies = attitude.clues(found.faces, pose.measure(found.faces, found.pips, profile), looked.seen, profile)
    solid = looked.seen.solid
    for k, how in enumerate(lies):
        shows = value_clues(found.faces, k) if k < looked.read else ()
        leans = float(looked.leans[k])
        if looked.share is not None and found.faces.pictured[k]:
            how = heard.on_picture(how, leans, float(solid[k]))
        elif looked.share is not None:
            value, share = int(found.faces.value[k]), looked.share[k]
            shows = heard.on_value(shows, share, value) if k < looked.read else heard.on_sight(share, value, leans)
            how = heard.on_attitude(how, share, value, leans, float(solid[k]))
        out.append((shows, how))
    return out


def _places(found: Faces, profile: Profile) -> tuple[Floats, Floats, Floats]:
    """(n,) pixels, the edge as the profile knows it; (n, 2) millimetres and (n, 2) pixels on the floor, under the
    middle of each die, not behind it."""
    at, edge_mm = found.xy.astype(np.float64), profile.looks.edge_mm[found.kind]
    mm = profile.camera.table(at, edge_mm)
    return size_of(profile.camera.scale(at, edge_mm)) * edge_mm, mm, profile.camera.pixels(mm, 0.0)


def _read_alone(image: Image, network: Network | None) -> Reading:
    scale = min(1.0, alone.WORK_SIDE / max(image.shape[:2]))
    small = pips.resized(image, scale)
    found = alone.look(small)
    shows = [value_clues(found.faces, k) for k in range(len(found.faces))]
    may = [likely(found.faces, k) for k in range(len(found.faces))]
    if network is not None:
        # Of these photographs the network has seen none: where all pips were counted it has no say.
        share = network.opinion(opinion.patches_alone(small, found.faces)).share
        for k in range(len(shows)):
            if not counted(found.faces, k):
                shows[k] = heard.on_value(shows[k], share[k], int(found.faces.value[k]), heard.ALONE)
                may[k] = likely(found.faces, k, share[k])
    beside = leftover.beside(found.pips, found.faces, found.slant)
    pied = tinge.of(small, found.faces)
    lies = [
        level_clues(found.faces, k, float(found.round[k]), int(beside[k]), float(pied[k]))
        for k in range(len(found.faces))
    ]
    dice = [
        replace(_seen(found.faces, k, scale, (*shows[k], *lies[k])), likely=may[k]) for k in range(len(found.faces))
    ]
    if len(found.faces):
        missed = leftover.left_over(small, found.pips, found.faces, found.slant)
    else:
        missed = leftover.unexplained(found.pips)
    doubts = []
    for place in missed[:1]:
        x, y = ((v + 0.5) / scale - 0.5 for v in place)
        doubts.append(Doubt("count", x, y, say("There may be a die here that I cannot read: please move it.")))
    return _reading(dice, doubts)


def _reading(dice: list[SeenDie], doubts: list[Doubt], names: tuple[str, ...] = ()) -> Reading:
    dice = sorted((_likeliest(die) for die in dice), key=lambda die: (die.y, die.x))
    unsure = [asked(die, names) for die in dice if _unsure(die)]
    return Reading(tuple(dice), tuple(unsure + doubts))


def _unsure(die: SeenDie) -> bool:
    return die.confidence < SURE and die.state == "flat"


def _likeliest(die: SeenDie) -> SeenDie:
    """It shows what is offered first when it is asked about: the pips may say one thing, and a second look another."""
    return replace(die, value=die.likely[0]) if _unsure(die) and die.likely else die


def asked(die: SeenDie, names: tuple[str, ...] = ()) -> Doubt:
    """The doubt about a die whose value is not sure enough. `names`: of the faces, see `vision.dice_set.called`."""
    name = names[die.value - 1] if names and die.value else ""
    return Doubt(
        "value",
        die.x,
        die.y,
        say("This die looks like a {value}, but I am not sure: please say.", value=name or die.value),
        die.likely,
    )


def _seen(face: Faces, k: int, scale: float, clues: tuple[Clue, ...]) -> SeenDie:
    x, y = (float(v) for v in (face.xy[k] + 0.5) / scale - 0.5)
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
