"""How far flat dice of a tray stray from what its profile says, and how far they may where little was seen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration import camera as cameras
from vision import check, cube, emblems, known, pose
from vision.dice_set import Slack
from vision.frame import Image
from vision.profile import Profile

# Of the doubt about the camera. With so much room none of the 18 flat dice on trays that were learned from two or four
# dice seemed raised or leaning, and none of the 40 that leaned or lay on others seemed flat.
_UNKNOWN = 1.4
_DRAWN = 2.0  # the same where no pips tell it
_MANY = 3  # patterns of four pips and more from which on they tell how exactly such dice are seen
_LITTLE = 0.02  # up to here the limits leave room enough: from six dice on, where they do not all lie in one corner


def learned(dice: Sequence[Image], profile: Profile, doubt: float = 0.0) -> Slack:
    """How well the flat dice of its own pictures fit. One that fits badly is taken for a die that does not lie flat.

    `doubt`: about the camera, see `camera.doubt`, where no pips tell it."""
    stretch, aspect, gap, bare, lump = [], [], [], [], []
    looks = [known.look(image, profile) for image in dice]
    every = [replace(one, faces=one.faces.pick(emblems.sure(one.faces))) for one in looks]
    for image, found in zip(dice, every, strict=True):
        measured = pose.measure(found.faces, found.pips, profile)
        seen = check.check(image, found.faces, cube.flat(found.faces, profile), found.boxes, profile)
        stretch += [abs(v - 1) for v, n in zip(measured.long, measured.used, strict=True) if n > 1]
        aspect += [1 - s / v for s, v, n in zip(measured.short, measured.long, measured.used, strict=True) if n > 3]
        gap += list(seen.gap)
        bare += list(seen.bare)
        lump += list(seen.owned)
    least, points = Slack(), _points(every, profile)
    unknown: tuple[float, ...] = ()
    if points:
        covariance = cameras.covariance(profile.camera, points)
        unknown = tuple(covariance.ravel().tolist())
        doubt = cameras.doubt(profile.camera, covariance)
        doubt = doubt if doubt > _LITTLE else 0.0
    return Slack(
        max(float(np.clip(_high(stretch), least.stretch, 0.05)), (_UNKNOWN if points else _DRAWN) * doubt),
        max(float(np.clip(_high(aspect), least.aspect, 0.09)), doubt),
        float(np.clip(_high(gap), least.gap, 0.7)),
        _high(bare),
        min(_high(lump), 1.0),
        unknown,
        (_high(stretch), _high(aspect)) if len(aspect) >= _MANY else (0.0, 0.0),
    )


def _points(every: Sequence[known.Found], profile: Profile) -> list[cameras.Points]:
    """The pips that the camera was learned from. The six, which many sets space unlike the rest, counts where there
    is nothing else."""
    points: list[cameras.Points] = []
    sixes: list[cameras.Points] = []
    for found in every:
        for k in np.nonzero(found.faces.value > 1)[0]:
            places, xy = pose.matched(found.faces, int(k), found.pips, profile.camera)
            if len(places) > 1:
                one = cameras.Points(places, xy, int(found.faces.kind[k]))
                (sixes if found.faces.value[k] == 6 else points).append(one)
    return points or sixes


def _high(values: list[float]) -> float:
    return float(np.percentile(values, 95)) if values else 0.0
