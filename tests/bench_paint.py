"""First paint of the pages that people wait for: the real program and a browser that knows nothing of it yet. Figures
are for people; nothing is judged."""

import os
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench_crowd import Tray
from browser import found, launched

LOOKS = 9
PHONE, SCREEN = {"width": 360, "height": 740}, {"width": 1920, "height": 1080}
PAGES = (
    ("scoreboard", "/", PHONE),
    ("join", "/join", PHONE),
    ("history", "/history", PHONE),
    ("big screen", "/tv", SCREEN),
)
# A phone of six years ago does in a second what this machine does in a quarter of one.
SLOWER = (1, 4)
FIGURES = """() => new Promise((done) => new PerformanceObserver((seen) => {
  const paint = seen.getEntriesByName('first-contentful-paint')[0];
  if (paint) done([paint.startTime, performance.getEntriesByType('navigation')[0].responseEnd]);
}).observe({ type: 'paint', buffered: true }))"""


def main() -> None:
    path = found()
    if path is None:
        print("the command 'chromium' is missing: apt-get install chromium")
        return
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder, launched(path) as chromium:
        tray = Tray(Path(folder))
        tray.play(8)
        for name, page, size in PAGES:
            for slower in SLOWER:
                looks = [look(chromium, f"{tray.url}{page}", size, slower) for _ in range(LOOKS)]
                row(name if slower == 1 else f"{name}, {slower} times slower", looks)
        tray.stop()


def look(chromium: Any, url: str, size: Any, slower: int) -> tuple[float, float]:
    """Milliseconds from asking for the page to the first paint, and to the page's last byte."""
    context = chromium.new_context(viewport=size)
    page = context.new_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(url, wait_until="commit")
    paint, came = page.evaluate(FIGURES)
    context.close()
    return paint, came


def row(name: str, looks: Sequence[tuple[float, float]]) -> None:
    paints = sorted(paint for paint, _ in looks)
    came = statistics.median(came for _, came in looks)
    median, largest = statistics.median(paints), paints[-1]
    print(f"{name:28} median {median:4.0f} ms   largest {largest:4.0f} ms   page here {came:4.0f} ms")


if __name__ == "__main__":
    main()
