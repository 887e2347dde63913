"""A game told turn by turn, as it stands with every correction worked in."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rules.events import Event, Source, Started, Thrown
from rules.fold import game_of
from rules.game import Option, Scoreboard, Turn
from rules.scoring import dearest


@dataclass(frozen=True, slots=True)
class Step:
    """One fact of a game, and the boards before and after it."""

    fact: Event
    before: Scoreboard
    after: Scoreboard

    @property
    def player(self) -> int | None:
        """Whose move it was; None when the game was over."""
        return self.before.turn.player if self.before.turn else None

    @property
    def ends_turn(self) -> bool:
        turn = self.after.turn
        return turn is None or turn.player != self.player


@dataclass(frozen=True, slots=True)
class Threw:
    """`number`: of the throw in the game, from 1. `values`: all dice, sorted; `coloured`: what the coloured one shows.
    `kept`: what was set aside of it, `points` what that scores; empty and 0 for a throw that brought nothing."""

    number: int
    values: tuple[int, ...]
    coloured: int | None
    source: Source
    kept: tuple[int, ...] = ()
    points: int = 0


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """`number`: from 1, of all turns of the game. `ending`: what `rules.game.Last` calls it; "" while the turn goes
    on, "ended" when the game was stopped in it. `points`: by how much the player's score rose; below zero for a
    penalty. `lost`: points at risk that a farkle took. `scores`: everybody's after it."""

    number: int
    player: int
    throws: tuple[Threw, ...] = ()
    ending: str = ""
    points: int = 0
    lost: int = 0
    scores: tuple[int, ...] = ()


def steps(started: Started, facts: Iterable[Event]) -> Iterator[Step]:
    """`facts` have been accepted: all of them can be played."""
    game = game_of(started)
    state: Any = game.start(started)
    board = game.board(state)
    for fact in facts:
        state = game.play(state, fact)
        before, board = board, game.board(state)
        yield Step(fact, before, board)


def turns(told: Iterable[Step]) -> tuple[ToldTurn, ...]:
    """The last may go on still."""
    found: list[ToldTurn] = []
    present: ToldTurn | None = None
    start: tuple[int, ...] = ()
    for step in told:
        if step.player is None:
            continue
        if present is None:
            present, start = ToldTurn(len(found) + 1, step.player), _scores(step.before)
        present = _with(present, step)
        if step.ends_turn:
            found.append(_closed(present, step, start))
            present = None
    return (*found, present) if present is not None else tuple(found)


def _with(turn: ToldTurn, step: Step) -> ToldTurn:
    """With what `step` adds to the throws of the turn."""
    throws = turn.throws
    if isinstance(step.fact, Thrown):
        fact = step.fact
        throws = (*throws, Threw(step.after.throws, tuple(sorted(fact.values)), fact.coloured, fact.source))
    chosen = _chosen(step)
    if throws and chosen is not None:
        throws = (*throws[:-1], replace(throws[-1], kept=chosen[0], points=chosen[1]))
    return replace(turn, throws=throws, scores=_scores(step.after))


def _chosen(step: Step) -> tuple[tuple[int, ...], int] | None:
    """What is set aside of the present throw, and what it scores; None when this step says nothing about it."""
    before, after = step.before.turn, step.after.turn
    if not step.ends_turn and after is not None and after.throw is not None:
        option = option_set_aside(after)
        return after.aside, option.score if option else 0
    banked = step.ends_turn and not isinstance(step.fact, Thrown) and step.after.last is not None
    if banked and before is not None and before.throw is not None and not before.aside and before.options:
        best = dearest(before.options)
        return best.faces(before.coloured), best.score
    return None


def option_set_aside(turn: Turn) -> Option | None:
    """The option that is set aside now; None when none is."""
    return next((each for each in turn.options if turn.aside and _is(each, turn)), None)


def _is(option: Option, turn: Turn) -> bool:
    same = option.with_coloured in (None, turn.with_coloured)
    return same and option.faces(turn.coloured) == turn.aside


def _closed(turn: ToldTurn, step: Step, start: tuple[int, ...]) -> ToldTurn:
    last, scores = step.after.last, _scores(step.after)
    ending = last.what if last is not None else "ended"
    lost = last.points if last is not None and ending == "farkle" else 0
    return replace(turn, ending=ending, points=scores[turn.player] - start[turn.player], lost=lost, scores=scores)


def _scores(board: Scoreboard) -> tuple[int, ...]:
    return tuple(player.score for player in board.players)
