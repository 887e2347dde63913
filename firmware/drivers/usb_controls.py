"""What a USB camera is held to, by V4L2's names, through OpenCV's properties."""

from collections.abc import Mapping
from typing import Protocol

import cv2

from vision.control import Control

_NAMES = {
    "exposure_time_absolute": cv2.CAP_PROP_EXPOSURE,  # in 100 microseconds
    "gain": cv2.CAP_PROP_GAIN,
    "white_balance_temperature": cv2.CAP_PROP_WB_TEMPERATURE,
    "focus_absolute": cv2.CAP_PROP_FOCUS,
}
_EXPOSURE = "exposure_time_absolute"
# V4L2's menu auto_exposure: 1 is manual, 3 sets the exposure but no aperture, which webcams have not.
_MANUAL = {cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_AUTO_WB: 0.0, cv2.CAP_PROP_AUTOFOCUS: 0.0}
_AUTOMATIC = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
# Of a half period of the mains; shorter exposures are the day's, which does not flicker.
_SHORTEST = 0.7


class Settings(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def get(self, prop: int, /) -> float: ...

    def set(self, prop: int, value: float, /) -> bool: ...


def set_free(device: Settings) -> None:
    """Let the camera find exposure, white balance and focus by itself."""
    for prop, value in _AUTOMATIC.items():
        device.set(prop, value)


def settled(device: Settings, mains_hz: int) -> dict[str, Control]:
    """What it has found; the exposure in whole half periods of the mains, in which lamps shine alike each time."""
    found: dict[str, Control] = {name: value for name, prop in _NAMES.items() if (value := device.get(prop)) > 0}
    exposure, half = found.get(_EXPOSURE, 0), 1e4 / (2 * mains_hz)
    if isinstance(exposure, float) and exposure > _SHORTEST * half:
        found[_EXPOSURE] = round(max(1, round(exposure / half)) * half)
    return found


def held(device: Settings, controls: Mapping[str, Control]) -> dict[str, Control]:
    """Hold the camera to these. Returns those that it has and that stuck."""
    for switch, off in _MANUAL.items():
        device.set(switch, off)
    out: dict[str, Control] = {}
    for name, value in controls.items():
        prop = _NAMES.get(name)
        if prop is None or not isinstance(value, int | float) or not device.set(prop, float(value)):
            continue
        # Cameras count in steps of their own.
        if abs(device.get(prop) - value) <= max(1.0, 0.05 * abs(value)):
            out[name] = value
    return out
