"""The building guide: its tables and drawings are those of the data, and all that it points at is there."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from hardware import facts, renew, tables
from hardware.diagram import diagram
from hardware.drawing import Circle, Drawing, Text, svg, width
from hardware.drawing import Path as Line
from hardware.facts import HardwareError

FOLDER = Path(facts.__file__).parent
GUIDE = (FOLDER / "guide" / "README.md").read_text(encoding="utf-8")
PINS = facts.pins()


@pytest.mark.parametrize("path", renew.made(), ids=lambda path: path.name)
def test_what_is_kept_is_what_the_data_make(path: Path) -> None:
    assert path.read_bytes() == renew.made()[path], "run: make guide"


def test_all_that_the_guide_points_at_is_there_and_every_drawing_is_shown() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", GUIDE):
        assert (FOLDER / "guide" / target).exists(), target
    for path in (FOLDER / "guide").glob("*.svg"):
        assert f"]({path.name})" in GUIDE
    for path in (FOLDER / "print").glob("*.pdf"):
        assert f"](../print/{path.name})" in GUIDE


def test_the_guide_names_only_targets_of_the_makefile() -> None:
    makefile = (FOLDER.parent / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^    make ([a-z-]+)", GUIDE, re.M) + re.findall(r"`make ([a-z-]+)", GUIDE):
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_a_guide_without_a_place_for_a_table_is_refused_with_the_cure() -> None:
    with pytest.raises(HardwareError, match="no place for wiring: put the lines"):
        renew.renewed("# Building", {"wiring": "| |"})


def test_the_readme_speaks_of_every_file_of_the_folder() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".toml", ".csv")} - {"__init__.py"}
    folders = {f"{path.name}/" for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"} - {
        "guide/"
    }
    assert all(f"`{name}`" in readme for name in files | folders)


def test_the_wiring_table_names_every_wire_with_both_its_numbers() -> None:
    rows = tables.wiring(PINS).splitlines()
    for wire in PINS.all:
        assert any(row.startswith(f"| {wire.name} | {wire.gpio} | {wire.header} |") for row in rows)


def test_the_parts_table_adds_up() -> None:
    bom = "part,quantity,needed,alternatives,price_eur,wires,notes\nA,2,yes,,1-3,,\nB,1,recommended,,10-20,,\n"
    assert "about 2 to 6 € for what is needed, and 10 to 20 € more" in tables.parts(bom)


def words(drawing: Drawing) -> list[Text]:
    return [shape for shape in drawing.shapes if isinstance(shape, Text)]


def test_the_diagram_has_all_forty_pins_and_every_wire_with_its_part_resistor_and_colour() -> None:
    said = [text.text for text in words(diagram(PINS))]
    assert {str(header) for header in range(1, 41)} <= set(said)
    for wire in PINS.all:
        assert {wire.name, f"GPIO {wire.gpio}, {wire.wire}", wire.part, wire.purpose} <= set(said)
    ohms = [f"{wire.ohm} Ω" for wire in PINS.all if wire.ohm is not None]
    assert sorted(text for text in said if text.endswith(" Ω")) == sorted(ohms)


def test_each_wire_of_the_diagram_runs_on_the_row_of_its_pin() -> None:
    drawing = diagram(PINS)
    numbers = {text.text: text for text in words(drawing) if text.text.isdigit()}
    for wire in PINS.all:
        name = next(text for text in words(drawing) if text.text == wire.name)
        number = numbers[str(wire.header)]
        assert 0 < number.y - name.y < 4
        assert (name.x < number.x) == (wire.header % 2 == 1)


def test_words_of_the_diagram_lie_on_the_paper_and_over_no_other() -> None:
    drawing = diagram(PINS)
    boxes = []
    for text in words(drawing):
        wide = width(text.text, text.size, text.bold)
        left = text.x - {"start": 0, "middle": wide / 2, "end": wide}[text.anchor]
        assert left > 5
        assert left + wide < drawing.width - 5, text.text
        boxes.append((left, text.y - 0.7 * text.size, left + wide, text.y, text.text))
    for n, one in enumerate(boxes):
        for other in boxes[n + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one[4], other[4])


def test_ground_reaches_every_part_of_the_diagram() -> None:
    """Each side's rail ends at a ground pin, and touches the row of every wire of that side."""
    drawing = diagram(PINS)
    dots = [(shape.x, shape.y) for shape in drawing.shapes if isinstance(shape, Circle) and shape.radius == 0.9]
    assert len(dots) == len(PINS.all) + 2
    rails = [
        shape for shape in drawing.shapes
        if isinstance(shape, Line) and shape.width == 1.2 and shape.points[0][0] == shape.points[1][0]
    ]  # fmt: skip
    assert len(rails) == 2
    for x, y in dots:
        assert any(rail.points[0][0] == x and rail.points[0][1] <= y <= rail.points[1][1] for rail in rails)


@pytest.mark.parametrize("path", sorted((FOLDER / "guide").glob("*.svg")), ids=lambda path: path.name)
def test_a_drawing_is_good_xml_with_a_title_and_loads_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert "href" not in text
    assert "<script" not in text


def test_words_with_signs_of_xml_stay_words() -> None:
    drawn = svg(Drawing(10, 10, "a < b", (Text(0, 5, "R & D <1>"),)))
    assert ElementTree.fromstring(drawn)[-1].text == "R & D <1>"
