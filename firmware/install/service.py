"""The service: its files in their places, started, and judged by its own health page."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from firmware.install.machine import Machine

UNIT = "stickman.service"
STATE = "/var/lib/stickman"
CONFIG = "/etc/stickman/config.toml"
# file in this folder -> where it goes, and its mode
FILES = {
    UNIT: (f"/etc/systemd/system/{UNIT}", 0o644),
    "sysusers.conf": ("/etc/sysusers.d/stickman.conf", 0o644),
    "udev.rules": ("/etc/udev/rules.d/60-stickman.rules", 0o644),
    "avahi.service": ("/etc/avahi/services/stickman.service", 0o644),
    "command.sh": ("/usr/local/bin/stickman", 0o755),
}
OWNERS_CONFIG = """\
# The settings of this tray, yours to change: no update touches them. All there are: firmware/README.md
[web]
port = 80        # where another program has it, 8080

[camera]
source = "{source}"
"""
GREEN_WITHIN_S = 120.0
LOOK_S = 5.0
# A program that ends again and again does not get well by waiting.
CRASHES = 3

Failing = frozenset[str]


def set_up(machine: Machine, files: Path) -> None:
    """Everything around the program, from the files that a version brought. Raises `InstallFailed`."""
    for name, (target, mode) in FILES.items():
        machine.place(target, (files / name).read_text(encoding="utf-8"), mode)
    machine.do(["systemd-sysusers", FILES["sysusers.conf"][0]], "make the user by hand: sudo useradd -r stickman")
    machine.do(["install", "-d", "-o", "stickman", "-g", "stickman", "-m", "0750", STATE], "see whether /var is full")
    if not (machine.root / CONFIG.lstrip("/")).exists():
        machine.place(CONFIG, OWNERS_CONFIG.format(source=source_of(machine.root)))
    machine.do(["systemctl", "enable", "--quiet", UNIT], "see: systemctl status stickman")
    if machine.starts_services:
        machine.do(["systemctl", "daemon-reload"], "restart this machine, and install again")
        # Rules for devices that are there already. Without them the system's own do, so a failure is no matter.
        machine.run(["udevadm", "control", "--reload"])
        machine.run(["udevadm", "trigger", "--subsystem-match=gpio", "--subsystem-match=dma_heap"])


def source_of(root: Path) -> str:
    """The camera this box has. It is named, so that a tray whose camera fails says so instead of playing a simulated
    one. A USB camera goes by the name that stays when it is plugged elsewhere."""
    usb = sorted((root / "dev/v4l/by-id").glob("*-index0"))
    if usb:
        return f"usb:/dev/v4l/by-id/{usb[0].name}"
    model = root / "proc/device-tree/model"
    return "picamera" if model.exists() and "Raspberry Pi" in model.read_text(errors="replace") else "auto"


def restart(machine: Machine) -> bool:
    """Whether it said in time that it is ready."""
    return machine.run(["systemctl", "restart", UNIT]) is not None


def failing(machine: Machine) -> Failing | None:
    """Names of what its health page says is not well; None when it does not answer."""
    status = machine.run(["systemctl", "show", "--property=StatusText", "--value", UNIT]) or ""
    return asked(status.strip()) if status.strip().startswith("http") else None


def asked(url: str) -> Failing | None:
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:
            checks = json.load(answer)["checks"]
    except urllib.error.HTTPError as error:  # 503: it answers, and not all is well
        with error:
            try:
                checks = json.load(error)["checks"]
            except (ValueError, KeyError):
                return None
    except (OSError, ValueError, KeyError):
        return None
    return frozenset(check["name"] for check in checks if not check["ok"])


def is_green(old: Failing | None, new: Failing | None) -> bool:
    """Well enough to stay: it answers, and nothing fails that did not fail before. A camera whose cable is loose was
    so before the update, too. `old` is None when nothing ran before."""
    return new is not None and (old is None or new <= old)


def gets_green(machine: Machine, old: Failing | None, now: Callable[[], float], sleep: Callable[[float], None]) -> bool:
    """Start it anew, and wait until two looks in a row find it green and still the same process."""
    ends_s = now() + GREEN_WITHIN_S
    restart(machine)
    well: str | None = None
    while now() < ends_s:
        process = machine.run(["systemctl", "show", "--property=MainPID", "--value", UNIT])
        green = process not in (None, "", "0") and is_green(old, failing(machine))
        if green and process == well:
            return True
        crashes = machine.run(["systemctl", "show", "--property=NRestarts", "--value", UNIT]) or ""
        if crashes.isdecimal() and int(crashes) >= CRASHES:
            return False
        well = process if green else None
        sleep(LOOK_S)
    return False


def take_away(machine: Machine) -> None:
    """Stop it, and remove all that `set_up` placed but the owner's own: settings and state."""
    machine.run(["systemctl", "disable", "--quiet", *(["--now"] if machine.starts_services else []), UNIT])
    for target, _ in FILES.values():
        machine.remove(target)
    if machine.starts_services:
        machine.run(["systemctl", "daemon-reload"])


def wall_clock() -> tuple[Callable[[], float], Callable[[float], None]]:
    return time.monotonic, time.sleep
