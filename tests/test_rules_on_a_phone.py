"""Before a game: rules chosen, changed, saved and played, with the mouse in a real Chromium on the simulated tray."""

import re
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def sit(page: Any, tray: Any) -> None:
    page.goto(f"{tray.url}/join#{tray.code}")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/play")
    page.get_by_label("Add a name").fill("Bo")
    page.get_by_role("button", name="Add", exact=True).click()


def choose(page: Any, title: str) -> None:
    page.locator("#choose > summary").click()
    page.locator("#cards").get_by_text(title, exact=True).click()


def test_house_rules_are_made_saved_and_played_with_the_mouse(tray: Any, page: Any) -> None:
    from playwright.sync_api import expect

    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    sit(page, tray)
    choose(page, "Dice 10,000")
    page.get_by_role("link", name="Change options").click()
    page.get_by_role("heading", name="Scoring").click()
    straight = page.get_by_label("Straight, 1 to 6", exact=True)
    straight.select_option(label="another number of points")
    page.get_by_label("Straight, 1 to 6, number of points").fill("-5")
    expect(page.locator("[id='w-score.straight']")).to_contain_text("-5 is not allowed; use")
    expect(page.get_by_role("button", name="Play by these rules")).to_be_disabled()
    straight.select_option(label="2,000 points")
    expect(page.get_by_role("status")).to_have_text("Good rules: 1 change to Dice 10,000.")
    expect(page.locator("#changes")).to_have_text("Straight, 1 to 6: 2,000 points")

    page.get_by_label("Name of these house rules").fill("Our table")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("hold the MODE button on the tray")
    tray.post("join", {"code": tray.code, "name": "Cleo"})
    tray.post("sim/press", {"button": "mode", "long": True})
    page.wait_for_url("**/play")
    assert 'base = "dice-10000"' in (tray.state_dir / "rules" / "our-table.toml").read_text()

    expect(page.locator("#chosen")).to_have_text("Our table")
    page.get_by_role("button", name="Start with 2 players").click()
    expect(page.locator("#rules")).to_have_text("Our table")
    tray.throw(1, 2, 3, 4, 5, 6)
    expect(page.locator("#risk")).to_contain_text(re.compile("2.000"))
    page.get_by_role("button", name=re.compile("Set aside 1 2 3 4 5 6 for 2.000")).click()
    page.get_by_role("button", name=re.compile("^Bank 2.000")).click()
    expect(page.locator("#standings")).to_contain_text(re.compile("2.000"))
    page.locator("#sheet-link").click()
    page.get_by_text("A straight, 1 to 6: 2,000 points.").wait_for()

    page.goto(f"{tray.url}/rules/our-table/change")
    page.get_by_role("button", name="Forget “Our table”").click()
    page.get_by_role("button", name="Tap again").click()
    page.wait_for_url("**/play")
    assert not list((tray.state_dir / "rules").iterdir())
    assert troubles == []


def test_changed_rules_are_played_without_saving_and_teams_are_shown(tray: Any, page: Any) -> None:
    from playwright.sync_api import expect

    sit(page, tray)
    choose(page, "Team Farkle")
    expect(page.locator("#team-list")).to_have_text("Team 1: Ann. Team 2: Bo.")
    page.get_by_label("Add a name").fill("Cleo")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#team-list")).to_contain_text("Team 1: Ann and Cleo. Team 2: Bo. 2 equal teams: add 1 player")
    expect(page.locator("#go")).to_be_disabled()
    page.get_by_role("link", name="Change options").click()
    page.get_by_role("heading", name="Dice").click()
    page.get_by_label("Wild die", exact=True).select_option(label="a coloured 4 is wild")
    page.get_by_label("Which die is the wild one?").select_option(label="the red one")
    page.get_by_role("heading", name="Teams").click()
    page.get_by_label("Teams", exact=True).select_option(label="three teams")
    expect(page.get_by_role("button", name="Play by these rules")).to_be_enabled()
    page.get_by_role("button", name="Play by these rules").click()
    page.wait_for_url("**/play")
    expect(page.locator("#preset-notes")).to_contain_text("One die is the wild one: the red one.")
    page.get_by_role("button", name="Start with 3 players").click()
    game = tray.until(lambda state: state["game"], "the game")["game"]
    assert (len(game["teams"]), game["wild_colour"]) == (3, "red")
    assert not (tray.state_dir / "rules").exists()
