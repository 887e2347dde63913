"""What systemd is told of the tray: one datagram each to the socket that it names, nothing where it names none."""

import contextlib
import os
import socket
from collections.abc import Mapping
from pathlib import Path


def tell(env: Mapping[str, str], *lines: str) -> None:
    """Say `lines`, such as "READY=1", as sd_notify(3) has them. Raises nothing: a tray plays on unheard."""
    named = env.get("NOTIFY_SOCKET", "")
    if named:
        # A leading @ stands for the zero byte of Linux's abstract names.
        place = f"\0{named[1:]}" if named.startswith("@") else named
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto("\n".join(lines).encode(), place)


def note_port(env: Mapping[str, str], port: int) -> None:
    """Leave the port that really serves where the unit finds it, to tell the network (see `stickman.service`)."""
    folder = env.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if folder:
        with contextlib.suppress(OSError):
            Path(folder, "port").write_text(f"{port}\n", encoding="ascii")


def is_listening(env: Mapping[str, str]) -> bool:
    """Whether systemd started this program as a service that tells of itself."""
    return bool(env.get("NOTIFY_SOCKET"))


def watchdog_s(env: Mapping[str, str]) -> float | None:
    """How long systemd waits for a sign of life before it starts the program anew; None when it does not wait."""
    try:
        microseconds, process = int(env.get("WATCHDOG_USEC", "0")), int(env.get("WATCHDOG_PID", os.getpid()))
    except ValueError:
        return None
    return microseconds / 1e6 if microseconds > 0 and process == os.getpid() else None
