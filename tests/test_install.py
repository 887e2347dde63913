"""Installing: versions side by side, the way back from one that is not well, what is placed where; as if on a Pi.

`tests/test_in_debian.py` does the same on real ones.
"""

import configparser
import json
import re
import shutil
import subprocess
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from firmware.config import config_from
from firmware.install import __main__ as installing
from firmware.install import hotspot, packages, service, versions
from firmware.install.machine import InstallFailed, Machine
from firmware.install.versions import HOME

SHIPPED = Path(service.__file__).parent


class Pi:
    """A machine that notes its commands. `answers`: outputs by words that a command contains; None fails it."""

    def __init__(self, root: Path, systemd: bool = True) -> None:
        self.root = root
        self.done: list[str] = []
        self.said: list[str] = []
        self.answers: dict[str, str | Callable[[], str | None] | None] = {
            "dpkg-query": "install ok installed", "import numpy": "2.2.4", "MainPID": "70", "NRestarts": "0",
        }  # fmt: skip
        (root / "run/systemd/system").mkdir(parents=True) if systemd else None

    def run(self, command: Sequence[str]) -> str | None:
        line = " ".join(command)
        self.done.append(line)
        if "-m venv" in line:
            files = self.root / command[-1].lstrip("/") / "lib/python3.13/site-packages/firmware/install"
            shutil.copytree(SHIPPED, files)
        for word, answer in self.answers.items():
            if word in line:
                return answer() if callable(answer) else answer
        return ""

    @property
    def machine(self) -> Machine:
        return Machine(self.root, self.run, self.run, self.said.append)

    def did(self, words: str) -> bool:
        return any(words in line for line in self.done)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time passes only by sleeping."""
    now = [0.0]
    monkeypatch.setattr(service, "wall_clock", lambda: (lambda: now[0], lambda s: now.__setitem__(0, now[0] + s)))


@pytest.fixture
def health(pi: Pi) -> Iterator[dict[str, bool | None]]:
    """A served /readyz with these checks; a check that is None: no answer at all."""
    checks: dict[str, bool | None] = {"camera": True, "journal": True}

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"checks": [{"name": name, "ok": ok} for name, ok in checks.items()]}).encode()
            self.send_response(200 if all(checks.values()) else 503)
            self.end_headers()
            self.wfile.write(b"broken" if None in checks.values() else body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        pi.answers["StatusText"] = f"http://127.0.0.1:{server.server_port}"
        yield checks
        server.shutdown()


def version_in_use(pi: Pi) -> str | None:
    return versions.current(pi.root)


@pytest.mark.usefixtures("health")
def test_the_first_version_is_installed_and_started(pi: Pi) -> None:
    installing.put(pi.machine)
    assert re.fullmatch(r"\d+\.\d+\.\d+-1", version_in_use(pi) or "")
    assert pi.did("--system-site-packages")
    assert pi.did("systemctl restart stickman.service")
    for target, mode in service.FILES.values():
        assert (pi.root / target.lstrip("/")).stat().st_mode & 0o777 == mode


@pytest.mark.usefixtures("health")
def test_a_new_version_stands_beside_the_old_one_and_older_ones_go(pi: Pi) -> None:
    for _ in range(3):
        installing.put(pi.machine)
    assert [name.rpartition("-")[2] for name in versions.complete(pi.root)] == ["2", "3"]
    assert (version_in_use(pi) or "").endswith("-3")


def test_a_version_that_is_less_well_than_the_one_before_is_taken_back(pi: Pi, health: dict[str, bool | None]) -> None:
    installing.put(pi.machine)
    looks = iter([True])
    pi.answers["MainPID"] = lambda: health.update(journal=next(looks, False)) or "70"
    with pytest.raises(InstallFailed, match=r"-2 was not well within two minutes, so .*-1 runs again"):
        installing.put(pi.machine)
    assert (version_in_use(pi) or "").endswith("-1")


@pytest.mark.usefixtures("health")
def test_a_version_that_does_not_answer_is_taken_back(pi: Pi) -> None:
    installing.put(pi.machine)
    pi.answers["MainPID"] = "0"
    with pytest.raises(InstallFailed, match="runs again"):
        installing.put(pi.machine)
    assert (version_in_use(pi) or "").endswith("-1")


@pytest.mark.usefixtures("health")
def test_a_version_that_crashes_again_and_again_is_not_waited_for(pi: Pi) -> None:
    pi.answers |= {"MainPID": "0", "NRestarts": "3"}
    with pytest.raises(InstallFailed, match="does not get ready"):
        installing.put(pi.machine)
    assert pi.done.count("systemctl show --property=NRestarts --value stickman.service") == 1


def test_a_camera_that_was_lost_before_the_update_does_not_take_it_back(pi: Pi, health: dict[str, bool | None]) -> None:
    health["camera"] = False
    installing.put(pi.machine)
    installing.put(pi.machine)
    assert (version_in_use(pi) or "").endswith("-2")


@pytest.mark.usefixtures("health")
def test_an_installation_that_was_interrupted_is_nobodys_version(pi: Pi) -> None:
    installing.put(pi.machine)
    pi.answers["pip install"] = None
    with pytest.raises(InstallFailed, match="what ran before still runs"):
        installing.put(pi.machine)
    assert (version_in_use(pi) or "").endswith("-1")
    del pi.answers["pip install"]
    installing.put(pi.machine)
    assert [name.rpartition("-")[2] for name in versions.complete(pi.root)] == ["1", "3"]


@pytest.mark.usefixtures("health")
def test_one_can_go_back_to_the_version_before(pi: Pi) -> None:
    installing.put(pi.machine)
    with pytest.raises(InstallFailed, match="no version before"):
        installing.back(pi.machine)
    installing.put(pi.machine)
    installing.back(pi.machine)
    assert (version_in_use(pi) or "").endswith("-1")


def test_in_an_image_that_is_being_made_nothing_is_started(tmp_path: Path) -> None:
    pi = Pi(tmp_path, systemd=False)
    installing.put(pi.machine)
    assert pi.did("systemctl enable --quiet stickman.service")
    assert not pi.did("restart")
    assert "next start" in pi.said[-1]


@pytest.mark.usefixtures("health")
def test_the_owners_settings_are_written_once_and_never_touched(pi: Pi) -> None:
    installing.put(pi.machine)
    config = pi.root / service.CONFIG.lstrip("/")
    config.write_text("# mine\n", encoding="utf-8")
    installing.put(pi.machine)
    installing.remove(pi.machine)
    assert config.read_text(encoding="utf-8") == "# mine\n"
    assert not (pi.root / str(HOME).lstrip("/")).exists()
    assert not any((pi.root / target.lstrip("/")).exists() for target, _ in service.FILES.values())


@pytest.mark.parametrize(
    ("model", "usb", "source"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0\0", (), "picamera"),
        ("Raspberry Pi 5 Model B", ("usb-Maker_Cam-video-index0", "usb-Maker_Cam-video-index1"),
         "usb:/dev/v4l/by-id/usb-Maker_Cam-video-index0"),
        ("", (), "auto"),
    ],
)  # fmt: skip
def test_the_camera_that_is_there_is_named_in_the_settings(
    tmp_path: Path, model: str, usb: Sequence[str], source: str
) -> None:
    for folder in ("proc/device-tree", "dev/v4l/by-id"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text(model, encoding="utf-8")
    for name in usb:
        (tmp_path / "dev/v4l/by-id" / name).touch()
    assert service.source_of(tmp_path) == source
    config, notes = config_from(service.OWNERS_CONFIG.format(source=source), Path("config.toml"))
    assert (config.source, config.port, notes) == (source, 80, ())


def test_only_packages_that_are_missing_and_offered_are_fetched(pi: Pi) -> None:
    pi.answers = {
        "dpkg-query -W -f=${Status} python3-venv": "install ok installed",
        "dpkg-query": None,
        "policy python3-lgpio": "python3-lgpio:\n  Installed: (none)\n  Candidate: (none)\n",
        "policy": "package:\n  Candidate: 1.2.3\n",
    }
    packages.install(pi.machine)
    (fetched,) = [line for line in pi.done if line.startswith("apt-get install")]
    assert fetched.split()[5:] == ["python3-numpy", "avahi-daemon", "python3-libcamera", "python3-picamera2"]
    assert any("no package python3-lgpio" in text for text in pi.said)


def test_with_all_packages_there_no_network_is_needed(pi: Pi) -> None:
    packages.install(pi.machine)
    assert not pi.did("apt-get")


def test_without_the_network_the_cure_is_said(pi: Pi) -> None:
    pi.answers = {"dpkg-query": None, "update": None}
    with pytest.raises(InstallFailed, match="connect this machine to the internet"):
        packages.install(pi.machine)


@pytest.mark.usefixtures("health")
def test_the_hotspot_is_off_until_it_is_asked_for(pi: Pi) -> None:
    installing.put(pi.machine)
    assert not pi.did("hotspot")
    hotspot.switch_on(pi.machine)
    (added,) = [line for line in pi.done if "connection add" in line]
    assert " autoconnect no " in added
    password = added.rpartition(" ")[2]
    assert len(password) >= 8, "WPA asks for eight characters"
    assert pi.did(f"WIFI:T:WPA;S:Stickman;P:{password};;")
    assert (pi.root / hotspot.PLACE.lstrip("/")).exists()
    hotspot.switch_off(pi.machine)
    assert not (pi.root / hotspot.PLACE.lstrip("/")).exists()


def unit(name: str) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False, comment_prefixes=("#",), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys keep their capitals
    parser.read(SHIPPED / name)
    return parser


def test_the_service_tells_of_itself_is_watched_and_waits_for_no_network() -> None:
    parser = unit(service.UNIT)
    own = parser["Service"]
    assert (own["Type"], own["User"], own["Restart"]) == ("notify", "stickman", "always")
    assert int(own["WatchdogSec"]) >= 20
    assert "network-online" not in " ".join(parser["Unit"].values())
    assert own["ExecStart"].startswith(f"{HOME / versions.LINK}/bin/")


def test_the_service_reaches_camera_and_pins_and_little_else() -> None:
    text = (SHIPPED / service.UNIT).read_text(encoding="utf-8")
    for device in ("char-video4linux", "char-media", "char-dma_heap", "char-gpiochip"):
        assert f"DeviceAllow={device} rw" in text
    assert "\nPrivateDevices=" not in text
    assert "\nProcSubset=" not in text, "the board's name is read from /proc/device-tree"
    assert "\nNoNewPrivileges=yes" in text
    assert "\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n" in text


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="the command systemd-analyze is missing")
@pytest.mark.parametrize("name", [service.UNIT, hotspot.UNIT])
def test_systemd_finds_no_fault_with_the_units(name: str, tmp_path: Path) -> None:
    text = (SHIPPED / name).read_text(encoding="utf-8")
    # The commands are not on this machine; they are on the one it is for.
    (tmp_path / name).write_text(re.sub(r"(?m)^(Exec\w+=-?)[^-/]?\S+", r"\1/bin/true", text), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(tmp_path / name)], capture_output=True, text=True)
    assert [line for line in done.stderr.splitlines() if name in line] == []
    assert done.returncode == 0, done.stderr


def test_the_name_on_the_network_leads_to_the_port_of_the_settings() -> None:
    tree = ET.parse(SHIPPED / "avahi.service")
    config, _ = config_from(service.OWNERS_CONFIG, Path("config.toml"))
    assert {port.text for port in tree.iter("port")} == {str(config.port)}
    assert {kind.text for kind in tree.iter("type")} == {"_http._tcp", "_stickman._tcp"}


@pytest.mark.parametrize(("noted", "told"), [("8080\n", "8080"), ("", "80"), (None, "80"), ("9;x\n", "9")])
def test_the_network_is_told_the_port_that_really_serves(noted: str | None, told: str, tmp_path: Path) -> None:
    shutil.copy(SHIPPED / "avahi.service", tmp_path / "avahi.service")
    if noted is not None:
        (tmp_path / "port").write_text(noted)
    unit = (SHIPPED / service.UNIT).read_text(encoding="utf-8")
    found = re.search(r"^ExecStartPost=-\+(/bin/sh) -c '(.*)'$", unit, re.M)
    assert found is not None
    line = found[2].replace("$$", "$").replace("/run/stickman/port", str(tmp_path / "port"))
    line = line.replace(service.FILES["avahi.service"][0], str(tmp_path / "avahi.service"))
    subprocess.run([found[1], "-c", line], check=False, stderr=subprocess.DEVNULL)
    tree = ET.parse(tmp_path / "avahi.service")
    assert [port.text for port in tree.iter("port")] == [told, told]


@pytest.mark.skipif(shutil.which("nmcli") is None, reason="the command nmcli is missing")
def test_network_manager_understands_what_the_hotspot_asks_of_it() -> None:
    asked = ["nmcli", "--offline", *hotspot.connection("abcdefghjk")]
    keyfile = configparser.ConfigParser(strict=False)
    keyfile.read_string(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    assert (keyfile["connection"]["autoconnect"], keyfile["wifi"]["mode"]) == ("false", "ap")
    assert (keyfile["wifi"]["ssid"], keyfile["wifi-security"]["psk"]) == ("Stickman", "abcdefghjk")
    assert (keyfile["ipv4"]["method"], keyfile["ipv6"]["method"]) == ("shared", "disabled")


def test_the_command_is_a_script_that_any_shell_can_read() -> None:
    subprocess.run(["sh", "-n", str(SHIPPED / "command.sh")], check=True)


def test_who_is_not_root_is_told_to_use_sudo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(installing.os, "geteuid", lambda: 1000)
    assert installing.main(["put"]) == 2
    assert "sudo" in capsys.readouterr().err
