"""What comes from the system's own packages: what is tied to its kernel, its camera stack, its Python."""

from collections.abc import Iterable

from firmware.install.machine import InstallFailed, Machine

NEEDED = ("python3-venv", "python3-numpy", "avahi-daemon")
# Raspberry Pi OS alone has them: elsewhere the tray has a USB camera, and no pins.
ON_A_PI = ("python3-libcamera", "python3-picamera2", "python3-lgpio")
HOTSPOT = ("network-manager", "dnsmasq-base")


def install(machine: Machine, needed: Iterable[str] = NEEDED, welcome: Iterable[str] = ON_A_PI) -> None:
    """Those that are missing; nothing is asked of the network when none is. Of `welcome` those that this system has.
    Raises `InstallFailed`."""
    needed, welcome = _missing(machine, needed), _missing(machine, welcome)
    if not needed and not welcome:
        return
    machine.say("Fetching the list of packages")
    machine.do(["apt-get", "update", "-qq"], "connect this machine to the internet, and run the command again")
    offered = [name for name in welcome if _is_offered(machine, name)]
    for name in sorted(set(welcome) - set(offered)):
        machine.say(f"This system has no package {name}: without it a Pi's own camera and pins are not used.")
    if unknown := [name for name in needed if not _is_offered(machine, name)]:
        raise InstallFailed(f"This system has no package {unknown[0]}: use Raspberry Pi OS or Debian, 12 or 13.")
    if needed or offered:
        machine.say(f"Installing {', '.join([*needed, *offered])}")
        machine.do(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *needed, *offered],
            "run it by hand and follow what it says, then install again",
        )


def _missing(machine: Machine, names: Iterable[str]) -> list[str]:
    return [name for name in names if not _is_installed(machine, name)]


def _is_installed(machine: Machine, name: str) -> bool:
    return (machine.run(["dpkg-query", "-W", "-f=${Status}", name]) or "").endswith(" installed")


def _is_offered(machine: Machine, name: str) -> bool:
    lines = (machine.run(["apt-cache", "policy", name]) or "").splitlines()
    return any(line.strip().startswith("Candidate:") and "(none)" not in line for line in lines)
