"""The panel on the page of the simulated tray plays what the real one would, by SVG's own clock."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect
from served import House, start

from vision.happening import Happening
from web.cues import LASTING, MOMENTS, Step, played, repeated
from web.panel import DARK, LIT, Lamp, drawing
from web.view import PanelView

NAMES = st.sampled_from([*LASTING, *MOMENTS])


def colour_at(lamp: Lamp, at_s: float) -> str:
    """What SVG shows of a lamp `at_s` after it was drawn."""
    for blink in lamp.blinks:
        since_s = at_s - blink.begin_s
        if since_s < 0 or (since_s >= blink.s and not blink.again):
            continue
        share = since_s % blink.s / blink.s
        return [colour for colour, time in zip(blink.colours, blink.times, strict=True) if time <= share][-1]
    return lamp.rest


def middles(steps: tuple[Step, ...]) -> list[tuple[float, Step]]:
    """The middle of each step, when nobody can be in doubt which it is."""
    found, begun_s = [], 0.0
    for step in steps:
        found.append((begun_s + step.s / 2, step))
        begun_s += step.s
    return found


@given(st.sampled_from(sorted(LASTING)), st.none() | NAMES, st.integers(0, 6), st.booleans())
def test_the_drawing_plays_the_moment_and_then_what_lasts(
    cue: str, moment: str | None, dice_left: int, bank: bool
) -> None:
    colour = LASTING[cue].colour
    panel = drawing(PanelView(status=colour, cue=cue, moment=moment, dice_left=dice_left, bank=bank))
    first = () if moment is None else played(MOMENTS.get(moment) or LASTING[moment])
    for at_s, step in middles(first):
        assert panel.moment is not None
        assert colour_at(panel.status, at_s) == (panel.moment.colour if step.lit else DARK)
        lit = dice_left if step.dice_left is None else step.dice_left
        assert [colour_at(lamp, at_s) for lamp in panel.bar] == [LIT] * lit + [DARK] * (6 - lit)
        assert colour_at(panel.bank, at_s) == (LIT if (bank if step.bank is None else step.bank) else DARK)
    after_s = sum(step.s for step in first)
    for at_s, step in middles(repeated(LASTING[cue]) * 2):
        assert colour_at(panel.status, after_s + at_s) == (colour if step.lit else DARK)
        assert colour_at(panel.bar[0], after_s + at_s) == (LIT if dice_left else DARK)


def test_a_panel_that_says_nothing_is_drawn_dark() -> None:
    panel = drawing(PanelView())
    assert (panel.cue, panel.moment) == (None, None)
    assert not panel.status.blinks


LOOK = """(at) => {
  const svg = document.querySelector(".lamps");
  svg.pauseAnimations();
  svg.setCurrentTime(at);
  return [...svg.querySelectorAll(".plays > *")].map((lamp) => getComputedStyle(lamp).fill);
}"""


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))


@pytest.mark.browser
def test_a_browser_shows_each_flash_at_its_time(house: House, page: Any) -> None:
    start(house.phone("Ann"), "Ann", "Bo")
    page.goto(f"http://127.0.0.1:{house.port}/sim")
    house.settle(2, 2, 3, 3, 4, 6)
    expect(page.locator("#lamp-moment")).to_contain_text("farkle")
    cue, then = MOMENTS["farkle"], LASTING["throw"]
    for at_s, step in middles(played(cue)):
        status, *bar = page.evaluate(LOOK, at_s)
        assert status == rgb(cue.colour if step.lit else DARK), at_s
        lit = 6 if step.dice_left is None else step.dice_left
        assert bar == [rgb(LIT)] * lit + [rgb(DARK)] * (6 - lit), at_s
    after_s = sum(step.s for step in played(cue))
    for at_s, step in middles(repeated(then) * 2):
        status, *bar = page.evaluate(LOOK, after_s + at_s)
        assert status == rgb(then.colour if step.lit else DARK), at_s
        assert bar == [rgb(LIT)] * 6
    assert page.locator("#lamp-word").text_content() == "throw"


@pytest.mark.browser
def test_nothing_flashes_where_nothing_may_move_and_the_words_say_it(house: House, page: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"http://127.0.0.1:{house.port}/sim")
    house.table.saw(Happening("hand", 1, 1.0))
    expect(page.locator("#lamp-word")).to_have_text("hand")
    assert not page.locator(".lamps .plays").is_visible()
    still = page.locator(".lamps .rests circle")
    assert still.is_visible()
    assert still.evaluate("lamp => getComputedStyle(lamp).fill") == rgb(LASTING["hand"].colour)
    assert page.locator(".rests animate").count() == 0
    assert LASTING["hand"].rhythm in page.locator(".lamp").text_content()
