"""Which camera is here, when none is named. Nothing of a driver is loaded for the answer where there is none."""

import importlib.util


def detect() -> str:
    """ "picamera" where the Pi's camera software is installed and finds a camera, else "simulated"."""
    if importlib.util.find_spec("picamera2") is None:
        return "simulated"
    from firmware.drivers.pi import cameras_found

    return "picamera" if cameras_found() else "simulated"
