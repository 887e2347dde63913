"""Where a row of lights stands after a time: played once, or again and again. Pure."""

from collections.abc import Sequence
from math import inf

from firmware.drivers import Light


def length_s(lights: Sequence[Light]) -> float:
    return sum(light.s for light in lights)


def once(lights: Sequence[Light], since_s: float) -> tuple[Light, float] | None:
    """The light shown `since_s` seconds after the row began, and when it ends on that scale; None when all is over."""
    end_s = 0.0
    for light in lights:
        end_s += light.s
        if since_s < end_s:
            return light, end_s
    return None


def again(lights: Sequence[Light], since_s: float) -> tuple[Light, float] | None:
    """The same for a row that begins anew whenever it is over. A single light never ends; none at all is None."""
    if len(lights) < 2:
        return (lights[0], inf) if lights else None
    whole_s = length_s(lights)
    rounds = since_s // whole_s
    # Rounding can leave `since_s` a hair behind the last light: it is then the first one's turn.
    light, end_s = once(lights, since_s - rounds * whole_s) or (lights[0], whole_s + lights[0].s)
    return light, rounds * whole_s + end_s
