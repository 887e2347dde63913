"""Every page in every state: nothing serious for axe in either theme or any language, and pictures to look at."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from served import house_in
from test_calibrate_page import GLARE, GOOD, TOUCHING
from test_calibrate_page import Tray as Calibrated
from test_club import TRAYS, Trays
from walk import sit_down, walk

from web.language import COOKIE

pytestmark = pytest.mark.browser

SIZES = {"phone": (360, 740), "side": (740, 360), "tablet": (820, 1180), "tv": (1920, 1080)}
SERIOUS = ("serious", "critical")
# (language, theme, the rules that can differ there)
CONTRAST = ["color-contrast"]
LOOKS = tuple(
    (language, theme, rules)
    for language in ("en", "de", "es")
    for theme, rules in (("dark", None), ("light", CONTRAST))
)


def speak(page: Any, url: str, language: str) -> None:
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": url}])


@pytest.fixture
def axe() -> Any:
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing: make test").Axe()


def faults(axe: Any, page: Any, rules: list[str] | None) -> Iterator[str]:
    """What axe finds serious, a line each."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    for violation in axe.run(page, options=options).response["violations"]:
        if violation["impact"] in SERIOUS:
            for node in violation["nodes"]:
                yield f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"


def test_axe_finds_nothing_serious_on_any_page(tray: Any, page: Any, axe: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    found: list[str] = []
    for stop in walk(tray, page.context):
        width, height = SIZES["tv" if "tv" in stop.name else "phone"]
        page.set_viewport_size({"width": width, "height": height})
        for language, theme, rules in LOOKS:
            page.emulate_media(color_scheme=theme)
            if rules is None:
                speak(page, tray.url, language)
                stop.show(page)
            found += [f"{stop.name} ({language}, {theme}): {fault}" for fault in faults(axe, page, rules)]
    assert found == []


STEPS = ("light", "empty", "tray", "dice", "learning", "faces", "rolls")


def test_axe_finds_nothing_serious_on_the_steps_of_a_calibration_and_a_club_night(
    tmp_path: Path, page: Any, axe: Any
) -> None:
    with ExitStack() as parts:
        calibrated = Calibrated()
        house = house_in(tmp_path, parts, calibrator=calibrated, club=Trays(*TRAYS))
        url = f"http://127.0.0.1:{house.port}"
        sit_down(page.context, house.phone("Ann").cookie, url)
        found: list[str] = []

        def look(name: str, path: str) -> None:
            page.goto(f"{url}{path}")
            for theme in ("dark", "light"):
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                found.extend(f"{name} ({theme}): {fault}" for fault in faults(axe, page, None))

        look("club night", "/tv?club")
        for step in STEPS:
            calibrated.until(step)
            calibrated.found = replace(GOOD, hints=(GLARE, TOUCHING))
            look(step, "/calibrate")
            calibrated.found = GOOD
        assert found == []


def test_pictures_of_every_page_are_kept(tray: Any, page: Any, request: pytest.FixtureRequest) -> None:
    wanted = request.config.getoption("--pictures")
    if not wanted:
        pytest.skip("pictures are kept where a folder is named: make pictures")
    folder = Path(wanted)
    folder.mkdir(parents=True, exist_ok=True)
    speak(page, tray.url, request.config.getoption("--speaking"))
    for stop in walk(tray, page.context):
        stop.show(page)
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                page.screenshot(path=folder / f"{stop.name}, {size}, {theme}.png", animations="disabled")
