"""Luck against expectation: what the dice of a game brought, apart from what was made of them.

Before a throw a turn is worth what best play makes of it in the mean; after the throw, what best play makes of just
these dice. The difference is luck. What a player then does is worth as much or less: that is given away. So for every
turn

    points made = worth of a turn + luck of its throws - what was given away

exactly, and with fair dice luck is nothing in the long run.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rules.best_play.findings import Luck, Reckoning, Swing
from rules.best_play.outlook import for_points, outlook, present_play
from rules.best_play.table import WinTable
from rules.events import Thrown
from rules.game import Scoreboard
from rules.options import Options
from rules.retelling import Step


def reckoned(options: Options, told: Sequence[Step], players: int, table: WinTable | None) -> Reckoning:
    """`told`: all steps of a game of so many `players`. `table`: of these rules, None while nobody has solved them."""
    found = [Luck()] * players
    left = 0
    for turn in _finished(told):
        luck, player = _of_turn(options, turn), turn[0].player
        if luck is None or player is None:
            left += 1
        else:
            found[player] = _added(found[player], luck)
    return Reckoning(tuple(found), left, _decided(options, told, table))


def _finished(told: Iterable[Step]) -> Iterable[list[Step]]:
    turn: list[Step] = []
    for step in told:
        if step.player is None:
            continue
        turn.append(step)
        if step.ends_turn:
            yield turn
            turn = []


def _of_turn(options: Options, turn: list[Step]) -> Luck | None:
    """None for a turn that best play does not cover: with an attempt, a roll-off, dice taken over, an instant win."""
    first = _throwing(options, turn[0].before)
    last = turn[-1].after.last
    if first is None or last is None or last.what not in ("farkle", "banked", "won"):
        return None
    if turn[0].before.turn is None or turn[0].before.turn.carried or turn[0].before.turn.roll_off:
        return None
    worth, dice, given = first, 0.0, 0.0
    for step in turn:
        if isinstance(step.fact, Thrown):
            due, brought = _throwing(options, step.before), _brought(options, step)
            if due is None or brought is None:
                return None
            dice += brought - due
            given += worth - due
            worth = brought
    made = float(_made(turn))
    return Luck(1, first, made, dice, given + worth - made)


def _throwing(options: Options, board: Scoreboard) -> float | None:
    """What the turn is worth when the dice are thrown now."""
    play = present_play(for_points(options, board), board.turn) if board.turn else None
    return play.throw.points if play is not None and play.throw is not None else None


def _brought(options: Options, step: Step) -> float | None:
    """What the turn is worth after a throw, to be played best."""
    if step.ends_turn:
        last = step.after.last
        return float(-last.penalty) if last is not None and last.what == "farkle" else _won(step)
    found = for_points(options, step.after)
    return found[0].worth.points if found else None


def _won(step: Step) -> float | None:
    """A farkle that ends the last round ends the game too."""
    before, after = step.before, step.after
    lost = step.player is not None and after.players[step.player].score <= before.players[step.player].score
    return 0.0 if lost and step.player not in after.winners else None


def _made(turn: list[Step]) -> int:
    player = turn[0].player or 0
    return turn[-1].after.players[player].score - turn[0].before.players[player].score


def _added(one: Luck, other: Luck) -> Luck:
    return replace(
        one,
        turns=one.turns + other.turns,
        expected=one.expected + other.expected,
        made=one.made + other.made,
        dice=one.dice + other.dice,
        given=one.given + other.given,
    )


def _decided(options: Options, told: Iterable[Step], table: WinTable | None) -> Swing | None:
    swings = []
    for step in told:
        if table is None or not isinstance(step.fact, Thrown) or step.player is None:
            continue
        before, after = outlook(options, step.before, table), outlook(options, step.after, table)
        if not before.exact:
            return None
        was, now = before.wins[step.player], after.wins[step.player]
        if was is not None and now is not None:
            swings.append(Swing(step.after.throws, step.player, was, now))
    return max(swings, key=lambda swing: abs(swing.after - swing.before), default=None)
