"""A whole game without a mouse, a finger or eyes: every control is reached with Tab, seen to be, and has a name."""

from collections.abc import Callable
from typing import Any

import pytest
from paged import House, dice, reach, says

from vision.seen import Doubt

pytestmark = pytest.mark.browser


def test_a_whole_game_is_played_with_the_keyboard_and_told_to_a_screen_reader(
    phone: Callable[..., Any], home: House
) -> None:
    ann = phone(path=f"/join#{home.room.code}")
    press, type_in = ann.keyboard.press, ann.keyboard.type
    ann.get_by_label("Your name").focus()
    type_in("Ann")
    press("Enter")
    ann.wait_for_url("**/play")
    ann.get_by_label("Add a name").focus()
    type_in("Bo")
    press("Enter")
    says(ann, ".names", "Bo")
    ann.get_by_label("Play to").focus()
    type_in("1 000")
    reach(ann, "Start with 2 players")
    press("Enter")
    says(ann, "#call", "Ann to throw.")

    home.see("rolling")
    asked = Doubt("cocked", 150, 500, "One die is leaning: nudge it, or tap its value.")
    home.see("unsure", *dice(None, 1, 1, 2, 3, 4), doubts=(asked,), roll=next(home.rolls))
    says(ann, "#call", "Unsure. One die is leaning")
    reach(ann, "A 1")
    press("Enter")
    if ann.locator("#doubt").is_visible():
        reach(ann, "That is the throw")
        press("Enter")
    says(ann, "#call", "Thrown: 1 1 1 2 3 4.")
    reach(ann, "Bank 1\u202f000")
    press("Space")
    says(ann, "#call", "Ann banked 1")
    says(ann, "#call", "Bo to throw.")

    reach(ann, "More")
    press("Enter")
    assert ann.evaluate("document.activeElement.id") == "sheet-title"
    press("Escape")
    assert ann.evaluate("document.activeElement.id") == "more"
    home.throw(2, 2, 3, 3, 4, 6)
    says(ann, "#call", "Ann wins with 1")
    reach(ann, "Again, same players")
    press("Enter")
    says(ann, "#call", "to throw.")


# What shows that a control has the focus, that a die is chosen and how far somebody is must not be a colour alone.
SEEN = """() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  document.getElementById('bank').focus({ focusVisible: true });
  return [style('#bank').outlineStyle, style('.spot.chosen').outlineStyle, style('.part').borderTopStyle];
}"""


def test_with_the_colours_of_the_system_everything_is_still_told_apart(phone: Callable[..., Any], home: House) -> None:
    ann = phone("Ann", forced_colors="active")
    home.start("Ann", "Bo")
    home.throw(1, 1, 5, 2, 3, 4)
    ann.get_by_role("button", name="Set aside 1 1 for 200").click()
    says(ann, "#risk", "+200")
    assert ann.evaluate(SEEN) == ["solid", "solid", "solid"]
    for mark in ("live", "read"):
        assert ann.locator(f"[data-live={mark}], [data-state={mark}]").first.inner_text().strip()
