"""The installer and a core of the suite on 64-bit ARM, as on the box, under an emulator. `make test-install`.

Slow, and no measure of speed: the same work takes an emulator ten to forty times as long.
"""

import os
from collections.abc import Iterator

import debian
import pytest
from debian import Debian

if not os.environ.get("STICKMAN_DEBIAN"):
    pytest.skip("make test-install runs these", allow_module_level=True)
if reason := debian.why_not():
    pytest.skip(f"not on this machine: {reason}", allow_module_level=True)

# Unpacked with the base, since no package's scripts are run there.
PACKAGES = (*debian.PACKAGES, "python3-venv", "python3-numpy", "avahi-daemon", "gcc")
CORE = ("buttons", "config", "drivers_pi", "drivers_pixels", "install", "panel_buttons", "rules_scoring")
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
    python = "/opt/stickman/current/bin/python"
    told = arm.well(python, "-c", "import cv2, numpy, platform; print(platform.machine(), numpy.__file__)")
    assert told.startswith("aarch64 /usr/lib/python3/dist-packages")


def test_its_unit_is_right(arm: Debian) -> None:
    assert arm.well("systemd-analyze", "verify", "/etc/systemd/system/stickman.service") == ""
    told = arm.well("systemd-analyze", "security", "--offline=yes", "--no-pager", "stickman.service")
    print(told.splitlines()[-1])


def test_the_doctor_has_nothing_to_fail(arm: Debian) -> None:
    # In a network of its own: in this machine's an emulated program may not listen on port 80.
    print(arm.well("unshare", "--net", "stickman", "doctor"))


def test_a_core_of_the_suite_passes(arm: Debian) -> None:
    pip = "/opt/stickman/current/bin/python -m pip install -q --target /suite pytest hypothesis"
    arm.well("sh", "-c", pip, env=QUICKER)
    files = [f"tests/test_{name}.py" for name in CORE if (arm.root / f"src/tests/test_{name}.py").exists()]
    pytest_there = "PYTHONPATH=/suite /opt/stickman/current/bin/python -B -m pytest -q -p no:cacheprovider"
    pytest_there += " --hypothesis-profile=emulated"
    print(arm.well("sh", "-c", f"cd /src && {pytest_there} {' '.join(files)}"))


def test_uninstalling_leaves_games_and_settings(arm: Debian) -> None:
    arm.well("make", "-C", "/src", "uninstall")
    assert not (arm.root / "opt/stickman").exists()
    assert (arm.root / "var/lib/stickman").is_dir()
    assert (arm.root / "etc/stickman/config.toml").exists()
