"""No throw is lost and none counts twice, whatever the eye misses and whatever is pressed meanwhile: the real table and
journal; what the eye sees is told by hand."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from test_faces_asked import Camera
from test_table import begin, close, flushed, table_on

from calibration.deeds import Begun, Cancelled, Studied, Taken
from calibration.sight import Sight
from firmware.calibrating import Calibrating
from firmware.drivers import Press
from firmware.lessons import FOLDER
from firmware.sets import Shelf
from firmware.table import Table
from rules.game import Scoreboard, Turn
from vision.happening import Happening, Kind
from vision.seen import Doubt, SeenDie, Zone
from web import commands
from web.view import GameView, View

LEANS = Doubt("cocked", 10.0, 20.0, "One die is leaning: nudge it, or tap its value.")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = table_on(tmp_path)
    table.start()
    begin(table)
    yield table
    close(table)


@pytest.fixture
def calibrating(table: Table, tmp_path: Path) -> Iterator[Calibrating]:
    """Before this table; the eye has just seen an empty tray."""
    calibrating = Calibrating(tmp_path, table, Shelf(tmp_path), lambda: "2026-05-03", "0.1.0")
    calibrating.start(Camera(tmp_path / FOLDER))
    calibrating.saw(found())
    yield calibrating
    calibrating.stop()


def lie(*values: int | None, at: float = 0.0, zone: Zone = "tray") -> tuple[SeenDie, ...]:
    """Dice in a row; `at` tells rows apart."""
    return tuple(SeenDie(value, 60.0 * k, 100.0 + at, 50.0, zone=zone) for k, value in enumerate(values))


def settled(thrown: Sequence[SeenDie], roll: int, beside: Sequence[SeenDie] = ()) -> Happening:
    return Happening("settled", 40, 2.0, roll=roll, dice=(*thrown, *beside), thrown=tuple(thrown))


def unsure(thrown: Sequence[SeenDie], roll: int) -> Happening:
    return replace(settled(thrown, roll), kind="unsure", doubts=(LEANS,))


def removed(*dice: SeenDie) -> Happening:
    return Happening("removed" if dice else "empty", 40, 2.0, dice=dice)


def found(*dice: SeenDie) -> Happening:
    """What lies there when the eye begins to watch."""
    return replace(removed(*dice), found=True)


def game_of(view: View) -> GameView:
    assert view.game is not None
    return view.game


def board_of(view: View) -> Scoreboard:
    return game_of(view).board


def turn_of(view: View) -> Turn:
    turn = board_of(view).turn
    assert turn is not None
    return turn


def asked(view: View) -> list[str]:
    return [doubt.kind for doubt in game_of(view).doubts]


FIRST = lie(1, 1, 5, 2, 3, 4)
NEXT_FIRST = lie(1, 1, 5, 2, 3, 4, at=60)
NEXT = lie(5, 2, 3, 4, 6, 6, at=150)


# The eye has missed something.


def test_a_throw_made_while_nobody_watched_is_asked_about_and_counts_once_with_one_tap(table: Table) -> None:
    table.saw(found())
    table.eye_lost()
    table.saw(found(*FIRST))
    view = flushed(table)
    assert (asked(view), game_of(view).proposed) == (["found"], (1, 1, 2, 3, 4, 5))
    assert board_of(view).throws == 0
    view = table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    assert (asked(view), board_of(view).throws) == ([], 1)
    table.saw(removed(*lie(1, 1, 5, 2, 3, 4, at=4)))
    table.eye_lost()
    table.saw(found(*lie(1, 1, 5, 2, 3, 4, at=4)))
    view = flushed(table)
    assert (asked(view), board_of(view).throws) == ([], 1)


def test_dice_that_lie_as_they_lay_are_no_throw(table: Table) -> None:
    table.saw(settled(FIRST, 1))
    table.eye_lost()
    table.saw(found(*FIRST))
    assert asked(flushed(table)) == []
    table.ask(commands.Bank())
    table.eye_lost()
    table.saw(found(*FIRST))
    view = flushed(table)
    assert (asked(view), board_of(view).throws) == ([], 1)


def test_dice_moved_to_the_rail_while_nobody_watched_are_set_aside(table: Table) -> None:
    table.saw(settled(FIRST, 1))
    table.eye_lost()
    table.saw(found(*FIRST[2:], *lie(1, 1, zone="rail")))
    view = flushed(table)
    assert (asked(view), turn_of(view).aside) == ([], (1, 1))


def test_a_throw_after_a_set_aside_that_nobody_watched_is_asked_about_as_both(table: Table) -> None:
    table.saw(settled(FIRST, 1))
    table.eye_lost()
    table.saw(found(*lie(2, 3, 4, 6, at=150), *lie(1, 1, zone="rail")))
    view = flushed(table)
    assert (asked(view), game_of(view).proposed) == (["found"], (2, 3, 4, 6))
    table.ask(commands.EnterThrow((2, 3, 4, 6)))
    view = flushed(table)
    assert board_of(view).last is not None
    assert (board_of(view).throws, board_of(view).players[0].farkles) == (2, 1)


def test_a_throw_that_could_not_be_read_at_the_first_look_is_asked_about_when_it_can(table: Table) -> None:
    table.saw(found())
    table.eye_lost()
    dark = Doubt("light", 0.0, 0.0, "The light has changed.")
    table.saw(Happening("unsure", 1, 1.0, doubts=(dark,), found=True))
    assert asked(flushed(table)) == []
    table.saw(found(*FIRST))
    view = flushed(table)
    assert (asked(view), game_of(view).proposed) == (["found"], (1, 1, 2, 3, 4, 5))


def test_a_throw_entered_while_the_camera_was_lost_is_not_asked_about_again(table: Table) -> None:
    table.saw(found())
    table.eye_lost()
    table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    table.saw(found(*FIRST))
    assert asked(flushed(table)) == []
    table.saw(removed(*FIRST[2:], *lie(1, 1, zone="rail")))
    view = flushed(table)
    assert (turn_of(view).aside, board_of(view).throws) == ((1, 1), 1)


def test_what_lay_there_when_the_power_went_is_no_throw_and_what_lies_otherwise_is_asked_about(tmp_path: Path) -> None:
    table = table_on(tmp_path)
    table.start()
    begin(table)
    table.saw(settled(FIRST, 1))
    flushed(table)
    table.ask(commands.Bank())
    close(table)
    for lies, kinds in ((FIRST, []), (lie(1, 1, 5, 2, 3, 4, at=60), ["found"])):
        again = table_on(tmp_path)
        again.start()
        again.saw(found(*lies))
        assert asked(flushed(again)) == kinds
        close(again)


def test_a_throw_that_waits_for_its_answer_is_asked_about_again_after_a_power_cut(tmp_path: Path) -> None:
    table = table_on(tmp_path)
    table.start()
    begin(table)
    table.saw(settled(FIRST, 1))
    table.saw(unsure(NEXT, 2))
    flushed(table)
    table.ask(commands.Bank())
    close(table)
    again = table_on(tmp_path)
    again.start()
    again.saw(found(*NEXT))
    view = flushed(again)
    assert (asked(view), turn_of(view).player) == (["found"], 1)
    close(again)


def test_a_calibration_leaves_no_throw_behind_and_one_made_right_after_it_is_asked_about(
    table: Table, calibrating: Calibrating
) -> None:
    for lies, kinds in ((NEXT, []), (FIRST, ["found"])):
        calibrating.do(Begun())
        calibrating.saw(settled(NEXT, 1))
        calibrating.do(Cancelled())
        calibrating.saw(settled(NEXT, 2))
        calibrating.saw(found(*lies))
        view = flushed(table)
        assert (asked(view), board_of(view).throws) == (kinds, 0)


@pytest.mark.parametrize(("falls", "kinds"), [(False, []), (True, ["found"])])
def test_dice_that_lie_there_after_a_calibration_are_asked_about_only_if_a_throw_fell_when_it_began(
    table: Table, calibrating: Calibrating, falls: bool, kinds: list[str]
) -> None:
    if falls:
        calibrating.saw(Happening("rolling", 1, 1.0))
    calibrating.do(Begun())
    calibrating.do(Cancelled())
    calibrating.saw(found(*NEXT))
    assert (asked(flushed(table)), board_of(flushed(table)).throws) == (kinds, 0)


def test_a_hand_over_the_tray_when_a_calibration_began_makes_no_throw_of_its_test_rolls(
    table: Table, calibrating: Calibrating
) -> None:
    calibrating.saw(Happening("hand", 1, 1.0))
    for event in (Begun(), Taken(), Taken(), Studied("empty", Sight())):
        calibrating.told(event)
    assert calibrating.now().step == "tray"
    calibrating.saw(settled(NEXT, 1))
    calibrating.do(Cancelled())
    calibrating.saw(found(*NEXT))
    assert (asked(flushed(table)), board_of(flushed(table)).throws) == ([], 0)


# Something is pressed while a throw lies there.


def test_a_throw_that_no_move_explained_counts_with_the_bank(table: Table) -> None:
    table.saw(settled(lie(1, 2, 3, 4, 6, 6), 1))
    table.saw(settled(NEXT[:4], 2))
    assert asked(flushed(table)) == ["count"], "two dice are missing, and no two of these score"
    table.ask(commands.Bank())
    view = flushed(table)
    assert (turn_of(view).player, asked(view)) == (1, ["count"]), "four of six"
    table.saw(settled(NEXT, 3))
    assert turn_of(flushed(table)).throw == (2, 3, 4, 5, 6, 6)


@pytest.mark.parametrize("press", [False, True])
def test_a_question_about_the_next_throw_outlives_the_bank(table: Table, press: bool) -> None:
    table.saw(settled(FIRST, 1))
    table.saw(unsure(NEXT, 2))
    assert asked(flushed(table)) == ["cocked"]
    if press:
        table.pressed(Press("bank"))
    else:
        table.ask(commands.Bank())
    view = flushed(table)
    assert (asked(view), game_of(view).proposed) == (["cocked"], (5, 2, 3, 4, 6, 6))
    table.saw(settled(NEXT, 2))
    view = flushed(table)
    assert (turn_of(view).player, turn_of(view).throw, board_of(view).throws) == (1, (2, 3, 4, 5, 6, 6), 2)


def test_a_throw_that_no_move_explained_counts_when_the_dice_set_aside_are_named(table: Table) -> None:
    table.saw(settled(lie(1, 2, 2, 3, 4, 6), 1))
    table.saw(settled(lie(2, 3, 4, 6, at=150), 2))
    assert asked(flushed(table)) == ["count"], "no two of these dice score"
    view = table.ask(commands.Correct(1, (1, 1, 2, 3, 4, 6)))
    assert asked(view) == []
    assert (board_of(view).throws, board_of(view).players[0].farkles) == (2, 1)


def test_an_undo_plays_nothing_by_itself_and_the_throw_is_asked_about_after_the_next_move(table: Table) -> None:
    table.saw(settled(FIRST, 1))
    table.saw(settled(lie(2, 3, 4, 5, at=150), 2, beside=lie(1, 1, zone="rail")))
    view = flushed(table)
    assert (board_of(view).throws, turn_of(view).throw) == (2, (2, 3, 4, 5))
    view = table.ask(commands.Undo())
    assert (asked(view), board_of(view).throws) == ([], 1)
    view = table.ask(commands.Keep((1, 1)))
    assert (asked(view), game_of(view).proposed) == (["found"], (2, 3, 4, 5))
    table.ask(commands.Undo())
    view = table.ask(commands.Redo())
    assert asked(view) == ["found"]
    view = table.ask(commands.EnterThrow((2, 3, 4, 5)))
    assert (asked(view), board_of(view).throws) == ([], 2)


def test_a_throw_done_again_after_an_undo_is_not_asked_about(table: Table) -> None:
    table.saw(settled(FIRST, 1))
    flushed(table)
    table.ask(commands.Undo())
    view = table.ask(commands.Redo())
    assert (asked(view), board_of(view).throws) == ([], 1)
    table.saw(removed(*FIRST[2:], *lie(1, 1, zone="rail")))
    assert turn_of(flushed(table)).aside == (1, 1)


def test_after_an_undo_the_rail_is_that_of_the_throw_before(table: Table) -> None:
    table.saw(settled(FIRST, 1))
    table.saw(removed(*FIRST[2:], *lie(1, 1, zone="rail")))
    table.saw(settled(lie(2, 3, 4, 6, at=150), 2, beside=lie(1, 1, zone="rail")))
    flushed(table)
    assert turn_of(table.ask(commands.Undo())).aside == (1, 1)
    table.saw(removed(*FIRST[3:], *lie(1, 1, 5, zone="rail")))
    assert turn_of(flushed(table)).aside == (1, 1, 5)


def test_a_throw_answered_by_hand_knows_what_lay_on_the_rail_before_it(table: Table) -> None:
    table.saw(settled(FIRST, 1))
    table.saw(removed(*FIRST[2:], *lie(1, 1, zone="rail")))
    table.saw(
        replace(unsure(lie(5, 3, 4, None, at=150), 2), dice=(*lie(5, 3, 4, None, at=150), *lie(1, 1, zone="rail")))
    )
    flushed(table)
    table.ask(commands.EnterThrow((3, 4, 5, 6)))
    table.saw(removed(*lie(3, 4, 6, at=150), *lie(1, 1, 5, zone="rail")))
    assert turn_of(flushed(table)).aside == (5,)


def test_dice_are_set_aside_beside_one_that_still_leans_in_the_tray_but_not_beside_one_on_the_rail(
    table: Table,
) -> None:
    thrown = (*lie(1, 1, 5, 2, 3), *lie(None, at=150))
    leans = Doubt("cocked", thrown[5].x, thrown[5].y, "This die leans.")
    table.saw(replace(unsure(thrown, 1), doubts=(leans,)))
    flushed(table)
    table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    rail = lie(1, 1, at=-90, zone="rail")
    on_rail = Doubt("cocked", rail[0].x, rail[0].y, "This die leans.")
    for doubt, aside in ((on_rail, ()), (leans, (1, 1))):
        table.saw(replace(unsure(thrown[2:], 1), dice=(*thrown[2:], *rail), doubts=(doubt,)))
        view = flushed(table)
        assert (turn_of(view).aside, board_of(view).throws) == (aside, 1)


def test_a_game_taken_up_again_still_asks_about_the_throw_that_lies_there(table: Table) -> None:
    table.saw(unsure(FIRST, 1))
    game = game_of(flushed(table)).id
    table.ask(commands.End())
    view = table.ask(commands.Resume(game))
    assert asked(view) == ["cocked"]
    view = table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    assert board_of(view).throws == 1


def test_dice_of_another_game_are_no_throw_of_the_next(table: Table) -> None:
    table.saw(unsure(FIRST, 1))
    flushed(table)
    view = begin(table)
    assert asked(view) == []
    table.saw(settled(FIRST, 1))
    view = flushed(table)
    assert (asked(view), board_of(view).throws) == ([], 0)
    table.saw(settled(NEXT, 2))
    assert board_of(flushed(table)).throws == 1


def test_dice_too_many_count_when_they_are_taken_out(table: Table) -> None:
    table.saw(settled(lie(1, 1, 5, 2, 3, 4, 6), 1))
    assert asked(flushed(table)) == ["count"]
    table.saw(removed(*FIRST))
    view = flushed(table)
    assert (asked(view), turn_of(view).throw) == ([], (1, 1, 2, 3, 4, 5))


def test_a_throw_that_is_gone_comes_back_by_no_move(table: Table) -> None:
    table.saw(settled(FIRST, 1))
    table.saw(unsure(NEXT, 2))
    table.saw(removed())
    flushed(table)
    view = table.ask(commands.Bank())
    assert (asked(view), turn_of(view).throw) == ([], None)


@pytest.mark.parametrize("state", ["hand", "rolling", "settling"])
@pytest.mark.parametrize("seen", [settled(FIRST, 1), unsure(FIRST, 1), found(*FIRST)])
def test_a_throw_entered_by_hand_while_it_is_read_counts_once(table: Table, state: Kind, seen: Happening) -> None:
    table.saw(found())
    table.saw(Happening(state, 1, 1.0))
    flushed(table)
    table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    table.saw(seen)
    if seen.roll:
        table.saw(settled(FIRST, 1))
    view = flushed(table)
    assert (asked(view), board_of(view).throws) == ([], 1)


def test_a_throw_read_otherwise_than_it_was_entered_is_asked_about(table: Table) -> None:
    table.saw(Happening("settling", 1, 1.0))
    flushed(table)
    table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 4)))
    table.saw(settled(FIRST, 1))
    view = flushed(table)
    assert (asked(view), board_of(view).throws) == (["found"], 1)


@pytest.mark.parametrize("blind", [False, True])
def test_a_throw_entered_while_an_earlier_one_is_still_asked_about_is_not_taken_for_it(
    table: Table, blind: bool
) -> None:
    table.saw(found())
    table.saw(settled(lie(2, 2, 3, 4, 6), 1))
    assert asked(flushed(table)) == ["count"]
    if blind:
        table.eye_lost()
    else:
        table.saw(Happening("rolling", 1, 1.0))
        flushed(table)
    table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    table.saw(found(*NEXT_FIRST) if blind else settled(NEXT_FIRST, 2))
    view = flushed(table)
    assert (asked(view), board_of(view).throws) == ([], 1)


def test_a_throw_entered_before_the_eye_tells_of_it_counts_once(table: Table) -> None:
    table.saw(found())
    table.saw(settled(lie(2, 2, 3, 4, 6), 1))
    assert asked(flushed(table)) == ["count"]
    table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    table.saw(Happening("rolling", 1, 1.0))
    table.saw(settled(NEXT_FIRST, 2))
    view = flushed(table)
    assert (asked(view), board_of(view).throws) == ([], 1)


def test_a_late_answer_is_not_taken_for_the_throw_that_falls(table: Table) -> None:
    table.saw(unsure(lie(1, 1, 5, 2, 3, None), 1))
    table.saw(removed())
    table.saw(Happening("rolling", 1, 1.0))
    flushed(table)
    table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    table.saw(settled(lie(2, 3, 4, 6, at=150), 2, beside=lie(1, 1, zone="rail")))
    assert board_of(flushed(table)).throws == 2


def test_a_throw_entered_before_the_camera_is_known_to_be_lost_is_not_asked_about_again(table: Table) -> None:
    table.saw(found())
    table.saw(settled(lie(2, 2, 3, 4, 6), 1))
    flushed(table)
    table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    table.eye_lost()
    table.saw(found(*NEXT_FIRST))
    view = flushed(table)
    assert (asked(view), board_of(view).throws) == ([], 1)
