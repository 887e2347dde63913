"""Which camera: named on the command line or in the config, or found."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from firmware.drivers import UPRIGHT, Camera, Hanging
from firmware.drivers.files import FileCamera
from firmware.drivers.hanging import Upright, as_it_hangs
from firmware.drivers.simulated.camera import SimulatedCamera
from firmware.drivers.simulated.scene import Scene
from firmware.errors import BadInput
from vision.control import Control

FORMS = "picamera, usb:N, video:FILE, pictures:DIR or simulated"


def open_camera(
    spec: str,
    size: tuple[int, int] | None = None,
    started_at_s: float | None = None,
    scene: object = None,
    clock: Callable[[], float] = time.monotonic,
    controls: Mapping[str, Control] | None = None,
    mains_hz: int = 50,
    hanging: Hanging = UPRIGHT,
    noir: bool = False,
) -> Camera:
    """The camera that `spec` names. `size`: the profile's picture size, which the camera keeps to where it can.

    `started_at_s`: see `FileCamera`. `scene`: what a simulated camera films at first. `controls`: what the profile says
    that the camera was locked to. `mains_hz`: of the lamps above the tray. `hanging`: of a real camera. `noir`: a Pi's
    camera without infrared filter. Raises `BadInput`, `CameraLost`.
    """
    kind, _, rest = spec.partition(":")
    if scene is not None and not isinstance(scene, Scene):
        raise TypeError(f"a simulated camera films a Scene, not {type(scene).__name__}")
    match kind:
        case "simulated" if not rest:
            return SimulatedCamera(scene, clock, controls=controls)
        case "video" if rest:
            if Path(rest).is_dir():
                raise BadInput(f"{rest} is a folder; write pictures:{rest}")
            return FileCamera(Path(rest), size, started_at_s, clock)
        case "pictures" if rest:
            if not Path(rest).is_dir():
                raise BadInput(f"There is no folder {rest}; give a folder of pictures.")
            return FileCamera(Path(rest), size, started_at_s, clock)
        case "usb" if rest:
            from firmware.drivers.usb import UsbCamera

            device = int(rest) if rest.isdecimal() else rest
            own = as_it_hangs(size, hanging)
            return _upright(UsbCamera(device, own, controls=controls, mains_hz=mains_hz), hanging)
        case "picamera" if not rest or rest.isdecimal():
            from firmware.drivers.pi import PiCamera

            own = as_it_hangs(size, hanging)
            return _upright(PiCamera(int(rest or 0), own, noir, controls=controls, mains_hz=mains_hz), hanging)
    raise BadInput(f"There is no camera {spec!r}; use {FORMS}.")


def _upright(camera: Camera, hanging: Hanging) -> Camera:
    return camera if hanging == UPRIGHT else Upright(camera, hanging)
