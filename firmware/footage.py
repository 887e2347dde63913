"""Where a film or a folder of pictures stands, so that a restarted tray goes on with it and sees no throw twice.

Footage stands for the world, and the world does not stop when the box does. The clock is the machine's monotonic one,
so what was noted counts only within one start of the machine.
"""

from pathlib import Path

from firmware.journal import Journal

MARK = "footage"
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def is_footage(camera: str) -> bool:
    return camera.startswith(("video:", "pictures:"))


def footage_clock(journal: Journal, camera: str, playing: bool) -> float | None:
    """When the footage began, seconds of the monotonic clock; None while it waits for a game to be played."""
    if not playing:
        return None
    boot, _, rest = (journal.mark(MARK) or "").partition(" ")
    began, _, name = rest.partition(" ")
    return float(began) if boot == _boot() and name == camera else None


def note_start(journal: Journal, camera: str, at_s: float) -> None:
    journal.set_mark(MARK, f"{_boot()} {at_s} {camera}")


def _boot() -> str:
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return "unknown"
