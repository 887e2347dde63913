"""The journal's games looked back at: undo and corrections told to all phones, taken up again, put away."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from test_table import begin, close, flushed, settled, table_on

from firmware import rulebook, winning
from firmware.die_book import counted
from firmware.journal import Journal, Rolled
from firmware.past import OVER, Past
from firmware.table import Table
from rules.best_play.table import WinTable
from rules.errors import IllegalMove
from rules.events import Player, Started, Thrown
from rules.game import ENGINE_VERSION, Scoreboard
from rules.house import parse
from web import commands, refusals
from web.view import View


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = table_on(tmp_path)
    table.start()
    yield table
    close(table)


@pytest.fixture
def past(tmp_path: Path, table: Table) -> Iterator[Past]:
    def current() -> str | None:
        game = table.view().game
        return game.id if game else None

    with closing(Past(tmp_path / "stickman.db", lambda _: None, current)) as found:
        yield found


def notes(view: View) -> tuple[str, ...]:
    assert view.game is not None
    return view.game.notes


def board(view: View) -> Scoreboard:
    assert view.game is not None
    return view.game.board


def one_turn(table: Table, *values: int, roll: int) -> View:
    table.saw(settled(*values, roll=roll))
    return table.ask(commands.Bank())


def test_everybody_is_told_what_was_undone_and_done_again(table: Table) -> None:
    begin(table)
    before = one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    undone = table.ask(commands.Undo())
    assert notes(undone) == ("Undone: Ann banked 250 points.",)
    assert undone.game is not None
    assert undone.game.may_redo
    again = table.ask(commands.Redo())
    assert notes(again) == ("Done again: Ann banked 250 points.",)
    assert board(again) == board(before)
    with pytest.raises(IllegalMove, match="nothing to do again"):
        table.ask(commands.Redo())


def test_everybody_is_told_what_a_correction_of_an_earlier_turn_changed(table: Table) -> None:
    begin(table)
    one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    one_turn(table, 1, 2, 2, 3, 4, 6, roll=2)
    view = table.ask(commands.Correct(1, (1, 1, 2, 3, 4, 6)))
    assert notes(view) == ("Ann's first throw in turn 1 is 1-1-2-3-4-6 now, not 1-1-2-3-4-5: 50 points less.",)
    assert [player.score for player in board(view).players] == [200, 100]
    last = board(view).last
    assert last is not None
    assert (last.what, last.player) == ("corrected", 0)
    view = table.ask(commands.Undo())
    assert notes(view) == ("Undone: throw 1 was corrected to 1-1-2-3-4-6.",)
    assert [player.score for player in board(view).players] == [250, 100]


def test_a_throw_that_was_undone_and_done_again_is_still_in_its_dices_records(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "stickman.db")) as journal:
        table = table_on(tmp_path)
        table.start()
        begin(table)
        one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
        rolled = Rolled("ours", (("red", 1),))
        throw = next(move for move in journal.moves("g1") if isinstance(move.events[0], Thrown))
        for command in (commands.Undo(), commands.Undo()):
            table.ask(command)
        assert counted(journal.moves("g1"), {throw.seq: rolled}) == ()
        table.ask(commands.Redo())
        assert counted(journal.moves("g1"), {throw.seq: rolled}) == (rolled,)
        close(table)


def test_a_throw_that_a_correction_took_out_of_the_game_shifts_no_other_dices_record(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "stickman.db")) as journal:
        table = table_on(tmp_path)
        table.start()
        begin(table)
        table.saw(settled(1, 1, 2, 3, 4, 6, roll=1))
        flushed(table)
        table.ask(commands.Keep((1, 1)))
        one_turn(table, 2, 3, 5, 6, roll=2)
        one_turn(table, 1, 2, 3, 4, 6, 6, roll=3)
        one_turn(table, 1, 2, 2, 3, 4, 6, roll=4)
        throws = [move.seq for move in journal.moves("g1") if isinstance(move.events[-1], Thrown)]
        rolls = {seq: Rolled("ours", (("red", number),)) for number, seq in enumerate(throws, 1)}
        table.ask(commands.Correct(1, (2, 2, 3, 4, 6, 6)))
        table.ask(commands.Correct(2, (1, 3, 3, 4, 6, 6)))
        assert [each.dice[0][1] for each in counted(journal.moves("g1"), rolls)] == [4]
        close(table)


def test_a_game_that_another_interrupted_is_taken_up_where_it_was_and_so_it_is_after_a_restart(
    table: Table, past: Past, tmp_path: Path
) -> None:
    begin(table)
    first = one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    second = begin(table)
    assert [(card.id, card.current) for card in past.games()] == [("g2", True), ("g1", False)]
    view = table.ask(commands.Resume("g1"), rev=second.rev)
    assert view.rev > second.rev
    assert view.game is not None
    assert (view.game.id, board(view)) == ("g1", board(first))
    assert [card.current for card in past.games()] == [False, True]
    again = table_on(tmp_path)
    assert again.view().game == first.game
    again._journal.close()


def test_a_game_that_was_stopped_goes_on_and_one_that_was_won_may_be_undone(table: Table, past: Past) -> None:
    begin(table)
    one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    table.ask(commands.End())
    begin(table)
    view = table.ask(commands.Resume("g1"))
    assert board(view).status == "playing"
    assert notes(view) == ("The game is taken up again.",)
    rules = {"base": "farkle", "win": {"target": 1000, "final_round": False}}
    table.ask(commands.NewGame(rules, (commands.Newcomer("Ann"), commands.Newcomer("Bo"))))
    won = one_turn(table, 1, 1, 1, 2, 3, 4, roll=5)
    assert board(won).winner == 0
    begin(table)
    view = table.ask(commands.Resume("g3"))
    assert notes(view) == (OVER,)
    assert board(table.ask(commands.Undo())).status == "playing"
    assert {card.id: card.status for card in past.games()} == {
        "g1": "playing",
        "g2": "playing",
        "g3": "playing",
        "g4": "playing",
    }


def test_what_cannot_be_taken_up_says_why(table: Table, past: Past, tmp_path: Path) -> None:
    view = begin(table)
    with closing(Journal(tmp_path / "stickman.db")) as journal:
        rules = parse({"name": "x"}).to_json()
        journal.append("old", (Started("farkle", rules, ENGINE_VERSION - 1, (Player("A"), Player("B"))),), at="2020")
        journal.append("torn", (Thrown((1, 1, 2, 3, 4, 6)),), at="2021")
    for game, why in (("none", "no such game"), ("old", "rules version 0"), ("torn", "no beginning")):
        with pytest.raises(refusals.TrayBusy, match=why):
            table.ask(commands.Resume(game))
    assert flushed(table) == view
    cards = {card.id: card for card in past.games()}
    assert "rules version" in cards["old"].trouble
    assert "no beginning" in cards["torn"].trouble
    story = past.story("torn")
    assert story is not None
    assert (story.board, len(story.moves)) == (None, 1)
    assert past.story("none") is None


def test_a_last_game_that_cannot_go_on_is_a_banner_and_the_tray_plays_on(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "stickman.db")) as journal:
        rules = parse({"name": "x"}).to_json()
        journal.append("old", (Started("farkle", rules, ENGINE_VERSION - 1, (Player("A"), Player("B"))),), at="2020")
    table = table_on(tmp_path)
    table.start()
    view = table.view()
    assert view.game is None
    assert "rules version 0 and cannot be played on" in view.banners[0]
    assert begin(table).game is not None
    close(table)


def test_the_throw_that_decided_is_told_once_the_chances_are_known(table: Table, tmp_path: Path) -> None:
    begin(table)
    one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    known = winning.shipped(rulebook.load("farkle"))
    solved: list[WinTable | None] = [None]
    with closing(Past(tmp_path / "stickman.db", lambda _: solved[0], lambda: "g1")) as past:
        for solved[0], is_told in ((None, False), (known, True)):
            story = past.story("g1")
            assert story is not None
            assert story.reckoning is not None
            assert (story.reckoning.decided is not None) == is_told


def test_a_game_that_is_archived_is_in_no_record_until_it_is_back(table: Table, past: Past) -> None:
    begin(table)
    one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    table.saw(settled(2, 2, 3, 3, 4, 6, roll=2))
    flushed(table)
    ann, bo = past.tallies()
    assert (ann.name, ann.tally.best, ann.tally.average, ann.tally.games) == ("Ann", 250, 250.0, 0)
    assert (bo.name, bo.tally.farkles, bo.tally.row, bo.tally.average) == ("Bo", 1, 1, 0.0)
    past.archive("g1")
    assert [card.archived for card in past.games()] == [True]
    assert past.tallies() == ()
    past.archive("g1", False)
    assert len(past.tallies()) == 2


def test_a_story_follows_the_game_and_its_corrections(table: Table, past: Past) -> None:
    begin(table)
    one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    story = past.story("g1")
    assert story is not None
    again = past.story("g1")
    assert again is not None
    assert again.reckoning is story.reckoning
    [turn] = story.turns
    assert (turn.points, turn.ending, turn.throws[0].kept, turn.throws[0].points) == (250, "banked", (1, 1, 5), 250)
    assert story.reckoning is not None
    ann = story.reckoning.players[0]
    assert ann.expected + ann.dice - ann.given == pytest.approx(ann.made)
    table.ask(commands.Correct(1, (1, 1, 2, 3, 4, 6)))
    story = past.story("g1")
    assert story is not None
    assert (story.turns[0].points, story.turns[0].throws[0].source) == (200, "hand")


def elsewhere(path: Path) -> Past:
    """As the next start of the tray has it, or a table that plays another game."""
    return Past(path / "stickman.db", lambda _: None, lambda: None)


def test_what_was_found_of_a_game_outlives_a_restart_and_is_never_that_of_fewer_moves(
    table: Table, tmp_path: Path
) -> None:
    begin(table)
    one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    with closing(elsewhere(tmp_path)) as past:
        past.start()
        [card] = past.games()
        [ann] = past.tallies()
    with closing(elsewhere(tmp_path)) as past:
        assert past.games() == (card,)
        assert past.tallies() == (ann,)
        kept = past._journal._database.execute("SELECT game, moves FROM briefs").fetchall()
        assert kept == [("g1", 3)]
        past._journal._database.execute("UPDATE briefs SET brief = replace(brief, '250', '260')")
    with closing(elsewhere(tmp_path)) as past:
        assert past.games()[0].scores == (260, 0), "it was not played again"
        table.ask(commands.Correct(1, (1, 1, 2, 3, 4, 6)))
        assert past.games()[0].scores == (200, 0)
        assert past.tallies()[0].tally.best == 200
    with closing(elsewhere(tmp_path)) as past:
        past._journal._database.execute("UPDATE briefs SET brief = replace(brief, '200', '260'), program = 'before'")
        assert past.games()[0].scores == (200, 0), "another program found that"


def test_the_game_on_the_table_is_not_written_down_with_every_look(table: Table, past: Past) -> None:
    begin(table)
    one_turn(table, 1, 1, 5, 2, 3, 4, roll=1)
    assert past.games()[0].scores == (250, 0)
    assert past._journal._database.execute("SELECT * FROM briefs").fetchall() == []
    begin(table)
    past.games()
    assert past._journal._database.execute("SELECT game FROM briefs").fetchall() == [("g1",)]
