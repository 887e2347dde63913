"""What eye and table say to each other over their pipe: small frozen values."""

from dataclasses import dataclass

from firmware.drivers import UPRIGHT, Hanging
from vision.drift import Drift
from vision.happening import Kind

# What the profile of the simulated tray is called, which is made when it is missing.
SIMULATED_SET = "simulated-set"
# Happenings after which the tray lies still.
AT_REST: tuple[Kind, ...] = ("empty", "removed", "settled", "unsure")


@dataclass(frozen=True, slots=True)
class Job:
    """`camera`: as on the command line. `profile`: path of a profile, or None. `state_dir`: where a profile of the
    simulated tray is kept. `scene`: what lies on the simulated tray. `footage_s`: monotonic time at which a film or
    a folder of pictures began, None while it waits for a game. `coach`: as in `Coach`. `mains_hz`: of the lamps above
    the tray. `hanging`, `noir`: as in `open_camera`. `pictures`: stills and films of throws are wanted."""

    camera: str
    profile: str | None
    state_dir: str
    scene: object | None = None
    footage_s: float | None = None
    coach: str | None = None
    mains_hz: int = 50
    hanging: Hanging = UPRIGHT
    noir: bool = False
    pictures: bool = True


@dataclass(frozen=True, slots=True)
class StartFootage:
    at_s: float


@dataclass(frozen=True, slots=True)
class UseProfile:
    """Read with the profile at `path` from now on; None: with what the job says."""

    path: str | None


@dataclass(frozen=True, slots=True)
class Coach:
    """A calibration is at this step: send a `Looked` a few times a second, watch for no throws. None: watch again."""

    step: str | None


@dataclass(frozen=True, slots=True)
class Alive:
    """`frames`: taken since the eye opened. `camera`: its name."""

    frames: int
    camera: str


@dataclass(frozen=True, slots=True)
class Opened:
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Using:
    """The dice that are read are of a set whose faces are called so: see `vision.dice_set.called`."""

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """The camera gives no picture; the eye goes on trying."""

    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The eye cannot work at all with this job, and why."""

    text: str


@dataclass(frozen=True, slots=True)
class WantPicture:
    """Somebody looks: send the newest frame as a `Picture`."""


@dataclass(frozen=True, slots=True)
class Picture:
    """`jpeg`: the newest frame, at most 640 pixels wide."""

    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Drifted:
    """How the tray differs from the profile now; nothing when all is well again."""

    drifts: tuple[Drift, ...]


@dataclass(frozen=True, slots=True)
class Relock:
    """Somebody asks for the tray to be set again: as it is now it is empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Relocked:
    """`path`: where the profile in use is as it is now, not yet on the shelf; None when that cannot be, and `text` says
    why."""

    path: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Offered:
    """The dice that lie there are those of another set: its file's name without ending, and what people call it. Both
    empty when they are not, or no more."""

    slug: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Pictured:
    """JPEGs of what was read at a rest, see `Happening.taken_ms`.

    `closeups`: of each doubt of that reading, empty where there is no place to look at. `still`: the picture that was
    read; `drawn`: its dice with what was seen drawn on them, 4:3; `film`: the two seconds before, see
    `firmware.filming.strip`. These are empty when none are kept.
    """

    taken_ms: int
    closeups: tuple[bytes, ...] = ()
    still: bytes = b""
    drawn: bytes = b""
    film: bytes = b""
