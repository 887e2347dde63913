"""The page of a calibration: one instruction a screen, what the tray sees drawn over its picture, corners to drag."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest
from patience import PATIENCE_MS
from served import House, house_in
from test_early_presses import without_modules
from test_pages import SIZES, says, until
from test_web_calibration import Hearth
from test_wizard import CROWN, DICE, IVORY, LOGO

from calibration.asked import Meaning
from calibration.course import Calibration
from calibration.deeds import Answered, Begun, Event, KeepStill, Learnt, Looked, Rolled, StillKept, Studied, Study
from calibration.sight import Hint, Sight
from calibration.wizard import follow
from firmware.drivers.simulated.render import render
from firmware.drivers.simulated.scene import Scene

TRAY = ((130.0, 856.0), (920.0, 872.0), (926.0, 93.0), (154.0, 85.0))
GOOD = Sight(1280, 960, still=True, tray=TRAY, dice=DICE)
BLIND = replace(GOOD, still=False, dice=tuple(replace(die, value=None) for die in DICE))
GLARE = Hint("glare", "A lamp glares here: turn it.", (700, 300, 900, 480))
TOUCHING = Hint("touching", "Two dice touch: push them apart.", (500, 400, 640, 520))


class Tray(Hearth):
    """A calibration whose steps are told by the tests, before a picture of the simulated tray."""

    def __init__(self) -> None:
        super().__init__()
        self.found = GOOD
        self._jpeg = cv2.imencode(".jpg", cv2.resize(render(Scene(), 0.0), (640, 480)))[1].tobytes()

    def picture(self, still: str | None = None) -> bytes | None:
        return self._jpeg if super().picture(still) else None

    def happens(self, *events: Event) -> None:
        """What a study finds is `found`."""
        for event in events:
            self.state, orders = follow(self.state, event, float(next(self.clock)))
            self.happens(*(StillKept(order.name) for order in orders if isinstance(order, KeepStill)))
            self.happens(*(Studied(order.name, self.found) for order in orders if isinstance(order, Study)))

    def until(self, step: str) -> None:
        """Good pictures, and dice stirred between them, until that step."""
        if not self.state.under_way:
            self.happens(Begun(()))
        while self.state.step != step:
            if self.state.step == "learning":
                self.happens(Learnt((IVORY,), 6, (LOGO, CROWN) if step == "faces" else ()))
            elif self.state.step == "faces":
                self.do(Answered((None,) * len(self.state.unnamed)))
            else:
                self.happens(Looked(BLIND), Looked(GOOD), Looked(GOOD), Looked(GOOD))

    def roll(self, sure: bool = True) -> None:
        self.happens(Rolled(GOOD, sure))


@pytest.fixture
def tray() -> Tray:
    return Tray()


@pytest.fixture
def house(tmp_path: Path, tray: Tray) -> Iterator[House]:
    with ExitStack() as parts:
        yield house_in(tmp_path, parts, calibrator=tray)


Opened = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any, house: House) -> Iterator[Opened]:
    """The page on a phone that has a seat. Anything on its console fails."""
    contexts, complaints = [], list[str]()

    def new(**options: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 360, "height": 740}} | options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        url = f"http://127.0.0.1:{house.port}"
        page.goto(f"{url}/join#{house.room.code}")
        page.get_by_label("Your name").fill("Ann")
        page.get_by_role("button", name="Sit down").click()
        page.wait_for_url("**/play")
        page.goto(f"{url}/calibrate")
        return page

    yield new
    for context in contexts:
        context.close()
    assert complaints == []


def test_begin_pressed_before_the_scripts_have_come_begins(opened: Opened) -> None:
    page = opened()
    with without_modules(page, page.url):
        page.get_by_role("button", name="Begin").click()
    page.locator("#seen[data-step=light]").wait_for(state="attached")


def test_the_steps_are_drawn_by_the_server(house: House, tray: Tray) -> None:
    tray.until("dice")
    tray.found = replace(GOOD, hints=(GLARE, TOUCHING, Hint("too-few", "One die is missing.")))
    tray.happens(Looked(GOOD), Looked(GOOD), Looked(GOOD))
    text = house.phone().get("/calibrate/now").text
    assert "3 steps left" in text
    assert text.partition('<div id="step"')[0].count("<rect") == len(DICE) + 2
    assert "1: A lamp glares" in text
    assert "2: Two dice touch" in text
    assert "data-good" not in text
    assert "Not yet" in text


@pytest.mark.parametrize("step", ["light", "empty", "tray", "dice"])
def test_the_frame_is_green_only_when_the_picture_can_be_taken(house: House, tray: Tray, step: str) -> None:
    tray.until(step)
    tray.happens(Looked(replace(BLIND, hints=(GLARE,))))
    assert "data-good" not in house.phone().get("/calibrate/now").text
    tray.happens(Looked(GOOD))
    assert "data-good" in house.phone().get("/calibrate/now").text


def test_whoever_has_no_seat_is_sent_to_take_one(house: House) -> None:
    assert f"/join?next=calibrate#{house.room.code}" in house.phone().get("/calibrate").text
    assert 'id="film"' in house.phone("Ann").get("/calibrate").text


def test_a_tray_that_cannot_be_calibrated_here_says_how(tmp_path: Path) -> None:
    with ExitStack() as parts:
        answer = house_in(tmp_path, parts).phone().get("/calibrate", Accept="text/html")
    assert answer.status == 404
    assert "stickman calibrate" in answer.text


def test_the_simulated_hands_are_offered_at_their_own_machine_only(house: House) -> None:
    client = house.app.test_client()
    client.set_cookie("stickman_seat", house.phone("Ann").cookie.partition("=")[2])
    for address, offered in (("127.0.0.1", True), ("192.0.2.44", False)):
        page = client.get("/calibrate", environ_overrides={"REMOTE_ADDR": address})
        assert (b"data-hand" in page.data) is offered


def at(page: Any, corner: str) -> tuple[float, float]:
    """Where on the screen a corner of the outline is."""
    x, y = page.evaluate("(id) => { const m = document.getElementById(id).getScreenCTM(); return [m.e, m.f] }", corner)
    return x, y


@pytest.mark.browser
def test_a_corner_follows_the_mouse_and_the_arrow_keys(opened: Opened, tray: Tray) -> None:
    page = opened()
    tray.until("tray")
    tray.happens(Looked(GOOD))
    page.locator("#tray-1").wait_for(state="attached")
    x, y = at(page, "tray-1")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 30, steps=4)
    page.mouse.up()
    until(lambda: tray.state.tray != TRAY)
    assert tray.state.tray is not None
    scale = 1280 / page.locator("#film").bounding_box()["width"]
    assert tray.state.tray[0] == pytest.approx((130 + 40 * scale, 856 - 30 * scale), abs=3)
    assert tray.state.tray[1:] == TRAY[1:]
    before = tray.state.tray[2]
    page.locator("#tray-3").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    until(lambda: tray.state.tray is not None and tray.state.tray[2] == (before[0] - 3, before[1] + 20))
    assert page.evaluate("document.activeElement.id") == "tray-3"


@pytest.mark.browser
def test_rolls_are_confirmed_with_one_tap_or_told_by_tapping(opened: Opened, tray: Tray) -> None:
    page = opened()
    tray.until("rolls")
    says(page, "#step", "Roll all 6 dice.")
    tray.roll()
    page.get_by_role("button", name="That is wrong").click()
    page.get_by_role("button", name="Die 6: 6").click()
    page.get_by_role("button", name="A 2", exact=True).click()
    page.get_by_role("button", name="That is the throw").click()
    until(lambda: tray.state.step == "learning")
    tray.until("rolls")
    for number in range(1, 4):
        tray.roll()
        says(page, "h1", f"Roll {number} of 3")
        page.get_by_role("button", name="Yes, it shows 1 2 3 4 5 6").click()
        until(lambda number=number: len([roll for roll in tray.state.rolls if roll.confirmed]) == number)
    says(page, "#step", "The least sure die: 99.1 %")
    page.get_by_role("button", name="Save, and play with them").click()
    says(page, "#step", "Ivory dice is saved and in use.")


@pytest.mark.browser
def test_what_faces_without_pips_stand_for_is_told_by_tapping(opened: Opened, tray: Tray) -> None:
    page = opened()
    tray.until("faces")
    says(page, "h1", "Faces without pips")
    page.get_by_role("button", name="That is what they count").click()
    says(page, "#said", "Say of each face what it counts, 1 to 6, or that it is a pattern.")
    one, other = page.locator("form.unnamed").all()
    one.locator(".face").nth(2).click()
    one.get_by_label("Called").fill("J")
    other.get_by_label("A pattern, not a face").check()
    page.get_by_role("button", name="That is what they count").click()
    until(lambda: tray.state.step == "learning")
    assert [said for _, said in tray.state.answers] == [Meaning(3, "J"), None]


@pytest.mark.browser
def test_it_is_done_with_the_keyboard_and_said_to_those_who_listen(opened: Opened, tray: Tray) -> None:
    page = opened()
    page.locator("#go").focus()
    page.keyboard.press("Enter")
    until(lambda: tray.state.step == "light")
    tray.happens(Looked(replace(BLIND, hints=(GLARE,))))
    says(
        page, "#call", "Light and focus Look whether the whole tray is in view, well lit and sharp. A lamp glares here"
    )
    assert page.evaluate("document.activeElement.id") == "go"
    page.keyboard.press("Enter")
    until(lambda: tray.state.step == "empty")
    tray.until("rolls")
    for number in (1, 2, 3):
        tray.roll()
        page.locator(f"#go[data-deed=confirm][data-body*='{number}']").focus()
        page.keyboard.press("Enter")
        until(lambda: all(roll.confirmed for roll in tray.state.rolls))
    page.get_by_label("Name of this set").fill("Grandma's")
    page.keyboard.press("Enter")
    says(page, "#call", "Ready to play Grandma's is saved and in use.")


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_step_fits_every_screen(opened: Opened, tray: Tray, theme: str) -> None:
    page = opened(color_scheme=theme)
    for step in ("off", "light", "empty", "tray", "dice", "learning", "faces", "rolls"):
        if step != "off":
            tray.until(step)
        fits(page, step)
    tray.roll()
    fits(page, "roll")
    tray.state = Calibration("failed", reason="The dice were not read surely enough. " * 4)
    fits(page, "failed")


def fits(page: Any, step: str) -> None:
    if step != "roll":
        page.locator(f"#seen[data-step={step}]").wait_for(state="attached")
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{step} {name}"
        assert page.evaluate(
            "[...document.querySelectorAll('#actions button')].every((e) => e.offsetHeight >= 48"
            " && e.getBoundingClientRect().top < innerHeight)"
        ), f"{step} {name}"
