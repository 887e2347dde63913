"""From the config to what each integration needs; secrets come from files of their own, never from the config."""

import re
import secrets
import ssl
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from firmware.config import Config, Discovery
from firmware.errors import BadInput
from firmware.files import write_whole
from speech.sentence import say

ID_FILE = "tray-id"


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is and how to speak to it. `ca_file`: "" trusts the system's. `prefix`: where Home Assistant
    looks for announcements. `commands`: what the broker sends may press buttons."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    ca_file: str = ""
    discovery: Discovery = "device"
    prefix: str = "homeassistant"
    commands: bool = False


@dataclass(frozen=True, slots=True)
class Hook:
    """`secret`: shared with the receiver; empty leaves news unsigned."""

    url: str
    secret: bytes = field(default=b"", repr=False)


def broker(config: Config) -> Broker | None:
    """None when no broker is set. Raises `BadInput`."""
    if not config.broker:
        return None
    return Broker(
        config.broker.strip("[]"),
        config.broker_port,
        config.broker_user or "",
        secret(config.broker_password_file, "[mqtt] password_file"),
        config.broker_tls,
        _certificate(config.broker_ca_file),
        config.discovery,
        config.discovery_prefix,
        config.commands,
    )


def hook(config: Config) -> Hook | None:
    """None when no webhook is set. Raises `BadInput`."""
    if not config.webhook:
        return None
    return Hook(config.webhook, secret(config.webhook_secret_file, "[webhook] secret_file").encode())


def secret(file: Path | None, key: str) -> str:
    """The first line of the file; "" without one. Raises `BadInput`, never with what is in it."""
    if file is None:
        return ""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else say("it is not UTF-8 text")
        raise BadInput(
            say(
                "The file of {key}, {file}, cannot be read ({why}): the tray's user must be able to.",
                key=key,
                file=str(file),
                why=why,
            )
        ) from None
    if not lines or not lines[0].strip():
        raise BadInput(
            say("The file of {key}, {file}, is empty: put the secret into its first line.", key=key, file=str(file))
        )
    return lines[0].strip()


def tray_id(state_dir: Path, serial: str = "") -> str:
    """What tells this tray from all others for as long as its state folder lives. `serial`: of the board, so that a
    card copied into another box is another tray: two of one name would push each other off the broker for ever.
    Raises `BadInput`."""
    file = state_dir / ID_FILE
    try:
        known = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        known = ""
    if not re.fullmatch(r"\w{1,40}", known, re.ASCII):
        known = secrets.token_hex(4)
        try:
            write_whole(file, f"{known}\n".encode())
        except OSError as error:
            why = error.strerror or str(error)
            raise BadInput(
                say("The file {file} cannot be written ({why}): check the disk.", file=str(file), why=why)
            ) from None
    return f"{known}_{zlib.crc32(serial.encode()):08x}" if serial else known


def _certificate(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        ssl.create_default_context(cafile=str(file))
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(
            say(
                "The file of [mqtt] ca_file, {file}, is no certificate in PEM format ({why}): check the path.",
                file=str(file),
                why=why,
            )
        ) from None
    return str(file)
