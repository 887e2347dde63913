"""From the contacts of a button to presses: debounced, short and long exclusive, a stuck button found. Pure."""

from dataclasses import dataclass, replace
from math import inf

from firmware.drivers import Button, Press


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. A contact counts once it has kept still for `bounce_s` (cheap push buttons chatter for 1 to 10 ms, worn
    ones for up to 15). Held for `long_s` it is a long press, for `stuck_s` a stuck button: nobody presses that long."""

    bounce_s: float = 0.020
    long_s: float = 0.8
    stuck_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Stuck:
    """The button has been down so long that it must be jammed; it is ignored until `Freed`."""

    button: Button


@dataclass(frozen=True, slots=True)
class Freed:
    """A stuck button came up again."""

    button: Button


Outcome = Press | Stuck | Freed


@dataclass(frozen=True, slots=True)
class Contact:
    """One button. `closed`, `since_s`: the contact as it is now, chatter included. `down`, `down_s`: the button as
    a person would call it. `told`: the present hold has already been told as a long press, or must not be told.
    Times are seconds on a monotonic clock."""

    button: Button
    closed: bool = False
    since_s: float = -inf
    down: bool = False
    down_s: float = -inf
    told: bool = False
    stuck: bool = False


def at_start(button: Button, closed: bool, at_s: float) -> Contact:
    """The button as it is found. One that is down already was not pressed for us: no press, though it may be stuck."""
    return Contact(button, closed, at_s, down=closed, down_s=at_s, told=closed)


def contact(before: Contact, closed: bool, at_s: float, timing: Timing) -> tuple[Contact, tuple[Outcome, ...]]:
    """The contact closed or opened at `at_s`. A time before the last one known counts as that one."""
    at_s = max(at_s, before.since_s)
    after, outcomes = tick(before, at_s, timing)
    if closed != after.closed:
        after = replace(after, closed=closed, since_s=at_s)
    return after, outcomes


def tick(before: Contact, at_s: float, timing: Timing) -> tuple[Contact, tuple[Outcome, ...]]:
    """Nothing but time has passed, and it is `at_s`. Ticks make outcomes timely; they never change which come."""
    after, outcomes = _held(before, at_s, timing)
    if after.closed == after.down or at_s < after.since_s + timing.bounce_s:
        return after, outcomes
    if after.closed:
        after = replace(after, down=True, down_s=after.since_s, told=False, stuck=False)
        after, more = _held(after, at_s, timing)
        return after, (*outcomes, *more)
    last: tuple[Outcome, ...] = ()
    if after.stuck:
        last = (Freed(after.button),)
    elif not after.told:
        last = (Press(after.button),)
    return replace(after, down=False, told=False, stuck=False), (*outcomes, *last)


def due_s(now: Contact, timing: Timing) -> float:
    """When the next tick may bring something; infinity when only a contact can."""
    times = [inf]
    if now.closed != now.down:
        times.append(now.since_s + timing.bounce_s)
    if now.closed and now.down:
        if not now.told:
            times.append(now.down_s + timing.long_s)
        if not now.stuck:
            times.append(now.down_s + timing.stuck_s)
    return min(times)


def _held(before: Contact, at_s: float, timing: Timing) -> tuple[Contact, tuple[Outcome, ...]]:
    """What holding the button until `at_s` brings. An open contact held it until it opened."""
    if not before.down:
        return before, ()
    until_s = at_s if before.closed else before.since_s
    outcomes: list[Outcome] = []
    if not before.told and until_s >= before.down_s + timing.long_s:
        outcomes.append(Press(before.button, long=True))
    if not before.stuck and until_s >= before.down_s + timing.stuck_s:
        outcomes.append(Stuck(before.button))
    told = before.told or until_s >= before.down_s + timing.long_s
    stuck = before.stuck or until_s >= before.down_s + timing.stuck_s
    return replace(before, told=told, stuck=stuck), tuple(outcomes)
