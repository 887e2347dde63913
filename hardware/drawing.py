"""Drawings in millimetres, as SVG for the screen and as PDF that prints true to scale. Origin top left, y down.

Both come out the same, byte for byte, wherever they are made: no clock, no compression, no fonts of this machine.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal
from xml.sax.saxutils import escape

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
INK, FAINT, PAPER = "#1a1a1a", "#767676", "#ffffff"
_PT = 72 / 25.4
_ROUND = 0.5523  # a quarter of a circle as a Bezier curve
# Advance widths of Helvetica and Helvetica-Bold for " " to "~", thousandths of the size; from Adobe's AFM files.
_PLAIN = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 "
    "584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 "
    "333 611 556 778 556 556 500 389 280 389 584"
)


@dataclass(frozen=True, slots=True)
class Path:
    """Lines from point to point. `fill`: None leaves it open or empty. `dash`: lengths on and off, None is solid."""

    points: tuple[Point, ...]
    stroke: str | None = INK
    width: float = 0.3
    fill: str | None = None
    closed: bool = False
    dash: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Circle:
    """Around (x, y)."""

    x: float
    y: float
    radius: float
    stroke: str | None = INK
    width: float = 0.3
    fill: str | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text that stands on y. `size`: its height in millimetres, from one baseline to the next set solid."""

    x: float
    y: float
    text: str
    size: float = 3.0
    anchor: Anchor = "start"
    colour: str = INK
    bold: bool = False


Shape = Path | Circle | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet of paper. `title`: what it shows, for those who cannot see it."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...] = field(default=(), repr=False)


def box(
    x: float, y: float, wide: float, high: float, *, fill: str | None = None, stroke: str | None = INK,
    width: float = 0.3, dash: tuple[float, float] | None = None,
) -> Path:  # fmt: skip
    """A rectangle by its top left corner."""
    corners = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
    return Path(corners, stroke, width, fill, closed=True, dash=dash)


def svg(drawing: Drawing) -> str:
    """The drawing as an SVG file on white paper."""
    size = f'width="{_n(drawing.width)}mm" height="{_n(drawing.height)}mm"'
    pens = f'fill="none" stroke="{INK}" stroke-width="0.3" stroke-linecap="round" stroke-linejoin="round"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_n(drawing.width)} {_n(drawing.height)}"'
        f' {pens} font-family="Helvetica, Arial, sans-serif" role="img">',
        f"<title>{escape(drawing.title)}</title>",
        f'<rect width="{_n(drawing.width)}" height="{_n(drawing.height)}" fill="{PAPER}" stroke="none"/>',
        *(_svg(shape) for shape in drawing.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def pdf(pages: Iterable[Drawing]) -> bytes:
    """The drawings as pages of a PDF 1.4 of exactly their size. Text must be Latin-1."""
    sheets = list(pages)
    kids = " ".join(f"{5 + 2 * n} 0 R" for n in range(len(sheets)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>",
        *(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
          for name in ("Helvetica", "Helvetica-Bold")),
    ]  # fmt: skip
    for n, sheet in enumerate(sheets):
        size = f"{_n(sheet.width * _PT)} {_n(sheet.height * _PT)}"
        fonts = "<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Resources {fonts} /Contents {6 + 2 * n} 0 R >>"
        )
        drawn = "\n".join(_pdf(shape, sheet.height) for shape in sheet.shapes)
        objects.append(f"<< /Length {len(drawn.encode('latin-1'))} >>\nstream\n{drawn}\nendstream")
    return _file(objects)


def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a PDF sets this text, mm. Letters outside of ASCII count as an n."""
    widths = [int(each) for each in (_BOLD if bold else _PLAIN).split()]
    return sum(widths[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in text) * size / 1000


def _svg(shape: Shape) -> str:
    match shape:
        case Path(points, stroke, wide, fill, closed, dash):
            to = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
            dashes = f' stroke-dasharray="{_n(dash[0])} {_n(dash[1])}"' if dash else ""
            return f'<{"polygon" if closed else "polyline"} points="{to}"{_ink(stroke, wide, fill)}{dashes}/>'
        case Circle(x, y, radius, stroke, wide, fill):
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"{_ink(stroke, wide, fill)}/>'
        case Text(x, y, text, size, anchor, colour, bold):
            weight = ' font-weight="bold"' if bold else ""
            at = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}"{weight}'
            return f'<text {at} fill="{colour}" stroke="none">{escape(text)}</text>'


def _ink(stroke: str | None, wide: float, fill: str | None) -> str:
    """What differs from the pens of the whole drawing."""
    fills = f' fill="{fill}"' if fill else ""
    if stroke is None:
        return f'{fills} stroke="none"'
    colour = f' stroke="{stroke}"' if stroke != INK else ""
    return fills + colour + (f' stroke-width="{_n(wide)}"' if wide != 0.3 else "")


def _pdf(shape: Shape, height: float) -> str:
    def at(x: float, y: float) -> str:
        return f"{_n(x * _PT)} {_n((height - y) * _PT)}"

    match shape:
        case Path(points, stroke, wide, fill, closed, dash):
            dashes = f"[{_n(dash[0] * _PT)} {_n(dash[1] * _PT)}] 0 d" if dash else "[] 0 d"
            way = f"{at(*points[0])} m " + " ".join(f"{at(*point)} l" for point in points[1:])
            return f"{_pens(stroke, wide, fill)} {dashes} {way}{' h' if closed else ''} {_paint(stroke, fill)}"
        case Circle(x, y, r, stroke, wide, fill):
            k = r * _ROUND
            quarters = (
                (x + r, y + k, x + k, y + r, x, y + r), (x - k, y + r, x - r, y + k, x - r, y),
                (x - r, y - k, x - k, y - r, x, y - r), (x + k, y - r, x + r, y - k, x + r, y),
            )  # fmt: skip
            way = " ".join(f"{at(a, b)} {at(c, d)} {at(e, f)} c" for a, b, c, d, e, f in quarters)
            return f"{_pens(stroke, wide, fill)} [] 0 d {at(x + r, y)} m {way} h {_paint(stroke, fill)}"
        case Text(x, y, text, size, anchor, colour, bold):
            back = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * width(text, size, bold)
            font = f"/F{2 if bold else 1} {_n(size * _PT)} Tf"
            safe = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            return f"BT {font} {_rgb(colour)} rg {at(x - back, y)} Td ({safe}) Tj ET"


def _pens(stroke: str | None, wide: float, fill: str | None) -> str:
    line = f"{_rgb(stroke)} RG {_n(wide * _PT)} w " if stroke else ""
    return line + (f"{_rgb(fill)} rg" if fill else "")


def _paint(stroke: str | None, fill: str | None) -> str:
    return {(True, True): "B", (True, False): "S", (False, True): "f", (False, False): "n"}[bool(stroke), bool(fill)]


def _rgb(colour: str) -> str:
    return " ".join(_n(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))


def _file(objects: list[str]) -> bytes:
    out = b"%PDF-1.4\n"
    starts = []
    for n, content in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{n} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode("latin-1")


def _n(value: float) -> str:
    """A number with at most three decimals, which is a micrometre."""
    return f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".")
