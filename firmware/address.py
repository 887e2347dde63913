"""The address that phones can reach, what to do when there is none, and its QR code for a terminal."""

import io
import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware.errors import BadInput
from firmware.interfaces import Address, Interface
from speech.sentence import listed, say

LOOPBACK = "127.0.0.1"
# Hosts that mean every interface; the second kind takes IPv6 too.
ALL_IPV4 = ("", "0.0.0.0")
ALL = ("::",)
# Any address out of the house will do: connecting a datagram socket sends nothing, it only asks for the route.
FAR_AWAY = {socket.AF_INET: ("198.51.100.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}


@dataclass(frozen=True, slots=True)
class Reach:
    """`address`: for URLs, IPv6 in brackets; empty when no phone can reach the tray. `hint`: then what to do."""

    address: str
    hint: str = ""


def reach(host: str, found: Sequence[Interface], route: Callable[[bool], str | None]) -> Reach:
    """How phones reach the pages that listen on `host`: by the best of the machine's addresses when it means all
    interfaces, else by its own. `route`: our address on the way out of the house, by IPv6 or not. Raises `BadInput`
    for a name that is no host."""
    if host not in (*ALL_IPV4, *ALL):
        return Reach(_written(named(host)))
    usable = [one for one in found if one.usable]
    best = choose([one for one in usable if one.ip.version == 4], route(False))
    if best is None and host in ALL:
        best = choose([one for one in usable if one.ip.version == 6], route(True))
    return Reach("", _hint(found, usable)) if best is None else Reach(_written(best.address))


def choose(usable: Sequence[Interface], route: str | None) -> Interface | None:
    """The best of addresses that phones may reach: one that stays, and that leads out of the house."""
    return min(usable, key=lambda one: (one.passing, one.address != route), default=None)


def named(host: str) -> str:
    """The numeric address of a host that was asked for. Raises `BadInput` for a name that is no host."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return socket.gethostbyname(host)
    except (OSError, UnicodeError) as error:
        raise BadInput(f"There is no host called {host!r}; give an address of this machine with --host.") from error


def host_names(name: str) -> frozenset[str]:
    """What people may type to reach a machine of this name: the name itself, and as mDNS says it."""
    plain = name.lower().partition(".")[0]
    return frozenset({name.lower(), plain, f"{plain}.local"} - {"", ".local"})


def at_home(remote: str | None, found: Sequence[Interface]) -> bool:
    """Whether a phone is in the same network as the tray, or is the tray itself; one that comes through a router or
    a VPN is not."""
    try:
        address: Address = ipaddress.ip_address((remote or "").partition("%")[0])
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return True
    return any(one.has(address) for one in found if not one.virtual and not one.ip.is_loopback)


def qr_text(url: str) -> str:
    """A QR code of `url` in half-block characters, light on a dark terminal."""
    import segno  # only here, so that the address can be told where the library is missing

    text = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(text, border=4, compact=True)
    return text.getvalue()


def routed(six: bool = False) -> str | None:
    """Our own address on the way out of the house, by IPv6 or IPv4; None when there is no way."""
    family = socket.AF_INET6 if six else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(FAR_AWAY[family])
            return str(probe.getsockname()[0])
    except OSError:
        return None


def _written(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _hint(found: Sequence[Interface], usable: Sequence[Interface]) -> str:
    """What to do when no address can be used."""
    if usable:
        return say(
            'This network has IPv6 only ({address}): write host = "::" under [web] in the config, or give --host ::, '
            "then start the tray again.",
            address=usable[0].address,
        )
    others = [one for one in found if not one.ip.is_loopback]
    lost = [one for one in others if not one.virtual and one.ip.version == 4]
    if lost:
        return say(
            "The network gave this tray no address (it is {address}): check the router or the cable.",
            address=lost[0].address,
        )
    names = sorted({one.name for one in others if one.virtual})
    if names:
        return say(
            "This tray is in no network that phones reach, only in {names}: connect it to the Wi-Fi or a cable, or "
            "name an address with --host.",
            names=listed(names),
        )
    return say(
        "This tray is in no network: connect it to the Wi-Fi or a cable, and the code to scan appears by itself. Until "
        "then its own buttons and screen play."
    )
