"""What the doctor asks of the house: is the broker there and does it let the tray in, are lights and webhook there."""

import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

from firmware.config import Config
from firmware.doctor import Finding
from firmware.errors import BadInput
from firmware.integrations import settings
from firmware.integrations.settings import Broker

LONGEST_S = 4.0


def house_findings(config: Config) -> Iterator[Finding]:
    """Nothing for what is off. None of it can fail the tray: it plays without."""
    try:
        broker = settings.broker(config)
        hook = settings.hook(config)
    except BadInput as error:
        sentence, _, cure = str(error).partition(": ")
        yield Finding("house", "warn", sentence, cure.rstrip("."))
        return
    if broker is not None:
        yield _mqtt(broker)
    if config.lights is not None:
        yield _there("lights", config.lights, "[lights] wled")
    if hook is not None:
        yield _there("webhook", hook.url, "[webhook] url")


def _mqtt(broker: Broker) -> Finding:
    """Logs in once, as another client than the tray's own, and leaves again."""
    where = f"{broker.host}:{broker.port}"
    found = _reached("mqtt", broker.host, broker.port, "[mqtt] broker and port")
    if found.verdict != "ok":
        return found
    try:
        refusal = _refusal(broker)
    except ImportError as error:
        return Finding("mqtt", "warn", f"the library for it cannot be used ({error})", "pip install paho-mqtt")
    if refusal is None:
        return Finding("mqtt", "ok", f"the broker at {where} lets the tray in")
    return Finding("mqtt", "warn", f"the broker at {where} does not let the tray in ({refusal})", "check [mqtt]")


def _refusal(broker: Broker) -> str | None:
    """Why the broker does not let the tray in; None when it does."""
    from firmware.integrations.mqtt import client_of

    answers: list[str | None] = []
    answered = threading.Event()
    client = client_of(broker, "stickman_doctor")

    def connected(*told: object) -> None:
        reason = told[3]
        answers.append(str(reason).lower() if getattr(reason, "is_failure", False) else None)
        answered.set()

    client.on_connect = connected
    try:
        client.connect(broker.host, broker.port)
    except OSError as error:
        return str(error)
    client.loop_start()
    answered.wait(LONGEST_S)
    client.disconnect()
    client.loop_stop()
    return answers[0] if answers else "it takes the line and says nothing"


def _there(check: str, url: str, key: str) -> Finding:
    parts = urlsplit(url)
    return _reached(check, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80), key)


def _reached(check: str, host: str, port: int, key: str) -> Finding:
    try:
        with socket.create_connection((host, port), timeout=LONGEST_S):
            return Finding(check, "ok", f"{host}:{port} is there")
    except socket.gaierror:
        return Finding(check, "warn", f"no {host} is known in this network", f"check {key}, or use the numeric address")
    except OSError as error:
        reason = error.strerror or "no answer in time"
        return Finding(check, "warn", f"{host}:{port} cannot be reached ({reason})", f"check {key}, and that it runs")
