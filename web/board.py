"""What the scoreboard shows of a view, worked out for its templates: whoever looks, and on whatever screen."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rules.game import Option, Scoreboard, Standing, Turn
from web.doubts import Answer, answers
from web.lying import Lying, due
from web.view import GameView, View

ANYBODY = "*"
NOBODY = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line. `part`: of the way to the target, in percent. `now`: it is their turn, or they have won."""

    player: Standing
    part: float
    now: bool

    @property
    def off(self) -> bool:
        return not self.player.on_board and self.player.score == 0


@dataclass(frozen=True, slots=True)
class Choice:
    """`faces`: all dice it sets aside. `plain`, `coloured`: the same apart, the coloured die's value last. `body`: the
    move as the API takes it. `kept`: it is the present choice."""

    faces: tuple[int, ...]
    plain: tuple[int, ...]
    coloured: int | None
    score: int
    body: dict[str, Any]
    kept: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """`mover`: the seats that may make the move now, `undoer` those that may take one back, `everyone` those of the
    players: each as a template writes it into `data-for`. `points`: of the turn, the best of an open throw included
    while nothing of it is set aside; then `hoped`."""

    view: View
    lying: Lying
    mover: str = NOBODY
    undoer: str = NOBODY
    everyone: str = NOBODY
    points: int = 0
    hoped: bool = False
    choices: tuple[Choice, ...] = ()
    rows: tuple[Row, ...] = ()

    @property
    def game(self) -> GameView | None:
        return self.view.game

    @property
    def board(self) -> Scoreboard | None:
        return self.view.game.board if self.view.game else None

    @property
    def turn(self) -> Turn | None:
        return self.board.turn if self.board else None

    @property
    def player(self) -> str:
        """Whose turn it is; empty when it is nobody's."""
        return self.board.players[self.turn.player].name if self.board and self.turn else ""

    @property
    def lost(self) -> bool:
        """The camera is gone while a throw is due: it is asked for by hand."""
        turn = self.turn
        return turn is not None and self.view.eye.state == "camera-lost" and (turn.throw is None or bool(turn.aside))

    @property
    def asking(self) -> bool:
        return self.lost or (self.turn is not None and self.game is not None and bool(self.game.doubts))

    @property
    def over(self) -> bool:
        return self.board is not None and self.board.status == "over"

    @property
    def winners(self) -> list[str]:
        return [self.board.players[index].name for index in self.board.winners] if self.board else []

    @property
    def again(self) -> list[str]:
        """The same players once more: their seats, or names where they have none."""
        return [player.seat or player.name for player in self.board.players] if self.board else []

    @property
    def mood(self) -> str:
        """Classes of the page's body that say how it is laid out."""
        asking = "asking" if self.asking else ""
        return " ".join(filter(None, ["playing" if self.turn else "won" if self.over else "", asking]))

    @property
    def answers(self) -> tuple[Answer, ...]:
        return answers(self.game) if self.game and not self.asks_coloured else ()

    @property
    def due(self) -> int:
        return due(self.game)

    @property
    def asks_coloured(self) -> bool:
        """Whether the coloured die may be among the dice of the throw that is told by hand."""
        wild = self.board is not None and self.board.wild_colour is not None
        return wild and self.turn is not None and (self.turn.coloured_due or self.turn.coloured is not None)


def shown(view: View, lying: Lying) -> Shown:
    if view.game is None:
        return Shown(view, lying)
    board, turn = view.game.board, view.game.board.turn
    players = range(len(board.players))
    movers = [turn.player] if turn else []
    undoers = [*movers, *([board.last.player] if board.last else [])] if turn else players
    best = max((option.score for option in turn.options), default=0) if turn and _hoping(turn) else 0
    return Shown(
        view,
        lying,
        mover=seats(board, movers),
        undoer=seats(board, undoers),
        everyone=seats(board, players),
        points=turn.score + best + (turn.carried if best and not turn.score else 0) if turn else 0,
        hoped=best > 0,
        choices=_choices(turn) if turn else (),
        rows=_rows(board),
    )


def seats(board: Scoreboard, players: Iterable[int]) -> str:
    """Who may move for any of `players`: their seats, or everybody at the table when one of them has none."""
    found = [board.players[index].seat for index in dict.fromkeys(players)]
    if not found:
        return NOBODY
    return ANYBODY if None in found else " ".join(seat for seat in dict.fromkeys(found) if seat)


def _hoping(turn: Turn) -> bool:
    return turn.throw is not None and not turn.aside


def _choices(turn: Turn) -> tuple[Choice, ...]:
    best_first = sorted(turn.options, key=lambda option: (-option.score, len(option.dice)))
    return tuple(_choice(option, turn) for option in best_first)


def _choice(option: Option, turn: Turn) -> Choice:
    faces = option.faces(turn.coloured)
    kept = faces == tuple(sorted(turn.aside)) and option.with_coloured == turn.with_coloured
    body: dict[str, Any] = {"dice": list(option.dice)}
    if option.with_coloured is not None:
        body["with_coloured"] = option.with_coloured
    return Choice(faces, option.dice, turn.coloured if option.with_coloured else None, option.score, body, kept)


def _rows(board: Scoreboard) -> tuple[Row, ...]:
    now = board.turn.player if board.turn else board.winner
    rows = [
        Row(player, round(max(0.0, min(100.0, 100 * player.score / board.target)), 1), index == now)
        for index, player in enumerate(board.players)
    ]
    return tuple(sorted(rows, key=lambda row: -row.player.score))
