"""The stickman's calls: what is called when, at Farkle and craps, in every language; and spoken by a browser."""

import string
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from paged import House, says
from test_board import open_throw, view

from rules.game import Last, Option, Standing, Turn
from speech.catalogue import ENGLISH
from speech.languages import shipped as languages
from web import craps_calls
from web.commands import Bank
from web.stickman import called
from web.table_talk import Call, shipped, spoken
from web.view import Disputed, EyeView, View


def aloud(before: View, now: View, code: str = "en") -> str:
    return spoken(called(before, now), languages()[code])


def throw(*values: int, score: int, used: tuple[int, ...] = ()) -> View:
    return view(replace(open_throw(*values), options=(Option(tuple(sorted(used or values)), score),)), seq=2)


def board(turn: Turn | None = None, **more: Any) -> View:
    return view(turn or Turn(0), seq=2, board=more)


@pytest.mark.parametrize("language", languages())
def test_every_call_is_made_in_every_language_with_the_same_values(language: str) -> None:
    for name, words in shipped().items():
        fields = [{part[1] for part in string.Formatter().parse(words[code])} - {None} for code in ("en", language)]
        assert fields[0] == fields[1], name


def test_a_language_without_calls_is_called_in_english() -> None:
    assert spoken([Call("farkle", {"points": 350})], replace(ENGLISH, code="fr")) == "Farkle! 350 gone."


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (throw(1, 2, 3, 4, 5, 6, score=1500), "Straight! 1500."),
        (throw(2, 2, 3, 3, 6, 6, score=750), "Three pairs! 750."),
        (throw(3, 3, 3, 3, 3, 2, score=1200, used=(3, 3, 3, 3, 3)), "5 threes! 1200."),
        (throw(1, 5, 2, 3, 4, 4, score=150, used=(1, 5)), "150 there."),
    ],
)
def test_a_throw_is_called_by_its_best_and_once(now: View, said: str) -> None:
    assert aloud(view(Turn(0)), now) == said
    assert aloud(now, now) == ""


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (Last(0, "farkle", 350, (2, 3)), "Farkle! 350 gone. Bo, your dice."),
        (Last(0, "farkle", 0, (2, 3), 1000), "Farkle! The third in a row: 1000 off. Bo, your dice."),
        (Last(0, "banked", 1400), "Ann banks 1400. Bo, your dice."),
        (Last(0, "went-over", 300, to=1), "Too many! 300 to Bo. Bo, your dice."),
        (Last(0, "four-twos", 2000), "Four twos! All 2000 gone. Bo, your dice."),
    ],
)
def test_the_end_of_a_turn_is_called_with_the_next_one(last: Last, said: str) -> None:
    assert aloud(view(Turn(0)), board(Turn(1), last=last)) == said


def test_within_a_turn_hot_dice_are_called_and_setting_aside_is_not() -> None:
    chosen = view(open_throw(1, 1, 5, 2, score=200, aside=(1, 1)), seq=2)
    assert aloud(view(open_throw(1, 1, 5, 2)), chosen) == ""
    assert aloud(view(Turn(0)), board(last=Last(0, "hot-dice", 500))) == "Hot dice! All 6 again."


def test_the_end_of_a_game_is_called() -> None:
    players = (Standing("Ann", "s1", 10_250), Standing("Bo", "s2", 400))
    final = view(Turn(1), seq=2, players=players, board={"leader": 0})
    assert final.game is not None
    final = replace(final, game=replace(final.game, board=replace(final.game.board, status="final-round")))
    assert aloud(view(Turn(0)), final) == "Final round! 10250 to beat. Bo, your dice."
    won = view(None, seq=3, players=players, board={"winner": 0, "winners": (0,)})
    assert aloud(final, won, "de") == "Ann gewinnt mit 10250!"
    both = view(None, seq=3, players=players, board={"winner": 0, "winners": (0, 1)})
    assert aloud(final, both, "es") == "¡Ann y Bo ganan con 10250!"


def test_a_new_game_a_doubt_a_lost_camera_and_a_disputed_throw_are_called() -> None:
    now = view(Turn(0))
    assert aloud(replace(now, game=None), now) == "Here we go! Ann, your dice."
    assert aloud(now, view(Turn(0), EyeView("unsure", ""), seq=2)) == "No call: one die is in doubt."
    assert aloud(now, view(Turn(0), EyeView("camera-lost", ""), seq=2), "de") == "Ich sehe die Würfel nicht."
    assert aloud(now, view(Turn(0), seq=2, disputed=Disputed(1, "Bo", (1,)))).startswith("Hold it!")


def test_what_is_taken_back_is_called_so_and_not_as_a_new_throw() -> None:
    banked = board(Turn(1), last=Last(0, "banked", 250))
    again = view(open_throw(1, 1, 5, 2), seq=3, may_redo=True)
    assert aloud(banked, again) == "Taken back. Ann, your dice."


def test_each_move_that_is_taken_back_or_done_again_is_called() -> None:
    def after(undone: int, seq: int) -> View:
        return view(open_throw(1, 1, 5, 2), seq=seq, may_redo=undone)

    assert aloud(after(1, 3), after(2, 4)) == "Taken back."
    assert aloud(after(2, 4), after(1, 5)) == "Done again."
    assert aloud(after(1, 5), after(1, 6)) == ""
    banked = board(Turn(1), last=Last(0, "banked", 250))
    assert aloud(after(1, 6), banked) == "Ann banks 250. Bo, your dice."


def test_dice_10000_has_its_own_word_for_a_farkle() -> None:
    now = board(Turn(1), last=Last(0, "farkle", 500, (2, 3)))
    assert now.game is not None
    now = replace(now, game=replace(now.game, board=replace(now.game.board, rules="dice-10000")))
    assert aloud(view(Turn(0)), now) == "Zilch! 500 gone. Bo, your dice."


# Craps.


@pytest.mark.parametrize(
    ("dice", "point", "said"),
    [
        ((1, 1), None, "Snake eyes! Craps, the line loses."),
        ((2, 1), None, "Ace deuce! Craps, the line loses."),
        ((6, 6), None, "Boxcars! Craps, the line loses."),
        ((6, 6), 6, "Midnight! Twelve."),
        ((5, 6), None, "Yo-leven! Front line winner!"),
        ((5, 6), 4, "Yo-leven!"),
        ((3, 4), None, "Seven! Front line winner!"),
        ((3, 4), 8, "Seven out! Next shooter."),
        ((2, 2), None, "Little Joe! Hard four. The point is 4."),
        ((5, 1), None, "Easy 6. The point is 6."),
        ((4, 4), 6, "Hard eight!"),
        ((5, 3), 8, "Easy 8. Winner! The point is made."),
        ((5, 5), None, "Puppy paws! Hard ten. The point is 10."),
        ((4, 5), 5, "Nina, nine!"),
    ],
)
def test_a_roll_of_craps_is_called_by_its_name_and_what_it_does(
    dice: tuple[int, int], point: int | None, said: str
) -> None:
    assert spoken(craps_calls.roll(dice, point), ENGLISH) == said


def test_every_roll_of_craps_has_a_call_in_every_language() -> None:
    for language in languages().values():
        for point in (None, 4, 5, 6, 8, 9, 10):
            for dice in ((first, second) for first in range(1, 7) for second in range(1, 7)):
                assert spoken(craps_calls.roll(dice, point), language)


# In a browser.

# A voice that needs to be told when it has ended.
MOUTH = """
window.said = [];
Object.defineProperty(window, 'speechSynthesis', { value: {
  speaking: false,
  getVoices: () => [{ lang: 'de-DE', name: 'far' }, { lang: 'de-DE', name: 'near', localService: true }],
  speak(one) { this.speaking = true; this.now = one; window.said.push(`${one.lang} ${one.voice.name}: ${one.text}`); },
  cancel() { this.speaking = false; },
} });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
window.ended = () => { speechSynthesis.speaking = false; speechSynthesis.now.onend(); };
"""


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/", "/tv"])
def test_calls_are_off_until_tapped_and_one_at_a_time_the_newest_next(
    phone: Callable[..., Any], home: House, path: str
) -> None:
    page = phone(locale="de-DE")
    page.context.add_init_script(MOUTH)
    page.goto(f"{home.url}{path}")
    home.start("Ann", "Bo")
    says(page, "#player", "Ann")
    assert page.evaluate("said") == []
    page.locator("#aloud").click()
    assert page.locator("#aloud").get_attribute("aria-pressed") == "true"
    home.throw(1, 1, 5, 2, 3, 4)
    says(page, "#risk", "+250")
    home.table.ask(Bank())
    says(page, "#player", "Bo")
    assert page.evaluate("said") == ["de near: Laut ansagen"]
    page.evaluate("ended()")
    assert page.evaluate("said.slice(1)") == ["de near: Ann sichert 250. Bo, deine Würfel."]
    page.reload()
    assert page.locator("#aloud").get_attribute("aria-pressed") == "true"
    page.locator("#aloud").click()
    assert page.evaluate("sessionStorage.aloud") == ""


@pytest.mark.browser
def test_a_device_without_a_voice_says_so(phone: Callable[..., Any]) -> None:
    page = phone()
    page.locator("#aloud").click()
    says(page, "#aloud", "no voice for English")
