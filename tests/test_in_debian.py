"""One command on a bare Debian makes a tray of it: installed, booted, hung, broken, updated, taken off again.

Own file systems, own systemd, no network while it runs. `make test-install` runs these; they need root and debootstrap.
"""

import os
import re
from collections.abc import Iterator

import debian
import pytest
from debian import Booted, Debian

if not os.environ.get("STICKMAN_DEBIAN"):
    pytest.skip("make test-install runs these", allow_module_level=True)
if reason := debian.why_not():
    pytest.skip(f"not on this machine: {reason}", allow_module_level=True)

# Its own numpy is what a release's camera packages are built for.
NUMPY = {"bookworm": "1.24", "trixie": "2.2"}
# Which an offline machine installs from again: as many as an owner's own cache would hold.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels"}
# What runs everywhere in seconds, and touches rules, journal, panel, reader and installer.
CORE = (
    "config", "doctor", "drivers_pi", "drivers_pixels", "heartbeat", "install", "journal", "lamps", "panel",
    "panel_buttons", "reader_parts", "referee", "rules_farkle", "rules_scenarios", "settle", "track",
)  # fmt: skip


@pytest.fixture(scope="module", params=NUMPY)
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def bare(release: str) -> Iterator[Debian]:
    with debian.copy_of(debian.base(release), release) as copy:
        copy.take_project()
        yield copy


@pytest.fixture(scope="module")
def installed(bare: Debian) -> Debian:
    print(bare.well("make", "-C", "/src", "install"))
    return bare


@pytest.fixture(scope="module")
def tray(installed: Debian) -> Iterator[Booted]:
    try:
        with debian.booted(installed) as machine:
            yield machine
    except RuntimeError as error:
        pytest.skip(str(error))


def test_the_program_is_there_with_the_systems_own_numpy(installed: Debian, release: str) -> None:
    python = "/opt/stickman/current/bin/python"
    versions = installed.well(python, "-c", "import cv2, numpy; print(numpy.__version__, numpy.__file__)")
    assert versions.startswith(NUMPY[release])
    assert "/usr/lib/python3/dist-packages" in versions


def test_it_has_a_user_of_its_own_who_may_open_camera_and_pins(installed: Debian) -> None:
    assert {"video", "gpio"} <= set(installed.well("id", "-Gn", "stickman").split())
    assert installed.well("stat", "-c", "%U %a", "/var/lib/stickman").split() == ["stickman", "750"]


def test_its_units_are_right_and_tightly_kept(installed: Debian) -> None:
    assert installed.well("systemd-analyze", "verify", "/etc/systemd/system/stickman.service") == ""
    told = installed.well("systemd-analyze", "security", "--offline=yes", "--no-pager", "stickman.service")
    (level,) = re.findall(r"Overall exposure level .*: ([\d.]+)", told)
    print(f"exposure of stickman.service: {level} of 10")
    assert float(level) < 2.5


def test_the_core_of_the_suite_passes_on_the_systems_python(installed: Debian) -> None:
    installed.well("/usr/bin/python3", "-m", "venv", "--system-site-packages", "/suite")
    installed.well("/suite/bin/python", "-m", "pip", "install", "-q", "/src[dev]")
    files = [f"tests/test_{name}.py" for name in CORE]
    print(
        installed.well("sh", "-c", f"cd /src && /suite/bin/python -m pytest -q -p no:cacheprovider {' '.join(files)}")
    )


def test_it_starts_with_the_machine_and_without_a_network(tray: Booted) -> None:
    tray.until("SubState", "running")
    assert tray.shown("StatusText") == "http://127.0.0.1:80"
    assert tray.shown("NRestarts") == "0"
    assert tray.well("stat", "-c", "%U", f"/proc/{tray.shown('MainPID')}").strip() == "stickman"


def test_what_the_doctor_finds_has_nothing_to_fail(tray: Booted) -> None:
    print(tray.well("stickman", "doctor"))


def test_a_tray_that_hangs_is_started_again(tray: Booted) -> None:
    tray.well("mkdir", "-p", "/run/systemd/system/stickman.service.d")
    tray.well("sh", "-c", "printf '[Service]\nWatchdogSec=6\n' > /run/systemd/system/stickman.service.d/brisk.conf")
    tray.well("systemctl", "daemon-reload")
    tray.well("systemctl", "restart", "stickman")
    process = tray.shown("MainPID")
    tray.well("sleep", "8")
    assert tray.shown("MainPID") == process, "a well tray is left alone"
    tray.well("sh", "-c", 'kill -STOP "$0"', process)
    tray.until("NRestarts", "[1-9]")
    tray.until("SubState", "running")
    assert tray.shown("MainPID") != process


def test_an_eye_that_dies_is_the_trays_own_business(tray: Booted) -> None:
    process = tray.shown("MainPID")
    eye = tray.well("sh", "-c", "cat /proc/$0/task/*/children", process).strip()
    tray.well("sh", "-c", 'kill -9 "$0"', eye)
    tray.well("sleep", "4")
    assert tray.well("sh", "-c", "cat /proc/$0/task/*/children", process).strip() not in ("", eye)
    assert (tray.shown("MainPID"), tray.shown("SubState")) == (process, "running")


def test_where_another_program_has_port_80_it_takes_8080(tray: Booted) -> None:
    tray.well("systemctl", "stop", "stickman")
    tray.well("systemd-run", "--quiet", "--unit=other", "/usr/bin/python3", "-m", "http.server", "80")
    tray.well("sleep", "2")
    tray.well("systemctl", "start", "stickman")
    assert tray.shown("StatusText") == "http://127.0.0.1:8080"
    tray.well("systemctl", "stop", "other")
    tray.well("systemctl", "restart", "stickman")
    assert tray.shown("StatusText") == "http://127.0.0.1:80"


def test_run_again_it_repairs(installed: Debian, tray: Booted) -> None:
    packages = "/suite/bin/python -m pip download -q -d /wheels /src 'setuptools>=77'"
    installed.well("sh", "-c", f"test -d /wheels || {packages}")
    tray.well("sh", "-c", "rm -r /opt/stickman/current/lib/python3*/site-packages/flask /usr/local/bin/stickman")
    tray.well("make", "-C", "/src", "install", env=OFFLINE)
    assert tray.shown("SubState") == "running"
    assert tray.well("readlink", "/opt/stickman/current").strip().endswith("-2")
    tray.well("stickman", "doctor")


def test_an_update_that_is_not_well_is_taken_back(installed: Debian, tray: Booted) -> None:
    program = installed.root / "src/firmware/serving.py"
    good = program.read_text()
    program.write_text(good.replace("    env = dict(os.environ)\n", "    raise SystemExit(3)\n"))
    update = tray.run("make", "-C", "/src", "install", env=OFFLINE)
    program.write_text(good)
    assert update.code != 0
    assert re.search(r"-3 was not well within two minutes, so \S+-2 runs again", update.text), update.text
    tray.until("SubState", "running")
    assert tray.run("readlink", "/opt/stickman/current").text.strip().endswith("-2")


def test_uninstalling_leaves_games_and_settings(tray: Booted) -> None:
    tray.well("make", "-C", "/src", "uninstall")
    left = tray.run("sh", "-c", "ls -d /opt/stickman /usr/local/bin/stickman /etc/systemd/system/stickman.service").text
    assert left.count("No such file") == 3
    tray.well("test", "-s", "/var/lib/stickman/stickman.db")
    tray.well("test", "-s", "/etc/stickman/config.toml")
    assert tray.shown("ActiveState") == "inactive"
