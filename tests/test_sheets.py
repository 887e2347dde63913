"""Paper that is printed: true to scale, and markers on it that the calibration finds."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from calibration import markers, sheet
from hardware import drawing, face, facts, optics
from hardware.drawing import Circle, Drawing, Text, pdf
from hardware.labels import labels
from hardware.paper import PAPERS, RULER_MM

PRINT = Path(facts.__file__).parent / "print"
TRAY = facts.tray()
DPI = 200
ANY_PAPER = pytest.mark.parametrize("paper", PAPERS)


def rendered(data: bytes) -> NDArray[np.uint8]:
    """The only page, (h, w, 3) BGR, at `DPI`."""
    document = pypdfium2.PdfDocument(data)
    assert len(document) == 1
    page = document[0]
    image = page.render(scale=DPI / 72).to_numpy()
    page.close()
    document.close()
    return np.ascontiguousarray(image[..., :3])


def kept(name: str) -> bytes:
    return (PRINT / name).read_bytes()


def mm(pixels: float) -> float:
    return pixels / DPI * 25.4


@ANY_PAPER
def test_the_sheet_of_markers_that_is_kept_is_the_one_that_is_made(paper: str) -> None:
    assert kept(f"markers-{paper}.pdf") == pdf([sheet.page(paper)]), "run: make guide"


@ANY_PAPER
@pytest.mark.parametrize("what", ["markers", "labels"])
def test_a_page_is_as_large_as_its_paper(what: str, paper: str) -> None:
    high, wide, _ = rendered(kept(f"{what}-{paper}.pdf")).shape
    assert (mm(wide), mm(high)) == pytest.approx(PAPERS[paper], abs=0.2)


@ANY_PAPER
def test_the_calibration_finds_the_markers_of_the_printed_sheet_where_they_are(paper: str) -> None:
    outline = markers.outline(rendered(kept(f"markers-{paper}.pdf")))
    assert outline is not None
    found = [(mm(x), mm(y)) for x, y in outline]
    assert np.allclose(found, sheet.corners(paper), atol=0.25)


@ANY_PAPER
@pytest.mark.parametrize("what", ["markers", "labels"])
def test_the_ruler_is_as_long_as_it_says(what: str, paper: str) -> None:
    """Its line is the longest thing on the foot of the page."""
    image = rendered(kept(f"{what}-{paper}.pdf"))
    dark = image[..., 0] < 128
    foot = dark[int(0.85 * len(dark)) :]
    row = foot[foot.sum(1).argmax()]
    ends = np.flatnonzero(np.diff(np.pad(row, 1).astype(int)))
    assert mm((ends[1::2] - ends[::2]).max()) == pytest.approx(RULER_MM, abs=0.4)


def in_the_tray(camera: optics.Camera, cloth: int, wall: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The printed pieces in the corners of a tray as this camera sees it, and the floor's true corners."""
    page = rendered(kept("markers-a4.pdf"))
    px = optics.view(camera, TRAY).px_mm
    wide, deep = camera.picture
    left, top = wide / 2 - TRAY.camera_x_mm * px, deep / 2 - TRAY.camera_y_mm * px
    size = np.array([TRAY.inner.width_mm, TRAY.inner.depth_mm]) * px
    floor = np.array([left, top]) + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size
    image = np.full((deep, wide, 3), wall, np.uint8)
    cv2.rectangle(image, floor[0].astype(int).tolist(), floor[2].astype(int).tolist(), (cloth,) * 3, -1)
    for (x, y), corner, inwards in zip(sheet.corners("a4"), floor, ((1, 1), (-1, 1), (-1, -1), (1, -1)), strict=True):
        # The margins that are folded up are seen foreshortened: a fifth of them, all around for simplicity.
        whole, rim = sheet.SIDE_MM, sheet.MARGIN_MM / 5
        ends = [np.array([-rim, -rim]), np.array([whole + sheet.MARGIN_MM, whole + sheet.MARGIN_MM])]
        there = [np.array([x, y]) / 25.4 * DPI + end * inwards / 25.4 * DPI for end in ends]
        here = [corner + end * inwards * px for end in ends]
        warp = np.diag([px / DPI * 25.4] * 2)
        move = here[0] - warp @ there[0]
        piece = cv2.warpAffine(page, np.column_stack([warp, move]), (wide, deep), flags=cv2.INTER_AREA)
        low, high = (np.round(pick(here, axis=0)).astype(int) for pick in (np.min, np.max))
        image[low[1] : high[1], low[0] : high[0]] = piece[low[1] : high[1], low[0] : high[0]]
    return cv2.GaussianBlur(image, (3, 3), 0), floor


@pytest.mark.parametrize(
    "camera", [each for each in optics.CAMERAS if "Wide" not in each.name], ids=lambda each: each.name
)
@pytest.mark.parametrize(("cloth", "wall"), [(60, 40), (60, 180), (150, 90)])
def test_the_pieces_in_the_corners_of_the_tray_say_where_its_floor_is(
    camera: optics.Camera, cloth: int, wall: int
) -> None:
    image, floor = in_the_tray(camera, cloth, wall)
    outline = markers.outline(image)
    assert outline is not None
    assert np.allclose(outline, floor, atol=2)


def test_a_piece_fits_the_keep_rail() -> None:
    assert min(TRAY.rail.width_mm, TRAY.rail.depth_mm) >= sheet.SIDE_MM + sheet.MARGIN_MM


@ANY_PAPER
def test_the_face_on_paper_has_the_holes_of_the_panel_at_their_true_size(paper: str) -> None:
    drawn = labels(TRAY, paper)
    circles = [shape for shape in drawn.shapes if isinstance(shape, Circle)]
    spots = face.spots(TRAY)
    assert len(circles) == len(spots)
    first = circles[0], spots[0]
    for circle, spot in zip(circles, spots, strict=True):
        assert 2 * circle.radius == spot.hole_mm
        assert circle.x - first[0].x == pytest.approx(spot.x_mm - first[1].x_mm)
        assert first[0].y - circle.y == pytest.approx(spot.z_mm - first[1].z_mm)


@ANY_PAPER
@pytest.mark.parametrize("what", ["markers", "labels"])
def test_nothing_is_printed_where_printers_leave_the_paper_white(what: str, paper: str) -> None:
    image = rendered(kept(f"{what}-{paper}.pdf"))
    rim = int(8 / 25.4 * DPI)
    inner = image[rim:-rim, rim:-rim]
    assert (image < 250).sum() == (inner < 250).sum()


def test_a_pdf_sets_text_where_it_is_said_to_stand() -> None:
    """Words that end at the right side of a narrow page, as wide as the letters are."""
    for bold in (False, True):
        wide = drawing.width("Stickman & Co (2)", 10, bold)
        page = Drawing(wide + 20, 20, "", (Text(wide + 10, 15, "Stickman & Co (2)", 10, "end", bold=bold),))
        at = np.flatnonzero((rendered(pdf([page]))[..., 0] < 128).any(0))
        assert mm(at[0]) == pytest.approx(10, abs=1.2)
        assert mm(at[-1]) == pytest.approx(wide + 10, abs=1.2)


def test_every_page_of_a_pdf_has_its_own_size() -> None:
    document = pypdfium2.PdfDocument(pdf([Drawing(100, 50, ""), Drawing(30, 40, "")]))
    sizes = [tuple(25.4 / 72 * side for side in document.get_page_size(n)) for n in range(len(document))]
    document.close()
    assert sizes == [pytest.approx((100, 50), abs=0.01), pytest.approx((30, 40), abs=0.01)]
