"""The printed parts made anew from `tray.toml`: the same as are kept, clear of each other and of the camera's view."""

import importlib.util
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from hardware import facts, stl
from hardware.plan import plan

HERE = Path(facts.__file__).parent
TRAY = facts.tray()

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("build123d") is None, reason="needs the extra cad: make print installs it"
    ),
    pytest.mark.filterwarnings("ignore"),  # of the CAD library's own
    pytest.mark.xdist_group("cad"),
]


@pytest.fixture(scope="module")
def parts() -> Any:
    """All parts as solids."""
    from hardware.cad.parts import printed

    return printed(TRAY, plan(TRAY))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of everything that `make print` makes."""
    folder = tmp_path_factory.mktemp("print")
    places = ("--print", folder, "--step", folder, "--guide", folder)
    done = subprocess.run([sys.executable, "-m", "hardware.cad", *places], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_parts_that_are_kept_are_those_of_tray_toml(made: Path) -> None:
    """Compared as shapes: another version of the CAD kernel may lay triangles otherwise."""
    kept = {path.name: path for path in (HERE / "print").glob("*.stl")}
    assert kept.keys() == {path.name for path in made.glob("*.stl")}
    for name, path in kept.items():
        old, new = stl.read(path.read_bytes()), stl.read((made / name).read_bytes())
        assert old.size == pytest.approx(new.size, abs=0.01), f"{name}: run make print"
        assert old.volume_mm3 == pytest.approx(new.volume_mm3, rel=1e-3), f"{name}: run make print"


def test_every_part_comes_as_step_and_the_box_as_a_whole(made: Path) -> None:
    steps = {path.stem for path in made.glob("*.step")}
    assert steps == {path.stem for path in made.glob("*.stl")} | {"box"}
    assert all(path.read_bytes().startswith(b"ISO-10303-21;") for path in made.glob("*.step"))


@pytest.mark.parametrize("name", ["box.svg", "parts.svg"])
def test_the_drawings_that_are_kept_show_those_parts(made: Path, name: str) -> None:
    kept, new = ((folder / name).read_text(encoding="utf-8") for folder in (HERE / "guide", made))
    assert kept.count("<poly") == pytest.approx(new.count("<poly"), rel=0.02), "run: make print"
    assert [line for line in kept.splitlines() if "<text" in line] == [
        line for line in new.splitlines() if "<text" in line
    ], "run: make print"


def test_no_part_stands_inside_another(parts: Any) -> None:
    placed = [(part.name, solid) for part in parts for solid in part.solids]
    for (one, solid), (other, neighbour) in combinations(placed, 2):
        shared = solid & neighbour
        assert shared is None or sum(piece.volume for piece in shared.solids()) < 1, (one, other)


def test_nothing_stands_between_the_lens_and_the_tray(parts: Any) -> None:
    """The rim of the walls and the lens span a pyramid; all of the arm, the panel and the Pi's plate is outside."""
    lens = TRAY.camera_height_mm
    wide, deep = TRAY.inner.width_mm / 2 + TRAY.wall_thickness_mm, TRAY.inner.depth_mm / 2 + TRAY.wall_thickness_mm
    for part in parts:
        if part.name.startswith("tray") or part.name == "key":
            continue
        for corner in (corner for solid in part.solids for corner in solid.tessellate(0.1, 0.5)[0]):
            share = (lens - corner.Z) / (lens - TRAY.wall_height_mm)
            if 0 < share < 1:
                x, y = abs(corner.X - TRAY.camera_x_mm), abs(corner.Y - (TRAY.inner.depth_mm - TRAY.camera_y_mm))
                assert x > share * wide or y > share * deep, part.name
