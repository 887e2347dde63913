"""The house keeps its floors: imports only go down, and our names are ours alone."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).parents[1]
FLOORS = ("speech", "hardware", "rules", "vision", "calibration", "web", "firmware")
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"}
SOURCES = sorted(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))
# (the only file that may name it, the module it wraps)
VENDORS = {
    "gpiozero": "firmware/drivers/gpio",
    "picamera2": "firmware/drivers/pi",
    "paho": "firmware/integrations/mqtt",
    "segno": "",
}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)


def test_imports_only_go_down() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_types_hold_in_strict_mode() -> None:
    if not Path(numpy.__file__).is_relative_to(sys.prefix):
        pytest.skip("numpy is the system's own, and an older one tells its types otherwise")
    done = run("mypy")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("what", [("ruff", "check", "."), ("ruff", "format", "--check", ".")])
def test_the_style_holds(what: tuple[str, ...]) -> None:
    done = run(*what)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("floor", FLOORS)
def test_our_import_names_belong_to_our_distribution_alone(floor: str) -> None:
    owners = set(importlib.metadata.packages_distributions().get(floor, ["stickman"]))
    assert owners == {"stickman"}


def test_the_table_starts_without_what_looks_at_pictures_or_reckons_odds() -> None:
    heavy = "{'cv2', 'numpy', 'picamera2', 'libcamera'}"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, firmware.serving; print({heavy} & set(sys.modules))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.stdout.strip(), done.stderr) == ("set()", "")


def test_no_file_is_a_drawer() -> None:
    assert [path for path in SOURCES if path.stem in DRAWERS or path.parent.name in DRAWERS] == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_its_subject(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text())), f"{path} has no docstring"


@pytest.mark.parametrize(("vendor", "home"), [(v, h) for v, h in VENDORS.items() if h])
def test_a_vendor_stays_in_its_driver(vendor: str, home: str) -> None:
    naming = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if re.search(rf"^\s*(import|from) {vendor}\b", path.read_text(), re.M)
    ]
    assert [name for name in naming if not name.startswith(home)] == []


def test_every_dependency_is_bounded_and_its_reason_written_down() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    decisions = (ROOT / "DECISIONS.md").read_text()
    extras = project["optional-dependencies"]
    for line in sum(extras.values(), project["dependencies"]):
        name = re.split(r"[<>=~! ;\[]", line, maxsplit=1)[0]
        assert "<" in line, f"{line} has no upper bound"
        assert name in decisions, f"{name} has no line in DECISIONS.md"
