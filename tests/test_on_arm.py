"""The installer, and what of the suite may come out otherwise there, on 64-bit ARM, emulated. `make test-install`.

What may: numbers (the reader's geometry and OpenCV's network, a rendered session of the bar, the chances), layouts of
bytes (camera buffers, dice sets as .zip), what comes as another build (SQLite, OpenCV, numpy, the web server), and the
program's own start (config, installer, panel). Emulated it takes ten to fifty times as long, all of it about an hour.
Left out is what cannot differ or would only measure the emulator: most of the rules; pages in a browser, which runs on
the phone; and what starts the whole program and waits for its eye, which would take minutes for a throw. Any of it that
needs no browser: `make test-install ARGS="--on-arm 'lamps mqtt'"`, by the names of its files. No measure of speed.
"""

import os
from collections.abc import Callable, Iterator

import debian
import pytest
from debian import Debian

if not os.environ.get("STICKMAN_DEBIAN"):
    pytest.skip("make test-install runs these", allow_module_level=True)
if reason := debian.why_not():
    pytest.skip(f"not on this machine: {reason}", allow_module_level=True)

# Unpacked with the base, since no package's scripts are run there.
PACKAGES = (*debian.PACKAGES, "python3-venv", "python3-numpy", "avahi-daemon", "gcc")
CORE = (
    "config", "drivers_files", "drivers_pi", "drivers_pixels", "exact_pips", "gauge", "install", "journal", "odds",
    "opinion", "optics", "panel_buttons", "profile_archive", "referee", "rules_farkle", "rules_scoring", "settle",
    "track", "web",
)  # fmt: skip
SESSION = "b44"  # five throws of a mixed set in coloured light: what of the bar is the most delicate
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


@pytest.fixture(scope="module")
def suite(arm: Debian) -> Callable[..., str]:
    """Runs pytest there. Returns what it said."""
    pip = "/opt/stickman/current/bin/python -m pip install -q --target /suite pytest hypothesis"
    arm.well("sh", "-c", pip, env=QUICKER)

    def run(*words: str) -> str:
        options = ("-q", "-p", "no:cacheprovider", "--hypothesis-profile=emulated", *words)
        python = ("env", "PYTHONPATH=/suite", "/opt/stickman/current/bin/python", "-B", "-m", "pytest")
        return arm.well("sh", "-c", 'cd /src && exec "$0" "$@"', *python, *options)

    return run


def test_what_may_differ_passes(suite: Callable[..., str], pytestconfig: pytest.Config) -> None:
    names = pytestconfig.getoption("--on-arm").split() or CORE
    print(suite(*(f"tests/test_{name}.py" for name in names)))


def test_a_rendered_session_is_read_as_it_is_elsewhere(suite: Callable[..., str], pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("--on-arm"):
        pytest.skip("other tests were named")
    print(suite("tests/test_reader_sessions.py", "-k", SESSION))


def test_uninstalling_leaves_games_and_settings(arm: Debian) -> None:
    arm.well("make", "-C", "/src", "uninstall")
    assert not (arm.root / "opt/stickman").exists()
    assert (arm.root / "var/lib/stickman").is_dir()
    assert (arm.root / "etc/stickman/config.toml").exists()
