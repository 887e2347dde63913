"""An owner calibrates a set of dice on the simulated tray with the mouse: real page, real eye, real learning.

How long it took is printed; see it with `pytest -s`, or with `make bench ARGS="--only calibrating"`.
"""

import re
import time
from dataclasses import dataclass, field
from typing import Any

import pytest
from patience import PATIENCE_S

pytestmark = pytest.mark.browser


@dataclass
class Owner:
    """Does what the page says, a little after it says so, and never looks at anything else."""

    page: Any
    waited_s: float = 0.0  # while the tray studied or learned
    done: set[str] = field(default_factory=set)

    def calibrates(self, dice_set: str) -> float:
        """Until the set is in use; how many seconds it took, all in all."""
        page, begun_s = self.page, time.monotonic()
        page.get_by_label("Simulated dice").select_option(dice_set)
        self.press("Take all out")
        self.press("Begin")
        said = page.locator("#said:not(:empty), #seen:not([data-step=off])").first
        said.wait_for(state="attached")
        if "MODE" in page.locator("#said").inner_text():
            self.press("Hold MODE")
        while (step := page.locator("#seen").get_attribute("data-step")) != "named":
            assert step != "failed", page.locator("#step").inner_text()
            assert time.monotonic() - begun_s < 4 * PATIENCE_S, page.locator("#step").inner_text()
            self._follows(step)
        return time.monotonic() - begun_s

    def _follows(self, step: str) -> None:
        page, seen_s = self.page, time.monotonic()
        told = f"{page.locator('h1').inner_text()}: {page.locator('.instruction').inner_text()}"
        page.wait_for_timeout(100)
        if step == "learning" or page.get_by_role("button", name="A moment").count():
            self.waited_s += time.monotonic() - seen_s
        elif page.locator("#go:is([data-deed=confirm], [data-deed=name])").count():
            before = page.locator("#step").inner_html()
            page.locator("#go").click()
            page.wait_for_function("(before) => document.getElementById('step').innerHTML !== before", arg=before)
        elif step in ("dice", "rolls") and told not in self.done and re.search(r": (Put|.*Roll) .*(dice|die)", told):
            self.done.add(told)
            self.press("Lay the dice out" if "Put" in told else "Roll them")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()


def test_a_set_of_six_is_calibrated_and_read(tray: Any, page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{tray.url}/calibrate")
    page.get_by_role("link", name="Take a seat first").click()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Begin").wait_for()

    owner = Owner(page)
    took_s = owner.calibrates("ivory")
    print(f"\nsix ivory dice: {took_s:.0f} s with the mouse, {owner.waited_s:.0f} s of them while the tray learned")
    assert "saved and in use" in page.locator("#step").inner_text()
    tray.post("join", {"code": tray.code, "name": "Bo"})
    tray.post("sim/throw", {"values": [1, 2, 3, 4, 5, 6], "all": True})
    tray.until(
        lambda state: sorted(die["value"] or 0 for die in state["eye"]["dice"]) == [1, 2, 3, 4, 5, 6], "the throw"
    )
    assert troubles == []
