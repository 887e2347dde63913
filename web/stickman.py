"""What the stickman calls out loud when the table has changed: short, and only what a table would shout about."""

from collections import Counter

from rules.game import Last, Scoreboard, Turn
from speech.sentence import listed
from web.table_talk import Call
from web.view import GameView, View

FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
# Where a farkle is called a zilch.
ZILCH = frozenset({"dice-10000", "five-thousand", "exact-10000"})


def called(before: View, now: View) -> tuple[Call, ...]:
    """What is called between two views, in this order; nothing when the table is quiet."""
    game = now.game
    if game is None:
        return ()
    old = before.game if before.game is not None and before.game.id == game.id else None
    return (*_trouble(before, now, old), *_thrown(old, game), *_news(old, game), *_standing(old, game))


def _trouble(before: View, now: View, old: GameView | None) -> tuple[Call, ...]:
    game = now.game
    if game is not None and game.disputed is not None and (old is None or old.disputed is None):
        return (Call("look-again"),)
    if now.eye.state != before.eye.state and now.eye.state in ("unsure", "camera-lost"):
        return (Call("in-doubt" if now.eye.state == "unsure" else "cannot-see"),)
    return ()


def _thrown(old: GameView | None, now: GameView) -> tuple[Call, ...]:
    turn, was = now.board.turn, old.board.turn if old else None
    # A throw that lies there again because something was taken back or done again is not called twice.
    if turn is None or turn.throw is None or (was and was.throw_id == turn.throw_id) or now.may_redo:
        return ()
    return (roll(turn),)


def roll(turn: Turn) -> Call:
    """The best of an open throw, by its name where it has one."""
    best = max(turn.options, key=lambda option: option.score, default=None)
    if best is None:
        return Call("scores", {"points": turn.score})
    faces, points = best.faces(turn.coloured), {"points": best.score}
    counts = Counter(faces)
    face, count = counts.most_common(1)[0]
    if len(counts) == 6 and count == 1:
        return Call("straight", points)
    if len(faces) == 6 and len(counts) == 3 and count == 2:
        return Call("three-pairs", points)
    if count >= 3:
        return Call("alike", {"count": count, "face": Call(FACES[face - 1]), **points})
    return Call("scores", points)


def _news(old: GameView | None, now: GameView) -> tuple[Call, ...]:
    last = now.board.last
    was = old.may_redo if old else now.may_redo
    if now.may_redo:
        # The last that is done again is called as what it is: nobody can tell it from a new move, nor need they.
        return (Call("taken-back"),) if now.may_redo > was else (Call("done-again"),) if now.may_redo < was else ()
    if last is None or (old is not None and old.board.last == last):
        return ()
    return happened(last, now.board)


def happened(last: Last, board: Scoreboard) -> tuple[Call, ...]:
    name, points = board.players[last.player].name, abs(last.points)
    match last.what:
        case "farkle":
            word = "zilch" if board.rules in ZILCH else "farkle"
            lost = Call(word, {"points": points}) if points else Call(f"{word}-of-nothing")
            return (lost, Call("third-in-a-row", {"penalty": abs(last.penalty)})) if last.penalty else (lost,)
        case "four-twos":
            return (Call("four-twos", {"points": points}),)
        case "went-over" if last.to is not None:
            return (Call("went-over-for", {"points": points, "other": board.players[last.to].name}),)
        case "went-over":
            return (Call("went-over", {"points": points}),)
        case "hot-dice":
            return (Call("hot-dice", {"dice": board.dice}),)
        case "banked" | "taken":
            return (Call(last.what, {"name": name, "points": points}),)
        case "attempted":
            return (Call("attempted", {"name": name}),)
        case "rolled-off" | "corrected":
            return (Call(last.what),)
    return ()


def _standing(old: GameView | None, now: GameView) -> tuple[Call, ...]:
    """How the game stands: it begins, its final round, a tie, the win, and whose dice they are."""
    board, was = now.board, old.board if old else None
    found: list[Call] = [] if old else [Call("begin")] if board.throws == 0 else []
    if board.winners and not (was and was.winners):
        found.append(won(board))
    elif board.playoff and not (was and was.playoff):
        found.append(Call("tie"))
    elif board.status == "final-round" and was and was.status == "playing" and board.leader is not None:
        found.append(Call("final-round", {"points": board.players[board.leader].score}))
    if board.turn and not (was and was.turn and was.turn.player == board.turn.player):
        found.append(Call("next", {"name": board.players[board.turn.player].name}))
    return tuple(found)


def won(board: Scoreboard) -> Call:
    names = [board.players[index].name for index in board.winners]
    points = board.players[board.winners[0]].score
    if len(names) == 1:
        return Call("wins", {"name": names[0], "points": points})
    return Call("win", {"names": listed(names), "points": points})
