"""The printed sheet with the markers that `markers` looks for, true to scale. `make guide` writes it as PDF."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath

import cv2

from calibration.markers import DICTIONARY
from hardware.drawing import FAINT, PAPER, Drawing, Path, Shape, Text, box, pdf
from hardware.paper import PAPERS, sheet

SIDE_MM = 30.0  # black square; with its margin it fits the narrowest keep rail the tray may have
MARGIN_MM = 6.0  # white around it, which the detector needs; on two sides it is folded up the walls
_CELLS = 6  # black and white squares a side, the black rim included
_APART_MM = (95.0, 62.0)
_PLACES = ("far left", "far right", "near right", "near left")  # of the tray, as the players see it
LINES = (
    "For the tray's outline, when it is not found by itself. Cut out all four pieces along the thin lines.",
    "Fold the two outer margins up along the dashed lines and put each piece into its corner of the tray: the",
    "margins stand against the walls, and the black corner lies in the corner of the floor. Then calibrate.",
)


def page(paper: str) -> Drawing:
    """The sheet on this paper, a key of `PAPERS`: marker 0 top left, the others clockwise, as in the tray."""
    return sheet(paper, "Markers for the corners of the tray", LINES, _markers(paper))


def corners(paper: str) -> tuple[tuple[float, float], ...]:
    """The outer corner of each marker on the page, mm from its top left."""
    middle = PAPERS[paper][0] / 2
    (across, along), top = _APART_MM, 62.0
    left, right = middle - across / 2 - SIDE_MM / 2, middle + across / 2 + SIDE_MM / 2
    low = top + along + SIDE_MM
    return (left, top), (right, top), (right, low), (left, low)


def _markers(paper: str) -> Iterator[Shape]:
    for number, (x, y) in enumerate(corners(paper)):
        # Which way the marker lies from its outer corner.
        yield from _marker(number, x, y, 1 if number in (0, 3) else -1, 1 if number in (0, 1) else -1)


def _marker(number: int, x: float, y: float, across: int, down: int) -> Iterator[Shape]:
    """One piece: its outer corner at (x, y) is where the two margins that are folded up meet, and is cut out."""

    def at(right: float, below: float) -> tuple[float, float]:
        return x + across * right, y + down * below

    # The cut ends before the black corner, so that no line that is left standing makes the corner longer.
    whole, out, stop = SIDE_MM + MARGIN_MM, -MARGIN_MM, -2.0
    rim = ((0.0, stop), (0.0, out), (whole, out), (whole, whole), (out, whole), (out, 0.0), (stop, 0.0))
    yield Path(tuple(at(*corner) for corner in rim), FAINT, 0.15)
    for fold in (((SIDE_MM, 0.0), (whole, 0.0)), ((0.0, SIDE_MM), (0.0, whole))):
        yield Path(tuple(at(*end) for end in fold), FAINT, 0.15, dash=(1, 1))
    left, top = min(x, x + across * SIDE_MM), min(y, y + down * SIDE_MM)
    yield box(left, top, SIDE_MM, SIDE_MM, fill="#000000", stroke=None)
    yield from _white(number, left, top)
    name = y + (2.3 - MARGIN_MM + 1.7 if down > 0 else MARGIN_MM - 2)
    yield Text(left + SIDE_MM / 2, name, f"{number}: {_PLACES[number]}", 2.4, "middle", FAINT)


def _white(number: int, left: float, top: float) -> Iterator[Shape]:
    """The white cells, those side by side as one."""
    cells = cv2.aruco.getPredefinedDictionary(DICTIONARY).generateImageMarker(number, _CELLS) > 0
    cell = SIDE_MM / _CELLS
    for row, line in enumerate(cells):
        start = 0
        while start < _CELLS:
            end = start
            while end < _CELLS and line[end]:
                end += 1
            if end > start:
                yield box(left + start * cell, top + row * cell, (end - start) * cell, cell, fill=PAPER, stroke=None)
            start = end + 1


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m calibration.sheet", description=__doc__)
    parser.add_argument("folder", type=FilePath, help="where markers-a4.pdf and markers-letter.pdf are written")
    folder = parser.parse_args(argv).folder
    for paper in PAPERS:
        (folder / f"markers-{paper}.pdf").write_bytes(pdf([page(paper)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
