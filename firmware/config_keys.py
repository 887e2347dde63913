"""Which keys a config file may hold, and what may stand there."""

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Setting:
    """One key. `fits`: the value can be used as it stands; `nearest`: the valid value most like a wrong one, None
    when nothing is like it; `says`: what is allowed; `secret`: a wrong value is not shown."""

    fits: Callable[[Any], bool]
    nearest: Callable[[Any], Any]
    says: str
    secret: bool = False


def _number(low: int, high: int) -> Setting:
    def nearest(value: Any) -> int | None:
        try:
            return min(max(round(float(value)), low), high)
        except (TypeError, ValueError, OverflowError):
            return None

    return Setting(lambda v: type(v) is int and low <= v <= high, nearest, f"a whole number from {low} to {high}")


def _of(*numbers: int) -> Setting:
    def nearest(value: Any) -> int | None:
        try:
            return min(numbers, key=lambda number: abs(number - float(value)))
        except (TypeError, ValueError, OverflowError):
            return None

    return Setting(lambda v: type(v) is int and v in numbers, nearest, " or ".join(map(str, numbers)))


def _choice(*words: str) -> Setting:
    def nearest(value: Any) -> str | None:
        return next(iter(difflib.get_close_matches(str(value).lower(), words, 1, 0.5)), None)

    return Setting(lambda v: v in words, nearest, " or ".join([", ".join(words[:-1]), words[-1]]))


def _source() -> Setting:
    names = ("auto", "simulated", "picamera", "usb:", "video:", "pictures:")
    shape = re.compile(r"auto|simulated|picamera|usb:(\d+|/.+)|(video|pictures):.+")

    def nearest(value: Any) -> str | None:
        head, _, tail = str(value).partition(":")
        found = difflib.get_close_matches(head.lower() + (":" if tail else ""), names, 1, 0.5)
        repaired = found[0] + (tail if found[0].endswith(":") else "") if found else ""
        return repaired if shape.fullmatch(repaired) else None

    says = "auto, simulated, picamera, usb:N, video:FILE or pictures:DIR"
    return Setting(lambda v: isinstance(v, str) and shape.fullmatch(v) is not None, nearest, says)


def _text(says: str) -> Setting:
    return Setting(lambda v: isinstance(v, str) and v != "" and "\0" not in v, lambda _: None, says)


def _host() -> Setting:
    """An address of the house without scheme or port, which many put there."""
    # Longer or empty parts of a name are no question for the network: asking it raises at once.
    shape = re.compile(r"(?=.{1,253}$)[A-Za-z0-9][\w-]{0,62}(\.[\w-]{1,63})*|\[?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*\]?", re.A)

    def nearest(value: Any) -> str | None:
        bare = re.sub(r"^\w+://|:\d+$|/.*$", "", re.sub(r"^\w+://", "", str(value)))
        return bare if shape.fullmatch(bare) else None

    says = "the name or address of a broker, such as homeassistant.local, without a port"
    return Setting(lambda v: isinstance(v, str) and shape.fullmatch(v) is not None, nearest, says)


def _url() -> Setting:
    """Without a user and password in it: those belong into a file."""

    def fits(value: Any) -> bool:
        if not isinstance(value, str) or re.search(r"[^!-~]", value):
            return False
        try:
            parts = urlsplit(value)
            return (
                parts.scheme in ("http", "https")
                and bool(parts.hostname)
                and "@" not in parts.netloc
                and parts.port != 0
            )
        except ValueError:
            return False

    def nearest(value: Any) -> str | None:
        whole = f"http://{value}"
        return whole if "://" not in str(value) and fits(whole) else None

    return Setting(fits, nearest, "an address that begins with http:// or https://")


def _topic() -> Setting:
    """Part of an MQTT topic: wildcards and empty levels lead nowhere."""
    shape = re.compile(r"[^\s/#+\0]+(/[^\s/#+\0]+)*")
    says = "an MQTT topic without # and +, such as homeassistant"
    return Setting(lambda v: isinstance(v, str) and shape.fullmatch(v) is not None, lambda _: None, says)


def _wifi_name() -> Setting:
    return Setting(
        lambda v: isinstance(v, str) and 1 <= len(v.encode()) <= 32, lambda _: None, "a name of up to 32 bytes"
    )


def _wifi_password() -> Setting:
    """IEEE 802.11: 8 to 63 characters of ASCII, or the key itself in 64 hexadecimal digits."""
    shape = re.compile(r"[ -~]{8,63}|[0-9a-fA-F]{64}")
    says = "8 to 63 letters, digits and signs"
    return Setting(lambda v: isinstance(v, str) and shape.fullmatch(v) is not None, lambda _: None, says, secret=True)


def _switch() -> Setting:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    return Setting(lambda v: isinstance(v, bool), lambda v: words.get(str(v).lower()), "true or false")


# section -> key -> (field of Config, what may stand there)
SETTINGS: dict[str, dict[str, tuple[str, Setting]]] = {
    "web": {
        "host": ("host", _text("an address to listen on, such as 0.0.0.0")),
        "port": ("port", _number(0, 65535)),
        # The page server keeps two dozen threads beyond the streams; 400 is what one process was measured to bear.
        "max_streams": ("max_streams", _number(1, 400)),
    },
    "camera": {
        "source": ("source", _source()),
        "profile": ("profile", _text("the path of a profile")),
        "mains_hz": ("mains_hz", _of(50, 60)),
        "turned": ("turned", _of(0, 90, 180, 270)),
        "mirrored": ("mirrored", _switch()),
        "noir": ("noir", _switch()),
    },
    "table": {
        "rules": ("rules", _text("the name of rules or a file of house rules")),
        "aside": ("aside", _choice("rail", "outside", "phone")),
    },
    "tray": {"name": ("tray_name", _text("what the tray is called, such as Table one"))},
    "mqtt": {
        "broker": ("broker", _host()),
        "port": ("broker_port", _number(1, 65535)),
        "user": ("broker_user", _text("the name of a user of the broker")),
        "password_file": ("broker_password_file", _text("the path of a file that holds the password")),
        "tls": ("broker_tls", _switch()),
        "ca_file": ("broker_ca_file", _text("the path of the broker's certificate authority")),
        "discovery": ("discovery", _choice("device", "single", "off")),
        "prefix": ("discovery_prefix", _topic()),
        "commands": ("commands", _switch()),
    },
    "lights": {"wled": ("lights", _url())},
    "webhook": {
        "url": ("webhook", _url()),
        "secret_file": ("webhook_secret_file", _text("the path of a file that holds the secret")),
    },
    "panel": {"enabled": ("panel", _switch()), "sound": ("sound", _switch())},
    "pictures": {
        "keep": ("pictures", _switch()),
        "recent_mb": ("recent_mb", _number(1, 4096)),
        "disputed_mb": ("disputed_mb", _number(1, 65536)),
    },
    "wifi": {
        "name": ("wifi_name", _wifi_name()),
        "password": ("wifi_password", _wifi_password()),
        "hidden": ("wifi_hidden", _switch()),
    },
}
