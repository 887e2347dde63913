"""Files that are written whole or not at all: a power cut leaves the old one or the new one."""

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Raises `OSError`; whatever was at `path` is then still there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _settle(path.parent)


def move(path: Path, to: Path) -> None:
    """Under its new name for good when this returns. Raises `OSError`."""
    path.rename(to)
    _settle(to.parent)


def remove(path: Path) -> None:
    """Gone for good when this returns. Raises `OSError`."""
    path.unlink()
    _settle(path.parent)


def _settle(folder: Path) -> None:
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
