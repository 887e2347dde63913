"""`make guide`: tables and drawings of the guide and the labels, made anew from the data. Run in a checkout."""

import sys
from collections.abc import Mapping
from pathlib import Path

from hardware import facts, figures, stl, tables
from hardware.diagram import diagram
from hardware.drawing import pdf, svg
from hardware.facts import HardwareError
from hardware.labels import labels
from hardware.paper import PAPERS
from hardware.plan import plan

FOLDER = Path(__file__).parent
GUIDE = FOLDER / "guide" / "README.md"


def begin(name: str) -> str:
    """The line before a table in the guide."""
    return f"<!-- {name}: made by `make guide`, change the data instead -->"


END = "<!-- end -->"


def made(folder: Path = FOLDER) -> dict[Path, bytes]:
    """Every file that follows from the data, but for the parts and their drawings, which `make print` makes."""
    tray, wired = facts.tray(), facts.pins()
    meshes = {path.stem: stl.read(path.read_bytes()) for path in sorted((folder / "print").glob("*.stl"))}
    drawings = {
        "wiring": diagram(wired), "camera": figures.camera(tray), "lamp": figures.lamp(tray),
        "measures": figures.measures(tray),
        "transistor": figures.transistor(),
    }  # fmt: skip
    shown = {
        "parts": tables.parts((folder / "bom.csv").read_text(encoding="utf-8")),
        "cloth": tables.cloth(tray),
        "printed": tables.printed(meshes, plan(tray)),
        "wiring": tables.wiring(wired),
        "transistors": tables.transistors(),
        "cameras": tables.cameras(tray),
        "lamps": tables.lamps(tray),
    }
    guide = folder / "guide" / "README.md"
    return {
        guide: renewed(guide.read_text(encoding="utf-8"), shown).encode(),
        **{folder / "guide" / f"{name}.svg": svg(drawing).encode() for name, drawing in drawings.items()},
        **{folder / "print" / f"labels-{paper}.pdf": pdf([labels(tray, paper)]) for paper in PAPERS},
    }


def renewed(guide: str, shown: Mapping[str, str]) -> str:
    """The guide with each table between its two lines made anew. Raises `HardwareError` where one has no place."""
    for name, table in shown.items():
        before, first, rest = guide.partition(begin(name))
        _, last, after = rest.partition(END)
        if not first or not last:
            raise HardwareError(f"The guide has no place for {name}: put the lines {begin(name)} and {END} into it.")
        guide = f"{before}{first}\n{table}\n{last}{after}"
    return guide


def main() -> int:
    if not GUIDE.exists():
        sys.stderr.write("There is no guide here: run this in a checkout of the project.\n")
        return 2
    for path, content in made().items():
        path.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
