"""The pages of past games in a real Chromium: by keyboard, in all sizes, and what other phones are told."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from patience import PATIENCE_MS
from served import House

from web.commands import Bank, Correct, EnterThrow, Newcomer, NewGame

pytestmark = pytest.mark.browser

SIZES = {"phone": (320, 640), "on its side": (740, 360), "television": (1920, 1080)}


@pytest.fixture
def phone(house: House, chromium: Any) -> Iterator[Callable[[str], Any]]:
    """A phone with a seat of that name."""
    with ExitStack() as contexts:

        def sit(name: str) -> Any:
            context = chromium.new_context(viewport={"width": 390, "height": 844})
            contexts.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.goto(f"http://127.0.0.1:{house.port}/join#{house.room.code}")
            page.get_by_label("Your name").fill(name)
            page.get_by_role("button", name="Sit down").click()
            page.wait_for_url("**/play")
            return page

        yield sit


def play(house: House) -> None:
    house.table.ask(NewGame("farkle", (Newcomer("Ann"), Newcomer("Bo"))))
    for values in ((1, 1, 2, 3, 4, 6), (1, 2, 3, 4, 6, 6)):
        house.table.ask(EnterThrow(values))
        house.table.ask(Bank())


def test_a_throw_of_an_earlier_turn_is_corrected_by_keyboard_and_the_other_phone_is_told(
    phone: Callable[[str], Any], house: House
) -> None:
    from playwright.sync_api import expect

    bo = phone("Bo")
    ann = phone("Ann")
    play(house)
    expect(ann.locator("#player")).to_have_text("Ann")
    ann.locator("#more").press("Enter")
    ann.get_by_role("link", name="All throws").press("Enter")
    ann.get_by_role("link", name="Correct throw 1").press("Enter")
    field = ann.get_by_label("Throw 1 was really")
    expect(field).to_be_focused()
    field.fill("1 1 1 2 3 4")
    ann.keyboard.press("Enter")
    said = "Ann's first throw in turn 1 is 1-1-1-2-3-4 now, not 1-1-2-3-4-6: 800 points more."
    expect(ann.get_by_role("status")).to_have_text(said)
    expect(bo.locator("#news")).to_have_text(said)
    expect(bo.locator("#call")).to_contain_text("800 points more.")
    ann.get_by_role("button", name="Undo").press("Enter")
    expect(bo.locator("#news")).to_have_text("Undone: throw 1 was corrected to 1-1-1-2-3-4.")
    ann.get_by_role("button", name="Do again").press("Enter")
    expect(bo.locator("#news")).to_contain_text("Done again")


def test_a_correction_past_the_end_is_told_on_the_page_of_the_win(phone: Callable[[str], Any], house: House) -> None:
    from playwright.sync_api import expect

    bo = phone("Bo")
    rules = {"base": "farkle", "win": {"target": 1000, "final_round": False}}
    house.table.ask(NewGame(rules, (Newcomer("Ann"), Newcomer("Bo"))))
    house.table.ask(EnterThrow((1, 1, 1, 2, 3, 4)))
    house.table.ask(Bank())
    expect(bo.locator("#winner")).to_have_text("Ann")
    house.table.ask(Correct(1, (1, 1, 1, 3, 4, 5)))
    expect(bo.locator("#win-news")).to_contain_text("50 points more.")
    bo.get_by_role("link", name="How it went").click()
    expect(bo.locator("h1")).to_contain_text("Ann, Bo")


@pytest.mark.parametrize("path", ["/history", "/history/g1?correct=1"])
def test_nothing_runs_over_the_edge_and_every_target_is_large(
    phone: Callable[[str], Any], house: House, path: str
) -> None:
    play(house)
    page = phone("Ann")
    page.goto(f"http://127.0.0.1:{house.port}{path}")
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        low = "els => els.filter(e => e.getBoundingClientRect().height < 48).map(e => e.outerHTML)"
        assert page.locator("main button, main .button, main input:not([type=hidden])").evaluate_all(low) == []
