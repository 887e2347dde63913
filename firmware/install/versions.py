"""Versions of the program side by side: a virtual environment each, and one link that says which is used."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from firmware.install.machine import InstallFailed, Machine

HOME = Path("/opt/stickman")
LINK = "current"
# Written last: a version without it was interrupted while it was made.
DONE = "installed"
NOT_OURS = (".git", ".venv", "build", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis", "tests", "training")
PYTHON = "/usr/bin/python3"  # the system's own, which the camera's packages belong to


def build(machine: Machine, source: Path) -> str:
    """Make a version of the checkout at `source`, and return its name. Raises `InstallFailed`."""
    made = complete(machine.root)
    number = 1 + max((int(name.rpartition("-")[2]) for name in _all(machine.root)), default=0)
    name = f"{version_of(source)}-{number}"
    folder = HOME / name
    machine.say(f"Making the environment {folder} beside {', '.join(made) or 'no other'}")
    cure = "check the free space with df -h, and that python3-venv is installed"
    # The camera's and the pins' libraries are the system's.
    machine.do([PYTHON, "-m", "venv", "--system-site-packages", str(folder)], cure)
    with tempfile.TemporaryDirectory(prefix="stickman-") as scratch:
        copy = Path(scratch, "stickman")
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns(*NOT_OURS))
        bounds = Path(scratch, "bounds.txt")
        bounds.write_text(numpy_bound(machine), encoding="utf-8")
        machine.say("Installing the program and its libraries into it; on a Pi Zero this takes some minutes")
        pip = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        machine.do(
            [*pip, "--constraint", str(bounds), str(copy)],
            "connect this machine to the internet, and run the command again; what ran before still runs",
        )
    inside(machine.root, folder, DONE).write_text(f"{name}\n", encoding="utf-8")
    os.sync()
    return name


def numpy_bound(machine: Machine) -> str:
    """The camera's packages are built for the system's numpy, and break with another."""
    numpy = machine.run([PYTHON, "-c", "import numpy; print(numpy.__version__)"])
    return f"numpy=={numpy}\n" if numpy else ""


def version_of(source: Path) -> str:
    found = re.search(r'^version = "([^"]+)"', (source / "pyproject.toml").read_text(encoding="utf-8"), re.M)
    if found is None:
        raise InstallFailed(f"{source}/pyproject.toml names no version: get the program again.")
    return found[1]


def current(root: Path) -> str | None:
    """The version in use; None when there is none, or none that is whole."""
    link = inside(root, HOME, LINK)
    name = os.readlink(link) if link.is_symlink() else None
    return name if name in complete(root) else None


def complete(root: Path) -> tuple[str, ...]:
    """Versions that were made to their end, oldest first."""
    return tuple(name for name in _all(root) if inside(root, HOME, name, DONE).exists())


def before(root: Path, name: str) -> str | None:
    """The newest version older than this."""
    names = complete(root)
    older = names[: names.index(name)] if name in names else names
    return older[-1] if older else None


def use(root: Path, name: str) -> None:
    """From now on this version; the link is changed in one step."""
    beside = inside(root, HOME, f".{LINK}")
    beside.unlink(missing_ok=True)
    beside.symlink_to(name)
    beside.replace(inside(root, HOME, LINK))


def forget_all_but(root: Path, names: Iterable[str | None]) -> None:
    kept = set(names)
    for name in _all(root):
        if name not in kept:
            shutil.rmtree(inside(root, HOME, name))


def files_of(root: Path, name: str) -> Path:
    """The folder with the service files that a version brought."""
    found = next(inside(root, HOME, name).glob("lib/python3*/site-packages/firmware/install"), None)
    if found is None:
        raise InstallFailed(f"{HOME / name} is not whole: install again.")
    return found


def inside(root: Path, *parts: Path | str) -> Path:
    return root.joinpath(*(str(part).lstrip("/") for part in parts))


def _all(root: Path) -> list[str]:
    folders = [path.name for path in inside(root, HOME).glob("*-*") if re.fullmatch(r".+-\d+", path.name)]
    return sorted(folders, key=lambda name: int(name.rpartition("-")[2]))
