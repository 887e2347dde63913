"""What the doctor asks of the machine itself: libraries, pins, camera, supply. Whatever may crash or hang is asked in
a process of its own."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.board import SERIAL, board_model, board_serial, header_chip, is_pi
from firmware.doctor import Finding
from firmware.vitals import under_voltage

Run = Callable[[Sequence[str], float], str | None]

EVERYWHERE = ("numpy", "cv2", "flask", "waitress", "gpiozero", "segno")
# In one process with numpy: a library built for another numpy shows only when both are loaded.
ON_A_PI = ("libcamera", "simplejpeg", "picamera2", "lgpio")
APT = {
    "libcamera": "python3-libcamera",
    "simplejpeg": "python3-simplejpeg",
    "picamera2": "python3-picamera2",
    "lgpio": "python3-lgpio",
}
# What libcamera, a USB camera and lgpio open.
DEVICES = ("video[0-9]*", "media[0-9]*", "dma_heap/*", "gpiochip[0-9]*")
PROBE = """
import importlib, importlib.metadata, json, sys
packages = importlib.metadata.packages_distributions()
for name in sys.argv[1:]:
    try:
        module = importlib.import_module(name)
        version = getattr(module, "__version__", None) or importlib.metadata.version(packages.get(name, [name])[0])
        print(json.dumps([name, str(version), None]), flush=True)
    except importlib.metadata.PackageNotFoundError:
        print(json.dumps([name, "", None]), flush=True)
    except Exception as error:
        print(json.dumps([name, None, f"{type(error).__name__}: {error}"]), flush=True)
"""
CAMERAS = """
import importlib, json
cameras = importlib.import_module("picamera2").Picamera2.global_camera_info()
print(json.dumps([str(camera.get("Model", "camera")) for camera in cameras]))
"""
# Bits of `vcgencmd get_throttled`, from the Pi's documentation.
UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_SINCE_START = 1 << 0, 1 << 16


@dataclass(frozen=True, slots=True)
class Machine:
    """`root`: where /proc, /sys and /dev are. `run`: the output of a command, None when it fails, crashes, hangs
    longer than the seconds given, or is not there."""

    root: Path
    run: Run
    model: str | None

    @property
    def is_pi(self) -> bool:
        return is_pi(self.model)


def this_machine() -> Machine:
    return Machine(Path("/"), run, board_model())


def run(command: Sequence[str], timeout_s: float) -> str | None:
    """The command's output even when it ends badly: what it printed before counts."""
    # lgpio leaves a pipe in its working folder.
    with tempfile.TemporaryDirectory(prefix="stickman-doctor-") as folder:
        try:
            done = subprocess.run(
                command, cwd=folder, env={**os.environ, "LG_WD": folder}, timeout=timeout_s, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
    return done.stdout


def board_findings(machine: Machine) -> tuple[Finding, ...]:
    return (
        board(machine),
        *libraries(machine),
        *permissions(machine),
        pins(machine),
        camera(machine),
        *supply(machine),
        *service(machine),
    )


def board(machine: Machine) -> Finding:
    """Model and serial number: what to say when help is asked for."""
    if not machine.is_pi or machine.model is None:
        return Finding("board", "ok", f"{machine.model or 'no Raspberry Pi'}; lamps and buttons are simulated")
    serial = board_serial(machine.root / SERIAL.relative_to("/"))
    return Finding("board", "ok", f"{machine.model}, serial number {serial or 'not told'}")


def libraries(machine: Machine) -> Iterator[Finding]:
    names = (*EVERYWHERE, *(ON_A_PI if machine.is_pi else ()))
    output = machine.run([sys.executable, "-c", PROBE, *names], 60.0) or ""
    answers = [json.loads(line) for line in output.splitlines() if line.startswith("[")]
    told = {name: (version, error) for name, version, error in answers}
    for name in names:
        version, error = told.get(name, (None, "it crashes when it is loaded"))
        if error is None:
            # Of libraries without a version of their own the package has one.
            version = version or machine.run(["dpkg-query", "-W", "-f=${Version}", APT.get(name, name)], 5.0)
            yield Finding(name, "ok", version or "of an unknown version")
        else:
            yield Finding(name, "FAIL", error, _library_cure(name, error))
        if name not in told:
            return  # the crash took the rest with it; they were never asked


def permissions(machine: Machine) -> Iterator[Finding]:
    """Whether whoever asks may open what camera and pins need; nothing where there is nothing to open."""
    found = [path for pattern in DEVICES for path in sorted((machine.root / "dev").glob(pattern))]
    closed = [path for path in found if not os.access(path, os.R_OK | os.W_OK)]
    if closed:
        cure = "sudo stickman doctor asks as the tray's own user; for yourself: sudo usermod -aG video,gpio $USER"
        yield Finding("permissions", "warn", f"{_listed(machine, closed)} may not be opened by this user", cure)
    elif found:
        yield Finding("permissions", "ok", f"{_listed(machine, found)} may be opened")


def _listed(machine: Machine, paths: Sequence[Path]) -> str:
    names = [f"/{path.relative_to(machine.root)}" for path in paths]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def service(machine: Machine) -> Iterator[Finding]:
    """The installed service; nothing where the tray is not installed."""
    if not (machine.root / "etc/systemd/system/stickman.service").exists():
        return
    asked = ["systemctl", "show", "--property=ActiveState,UnitFileState,NRestarts", "stickman.service"]
    told = dict(line.partition("=")[::2] for line in (machine.run(asked, 10.0) or "").splitlines())
    reason = "journalctl -u stickman -n 50 says why"
    if not told:
        yield Finding("service", "warn", "systemd does not tell of it", "start this machine anew")
    elif told.get("ActiveState") != "active":
        cure = f"sudo systemctl restart stickman; {reason}"
        yield Finding("service", "FAIL", f"it does not run ({told.get('ActiveState')})", cure)
    elif told.get("UnitFileState") != "enabled":
        yield Finding("service", "warn", "it will not start with this machine", "sudo systemctl enable stickman")
    elif told.get("NRestarts", "0") != "0":
        yield Finding("service", "warn", f"it has been started anew {told['NRestarts']} times since the start", reason)
    else:
        yield Finding("service", "ok", "it runs, and starts with this machine")


def pins(machine: Machine) -> Finding:
    """Looks without opening a line: the tray may be running and own them."""
    if not machine.is_pi:
        return Finding("pins", "ok", "factory mock: simulated")
    chip = header_chip(machine.root / "dev")
    if chip is not None:
        return Finding("pins", "ok", f"factory lgpio on /dev/gpiochip{chip}")
    closed = [path for path in (machine.root / "dev").glob("gpiochip*") if not os.access(path, os.R_OK | os.W_OK)]
    if closed:
        cure = "sudo usermod -aG gpio $USER, then log in again"
        return Finding("pins", "warn", f"/dev/{closed[0].name} may not be opened; the tray plays without panel", cure)
    return Finding("pins", "warn", "no GPIO chip of a known name; the first is tried", "update Raspberry Pi OS")


def camera(machine: Machine) -> Finding:
    found = _pi_cameras(machine) if machine.is_pi else ()
    if found is None:
        cure = "stop other programs that use it; if it stays, restart the Pi and check the ribbon at both ends"
        return Finding("camera", "FAIL", "the camera system does not answer", cure)
    by_id = machine.root / "dev/v4l/by-id"
    usb = sorted(path.name for path in by_id.glob("*-index0")) if by_id.is_dir() else []
    if found or usb:
        return Finding("camera", "ok", ", ".join([*found, *(f"USB {name}" for name in usb)]))
    if machine.is_pi:
        cure = "switch off, push the ribbon in at both ends (contacts to the contacts), start; or connect a USB camera"
        return Finding("camera", "FAIL", "no camera found", cure)
    return Finding("camera", "warn", "no camera found; `stickman run` uses the simulated tray", "connect a USB camera")


def supply(machine: Machine) -> Iterator[Finding]:
    """Under-voltage, on a Pi only. It shows as camera faults and damaged cards long before the Pi goes off."""
    if not machine.is_pi:
        return
    bits = _throttled(machine)
    cure = "use the board's own power supply and a short, thick cable"
    if bits is None:
        yield Finding(
            "supply", "warn", "the Pi does not tell whether its supply is good", "sudo apt-get install raspi-utils"
        )
    elif bits & UNDER_VOLTAGE_NOW:
        yield Finding("supply", "FAIL", "under-voltage now: camera and card may fail at any time", cure)
    elif bits & UNDER_VOLTAGE_SINCE_START:
        yield Finding("supply", "warn", "there was under-voltage since the start", cure)
    else:
        yield Finding("supply", "ok", "no under-voltage since the start")


def _pi_cameras(machine: Machine) -> tuple[str, ...] | None:
    """Models of the cameras on the ribbon; None when libcamera does not answer."""
    output = machine.run([sys.executable, "-c", CAMERAS], 20.0)
    lines = [line for line in (output or "").splitlines() if line.startswith("[")]
    return tuple(json.loads(lines[-1])) if lines else None


def _throttled(machine: Machine) -> int | None:
    output = machine.run(["vcgencmd", "get_throttled"], 5.0) or ""
    _, equals, value = output.strip().partition("throttled=")
    if equals:
        return int(value, 16)
    low = under_voltage(machine.root)
    return None if low is None else UNDER_VOLTAGE_NOW * low


def _library_cure(name: str, error: str) -> str:
    if "dtype size changed" in error or "numpy.core" in error:
        return f"{name} was built for another numpy: pip install --force-reinstall {name}, or on Python 3.11 'numpy<2'"
    if "libGL" in error:
        return "pip uninstall opencv-python, then pip install --force-reinstall opencv-python-headless"
    if name in APT:
        return f"sudo apt-get install {APT[name]}, and make the environment with --system-site-packages: make clean run"
    return "install again: make clean run"
