"""What the odds mean for the scoreboard, in words and bars: the risk, who is how likely to win, the best play."""

from dataclasses import dataclass

from rules.best_play.findings import Outlook, Play, Worth
from rules.game import Scoreboard, Turn
from rules.wording import count_text
from speech.sentence import Sentence, say
from web.said import number


@dataclass(frozen=True, slots=True)
class Chance:
    """Of one player, or of a team by its players' names. `percent`: to win. `begins`, `part`: where its piece of the
    bar of all begins and how long it is, in percent of the bar."""

    names: tuple[str, ...]
    percent: int
    begins: float
    part: float


@dataclass(frozen=True, slots=True)
class Odds:
    """All of it. `exact`: the chances to win are no estimates. `notes`: what they leave out, or why there are none.
    `play`: the dice that best play sets aside, None when there is nothing to set aside."""

    risk: str = ""
    chances: tuple[Chance, ...] = ()
    exact: bool = False
    notes: tuple[str, ...] = ()
    best: str = ""
    worth: str = ""
    play: tuple[int, ...] | None = None


def told(outlook: Outlook, board: Scoreboard | None) -> Odds:
    if board is None or board.turn is None:
        return Odds()
    turn, plays = board.turn, outlook.plays
    return Odds(
        risk(outlook) or "",
        chances(outlook, board),
        outlook.exact,
        outlook.notes,
        best(outlook, turn) or "",
        (worth(plays[0]) or "") if plays else "",
        plays[0].option.faces(turn.coloured) if plays and plays[0].option else None,
    )


def risk(outlook: Outlook) -> Sentence | None:
    """The chance to farkle with the next throw; None when there is none to tell."""
    if outlook.farkle is None:
        return None
    return say("farkle next {percent:.1f} %", percent=100 * outlook.farkle)


def chances(outlook: Outlook, board: Scoreboard) -> tuple[Chance, ...]:
    """The likeliest first; none at all while they are not known, and when the game is over. Of more than two each is
    known against the strongest rival only: then the odds of these duels are shared out, so that they make up one."""
    wins = [win for win in outlook.wins if win is not None]
    if board.turn is None or len(wins) < len(board.players):
        return ()
    sides = [team.players for team in board.teams] or [(index,) for index in range(len(board.players))]
    strengths = [wins[side[0]] if len(sides) == 2 else _odds(wins[side[0]]) for side in sides]
    whole = sum(strengths) or 1.0
    found, begins = [], 0.0
    for strength, side in sorted(zip(strengths, sides, strict=True), key=lambda found: -found[0]):
        percent = 100 * strength / whole
        names = tuple(board.players[index].name for index in side)
        found.append(Chance(names, round(percent), round(begins, 1), round(percent, 1)))
        begins += percent
    return tuple(found)


def _odds(win: float) -> float:
    """Of a duel that is won with this chance; one that is as good as won stays finite."""
    return win / max(1 - win, 1e-6)


def best(outlook: Outlook, turn: Turn) -> Sentence | None:
    """The best play as one sentence; None when there is none to tell or nothing to choose."""
    if not outlook.plays:
        return None
    play = outlook.plays[0]
    if play.option is None:
        return (
            say("Best: throw {dice}.", dice=count_text(turn.dice_left)) if play.then == "throw" else say("Best: bank.")
        )
    dice = " ".join(map(str, play.option.faces(turn.coloured)))
    if play.then == "throw":
        return say("Best: set aside {dice}, then throw.", dice=dice)
    return say("Best: set aside {dice}, then bank.", dice=dice)


def worth(play: Play) -> Sentence | None:
    """What throwing on and banking are worth after `play`; None when only one of them may be done."""
    if play.throw is None or play.bank is None:
        return None
    if play.throw.win is not None and play.bank.win is not None:
        return say(
            "Throwing wins {throw:.1f} %, banking {bank:.1f} %.", throw=100 * play.throw.win, bank=100 * play.bank.win
        )
    return say("Throwing is worth {throw}, banking {bank}.", throw=_points(play.throw), bank=_points(play.bank))


def _points(worth: Worth) -> str:
    return number(round(worth.points))
