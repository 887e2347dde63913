"""Which board this is, and which GPIO chip leads to its header. The chip's number moves between kernels."""

import fcntl
import struct
from pathlib import Path

MODEL = Path("/proc/device-tree/model")
SERIAL = Path("/proc/device-tree/serial-number")
# The kernel's names of the chips behind the 40-pin header: Pi 5; Pi 4; Zero 2 W, Pi 3 and older.
HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
# GPIO_GET_CHIPINFO_IOCTL of linux/gpio.h fills struct gpiochip_info {char name[32]; char label[32]; __u32 lines;}
_GET_CHIPINFO = 0x8044B401
_CHIPINFO = struct.Struct("32s32sI")


def board_model(model: Path = MODEL) -> str | None:
    """The board's name, such as "Raspberry Pi 5 Model B Rev 1.0"; None on machines that have no device tree."""
    try:
        return model.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return None


def board_serial(serial: Path = SERIAL) -> str:
    """What tells this board from all others; "" on machines that do not say."""
    try:
        return serial.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def is_pi(model: str | None) -> bool:
    return model is not None and "Raspberry Pi" in model


def header_chip(devices: Path = Path("/dev")) -> int | None:
    """N of the /dev/gpiochipN that leads to the header; None when no chip says so or none may be opened."""
    for device in sorted(devices.glob("gpiochip*")):
        number = device.name.removeprefix("gpiochip")
        if number.isdigit() and _label(device) in HEADER_CHIPS:
            return int(number)
    return None


def _label(device: Path) -> str:
    """The chip's label, "" when it cannot be asked."""
    info = bytearray(_CHIPINFO.size)
    try:
        with device.open("rb") as chip:
            fcntl.ioctl(chip, _GET_CHIPINFO, info)
    except OSError:
        return ""
    label: bytes = _CHIPINFO.unpack(info)[1]
    return label.split(b"\0")[0].decode("ascii", "replace")
