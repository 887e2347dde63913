"""Drivers of camera and panel: real ones and the simulated tray, behind the same two protocols."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from vision.control import Control

if TYPE_CHECKING:
    from vision.frame import Frame

Button = Literal["bank", "undo", "mode"]


class Camera(Protocol):
    """A source of frames, owned by one thread."""

    name: str

    def read(self, timeout_s: float) -> "Frame":
        """The newest frame, begun after the call. Its whole picture has to be looked at before the next call, or never.
        Raises `CameraLost` when none came within `timeout_s`."""
        ...

    def lock(self, controls: Mapping[str, Control] | None = None) -> Mapping[str, Control]:
        """Hold exposure, gain, white balance and focus to `controls`, by the driver's own names; None: to what the
        automatic finds for what is in view, which takes some seconds. Returns what it is held to: what stuck of it, and
        nothing where the camera has no controls. Raises `CameraLost`."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Light:
    """`s` seconds of one look of the panel. `status`: (red, green, blue), each 0-1. `dice_left`: 0-6 lamps of the bar,
    `bank`: the BANK lamp, each None for what `Lamps` says. `hz`: a tone, None for silence."""

    s: float
    status: tuple[float, float, float]
    dice_left: int | None = None
    bank: bool | None = None
    hz: int | None = None


@dataclass(frozen=True, slots=True)
class Hanging:
    """How the camera hangs. `turned`: degrees, clockwise, by which its pictures have to be turned to be upright: 0, 90,
    180 or 270. `mirrored`: left and right are then still to be exchanged."""

    turned: int = 0
    mirrored: bool = False


UPRIGHT = Hanging()


@dataclass(frozen=True, slots=True)
class Lamps:
    """What the panel shows.

    `lasting`: played again and again until other lamps come; nothing is dark. `moment`: played once each time
    this is shown, before what lasts. `dice_left`: 0-6 lamps of the bar. `bank`: the BANK lamp is lit. `still`: a
    moment that still plays is cut short.
    """

    lasting: tuple[Light, ...] = ()
    moment: tuple[Light, ...] = ()
    dice_left: int = 0
    bank: bool = False
    still: bool = False


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
        """Change the lamps. Never blocks; what they play runs in the panel's own thread."""
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
