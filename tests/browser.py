"""Debian's Chromium under Playwright, for the tests and measurements that look at pages."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Each keeps Chromium from talking to the network or asking for a screen.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def found() -> str | None:
    """Its path, None where it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def launched(path: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
