"""What the box can do is written down, and what is written down is true."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import config_keys
from firmware.__main__ import command_names

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("name", command_names())
def test_every_command_is_in_the_readme_and_helps(name: str) -> None:
    assert f"stickman {name}" in README
    done = subprocess.run([sys.executable, "-m", "firmware", name, "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert f"usage: stickman {name}" in done.stdout


@pytest.mark.parametrize("name", re.findall(r"`stickman (\w+)", README))
def test_every_command_in_the_readme_exists(name: str) -> None:
    assert name in command_names()


@pytest.mark.parametrize("folder", ["speech", "hardware", "rules", "vision", "calibration", "web", "firmware"])
def test_every_folder_is_on_the_map_and_has_a_readme(folder: str) -> None:
    assert re.search(rf"^    {folder}/", README, re.M)
    assert (ROOT / folder / "README.md").exists()


@pytest.mark.parametrize(("section", "name"), [(s, n) for s, names in config_keys.SETTINGS.items() for n in names])
def test_every_setting_is_documented(section: str, name: str) -> None:
    text = (ROOT / "firmware" / "README.md").read_text()
    assert re.search(rf"\[{section}\](?:\n    \w.*)*\n    {name} = ", text), f"[{section}] {name} is not documented"


@pytest.mark.parametrize("target", ["run", "test"])
def test_the_two_commands_exist(target: str) -> None:
    assert f"make {target}" in README
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.M)


def test_pictures_in_the_readme_exist() -> None:
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (ROOT / name).exists(), name
