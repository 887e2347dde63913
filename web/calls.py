"""What is called out when the table has changed: sentences for those who listen rather than look."""

from rules.game import Scoreboard
from speech.sentence import say
from web import said
from web.view import GameView, View


def calls(before: View, now: View) -> tuple[str, ...]:
    """What happened between two views, in the order in which it is said; nothing when nobody need hear of it."""
    if now.game is None:
        return ()
    old = before.game if before.game is not None and before.game.id == now.game.id else None
    game = now.game
    return (*_thrown(old, game), *_news(old, game), *_turns(old, game), *_disputed(old, game), *_unsure(before, now))


def _thrown(old: GameView | None, now: GameView) -> tuple[str, ...]:
    turn = now.board.turn
    if turn is None or turn.throw is None or (old and old.board.turn and old.board.turn.throw_id == turn.throw_id):
        return ()
    return (say("Thrown: {dice}.", dice=" ".join(map(str, turn.throw))),)


def _news(old: GameView | None, now: GameView) -> tuple[str, ...]:
    """Notes that are new, and what happened last; what was taken back or corrected is in the notes."""
    notes = tuple(note for note in now.notes if old is None or note not in old.notes)
    last = now.board.last
    told = last is None or last.what == "corrected" or now.may_redo or (old is not None and old.board.last == last)
    return notes if told or last is None else (*notes, said.happened(last, _names(now.board)))


def _turns(old: GameView | None, now: GameView) -> tuple[str, ...]:
    board, before = now.board, old.board if old else None
    found: list[str] = []
    if board.turn and (before is None or before.turn is None or before.turn.player != board.turn.player):
        found.append(say("{name} to throw.", name=board.players[board.turn.player].name))
    if board.winner is not None and (before is None or before.winner is None):
        winner = board.players[board.winner]
        found.append(say("{name} wins with {points}.", name=winner.name, points=said.number(winner.score)))
    return tuple(found)


def _disputed(old: GameView | None, now: GameView) -> tuple[str, ...]:
    """Whether it stands or was corrected is in the notes."""
    begun = old is None or old.disputed is None
    return (said.asks_to_look(now.disputed),) if begun and now.disputed is not None else ()


def _unsure(before: View, now: View) -> tuple[str, ...]:
    asked = now.eye.state == "unsure" and before.eye.state != "unsure"
    return (say("Unsure. {why}", why=now.eye.text),) if asked else ()


def _names(board: Scoreboard) -> list[str]:
    return [player.name for player in board.players]
