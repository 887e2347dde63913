"""One running tray to a state folder: two would write into each other's game."""

import fcntl
import os
from pathlib import Path

from firmware.errors import BadState


def claim(state_dir: Path) -> int:
    """Hold the folder until the descriptor returned is closed or the program ends, however it ends. Raises `BadState`
    when another tray holds it."""
    file = os.open(state_dir / "running.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise BadState(f"Another Stickman runs with {state_dir}: stop it, or use another --state-dir.") from None
    return file
