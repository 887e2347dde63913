"""Each throw of a game is known by the move that it came with, whatever is undone, done again or corrected."""

from firmware.journal import Move
from firmware.standing import throws_of
from rules.events import Banked, Corrected, Event, Kept, Player, Started, Thrown, Undone
from rules.game import ENGINE_VERSION
from rules.options import Options

BEGUN = Started("farkle", Options().to_json(), ENGINE_VERSION, (Player("Ann"), Player("Bo")))
FIRST, SECOND = Thrown((1, 1, 2, 3, 4, 6)), Thrown((2, 3, 4, 5, 6, 6))


def standing(*moves: tuple[Event, ...]) -> list[tuple[int, bool]]:
    """Of each throw its move, numbered from 1, and whether it was corrected."""
    written = [Move(seq, "g", "", events) for seq, events in enumerate(((BEGUN,), *moves), 1)]
    return [(throw.move, throw.corrected) for throw in throws_of(written)]


def test_a_throw_that_was_taken_back_gives_its_number_to_the_next() -> None:
    assert standing((FIRST,), (Undone(),), (FIRST, Kept((1,))), (SECOND,)) == [(4, False), (5, False)]
    assert standing((FIRST,), (Undone(),)) == []


def test_a_throw_that_is_done_again_is_the_one_it_was() -> None:
    assert standing((FIRST,), (Kept((1,)),), (Undone(),), (Undone(),), (FIRST,), (Kept((1,)),)) == [(2, False)]


def test_a_corrected_throw_stays_the_throw_that_was_seen_and_so_do_those_after_it() -> None:
    played = ((FIRST,), (Banked(),), (SECOND, Kept((5,))), (Banked(),))
    assert standing(*played, (Corrected(1, (1, 1, 1, 3, 4, 6)),)) == [(2, True), (4, False)]
    assert standing(*played, (Corrected(1, (1, 1, 1, 3, 4, 6)),), (Undone(),)) == [(2, False), (4, False)]


def test_equal_throws_are_told_apart() -> None:
    played = ((SECOND,), (Banked(),), (SECOND,), (Banked(),), (SECOND,))
    assert standing(*played, (Corrected(2, (1, 3, 4, 5, 6, 6)),)) == [(2, False), (4, True), (6, False)]
