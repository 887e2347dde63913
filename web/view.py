"""All that a screen shows, frozen: the eye, the panel and the game at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.game import Scoreboard
from vision.drift import Drift
from vision.happening import EyeState
from vision.seen import Doubt, SeenDie


@dataclass(frozen=True, slots=True)
class OtherDice:
    """A set of dice, and what people call it."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class EyeView:
    """What the eye sees now. `text`: one sentence for people, with what to do. `dice`: all dice at rest.
    `width`, `height`: pixels of the picture that `dice` lie in. `drifts`: how the tray differs from its calibration.
    `other`: the set that the dice are of when it is not the one in use. `faces`: what the faces of those in use are
    called, see `vision.dice_set.called`."""

    state: EyeState
    text: str
    dice: tuple[SeenDie, ...] = ()
    width: int = 1280
    height: int = 960
    drifts: tuple[Drift, ...] = ()
    other: OtherDice | None = None
    faces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PanelView:
    """What the panel says: `status` is "#rrggbb", `word` says it without colour. `cue` names what lasts now, in its own
    rhythm, `moment` what comes with this view and is played once before it: both are in the table of cues. `pulse`:
    somebody should look. `sound`: of the moment, None for a silent one."""

    factory: str = "none"
    status: str = "#000000"
    word: str = "off"
    pulse: bool = False
    dice_left: int = 0
    bank: bool = False
    sound: str | None = None
    cue: str = "off"
    moment: str | None = None


@dataclass(frozen=True, slots=True)
class Closeups:
    """Pictures of the places that are doubted, to be asked for by `taken_ms` and the number of the doubt. `there`: of
    each doubt whether it has one."""

    taken_ms: int
    there: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Disputed:
    """A throw that everybody is asked to look at again. `throw`: its number in the game as it stands. `by`: who asked.
    `pictures`: names of those that are kept of it, see `Pictures`."""

    throw: int
    by: str
    values: tuple[int, ...]
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameView:
    """`notes`: sentences about what the tray assumed or refused, newest last, shown until the next move.
    `doubts`: open questions about the present throw. `proposed`: values read with doubts, None for a die that could
    not be read; a phone may confirm or change them. `closeups`: of these doubts; None while there
    are none. `disputed`: the throw that is looked at again, the present one or one of before. `may_redo`: how many
    moves were taken back and may be done again."""

    id: str
    board: Scoreboard
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[str, ...] = ()
    proposed: tuple[int | None, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    may_redo: int = 0
    thrown: tuple[int, ...] = ()
    closeups: Closeups | None = None
    disputed: Disputed | None = None


@dataclass(frozen=True, slots=True)
class View:
    """All that a screen shows, frozen. `epoch` names the run of the program, `rev` counts up with every change of the
    game (commands are made against it), `seq` with every published view (the stream's id).
    `banners`: lasting sentences such as "The disk is full". `offered`: the preset chosen for the next game. `url`:
    where phones reach the pages, by number and port, without a path; empty while no phone can."""

    epoch: str
    rev: int
    seq: int
    eye: EyeView
    panel: PanelView
    game: GameView | None
    banners: tuple[str, ...] = ()
    offered: str = "farkle"
    url: str = ""
