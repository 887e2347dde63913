"""What happens in the tray over time."""

from dataclasses import dataclass
from typing import Literal

from vision.seen import Doubt, SeenDie

Kind = Literal["hand", "rolling", "settling", "settled", "removed", "unsure", "camera-lost", "empty"]
EyeState = Literal["empty", "hand", "rolling", "settling", "read", "unsure", "camera-lost"]

STATE_AFTER: dict[Kind, EyeState] = {
    "hand": "hand",
    "rolling": "rolling",
    "settling": "settling",
    "settled": "read",
    "removed": "read",
    "unsure": "unsure",
    "camera-lost": "camera-lost",
    "empty": "empty",
}


@dataclass(frozen=True, slots=True)
class Happening:
    """One change of the tray's state.

    - `hand`: a hand or a tool is over the tray.  `rolling`: dice move.  `settling`: still, being read.
    - `settled`: a throw came to rest and was read for sure. Exactly one a throw; `roll` counts them from 1.
    - `unsure`: a throw (then `roll` is its number) or the lying dice (`roll` None) cannot be read; `doubts` say why.
      When it can be read later, for instance after a nudge, `settled` follows with the same `roll`.
    - `removed`: at rest, and other dice lie there than before without a throw: set aside, nudged, taken, or found
      lying there at the start.
    - `empty`: at rest, and no dice.

    `dice`: all dice in view at rest, rail included; empty while things move. `thrown`: of these the ones this throw
    moved (for `settled` and for an `unsure` throw). `frame`: `Frame.seq`; `at_s`: `Frame.at_s`. `found`: the eye has
    only now begun to watch, or has not read what lies there for sure since then, or frames were missing: whether it
    was thrown meanwhile it cannot know.
    """

    kind: Kind
    frame: int
    at_s: float
    roll: int | None = None
    dice: tuple[SeenDie, ...] = ()
    thrown: tuple[SeenDie, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    found: bool = False

    @property
    def taken_ms(self) -> int:
        """Names the picture that was read, whichever eye took it: milliseconds on the monotonic clock."""
        return round(1000 * self.at_s)

    @property
    def values(self) -> tuple[int, ...]:
        """Sorted values of the dice thrown; for a happening that is no throw, of those in the tray (not the rail)."""
        dice = self.thrown if self.kind == "settled" or self.roll is not None else self.dice
        return tuple(sorted(d.value for d in dice if d.value is not None and d.counts and d.zone == "tray"))
