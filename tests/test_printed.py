"""The printed parts as they are kept: each holds water, fits the printer, and prints without supports."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import facts, stl
from hardware.facts import Area, HardwareError, Tray
from hardware.plan import BEAM_DEEP_MM, LAMP_MM, LAP_MM, LUG_LONG_MM, divider, plan, reach
from hardware.stl import Mesh

FILES = sorted((Path(facts.__file__).parent / "print").glob("*.stl"))
PARTS = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
TRAY = facts.tray()
PLAN = plan(TRAY)
BRIDGE_MM = 5.0  # what any printer lays over nothing without a thought


def mesh(name: str) -> Mesh:
    return stl.read(next(path for path in FILES if path.stem == name).read_bytes())


def test_there_is_a_file_for_every_part() -> None:
    trays = [f"tray-{row + 1}-{column + 1}" for row in range(len(PLAN.rows)) for column in range(len(PLAN.columns))]
    mast = [f"mast-{n}" for n in range(1, len(PLAN.beams))]
    rest = ["boom", "camera-plate", "foot", "key", "lamp-arm", "lamp-bar", "panel", "pi-plate"]
    assert [path.stem for path in FILES] == sorted(trays + mast + rest)


@PARTS
def test_a_part_holds_water_and_is_not_inside_out(path: Path) -> None:
    part = stl.read(path.read_bytes())
    assert part.open_edges == 0
    assert part.volume_mm3 > 100


@PARTS
def test_a_part_fits_the_printer(path: Path) -> None:
    room = TRAY.bed_mm - 2 * TRAY.bed_margin_mm
    wide, deep, high = stl.read(path.read_bytes()).size
    assert max(wide, deep) <= room <= 210
    assert high <= 100, "so low that nothing wobbles while it is printed"


@PARTS
def test_a_part_prints_without_supports_and_lies_flat_on_the_bed(path: Path) -> None:
    part = stl.read(path.read_bytes())
    assert max(part.bridges(), default=0) <= BRIDGE_MM
    bed = [t for t in part.triangles if max(point[2] for point in t) < 1e-3]
    area = sum(abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2 for a, b, c in bed)
    assert area > 0.2 * part.size[0] * part.size[1]


@PARTS
def test_what_is_written_is_what_was_read(path: Path) -> None:
    assert stl.written(stl.read(path.read_bytes())) == path.read_bytes()


def test_the_tray_parts_together_are_as_large_as_tray_toml_says() -> None:
    lugs = 2 * LUG_LONG_MM
    wide = sum(mesh(f"tray-1-{n}").size[0] for n in range(1, len(PLAN.columns) + 1))
    deep = sum(mesh(f"tray-{n}-1").size[1] for n in range(1, len(PLAN.rows) + 1))
    assert wide == pytest.approx(TRAY.inner.width_mm + 2 * TRAY.wall_thickness_mm + lugs)
    assert deep == pytest.approx(TRAY.inner.depth_mm + 2 * TRAY.wall_thickness_mm + lugs)
    assert mesh("tray-1-1").size[2] == pytest.approx(TRAY.wall_height_mm + TRAY.floor_thickness_mm)


def test_dice_of_every_size_lie_on_the_rail_and_show_over_the_divider() -> None:
    for die in (TRAY.smallest_die_mm, TRAY.largest_die_mm):
        assert TRAY.rail.width_mm >= 2 * die + 2, "two abreast, with room to move"
        assert TRAY.rail.depth_mm >= 6 * die
    ridge = divider(TRAY)
    beside = abs(ridge.x_mm + ridge.width_mm - TRAY.camera_x_mm)
    # The divider hides a strip of the rail from the lens: less than the smallest die, by far.
    hidden = TRAY.divider_height_mm * beside / (TRAY.camera_height_mm - TRAY.divider_height_mm)
    assert hidden < TRAY.smallest_die_mm / 4


def box(wide: float, deep: float, rail: float, height: float, bed: float) -> Tray:
    play, kept = Area(0, 0, wide - rail - 6, deep), Area(wide - rail, 0, rail, deep)
    lens = {"camera_x_mm": wide / 2, "camera_y_mm": deep / 2, "camera_height_mm": height}
    return replace(TRAY, inner=Area(0, 0, wide, deep), play=play, rail=kept, bed_mm=bed, **lens)


boxes = st.builds(
    box, st.floats(150, 600), st.floats(120, 500), st.floats(20, 60), st.floats(250, 900), st.floats(150, 400)
)


@given(boxes)
def test_a_box_of_any_size_is_divided_into_parts_that_fit_and_join_or_refused_with_the_cure(box: Tray) -> None:
    room = box.bed_mm - 2 * box.bed_margin_mm
    if reach(box) > room or box.lamp_height_mm + box.floor_thickness_mm + LAMP_MM > room:
        with pytest.raises(HardwareError, match=r"tray.toml: the (boom|arms)"):
            plan(box)
        return
    found = plan(box)
    for spans, size in ((found.columns, box.inner.width_mm), (found.rows, box.inner.depth_mm)):
        assert spans[0][0] == -box.wall_thickness_mm
        assert spans[-1][1] == pytest.approx(size + box.wall_thickness_mm)
        assert all(end == start for (_, end), (start, _) in pairwise(spans))
        assert all(end - start <= room - LUG_LONG_MM + 1e-6 for start, end in spans)
    assert all(high - low <= room + 1e-6 for low, high in found.beams)
    assert all(a[1] - b[0] == pytest.approx(LAP_MM) for a, b in pairwise(found.beams))
    assert found.beams[-1][1] == pytest.approx(found.boom_mm + BEAM_DEEP_MM)


def test_a_camera_just_beside_a_seam_is_refused_with_the_place_that_would_do() -> None:
    with pytest.raises(HardwareError, match="above the seam at x_mm = 140"):
        plan(replace(TRAY, camera_x_mm=150))


@pytest.mark.parametrize(
    ("rail", "ridge"),
    [
        (Area(238, 0, 42, 220), Area(232, 0, 6, 220)),
        (Area(0, 0, 42, 220), Area(42, 0, 6, 220)),
        (Area(0, 178, 280, 42), Area(0, 172, 280, 6)),
        (Area(0, 0, 280, 42), Area(0, 42, 280, 6)),
    ],
)
def test_the_divider_lies_between_play_and_rail_on_whichever_side_the_rail_is(rail: Area, ridge: Area) -> None:
    plays = {(238, 0): (0, 0, 232, 220), (0, 178): (0, 0, 280, 172)}
    left_or_far = (48, 0, 232, 220) if rail.width_mm < 100 else (0, 48, 280, 172)
    play = Area(*plays.get((rail.x_mm, rail.y_mm), left_or_far))
    found = divider(replace(TRAY, rail=rail, play=play))
    assert found == ridge
    assert not found.overlaps(play)
    assert not found.overlaps(rail)


CUBE = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]


def cube() -> Mesh:
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return Mesh(tuple((CUBE[q[0]], CUBE[q[n]], CUBE[q[n + 1]]) for q in quads for n in (1, 2)))


def test_a_cube_holds_water_until_a_triangle_is_missing_or_turned() -> None:
    whole = cube()
    assert (whole.open_edges, whole.volume_mm3) == (0, pytest.approx(1))
    assert Mesh(whole.triangles[1:]).open_edges > 0
    (a, b, c), *rest = whole.triangles
    assert Mesh(((c, b, a), *rest)).open_edges > 0


def test_a_cube_over_the_bed_has_to_be_bridged() -> None:
    lifted = Mesh(tuple(tuple((x, y, z + 1) for x, y, z in t) for t in cube().triangles))  # type: ignore[misc]  # three
    assert cube().bridges() == []
    assert Mesh((*cube().triangles, *lifted.triangles)).bridges() == [pytest.approx(1)]


@pytest.mark.parametrize("data", [b"", b"solid x", b"\0" * 80 + pack("<I", 3)])
def test_what_is_no_binary_stl_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="make print"):
        stl.read(data)
