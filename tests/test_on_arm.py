"""The installer and the whole suite on 64-bit ARM, emulated: `make test-install`.

The pages are looked at by this machine's own Chromium, as elsewhere by a phone's; all else runs there, and takes ten to
thirty times as long.
Some of the suite: `make test-install ARGS="--on-arm 'lamps mqtt'"`, by the names of its files.
"""

import os
from collections.abc import Iterator

import browser
import debian
import pytest
from debian import Debian

if not os.environ.get("STICKMAN_DEBIAN"):
    pytest.skip("make test-install runs these", allow_module_level=True)
if reason := debian.why_not():
    pytest.skip(f"not on this machine: {reason}", allow_module_level=True)

# Unpacked with the base, since no package's scripts are run there.
PACKAGES = (*debian.PACKAGES, "python3-venv", "python3-numpy", "avahi-daemon", "gcc", "iproute2", "mosquitto")
PYTHON = "/opt/stickman/current/bin/python"
# An emulator spends most of an installation on compiling what is then not run.
QUICKER = {"PIP_NO_COMPILE": "1"}


@pytest.fixture(scope="module")
def arm() -> Iterator[Debian]:
    kept, emulator = debian.foreign_base("trixie", PACKAGES)
    with debian.copy_of(kept, "arm64", emulator) as copy:
        tried = copy.run("uname", "-m")
        if tried.text.strip() != "aarch64":
            pytest.skip(f"programs for ARM do not run here: {tried.text.strip()}")
        copy.take_project()
        print(copy.well("make", "-C", "/src", "install", env=QUICKER))
        yield copy


def test_it_is_installed_with_the_systems_own_numpy(arm: Debian) -> None:
    told = arm.well(PYTHON, "-c", "import cv2, numpy, platform; print(platform.machine(), numpy.__file__)")
    assert told.startswith("aarch64 /usr/lib/python3/dist-packages")


def test_its_unit_is_right(arm: Debian) -> None:
    assert arm.well("systemd-analyze", "verify", "/etc/systemd/system/stickman.service") == ""
    told = arm.well("systemd-analyze", "security", "--offline=yes", "--no-pager", "stickman.service")
    print(told.splitlines()[-1])


def test_the_doctor_has_nothing_to_fail(arm: Debian) -> None:
    # In a network of its own: in this machine's an emulated program may not listen on port 80.
    print(arm.well("unshare", "--net", "stickman", "doctor"))


def test_the_suite_passes(arm: Debian, pytestconfig: pytest.Config) -> None:
    arm.well(PYTHON, "-m", "pip", "install", "-q", "stickman[dev]", env=QUICKER)
    if chromium := browser.found():
        arm.lend(chromium)
    names = pytestconfig.getoption("--on-arm").split()
    options = ("-q", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider", "--hypothesis-profile=emulated")
    files = [f"tests/test_{name}.py" for name in names]
    print(arm.well("env", "-C", "/src", "STICKMAN_SLOWER=20", PYTHON, "-B", "-m", "pytest", *options, *files))


def test_uninstalling_leaves_games_and_settings(arm: Debian) -> None:
    arm.well("make", "-C", "/src", "uninstall")
    assert not (arm.root / "opt/stickman").exists()
    assert (arm.root / "var/lib/stickman").is_dir()
    assert (arm.root / "etc/stickman/config.toml").exists()
