"""Sentences remember how they were made, catalogues are whole, and each phone reads its own language."""

import copy
import pickle
import re
import string
from collections import Counter
from urllib.parse import urlencode

import pytest
import words
from served import Answer, House, Phone

from speech.catalogue import ENGLISH, read
from speech.languages import FOLDER, shipped
from speech.po import Entry, entries
from speech.sentence import Sentence, joined, listed, say, say_as, say_many

HEADER = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
GERMAN = read(
    "de",
    HEADER
    + """
msgid "{name} banked {points:,}."
msgstr "{points:,} für {name}."

msgid "{count} die lies in {where}."
msgid_plural "{count} dice lie in {where}."
msgstr[0] "{count} Würfel liegt in {where}."
msgstr[1] "{count} Würfel liegen in {where}."

msgid "the tray"
msgstr "der Schale"

msgctxt "how numbers are written"
msgid "1,234.5"
msgstr "1.234,5"

msgctxt "a move"
msgid "Bank"
msgstr "Sichern"

msgid "Broken {name}."
msgstr "Kaputt, {nam}."

#, fuzzy
msgid "Guessed."
msgstr "Geraten."

msgid "{some} and {last}"
msgstr "{some} und {last}"
""",
)
LANGUAGES = [code for code in shipped() if code != "en"]


# Sentences.


def test_a_sentence_is_its_english_text() -> None:
    sentence = say("{name} banked {points:,}.", name="Ann", points=1400)
    assert sentence == "Ann banked 1,400." == ENGLISH.tell(sentence)
    assert hash(sentence) == hash("Ann banked 1,400.")


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        (say("{name} banked {points:,}.", name="Ann", points=12400), "12.400 für Ann."),
        (
            say_many("{count} die lies in {where}.", "{count} dice lie in {where}.", 1, where="reach"),
            "1 Würfel liegt in reach.",
        ),
        (
            say_many("{count} die lies in {where}.", "{count} dice lie in {where}.", 3, where=say("the tray")),
            "3 Würfel liegen in der Schale.",
        ),
        (say_as("a move", "Bank"), "Sichern"),
        (say("Bank"), "Bank"),
        (joined([say("the tray"), "Ann"], " / "), "der Schale / Ann"),
        (listed(["Ann", "Bo", "Cleo"]), "Ann, Bo und Cleo"),
        (listed(["Ann"]), "Ann"),
    ],
)
def test_a_sentence_is_told_in_another_language(sentence: Sentence, german: str) -> None:
    assert GERMAN.tell(sentence) == german


def test_what_no_catalogue_knows_is_told_in_english() -> None:
    assert GERMAN.tell(say("Nobody knows {name}.", name="Bo")) == "Nobody knows Bo."
    assert GERMAN.tell(say("Broken {name}.", name="Bo")) == "Broken Bo."
    assert GERMAN.tell(say("Guessed.")) == "Guessed."


def test_what_somebody_typed_is_never_translated() -> None:
    assert GERMAN.tell("the tray") == "the tray"
    assert GERMAN.tell(say("{name} banked {points:,}.", name="the tray", points=1)) == "1 für the tray."


def test_a_sentence_crosses_a_pipe_and_an_error() -> None:
    sentence = joined([say("{name} banked {points:,}.", name="Ann", points=400), say("the tray")])
    for other in (pickle.loads(pickle.dumps(sentence)), copy.deepcopy(sentence), str(ValueError(sentence))):
        assert other == sentence
        assert GERMAN.tell(other) == "400 für Ann. der Schale"


def test_sentences_are_told_wherever_they_lie_in_an_answer() -> None:
    assert GERMAN.tell_all({"a": [say("the tray")], "b": (say("the tray"), 1), "c": None}) == {
        "a": ["der Schale"],
        "b": ["der Schale", 1],
        "c": None,
    }


def test_a_line_that_no_catalogue_has_is_named() -> None:
    with pytest.raises(ValueError, match="line 2"):
        list(entries('msgid "a"\nmsgstr a\n'))


# Catalogues.


@pytest.fixture(scope="module")
def wanted() -> dict[tuple[str, str], Entry]:
    return words.messages()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_catalogue_is_whole(code: str, wanted: dict[tuple[str, str], Entry]) -> None:
    """Nothing is missing, guessed, left over or there twice."""
    found = list(entries((FOLDER / f"{code}.po").read_text()))
    assert [entry.one for entry in found if not all(entry.told) or entry.fuzzy] == []
    assert sorted((entry.context, entry.one) for entry in found if entry.one) == sorted(wanted), "run: make words"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_the_same_placeholders(code: str) -> None:
    for entry in entries((FOLDER / f"{code}.po").read_text()):
        for form, told in enumerate(entry.told):
            english = entry.many if form and entry.many else entry.one
            # The singular may say "one" in words.
            least = Counter(placeholders(english)) - Counter(["count"] if entry.many else [])
            assert least <= Counter(placeholders(told)) or not entry.one, (english, told)
            assert set(placeholders(told)) <= set(placeholders(entry.one)) | set(placeholders(entry.many)), (
                english,
                told,
            )
            assert re.findall(r"<[^>]*>", told) == re.findall(r"<[^>]*>", english), told
            assert english.count("%%") == told.count("%%"), told


def placeholders(message: str) -> list[str]:
    found = re.findall(r"%\((\w+)\)s", message)
    return found or [name for _, name, _, _ in string.Formatter().parse(message) if name]


# Phones.


def test_a_phone_reads_its_own_language(house: House) -> None:
    english, german = house.phone(), house.phone()
    assert '<html lang="en">' in english.get("/health").text
    answer = german.get("/health", Accept_Language="de-AT,de;q=0.9,en;q=0.1")
    assert '<html lang="de">' in answer.text
    assert answer.headers["content-language"] == "de"
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", answer.headers["vary"]))
    assert '<html lang="es">' in german.get("/health", Accept_Language="es-MX").text
    assert '<html lang="en">' in german.get("/health", Accept_Language="fi, sv").text


def test_a_program_is_told_the_state_in_its_language(house: House) -> None:
    phone, kinds = house.phone("Ann"), {"Accept_Language": "de"}
    german, english = phone.get("/api/v1/state", **kinds), phone.get("/api/v1/state")
    assert (german.json["eye"]["text"], english.json["eye"]["text"]) == (
        "Die Kamera startet gerade.",
        "The camera is starting.",
    )
    assert phone.get("/api/v1/state", If_None_Match=english.headers["etag"], **kinds).status == 200
    assert phone.get("/api/v1/state", If_None_Match=german.headers["etag"], **kinds).status == 304


def test_a_language_is_chosen_without_a_script(house: House) -> None:
    phone = house.phone()
    page = phone.get("/rules").text
    assert re.search(r'<form[^>]* method="post" action="/language"', page)
    assert '<button class="plain" name="language" value="de" lang="de">Deutsch</button>' in page
    answer = choose(phone, "es", "/rules")
    assert (answer.status, answer.headers["location"]) == (303, "/rules")
    assert '<html lang="es">' in phone.get("/rules", Accept_Language="de").text
    assert choose(phone, "tlh", "/rules").status == 422


@pytest.mark.parametrize("next", ["//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example", "x"])
def test_choosing_a_language_leads_nowhere_else(house: House, next: str) -> None:
    assert choose(house.phone(), "de", next).headers["location"] == "/"


def choose(phone: Phone, language: str, next: str) -> Answer:
    form = urlencode({"language": language, "next": next})
    return phone.ask("POST", "/language", form, Content_Type="application/x-www-form-urlencoded")
