"""What a screen can show of a game at one instant: the choices with what they are worth, and everybody's chance."""

from collections import Counter
from dataclasses import dataclass

from rules.best_play.advice import Moment, plays
from rules.best_play.contest import before_turn, contest
from rules.best_play.findings import Outlook, Play
from rules.best_play.of_two import left_out
from rules.best_play.table import WinTable
from rules.game import Scoreboard, Turn
from rules.hands import Hand, first_hand, hand_of, hands
from rules.odds import farkle_chance
from rules.options import Options
from rules.retelling import option_set_aside
from speech.sentence import say

UNSOLVED = say("These rules are not solved yet: the best play here is the one of most points.")
MANY = say("With more than two the chance to win is against the strongest rival only: an estimate.")


def outlook(options: Options, board: Scoreboard, table: WinTable | None) -> Outlook:
    """The outlook of a game under `options`; `table` is None while nobody has solved these rules."""
    turn = board.turn
    if turn is None:
        return Outlook(wins=tuple(float(index in board.winners) for index in range(len(board.players))))
    sides = _Sides.of(board, turn)
    moment = _moment(options, turn, sides.own == 0)
    if moment is None:
        return Outlook(wins=(None,) * len(board.players))
    playing = contest(options, table, sides.own, sides.rival) if table else None
    found = plays(options, moment, playing)
    present = present_play(found, turn)
    return Outlook(
        farkle=float(farkle_chance(options, present.left)) if present and present.left.dice else None,
        plays=found,
        wins=_wins(options, table, sides, moment, turn, board),
        exact=table is not None and len(sides.scores) == 2 and not left_out(options),
        notes=(UNSOLVED,) if table is None else (*((MANY,) if len(sides.scores) > 2 else ()), *left_out(options)),
    )


def for_points(options: Options, board: Scoreboard) -> tuple[Play, ...]:
    """The choices of the present throw, or the one before it, by what they are worth in points; none when the game is
    over or best play does not cover what is going on."""
    turn = board.turn
    moment = None if turn is None else _moment(options, turn, _Sides.of(board, turn).own == 0)
    return () if moment is None else plays(options, moment)


def present_play(found: tuple[Play, ...], turn: Turn) -> Play | None:
    """The play that is under way: what is set aside, or else the best."""
    chosen = option_set_aside(turn)
    under_way = (play for play in found if chosen is not None and play.option == chosen)
    return next(under_way, found[0] if found else None)


@dataclass(frozen=True, slots=True)
class _Sides:
    """Players, or teams, as they share scores. `mover`: the side to move."""

    scores: tuple[int, ...]
    mover: int

    @classmethod
    def of(cls, board: Scoreboard, turn: Turn) -> "_Sides":
        if board.teams:
            return cls(tuple(team.score for team in board.teams), board.players[turn.player].team or 0)
        return cls(tuple(player.score for player in board.players), turn.player)

    @property
    def own(self) -> int:
        return self.scores[self.mover]

    @property
    def rival(self) -> int:
        return self.scores[self.strongest_beside(self.mover)]

    def strongest_beside(self, side: int) -> int:
        """The other side of most points; of two the one whose turn comes first."""
        others = [index for index in range(len(self.scores)) if index != side]
        return max(others, key=lambda index: (self.scores[index], -self.wait(index)))

    def wait(self, side: int) -> int:
        return (side - self.mover) % len(self.scores)


def _moment(options: Options, turn: Turn, opening: bool) -> Moment | None:
    """None for what best play does not cover: attempts, roll-offs, a rail that it does not know."""
    if turn.attempt is not None or turn.roll_off is not None:
        return None
    chosen = option_set_aside(turn)
    before = turn.score - chosen.score if chosen else turn.score or turn.carried
    rail = tuple(sorted((Counter(turn.kept) - Counter(turn.aside)).elements()))
    if turn.throw is None:
        hand = _due(options, turn, rail)
        return Moment(before, hand, opening=opening) if hand in hands(options) else None
    coloured = turn.coloured is not None
    thrown = Counter(turn.throw) - Counter([turn.coloured] if turn.coloured else [])
    size = len(turn.throw)
    begins = size == options.dice.count and before == 0
    hand = first_hand(options) if begins else hand_of(options, size, coloured, (rail,) if rail else ())
    moment = Moment(before, hand, tuple(sorted(thrown.elements())), turn.coloured, opening)
    return moment if hand in hands(options) else None


def _due(options: Options, turn: Turn, rail: tuple[int, ...]) -> Hand:
    if turn.dice_left == options.dice.count and turn.score == 0 and not turn.carried:
        return first_hand(options)
    return hand_of(options, turn.dice_left, turn.coloured_due, (rail,) if rail else ())


def _wins(
    options: Options, table: WinTable | None, sides: _Sides, moment: Moment, turn: Turn, board: Scoreboard
) -> tuple[float | None, ...]:
    """By player; team-mates share theirs."""
    if table is None:
        return (None,) * len(board.players)

    def moving(against: int) -> float:
        found = plays(options, moment, contest(options, table, sides.own, sides.scores[against]))
        present = present_play(found, turn)
        return 0.0 if present is None or present.worth.win is None else present.worth.win

    def of(side: int) -> float:
        rival = sides.strongest_beside(side)
        if side == sides.mover:
            return moving(rival)
        if rival == sides.mover:
            return 1 - moving(side)
        if sides.wait(side) < sides.wait(rival):
            return before_turn(options, table, sides.scores[side], sides.scores[rival])
        return 1 - before_turn(options, table, sides.scores[rival], sides.scores[side])

    chances = [of(side) for side in range(len(sides.scores))]
    return tuple(
        chances[player.team if player.team is not None else index] for index, player in enumerate(board.players)
    )
