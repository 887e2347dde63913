"""What happens while a tray is calibrated, and what is to be done then: small values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from calibration.asked import Answer, Meaning, Unnamed
from calibration.sight import Sight
from vision.control import Control
from vision.dice_set import Kind
from vision.polygon import Polygon

# What happens. What the owner does:


@dataclass(frozen=True, slots=True)
class Begun:
    """`names`: of the sets that exist."""

    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """Go on with the picture as it is now."""


@dataclass(frozen=True, slots=True)
class Outlined:
    """The owner has drawn the outlines."""

    tray: Polygon
    rail: Polygon | None = None


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The roll, from 1, was read right."""

    roll: int


@dataclass(frozen=True, slots=True)
class Denied:
    """The roll, from 1, was read wrong: it shows `values`."""

    roll: int
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """What the faces without pips stand for, in the order they were asked about; None for a pattern that is no face."""

    faces: tuple[Meaning | None, ...]


@dataclass(frozen=True, slots=True)
class Named:
    name: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    pass


# What the eye, the learning process and the clock tell:


@dataclass(frozen=True, slots=True)
class Looked:
    sight: Sight


@dataclass(frozen=True, slots=True)
class StillKept:
    """`controls`: what the camera was locked to for it, when it settled anew."""

    name: str
    controls: Mapping[str, Control] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Studied:
    """What was found in the picture kept under this name."""

    name: str
    sight: Sight


@dataclass(frozen=True, slots=True)
class Progressed:
    share: float


@dataclass(frozen=True, slots=True)
class Learnt:
    """The draft is ready. `count`: dice of the set. `unnamed`: faces without pips that were found. `unlike`: judged
    rolls that it reads otherwise."""

    kinds: tuple[Kind, ...]
    count: int
    unnamed: tuple[Unnamed, ...] = ()
    unlike: int = 0


@dataclass(frozen=True, slots=True)
class NotLearnt:
    """A picture could not be studied, or nothing learned from them."""

    reason: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """A throw lies still and was read with the draft; hints say why it is no roll of all dice lying flat."""

    sight: Sight
    sure: bool


@dataclass(frozen=True, slots=True)
class Offered:
    """Somebody holds the button on the tray: a phone may be paired and begin."""


@dataclass(frozen=True, slots=True)
class Ticked:
    """Nothing but time has passed."""


Deed = Begun | Taken | Outlined | Answered | Confirmed | Denied | Named | Cancelled
Event = Deed | Looked | StillKept | Studied | Progressed | Learnt | NotLearnt | Rolled | Offered | Ticked


# What is to be done.


@dataclass(frozen=True, slots=True)
class KeepStill:
    """Keep the picture as it is now under this name; `StillKept` follows."""

    name: str


@dataclass(frozen=True, slots=True)
class Study:
    """Look closely at a picture that was kept, "empty" or of dice; `Studied` or `NotLearnt` follows. `count`: dice that
    should lie there, 0 when that is not known. Outlines as in `Learn`."""

    name: str
    count: int = 0
    tray: Polygon | None = None
    rail: Polygon | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A test roll. `still`: the name of its picture. `values`: what it shows, by the owner's word."""

    still: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Learn:
    """Make a draft from these pictures, "empty" first, the others of dice; `Learnt` or `NotLearnt` follows. Outlines:
    pixels; None for the whole picture, and for no rail. `answers`: of the faces without pips. `rolls`: those that were
    judged. `passed`: the draft before has read its test rolls, so it stays unless this one reads them as well."""

    stills: tuple[str, ...]
    tray: Polygon | None = None
    rail: Polygon | None = None
    answers: tuple[Answer, ...] = ()
    rolls: tuple[Judged, ...] = ()
    passed: bool = False


@dataclass(frozen=True, slots=True)
class TryOut:
    """Read with the draft profile."""


@dataclass(frozen=True, slots=True)
class Save:
    """The draft becomes the set of this name, and the one in use."""

    name: str


@dataclass(frozen=True, slots=True)
class Restore:
    """Forget the draft and its pictures; read with what was in use before."""


Order = KeepStill | Study | Learn | TryOut | Save | Restore
