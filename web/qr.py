"""The code that phones scan to join."""

import io

import segno


def svg(text: str) -> bytes:
    """A square SVG picture with its quiet zone, dark on white whatever the page's theme: scanners need that."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", border=4, dark="#10231a", light="#ffffff", xmldecl=False, svgns=True, omitsize=True
    )
    return out.getvalue()
