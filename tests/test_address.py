"""The address that phones can reach, what is said when there is none, and the QR code that carries it."""

import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.address import Reach, at_home, host_names, qr_text, reach, routed
from firmware.errors import BadInput
from firmware.interfaces import Interface, interfaces, ipv6_of, is_virtual
from firmware.whereabouts import Whereabouts

WIFI = Interface("wlan0", "192.168.1.20")
CABLE = Interface("eth0", "192.168.1.10")
HOTSPOT = Interface("wlan0", "10.42.0.1")
LOOP = Interface("lo", "127.0.0.1", 8)
NO_LEASE = Interface("eth0", "169.254.7.7", 16)
VIRTUAL = [Interface(name, "172.17.0.1", 16, virtual=True) for name in ("docker0", "br-12ab", "wg0", "tun0")]
SIX = Interface("wlan0", "2001:db8:1::20", 64)
SOON_GONE = Interface("wlan0", "2001:db8:1::abcd", 64, passing=True)
LINK = Interface("wlan0", "fe80::1", 64)


def found_by(host: str, found: list[Interface], route: str | None = None) -> Reach:
    return reach(host, found, lambda _: route)


@pytest.mark.parametrize(
    ("found", "route", "best"),
    [
        ([LOOP, CABLE, WIFI], "192.168.1.20", WIFI),
        ([LOOP, CABLE, WIFI], None, CABLE),
        ([LOOP, *VIRTUAL, WIFI], "172.17.0.1", WIFI),
        ([LOOP, NO_LEASE, HOTSPOT], None, HOTSPOT),
        ([LOOP, SIX, WIFI], "2001:db8:1::20", WIFI),
    ],
)
def test_the_address_is_one_that_other_phones_reach(found: list[Interface], route: str | None, best: Interface) -> None:
    assert found_by("0.0.0.0", found, route) == Reach(best.address)
    assert found_by("::", found, route) == Reach(best.address)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([], "no network"),
        ([LOOP], "no network"),
        ([LOOP, LINK], "no network"),
        ([LOOP, *VIRTUAL], "only in br-12ab, docker0, tun0 and wg0"),
        ([LOOP, VIRTUAL[0], NO_LEASE, LINK], "no address (it is 169.254.7.7): check the router"),
        ([LOOP, SIX], "IPv6 only (2001:db8:1::20)"),
    ],
)
def test_without_an_address_that_phones_reach_it_is_said_what_to_do(found: list[Interface], said: str) -> None:
    answer = found_by("0.0.0.0", found)
    assert answer.address == ""
    assert said in answer.hint


def test_a_network_with_ipv6_only_is_reached_when_the_tray_listens_there() -> None:
    assert found_by("::", [LOOP, LINK, SOON_GONE, SIX], "2001:db8:1::abcd") == Reach("[2001:db8:1::20]")
    assert found_by("::", [LOOP, SOON_GONE]) == Reach("[2001:db8:1::abcd]")


def test_an_address_that_was_asked_for_is_taken() -> None:
    for host, address in (("192.168.1.20", "192.168.1.20"), ("localhost", "127.0.0.1"), ("::1", "[::1]")):
        assert found_by(host, []) == Reach(address)


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a..b", "x" * 300])
def test_a_name_that_is_no_host_is_one_sentence(host: str) -> None:
    with pytest.raises(BadInput, match=r"no host called .*--host"):
        found_by(host, [])


def test_a_tray_goes_by_its_name_and_by_the_name_that_its_network_gives_it() -> None:
    assert host_names("Stickman") == {"stickman", "stickman.local"}
    assert host_names("tray.lan") == {"tray.lan", "tray", "tray.local"}
    assert host_names("") == set()


def test_home_is_the_network_of_the_tray_and_nothing_behind_a_router_or_a_vpn() -> None:
    found = [LOOP, WIFI, SIX, Interface("wg0", "10.8.0.1", 24, virtual=True)]
    for here in ("192.168.1.77", "::ffff:192.168.1.77", "2001:db8:1::9", "127.0.0.1", "::1"):
        assert at_home(here, found), here
    for elsewhere in ("192.168.2.77", "10.8.0.5", "2001:db8:2::9", "203.0.113.4", "", None, "no number"):
        assert not at_home(elsewhere, found), elsewhere


def test_a_bridge_counts_when_it_holds_a_real_card_and_a_tunnel_never(tmp_path: Path) -> None:
    for name in (
        "eth0/device",
        "veth7",
        "br0/bridge",
        "br0/brif/eth0",
        "lan/bridge",
        "lan/brif/veth7",
        "office",
        "mesh",
    ):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "office" / "tun_flags").touch()
    (tmp_path / "mesh" / "uevent").write_text("DEVTYPE=wireguard\nINTERFACE=mesh\n")
    found = {name: is_virtual(name, tmp_path) for name in ("eth0", "br0", "lan", "office", "mesh", "docker0", "wlan0")}
    assert [name for name, virtual in found.items() if virtual] == ["lan", "office", "mesh", "docker0"]


def test_the_kernels_list_of_ipv6_addresses_is_read() -> None:
    line = "20010db8000100000000000000000020 03 40 00 {} wlan0"
    assert ipv6_of(line.format("80"), {"wlan0": False}) == SIX
    temporary = ipv6_of(line.format("01"), {"wlan0": True})
    assert temporary is not None
    assert temporary.passing
    assert temporary.virtual
    assert ipv6_of(line.format("20"), {}) is None
    assert ipv6_of(line.format("40"), {}) is None


def test_what_this_machine_has_can_be_read() -> None:
    assert all(one.ip.is_loopback for one in interfaces() if one.name == "lo")
    reach("0.0.0.0", interfaces(), routed)


def test_the_tray_notices_that_it_is_in_another_network() -> None:
    networks = [[WIFI]]
    told: list[Reach] = []
    whereabouts = Whereabouts("0.0.0.0", told.append, lambda: networks[0], lambda _: None)
    assert whereabouts.reach == Reach("192.168.1.20")
    whereabouts.look_again()
    assert told == []
    for found in ([HOTSPOT], [], [CABLE]):
        networks[0] = found
        whereabouts.look_again()
    assert [reach.address for reach in told] == ["10.42.0.1", "", "192.168.1.10"]
    assert "no network" in told[1].hint


LOOK = """
from firmware.address import reach, routed
from firmware.interfaces import interfaces
for host in ("0.0.0.0", "::"):
    found = reach(host, interfaces(), routed)
    print(found.address or found.hint.split(":")[0])
"""


@pytest.mark.parametrize(
    ("links", "four", "both"),
    [
        ("", "This tray is in no network", "This tray is in no network"),
        ("wlan0 veth 192.168.7.5/24", "192.168.7.5", "192.168.7.5"),
        ("wlan0 veth 192.168.7.5/24 docker0 bridge 172.17.0.1/16", "192.168.7.5", "192.168.7.5"),
        ("docker0 bridge 172.17.0.1/16 wlan0 veth fd00:7::5/64", "This network has IPv6 only (fd00", "[fd00:7::5]"),
        ("eth0 veth 169.254.3.4/16", "The network gave this tray no address (it is 169.254.3.4)", ""),
    ],
)
def test_real_networks_are_told_apart(links: str, four: str, both: str) -> None:
    """In a network namespace of its own, which needs root."""
    parts = links.split()
    lines = ["ip link set lo up"]
    for name, kind, address in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        peer = f"type veth peer name {name}x" if kind == "veth" else f"type {kind}"
        lines += [f"ip link add {name} {peer}", f"ip addr add {address} dev {name} nodad", f"ip link set {name} up"]
        lines += [f"ip link set {name}x up"] if kind == "veth" else []
    script = "set -e\n" + "\n".join(lines) + f"\nexec {sys.executable} -c '{LOOK}'"
    if shutil.which("ip") is None or subprocess.run(["unshare", "-n", "true"], check=False).returncode:
        pytest.skip("network namespaces need root and iproute2")
    shown = subprocess.run(["unshare", "-n", "sh", "-c", script], capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines() == [four, both or four]


def test_the_code_on_the_terminal_can_be_read_by_a_camera() -> None:
    url = "http://192.168.178.201:8080/join#K7PQ"
    halves = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    rows: list[list[int]] = []
    for line in qr_text(url).splitlines():
        rows += [[halves[mark][half] for mark in line] for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == url
