"""A newcomer plays a whole game in the browser: real Chromium, real pages, real eye; only the dice are drawn."""

import re
from typing import Any

import pytest
from patience import PATIENCE_MS

pytestmark = pytest.mark.browser


def throw(page: Any, *values: int) -> None:
    """Pick how the dice are to fall, throw them, and wait until the board shows them."""
    details = page.get_by_text("Make it fall, lean or fail")
    if not page.get_by_role("button", name="A 1", exact=True).is_visible():
        details.click()
    for value in values:
        page.get_by_role("button", name=f"A {value}", exact=True).click()
    page.get_by_role("button", name=re.compile("Throw exactly")).click()


def bank(page: Any, points: int) -> None:
    page.get_by_role("button", name=re.compile(f"^Bank {points:,}".replace(",", "[^0-9]?"))).click(timeout=PATIENCE_MS)


def test_two_players_finish_a_game_to_ten_thousand_in_the_browser(tray: Any, page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{tray.url}/sim")
    page.get_by_role("button", name="Start with 2 players").click()

    throw(page, 1, 1, 5, 2, 3, 4)
    page.get_by_role("button", name=re.compile("Set aside 1 1 for 200")).click(timeout=PATIENCE_MS)
    throw(page, 5, 2, 3, 3)
    bank(page, 250)
    throw(page, 2, 2, 3, 3, 4, 6)
    tray.until(lambda state: state["game"]["players"][1]["farkles"] == 1, "Bo's farkle")
    for _ in range(4):
        throw(page, 1, 1, 1, 1, 1, 1)
        bank(page, 2000)
        throw(page, 5, 5, 5, 2, 3, 4)
        bank(page, 500)
    throw(page, 1, 1, 1, 1, 1, 1)
    bank(page, 2000)
    tray.until(lambda state: state["game"]["status"] == "final-round", "the final round")
    throw(page, 2, 2, 3, 3, 4, 6)
    state = tray.until(lambda state: state["game"]["status"] == "over", "the end")
    assert [player["score"] for player in state["game"]["players"]] == [10_250, 2000]
    assert state["game"]["winner"] == 0
    page.get_by_text(re.compile("Ann (has won|wins|won)")).first.wait_for()
    assert troubles == []
