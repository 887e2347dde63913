"""A throw looked at again in a real Chromium: called up by one phone, shown on all, closed by another."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from served import House
from test_history_pages import phone as phone
from test_history_pages import play

from firmware.album import ThrowKey
from firmware.filming import FRAMES, HEIGHT, WIDTH
from firmware.link import Pictured
from web.commands import Dispute

pytestmark = pytest.mark.browser

GAME = "g1"
LOADED = "image => image.complete && image.naturalWidth"


def jpeg(rows: int, columns: int) -> bytes:
    return cv2.imencode(".jpg", np.full((rows, columns, 3), 120, np.uint8))[1].tobytes()


def pictured(house: House, move: int) -> None:
    """The throw of this move has pictures."""
    still, film = jpeg(96, 128), jpeg(FRAMES * HEIGHT, WIDTH)
    house.album.pictured(Pictured(move, (), still, still, film))
    house.album.counted(move, ThrowKey(GAME, move))
    assert not house.album.keep(ThrowKey("none", 0)), "asked for so that all that came before is written"


def test_one_phone_calls_a_throw_up_on_all_and_another_lets_it_stand_or_corrects_it(
    phone: Callable[[str], Any], house: House, chromium: Any
) -> None:
    from playwright.sync_api import expect

    bo, ann = phone("Bo"), phone("Ann")
    play(house)
    pictured(house, 4)  # the second throw
    tv = chromium.new_page(viewport={"width": 1920, "height": 1080})
    tv.goto(f"http://127.0.0.1:{house.port}/tv")
    expect(ann.locator("#player")).to_have_text("Ann")
    ann.locator("#more").press("Enter")
    ann.get_by_role("link", name="Look at the last throw again").press("Enter")
    ann.get_by_role("button", name="Show it on every screen").press("Enter")
    expect(ann.get_by_role("status").first).to_have_text("Ann asks everybody to look at this throw again.")
    for page in (bo, tv):
        expect(page.locator("#dispute-title")).to_have_text("Ann asks everybody to look at throw 2 again.")
        for image in ("#dispute .still", "#dispute .replay img"):
            expect(page.locator(image)).to_be_visible()
            assert page.locator(image).evaluate(LOADED)
    expect(bo.locator("#call")).to_contain_text("Ann asks everybody")
    assert tv.locator("#dispute button").count() == 0
    bo.get_by_role("button", name="It stands").press("Enter")
    expect(bo.locator("#news")).to_have_text("Throw 2 stands.")
    for page in (bo, tv):
        expect(page.locator("#dispute")).to_be_hidden()

    house.table.ask(Dispute(2, "Bo", ("drawn",)))
    bo.locator("#dispute").get_by_text("Correct to …").press("Enter")
    for place in (1, 2):
        bo.locator("#dispute .slot").nth(place).press("Enter")
    for value in (1, 6):
        bo.locator("#dispute .face").nth(value - 1).press("Enter")
    bo.locator("#dispute .picker .brass").press("Enter")
    expect(bo.locator("#news")).to_contain_text("1-1-4-6-6-6 now")
    for page in (bo, tv):
        expect(page.locator("#dispute")).to_be_hidden()
    tv.close()


def test_who_wants_no_motion_scrolls_the_film(phone: Callable[[str], Any], house: House) -> None:
    ann = phone("Ann")
    play(house)
    pictured(house, 2)
    ann.emulate_media(reduced_motion="reduce")
    ann.goto(f"http://127.0.0.1:{house.port}/history/{GAME}/throws/1")
    film = ann.locator(".replay")
    ann.wait_for_function("() => document.querySelector('.replay img').naturalWidth")
    assert film.evaluate("film => getComputedStyle(film).overflowY") == "auto"
    assert film.evaluate("film => film.scrollHeight / film.clientHeight") == pytest.approx(FRAMES, rel=0.02)
    ann.emulate_media(reduced_motion="no-preference")
    assert film.evaluate("film => getComputedStyle(film).overflowY") == "hidden"
    assert film.locator("img").evaluate("image => image.getAnimations().length") == 1


@pytest.mark.parametrize("size", [(320, 640), (740, 360), (1920, 1080)])
@pytest.mark.parametrize("path", [f"/history/{GAME}/throws/1", "/"])
def test_nothing_runs_over_the_edge_and_every_target_is_large(
    phone: Callable[[str], Any], house: House, size: tuple[int, int], path: str
) -> None:
    ann = phone("Ann")
    play(house)
    pictured(house, 2)
    house.table.ask(Dispute(1, "Bo", ("drawn", "film")))
    ann.set_viewport_size({"width": size[0], "height": size[1]})
    ann.goto(f"http://127.0.0.1:{house.port}{path}")
    ann.locator(".still").wait_for()
    assert ann.evaluate("() => document.documentElement.scrollWidth") <= size[0]
    heights = "all => all.filter(one => one.offsetParent).map(one => one.getBoundingClientRect().height)"
    assert min(ann.locator("main, #dispute").get_by_role("button").evaluate_all(heights)) >= 44
