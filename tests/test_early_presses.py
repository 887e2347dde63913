"""What is pressed before the scripts of a page have come, as over a slow Wi-Fi, is done once they are there."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from paged import House, says

pytestmark = pytest.mark.browser


@contextmanager
def without_modules(page: Any, address: str) -> Iterator[None]:
    """The page as it stands while its modules are still fetched; they come at the end."""
    held: list[Any] = []
    awaited = True

    def fetch(route: Any) -> None:
        if awaited and not route.request.url.endswith("/early.js"):
            held.append(route)
        else:
            route.continue_()

    page.route("**/static/*.js", fetch)
    page.goto(address, wait_until="commit")
    page.locator("form.foot").wait_for()
    yield
    assert held
    awaited = False
    for route in held:
        route.continue_()


def test_a_choice_in_a_list_and_a_button_count_once(phone: Any, home: House) -> None:
    page = phone()
    home.start("Ann", "Bo")
    with without_modules(page, f"{home.url}/sim"):
        page.locator("#sim-dice").select_option("green")
        page.locator("#sim-throw").click()
    says(page, "#risk", "+")
    assert home.fingers.used == ["green None"]
    assert next(home.rolls) == 2


def test_a_name_is_added_to_those_who_play(phone: Any, home: House) -> None:
    page = phone("Ann")
    with without_modules(page, f"{home.url}/play"):
        page.get_by_label("Add a name").fill("Cleo")
        page.get_by_role("button", name="Add", exact=True).click()
    page.locator("#names", has_text="Cleo").wait_for()


def test_a_form_is_sent_once(phone: Any, home: House) -> None:
    page = phone()
    with without_modules(page, home.join_url):
        page.get_by_label("Your name").fill("Ann")
        page.get_by_label("The code on the tray's screen").fill(home.room.code)
        page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/play")
    assert [seat.name for seat in home.room.seats()] == ["Ann"]


def test_a_move_on_the_simulated_tray_waits_until_it_has_its_seat(phone: Any, home: House) -> None:
    page = phone()
    held: list[Any] = []
    page.route("**/api/v1/join", lambda route: held.append(route))
    page.goto(f"{home.url}/sim")
    for name in ("Ann", "Bo"):
        page.get_by_label("Add a name").fill(name)
        page.get_by_role("button", name="Add", exact=True).click()
        page.locator("#names", has_text=name).wait_for()
    page.locator("#go").click()
    page.wait_for_timeout(200)
    assert home.table.view().game is None
    held[0].continue_()
    page.locator("#player", has_text="Ann").wait_for()
