"""The table of cues: what the panel can say, each with a rhythm of its own, so that no eye needs its colours."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from calibration.course import Lead
from speech.sentence import say_as

Bar = Literal["", "up", "down", "beat"]
BAR = 6
# A beat shorter than this is a short one; people tell 0.2 s from 0.6 s at a glance, and both from more than a second.
LONG_S, VERY_LONG_S = 0.4, 1.2
# A moment starts and ends with the lamp dark, so that it stands apart from the state before and after it.
APART_S = 0.2
# A tone fills no more than this of its beat: a cue is heard, not endured.
TONE_S = 0.16


@dataclass(frozen=True, slots=True)
class Step:
    """`s` seconds of one look of the panel. `lit`: the status lamp shines. `dice_left`, `bank`: what the other lamps do
    meanwhile, None for what the game says. `hz`: the buzzer, None for silence."""

    s: float
    lit: bool
    dice_left: int | None = None
    bank: bool | None = None
    hz: int | None = None


@dataclass(frozen=True, slots=True)
class Cue:
    """`colour`: "#rrggbb"; it tells the kind of a cue, the rhythm tells which.

    `beats`: tenths of a second, lit and dark in turn; a single one never ends. `notes`: Hz, one for each lit beat
    from the first, 0 for a silent one; without any the cue is silent. `calls`: somebody should look. `bar`: the six
    lamps fill, empty or beat along; `bank`: the BANK lamp beats along. `when`: for the table in the README.
    """

    name: str
    colour: str
    beats: tuple[int, ...]
    when: str
    notes: tuple[int, ...] = ()
    calls: bool = False
    bar: Bar = ""
    bank: bool = False

    @property
    def word(self) -> str:
        """What it says, for pages."""
        return WORDS[self.name]

    @property
    def rhythm(self) -> str:
        """In writing: · short, – long, — very long, _ a long pause; "steady" for what never changes."""
        if len(self.beats) == 1:
            return say_as("the panel", "steady")
        return "".join(_mark(tenths / 10, lit=at % 2 == 0) for at, tenths in enumerate(self.beats)).rstrip()


WORDS = {
    "ready": say_as("the panel", "ready"),
    "throw": say_as("the panel", "throw"),
    "hand": say_as("the panel", "hand"),
    "rolling": say_as("the panel", "rolling"),
    "reading": say_as("the panel", "reading"),
    "read": say_as("the panel", "read"),
    "unsure": say_as("the panel", "unsure"),
    "ask": say_as("the panel", "your call"),
    "refused": say_as("the panel", "not allowed"),
    "over": say_as("the panel", "game over"),
    "camera-lost": say_as("the panel", "camera lost"),
    "pairing": say_as("the panel", "pairing"),
    "step": say_as("the panel", "calibration"),
    "learning": say_as("the panel", "learning"),
    "win": say_as("the panel", "won"),
    "farkle": say_as("the panel", "farkle"),
    "final-round": say_as("the panel", "final round"),
    "hot-dice": say_as("the panel", "hot dice"),
    "banked": say_as("the panel", "banked"),
    "point-on": say_as("the panel", "point on"),
    "point-off": say_as("the panel", "point off"),
    "passed": say_as("the panel", "passed"),
    "failed": say_as("the panel", "not learned"),
    "scored": say_as("the panel", "scored"),
    "aside": say_as("the panel", "set aside"),
}

# Okabe and Ito's colours, made for colour-blind eyes, but for white and the crimson of a lost camera, whose share of
# blue sets it apart from amber. Blue: it is on the tray; green: well; amber: you are asked; purple: calibration.
_IDLE, _MOVING, _READING, _WELL = "#2a5874", "#0072b2", "#56b4e9", "#009e73"
_ASKED, _LEARN, _LOST, _WHITE = "#e69f00", "#cc79a7", "#ff2d6f", "#ffffff"
_FEAST, _FALL = "#f0e442", "#d55e00"

# What lasts: one of these always holds. The lamp is steady while a throw is read, so that our own light never moves in
# a picture that counts, and changes slowly wherever the eye waits for motion.
LASTING: dict[str, Cue] = {
    cue.name: cue
    for cue in (
        Cue("ready", _IDLE, (28, 2), "no game, and the tray is empty"),
        Cue("throw", _IDLE, (20, 2, 2, 2), "the next throw is awaited"),
        Cue("hand", _WHITE, (5, 5), "a hand is over the tray"),
        Cue("rolling", _MOVING, (2, 2), "dice are moving"),
        Cue("reading", _READING, (10,), "dice lie still and are read"),
        Cue("read", _WELL, (14, 2, 6, 6), "a throw is read: set dice aside"),
        Cue("unsure", _ASKED, (2, 2, 6, 10), "a die cannot be read", (1319, 1319), calls=True),
        Cue("ask", _ASKED, (6, 2, 6, 10), "the players are asked", (1319, 1319), calls=True),
        Cue(
            "refused", _ASKED, (2, 2, 2, 2, 2, 10),
            "dice set aside that do not score, or a move that is not allowed", (392, 392, 392),
        ),
        Cue("over", _FEAST, (6, 2, 6, 2, 6, 10), "the game is over"),
        Cue(
            "camera-lost", _LOST, (2, 2, 2, 2, 2, 2, 6, 2, 6, 2, 6, 2, 2, 2, 2, 2, 2, 14),
            "no picture from the camera", (392, 392, 392), calls=True,
        ),
        Cue("pairing", _LEARN, (2, 2, 2, 10), "MODE was held: a phone may pair", (1319, 1319), calls=True),
        Cue("step", _LEARN, (2, 2, 2, 2, 6, 10), "a calibration waits for you", (2093,), calls=True),
        Cue("learning", _READING, (2, 2, 2, 2, 2, 2, 2, 10), "dice are being learned", (2093,)),
    )
}  # fmt: skip

# What passes: played once, then what lasts goes on. Of two that come at once the upper one is played.
MOMENTS: dict[str, Cue] = {
    cue.name: cue
    for cue in (
        Cue(
            "win", _FEAST, (2, 2, 2, 2, 6, 2, 2, 2, 2, 2, 12), "a game is won",
            (1047, 1047, 1397, 1568, 1760, 2093), bar="beat", bank=True,
        ),
        Cue("farkle", _FALL, (6, 2, 2, 2, 2), "the points of the turn are lost", (784, 587, 392), bar="down"),
        Cue(
            "final-round", _WHITE, (6, 2, 2, 2, 6), "everyone else has one more turn",
            (1047, 1568, 1047), bar="beat",
        ),
        Cue(
            "hot-dice", _FEAST, (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2), "all dice score: throw them all again",
            (1047, 1175, 1319, 1568, 1760, 2093), bar="up",
        ),
        Cue("banked", _WELL, (2, 2, 12), "the points of the turn count", (1047, 1568), bank=True),
        Cue("point-on", _WHITE, (6, 2, 12), "craps: a point is set", (1047, 1319)),
        Cue("point-off", _FALL, (6, 2, 12, 2, 6), "craps: the point is made or lost", (1319, 1319, 1047)),
        Cue("passed", _WELL, (2, 2, 2, 2, 2, 2, 6), "the dice are learned", (1047, 1319, 1568, 2093)),
        Cue(
            "failed", _ASKED, (6, 2, 6, 2, 6, 2, 6), "the dice were not learned",
            (392, 392, 392, 392),
        ),
        Cue("scored", _WELL, (6, 2, 2), "a throw is read and scores", (2093,)),
        Cue("aside", _WELL, (2, 2, 6, 2, 2), "dice set aside that score", (1568,)),
    )
}  # fmt: skip

# What a calibration asks for, on the lamp's line of a page.
STEP_WORDS: dict[Lead, str] = {
    "light": say_as("the panel", "light"),
    "empty": say_as("the panel", "empty the tray"),
    "tray": say_as("the panel", "tray"),
    "dice": say_as("the panel", "put dice in"),
    "faces": say_as("the panel", "which face"),
    "rolls": say_as("the panel", "roll"),
    "passed": say_as("the panel", "name them"),
    "failed": say_as("the panel", "not learned"),
}


def repeated(cue: Cue) -> tuple[Step, ...]:
    """One round of a lasting cue, silent."""
    return tuple(Step(tenths / 10, at % 2 == 0) for at, tenths in enumerate(cue.beats))


def played(cue: Cue) -> tuple[Step, ...]:
    """A cue once, with its sound and whatever the other lamps do along with it."""
    apart = Step(APART_S, False)
    beats = cue.beats if len(cue.beats) % 2 else cue.beats[:-1]
    return (apart, *(step for at, tenths in enumerate(beats) for step in _beat(cue, at, tenths / 10)), apart)


def _beat(cue: Cue, at: int, s: float) -> Iterator[Step]:
    lit, number = at % 2 == 0, at // 2
    bar, bank = _bar(cue, number, lit), lit if cue.bank else None
    hz = cue.notes[number] if lit and number < len(cue.notes) else 0
    if hz and s > TONE_S:
        yield Step(TONE_S, lit, bar, bank, hz)
        yield Step(round(s - TONE_S, 3), lit, bar, bank)
    else:
        yield Step(s, lit, bar, bank, hz or None)


def _bar(cue: Cue, number: int, lit: bool) -> int | None:
    """Lamps of the bar during the lit beat `number`, and the dark one after it."""
    beats = len(cue.beats[::2])
    match cue.bar:
        case "up":
            return BAR * (number + 1) // beats
        case "down":
            return BAR - BAR * (number + 1) // beats
        case "beat":
            return BAR if lit else 0
    return None


def _mark(s: float, *, lit: bool) -> str:
    if not lit:
        return "_" if s >= LONG_S else " "
    return "—" if s >= VERY_LONG_S else "–" if s >= LONG_S else "·"
