"""A throw that is made while the eye sees nothing counts or is asked about: the real eye on the simulated tray.

The eye is held still (SIGSTOP) while the dice fall, so that it is certain that it misses them.
"""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S, SLOWER

from calibration import kept
from firmware import eye
from firmware.box import Box, Plan, running
from firmware.config import Config
from firmware.drivers.simulated.tray import Hands
from firmware.sets import Shelf
from web import commands
from web.view import GameView, View


@pytest.fixture
def box(learned: Path, tmp_path: Path) -> Iterator[Box]:
    shutil.copytree(learned, tmp_path, dirs_exist_ok=True)
    with running(Plan(Config(), "simulated", None, "127.0.0.1", 0, tmp_path, seed=3)) as box:
        assert box.wait_open(PATIENCE_S) is None
        box.table.ask(commands.NewGame("farkle", (commands.Newcomer("Ann"), commands.Newcomer("Bo"))))
        yield box


def until(box: Box, true: Callable[[View], object]) -> GameView:
    """The game in the first view for which `true` holds."""
    ends_s = time.monotonic() + PATIENCE_S
    with box.table.listen() as views:
        view = box.table.view()
        while not true(view):
            assert time.monotonic() < ends_s, view
            view = views.get(0.2) or box.table.view()
    assert view.game is not None
    return view.game


def asked(view: View) -> list[str]:
    return [doubt.kind for doubt in view.game.doubts] if view.game else []


def throws(view: View) -> int:
    return view.game.board.throws if view.game else 0


def hands_of(box: Box) -> Hands:
    assert box.hands is not None
    return box.hands


def thrown_unseen(box: Box, *values: int) -> int:
    """Hold the eye still, throw, and wait until the dice lie. Returns the eye's process id."""
    eye, hands = box.eye.pid, hands_of(box)
    assert eye is not None
    os.kill(eye, signal.SIGSTOP)
    hands.throw(len(values), values)
    while time.monotonic() < hands.quiet_s:
        time.sleep(0.02)
    return eye


def another_set(box: Box, folder: Path) -> Callable[[], None]:
    """Puts a copy of the set in use on the shelf. Call what it returns to use that one."""
    shelf = Shelf(folder, lambda path: box.eye.use_profile(str(path)))
    slug = shelf.add(kept.load(shelf.path("simulated-set")), "simulated-set")
    return lambda: shelf.activate(slug)


def test_a_throw_while_another_set_is_taken_up_is_asked_about_and_counts_once(box: Box, tmp_path: Path) -> None:
    use = another_set(box, tmp_path)
    eye = thrown_unseen(box, 1, 1, 5, 2, 3, 4)
    use()
    os.kill(eye, signal.SIGCONT)
    game = until(box, asked)
    assert (game.doubts[0].kind, game.proposed, game.board.throws) == ("found", (1, 1, 2, 3, 4, 5), 0)
    box.table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    hands_of(box).aside([1, 1])
    game = until(box, lambda view: view.game and view.game.board.turn and view.game.board.turn.aside)
    assert (game.board.throws, game.doubts) == (1, ())


def test_a_throw_that_an_eye_never_sees_fall_is_asked_about_by_the_next(box: Box) -> None:
    eye = thrown_unseen(box, 1, 1, 5, 2, 3, 4)
    os.kill(eye, signal.SIGKILL)
    game = until(box, asked)
    assert (game.doubts[0].kind, game.proposed, game.board.throws) == ("found", (1, 1, 2, 3, 4, 5), 0)


@pytest.mark.parametrize("how", ["another set", "another eye"])
def test_dice_that_have_counted_are_no_throw_of_whoever_sees_them_next(box: Box, tmp_path: Path, how: str) -> None:
    use = another_set(box, tmp_path)
    hands_of(box).throw(6, [1, 1, 5, 2, 3, 4])
    until(box, throws)
    box.table.ask(commands.Bank())
    if how == "another set":
        use()
    else:
        assert box.eye.pid is not None
        box.eye.rested.clear()
        os.kill(box.eye.pid, signal.SIGKILL)
    assert box.eye.rested.wait(PATIENCE_S)
    hands_of(box).throw(6, [5, 5, 5, 2, 3, 4])
    game = until(box, lambda view: throws(view) == 2 or asked(view))
    assert (game.doubts, game.board.turn and game.board.turn.throw) == ((), (2, 3, 4, 5, 5, 5))


def test_an_eye_that_is_late_is_given_longer_until_it_sees(
    learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eye, "OPENING_S", 0.2 * SLOWER)
    monkeypatch.setattr(eye, "LONGEST", 256)
    shutil.copytree(learned, tmp_path, dirs_exist_ok=True)
    with running(Plan(Config(), "simulated", None, "127.0.0.1", 0, tmp_path, seed=3)) as box:
        ends_s = time.monotonic() + PATIENCE_S
        while box.table.view().eye.state != "empty":
            assert time.monotonic() < ends_s
            time.sleep(0.1)
