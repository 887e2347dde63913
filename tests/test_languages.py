"""All that people read goes through the catalogues: a language that puts every message in brackets leaves no word
outside of them."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from gettext import c2py
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import words
from served import House, Phone, house_in, start
from sets_of_dice import profile
from test_web_calibration import Hearth
from test_wizard import DARK, GOOD, IVORY, LOGO

from calibration import store
from calibration.deeds import Learnt, Looked, Rolled
from firmware import rulebook
from firmware.die_book import DieBook
from firmware.journal import Journal
from firmware.journal import Rolled as Noted
from firmware.set_cards import SetCards
from firmware.sets import Shelf
from rules.checks import CHECKS
from rules.choices import differences
from rules.conflicts import warnings
from rules.events import Thrown
from rules.options import flat
from rules.sheet import sheet
from speech.catalogue import Catalogue
from speech.languages import shipped
from vision.happening import Happening
from vision.seen import SeenDie
from web.offers import notes

# Names of people, of things that have one, and addresses are the same in every language.
NAMES = r"Stickman|Ann|Bo|Ours|BANK|UNDO|MODE|http://[\w.:/]+|\.zip|mm"
DICE = {"ivory": 2, "red": 1}
READ_ALOUD = ("aria-label", "alt", "title", "placeholder")


@cache
def bracketed() -> Catalogue:
    """Each message in brackets, but for how numbers are written."""
    found = {
        key: tuple(f"⟦{text}⟧" for text in ((entry.one, entry.many) if entry.many else (entry.one,)))
        for key, entry in words.messages().items()
    }
    return Catalogue("en", found | {("how numbers are written", "1,234.5"): ("1,234.5",)}, c2py("n != 1"))


class Shown(HTMLParser):
    """What a page shows or has read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.aloud: list[str] = []
        self._quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._quiet += tag in ("script", "style")
        self.aloud += [value for name, value in attrs if name in READ_ALOUD and value]

    def handle_endtag(self, tag: str) -> None:
        self._quiet -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._quiet:
            self.texts.append(data)


def outside(html: str, *names: str) -> list[str]:
    """The words of a page that stand in no message."""
    shown = Shown()
    shown.feed(html)
    found: list[str] = []
    # A message may have tags within, so the page is read as one text; each thing that is read aloud stands alone.
    for text in ("\n".join(shown.texts), *shown.aloud):
        before = ""
        while before != text:
            before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
        found += re.findall(r"[^\W\d_]{2,}", re.sub("|".join((NAMES, *map(re.escape, names))), " ", text))
    return found


@pytest.fixture
def hearth() -> Hearth:
    return Hearth()


@pytest.fixture
def house(hearth: Hearth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """With a set of dice of which the red one shows nothing but sixes."""
    monkeypatch.setattr("served.create_app", told_in(bracketed()))
    ours, shelf = profile(), Shelf(tmp_path)
    kinds = tuple(replace(ours.kinds[0], name=name, count=count) for name, count in DICE.items())
    shelf.keep(store.packed(replace(ours, kinds=kinds)), "Ours")
    with ExitStack() as parts:
        book = DieBook(tmp_path / "stickman.db", SetCards(shelf).called)
        parts.callback(book.close)
        dice_sets = SetCards(shelf, book.forget)
        yield house_in(tmp_path, parts, calibrator=hearth, dice_sets=dice_sets, die_book=book)


def told_in(catalogue: Catalogue) -> Any:
    from web.app import create_app

    return lambda *given, **more: create_app(*given, **more, spoken={"en": catalogue})


@pytest.fixture
def ann(house: House, tmp_path: Path) -> Phone:
    """Somebody who has seen a farkle, a bank and an undo."""
    phone = house.phone("Ann")
    start(phone, "Ann", "Bo")
    house.settle(1, 1, 5, 2, 3, 4)
    phone.post("games/current/keep", {"dice": [1, 1, 5]})
    phone.post("games/current/bank")
    house.settle(2, 2, 3, 3, 4, 6)
    house.settle(1, 2, 3, 3, 4, 6)
    with closing(Journal(tmp_path / "stickman.db")) as journal:
        for k in range(30):
            dice = (("ivory", 1 + k % 6), ("ivory", 6 - k % 6), ("red", 6))
            journal.append("dice", (Thrown((1,)),), at="", rolled=Noted("ours", dice))
    return phone


PAGES = (
    *(
        "/",
        "/play",
        "/tv",
        "/sim",
        "/rules",
        "/sheet",
        "/sets",
        "/health",
        "/calibrate",
        "/join",
        "/overlay",
        "/nothing",
    ),
    *("/sets/ours/dice", "/rules/wild", "/rules/team-farkle", "/rules/exact-10000", "/rules/dice-10000/change"),
    *("/history", "/history?archive", "/history/current", "/history/current?correct=1"),
)


@pytest.mark.parametrize("path", PAGES)
def test_no_word_of_a_page_is_outside_the_catalogues(house: House, ann: Phone, path: str) -> None:
    page = ann.get(path, Accept="text/html").text
    assert outside(page, house.room.code, *house.fingers.dice_sets()) == []


def test_no_word_of_a_doubt_is_outside_the_catalogues(house: House, ann: Phone) -> None:
    dice = tuple(SeenDie(value, 100.0 * k, 100.0, 50.0) for k, value in enumerate((1, 1, 2, 3, 4), start=1))
    house.table.saw(Happening("settled", 1, 1.0, roll=90, dice=dice, thrown=dice))
    doubts = ann.get("/api/v1/state").json["game"]["turn"]["doubts"]
    assert outside("".join(doubt["text"] for doubt in doubts)) == []
    assert outside(ann.get("/").text, house.room.code) == []


def test_no_word_of_a_calibration_is_outside_the_catalogues(house: House, hearth: Hearth, ann: Phone) -> None:
    def looks(step: str) -> None:
        assert hearth.state.step == step
        assert outside(ann.get("/calibrate").text, *house.fingers.dice_sets(), "It is dark.") == []

    looks("off")
    for step in ("light", "empty", "tray", "dice", "dice"):
        ann.post("calibration/take" if step != "light" else "calibration/begin")
        hearth.happens(Looked(DARK if step == "light" else GOOD))
        looks(step)
    ann.post("calibration/take")
    looks("learning")
    hearth.happens(Learnt((IVORY,), 6, (LOGO, LOGO, LOGO)))
    looks("faces")
    ann.post("calibration/faces", {"faces": [None, None, None]})
    hearth.happens(Learnt((IVORY,), 6))
    for number in (1, 2, 3):
        looks("rolls")
        hearth.happens(Rolled(GOOD, True))
        looks("rolls")
        ann.post("calibration/confirm", {"roll": number})
    looks("passed")
    ann.post("calibration/name", {"name": "Ann"})
    looks("named")


@pytest.mark.parametrize("name", rulebook.NAMES)
def test_no_word_of_a_rule_sheet_is_outside_the_catalogues(name: str) -> None:
    options = rulebook.presets()[name].options
    texts = [*warnings(options), *notes(options), *differences(flat(options.to_json()))]
    for chapter in sheet(options):
        texts += [chapter.heading, *chapter.sentences]
    assert outside(" ".join(map(bracketed().tell, texts)), "off") == []


@pytest.mark.parametrize("key", CHECKS)
def test_no_word_of_what_an_option_may_be_is_outside_the_catalogues(key: str) -> None:
    words_of_files = re.sub(r'"[^"]*"|\{[^}]*\}', "", bracketed().tell(CHECKS[key].allowed))
    assert outside(words_of_files, "may", "must", "all") == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("games/current/keep", {"dice": [4]}),
        ("games/current/throws", {"values": [1]}),
        ("games/current/correct", {"throw": 9, "values": [1]}),
        ("join", {"code": "no", "name": "Ann"}),
        ("rules/check", {"rules": {"base": "farkle", "win": {"target": 0}}}),
        ("rules/check", {"rules": {"base": "farkle", "score": {"custom": [{"pattern": "7", "value": 3}]}}}),
        ("rules/check", {"rules": {"base": "five-dice", "score": {"straight": 1500}}}),
    ],
)
def test_no_word_of_a_refusal_is_outside_the_catalogues(ann: Phone, path: str, body: Any) -> None:
    answer = ann.post(path, body).json
    told = [answer.get("detail", ""), *(each["text"] for each in answer.get("mistakes", ()))]
    told += [*answer.get("changes", ()), *answer.get("warnings", ())]
    assert any(told)
    assert outside("".join(told), "off") == []


CLIPPED = """() => [...document.querySelectorAll("button, .button, h1, h2, summary, label, .tag")]
  .filter((it) => it.offsetParent && it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display != "inline")
  .map((it) => it.textContent.trim())"""


@pytest.mark.browser
@pytest.mark.parametrize("code", [code for code in shipped() if code != "en"])
def test_the_words_of_every_language_fit_a_phone(chromium: Any, tmp_path: Path, code: str) -> None:
    with ExitStack() as parts:
        house = house_in(tmp_path, parts, calibrator=Hearth())
        ann = house.phone("Ann")
        start(ann, "Ann", "Bo")
        house.settle(1, 1, 5, 2, 3, 4)
        context = chromium.new_context(viewport={"width": 360, "height": 740}, locale=code)
        parts.callback(context.close)
        name, value = ann.cookie.split("=", 1)
        url = f"http://127.0.0.1:{house.port}"
        context.add_cookies([{"name": name, "value": value, "url": url}])
        page = context.new_page()
        for path in ("/", "/join", "/rules/farkle/change", "/history/current", "/health", "/sets", "/calibrate"):
            page.goto(url + path)
            assert page.locator("html").get_attribute("lang") == code
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
            assert page.evaluate(CLIPPED) == [], path
