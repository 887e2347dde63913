"""How the pages are reached, and what must be well for them."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wifi:
    """The Wi-Fi that the owner lets guests into. `password`: empty for an open one. `hidden`: it does not tell its
    name."""

    name: str
    password: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """How the pages are reached. `hosts`: names of the tray. `wifi`: None when the owner names none. `at_home`: whether
    the address of a phone is in the tray's own network."""

    hosts: frozenset[str] = frozenset()
    max_streams: int = 220
    simulated: bool = False
    wifi: Wifi | None = None
    at_home: Callable[[str | None], bool] = lambda _: False


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be well before the tray can be used. `name`: "camera", "journal", "profile", ...
    `text`: a sentence for people, with the cure when it is not `ok`. `needed`: the tray is not ready without it."""

    name: str
    ok: bool
    text: str
    needed: bool = True
