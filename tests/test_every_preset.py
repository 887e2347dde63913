"""Complete games of every preset: by the table with all that stands before it, and on the simulated tray itself."""

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE_S

from firmware import rulebook
from firmware.drivers import Press
from firmware.journal import Journal, started
from firmware.table import Table
from rules.game import Option, Turn
from rules.record import replay
from vision.happening import Happening
from vision.seen import SeenDie
from web.commands import Newcomer, NewGame, Take
from web.view import View


class Players:
    """Four friends who throw, move what scores most to the rail, and press BANK; the eye sees it all rightly."""

    def __init__(self, table: Table, seed: str) -> None:
        self._table = table
        self._rng = random.Random(seed)
        self._rolls = itertools.count(1)
        self._rail: list[SeenDie] = []

    def play(self, most: int) -> View:
        for _ in range(most):
            view = self._table.view()
            assert view.game is not None
            turn = view.game.board.turn
            if turn is None:
                return view
            self._move(turn)
        raise AssertionError("the game does not end")

    def _move(self, turn: Turn) -> None:
        if turn.may_take and turn.throw is None and self._rng.random() < 0.5:
            self._table.ask(Take())
        elif turn.may_bank and not turn.goes_over and (turn.score >= 300 or turn.dice_left <= 2):
            self._until_moved(lambda: self._table.pressed(Press("bank")))
        elif turn.may_throw:
            self._throw(turn)
        else:
            self._aside(turn, max(turn.options, key=lambda option: (option.score, option.size)))

    def _throw(self, turn: Turn) -> None:
        if turn.hot_dice or not turn.kept:
            self._rail = []
        values = [self._rng.randint(1, 6) for _ in range(turn.dice_left)]
        dice = tuple(
            SeenDie(value, 100.0 * place, 100.0, 50.0, colour="red" if turn.coloured_due and not place else "ivory")
            for place, value in enumerate(values)
        )
        self._lying = list(dice)
        seen = Happening("settled", 1, 1.0, roll=next(self._rolls), dice=(*dice, *self._rail), thrown=dice)
        self._until_moved(lambda: self._table.saw(seen))

    def _aside(self, turn: Turn, option: Option) -> None:
        """The coloured die lies first."""
        if option.with_coloured:
            self._to_rail(0)
        first = 0 if option.with_coloured or turn.coloured is None else 1
        for value in option.dice:
            self._to_rail(next(at for at in range(first, len(self._lying)) if self._lying[at].value == value))
        seen = Happening("removed", 1, 1.0, dice=(*self._lying, *self._rail))
        self._until_moved(lambda: self._table.saw(seen))

    def _to_rail(self, at: int) -> None:
        die = self._lying.pop(at)
        self._rail.append(SeenDie(die.value, die.x, 20.0, 50.0, colour=die.colour, zone="rail"))

    def _until_moved(self, act: Callable[[], None]) -> None:
        before = self._table.view().rev
        with self._table.listen() as views:
            act()
            while self._table.view().rev == before:
                view = views.get(PATIENCE_S)
                assert view is not None, self._table.view()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "stickman.db")
    yield journal
    journal.close()


@pytest.mark.parametrize("name", rulebook.NAMES)
def test_a_complete_game_is_played_with_dice_rail_and_buttons(journal: Journal, name: str) -> None:
    table = Table(journal, rulebook.options_of, epoch="e", now=lambda: "2026", new_id=lambda: "g")
    table.start()
    try:
        rules = {"base": name, "win": {"target": 1500}}
        table.ask(NewGame(rules, tuple(Newcomer(player) for player in ("Ann", "Bo", "Cy", "Di"))))
        view = Players(table, name).play(3000)
    finally:
        table.stop()
    assert view.game is not None
    board = view.game.board
    assert board.winner is not None
    assert board.winner in board.winners
    moves = journal.moves("g")
    assert started(moves).rules["win"]["target"] == 1500
    assert replay([move.events for move in moves]).board == board


# On the simulated tray: drawn dice, a real eye.


def game_of(state: Any) -> Any:
    return state["game"]


def test_the_wild_die_is_known_by_its_colour_on_the_simulated_tray(tray: Any) -> None:
    rules = {"base": "wild", "win": {"target": 1000, "final_round": False}}
    tray.start_game("Ann", "Bo", rules=rules)
    turn = game_of(tray.throw(4, 1, 1, 2, 3, 6))["turn"]  # the coloured die is the first
    assert (turn["throw"], turn["coloured"]) == ([1, 1, 2, 3, 4, 6], 4)
    tray.post("sim/aside", {"dice": [4, 1], "coloured": True})
    state = tray.until(lambda state: game_of(state)["turn"]["aside"] == [1, 4], "the set-aside")
    assert (game_of(state)["turn"]["score"], game_of(state)["turn"]["with_coloured"]) == (200, True)
    turn = game_of(tray.throw(4, 4, 2, 3))["turn"]  # a farkle: none of these fours is coloured
    assert (turn["player"], turn["coloured_due"]) == (1, True)
    turn = game_of(tray.throw(3, 3, 3, 4, 4, 6))["turn"]
    assert (turn["coloured"], turn["throw"]) == (3, [3, 3, 3, 4, 4, 6])
    tray.post("sim/press", {"button": "bank"})
    tray.until(lambda state: game_of(state)["players"][1]["score"] == 300, "the bank")
    tray.throw(4, 1, 1, 2, 3, 6)
    tray.post("sim/press", {"button": "bank"})
    state = tray.until(lambda state: game_of(state)["status"] == "over", "the end")
    assert game_of(state)["winner"] == 0


def test_five_of_a_kind_wins_a_game_of_five_dice_on_the_simulated_tray(tray: Any) -> None:
    tray.start_game("Ann", "Bo", rules="five-dice")
    assert game_of(tray.throw(2, 2, 3, 4, 6))["turn"]["player"] == 1
    tray.post("sim/throw", {"values": [3] * 5})
    state = tray.until(lambda state: game_of(state)["status"] == "over", "the end")
    assert game_of(state)["winner"] == 1


def test_a_game_of_twelve_dice_is_read_and_won_on_the_simulated_tray(tray: Any) -> None:
    tray.start_game("Ann", "Bo", rules={"base": "twelve-dice", "win": {"target": 1500, "final_round": False}})
    state = tray.throw(2, 2, 3, 3, 4, 4, 6, 6, 1, 2, 3, 4)
    assert game_of(state)["turn"]["throw"] == [1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 6, 6]
    tray.post("sim/press", {"button": "bank"})
    tray.until(lambda state: game_of(state)["players"][0]["score"] == 1000, "the bank")
    tray.throw(1, 1, 1, 1, 5, 5, 5, 5, 2, 2, 2, 2)
    tray.post("sim/press", {"button": "bank"})
    state = tray.until(lambda state: game_of(state)["status"] == "over", "the end")
    assert game_of(state)["winner"] == 1


def test_dice_left_over_are_taken_from_the_simulated_tray(tray: Any) -> None:
    tray.start_game("Ann", "Bo", rules="high-stakes")
    tray.throw(1, 1, 1, 2, 3, 4)
    tray.post("sim/aside", {"dice": [1, 1, 1]})
    tray.until(lambda state: game_of(state)["turn"]["aside"] == [1, 1, 1], "the set-aside")
    tray.post("sim/press", {"button": "bank"})
    tray.until(lambda state: game_of(state)["turn"]["may_take"] is not None, "the offer")
    tray.post("games/current/take")
    turn = game_of(tray.throw(5, 5, 2))["turn"]
    assert (turn["throw"], turn["kept"], turn["carried"]) == ([2, 5, 5], [1, 1, 1], 1000)
    tray.post("sim/aside", {"dice": [5]})
    state = tray.until(lambda state: game_of(state)["turn"]["aside"] == [5], "the set-aside")
    assert game_of(state)["turn"]["score"] == 1050
