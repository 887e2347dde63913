"""Three phones and a big screen through a whole game: one goes offline, one sleeps, one is closed for another."""

from collections.abc import Callable
from typing import Any

import pytest
from paged import House, phones, says, until
from patience import PATIENCE_MS
from test_whole_game import throw

pytestmark = pytest.mark.browser

DEAD = (2, 2, 3, 3, 4, 6)


def falls_asleep(page: Any) -> Callable[[], None]:
    """The phone goes into a pocket: its page is left and frozen. Call what comes back to wake it."""
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})

    def wake() -> None:
        session.send("Page.setWebLifecycleState", {"state": "active"})
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")

    return wake


def bank(page: Any, points: str) -> None:
    page.get_by_role("button", name=f"Bank {points}").click()


def shown(page: Any) -> list[str]:
    """Names and scores as this screen has them."""
    return [" ".join(text.split()) for text in page.locator("#standings .row").evaluate_all(STANDING)]


STANDING = "(rows) => rows.map((row) => row.querySelector('.name').innerText + row.querySelector('.score').innerText)"


def test_three_phones_play_a_whole_game_whatever_happens_to_them(phone: Callable[..., Any], home: House) -> None:
    from playwright.sync_api import expect

    cleo, bo, ann = phone("Cleo"), phone("Bo"), phone("Ann")
    screen = phone(path="/tv", viewport={"width": 1920, "height": 1080})
    for name in ("Bo", "Cleo"):
        ann.get_by_role("button", name=f"Add {name}", exact=True).click()
    ann.get_by_label("Play to").select_option("1000")
    ann.get_by_role("button", name="Start with 3 players").click()
    for page in (ann, bo, cleo, screen):
        says(page, "#player", "Ann")

    # Offline: what Bo's phone missed is there when it is back, and the phone plays on.
    home.throw(1, 1, 5, 2, 3, 4)
    says(bo, "#risk", "+250")
    bo.context.set_offline(True)
    bank(ann, "250")
    says(screen, "#player", "Bo")
    home.throw(1, 1, 1, 2, 3, 4)
    home.throw(1, 2, 3)
    bo.context.set_offline(False)
    says(bo, "#player", "Bo")
    says(bo, "#risk", "100")
    says(bo, "#badge-text", "live")
    bank(bo, "1")
    says(screen, "#final", "Final round")

    # Asleep: Cleo's phone hears nothing of a turn, and is right at once.
    says(cleo, "#player", "Cleo")
    wake = falls_asleep(cleo)
    home.throw(*DEAD)
    says(screen, "#player", "Ann")
    home.throw(5, 5, 2, 3, 4, 6)
    wake()
    says(cleo, "#player", "Ann")
    says(cleo, "#risk", "+100")

    # Closed: Ann takes her seat up on another phone, once the first was not heard of for a minute.
    until(lambda: home.streams() == 4)
    ann.context.close()
    until(lambda: home.streams() == 3)
    home.clock.ahead_s += 61
    other = phone(path=f"/join#{home.room.code}")
    other.get_by_label("Your name").fill("Ann")
    other.get_by_role("button", name="Sit down").click()
    other.get_by_role("button", name="Take back the seat of Ann").click()
    other.wait_for_url("**/play")
    says(other, "#risk", "+100")
    bank(other, "100")
    for page in (other, bo, cleo, screen):
        says(page, "#winner", "Bo")
    assert len({tuple(shown(page)) for page in (other, bo, cleo, screen)}) == 1, "all screens agree"
    expect(other.locator("#standings .tag:visible", has_text="you")).to_have_count(1)
    other.get_by_role("button", name="Again, same players").click()
    for page in (other, bo, cleo, screen):
        says(page, "#player", "Ann")


def test_three_phones_and_the_real_eye_finish_a_game_while_one_is_offline_and_one_asleep(
    chromium: Any, tray: Any
) -> None:
    with phones(chromium, tray) as phone:
        cleo, bo, ann = phone("Cleo"), phone("Bo"), phone("Ann")
        hands = phone(path="/sim", viewport={"width": 1280, "height": 900})
        for page in (cleo, bo, ann, hands):
            # The eye takes its time, on a busy machine most of all.
            page.set_default_timeout(PATIENCE_MS)
        for name in ("Bo", "Cleo"):
            ann.get_by_role("button", name=f"Add {name}", exact=True).click()
        ann.get_by_label("Play to").select_option("1000")
        ann.get_by_role("button", name="Start with 3 players").click()
        says(hands, "#player", "Ann")

        throw(hands, 1, 1, 5, 2, 3, 4)
        says(bo, "#risk", "+250", PATIENCE_MS)
        bo.context.set_offline(True)
        bank(ann, "250")
        wake = falls_asleep(cleo)
        throw(hands, 1, 1, 1, 2, 3, 4)
        says(hands, "#risk", "+1", PATIENCE_MS)
        bo.context.set_offline(False)
        bank(bo, "1")

        says(hands, "#player", "Cleo")
        throw(hands, *DEAD)
        says(hands, "#player", "Ann", PATIENCE_MS)
        wake()
        says(cleo, "#player", "Ann")
        throw(hands, 5, 5, 2, 3, 4, 6)
        bank(ann, "100")
        for page in (ann, bo, cleo, hands):
            says(page, "#winner", "Bo")
        assert len({tuple(shown(page)) for page in (ann, bo, cleo, hands)}) == 1, "all screens agree"
