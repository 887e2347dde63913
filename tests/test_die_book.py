"""Every die's record: what counts, what does not, and that nothing lets a throw count twice or be lost."""

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import rulebook
from firmware.die_book import DieBook, Told, counted
from firmware.die_watch import DieWatch
from firmware.errors import BadState
from firmware.journal import Journal, Move, Rolled
from firmware.table import Table
from rules.errors import RulesError
from rules.events import Banked, Corrected, Event, Kept, Player, Started, Thrown, Undone
from rules.options import Options
from rules.record import Record
from vision.dice_set import Kind
from vision.happening import Happening
from vision.seen import Doubt, SeenDie
from web import commands, refusals

IVORY = "ivory"


def kind(name: str, count: int) -> Kind:
    return Kind(name, (220.0, 235.0, 240.0), (20.0, 20.0, 20.0), 16.0, 0.25, 0.09, 0.1, count=count)


SETS: dict[str, Told] = {
    "ours": ("Ours", (kind(IVORY, 5), kind("red", 1))),
    "other": ("Other", (kind("blue", 6),)),
}


def lying(*shown: str) -> tuple[SeenDie, ...]:
    """Dice as "red 5"; one without a name is ivory."""
    words = [["", *each.split()][-2:] for each in shown]
    return tuple(
        SeenDie(int(value), 60.0 * k, 100.0, 50.0, colour=name or IVORY) for k, (name, value) in enumerate(words)
    )


@dataclass
class Evening:
    """A table where dice of known kinds are thrown, and the records they lead to."""

    path: Path
    dice_set: str | None = "ours"
    rolls: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        names = itertools.count(1)
        self.journal = Journal(self.path / "stickman.db")
        self.table = Table(
            self.journal,
            rulebook.options_of,
            epoch="e",
            now=lambda: "2026",
            new_id=lambda: f"g{next(names)}",
            dice_set=lambda: self.dice_set,
        )
        self.table.start()
        self.book = DieBook(self.path / "stickman.db", SETS.get)
        self.begin()

    def begin(self) -> None:
        self.table.ask(commands.NewGame("farkle", (commands.Newcomer("Ann"), commands.Newcomer("Bo"))))

    def throw(self, *shown: str) -> None:
        dice = lying(*shown)
        self.table.saw(Happening("settled", 1, 1.0, roll=next(self.rolls), dice=dice, thrown=dice))
        self.flush()

    def flush(self) -> None:
        with pytest.raises(refusals.Stale):
            self.table.ask(commands.Bank(), rev=-1)

    def counts(self, slug: str = "ours") -> dict[str, tuple[int, ...]]:
        found = self.book.record(slug)
        assert found is not None
        return {die.name: die.counts for die in found.dice}

    def close(self) -> None:
        self.table.stop()
        self.journal.close()
        self.book.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with closing(Evening(tmp_path)) as evening:
        yield evening


NOTHING = (0,) * 6


def test_a_die_of_its_own_look_has_its_own_record_and_equal_dice_share_one(evening: Evening) -> None:
    assert evening.counts() == {IVORY: NOTHING, "red": NOTHING}
    evening.throw("1", "1", "2", "3", "3", "red 5")
    assert evening.counts() == {IVORY: (2, 1, 2, 0, 0, 0), "red": (0, 0, 0, 0, 1, 0)}
    found = evening.book.record("ours")
    assert found is not None
    assert [(die.name, die.dice, die.limit) for die in found.dice] == [(IVORY, 5, 400), ("red", 1, 400)]
    assert evening.book.record("nobody's") is None


def test_only_what_the_eye_read_for_sure_counts(evening: Evening) -> None:
    dice = lying("1", "1", "2", "3", "4", "red 5")
    leans = Doubt("cocked", 1, 1, "One leans.")
    evening.table.saw(Happening("unsure", 1, 1.0, roll=1, dice=dice, thrown=dice, doubts=(leans,)))
    evening.table.ask(commands.EnterThrow((1, 1, 2, 3, 4, 5)))
    # Read after a nudge: the throw was answered already.
    evening.table.saw(Happening("settled", 1, 1.0, roll=1, dice=dice, thrown=dice))
    evening.flush()
    assert evening.counts() == {IVORY: NOTHING, "red": NOTHING}
    evening.table.ask(commands.Bank())
    evening.table.saw(Happening("unsure", 1, 1.0, roll=2, dice=dice, thrown=dice, doubts=(leans,)))
    evening.table.saw(Happening("settled", 1, 1.0, roll=2, dice=dice, thrown=dice))
    evening.flush()
    assert evening.counts()["red"] == (0, 0, 0, 0, 1, 0)


def test_a_throw_that_the_game_does_not_take_is_in_no_record(evening: Evening) -> None:
    evening.throw("1", "red 5")
    assert evening.counts() == {IVORY: NOTHING, "red": NOTHING}


def test_an_undo_takes_the_throw_back_and_a_correction_takes_it_out(evening: Evening) -> None:
    evening.throw("1", "1", "2", "3", "4", "red 5")
    evening.table.ask(commands.Undo())
    assert evening.counts()["red"] == NOTHING
    evening.throw("1", "1", "2", "3", "4", "red 6")
    evening.table.ask(commands.Correct(1, (1, 1, 2, 3, 4, 5)))
    assert evening.counts() == {IVORY: NOTHING, "red": NOTHING}
    evening.table.ask(commands.Undo())
    assert evening.counts()["red"] == (0, 0, 0, 0, 0, 1)


def test_the_same_roll_counts_once_and_a_restart_changes_nothing(evening: Evening, tmp_path: Path) -> None:
    dice = lying("1", "1", "2", "3", "4", "red 5")
    for _ in range(3):
        evening.table.saw(Happening("settled", 1, 1.0, roll=7, dice=dice, thrown=dice))
    evening.flush()
    before = evening.counts()
    assert before["red"] == (0, 0, 0, 0, 1, 0)
    with closing(DieBook(tmp_path / "stickman.db", SETS.get)) as again:
        assert again.record("ours") == evening.book.record("ours")


def test_records_add_up_over_games_and_are_kept_per_set(evening: Evening) -> None:
    evening.throw("1", "1", "2", "3", "4", "red 5")
    evening.begin()
    evening.throw("1", "1", "2", "3", "4", "red 6")
    evening.dice_set = "other"
    evening.table.ask(commands.Bank())
    evening.throw(*["blue 1"] * 6)
    evening.dice_set = None
    evening.table.ask(commands.Bank())
    evening.throw("1", "1", "2", "3", "4", "red 6")
    assert evening.counts()["red"] == (0, 0, 0, 0, 1, 1)
    assert evening.counts("other") == {"blue": (6, 0, 0, 0, 0, 0)}
    evening.begin()
    assert evening.counts()["red"] == (0, 0, 0, 0, 1, 1)


def test_dice_that_the_set_no_longer_knows_keep_their_record(tmp_path: Path) -> None:
    with closing(Evening(tmp_path, dice_set="gone")) as evening:
        evening.throw("green 1", "green 1", "2", "3", "4", "red 5")
        found = evening.book.record("gone")
        assert found is not None
        assert {die.name: die.dice for die in found.dice} == {"green": 2, IVORY: 3, "red": 1}


def test_a_journal_of_before_has_no_rolls_and_goes_on(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "stickman.db")) as old:
        old.executescript("""
            CREATE TABLE moves (seq INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, at TEXT NOT NULL,
                                key TEXT UNIQUE, events TEXT NOT NULL);
            INSERT INTO moves (game, at, events) VALUES ('old', '', '[{"event":"banked"}]');
            PRAGMA user_version = 1;
        """)
    with closing(Journal(tmp_path / "stickman.db")) as journal:
        assert journal.rolls("old") == {}
        journal.append("new", (Thrown((1,)),), at="", rolled=Rolled("ours", (("red", 1),)))
        assert journal.rolls("new") == {2: Rolled("ours", (("red", 1),))}
        assert journal.games_with("ours") == ("new",)


def test_a_full_disk_loses_neither_the_move_nor_its_dice_alone(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "stickman.db")) as journal:
        throw, dice = Thrown((1,) * 6), Rolled("ours", ((IVORY, 1),) * 6)
        journal.append("g", (throw,), at="", rolled=dice)
        database = journal._database
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {pages}")
        append = partial(journal.append, "g", (throw,), at="", rolled=dice)
        with pytest.raises(BadState, match="free some space"):
            list(iter(append, None))
        assert len(journal.moves("g")) == len(journal.rolls("g"))
        database.execute("PRAGMA max_page_count = 1000000")
        assert journal.append("g", (throw,), at="", rolled=dice).seq == len(journal.moves("g"))


BEGUN = Started("farkle", Options().to_json(), 1, (Player("Ann"), Player("Bo")))
LATER: tuple[tuple[Event, ...], ...] = (
    (Thrown((1, 1, 2, 3, 4, 6)),),
    (Thrown((2, 3, 4, 6)),),
    (Thrown((1, 5, 5, 6)),),
    (Kept((1,)),),
    (Kept((1, 1)), Thrown((1, 2, 5, 6))),
    (Kept((1, 1)), Thrown((1, 2, 5, 6), "hand")),
    (Banked(),),
    (Corrected(1, (1, 1, 1, 2, 3, 4)),),
    (Corrected(2, (1, 5, 5, 5)),),
    (Undone(),),
)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(LATER), max_size=25))
def test_what_counts_is_what_stands_as_the_eye_read_it(moves: list[tuple[Event, ...]]) -> None:
    record = Record.begin(BEGUN)
    journal, rolls = [Move(1, "g", "", (BEGUN,))], {}
    for events in moves:
        try:
            record = record.play(*events)
        except RulesError:
            continue
        seq = len(journal) + 1
        journal.append(Move(seq, "g", "", events))
        for event in events:
            if isinstance(event, Thrown) and event.source == "eye":
                rolls[seq] = Rolled("ours", tuple((IVORY, value) for value in event.values))
    stands = [fact.values for fact in record.facts if isinstance(fact, Thrown) and fact.source == "eye"]
    assert [tuple(value for _, value in throw.dice) for throw in counted(journal, rolls)] == stands


def test_an_unfair_die_is_noted_once_a_game(evening: Evening) -> None:
    watch = DieWatch(evening.table, evening.book, lambda: evening.dice_set)
    watch.start()
    try:
        notes: list[str] = []
        with evening.table.listen() as views:
            for _ in range(6):
                evening.throw(*["2"] * 5, "red 1")
                evening.table.ask(commands.Bank())
            while not notes:
                view = views.get(5)
                assert view is not None
                assert view.game is not None
                notes = [note for note in view.game.notes if "Not all" in note]
        assert len(notes) == 1
        assert notes[0].startswith("Not all ivory dice are fair: a two came in 100 % of ")
        evening.throw("1", "1", "2", "3", "4", "red 6")
        evening.flush()
        view = evening.table.view()
        assert view.game is not None
        assert not any("Not all" in note for note in view.game.notes)
    finally:
        watch.stop()
