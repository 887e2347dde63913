"""A scoreboard as lines of text, for terminals and readable transcripts."""

from rules.game import Scoreboard, Turn
from rules.wording import count_text, dice_text, points_text


def scorecard(board: Scoreboard) -> str:
    """One line a player, then what is going on."""
    lines = [f"{board.rules} to {board.target:,}: {_status(board)}"]
    width = max(len(player.name) for player in board.players)
    for index, player in enumerate(board.players):
        here = ">" if board.turn is not None and board.turn.player == index else " "
        team = "" if player.team is None else f"  team {player.team + 1}"
        crown = "  wins" if index in board.winners else ""
        off = "" if player.on_board else "  not on the board yet"
        farkles = f"  farkles in a row: {player.farkles}" if player.farkles else ""
        lines.append(f"{here} {player.name:{width}} {player.score:8,}{team}{crown}{off}{farkles}")
    if board.turn is not None:
        lines.append(turn_line(board.turn, board.players[board.turn.player].name))
    return "\n".join(lines)


def turn_line(turn: Turn, name: str) -> str:
    if turn.throw is None:
        return _first_throw(turn, name)
    if not turn.aside:
        take = f", or takes over {points_text(turn.may_take.points)} first" if turn.may_take else ""
        return f"{name} threw {_thrown(turn)} and chooses, with {points_text(turn.score)} so far{take}."
    if turn.attempt is not None and turn.aside == turn.attempt.dice:
        return f"{name} keeps {dice_text(turn.aside)} for a {turn.attempt.what}: throw {count_text(turn.dice_left)}."
    if not turn.may_throw:
        return f"{name} has {points_text(turn.score)} at risk: the turn ends here, bank."
    hot = "hot dice, " if turn.hot_dice else ""
    may = (" or bank, which goes over the target" if turn.goes_over else " or bank") if turn.may_bank else ""
    return f"{name} has {points_text(turn.score)} at risk: {hot}throw {count_text(turn.dice_left)}{may}."


def _first_throw(turn: Turn, name: str) -> str:
    left = count_text(turn.dice_left)
    if turn.roll_off is not None:
        return f"{name} is to throw {left} to roll off {points_text(turn.roll_off.points)}."
    if turn.carried:
        return f"{name} is to throw {left} for {points_text(turn.carried)} and more."
    take = turn.may_take
    other = "" if take is None else f", or {count_text(take.dice)} for {points_text(take.points)} and more"
    return f"{name} is to throw {left}{other}."


def _thrown(turn: Turn) -> str:
    """The dice, the coloured one last and marked."""
    plain = list(turn.throw or ())
    if turn.coloured is None:
        return dice_text(tuple(plain))
    plain.remove(turn.coloured)
    return "-".join([*(str(die) for die in plain), f"{turn.coloured}w"])


def _status(board: Scoreboard) -> str:
    if board.status == "over":
        return "over" if board.winner is not None else "ended without a winner"
    if board.playoff:
        return "playoff"
    return "final round" if board.status == "final-round" else f"throw {board.throws}"
