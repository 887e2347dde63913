"""Flat, cocked, stacked, partly out: what each die's exact pose and outline say."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vision.check import Check
from vision.faces import Faces
from vision.pose import Pose
from vision.profile import Profile

Verdict = Literal["flat", "cocked", "stacked", "partly-out"]

# A die leans from about 15 degrees on: its face is then foreshortened by 0.034, and a side of 0.26 edges comes out.
_SHORT = 0.045
_LUMP = 0.03  # squared edges; flat dice leave 0.0 in 98 of 100 cases
# A one's turn is read from its outline alone and may be off: then corners stick out, but no side is missing. And a two
# or three with an exact diagonal that leans shows a side elsewhere too.
_LUMP_ONE = 0.3
_LUMP_EXACT = 0.16
_RARE = 0.045
_LUMP_LEVEL = 0.25
# Share of die colours beyond a side that is turned away: flat ones, twos and threes have 0.1 in 95 and 0.45 in 99 of
# 100 cases, those that lean more than 0.55 in half of the cases. Other values tell more by their pips.
_BEYOND = 0.55
_BEYOND_EXACT = 0.7
# A diagonal as long as on a level face to this share: a leaning die has it only by chance.
_EXACT = 0.004
# The rows of a six are spaced in some sets unlike the other values, and its outer pips lie far from its middle.
_SIX = 1.4
# A die on a die is nearer the camera by an edge: 0.034 larger at least, for 12 mm dice under 36 cm.
_RAISED = 0.023
# A top face of which more than this is outside the picture is not read. Corners are round, so little is lost at first.
_CUT = 0.17


@dataclass(frozen=True, slots=True)
class Limits:
    """Beyond these a die is not flat; from the profile's slack."""

    stretch: float
    aspect: float
    gap: float


def limits(profile: Profile) -> Limits:
    slack = profile.slack
    return Limits(
        max(_RAISED, 1.8 * slack.stretch), max(_SHORT, 1.6 * slack.aspect), float(np.clip(1.35 * slack.gap, 0.5, 0.95))
    )


def judge(found: Faces, pose: Pose, check: Check, profile: Profile) -> list[Verdict]:
    """One verdict a die, in the order of `found`."""
    usual = limits(profile)
    lumps = np.zeros(len(found))
    for lump in check.lumps:
        if lump.die >= 0:
            lumps[lump.die] += lump.size
    out: list[Verdict] = []
    for k in range(len(found)):
        # Of a kind that was seen once or twice the spacing is known less exactly.
        few = profile.kinds[found.kind[k]].seen < 4
        limit = replace(usual, stretch=max(usual.stretch, _RARE)) if few else usual
        if check.cut[k] > _CUT:
            out.append("partly-out")
        elif _raised(k, pose, limit, lumps[k]):
            out.append("stacked")
        elif _shows_a_side(int(found.value[k]), abs(pose.long[k] - 1), float(check.beyond[k])) or _leans(
            k, found, pose, limit, float(check.gap[k]), float(check.inside[k]), lumps[k]
        ):
            out.append("cocked")
        else:
            out.append("flat")
    return out


def _raised(k: int, pose: Pose, limit: Limits, lump: float) -> bool:
    """Larger both ways, and still a square."""
    square = pose.short[k] / pose.long[k] > 1 - 0.6 * limit.aspect
    return bool(pose.used[k] > 3 and pose.short[k] > 1 + limit.stretch and square and lump < 0.5)


def _leans(k: int, found: Faces, pose: Pose, limit: Limits, gap: float, inside: float, lump: float) -> bool:
    value = int(found.value[k])
    # Four pips and more that lie as on a level face to within half of what is allowed speak for themselves: then
    # light thrown by a clear die, or a side that is as dark as the floor, is no reason to ask.
    stretch = limit.stretch * (_SIX if value == 6 else 1.0)
    off, aspect = abs(pose.long[k] - 1), 1 - pose.short[k] / pose.long[k]
    level = pose.used[k] > 3 and off < 0.5 * stretch and aspect < 0.4 * limit.aspect
    exact = value in (2, 3) and pose.used[k] > 1 and off < _EXACT
    least = _LUMP_LEVEL if level else _LUMP_EXACT if exact else _LUMP_ONE if value == 1 and gap < 0.25 else _LUMP
    if inside > 0.08 or lump > least:
        return True
    if pose.used[k] > 1 and off > stretch:
        return True
    if pose.used[k] > 3 and aspect > limit.aspect * (_SIX if value == 6 else 1.0):
        return True
    # The outline of twos, threes and above all ones must tell more, for their pips tell less.
    share = {1: 0.75, 2: 0.95, 3: 0.95}.get(value, 1.0)
    if exact:
        share = 1.2
    return gap > (max(0.85, limit.gap) if level else share * limit.gap)


def _shows_a_side(value: int, off: float, beyond: float) -> bool:
    """One that no flat die shows. The pips of fours and more tell better."""
    return value < 4 and beyond > (_BEYOND_EXACT if value > 1 and off < _EXACT else _BEYOND)
