"""The address that phones can reach, and its QR code for a terminal."""

import fcntl
import io
import ipaddress
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from firmware.errors import BadInput
from speech.sentence import say

# Names the kernel and common programs give to interfaces that lead to no phone: containers, virtual machines, VPNs.
VIRTUAL = (
    "br-", "cni", "docker", "flannel", "ifb", "lxc", "lxd", "podman", "ppp", "sit", "tailscale", "tap", "tun", "utun",
    "vboxnet", "veth", "virbr", "vmnet", "wg", "zt",
)  # fmt: skip
LOOPBACK = "127.0.0.1"
# Any address out of the house will do: connecting a datagram socket sends nothing, it only asks for the route.
FAR_AWAY = ("198.51.100.1", 9)
SIOCGIFADDR = 0x8915  # linux/sockios.h


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface and its IPv4 address."""

    name: str
    address: str


def numeric_address(host: str) -> str:
    """The address for URLs and the QR code when the pages listen on `host`: for all interfaces the IPv4 that other
    phones most likely reach, else that of `host` itself. Raises `BadInput` for a name that is no host."""
    if host in ("", "0.0.0.0", "::", "*"):
        return choose(interfaces(), routed())
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _looked_up(host)
    return f"[{address}]" if address.version == 6 else str(address)


def choose(found: Sequence[Interface], route: str | None) -> str:
    """The best of the machine's addresses. `route`: the one used to leave the house, None without a way out."""
    best = min(found, key=lambda one: (_rank(one), one.address != route), default=None)
    return LOOPBACK if best is None else best.address


def address_hints(address: str) -> tuple[str, ...]:
    """A sentence for the page when phones will hardly reach `address`."""
    try:
        found = ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return ()
    if found.is_loopback:
        return (say("Only this machine can open the pages: connect it to the network, then start the tray again."),)
    if found.is_link_local:
        return (
            say(
                "The network gave this tray no address (it is {address}): check the router or the cable.",
                address=address,
            ),
        )
    return ()


def qr_text(url: str) -> str:
    """A QR code of `url` in half-block characters, light on a dark terminal."""
    import segno  # only here, so that the address can be told where the library is missing

    text = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(text, border=4, compact=True)
    return text.getvalue()


def interfaces() -> tuple[Interface, ...]:
    """All interfaces that have an IPv4 address, as the kernel orders them."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe, SIOCGIFADDR, request)
            except OSError:
                continue  # it has none
            found.append(Interface(name, socket.inet_ntoa(answer[20:24])))
    return tuple(found)


def routed() -> str | None:
    """Our own address on the way out of the house; None when there is no way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(FAR_AWAY)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _rank(one: Interface) -> int:
    address = ipaddress.ip_address(one.address)
    if address.is_loopback:
        return 3
    if one.name.startswith(VIRTUAL):
        return 2
    return 1 if address.is_link_local else 0


def _looked_up(host: str) -> str:
    try:
        return socket.gethostbyname(host)
    except (OSError, UnicodeError) as error:
        raise BadInput(f"There is no host called {host!r}; give an address of this machine with --host.") from error
