"""What other programs are told: the table in short, and what happened between two views. Pure."""

from collections.abc import Iterator
from typing import Any

from firmware.vitals import Vitals
from rules.game import Scoreboard
from web.said import happened as in_words
from web.view import GameView, View

Json = dict[str, Any]

# Moments of the panel that are news to a house, by the names that Home Assistant lists.
NEWS = {
    "farkle": "farkle",
    "hot-dice": "hot_dice",
    "win": "win",
    "final-round": "final_round",
    "ask": "unsure",
    "unsure": "unsure",
    "camera-lost": "camera_lost",
}
KINDS = ("roll", *dict.fromkeys(NEWS.values()), "banked")


def in_short(view: View) -> Json:
    """The table for a wall or an automation; it changes only when something of it does."""
    game = view.game
    found: Json = {
        "status": view.panel.cue,
        "word": view.panel.word,
        "eye": view.eye.state,
        "offered": view.offered,
        "url": view.url,
        "game": None,
    }
    return found if game is None else found | {"game": _game(game)}


def of_board(board: Vitals, version: str) -> Json:
    """How the box is, for a house that looks after it; null for what it does not tell."""
    return {
        "under_voltage": board.under_voltage,
        "hot": board.hot,
        "celsius": board.celsius,
        "free_mb": board.free_mb,
        "version": version,
    }


def happened(before: View | None, view: View) -> tuple[Json, ...]:
    """The news of `view`, each with its `event_type`, oldest first. `before`: the view told last; none at the start, or
    after the tray has started anew."""
    if before is None or before.epoch != view.epoch:
        return ()
    kinds = tuple(_kinds(before, view))
    if not kinds:
        return ()
    about = {"url": view.url} | ({} if view.game is None else _about(view.game))
    return tuple({"event_type": kind} | about for kind in kinds)


def _kinds(before: View, view: View) -> Iterator[str]:
    moment = NEWS.get(view.panel.moment or "")
    was, game = before.game, view.game
    if was is not None and game is not None and was.id == game.id:
        if game.board.throws > was.board.throws:
            yield "roll"
        if _scores(game.board) > _scores(was.board) and view.panel.moment in ("banked", "win", "final-round"):
            yield "banked"
    if moment is not None:
        yield moment


def _scores(board: Scoreboard) -> int:
    return sum(player.score for player in board.players)


def _about(game: GameView) -> Json:
    """Whose the news is: of the one who just did something, else of the one to move."""
    board = game.board
    turn, last = board.turn, board.last
    found: Json = {"game": game.id, "rules": board.rules}
    thrown = turn.throw if turn is not None and turn.throw is not None else last.throw if last is not None else ()
    if last is not None and not (turn is not None and turn.throw is not None):
        names = [player.name for player in board.players]
        found |= {"player": names[last.player], "points": last.points, "text": str.__str__(in_words(last, names))}
    elif turn is not None:
        best = max((option.score for option in turn.options), default=0)
        found |= {"player": board.players[turn.player].name, "points": turn.score, "best": best}
    return found | {"values": list(thrown)}


def _game(game: GameView) -> Json:
    board = game.board
    turn = board.turn
    return {
        "id": game.id,
        "rules": board.rules,
        "target": board.target,
        "status": board.status,
        "players": [{"name": player.name, "score": player.score} for player in board.players],
        "turn": None
        if turn is None
        else {
            "player": turn.player,
            "name": board.players[turn.player].name,
            "score": turn.score,
            "dice_left": turn.dice_left,
            "throw": None if turn.throw is None else list(turn.throw),
            "kept": list(turn.kept),
        },
        "winners": [board.players[index].name for index in board.winners],
    }
