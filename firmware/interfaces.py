"""The machine's network interfaces and their addresses, as the kernel tells them (Linux)."""

import contextlib
import fcntl
import ipaddress
import socket
import struct
from dataclasses import dataclass
from pathlib import Path

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Names that the kernel and common programs give to interfaces that lead to no phone: of containers, virtual machines
# and VPNs.
VIRTUAL = (
    "br-", "cni", "docker", "flannel", "ifb", "lxc", "lxd", "podman", "ppp", "sit", "tailscale", "tap", "tun", "utun",
    "vboxnet", "veth", "virbr", "vmnet", "wg", "zt",
)  # fmt: skip
# linux/sockios.h and linux/if.h
SIOCGIFADDR, SIOCGIFNETMASK, SIOCGIFFLAGS = 0x8915, 0x891B, 0x8913
IFF_UP, IFF_RUNNING = 0x1, 0x40
# linux/if_addr.h: made for privacy and soon another; found to be a twin's; on its way out; not yet checked.
TEMPORARY, TWIN, OLD, UNCHECKED = 0x01, 0x08, 0x20, 0x40
SYSTEM = Path("/sys/class/net")
IPV6 = Path("/proc/net/if_inet6")


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface and one of its addresses. `bits`: of the address that name the network. `virtual`: it leads
    to no phone. `passing`: the address is soon another."""

    name: str
    address: str
    bits: int = 24
    virtual: bool = False
    passing: bool = False

    @property
    def ip(self) -> Address:
        return ipaddress.ip_address(self.address)

    @property
    def usable(self) -> bool:
        """Phones of this network may reach it."""
        return not (self.virtual or self.ip.is_loopback or self.ip.is_link_local)

    def has(self, other: Address) -> bool:
        """Whether `other` is in the same network, with no router between."""
        return other in ipaddress.ip_network((self.address, self.bits), strict=False)


def interfaces() -> tuple[Interface, ...]:
    """Every address of the interfaces that are up and connected, IPv4 first, as the kernel orders them."""
    names = [name for _, name in socket.if_nameindex()]
    virtual = {name: is_virtual(name) for name in names}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        running = {name for name in names if _runs(probe, name)}
        found = [_ipv4(probe, name, virtual[name]) for name in names if name in running]
    six = [one for one in _ipv6(virtual) if one.name in running]
    return (*(one for one in found if one is not None), *six)


def is_virtual(name: str, system: Path = SYSTEM) -> bool:
    """Whether an interface leads to no phone, by its name and by its kind. A bridge that holds a real card, such as the
    br0 of a home server, does."""
    if name.startswith(VIRTUAL):
        return True
    folder = system / name
    if (folder / "tun_flags").exists():
        return True
    if (folder / "bridge").exists():
        return not any((system / port.name / "device").exists() for port in (folder / "brif").glob("*"))
    with contextlib.suppress(OSError):
        return "DEVTYPE=wireguard" in (folder / "uevent").read_text()
    return False


def _runs(probe: socket.socket, name: str) -> bool:
    answer = _asked(probe, SIOCGIFFLAGS, name)
    flags = struct.unpack("H", answer[16:18])[0] if answer else 0
    return bool(flags & IFF_UP and flags & IFF_RUNNING)


def _ipv4(probe: socket.socket, name: str, virtual: bool) -> Interface | None:
    address, mask = _asked(probe, SIOCGIFADDR, name), _asked(probe, SIOCGIFNETMASK, name)
    if address is None or mask is None:
        return None
    bits = int.from_bytes(mask[20:24]).bit_count()
    return Interface(name, socket.inet_ntoa(address[20:24]), bits, virtual)


def _asked(probe: socket.socket, what: int, name: str) -> bytes | None:
    """None when the interface has none."""
    try:
        return fcntl.ioctl(probe, what, struct.pack("256s", name.encode()[:15]))
    except OSError:
        return None


def _ipv6(virtual: dict[str, bool]) -> list[Interface]:
    try:
        lines = IPV6.read_text().splitlines()
    except OSError:
        return []  # the kernel has no IPv6
    return [one for line in lines if (one := ipv6_of(line, virtual)) is not None]


def ipv6_of(line: str, virtual: dict[str, bool]) -> Interface | None:
    """One line of /proc/net/if_inet6: address, index, bits, scope, flags (all hexadecimal) and name. None for an
    address that cannot be used."""
    digits, _, bits, _, flags, name = line.split()
    state = int(flags, 16)
    if state & (TWIN | OLD | UNCHECKED):
        return None
    address = ipaddress.IPv6Address(int(digits, 16))
    return Interface(name, str(address), int(bits, 16), virtual.get(name, False), bool(state & TEMPORARY))
