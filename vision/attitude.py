"""Flat, cocked, stacked, partly out: what each die's exact pose and outline say."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vision.check import Check
from vision.evidence import TAKES, Clue, ruled, weighed
from vision.faces import Faces
from vision.geometry import size_of
from vision.pose import Pose
from vision.profile import Profile
from vision.sampling import Floats
from vision.vague import vague

Verdict = Literal["flat", "cocked", "stacked", "partly-out"]

# A die leans from about 15 degrees on: its face is then foreshortened by 0.034, and a side of 0.26 edges comes out.
# Of 1,900 flat ones 99 in 100 seem foreshortened by 0.017 at most, and more where specks hang on their pips.
_SHORT = 0.03
_SHORT_PICTURE = 0.038  # an emblem's frame is found less exactly,
# and the less a face is like its picture the less so: of 90 flat ones that are 0.82 to 0.9 like theirs, in gleams, one
# in ten seems foreshortened by 0.04 to 0.06.
_CLEARLY, _UNCLEAR = 0.95, 0.25
_LUMP = 0.03  # squared edges; flat dice leave 0.0 in 98 of 100 cases
# A one's turn is read from its outline alone and may be off: then corners stick out, but no side is missing. And a two
# or three with an exact diagonal that leans shows a side elsewhere too.
_LUMP_ONE = 0.3
_LUMP_EXACT = 0.16
_RARE = 0.045
_LUMP_LEVEL = 0.25
_LUMP_MOST = 0.8  # more than a flat die's shadow adds to it where light is poor
# Share of die colours beyond a side that is turned away: flat ones, twos and threes have 0.1 in 95 and 0.45 in 99 of
# 100 cases, those that lean more than 0.55 in half of the cases. Other values tell more by their pips.
_BEYOND = 0.55
_BEYOND_EXACT = 0.7
# Share of die colours there from which on even a level pattern does not excuse what sticks out, nor one that is less
# exact than it could be this: of 33 flat fours and more that are so none had more, of 376 leaning ones 237.
_SHOWS = 0.3
# A diagonal as long as on a level face to this share: a leaning die has it only by chance.
_EXACT = 0.006
# The rows of a six are spaced in some sets unlike the other values.
_SIX = 1.2
# A die on a die is nearer the camera by an edge: 0.034 larger at least, for 12 mm dice under 36 cm. Where a lamp is
# mirrored in hollow pips they seem 0.026 farther apart than elsewhere.
_RAISED = 0.028
# Of how exactly the camera knows sizes at a place, standard deviations: where no die lay in calibration, on the rail or
# in a corner, dice seemed up to 2.2 of them larger.
_UNKNOWN, _UNKNOWN_MOST = 2.5, 0.07
# How near (natural logarithm) the diagonal of a two or three comes to that of one that is an edge higher: of 11 on
# other dice none was farther off than 0.009, and what leans is longer by chance only.
_AS_HIGH = 0.015
# A one's pip tells less: of 214 on flat dice the largest had grown by 1.24 times what a die below would make it grow.
_GROWN = 1.35
# Of 2,391 flat ones, twos and threes none had pips less round than its kind's by this much, of 288 leaning ones 12.
_SQUASHED = 0.16
# Stretch and aspect that a tray's own flat dice are never surely below, and how many times as far off as they are a
# pattern of four pips and more is as exact as theirs: of 3,812 flat ones 96 in a hundred, of 507 leaning ones 2.
_FINEST, _AS_EXACT = (0.0012, 0.0025), 2.0
# As much farther off it takes as much of the confidence as a limit that is nearly reached.
_FAR_OFF = 4.0
# Share of floor just within the top face: 0.33 at most on 99 of 100 flat dice that are not of the floor's own colours.
_BARE = 0.4
# Edges by which a flat die would stand inside another; and of a kind that was seen once or twice.
_INSIDE, _INSIDE_RARE = 0.08, 0.15
_FEW = 3  # dice of a kind, seen in the calibration, by which it is known less exactly
# A top face of which more than this is outside the picture is not read. Corners are round, so little is lost at first.
_CUT = 0.17


@dataclass(frozen=True, slots=True)
class Limits:
    """Beyond these a die is not flat; from the profile's slack."""

    stretch: float
    aspect: float
    gap: float
    bare: float
    lump: float = 0.0
    exact: tuple[float, float] = (0.0, 0.0)
    inside: float = _INSIDE


def limits(profile: Profile) -> Limits:
    slack = profile.slack
    return Limits(
        max(_RAISED, 1.8 * slack.stretch),
        max(_SHORT, 1.6 * slack.aspect),
        float(np.clip(1.35 * slack.gap, 0.5, 0.95)),
        max(_BARE, 1.35 * slack.bare),
        min(1.35 * slack.lump, _LUMP_MOST),
        (max(_FINEST[0], slack.exact[0]), max(_FINEST[1], slack.exact[1])) if any(slack.exact) else (0.0, 0.0),
    )


def clues(found: Faces, pose: Pose, check: Check, profile: Profile) -> list[tuple[Clue, ...]]:
    """What speaks for and against each die lying flat, in the order of `found`."""
    usual = limits(profile)
    lumps, higher = check.owned, _higher(found, profile)
    unknown = _unknown(found, pose, usual, profile)
    room = np.minimum(_UNKNOWN * unknown, _UNKNOWN_MOST)
    out: list[tuple[Clue, ...]] = []
    for k in range(len(found)):
        # Of a kind that was seen once or twice the spacing is known less exactly.
        few = profile.kinds[found.kind[k]].seen <= _FEW
        limit = (
            replace(usual, stretch=max(usual.stretch, _RARE), inside=_INSIDE_RARE, exact=(0.0, 0.0)) if few else usual
        )
        limit = replace(limit, stretch=max(limit.stretch, float(room[k])))
        whole = ruled("whole", check.cut[k], _CUT)
        raised = _raised(k, found, pose, limit, lumps[k], higher[k])
        if found.value[k] == 1:
            raised = [_grown(k, found, profile, higher[k])]
        out.append((whole, *raised, *_leans(k, found, pose, check, limit, lumps[k], float(unknown[k]))))
    return out


def verdict(clues: tuple[Clue, ...]) -> Verdict:
    """What the first of the `clues` says that rules out a flat die."""
    against = next((clue.name for clue in clues if clue.leaves == 0), "")
    return "flat" if not against else _SAYS.get(against, "cocked")


_SAYS: dict[str, Verdict] = {"whole": "partly-out", "floor": "stacked"}


def _unknown(found: Faces, pose: Pose, usual: Limits, profile: Profile) -> Floats:
    """(n,) how exactly the camera knows sizes where each lies, a standard deviation (natural logarithm); 0 where that
    does not matter."""
    matters = min(usual.stretch, _AS_EXACT * usual.exact[0]) if usual.exact[0] else usual.stretch
    if not (np.abs(pose.long - 1) > matters).any():
        return np.zeros(len(found))
    return vague(profile.camera, profile.slack.camera, found.xy.astype(np.float64))


def _higher(found: Faces, profile: Profile) -> Floats:
    """(n,) how much larger each face would look on another die than on the floor, natural logarithm."""
    at, edge_mm = found.xy.astype(np.float64), profile.looks.edge_mm[found.kind]
    floor, die = (size_of(profile.camera.scale(at, level * edge_mm)) for level in (1, 2))
    return np.asarray(np.log(die / floor))


def _raised(k: int, found: Faces, pose: Pose, limit: Limits, lump: float, higher: float) -> list[Clue]:
    """Larger both ways, and still a square; of a two or three its diagonal, by just as much as a die below makes it."""
    if found.value[k] < 4:
        beyond = pose.used[k] > 1 and pose.long[k] - 1 > limit.stretch
        as_high = abs(np.log(pose.long[k]) - higher) < _AS_HIGH
        return [ruled("floor", pose.long[k] - 1, limit.stretch)] if beyond and as_high else []
    square = pose.short[k] / pose.long[k] > 1 - 0.6 * limit.aspect
    if pose.used[k] < 4 or not square or lump >= 0.5:
        return []
    return [ruled("floor", pose.short[k] - 1, limit.stretch)]


def _grown(k: int, found: Faces, profile: Profile, higher: float) -> Clue:
    """How much larger a one's pip is than on the floor (natural logarithm), where its size was learned."""
    kind, at = profile.kinds[found.kind[k]], found.xy[k].astype(np.float64)
    floor = float(size_of(profile.camera.scale(at, kind.edge_mm)))
    learned = kind.one != kind.radius and not found.pictured[k]
    grown = float(np.log(found.radius[k] / (kind.one * kind.edge_mm * floor))) if learned else 0.0
    return ruled("floor", grown, _GROWN * higher)


def _leans(k: int, found: Faces, pose: Pose, check: Check, limit: Limits, lump: float, unknown: float) -> list[Clue]:
    value, gap, pictured = int(found.value[k]), float(check.gap[k]), bool(found.pictured[k])
    # Four pips and more that lie as on a level face to within half of what is allowed speak for themselves: then
    # light thrown by a clear die, or a side that is as dark as the floor, is no reason to ask.
    unclear = _UNCLEAR * max(0.0, _CLEARLY - 1 + float(found.misfit[k])) if pictured else 0.0
    stretch = limit.stretch * (_SIX if value == 6 else 1.0) + unclear / 2
    short = max(limit.aspect, _SHORT_PICTURE) if pictured else limit.aspect
    off, aspect = abs(pose.long[k] - 1), 1 - pose.short[k] / pose.long[k]
    level = (value > 3 or pictured) and pose.used[k] > 2 and off < 0.4 * stretch and aspect < 0.5 * short
    exact = value in (2, 3) and pose.used[k] > 1 and off < _EXACT
    # One that leans as far towards the camera as it lies beside it looks level, but for a side that it shows.
    clear = level and check.beyond[k] < _SHOWS
    # Of a picture the networks say little about whether a side lies there or a shadow.
    lump = float(check.solid[k]) if pictured and level and check.beyond[k] < _BEYOND else lump
    out = [
        ruled("room", check.inside[k], limit.inside),
        ruled("outline", lump, _most_lump(0 if pictured else value, gap, limit, clear, exact)),
        ruled("sides", gap, _most_gap(2 if pictured else value, limit, level, exact)),
    ]
    if pose.used[k] > 1:
        out.append(ruled("spacing", off, stretch))
    if pose.used[k] > 3:
        out.append(ruled("squeeze", aspect, short + unclear))
        if limit.exact[0] and not pictured:
            out += _exactly(off - unknown, aspect, check.beyond[k], limit)
    if value < 4 and not np.isnan(pose.squashed[k]):
        out.append(ruled("squash", pose.squashed[k], _SQUASHED))
    if not level if pictured else value < 4:
        # The pips of fours and more tell better, and so does a picture that lies as on a level face.
        out.append(ruled("top", check.bare[k], limit.bare))
        out.append(ruled("hidden", check.beyond[k], _BEYOND_EXACT if value > 1 and off < _EXACT else _BEYOND))
    return out


def _exactly(off: float, aspect: float, beyond: float, limit: Limits) -> list[Clue]:
    """How exactly the pips of a four and more lie, against the tray's own flat dice. One that leans twice as far
    towards the camera as it lies beside it seems level, but it shows a side that is turned away on a flat die."""
    times = max(off / limit.exact[0], aspect / limit.exact[1])
    exact = weighed("exact", times, _AS_EXACT, 1 - TAKES * min(1.0, (times - _AS_EXACT) / _FAR_OFF))
    return [exact, ruled("hidden", beyond, _SHOWS) if exact.against else weighed("hidden", beyond, _BEYOND, 1.0)]


def _most_lump(value: int, gap: float, limit: Limits, level: bool, exact: bool) -> float:
    if level or exact:
        return max(_LUMP_LEVEL if level else _LUMP_EXACT, limit.lump)
    return max(_LUMP_ONE, limit.lump) if value == 1 and gap < 0.25 else _LUMP


def _most_gap(value: int, limit: Limits, level: bool, exact: bool) -> float:
    """The outline of twos, threes and above all ones must tell more, for their pips tell less."""
    if level:
        return max(0.85, limit.gap)
    return limit.gap * (1.2 if exact else {1: 0.75, 2: 0.95, 3: 0.95}.get(value, 1.0))
