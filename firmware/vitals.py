"""How the board is: supply, heat, room on its card. From files of the kernel, which ask nobody and wait for nothing."""

import os
from dataclasses import dataclass
from pathlib import Path

# From here on a Pi slows itself down, by its documentation.
HOT_C = 80.0


@dataclass(frozen=True, slots=True)
class Vitals:
    """None for what this machine does not tell. `under_voltage`: now. `celsius`: of the processor. `free_mb`: where
    the games are kept."""

    under_voltage: bool | None
    celsius: int | None
    free_mb: int | None

    @property
    def hot(self) -> bool | None:
        return None if self.celsius is None else self.celsius >= HOT_C


def vitals(state_dir: Path, root: Path = Path("/")) -> Vitals:
    """Rounded, so that they change only when there is something to tell. `root`: where /sys is."""
    milli = _number(root / "sys/class/thermal/thermal_zone0/temp")
    return Vitals(under_voltage(root), None if milli is None else round(milli / 1000), _free_mb(state_dir))


def under_voltage(root: Path) -> bool | None:
    """Whether a Pi's supply is too weak now; None where nothing says so."""
    for name in sorted((root / "sys/class/hwmon").glob("hwmon*/name")):
        if _text(name) == "rpi_volt":
            alarm = _number(name.with_name("in0_lcrit_alarm"))
            return None if alarm is None else alarm != 0
    return None


def _free_mb(folder: Path) -> int | None:
    """To a tenth of a gigabyte."""
    try:
        there = os.statvfs(folder)
    except OSError:
        return None
    return round(there.f_bavail * there.f_frsize / 1e8) * 100


def _number(path: Path) -> int | None:
    text = _text(path)
    return int(text) if text.lstrip("-").isdecimal() else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
