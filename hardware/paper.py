"""Paper to print on, and what every sheet carries: a heading, cutting lines, a ruler to check the print with."""

from collections.abc import Iterator

from hardware.drawing import FAINT, Drawing, Path, Shape, Text, box

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # millimetres, standing
MARGIN_MM = 15.0
RULER_MM = 100
TRUE = 'Print at 100 % ("actual size", no "fit to page"); then hold a ruler to this line.'


def sheet(paper: str, title: str, lines: tuple[str, ...], shapes: Iterator[Shape]) -> Drawing:
    """A page with a heading, a few lines of text below it, the shapes, and the ruler at its foot."""
    wide, tall = PAPERS[paper]
    words = [Text(MARGIN_MM, 31 + 5 * n, line, 3.6) for n, line in enumerate(lines)]
    foot = ruler(MARGIN_MM, tall - MARGIN_MM - 9)
    return Drawing(wide, tall, title, (Text(MARGIN_MM, 23, title, 7, bold=True), *words, *shapes, *foot))


def ruler(x: float, y: float) -> Iterator[Shape]:
    """100 mm, and below it four inches, from x rightwards."""
    yield Text(x, y - 6, TRUE, 3.4, bold=True)
    yield Path(((x, y), (x + RULER_MM, y)), width=0.2)
    for mm in range(RULER_MM + 1):
        long = 4 if mm % 10 == 0 else 3 if mm % 5 == 0 else 1.8
        yield Path(((x + mm, y), (x + mm, y - long)), width=0.2)
    for eighth in range(4 * 8 + 1):
        long = 4 if eighth % 8 == 0 else 2.8 if eighth % 4 == 0 else 1.8
        at = x + 25.4 * eighth / 8
        if at <= x + RULER_MM + 2:
            yield Path(((at, y), (at, y + long)), width=0.2)
    yield Text(x + RULER_MM + 3, y - 0.6, "100 mm", 3)
    yield Text(x + RULER_MM + 3, y + 4.2, "4 inches", 3)


def cut(x: float, y: float, wide: float, high: float) -> Path:
    """Where scissors go."""
    return box(x, y, wide, high, stroke=FAINT, width=0.15)
