"""Lamps, words and sounds: the pure function from view, move and present to cues, and real games before the panel."""

from dataclasses import replace
from itertools import combinations, pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.course import Lead, Step
from firmware.drivers import Lamps
from firmware.lamps import STILL, lamps_of, panel_view
from rules.errors import RulesError
from rules.events import Banked, Corrected, Ended, Event, Kept, Player, Started, Thrown, Undone
from rules.game import Last, Scoreboard, Standing, Turn
from rules.games import ENGINE_VERSION
from rules.options import Options, Penalty, Win
from rules.record import Record
from vision.happening import EyeState
from vision.seen import Doubt
from web.cues import LASTING, MOMENTS, STEP_WORDS, played, repeated
from web.view import EyeView, GameView, PanelView, View

ANN, BO = Standing("Ann", None), Standing("Bo", None)
PLAYING = Scoreboard("farkle", 10000, "playing", (ANN, BO), Turn(0, dice_left=6))
OPEN = replace(PLAYING, turn=Turn(0, throw=(1, 2, 3, 3, 4, 6)))
OVER = replace(PLAYING, status="over", turn=None, winner=1)
LEADS: tuple[Lead, ...] = (*get_args(Step), "offered")
COCKED = Doubt("cocked", 1.0, 2.0, "A die leans: nudge it.")


def shown(board: Scoreboard | None, doubts: tuple[Doubt, ...] = (), eye: EyeState = "read", cue: str = "throw") -> View:
    """The view before."""
    game = None if board is None else GameView("g1", board, doubts)
    word = LASTING[cue].word
    return View("e", 1, 1, EyeView(eye, ""), PanelView("mock", word=word, cue=cue), game)


def panel(board: Scoreboard | None, eye: EyeState = "read", *doubts: Doubt, refused: bool = False) -> PanelView:
    """The panel as it comes up, with nothing before it."""
    game = None if board is None else GameView("g1", board, doubts)
    return panel_view(None, (), eye, game, refused)


@pytest.mark.parametrize(
    ("eye", "cue"),
    [
        ("empty", "ready"),
        ("hand", "hand"),
        ("rolling", "rolling"),
        ("settling", "reading"),
        ("read", "read"),
        ("unsure", "unsure"),
        ("camera-lost", "camera-lost"),
    ],
)
def test_without_a_game_the_status_lamp_tells_what_the_eye_does(eye: EyeState, cue: str) -> None:
    view = panel(None, eye)
    assert (view.cue, view.status, view.word) == (cue, LASTING[cue].colour, LASTING[cue].word)
    assert (view.dice_left, view.bank, view.sound, view.moment) == (0, False, None, None)


@pytest.mark.parametrize(
    ("board", "eye", "doubts", "refused", "cue"),
    [
        (PLAYING, "empty", (), False, "throw"),
        (PLAYING, "read", (), False, "throw"),
        (OPEN, "read", (), False, "read"),
        (OPEN, "read", (), True, "refused"),
        (OPEN, "empty", (), True, "refused"),
        (OPEN, "read", (COCKED,), True, "refused"),
        (OPEN, "read", (COCKED,), False, "ask"),
        (PLAYING, "unsure", (COCKED,), False, "ask"),
        (PLAYING, "unsure", (), False, "unsure"),
        (PLAYING, "hand", (COCKED,), True, "hand"),
        (PLAYING, "rolling", (), True, "rolling"),
        (PLAYING, "camera-lost", (COCKED,), True, "camera-lost"),
        (OVER, "read", (), False, "over"),
        (OVER, "unsure", (), False, "unsure"),
    ],
)
def test_what_the_players_should_see_to_comes_before_what_the_eye_does(
    board: Scoreboard, eye: EyeState, doubts: tuple[Doubt, ...], refused: bool, cue: str
) -> None:
    assert panel(board, eye, *doubts, refused=refused).cue == cue


def test_dice_set_aside_make_way_for_the_next_throw() -> None:
    aside = replace(OPEN, turn=Turn(0, throw=(1, 2, 3, 3, 4, 6), aside=(1,)))
    assert panel(aside).cue == "throw"


def test_the_lamp_is_steady_while_a_throw_is_read_and_nothing_else_still_plays() -> None:
    lamps = lamps_of(panel(PLAYING, "settling"))
    assert len(lamps.lasting) == 1
    assert lamps.still
    assert {cue for cue in LASTING if lamps_of(PanelView(cue=cue)).still} == set(STILL)


@pytest.mark.parametrize("step", [step for step in LEADS if step not in ("off", "named")])
def test_a_calibration_leads_with_its_word_whatever_the_eye_does(step: Lead) -> None:
    view = panel_view(shown(None), (), "rolling", None, False, step)
    assert view.cue in ("step", "learning", "pairing")
    assert view.word == STEP_WORDS.get(step, LASTING[view.cue].word)
    assert view.moment in (step, view.cue)
    assert panel_view(replace(shown(None), panel=view), (), "rolling", None, False, step).moment is None


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
    view = panel(OVER)
    assert (view.word, view.dice_left, view.bank) == ("game over", 0, False)


def test_the_factory_of_the_panel_is_carried_on() -> None:
    assert panel_view(shown(None), (), "read", None).factory == "mock"


def begun(options: Options | None = None) -> Record:
    rules = (options or Options()).to_json()
    return Record.begin(Started("farkle", rules, ENGINE_VERSION, (Player("Ann"), Player("Bo"))))


def moments(record: Record, *moves: Event | tuple[Event, ...]) -> list[str | None]:
    """The moment that each move makes in a real game."""
    made: list[str | None] = []
    for move in moves:
        events = move if isinstance(move, tuple) else (move,)
        before = shown(record.board)
        record = record.play(*events)
        made.append(panel_view(before, events, "read", GameView("g1", record.board)).moment)
    return made


def test_moves_of_a_real_game_make_their_moments() -> None:
    assert moments(
        begun(),
        Thrown((1, 1, 1, 2, 3, 4)),
        Kept((1, 1, 1)),
        Banked(),
        Thrown((2, 2, 3, 3, 4, 6)),
        Thrown((1, 1, 1, 5, 5, 5)),
        Kept((1, 1, 1, 5, 5, 5)),
    ) == ["scored", "aside", "banked", "farkle", "scored", "hot-dice"]


def test_of_two_moments_at_once_the_upper_one_in_the_table_comes() -> None:
    rules = Options(win=Win(target=1000))
    assert moments(begun(rules), (Thrown((1, 1, 1, 2, 3, 4)), Kept((1, 1, 1)), Banked()))[-1] == "final-round"
    assert moments(begun(), (Thrown((1, 1, 1, 2, 3, 4)), Kept((1, 1, 1))))[-1] == "scored"
    assert list(MOMENTS).index("win") < list(MOMENTS).index("final-round") < list(MOMENTS).index("banked")


def test_two_farkles_alike_are_two_farkles() -> None:
    assert moments(begun(), Thrown((2, 2, 3, 3, 4, 6)), Thrown((2, 2, 3, 3, 4, 6))) == ["farkle", "farkle"]


def test_taking_a_move_back_makes_no_moment() -> None:
    moves: list[Event] = [Thrown((2, 2, 3, 3, 4, 6)), Thrown((1, 1, 1, 2, 3, 4)), Kept((1, 1, 1)), Banked()]
    assert moments(begun(), *moves, Undone(), Undone(), Undone(), Undone())[-4:] == [None] * 4


def test_a_turn_that_is_lost_some_other_way_is_a_farkle() -> None:
    over = begun(Options(win=Win(target=500, rule="exact")))
    assert moments(over, Thrown((1, 1, 1, 2, 3, 4)), Banked()) == ["scored", "farkle"]
    twos = begun(Options(penalty=Penalty(four_twos=True)))
    assert moments(twos, Thrown((1, 2, 2, 2, 2, 4))) == ["farkle"]


def test_a_correction_that_gives_points_back_makes_no_farkle() -> None:
    assert moments(begun(), Thrown((1, 2, 3, 4, 6, 6)), Corrected(1, (5, 2, 3, 4, 6, 6)))[-1] is None


def test_winning_has_its_own_moment() -> None:
    before = shown(replace(PLAYING, status="final-round"))
    view = panel_view(before, (Banked(),), "read", GameView("g1", OVER))
    assert (view.moment, view.sound, view.cue) == ("win", "win", "over")


def test_a_game_that_is_ended_early_is_nobodys_win() -> None:
    over = replace(PLAYING, status="over", turn=None)
    assert panel_view(shown(PLAYING), (Ended(),), "read", GameView("g1", over)).moment is None


def test_a_point_of_a_game_that_has_one_is_shown_on_and_off() -> None:
    for what in ("point-on", "point-off"):
        board = replace(PLAYING, last=Last(0, what, 0))
        assert panel_view(shown(PLAYING), (Thrown((1, 3)),), "read", GameView("g1", board)).moment == what


def test_a_question_is_asked_aloud_once() -> None:
    asking = GameView("g1", PLAYING, (COCKED,))
    assert panel_view(shown(PLAYING), (), "unsure", asking).sound == "ask"
    assert panel_view(shown(PLAYING, (COCKED,), cue="ask"), (), "unsure", asking).sound is None


def test_a_camera_that_is_lost_is_told_once() -> None:
    assert panel_view(shown(PLAYING), (), "camera-lost", GameView("g1", PLAYING)).moment == "camera-lost"
    lost = shown(PLAYING, eye="camera-lost", cue="camera-lost")
    assert panel_view(lost, (), "camera-lost", GameView("g1", PLAYING)).moment is None


def test_a_refusal_is_told_once_and_again_for_another() -> None:
    first = GameView("g1", PLAYING, notes=("A 2 scores nothing.",))
    second = replace(first, notes=("A 3 scores nothing.",))
    assert panel_view(shown(PLAYING), (), "read", first, True).sound == "refuse"
    still = replace(shown(PLAYING, cue="refused"), game=first)
    assert panel_view(still, (), "read", first, True).sound is None
    assert panel_view(still, (), "read", second, True).sound == "refuse"


def test_a_refusal_without_a_game_is_told_too() -> None:
    assert panel_view(shown(None), (), "empty", None, True).moment == "refused"


def test_coming_up_after_a_power_cut_is_silent() -> None:
    assert panel(OVER).moment is None


def test_another_game_on_the_screen_is_no_move() -> None:
    other = GameView("g2", replace(PLAYING, throws=3))
    assert panel_view(shown(PLAYING), (Thrown((1,)),), "read", other).moment is None


def test_a_panel_view_becomes_lamps() -> None:
    view = PanelView("mock", cue="unsure", moment="farkle", dice_left=3, bank=True)
    lamps = lamps_of(view)
    assert (lamps.dice_left, lamps.bank, lamps.still) == (3, True, False)
    assert [light.status for light in lamps.lasting] == [(0.797, 0.354, 0.0), (0.0, 0.0, 0.0)] * 2
    assert [light.hz for light in lamps.moment if light.hz] == [784, 587, 392]
    assert not any(light.hz for light in lamps_of(view, sound=False).moment)
    assert [light.s for light in lamps_of(view, sound=False).moment] == [light.s for light in lamps.moment]
    assert lamps_of(PanelView()) == Lamps()
    assert lamps_of(PanelView(moment="unheard of")).moment == ()


BOARDS = st.sampled_from([None, PLAYING, OPEN, OVER, replace(PLAYING, status="final-round")])
GAMES = st.builds(
    lambda board, doubts, notes: None if board is None else GameView("g1", board, doubts, notes),
    BOARDS, st.sampled_from([(), (COCKED,)]), st.sampled_from([(), ("No.",), ("No, no.",)]),
)  # fmt: skip
EYES = st.sampled_from(get_args(EyeState))
STEPS = st.sampled_from(LEADS)
MOVES = st.lists(
    st.sampled_from([Thrown((1,)), Kept((1,)), Banked(), Undone(), Ended(), Corrected(1, (1,))]), max_size=3
)


@given(EYES, GAMES, st.booleans(), STEPS, EYES, GAMES, st.booleans(), STEPS, MOVES)
def test_every_state_has_one_lasting_cue_and_every_move_at_most_one_moment(
    eye: EyeState, game: GameView | None, refused: bool, step: Lead,
    then: EyeState, after: GameView | None, refused_then: bool, step_then: Lead, move: list[Event],
) -> None:  # fmt: skip
    first = panel_view(None, (), eye, game, refused, step)
    assert first.cue in LASTING
    assert first.moment is None, "nothing has happened yet"
    assert first.status == LASTING[first.cue].colour
    view = View("e", 1, 1, EyeView(eye, ""), first, game)
    second = panel_view(view, move, then, after, refused_then, step_then)
    assert second.cue in LASTING
    assert second.moment is None or second.moment in MOMENTS or second.moment == second.cue
    assert (second.sound is None) == (second.moment is None)
    assert lamps_of(second).lasting
    same = panel_view(replace(view, panel=second, game=after), (), then, after, refused_then, step_then)
    assert (same.cue, same.word, same.moment) == (second.cue, second.word, None), "told once"


DICE = st.lists(st.integers(1, 6), min_size=6, max_size=6).map(lambda values: tuple(sorted(values)))


@given(st.lists(st.one_of(DICE, st.just("bank"), st.just("undo")), max_size=30))
def test_in_any_game_forward_moves_make_one_moment_and_others_none(script: list[tuple[int, ...] | str]) -> None:
    record = begun()
    for line in script:
        turn = record.board.turn
        event: Event
        if isinstance(line, tuple) and turn is not None:
            best = max(turn.options, key=lambda option: option.score, default=None)
            event = Kept(best.dice) if best and not turn.aside else Thrown(tuple(sorted(line[: turn.dice_left])))
        else:
            event = Undone() if line == "undo" else Banked()
        before = shown(record.board)
        try:
            record = record.play(event)
        except RulesError:
            continue
        moment = panel_view(before, (event,), "read", GameView("g1", record.board)).moment
        assert (moment in MOMENTS) if not isinstance(event, Undone) else moment is None


# What is left of linear RGB in eyes without one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1.0.
SEEING = {
    "full": np.eye(3),
    "no red": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "no green": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "no blue": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of a page's colour as these eyes see it."""
    linear = (np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255) ** 2.2
    xyz = TO_XYZ @ np.clip(eye @ linear, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


CUES = [*LASTING.values(), *MOMENTS.values()]


@pytest.mark.parametrize("eye", list(SEEING))
def test_colours_that_mean_different_things_are_told_apart_by_all_eyes(eye: str) -> None:
    for one, other in combinations(sorted({cue.colour for cue in CUES}), 2):
        apart = float(np.linalg.norm(lab(one, SEEING[eye]) - lab(other, SEEING[eye])))
        assert apart > 10, f"{one} and {other}: {apart:.0f}"  # 2.3 is just noticeable side by side


def test_no_two_cues_share_a_rhythm() -> None:
    """Written as people tell it: short, long and very long flashes, whatever the colour and the last pause."""
    rhythms = {cue.rhythm.rstrip("_") for cue in CUES}
    assert len(rhythms) == len(CUES)


def test_every_cue_has_its_own_name_and_word() -> None:
    assert set(LASTING).isdisjoint(MOMENTS)
    assert len({cue.word for cue in CUES}) == len(CUES)
    assert all(1 <= len(word.split()) <= 3 for word in (*(cue.word for cue in CUES), *STEP_WORDS.values()))


@pytest.mark.parametrize("cue", CUES, ids=lambda cue: cue.name)
def test_no_lamp_flashes_more_than_three_times_in_a_second(cue: object) -> None:
    steps = played(cue) if cue.name in MOMENTS else repeated(cue) * 6
    for look in (lambda step: step.lit, lambda step: step.bank, lambda step: step.dice_left):
        at_s, begun = 0.0, []
        for before, step in pairwise(steps):
            at_s += before.s
            if look(step) and not look(before):
                begun.append(at_s)
        assert all(later - earlier > 1 for earlier, later in zip(begun, begun[3:], strict=False))


def test_moments_are_over_soon_and_sounds_are_no_longer_than_their_beats() -> None:
    for cue in MOMENTS.values():
        assert sum(step.s for step in played(cue)) <= 4
    for cue in CUES:
        assert len(cue.notes) <= len(cue.beats[::2])
        assert len(cue.beats) % 2 == (1 if cue.name in MOMENTS or cue.rhythm == "steady" else 0)
        assert all(392 <= hz <= 2093 for hz in cue.notes), "a piezo disc is weak below 400 Hz and shrill above 2 kHz"


def test_every_lasting_cue_of_the_table_can_come() -> None:
    lasting = {
        panel_view(None, (), eye, game, refused, step).cue
        for eye in get_args(EyeState)
        for game in (
            None,
            *(GameView("g1", board, doubts) for board in (PLAYING, OPEN, OVER) for doubts in ((), (COCKED,))),
        )
        for refused in (False, True)
        for step in LEADS
    }
    assert lasting == set(LASTING)
