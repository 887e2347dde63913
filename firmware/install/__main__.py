"""`make install`, `make uninstall` and their kin: what `python3 -m firmware.install` does."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from firmware.errors import StickmanError
from firmware.install import hotspot, packages, service, versions
from firmware.install.machine import InstallFailed, Machine, this_machine

SOURCE = Path(__file__).resolve().parents[2]
LEFT = """\
Stickman is gone from this machine. Its games, dice sets and settings are still here. To remove these too:
  sudo rm -r /var/lib/stickman /etc/stickman && sudo userdel stickman"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m firmware.install", description=__doc__)
    actions = {
        "put": put,
        "back": back,
        "remove": remove,
        "hotspot": hotspot.switch_on,
        "no-hotspot": hotspot.switch_off,
    }
    parser.add_argument(
        "action", nargs="?", default="put", choices=actions,
        help="put: install, update or repair; back: to the version before; remove: all but state and settings",
    )  # fmt: skip
    args = parser.parse_args(argv)
    try:
        if os.geteuid() != 0:
            raise InstallFailed("Installing needs the rights of the system: run it with sudo.")
        actions[args.action](this_machine(lambda text: print(text, flush=True)))
    except StickmanError as error:
        print(f"stickman: {error}", file=sys.stderr)
        return 2
    return 0


def put(machine: Machine) -> None:
    """Install, update, or repair: a version is made beside the one in use, and stays when it proves well."""
    packages.install(machine)
    old = versions.current(machine.root)
    new = versions.build(machine, SOURCE)
    change(machine, old, new)
    versions.forget_all_but(machine.root, (old, new))


def back(machine: Machine) -> None:
    """To the version before, for whoever likes the new one less."""
    here = versions.current(machine.root)
    older = versions.before(machine.root, here) if here else None
    if older is None:
        raise InstallFailed("There is no version before this one: get it with git, and run make install.")
    change(machine, here, older)


def change(machine: Machine, old: str | None, new: str) -> None:
    """Use `new` from now on; unless its health is green in time, `old` again. Raises `InstallFailed`."""
    runs = machine.starts_services
    well_before = service.failing(machine) if runs and old else None
    service.set_up(machine, versions.files_of(machine.root, new))
    versions.use(machine.root, new)
    if not runs:
        machine.say(f"Stickman {new} starts with this machine's next start.")
        return
    machine.say(f"Starting {new}")
    clock = service.wall_clock()
    if service.gets_green(machine, well_before, *clock):
        machine.say(f"Stickman {new} runs. Whether all is well with this box: sudo stickman doctor")
        return
    if old is None:
        raise InstallFailed("The tray does not get ready: sudo stickman doctor, and journalctl -u stickman, say why.")
    service.set_up(machine, versions.files_of(machine.root, old))
    versions.use(machine.root, old)
    service.restart(machine)
    raise InstallFailed(f"{new} was not well within two minutes, so {old} runs again; journalctl -u stickman says why.")


def remove(machine: Machine) -> None:
    if (machine.root / "run/NetworkManager").exists():
        hotspot.switch_off(machine)
    service.take_away(machine)
    machine.remove(str(versions.HOME))
    machine.say(LEFT)


if __name__ == "__main__":
    sys.exit(main())
