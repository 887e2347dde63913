"""What eye and table say to each other over their pipe: small frozen values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Job:
    """`camera`: as on the command line. `profile`: path of a profile, or None. `state_dir`: where a profile of the
    simulated tray is kept. `scene`: what lies on the simulated tray. `footage_s`: monotonic time at which a film or
    a folder of pictures began, None while it waits for a game. `coach`: as in `Coach`."""

    camera: str
    profile: str | None
    state_dir: str
    scene: object | None = None
    footage_s: float | None = None
    coach: str | None = None


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
