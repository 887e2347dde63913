"""Lamps, words and sounds: pure tables, and a real game of Farkle played before the panel."""

from dataclasses import replace
from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.drivers import Lamps
from firmware.drivers.gpio_effects import CUES
from firmware.lamps import ASKING, BUSY, EYE_SIGNS, REFUSED, WON, Sign, Sound, lamps_of, panel_view
from rules.events import Banked, Corrected, Event, Kept, Player, Started, Thrown, Undone
from rules.game import Scoreboard, Standing, Turn
from rules.games import ENGINE_VERSION
from rules.options import Options, Penalty, Win
from rules.record import Record
from vision.happening import EyeState
from vision.seen import Doubt
from web.ports import EyeView, GameView, PanelView, View

ANN, BO = Standing("Ann", None), Standing("Bo", None)
PLAYING = Scoreboard("farkle", 10000, "playing", (ANN, BO), Turn(0, dice_left=6))
COCKED = Doubt("cocked", 1.0, 2.0, "A die leans: nudge it.")


def shown(board: Scoreboard | None, doubts: tuple[Doubt, ...] = (), eye: EyeState = "read", word: str = "") -> View:
    """The view before."""
    game = None if board is None else GameView("g1", board, doubts)
    return View("e", 1, 1, EyeView(eye, ""), PanelView("mock", word=word), game)


def panel(board: Scoreboard | None, eye: EyeState = "read", *doubts: Doubt, refused: bool = False) -> PanelView:
    """The panel as it comes up, with nothing before it."""
    game = None if board is None else GameView("g1", board, doubts)
    return panel_view(None, eye, game, refused)


@pytest.mark.parametrize("eye", get_args(EyeState))
def test_without_a_game_the_status_lamp_tells_what_the_eye_does(eye: EyeState) -> None:
    view = panel(None, eye)
    sign = EYE_SIGNS[eye]
    assert (view.status, view.word, view.pulse) == (sign.colour, sign.word, sign.pulse)
    assert (view.dice_left, view.bank, view.sound) == (0, False, None)


@pytest.mark.parametrize("eye", ["hand", "rolling", "settling", "read"])
def test_the_lamp_is_steady_while_pictures_are_read(eye: EyeState) -> None:
    assert not panel(PLAYING, eye).pulse


@pytest.mark.parametrize(
    ("eye", "doubts", "refused", "sign"),
    [
        ("read", (), False, EYE_SIGNS["read"]),
        ("read", (), True, REFUSED),
        ("empty", (), True, REFUSED),
        ("read", (COCKED,), True, REFUSED),
        ("read", (COCKED,), False, ASKING),
        ("unsure", (COCKED,), False, ASKING),
        ("unsure", (), False, EYE_SIGNS["unsure"]),
        ("hand", (COCKED,), True, EYE_SIGNS["hand"]),
        ("rolling", (), True, EYE_SIGNS["rolling"]),
        ("camera-lost", (COCKED,), True, EYE_SIGNS["camera-lost"]),
    ],
)
def test_what_the_players_should_see_to_comes_before_what_the_eye_does(
    eye: EyeState, doubts: tuple[Doubt, ...], refused: bool, sign: Sign
) -> None:
    view = panel(PLAYING, eye, *doubts, refused=refused)
    assert (view.status, view.word, view.pulse) == (sign.colour, sign.word, sign.pulse)


def test_dice_that_do_not_score_are_amber() -> None:
    assert panel(PLAYING, refused=True).status == "#e69f00"


@pytest.mark.parametrize("dice_left", range(7))
def test_the_bar_shows_the_dice_of_the_next_throw(dice_left: int) -> None:
    assert panel(replace(PLAYING, turn=Turn(0, dice_left=dice_left))).dice_left == dice_left


def test_more_dice_than_lamps_light_them_all() -> None:
    assert panel(replace(PLAYING, turn=Turn(0, dice_left=10))).dice_left == 6


@pytest.mark.parametrize(
    ("may_bank", "doubts", "lit"), [(True, (), True), (False, (), False), (True, (COCKED,), False)]
)
def test_the_bank_lamp_is_lit_when_banking_is_allowed(may_bank: bool, doubts: tuple[Doubt, ...], lit: bool) -> None:
    board = replace(PLAYING, turn=Turn(0, may_bank=may_bank))
    assert panel(board, "read", *doubts).bank is lit


def test_a_game_that_is_over_says_so_and_turns_its_lamps_off() -> None:
    board = replace(PLAYING, status="over", turn=None, winner=1)
    view = panel(board)
    assert (view.word, view.dice_left, view.bank) == (WON.word, 0, False)


def test_the_factory_of_the_panel_is_carried_on() -> None:
    assert panel_view(shown(None), "read", None, False).factory == "mock"


def begun(options: Options | None = None) -> Record:
    rules = (options or Options()).to_json()
    return Record.begin(Started("farkle", rules, ENGINE_VERSION, (Player("Ann"), Player("Bo"))))


def sounds(record: Record, *moves: Event) -> list[str | None]:
    """The sound that each move makes in a real game."""
    made: list[str | None] = []
    for move in moves:
        before = shown(record.board)
        record = record.play(move)
        made.append(panel_view(before, "read", GameView("g1", record.board), False).sound)
    return made


def test_moves_of_a_real_game_make_their_sounds() -> None:
    assert sounds(
        begun(),
        Thrown((1, 1, 1, 2, 3, 4)),
        Kept((1, 1, 1)),
        Banked(),
        Thrown((2, 2, 3, 3, 4, 6)),
        Thrown((1, 1, 1, 5, 5, 5)),
        Kept((1, 1, 1, 5, 5, 5)),
    ) == ["throw", None, "bank", "farkle", "throw", "hot-dice"]


def test_taking_a_move_back_makes_no_sound() -> None:
    moves: list[Event] = [Thrown((2, 2, 3, 3, 4, 6)), Thrown((1, 1, 1, 2, 3, 4)), Kept((1, 1, 1)), Banked()]
    assert sounds(begun(), *moves, Undone(), Undone(), Undone(), Undone())[-4:] == [None] * 4


def test_a_turn_that_is_lost_some_other_way_sounds_like_a_farkle() -> None:
    over = begun(Options(win=Win(target=500, rule="exact")))
    assert sounds(over, Thrown((1, 1, 1, 2, 3, 4)), Banked()) == ["throw", "farkle"]
    twos = begun(Options(penalty=Penalty(four_twos=True)))
    assert sounds(twos, Thrown((1, 2, 2, 2, 2, 4))) == ["farkle"]


def test_a_correction_that_gives_points_back_makes_no_farkle() -> None:
    assert sounds(begun(), Thrown((1, 2, 3, 4, 6, 6)), Corrected(1, (5, 2, 3, 4, 6, 6)))[-1] is None


def test_winning_has_its_own_sound() -> None:
    before = shown(replace(PLAYING, status="final-round"))
    over = replace(PLAYING, status="over", turn=None, winner=0)
    assert panel_view(before, "read", GameView("g1", over), False).sound == "win"


def test_a_game_that_is_ended_early_is_nobodys_win() -> None:
    over = replace(PLAYING, status="over", turn=None)
    assert panel_view(shown(PLAYING), "read", GameView("g1", over), False).sound is None


def test_a_question_is_asked_aloud_once() -> None:
    asking = GameView("g1", PLAYING, (COCKED,))
    assert panel_view(shown(PLAYING), "unsure", asking, False).sound == "ask"
    assert panel_view(shown(PLAYING, (COCKED,)), "unsure", asking, False).sound is None


def test_a_refusal_sounds_once_and_again_for_another() -> None:
    first = GameView("g1", PLAYING, notes=("A 2 scores nothing.",))
    second = replace(first, notes=("A 3 scores nothing.",))
    assert panel_view(shown(PLAYING), "read", first, True).sound == "refuse"
    still = replace(shown(PLAYING, word=REFUSED.word), game=first)
    assert panel_view(still, "read", first, True).sound is None
    assert panel_view(still, "read", second, True).sound == "refuse"


def test_a_refusal_without_a_game_sounds_too() -> None:
    assert panel_view(shown(None), "empty", None, True).sound == "refuse"


def test_coming_up_after_a_power_cut_is_silent() -> None:
    assert panel(replace(PLAYING, status="over", turn=None, winner=0)).sound is None


def test_another_game_on_the_screen_is_no_move() -> None:
    other = GameView("g2", replace(PLAYING, throws=3))
    assert panel_view(shown(PLAYING), "read", other, False).sound is None


def test_every_sound_has_a_cue() -> None:
    assert set(get_args(Sound)) == set(CUES)


def test_a_panel_view_becomes_lamps() -> None:
    view = PanelView("mock", "#ff8000", "amber", True, 3, True, "farkle")
    assert lamps_of(view) == Lamps((1.0, 0.22, 0.0), True, 3, True, "farkle")
    assert lamps_of(PanelView()) == Lamps()
    assert lamps_of(PanelView(sound="unheard of")).sound is None


# What is left of linear RGB in eyes without one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1.0.
EYES = {
    "full": np.eye(3),
    "no red": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "no green": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "no blue": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of a page's colour as these eyes see it."""
    linear = np.array(lamps_of(PanelView(status=colour)).status)
    xyz = TO_XYZ @ np.clip(eye @ linear, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eye", list(EYES))
def test_colours_that_mean_different_things_are_told_apart_by_all_eyes(eye: str) -> None:
    signs = {sign.colour: sign for sign in (*EYE_SIGNS.values(), REFUSED, WON)}
    for one, other in combinations(signs.values(), 2):
        apart = float(np.linalg.norm(lab(one.colour, EYES[eye]) - lab(other.colour, EYES[eye])))
        assert apart > 10, f"{one.word} and {other.word}: {apart:.0f}"  # 2.3 is just noticeable side by side


def test_every_sign_has_its_own_word() -> None:
    signs = [*EYE_SIGNS.values(), REFUSED, ASKING, WON]
    assert len({sign.word for sign in signs}) == len(signs)
    assert all(1 <= len(sign.word.split()) <= 2 for sign in signs)
    assert all(not EYE_SIGNS[eye].pulse for eye in BUSY)
