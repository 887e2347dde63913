"""The code that phones scan to join."""

import io
import re

import segno

from web.site import Wifi


def svg(text: str) -> bytes:
    """A square SVG picture with its quiet zone, dark on white whatever the page's theme: scanners need that."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", border=4, dark="#10231a", light="#ffffff", xmldecl=False, svgns=True, omitsize=True
    )
    return out.getvalue()


def wifi_text(wifi: Wifi) -> str:
    """What phones take as "join this Wi-Fi". The form is that of the ZXing project's wiki, "Barcode Contents", which
    the cameras of phones follow: these five signs are escaped, and WPA stands for all its versions."""
    name, password = (re.sub(r'([\\;,":])', r"\\\1", text) for text in (wifi.name, wifi.password))
    key = f"T:WPA;S:{name};P:{password};" if wifi.password else f"T:nopass;S:{name};"
    return f"WIFI:{key}{'H:true;' if wifi.hidden else ''};"
