"""A game in a real Chromium: joining, throwing, setting aside, doubts, corrections, seats."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from paged import House, dice, reach, says

from vision.seen import Doubt
from web.commands import Newcomer, NewGame

pytestmark = pytest.mark.browser


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


def test_what_is_to_be_said_of_several_dice_is_said_once(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann")
    home.start("Ann", "Bo")
    lean = [Doubt("cocked", 60.0 * k, 0.0, "This die leans: nudge it.") for k in range(3)]
    home.see("unsure", *dice(None, None, None, 5, 6, 6), doubts=tuple(lean), roll=next(home.rolls))
    says(ann, "#doubt-text", "This die leans: nudge it.")
    assert ann.locator("#doubt-text").inner_text().count("leans") == 1


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
