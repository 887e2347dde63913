"""Played as people play, with a blind eye, power cuts and buttons pressed at any time: each throw is in the game once,
or asked about, and what the screen shows is what the journal tells."""

import contextlib
import logging
import shutil
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from test_table import begin, close, flushed, table_on

from firmware.briefs import record_of
from firmware.drivers import Press
from firmware.journal import Journal
from firmware.table import Table
from rules.errors import RulesError
from rules.events import Thrown
from rules.game import Turn
from vision.happening import Happening, Kind
from vision.seen import Doubt, SeenDie
from web import commands, refusals
from web.commands import Command
from web.view import GameView

FACES = st.integers(1, 6)
# What happens to what the tray does not know is said elsewhere: here nothing may go wrong.
LOGGED: list[logging.LogRecord] = []


class Listens(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        LOGGED.append(record)


class Evening(RuleBasedStateMachine):
    """A tray with six dice. `thrown`: values of every throw that was made, in their order; `lies`: the last of them
    lies in the tray as it fell. The eye tells what `vision.watcher` would."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.table = self.started()
        self.tray: tuple[SeenDie, ...] = ()
        self.rail: tuple[SeenDie, ...] = ()
        self.thrown: list[tuple[int, ...]] = []
        self.lies, self.taken_back, self.sees = False, False, True
        self.roll, self.place = 0, 0
        self.leaning: int | None = None
        self.open = False
        self.listens = Listens(logging.WARNING)
        logging.getLogger("firmware").addHandler(self.listens)
        LOGGED.clear()

    def started(self) -> Table:
        table = table_on(self.folder)
        table.start()
        return table

    def teardown(self) -> None:
        close(self.table)
        shutil.rmtree(self.folder)
        logging.getLogger("firmware").removeHandler(self.listens)

    @initialize()
    def game(self) -> None:
        self.tell("empty", found=True)
        begin(self.table)

    # The eye.

    def tell(self, kind: Kind, thrown: tuple[SeenDie, ...] = (), found: bool = False) -> None:
        if not self.sees:
            return
        doubts = ()
        if self.leaning is not None and kind in ("settled", "removed"):
            die = self.tray[self.leaning]
            kind, doubts = "unsure", (Doubt("cocked", die.x, die.y, "This die leans: nudge it."),)
        # The watcher holds a throw that it saw open until it is read.
        roll = self.roll if thrown or (doubts and self.open) else None
        self.table.saw(Happening(kind, 1, 1.0, roll, (*self.tray, *self.rail), thrown, doubts, found))

    def rest(self, found: bool = False) -> None:
        self.tell("removed" if self.tray or self.rail else "empty", found=found)

    # The players' hands.

    @rule(values=st.lists(FACES, min_size=1, max_size=7), due=st.booleans(), leaning=st.sampled_from([None, None, 0]))
    def throw(self, values: list[int], due: bool, leaning: int | None) -> None:
        turn = self.turn
        count = turn.dice_left if due and turn is not None and (turn.throw is None or turn.aside) else len(values)
        values = (values * 6)[:count]
        if self.thrown and tuple(sorted(values)) == self.thrown[-1]:
            values = [value % 6 + 1 for value in values]
        if len(values) + len(self.rail) > 6:
            self.rail = ()
        self.place += 1
        self.tray = tuple(
            SeenDie(value, 70.0 * k, 60.0 * (self.place % 9), 40.0, state="flat") for k, value in enumerate(values)
        )
        self.leaning = leaning
        if leaning is not None:
            self.tray = (SeenDie(None, *self.at(0), 40.0, state="cocked"), *self.tray[1:])
        self.thrown.append(tuple(sorted(values)))
        self.lies, self.taken_back = True, False
        self.open = self.sees and leaning is not None
        if self.sees:
            self.roll += 1
            self.tell("rolling")
            self.tell("settled", self.tray)

    def at(self, number: int) -> tuple[float, float]:
        return self.tray[number].x, self.tray[number].y

    @precondition(lambda self: self.leaning is not None and self.lies)
    @rule()
    def nudge_it_flat(self) -> None:
        rest = Counter(self.thrown[-1]) - Counter(die.value for die in self.tray if die.value is not None)
        values = list(rest.elements())
        if len(values) != 1:
            return
        self.leaning = None
        self.tray = (SeenDie(values[0], *self.at(0), 40.0), *self.tray[1:])
        self.tell("settled" if self.open else "removed", self.tray if self.open else ())

    @rule(choice=st.integers(0, 20))
    def set_aside(self, choice: int) -> None:
        turn = self.turn
        if turn is None or not turn.options or self.leaning is not None:
            return
        want = Counter(turn.options[choice % len(turn.options)].dice)
        stay, moved = [], []
        for die in self.tray:
            goes = die.value is not None and want[die.value] > 0
            want[die.value or 0] -= goes
            (moved if goes else stay).append(die)
        if not moved:
            return
        places = (
            SeenDie(die.value, 50.0 * (len(self.rail) + k), 900.0, 40.0, zone="rail") for k, die in enumerate(moved)
        )
        self.tray, self.rail = tuple(stay), (*self.rail, *places)
        if self.lies and not self.counted:
            # Those too many were taken out, perhaps: what is left may count.
            self.thrown[-1], self.lies = tuple(sorted(die.value or 0 for die in self.tray)), False
        self.rest()

    @rule()
    def sweep(self) -> None:
        self.tray, self.rail, self.leaning, self.lies = (), (), None, False
        self.rest()

    # What may go wrong.

    @rule()
    def lose_the_camera(self) -> None:
        if self.sees:
            self.table.eye_lost()
        self.sees = False

    @precondition(lambda self: not self.sees)
    @rule()
    def find_it_again(self) -> None:
        self.sees = True
        self.rest(found=True)

    @rule()
    def cut_the_power(self) -> None:
        flushed(self.table)
        close(self.table)
        self.table, self.sees, self.open = self.started(), True, False
        self.rest(found=True)

    # What is pressed.

    def press(self, command: Command) -> None:
        with contextlib.suppress(RulesError, refusals.TrayBusy):
            self.table.ask(command)

    @rule(button=st.booleans())
    def bank(self, button: bool) -> None:
        if button:
            self.table.pressed(Press("bank"))
        else:
            self.press(commands.Bank())

    @rule(choice=st.integers(0, 20))
    def keep(self, choice: int) -> None:
        if self.turn is not None and self.turn.options:
            self.press(commands.Keep(self.turn.options[choice % len(self.turn.options)].dice))

    @rule()
    def undo(self) -> None:
        before = self.counted
        self.press(commands.Undo())
        self.taken_back = self.taken_back or (before and not self.counted)

    @rule()
    def redo(self) -> None:
        self.press(commands.Redo())

    @precondition(lambda self: self.lies and (self.view.doubts or not self.sees) and not self.counted)
    @rule()
    def answer(self) -> None:
        self.press(commands.EnterThrow(self.thrown[-1]))

    @precondition(lambda self: self.turn is None)
    @rule()
    def another_game(self) -> None:
        begin(self.table)
        self.thrown.clear()
        self.lies = False

    # What is promised.

    @property
    def view(self) -> GameView:
        game = flushed(self.table).game
        assert game is not None
        return game

    @property
    def turn(self) -> Turn | None:
        return self.view.board.turn

    @property
    def in_the_game(self) -> list[tuple[int, ...]]:
        record = self.table._present.record
        assert record is not None
        return [fact.values for fact in record.facts if isinstance(fact, Thrown)]

    @property
    def counted(self) -> bool:
        """The last throw is in the game."""
        flushed(self.table)
        return bool(self.thrown) and self.in_the_game[-1:] == self.thrown[-1:]

    @invariant()
    def each_throw_is_in_the_game_once_at_most(self) -> None:
        made = iter(self.thrown)
        assert all(any(one == values for one in made) for values in self.in_the_game), (self.thrown, self.in_the_game)

    @invariant()
    def the_throw_that_lies_there_is_in_the_game_or_asked_about(self) -> None:
        if self.lies and self.sees and self.turn is not None and not self.taken_back:
            assert self.counted or self.view.doubts, (self.thrown, self.in_the_game)

    @invariant()
    def the_journal_tells_what_the_screen_shows(self) -> None:
        view, journal = self.view, Journal(self.folder / "stickman.db")
        with contextlib.closing(journal):
            assert record_of(journal.moves(view.id)).board == view.board

    @invariant()
    def nothing_is_logged_that_went_wrong(self) -> None:
        assert [record.getMessage() for record in LOGGED] == []


Evening.TestCase.settings = settings(max_examples=40, stateful_step_count=25)
test_an_evening = pytest.mark.filterwarnings("error")(Evening.TestCase)
