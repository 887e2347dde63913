"""`make print`: every printed part as STL and STEP, and the drawings of the box for the guide."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from build123d import Compound, Part, export_step

from hardware import facts, stl
from hardware.cad import views
from hardware.cad.parts import Printed, printed
from hardware.drawing import svg
from hardware.plan import plan

HERE = Path(__file__).parents[1]
# A curve may stray so far from its triangles, millimetres and radians: finer than a printer's nozzle shows.
_LENGTH_MM, _ANGLE = 0.05, 0.6
_WHEN = "1970-01-01T00:00:00"  # the same parts are the same files


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.cad", description=__doc__)
    parser.add_argument("--print", type=Path, default=HERE / "print", help="folder for STL", dest="stl")
    parser.add_argument("--step", type=Path, default=HERE / "print" / "step", help="folder for STEP")
    parser.add_argument("--guide", type=Path, default=HERE / "guide", help="folder for drawings")
    options = parser.parse_args(argv)
    tray = facts.tray()
    parts = printed(tray, plan(tray))
    for folder in (options.stl, options.step, options.guide):
        folder.mkdir(parents=True, exist_ok=True)
    for old in options.stl.glob("*.stl"):
        old.unlink()
    for part in parts:
        flat = part.flat
        (options.stl / f"{part.name}.stl").write_bytes(stl.written(_mesh(flat)))
        export_step(flat, options.step / f"{part.name}.step", timestamp=_WHEN)
    export_step(_together(parts), options.step / "box.step", timestamp=_WHEN)
    for name, drawing in views.drawings(tray, parts).items():
        (options.guide / name).write_text(svg(drawing), encoding="utf-8")
    return 0


def _mesh(solid: Part) -> stl.Mesh:
    corners, triangles = solid.tessellate(_LENGTH_MM, _ANGLE)
    points = [(corner.X, corner.Y, corner.Z) for corner in corners]
    return stl.Mesh(tuple((points[a], points[b], points[c]) for a, b, c in triangles))


def _together(parts: Sequence[Printed]) -> Compound:
    return Compound(children=[solid for part in parts for solid in part.solids])


if __name__ == "__main__":
    sys.exit(main())
