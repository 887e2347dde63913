"""The tray's own Wi-Fi, for where there is no other: a connection of NetworkManager, and the unit that brings it up."""

import secrets

from firmware.install import packages, versions
from firmware.install.machine import InstallFailed, Machine

CONNECTION = "stickman-hotspot"
UNIT = "stickman-hotspot.service"
PLACE = f"/etc/systemd/system/{UNIT}"
NETWORK = "Stickman"
# Without those that look alike: it is typed off a label by whose phone cannot scan.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
PASSWORD_LENGTH = 10


def switch_on(machine: Machine) -> None:
    """A network with a new password, told once on the terminal as words and as a code to scan. Raises
    `InstallFailed`."""
    version = versions.current(machine.root)
    if version is None:
        raise InstallFailed("The tray is not installed yet: make install, then this.")
    packages.install(machine, packages.HOTSPOT, ())
    password = "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))
    machine.run(["nmcli", "connection", "delete", CONNECTION])
    machine.do(
        ["nmcli", *connection(password)],
        "NetworkManager must be in charge of the Wi-Fi: sudo raspi-config, Advanced Options, Network Config",
    )
    machine.place(PLACE, (versions.files_of(machine.root, version) / UNIT).read_text(encoding="utf-8"))
    machine.do(["systemctl", "enable", "--quiet", UNIT], "see: systemctl status")
    code = machine.run([str(versions.HOME / versions.LINK / "bin/segno"), "--compact", wifi_code(NETWORK, password)])
    machine.say(code or "")
    machine.say(f"Wi-Fi {NETWORK}, password {password}. From the next start on it is there where no known network is.")


def connection(password: str) -> tuple[str, ...]:
    """What NetworkManager is asked for."""
    return (
        "connection", "add", "type", "wifi", "con-name", CONNECTION, "ifname", "*", "autoconnect", "no",
        "ssid", NETWORK, "802-11-wireless.mode", "ap", "ipv4.method", "shared", "ipv6.method", "disabled",
        "wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", password,
    )  # fmt: skip


def switch_off(machine: Machine) -> None:
    machine.run(["systemctl", "disable", "--quiet", "--now", UNIT])
    machine.remove(PLACE)
    machine.run(["nmcli", "connection", "delete", CONNECTION])
    machine.say("The tray has no Wi-Fi of its own any more.")


def wifi_code(network: str, password: str) -> str:
    """The text of a QR code with which a phone joins a Wi-Fi."""
    return f"WIFI:T:WPA;S:{network};P:{password};;"
