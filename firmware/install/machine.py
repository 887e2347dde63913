"""The machine that is installed on: its commands and its files."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.errors import StickmanError


class InstallFailed(StickmanError, RuntimeError):
    """A step of the installation did not work; what ran before still runs."""


@dataclass(frozen=True, slots=True)
class Machine:
    """`root`: where its files are, "/" but in tests. `run`: a command's output, without the line's end; None when it
    fails or is not there. `loudly`: the same, and what it complains of is shown. `say`: tell the person who installs.
    """

    root: Path
    run: Callable[[Sequence[str]], str | None]
    loudly: Callable[[Sequence[str]], str | None]
    say: Callable[[str], None]

    @property
    def starts_services(self) -> bool:
        """Whether systemd is in charge here; not in an image that is being made."""
        return (self.root / "run/systemd/system").is_dir()

    def do(self, command: Sequence[str], cure: str) -> str:
        """Run a command that has to work. Raises `InstallFailed` with the cure."""
        output = self.loudly(command)
        if output is None:
            raise InstallFailed(f"`{' '.join(command)}` failed: {cure}.")
        return output

    def place(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file whole or not at all."""
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.new")
        beside.write_text(text, encoding="utf-8")
        beside.chmod(mode)
        beside.replace(target)

    def remove(self, path: str) -> None:
        target = self.root / path.lstrip("/")
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)


def this_machine(say: Callable[[str], None]) -> Machine:
    return Machine(
        Path("/"), lambda command: _run(command, subprocess.DEVNULL), lambda command: _run(command, None), say
    )


def _run(command: Sequence[str], complaints: int | None) -> str | None:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=complaints, text=True, check=False, env=env)
    except OSError:
        return None
    return done.stdout.rstrip("\n") if done.returncode == 0 else None
