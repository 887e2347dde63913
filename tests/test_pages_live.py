"""Pages in a real Chromium stay true: a lost tray, a phone that slept, many tabs, another network."""

from collections.abc import Callable
from typing import Any

import pytest
from paged import House, says, until

from web.commands import Bank
from web.serve import listen, serve
from web.site import Site

pytestmark = pytest.mark.browser


def test_a_lost_tray_looks_old_and_comes_back_by_itself(phone: Callable[..., Any], home: House) -> None:
    from playwright.sync_api import expect

    page = phone()
    home.start("Ann", "Bo")
    says(page, "#badge-text", "live")
    page.clock.install()
    home.server.stop()
    assert home.server.wait()
    page.clock.run_for(35_000)
    says(page, "#badge-text", "trying again")
    expect(page.locator("body")).to_have_class("board playing stale")
    home.throw(1, 1, 5, 2, 3, 4)
    home.reopen()
    page.clock.run_for(20_000)
    says(page, "#badge-text", "live")
    says(page, "#risk", "+250")
    expect(page.locator("body")).to_have_class("board playing")


def test_a_phone_that_wakes_is_right_at_once(phone: Callable[..., Any], home: House) -> None:
    page = phone()
    home.start("Ann", "Bo")
    says(page, "#player", "Ann")
    # A phone that slept: the stream is dead without an error, and the page hears nothing.
    page.evaluate("() => { window.EventSource = class { addEventListener() {} close() {} } }")
    page.evaluate("dispatchEvent(new Event('online'))")
    home.throw(1, 1, 5, 2, 3, 4)
    until(lambda: home.table.view().rev == 2)
    says(page, "#risk", "0")
    page.evaluate("dispatchEvent(new Event('visibilitychange'))")
    says(page, "#risk", "+250")


def test_all_tabs_of_a_phone_share_one_stream_and_another_takes_it_over(phone: Callable[..., Any], home: House) -> None:
    first = phone()
    tabs = [first, first.context.new_page(), first.context.new_page()]
    for tab in tabs[1:]:
        tab.goto(home.url)
    home.start("Ann", "Bo")
    for tab in tabs:
        says(tab, "#badge-text", "live")
        says(tab, "#player", "Ann")
    until(lambda: home.streams() == 1)
    tabs.pop().close()
    home.throw(1, 1, 5, 2, 3, 4)
    for tab in tabs:
        says(tab, "#risk", "+250")
    until(lambda: home.streams() == 1)
    tabs[0].goto(f"{home.url}/join")
    home.table.ask(Bank())
    says(tabs[1], "#player", "Bo")


def test_beyond_the_cap_the_page_still_follows(phone: Callable[..., Any], home: House) -> None:
    from web.app import create_app as fresh

    sock = listen("127.0.0.1", 0)
    url = f"http://127.0.0.1:{sock.getsockname()[1]}"
    server = serve(fresh(home.table, home.room, home.rules, Site(max_streams=0)), sock, 8)
    try:
        page = phone()
        page.goto(url)
        says(page, "#badge-text", "live")
        home.start("Ann", "Bo")
        says(page, "#player", "Ann")
    finally:
        server.stop()
        assert server.wait()


def test_a_screen_that_shows_the_code_follows_the_tray_into_another_network(
    phone: Callable[..., Any], home: House
) -> None:
    pages = [phone(path=path) for path in ("/tv", "/join", "/")]
    home.table.reached("http://10.42.0.1:8080")
    for page in pages:
        page.locator(".address", has_text="http://10.42.0.1:8080/join").wait_for()
        assert "10.42.0.1" in page.locator(".qr").first.get_attribute("src")
    home.table.reached("", "This tray is in no network.")
    for page in pages:
        page.get_by_text("No phone can join now").wait_for()
        page.get_by_text("This tray is in no network.").wait_for()
