"""Drivers of camera and panel: real ones and the simulated tray, behind the same two protocols."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from vision.control import Control
from vision.frame import Frame

Button = Literal["bank", "undo", "mode"]


class Camera(Protocol):
    """A source of frames, owned by one thread."""

    name: str

    def read(self, timeout_s: float) -> Frame:
        """The newest frame, begun after the call. Raises `CameraLost` when none came within `timeout_s`."""
        ...

    def lock(self, controls: Mapping[str, Control] | None = None) -> Mapping[str, Control]:
        """Hold exposure, gain, white balance and focus to `controls`, by the driver's own names; None: to what the
        automatic finds for what is in view, which takes some seconds. Returns what it is held to: what stuck of it, and
        nothing where the camera has no controls. Raises `CameraLost`."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Lamps:
    """What the panel shows.

    `status`: (red, green, blue), each 0-1. `pulse`: the status lamp breathes. `dice_left`: 0-6 lamps of the bar.
    `bank`: the BANK lamp is lit. `sound`: a cue played once when this value is first shown, None for silence.
    """

    status: tuple[float, float, float] = (0.0, 0.0, 0.0)
    pulse: bool = False
    dice_left: int = 0
    bank: bool = False
    sound: Literal["throw", "farkle", "hot-dice", "bank", "refuse", "win", "ask"] | None = None


@dataclass(frozen=True, slots=True)
class Press:
    """A button was released after a short press, or has been held for a long one. Never both."""

    button: Button
    long: bool = False


class Panel(Protocol):
    """Lamps and buttons. `factory` names the pin factory in use ("lgpio", "mock", ..., "none" when none works);
    `troubles`: what is wrong with it now, a sentence each."""

    factory: str
    troubles: tuple[str, ...]

    def show(self, lamps: Lamps) -> None:
        """Change the lamps. Never blocks; effects run in the panel's own thread."""
        ...

    def listen(
        self, pressed: Callable[[Press], None], troubled: Callable[[tuple[str, ...]], None] | None = None
    ) -> None:
        """From the panel's own thread call `pressed` for each press, and `troubled` with all `troubles` when they
        change."""
        ...

    def close(self) -> None:
        """Everything off. May be called twice."""
        ...
