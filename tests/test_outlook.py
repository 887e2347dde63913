"""The odds of a running game: for each choice, for each player, and over HTTP."""

import itertools
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import rulebook, winning
from firmware.journal import Journal
from firmware.oddsmaker import Oddsmaker
from firmware.room import Room
from firmware.table import Table
from firmware.table_rules import TableRules
from rules.best_play.findings import Outlook
from rules.best_play.outlook import outlook
from rules.best_play.table import WinTable
from rules.events import Banked, Kept, Player, Started, Thrown
from rules.game import Option
from rules.options import Options
from rules.record import Record
from web.app import create_app
from web.commands import Newcomer, NewGame
from web.site import Site

FARKLE = rulebook.load("farkle")


def game(name: str = "farkle", *players: str) -> Record:
    people = tuple(Player(each) for each in players or ("Ann", "Bob"))
    return Record.begin(Started("farkle", rulebook.load(name).to_json(), 1, people))


def tables(options: Options) -> WinTable:
    found = winning.shipped(options)
    assert found is not None
    return found


def seen(record: Record, name: str = "farkle") -> Outlook:
    options = rulebook.load(name)
    return outlook(options, record.board, tables(options))


def dice(found: Outlook) -> list[tuple[int, ...]]:
    return [play.option.dice for play in found.plays if play.option]


def test_before_the_first_throw_who_begins_has_the_published_chance() -> None:
    found = seen(game())
    assert found.wins == (pytest.approx(0.53565521, abs=1e-6), pytest.approx(1 - 0.53565521, abs=1e-6))
    assert found.exact
    assert [play.then for play in found.plays] == ["throw"]
    assert found.farkle == pytest.approx(5 / 162)


@pytest.mark.parametrize("name", rulebook.NAMES)
def test_every_preset_has_an_outlook_from_the_first_moment(name: str) -> None:
    found = seen(game(name, "Ann", "Bob", "Cas", "Dan") if name == "team-farkle" else game(name), name)
    assert found.plays[0].then == "throw"
    assert (found.wins[0] or 0) > 0.5 > (found.wins[1] or 1)


def test_every_choice_of_a_throw_is_weighed_and_the_best_comes_first() -> None:
    record = game().play(Thrown((1, 1, 2, 3, 4, 5)))
    found = seen(record)
    assert sorted(dice(found)) == sorted(option.dice for option in record.board.turn.options)  # type: ignore[union-attr]
    wins = [play.worth.win or 0 for play in found.plays]
    assert wins == sorted(wins, reverse=True)
    assert found.wins[0] == wins[0]


def test_what_is_set_aside_counts_not_what_would_have_been_best() -> None:
    thrown = game().play(Thrown((1, 1, 2, 3, 4, 5)))
    chosen = seen(thrown.play(Kept((5,))))
    assert chosen.farkle == pytest.approx(25 / 324)
    assert chosen.wins[0] == next(play.worth.win for play in chosen.plays if play.option == Option((5,), 50))
    assert (chosen.wins[0] or 1) < (seen(thrown).wins[0] or 0)


def test_the_last_turn_is_a_chase() -> None:
    six, record = (1, 1, 1, 1, 1, 1), game()
    for _ in range(2):
        record = record.play(Thrown(six), Kept(six)).play(Thrown(six)).play(Banked()).play(Thrown((2, 2, 3, 3, 4, 6)))
    record = record.play(Thrown(six), Kept(six)).play(Thrown(six), Banked())
    assert (record.board.status, record.board.players[0].score) == ("final-round", 12_000)
    found = seen(record)
    assert (found.wins[0] or 0) > 0.999
    assert sum(win or 0 for win in found.wins) == pytest.approx(1)
    assert [play.then for play in found.plays] == ["throw"]


def test_three_players_are_estimates_against_the_strongest_rival() -> None:
    found = seen(game("farkle", "Ann", "Bob", "Cas"))
    assert not found.exact
    assert found.notes == ("With more than two the chance to win is against the strongest rival only: an estimate.",)
    assert found.wins[0] == pytest.approx(0.53565521, abs=1e-6)
    assert all(win is not None and 0 < win < 1 for win in found.wins)


def test_team_mates_share_their_chance() -> None:
    found = seen(game("team-farkle", "Ann", "Bob", "Cas", "Dan"), "team-farkle")
    assert found.wins[0] == found.wins[2]
    assert found.wins[1] == found.wins[3]
    assert (found.wins[0] or 0) + (found.wins[1] or 0) == pytest.approx(1)
    assert found.exact


def test_the_coloured_die_is_one_of_the_choices() -> None:
    record = game("wild").play(Thrown((2, 2, 3, 3, 4, 6), coloured=4))
    found = seen(record, "wild")
    assert {play.option for play in found.plays} == set(record.board.turn.options)  # type: ignore[union-attr]


def test_a_game_that_is_over_has_a_winner_and_no_choices() -> None:
    record = game("five-dice").play(Thrown((3, 3, 3, 3, 3)))
    found = seen(record, "five-dice")
    assert (found.wins, found.plays) == ((1.0, 0.0), ())


def test_without_a_table_points_still_tell_the_best_play() -> None:
    found = outlook(FARKLE, game().play(Thrown((1, 1, 2, 3, 4, 5))).board, None)
    assert found.wins == (None, None)
    assert found.plays[0].worth.points == max(play.worth.points for play in found.plays)


@settings(max_examples=15)
@given(st.sampled_from([name for name in rulebook.NAMES if name != "twelve-dice"]), st.data())
def test_a_whole_game_has_chances_at_every_moment(name: str, data: st.DataObject) -> None:
    options, record = (
        rulebook.load(name),
        game(name, "Ann", "Bob", "Cas", "Dan") if name == "team-farkle" else game(name),
    )
    table = tables(options)
    for _ in range(data.draw(st.integers(1, 8))):
        turn = record.board.turn
        if turn is None:
            break
        found = outlook(options, record.board, table)
        assert all(win is not None and -1e-9 <= win <= 1 + 1e-9 for win in found.wins)
        two = found.wins[:2]
        assert sum(win or 0 for win in two) == pytest.approx(1)
        if turn.throw is not None and not turn.aside:
            option = data.draw(st.sampled_from(turn.options))
            record = record.play(Kept(option.dice, with_coloured=option.with_coloured))
        elif turn.may_bank and data.draw(st.booleans()):
            record = record.play(Banked())
        else:
            values = tuple(data.draw(st.lists(st.integers(1, 6), min_size=turn.dice_left, max_size=turn.dice_left)))
            record = record.play(Thrown(values, coloured=values[0] if turn.coloured_due else None))


def test_phones_ask_for_the_odds_of_the_state_they_see(tmp_path: Path) -> None:
    names = itertools.count(1)
    with closing(Journal(tmp_path / "j.db")) as journal, closing(Room(tmp_path / "j.db")) as room:
        table = Table(
            journal, rulebook.options_of, epoch="e", now=lambda: "2026-11-29", new_id=lambda: f"g{next(names)}"
        )
        table.start()
        found = winning.Tables(tmp_path)
        try:
            site = Site()
            client = create_app(
                table, room, TableRules("farkle", tmp_path), site, oddsmaker=Oddsmaker(found)
            ).test_client()
            assert asked(client)["odds"] is None
            view = table.ask(NewGame("farkle", (Newcomer("Ann"), Newcomer("Bob"))))
            answer = asked(client)
            assert (answer["rev"], answer["seq"]) == (view.rev, view.seq)
            assert answer["odds"]["players"][0]["win"] == pytest.approx(0.53565521, abs=1e-6)
            assert answer["odds"]["exact"] is True
            assert answer["odds"]["plays"][0]["then"] == "throw"
            assert asked(client) == answer
        finally:
            found.close()
            table.stop()


def asked(client: Any) -> Any:
    reply = client.get("/api/v1/odds", base_url="http://127.0.0.1")
    assert reply.status_code == 200, reply.text
    return reply.json
