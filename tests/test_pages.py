"""The pages in a real Chromium: joining, playing, doubts, corrections, lost trays, all sizes and both themes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from paged import House, dice, reach, says, until

from vision.seen import Doubt
from web.commands import Bank, Newcomer, NewGame
from web.serve import listen, serve
from web.site import Site

pytestmark = pytest.mark.browser

SIZES = {"phone": (360, 740), "on its side": (740, 360), "tablet": (820, 1180), "television": (1920, 1080)}


def test_two_phones_play_a_game_from_the_code_to_the_win(phone: Callable[..., Any], home: House) -> None:
    from playwright.sync_api import expect

    bo, ann, watcher = phone("Bo"), phone("Ann"), phone()
    ann.get_by_role("button", name="Add Bo", exact=True).click()
    ann.get_by_label("Play to").select_option("1000")
    ann.get_by_role("button", name="Start with 2 players").click()
    says(bo, "#player", "Ann")
    expect(bo.locator("#bank")).to_be_disabled()

    home.throw(1, 1, 5, 2, 3, 4)
    ann.get_by_role("button", name="Set aside 1 1 5 for 250").click()
    says(bo, "#risk", "+250")
    ann.get_by_role("button", name="Bank 250").click()
    says(watcher, "#standings", "250")
    says(bo, "#player", "Bo")

    home.throw(1, 1, 1, 2, 3, 4)
    bo.get_by_role("button", name="Bank").click()
    says(ann, "#final", "Final round")
    home.throw(2, 2, 3, 3, 4, 6)
    says(watcher, "#winner", "Bo")
    expect(watcher.get_by_role("button", name="Again")).to_be_hidden()
    ann.get_by_role("button", name="Again, same players").click()
    says(bo, "#player", "Ann")
    says(bo, "#target", "1")


def test_a_quick_second_move_waits_for_the_first_and_a_double_tap_counts_once(
    phone: Callable[..., Any], home: House
) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo")
    home.throw(1, 1, 5, 2, 3, 4)
    says(ann, "#risk", "+250")
    ann.evaluate(
        "() => { const option = document.querySelector('#options button:last-child');"
        " option.click(); for (let n = 0; n < 3; n += 1) document.getElementById('bank').click() }"
    )
    says(ann, "#player", "Bo")
    assert home.table.view().rev == 4
    game = home.table.view().game
    assert game is not None
    assert [player.score for player in game.board.players] == [50, 0]


def test_tapping_the_dice_sets_them_aside(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo")
    home.throw(2, 4, 4, 3, 4, 1)
    tray = ann.locator("#throw")
    for place in (1, 2):
        tray.get_by_role("button").nth(place).click()
    says(ann, "#said", "do not score")
    tray.get_by_role("button").nth(4).click()
    says(ann, "#risk", "+400")
    tray.get_by_role("button", name="1", exact=True).click()
    says(ann, "#risk", "+500")
    assert tray.locator("[aria-pressed=true]").count() == 4


def test_a_doubt_asks_the_player_and_tells_the_others_who_decides(phone: Callable[..., Any], home: House) -> None:
    from playwright.sync_api import expect

    bo, ann = phone("Bo"), phone("Ann")
    ann.get_by_role("button", name="Add Bo", exact=True).click()
    ann.get_by_role("button", name="Start with 2 players").click()
    says(bo, "#player", "Ann")
    asked = Doubt("cocked", 300, 500, "One die is leaning: nudge it, or tap its value.")
    home.see("rolling")
    home.see("unsure", *dice(2, None, 4, 5, 6, 6), doubts=(asked,), roll=next(home.rolls))
    says(ann, "#doubt", "Which one?")
    says(bo, "#doubt", "Ann decides.")
    expect(bo.locator("#doubt button")).to_have_count(0)
    expect(ann.locator("#throw .asked")).to_have_count(1)
    answer = ann.locator("#doubt-picker").get_by_role("button", name="1 die to go")
    expect(answer).to_be_disabled()
    ann.locator("#doubt-picker").get_by_role("button", name="A 1", exact=True).click()
    ann.get_by_role("button", name="That is the throw").click()
    says(ann, "#risk", "+150")
    expect(ann.locator("#doubt")).to_be_hidden()


def test_a_doubt_about_one_die_is_answered_with_one_tap(phone: Callable[..., Any], home: House) -> None:
    from playwright.sync_api import expect

    ann = phone("Ann")
    home.start("Ann", "Bo")
    asked = Doubt("cocked", 450, 500, "One die is leaning: nudge it, or tap its value.", (4, 1))
    home.see("rolling")
    home.see("unsure", *dice(2, 3, None, 5, 6, 6), doubts=(asked,), roll=next(home.rolls))
    expect(ann.locator("#doubt .answer")).to_have_count(2)
    ann.get_by_role("button", name="It shows a 1").click()
    says(ann, "#risk", "+150")
    expect(ann.locator("#doubt")).to_be_hidden()


def test_dice_left_over_are_taken_with_a_button(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo", rules="high-stakes")
    home.throw(1, 1, 1, 2, 3, 4)
    ann.get_by_role("button", name="Set aside 1 1 1 for 1").click()
    ann.get_by_role("button", name="Bank 1").click()
    ann.get_by_role("button", name="Go on with Ann's 3 dice").click()
    says(ann, "#todo", "Throw 3; one that scores brings 1")
    home.throw(5, 2, 3)
    says(ann, "#risk", "050")


def test_an_attempt_is_declared_with_a_button(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    rules = {"base": "dice-10000", "turn": {"straight_attempt": True, "triple_attempt": True}}
    home.start("Ann", "Bo", rules=rules)
    home.throw(1, 2, 3, 4, 6, 6)
    ann.get_by_role("button", name="Keep 6 6 and try for three of a kind").click()
    says(ann, "#news", "Ann keeps 6 6 and tries")
    ann.get_by_role("button", name="Keep 1 2 3 4 6 and try for the straight").click()
    says(ann, "#todo", "Throw 1 die")
    home.throw(5)
    says(ann, "#todo", "Hot dice!")


def test_the_coloured_die_is_chosen_as_itself_and_asked_for_when_it_is_not_seen(
    phone: Callable[..., Any], home: House
) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo", rules={"base": "wild", "dice": {"wild_colour": "red"}})
    home.throw(4, 1, 1, 2, 3, 6)
    tray = ann.locator("#throw")
    for place, points in enumerate(("+100", "+200", "000")):
        tray.get_by_role("button").nth(place).click()
        says(ann, "#risk", points)
    ann.get_by_role("button", name="Set aside 1 1 for 200").click()
    says(ann, "#risk", "+200")
    ann.get_by_role("button", name="Bank 200").click()
    says(ann, "#player", "Bo")
    home.see("rolling")
    home.see("settled", *(replace(die, colour="blue") for die in dice(1, 2, 4, 4, 6, 6)), roll=next(home.rolls))
    says(ann, "#doubt", "Which of these is the red die?")
    ann.get_by_role("button", name="The coloured die shows 4").click()
    ann.get_by_role("button", name="That is the throw").click()
    says(ann, "#risk", "+")


def test_a_lost_camera_asks_for_the_throw_by_hand_at_once(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo")
    home.table.eye_lost("The ribbon is loose: press it in.")
    says(ann, "#doubt", "The ribbon is loose")
    for face in ("1", "1", "1", "2", "3", "4"):
        ann.locator("#doubt-picker").get_by_role("button", name=f"A {face}", exact=True).click()
    ann.get_by_role("button", name="That is the throw").click()
    says(ann, "#risk", "+1")
    ann.get_by_role("button", name="Bank").click()
    says(ann, "#standings", "Ann")
    says(ann, "#player", "Bo")


def test_the_last_throw_can_be_corrected_after_the_turn_has_passed(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo")
    home.throw(2, 2, 3, 3, 4, 6)
    says(ann, "#news", "Ann threw 2 2 3 3 4 6: farkle")
    ann.get_by_role("button", name="More").click()
    ann.get_by_role("button", name="Correct the last throw (2 2 3 3 4 6)").click()
    ann.get_by_role("button", name="Die 6: 6").click()
    ann.locator("#sheet").get_by_role("button", name="A 5", exact=True).click()
    ann.locator("#sheet").get_by_role("button", name="That is the throw").click()
    says(ann, "#player", "Ann")
    says(ann, "#risk", "+50")


def test_undo_and_end_are_at_hand(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo")
    home.throw(1, 1, 5, 2, 3, 4)
    ann.get_by_role("button", name="Bank 250").click()
    says(ann, "#player", "Bo")
    ann.get_by_role("button", name="Undo").click()
    says(ann, "#player", "Ann")
    ann.get_by_role("button", name="More").click()
    ann.get_by_role("button", name="End this game").click()
    ann.get_by_role("button", name="Tap again to end it").click()
    says(ann, "#winner", "ended")


def test_nobody_is_advised_who_has_not_asked_for_it(phone: Callable[..., Any], home: House) -> None:
    from playwright.sync_api import expect

    bo, ann = phone("Bo"), phone("Ann")
    ann.get_by_role("button", name="Add Bo", exact=True).click()
    ann.get_by_role("button", name="Start with 2 players").click()
    says(ann, "#player", "Ann")
    home.throw(1, 1, 5, 2, 3, 4)
    for page in (ann, bo):
        says(page, "#odds", "farkle next")
        says(page, "#odds .wins", "Ann")
        expect(page.locator(".best")).to_be_hidden()
    ann.get_by_role("button", name="More").click()
    ann.get_by_label("Advice for Ann").select_option("open")
    expect(ann.get_by_label("Advice for Bo")).to_be_hidden()
    ann.get_by_role("button", name="Close").click()
    says(ann, ".best", "Best: set aside")
    expect(ann.locator(".best")).to_be_visible()
    expect(ann.locator(".option[data-best]")).to_have_count(1)
    expect(bo.locator(".best")).to_be_hidden()
    ann.get_by_role("button", name="Bank 250").click()
    says(bo, "#player", "Bo")
    for page in (ann, bo):
        says(page, ".best", "Best: throw 6 dice.")
        expect(page.locator(".best")).to_be_hidden()


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


def test_a_turn_is_played_with_the_keyboard_alone(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo")
    home.throw(1, 1, 5, 2, 3, 4)
    says(ann, "#risk", "+250")
    reach(ann, "Set aside 1 1 for 200")
    ann.keyboard.press("Enter")
    says(ann, "#risk", "+200")
    reach(ann, "Bank 200")
    ann.keyboard.press("Space")
    says(ann, "#call", "Ann banked 200. Bo to throw.")


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


def test_two_sit_at_one_phone_and_one_of_them_moves_to_another(phone: Callable[..., Any], home: House) -> None:
    shared, own = phone("Ann"), phone()
    shared.get_by_role("link", name="Seats on this phone").click()
    shared.get_by_label("Name").fill("Bo")
    shared.get_by_label("pink cross").check()
    shared.get_by_role("button", name="Sit down").click()
    shared.wait_for_url("**/play")
    seats = {seat.name: seat for seat in home.room.seats()}
    assert seats["Bo"].mark == "pink"
    home.table.ask(NewGame("farkle", tuple(Newcomer(one.name, one.id, one.mark) for one in seats.values())))
    for values in ((1, 1, 5, 2, 3, 4), (5, 5, 2, 3, 4, 6)):
        home.throw(*values)
        shared.locator("#options button").first.click()
        shared.locator("#bank:enabled").click()
    board = shared.context.new_page()
    board.goto(f"{home.url}/play")
    shared.goto(f"{home.url}/join")
    shared.get_by_role("button", name="Give the seat of Bo to another phone").click()
    code = shared.locator("li", has_text="Bo").locator(".code").inner_text()
    own.goto(f"{home.url}/join#hand-{code}")
    own.get_by_role("button", name="Take the seat").click()
    own.wait_for_url("**/play")
    assert own.locator(".me").inner_text().strip() == "Bo"
    assert own.locator("#standings .tag:visible", has_text="you").count() == 1
    # What the giver has open follows by itself: the scoreboard at once, the page of seats within seconds.
    board.locator(".me", has_not_text="Bo").wait_for()
    assert board.locator(".me").inner_text().strip() == "Ann"
    shared.locator("li", has_text="Bo").wait_for(state="detached")


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


def test_a_page_without_scripts_says_so(phone: Callable[..., Any]) -> None:
    says(phone(java_script_enabled=False), ".banner", "needs JavaScript")
