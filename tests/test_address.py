"""The address that phones can reach, and the QR code that carries it."""

import cv2
import numpy as np
import pytest

from firmware.address import Interface, address_hints, choose, interfaces, numeric_address, qr_text
from firmware.errors import BadInput

WIFI = Interface("wlan0", "192.168.1.20")
CABLE = Interface("eth0", "192.168.1.10")
HOTSPOT = Interface("wlan0", "10.42.0.1")
LOOP = Interface("lo", "127.0.0.1")
NO_LEASE = Interface("eth0", "169.254.7.7")
VIRTUAL = [Interface(name, "172.17.0.1") for name in ("docker0", "br-12ab", "veth1", "wg0", "tun0", "tailscale0")]


@pytest.mark.parametrize(
    ("found", "route", "best"),
    [
        ([LOOP, CABLE, WIFI], "192.168.1.20", WIFI),
        ([LOOP, CABLE, WIFI], None, CABLE),
        ([LOOP, *VIRTUAL, WIFI], "172.17.0.1", WIFI),
        ([LOOP, *VIRTUAL], None, VIRTUAL[0]),
        ([LOOP, NO_LEASE, HOTSPOT], None, HOTSPOT),
        ([LOOP, NO_LEASE], "169.254.7.7", NO_LEASE),
        ([LOOP], None, LOOP),
        ([], None, LOOP),
    ],
)
def test_the_address_is_one_that_other_phones_reach(found: list[Interface], route: str | None, best: Interface) -> None:
    assert choose(found, route) == best.address


def test_an_address_that_was_asked_for_is_taken() -> None:
    assert numeric_address("192.168.1.20") == "192.168.1.20"
    assert numeric_address("127.0.0.1") == "127.0.0.1"
    assert numeric_address("localhost") == "127.0.0.1"
    assert numeric_address("::1") == "[::1]"


def test_all_interfaces_means_one_of_ours() -> None:
    ours = {interface.address for interface in interfaces()} | {"127.0.0.1"}
    assert numeric_address("0.0.0.0") in ours
    assert numeric_address("::") in ours


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a..b", "x" * 300])
def test_a_name_that_is_no_host_is_one_sentence(host: str) -> None:
    with pytest.raises(BadInput, match=r"no host called .*--host"):
        numeric_address(host)


def test_an_address_that_phones_will_not_reach_is_said() -> None:
    assert address_hints("192.168.1.20") == ()
    assert "Only this machine" in address_hints("127.0.0.1")[0]
    assert "Only this machine" in address_hints("[::1]")[0]
    assert "router" in address_hints("169.254.7.7")[0]
    assert address_hints("somewhere") == ()


def test_the_code_on_the_terminal_can_be_read_by_a_camera() -> None:
    url = "http://192.168.178.201:8080/join#K7PQ"
    halves = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    rows: list[list[int]] = []
    for line in qr_text(url).splitlines():
        rows += [[halves[mark][half] for mark in line] for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == url
