"""A walk past every page of a running simulated tray, through every state of a game, for those who look at them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Stop:
    """`taps`: what is tapped there before one looks."""

    name: str
    url: str
    taps: tuple[str, ...] = ()

    def show(self, page: Any) -> None:
        # A page that is left by its #code only would not be loaded again.
        page.goto("about:blank")
        page.goto(self.url)
        for selector in self.taps:
            page.locator(selector).first.click()


def walk(tray: Any, cookies: Any) -> Iterator[Stop]:
    """The tray is as it should be at each stop until the next is asked for. `cookies`: the browser's context."""
    yield from _at(tray, {"idle": "/", "join": f"/join#{tray.code}", "tv idle": "/tv", "sim idle": "/sim"})
    tray.post("join", {"code": tray.code, "name": "Ann"})
    sit_down(cookies, tray.cookie, tray.url)
    yield from _at(tray, {"start": "/play", "seats": "/join", "rules": "/rules", "options": "/rules/farkle/change"})
    yield from _at(tray, {"rule sheet": "/rules/wild", "health": "/health", "tray": "/tray", "sets": "/sets"})
    yield from _at(tray, {"no games": "/history", "calibrate": "/calibrate", "nothing there": "/nothing"})
    yield from _at(tray, {"no club": "/tv?club"})
    tray.post(
        "games", {"rules": {"base": "farkle", "win": {"target": 1000}}, "players": ["Ann", "Bartholomew", "Cleo"]}
    )
    yield from _at(tray, {"to throw": "/play", "overlay": "/overlay"})
    tray.throw(1, 1, 5, 2, 3, 4)
    yield from _boards(tray, "thrown")
    yield from _at(tray, {"sim": "/sim", "sheet": "/sheet"})
    cookies.clear_cookies(name=tray.cookie.partition("=")[0])
    yield from _at(tray, {"watched": "/"})
    sit_down(cookies, tray.cookie, tray.url)
    yield Stop("more", f"{tray.url}/play", ("#more",))
    yield Stop("by hand", f"{tray.url}/play", ("#more", "[data-open=enter]"))
    _bank(tray)
    tray.throw(2, 2, 3, 3, 4, 6)
    yield from _at(tray, {"farkle": "/play"})
    yield from _a_throw(tray)
    yield from _doubt(tray)
    tray.throw(1, 1, 1, 5, 2, 3)
    _bank(tray)
    yield from _boards(tray, "final round")
    for _ in range(2):
        tray.throw(2, 2, 3, 3, 4, 6)
    tray.until(lambda state: state["game"]["status"] == "over", "the end")
    yield from _boards(tray, "won")
    yield from _at(tray, {"games": "/history", "game": "/history/current"})
    found = re.search(r'href="(/sets/[^"]+/dice)"', tray.call("GET", "/sets")[1])
    assert found
    yield from _at(tray, {"fairness": found[1]})
    tray.post("sim/fault", {"kind": "dead-camera", "seconds": 600})
    tray.until(lambda state: state["eye"]["state"] == "camera-lost", "the lost camera")
    tray.post("games", {"rules": "farkle", "players": ["Ann", "Bo"]})
    yield from _boards(tray, "camera lost")


def sit_down(cookies: Any, cookie: str, url: str) -> None:
    """The browser is the phone that this cookie was given to."""
    name, _, value = cookie.partition("=")
    cookies.add_cookies([{"name": name, "value": value, "url": url}])


def _at(tray: Any, stops: dict[str, str]) -> Iterator[Stop]:
    for name, path in stops.items():
        yield Stop(name, f"{tray.url}{path}")


def _boards(tray: Any, state: str) -> Iterator[Stop]:
    yield from _at(tray, {state: "/play", f"{state}, tv": "/tv"})


def _bank(tray: Any) -> None:
    tray.post("games/current/bank", {"rev": tray.state()["rev"]})


def _a_throw(tray: Any) -> Iterator[Stop]:
    """A throw looked at again, which everybody is then asked to do."""
    game = tray.state()["game"]["id"]
    yield from _at(tray, {"a throw": f"/history/{game}/throws/1"})
    tray.post("games/current/dispute", {"throw": 1})
    yield from _boards(tray, "disputed")
    tray.post("games/current/stands", {"throw": 1})


def _doubt(tray: Any) -> Iterator[Stop]:
    tray.post("sim/throw", {"values": [1, 1, 5, 2, 3, 4], "cocked": 1})
    tray.until(lambda state: state["game"]["turn"]["doubts"], "the doubt")
    yield from _boards(tray, "doubt")
    tray.post("games/current/throws", {"values": [2, 2, 3, 3, 4, 6], "rev": tray.state()["rev"]})
