"""The pages in a real Chromium: all sizes and both themes, the big screen, the overlay, the simulated tray."""

from collections.abc import Callable
from typing import Any

import pytest
from paged import House, dice, says, until

pytestmark = pytest.mark.browser

SIZES = {"phone": (360, 740), "on its side": (740, 360), "tablet": (820, 1180), "television": (1920, 1080)}


def test_the_simulated_tray_is_played_in_one_window(phone: Callable[..., Any], home: House) -> None:
    from playwright.sync_api import expect

    page = phone(path="/sim", viewport={"width": 1280, "height": 900})
    page.get_by_label("Play to").select_option("1000")
    page.get_by_role("button", name="Start with 2 players").click()
    page.get_by_role("button", name="Throw 6 dice").click()
    page.get_by_role("button", name="Set aside 1 1 1 1 1 for").click()
    says(page, "#sim-throw", "Throw 1 die")
    assert sorted(home.fingers.rail) == [1] * 5
    page.locator("#bank").click()
    says(page, "#player", "Bo")
    page.locator(".hands summary").click()
    for face in ("2", "2", "3", "3", "4", "6"):
        page.locator("#sim-values").get_by_role("button", name=f"A {face}", exact=True).click()
    page.get_by_role("button", name="Throw exactly these 6").click()
    says(page, "#winner", "Ann")
    expect(page.get_by_role("button", name="Again, same players")).to_be_visible()


def test_a_die_can_be_made_to_lean(phone: Callable[..., Any], home: House) -> None:
    page = phone(path="/sim")
    page.get_by_role("button", name="Start with 2 players").click()
    page.locator(".hands summary").click()
    page.get_by_label("Dice that lean").select_option("1")
    page.get_by_role("button", name="Throw 6 dice").click()
    says(page, "#doubt", "leaning")
    assert home.fingers.lying


def test_buttons_of_the_box_know_short_from_long(phone: Callable[..., Any], home: House) -> None:
    page = phone(path="/sim")
    mode = page.get_by_role("button", name="MODE")
    mode.click()
    mode.dispatch_event("pointerdown")
    until(lambda: len(home.fingers.presses) == 2)
    mode.dispatch_event("pointerup")
    page.get_by_role("button", name="UNDO").focus()
    page.keyboard.press("Enter")
    until(lambda: len(home.fingers.presses) == 3)
    assert home.fingers.presses == [("mode", False), ("mode", True), ("undo", False)]
    page.locator(".hands summary").click()
    page.get_by_role("button", name="dead camera").click()
    until(lambda: home.fingers.failed == ["dead-camera 10"])


def test_nothing_moves_on_the_page_while_a_turn_is_played(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo")
    says(ann, "#player", "Ann")
    ann.evaluate(
        "window.shift = 0; new PerformanceObserver((list) => {"
        " for (const entry of list.getEntries()) window.shift += entry.value })"
        ".observe({ type: 'layout-shift' })"
    )
    home.throw(1, 1, 5, 2, 3, 4)
    says(ann, "#risk", "+250")
    home.see("removed", *dice(2, 3, 4), *dice(1, 1, 5, zone="rail", y=80))
    says(ann, "#todo", "Throw 3 dice")
    home.throw(2, 3, 4)
    says(ann, "#player", "Bo")
    ann.wait_for_timeout(100)
    assert ann.evaluate("window.shift") == 0


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_page_fits_every_screen_in_both_themes(phone: Callable[..., Any], home: House, theme: str) -> None:
    page = phone("Bartholomew the Great", color_scheme=theme)
    home.start("Bartholomew the Great", "Bo", "Cleo", "Dora", "Emil", "Fritz", "Gus", "Hannelore-Mathilda")
    home.throw(1, 1, 5, 2, 3, 4)
    for path in (
        "/play",
        "/tv",
        "/overlay",
        "/join",
        "/sim",
        "/health",
        "/rules",
        "/rules/farkle",
        "/rules/farkle/change",
        "/sets",
        "/nothing",
    ):
        page.goto(f"{home.url}{path}")
        if path == "/sets":
            page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        for name, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} {name} {theme}"
            small = page.evaluate(
                "[...document.querySelectorAll('button, select, input, a.button')]"
                ".map((e) => e.closest('label:has([type=checkbox], [type=radio])') || e).filter((e) => e.offsetParent"
                " && (e.offsetWidth < 36 || e.offsetHeight < 36)).map((e) => e.outerHTML)"
            )
            assert small == [], f"{path} {name}"


@pytest.mark.parametrize("size", ["phone", "on its side"])
def test_text_twice_as_large_fits_and_every_button_is_reached(
    phone: Callable[..., Any], home: House, size: str
) -> None:
    from playwright.sync_api import expect

    ann = phone("Ann")
    home.start("Ann", "Bo", "Hannelore")
    home.throw(1, 1, 5, 2, 3, 4)
    says(ann, "#risk", "+250")
    width, height = SIZES[size]
    ann.set_viewport_size({"width": width, "height": height})
    ann.evaluate("document.documentElement.style.fontSize = '200%'")
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("Bank 250", "Undo", "More"):
        expect(ann.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_text_stands_out_from_what_is_behind_it(phone: Callable[..., Any], home: House, theme: str) -> None:
    page = phone(color_scheme=theme)
    home.start("Ann", "Bo")
    home.throw(1, 1, 5, 2, 3, 4)
    says(page, "#risk", "+250")
    for selector, least in (("#player", 7), ("#risk", 4.5), ("#todo", 7), ("#standings .score", 7), ("#news", 4.5)):
        assert page.evaluate(CONTRAST, selector) >= least, selector
    page.goto(f"{home.url}/rules/farkle/change")
    page.get_by_role("heading", name="Scoring").click()
    page.get_by_label("A single 1", exact=True).fill("0.5")
    says(page, "#verdict", "not allowed")
    for selector in ("h1", ".fold .hint", ".question label", "[id='w-score.ones']", "#verdict", "#v-dice\\.count"):
        assert page.evaluate(CONTRAST, selector) >= 4.5, selector


# Contrast ratio of an element's text to the ground of the page (WCAG 2, relative luminance).
CONTRAST = """(selector) => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const text = light(getComputedStyle(document.querySelector(selector)).color);
  const ground = light(getComputedStyle(document.body).backgroundColor);
  return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
}"""


def test_the_big_screen_shows_and_never_asks(phone: Callable[..., Any], home: House) -> None:
    from playwright.sync_api import expect

    page = phone("Ann", viewport={"width": 1920, "height": 1080})
    page.goto(f"{home.url}/tv")
    expect(page.locator(".idle .qr")).to_be_visible()
    home.start("Ann", "Bo")
    home.throw(1, 1, 5, 2, 3, 4)
    says(page, "#risk", "+250")
    expect(page.locator("button:visible")).to_have_text(["Call out loud"])


def test_the_overlay_is_dice_and_the_running_score_on_nothing(phone: Callable[..., Any], home: House) -> None:
    screen = phone(path="/overlay")
    behind = (
        "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).backgroundColor"
    )
    assert screen.evaluate(behind) == "rgba(0, 0, 0, 0)" * 2
    assert screen.locator("main").inner_text().strip() == ""
    home.start("Ann", "Bo")
    home.throw(1, 1, 5, 2, 3, 4)
    screen.locator("#running", has_text="+250").wait_for()
    assert screen.locator("#throw .spot").count() == 6
    assert screen.locator("button, a:not(.skip), .qr").count() == 0
    assert screen.locator("main").inner_text().split() == ["Ann", "0", "+250"]


def test_a_page_without_scripts_says_so(phone: Callable[..., Any]) -> None:
    says(phone(java_script_enabled=False), ".banner", "needs JavaScript")
