"""A real Mosquitto on a free port, stopped and started at will, and an ear that hears all that is said at it."""

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from patience import PATIENCE_S

# Debian puts servers where only root looks for commands.
PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


class Mosquitto:
    """`user`, `password`: then nobody else is let in. `tls`: it speaks TLS with a certificate of its own, `ca_file`."""

    def __init__(self, folder: Path, user: str = "", password: str = "", tls: bool = False) -> None:
        if PROGRAM is None:
            pytest.skip("the broker 'mosquitto' is missing: apt-get install mosquitto")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._config = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "log_dest none"]
        self.ca_file = folder / "certificate.pem"
        if tls:
            lines += [*self._certified(folder), "user root"]
        if user:
            known = folder / "passwords"
            known.write_text("")
            # Run by root, the broker would read them as a user who may not look into the folder.
            subprocess.run(["mosquitto_passwd", "-b", str(known), user, password], check=True)
            lines += ["allow_anonymous false", f"password_file {known}", "user root"]
        else:
            lines += ["allow_anonymous true"]
        self._config.write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def _certified(self, folder: Path) -> tuple[str, str]:
        key = folder / "key.pem"
        made = f"openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=stickman -keyout {key} -out {self.ca_file}"
        subprocess.run([*made.split(), "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        return f"certfile {self.ca_file}", f"keyfile {key}"

    def start(self) -> None:
        assert PROGRAM is not None
        self._process = subprocess.Popen([PROGRAM, "-c", str(self._config)], stderr=subprocess.DEVNULL)
        ends_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_s:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError("mosquitto did not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Ear:
    """Hears all that is said at a broker, as Home Assistant would: the newest of each topic, and the order of all."""

    def __init__(self, port: int, user: str = "", password: str = "") -> None:
        self.said: list[tuple[str, bytes, bool]] = []
        self._ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_connect = lambda client, *_: client.subscribe("#")
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = self._heard
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert self._ready.wait(PATIENCE_S)

    def _heard(self, _: Client, __: object, message: MQTTMessage) -> None:
        self.said.append((message.topic, bytes(message.payload), message.retain))

    def say(self, topic: str, payload: str, retain: bool = False) -> None:
        self._client.publish(topic, payload, retain=retain)

    def newest(self, topic: str) -> bytes | None:
        return next((payload for name, payload, _ in reversed(self.said) if name == topic), None)

    def all(self, topic: str) -> list[bytes]:
        return [payload for name, payload, _ in self.said if name == topic]

    def hears(self, true: Callable[[], object]) -> bool:
        ends_s = time.monotonic() + PATIENCE_S
        while not true() and time.monotonic() < ends_s:
            time.sleep(0.01)
        return bool(true())

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
