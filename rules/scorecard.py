"""A scoreboard as lines of text, for terminals and readable transcripts."""

from rules.game import Scoreboard, Turn
from rules.wording import count_text, dice_text, points_text


def scorecard(board: Scoreboard) -> str:
    """One line a player, then what is going on."""
    lines = [f"{board.rules} to {board.target:,}: {_status(board)}"]
    width = max(len(player.name) for player in board.players)
    for index, player in enumerate(board.players):
        here = ">" if board.turn is not None and board.turn.player == index else " "
        crown = "  wins" if board.winner == index else ""
        off = "" if player.on_board else "  not on the board yet"
        farkles = f"  farkles in a row: {player.farkles}" if player.farkles else ""
        lines.append(f"{here} {player.name:{width}} {player.score:8,}{crown}{off}{farkles}")
    if board.turn is not None:
        lines.append(turn_line(board.turn, board.players[board.turn.player].name))
    return "\n".join(lines)


def turn_line(turn: Turn, name: str) -> str:
    if turn.throw is None:
        return f"{name} is to throw {count_text(turn.dice_left)}."
    if not turn.aside:
        return f"{name} threw {dice_text(turn.throw)} and chooses, with {points_text(turn.score)} so far."
    hot = "hot dice, " if turn.hot_dice else ""
    may = " or bank" if turn.may_bank else ""
    return f"{name} has {points_text(turn.score)} at risk: {hot}throw {count_text(turn.dice_left)}{may}."


def _status(board: Scoreboard) -> str:
    if board.status == "over":
        return "over" if board.winner is not None else "ended without a winner"
    return "final round" if board.status == "final-round" else f"throw {board.throws}"
