"""How lamps breathe and what the buzzer plays. Pure: time in, brightness and tones out."""

from dataclasses import dataclass
from math import cos, tau

BREATH_S = 2.0
DIMMEST = 0.15  # never quite dark, so that a glance at any instant finds the lamp on
FRAME_S = 0.04  # 25 steps a second look smooth on an LED and cost next to nothing


@dataclass(frozen=True, slots=True)
class Step:
    """A tone of `hz`, or a rest when None, for `s` seconds. The status lamp is dark in a rest, so that a cue can be
    told by its rhythm without hearing it."""

    hz: int | None
    s: float


def _tune(*steps: tuple[int | None, float]) -> tuple[Step, ...]:
    return tuple(Step(hz, s) for hz, s in steps)


# Notes in Hz, equal temperament. Piezo discs are weak below 400 Hz, so even the low cues stay near it.
CUES: dict[str, tuple[Step, ...]] = {
    "throw": _tune((2093, 0.04)),
    "bank": _tune((1047, 0.09), (None, 0.03), (1568, 0.18)),
    "ask": _tune((1319, 0.12), (None, 0.12), (1319, 0.12)),
    "refuse": _tune((392, 0.14), (None, 0.07), (392, 0.14), (None, 0.07), (392, 0.14)),
    "farkle": _tune((784, 0.18), (None, 0.04), (587, 0.18), (None, 0.04), (392, 0.45)),
    "hot-dice": _tune(
        (1047, 0.07), (None, 0.03), (1319, 0.07), (None, 0.03), (1568, 0.07), (None, 0.03), (2093, 0.20)
    ),
    "win": _tune(
        (1047, 0.12), (None, 0.03), (1047, 0.12), (None, 0.03), (1047, 0.12), (None, 0.03), (1397, 0.30),
        (None, 0.05), (1568, 0.30), (None, 0.05), (1760, 0.15), (None, 0.03), (2093, 0.60),
    ),
}  # fmt: skip


def breath(since_s: float) -> float:
    """Brightness 0-1 of a breathing lamp, `since_s` seconds after it began at its brightest."""
    return DIMMEST + (1 - DIMMEST) * (0.5 + 0.5 * cos(tau * since_s / BREATH_S))


def step_at(cue: tuple[Step, ...], since_s: float) -> tuple[Step, float] | None:
    """The step playing `since_s` seconds after the cue began and when it ends on that scale; None when all is over."""
    end_s = 0.0
    for step in cue:
        end_s += step.s
        if since_s < end_s:
            return step, end_s
    return None
