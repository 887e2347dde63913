"""The big screen of a club night: all trays of one broker, drawn by any of them, kept up to date, honest about age."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from served import House, house_in

from web.records import ClubTray

TRAYS = (
    ClubTray("a", "Table one", "throw", "farkle", 10_000, (("Ann", 1250), ("Bo", 0)), 0, 350, (1, 1, 5)),
    ClubTray("b", "<b>Bar</b>", "ready", here=False),
    ClubTray("c", "Garden", "over", "our own", 0, (("Dora", 9800),), None, 0, (), ("Dora",)),
)


class Trays:
    """A club whose trays are told by hand."""

    def __init__(self, *trays: ClubTray) -> None:
        self.told = trays

    def trays(self) -> tuple[ClubTray, ...]:
        return self.told


def test_all_trays_are_on_one_screen(tmp_path: Path) -> None:
    with ExitStack() as parts:
        page = house_in(tmp_path, parts, club=Trays(*TRAYS)).phone().get("/tv?club").text
    assert page.count("<section") == 3
    for seen in ("Table one", "Farkle", "+350", "1\u202f250", "our own", "won", "No game yet.", "Not connected"):
        assert seen in page, seen
    assert "&lt;b&gt;Bar" in page, "what other trays say is text"
    assert page.count('aria-current="true"') == 1


def test_without_a_broker_the_page_says_what_is_missing(house: House) -> None:
    answer = house.phone().get("/tv?club")
    assert answer.status == 404
    assert "[mqtt] broker" in answer.text
    assert house.phone().get("/tv").status == 200


@pytest.mark.browser
def test_the_screen_follows_and_turns_grey_when_its_tray_is_lost(tmp_path: Path, page: Any) -> None:
    club = Trays(*TRAYS[:1])
    with ExitStack() as parts:
        house = house_in(tmp_path, parts, club=club)
        page.goto(f"http://127.0.0.1:{house.port}/tv?club")
        assert page.locator("section").count() == 1
        club.told = TRAYS
        expect(page.locator("section")).to_have_count(3)
        assert "stale" not in page.locator("body").get_attribute("class")
    expect(page.locator("body.stale section")).to_have_count(3)


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_screen_fits_every_size_and_all_trays_can_be_reached(tmp_path: Path, page: Any, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    with ExitStack() as parts:
        many = Trays(*(replace(tray, id=f"{tray.id}{n}") for n in range(4) for tray in TRAYS))
        house = house_in(tmp_path, parts, club=many)
        page.goto(f"http://127.0.0.1:{house.port}/tv?club")
        for width, height in ((360, 740), (740, 360), (820, 1180), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)
            last = page.locator("section").last
            last.scroll_into_view_if_needed()
            expect(last).to_be_in_viewport(ratio=0.2)
            assert page.evaluate(
                "[...document.querySelectorAll('.card')].every((card) => card.scrollWidth <= card.clientWidth)"
            ), (width, height)
