"""What the Pi's camera is held to: exposure, gain, white balance and focus, by libcamera's names.

libcamera has had two ways to say "manual": the old switches (AeEnable, AwbEnable) and, since 0.5, modes that the old
switches no longer reach (ExposureTimeMode, AnalogueGainMode). Both are set where the camera has them.
"""

import math
import time
from collections.abc import Mapping
from typing import Any

from vision.control import Control

# Frames after a change of controls that may still show the old ones, and then frames that must show the new ones.
_DELAY, _PROOF = 8, 3
_SETTLE_S = 3.0
_CONVERGED = 2  # libcamera's AeState
_HELD = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
_MANUAL: Mapping[str, Control] = {
    "AeEnable": False,
    "AwbEnable": False,
    "ExposureTimeMode": 1,
    "AnalogueGainMode": 1,
    "AfMode": 0,
}
_AUTOMATIC: Mapping[str, Control] = {"AeEnable": True, "AwbEnable": True, "ExposureTimeMode": 0, "AnalogueGainMode": 0}
# Of what was asked for; the sensor counts exposure in lines and gain in steps.
_NEAR = 0.05


def locked(device: Any, controls: Mapping[str, Control] | None, mains_hz: int) -> dict[str, Control]:
    """Hold the camera to `controls`; with None to what its automatic settles on now. `mains_hz`: of the lamps.

    Returns what it is held to: what was asked for as far as it has such controls and they stuck. Raises
    `TimeoutError` when it gives no frames.
    """
    wanted = flicker_free(_held(settled(device)), mains_hz) if controls is None else dict(controls)
    wanted = {name: value for name, value in wanted.items() if name in _HELD and name in device.camera_controls}
    _set(device, {**_MANUAL, **wanted})
    return {name: value for name, value in wanted.items() if name in _stuck(device, wanted)}


def settled(device: Any) -> dict[str, Any]:
    """Let focus, exposure and white balance find their values, for at most `_SETTLE_S`: a camera may never say that it
    has. Returns the last metadata."""
    _set(device, _AUTOMATIC)
    until_s = time.monotonic() + _SETTLE_S
    if "AfMode" in device.camera_controls:
        device.autofocus_cycle(wait=_SETTLE_S)
    while True:
        told: dict[str, Any] = device.capture_metadata(wait=_SETTLE_S)
        if told.get("AeState", _CONVERGED) == _CONVERGED or time.monotonic() > until_s:
            return told


def flicker_free(controls: Mapping[str, Control], mains_hz: int) -> dict[str, Control]:
    """With an exposure of whole half periods of the mains, in which lamps shine alike each time, and the gain that
    makes up for it. Where a half period is too long even without gain, it is left as it is: such light is the day's."""
    exposure, gain = controls.get("ExposureTime"), controls.get("AnalogueGain")
    if not isinstance(exposure, int | float) or not isinstance(gain, int | float):
        return dict(controls)
    half_us = 1e6 / (2 * mains_hz)
    times = max(1, math.floor(exposure / half_us + 0.01))
    longer = times * half_us
    if gain * exposure / longer < 1:
        return dict(controls)
    return {**controls, "ExposureTime": round(longer), "AnalogueGain": gain * exposure / longer}


def _held(told: Mapping[str, Any]) -> dict[str, Control]:
    return {name: tuple(told[name]) if name == "ColourGains" else told[name] for name in _HELD if name in told}


def _set(device: Any, controls: Mapping[str, Control]) -> None:
    """picamera2 refuses controls that a camera has not: USB ones have few."""
    device.set_controls({name: value for name, value in controls.items() if name in device.camera_controls})


def _stuck(device: Any, wanted: Mapping[str, Control]) -> set[str]:
    """Those of `wanted` that several frames in a row show; those that frames do not tell of are believed."""
    proven: dict[str, int] = dict.fromkeys(wanted, 0)
    for _ in range(_DELAY + _PROOF):
        told = device.capture_metadata(wait=_SETTLE_S)
        for name, value in wanted.items():
            proven[name] = proven[name] + 1 if name not in told or _near(told[name], value) else 0
        if all(times >= _PROOF for times in proven.values()):
            break
    return {name for name, times in proven.items() if times >= _PROOF}


def _near(told: Any, wanted: Control) -> bool:
    some, other = (value if isinstance(value, tuple | list) else (value,) for value in (told, wanted))
    return all(abs(a - b) <= _NEAR * max(abs(b), 0.1) for a, b in zip(some, other, strict=True))
