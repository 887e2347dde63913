"""The tray compared with its profile: has its light changed, its camera, its floor, or does something lie there?"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from speech.sentence import say
from vision import landmarks, light, places
from vision.displaced import Displaced, displaced
from vision.drift import Box, Drift, Kind
from vision.frame import Image
from vision.polygon import Polygon
from vision.profile import SHRINK, Profile, shrunk
from vision.sampling import Floats
from vision.seen import SeenDie

# A picture's values grow with this root of the light (sRGB).
_GAMMA = 2.2
# Below these nothing is read otherwise: a tenth of a die, and what turns the far end of a tray by as much.
_MM, _DEGREES = 1.5, 0.7
_LOST = 100.0  # mm: the two pictures have nothing in common
# The floor against all around it, times; light that falls otherwise reaches 1.4 where it is but brighter.
_FLOOR, _FLOOR_TINT = 1.7, 1.3
_BLACK = 8  # added to colours (0-255) that are compared, so that the grain of black is no change
# Of the tray: more than this is no thing that lies there.
_MOST = 0.25
_THING = 0.15  # of a die's face
_SHADOWED = 1.7  # edges from a die's middle: its shadow and the colour it throws
# Of the edges that a move must bring back to where they were to be believed.
_EXPLAINED = 0.6
_OTHERWISE = say(
    "The light falls otherwise than when the tray was calibrated: put lamp and camera back, or set the tray again."
)


def compare(image: Image, profile: Profile, dice: Sequence[SeenDie] = ()) -> tuple[Drift, ...]:
    """How the tray differs from its empty picture: nothing where the reader reads it as well as that day.

    `image`: of the profile's size, nothing in it moves. `dice`: what lies there, by the reader. Things that lie there
    are looked for where there are no dice.
    """
    if profile.empty is None or profile.empty_quarter is None:
        return ()
    small, lit = shrunk(image), shrunk(light.as_learned(image, profile))
    if landmarks.kept(lit, profile.landmarks) >= landmarks.STEADY:
        return _colours(image, small, lit, profile, dice)
    way = displaced(image, profile)
    far = way is not None and way.mm < _LOST and (way.mm > _MM or abs(way.degrees) > _DEGREES)
    if way is not None and far and _explains(way, lit, profile):
        return (*_brightness(light.brightness(image, profile)), _moved(way))
    told = tuple(one for one in _colours(image, small, lit, profile, dice) if one.kind != "thing")
    if any(one.kind in ("floor", "colour", "uneven") for one in told) or not _can_tell(image, profile):
        return told
    # A camera that was tilted shows more than a shift and a turn.
    return (*told, _moved(way) if way is not None and far else Drift("uneven", 1.0, None, _OTHERWISE))


def _explains(way: Displaced, lit: Image, profile: Profile) -> bool:
    """Whether the edges are where they were, with the move taken back."""
    quarter = way.way.copy()
    quarter[:, 2] = (quarter[:, 2] + (quarter[:, :2].sum(1) - 1) * (SHRINK - 1) / 2) / SHRINK
    size, how = (lit.shape[1], lit.shape[0]), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    back = np.asarray(cv2.warpAffine(lit, quarter, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return landmarks.kept(back, profile.landmarks) > _EXPLAINED


def _can_tell(image: Image, profile: Profile) -> bool:
    """Whether there is light enough, and not too much, to tell more than that."""
    return light.DARKEST < light.brightness(image, profile) < 1 / light.DARKEST


def lit_times(small: Image, profile: Profile) -> Floats:
    """(3,) how many times as bright each channel is than in the empty picture, outside the floor, which may be another
    one. `small`: a quarter of the size."""
    if profile.empty_quarter is None:
        return np.ones(3)
    around = ~profile.tray_quarter
    if not around.any():
        around[:] = True
    return _gains(small, profile.empty_quarter, around)


def _brightness(gain: float) -> tuple[Drift, ...]:
    if not light.changed(gain):
        return ()
    kind: Kind = "darker" if gain < 1 else "brighter"
    times = gain**_GAMMA
    if gain < 1:
        text = say(
            "It is darker than when the tray was calibrated (about {percent:.0f} % of the light): put the lamp back, "
            "or set the tray again.",
            percent=100 * times,
        )
    else:
        text = say(
            "It is brighter than when the tray was calibrated (about {times:.1f} times the light): put the lamp back, "
            "or set the tray again.",
            times=times,
        )
    return (Drift(kind, times, None, text),)


def _moved(way: Displaced) -> Drift:
    values = {"mm": way.mm, "degrees": abs(way.degrees)}
    if abs(way.degrees) <= _DEGREES:
        text = say(
            "The camera or the tray has moved by about {mm:.0f} mm: put it back, or set the tray again.", **values
        )
    elif way.mm <= _MM:
        text = say(
            "The camera or the tray has turned by {degrees:.0f} degrees: put it back, or set the tray again.", **values
        )
    else:
        text = say(
            "The camera or the tray has moved by about {mm:.0f} mm and turned by {degrees:.0f} degrees: put it back, "
            "or set the tray again.",
            **values,
        )
    return Drift("moved", way.mm, None, text)


def _colours(image: Image, small: Image, lit: Image, profile: Profile, dice: Sequence[SeenDie]) -> tuple[Drift, ...]:
    """What colours tell: of the light, of the floor, of things. `small`: `image` at a quarter of the size; `lit`: the
    same in the light of that day."""
    empty = profile.empty_quarter
    assert empty is not None
    seen, tray = _seen(small.shape[:2], dice), profile.tray_quarter
    inside, around = _within(tray, profile) & seen, ~tray & seen
    if around.any() and inside.any():
        rest = _gains(small, empty, around)
        other = _other_floor(_times(small, empty, inside) / rest, profile)
        if other is not None and not light.tinted(rest):
            return (*_brightness(_grey(rest)), other)
    told = _brightness(light.brightness(image, profile))
    if not _can_tell(image, profile):
        return told
    tint = _gains(small, empty, seen)
    if light.tinted(tint):
        return (*told, Drift("colour", float(tint.max() / tint.min()), None, _tinted(tint)))
    clear = seen & tray & (small.max(2) < light.CLIPPED)
    return (*told, *_things(lit, empty, clear, profile, dice))


def _tinted(tint: Floats) -> str:
    return (
        say("The light is bluer than when the tray was calibrated: put the lamp back, or set the tray again."),
        say("The light is greener than when the tray was calibrated: put the lamp back, or set the tray again."),
        say("The light is redder than when the tray was calibrated: put the lamp back, or set the tray again."),
    )[int(tint.argmax())]


def _other_floor(times: Floats, profile: Profile) -> Drift | None:
    """`times`: as bright, against what is around it. A lamp elsewhere makes a floor but brighter or darker."""
    grey = _grey(times)
    if times.max() < _FLOOR_TINT * times.min() and 1 / _FLOOR < grey < _FLOOR:
        return None
    text = say(
        "The floor of the tray is another one than when it was calibrated: lay the old one, or set the tray again."
    )
    return Drift("floor", grey, _bounds(profile), text)


def _things(
    lit: Image, empty: Image, where: NDArray[np.bool_], profile: Profile, dice: Sequence[SeenDie]
) -> tuple[Drift, ...]:
    changed = ((places.farthest(lit, empty) > places.CHANGED) & where).astype(np.uint8)
    changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    share = float(changed.sum() / max(1, where.sum()))
    if share > _MOST:
        return (Drift("uneven", share, None, _OTHERWISE),)
    count, _, stats, _ = cv2.connectedComponentsWithStats(changed)
    if dice or count < 2:
        return ()
    x, y, width, height, area = (SHRINK * int(v) for v in max(stats[1:], key=lambda s: s[cv2.CC_STAT_AREA]))
    size = SHRINK * area / float(profile.looks.edge_px.max()) ** 2
    if size < _THING:
        return ()
    text = say(
        "Something is here that was not when the tray was calibrated: take it away or wipe it, or set the tray again."
    )
    return (Drift("thing", size, (x, y, width, height), text),)


def _gains(now: Image, then: Image, where: NDArray[np.bool_]) -> Floats:
    """(3,) how many times as bright each channel is there, in the middle of all places; 1 where that is too dark or too
    bright to tell."""
    out = np.ones(3)
    for channel in range(3):
        some, were = now[where][:, channel], then[where][:, channel]
        fit = (were > light.DARK) & (were < light.CLIPPED) & (some < light.CLIPPED)
        if fit.sum() > light.LEAST:
            out[channel] = max(0.01, float(np.median(some[fit] / were[fit])))
    return out


def _times(now: Image, then: Image, where: NDArray[np.bool_]) -> Floats:
    """(3,) the same of a surface that may be another one, black too."""
    some, were = (np.median(picture[where], axis=0) + _BLACK for picture in (now, then))
    return np.asarray(some / were)


def _seen(shape: tuple[int, ...], dice: Sequence[SeenDie]) -> NDArray[np.bool_]:
    """Where neither dice nor what they throw hide the tray."""
    mask = np.ones(shape, np.uint8)
    for die in dice:
        middle = (round(die.x / SHRINK), round(die.y / SHRINK))
        cv2.circle(mask, middle, max(1, round(_SHADOWED * die.size / SHRINK)), (0,), -1)
    return mask > 0


def _within(tray: NDArray[np.bool_], profile: Profile) -> NDArray[np.bool_]:
    """Tray and rail, a little within their outlines."""
    reach = max(3, round(0.4 * profile.slip_px / SHRINK))
    return cv2.erode(tray.astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8)) > 0


def _grey(times: Floats) -> float:
    return float(np.exp(np.log(times).mean()))


def _bounds(profile: Profile) -> Box | None:
    polygon: Polygon = profile.tray or ()
    if not polygon:
        return None
    x, y, width, height = cv2.boundingRect(np.rint(np.array(polygon)).astype(np.int32))
    return x, y, width, height
