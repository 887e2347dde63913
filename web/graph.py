"""The graph of a game as numbers for an SVG: everybody's score over the turns, who led, where it was decided."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.game import Scoreboard
from rules.retelling import ToldTurn
from speech.sentence import Sentence, joined, listed, say
from web.marks import Mark, apart, mark_of
from web.said import number

# The drawing in its own units: on a phone held upright about a pixel each.
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 360, 270, 44, 16, 86, 46
LABELS_APART = 13
NAME_LENGTH = 9
# No more lines than this across the drawing.
MOST_TICKS = 5
# So many leads are told one by one.
MOST_LEADS = 6
# Told apart without colour, by dashes beside marks and names.
DASHES = ("none", "7 3", "2 3", "10 3 2 3", "4 4", "12 4", "1 4", "7 3 1 3")


@dataclass(frozen=True, slots=True)
class Line:
    """Of one side: `name` is short, `players` are all of it. `mark`, `dash`: how it is drawn. `points`: for a polyline.
    `x`, `y`: its last; `label_y`: where its name stands, clear of the others."""

    name: str
    players: tuple[str, ...]
    score: int
    mark: Mark
    dash: str
    points: str
    x: float
    y: float
    label_y: float


@dataclass(frozen=True, slots=True)
class Lead:
    """`side` led from turn `first` to turn `last`."""

    side: int
    first: int
    last: int
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Graph:
    """`right`: where the drawing of the scores ends. `ticks`: height and words of the lines across. `target`: height of
    the target's; `decided`: place of the turn that decided the game, None where that is not known."""

    lines: tuple[Line, ...]
    leads: tuple[Lead, ...]
    ticks: tuple[tuple[float, str], ...]
    target: float
    turns: int
    decided: float | None
    right: int = WIDTH - RIGHT


def graph(board: Scoreboard, turns: Sequence[ToldTurn], decided: int | None) -> Graph:
    """`turns`: one at least. `decided`: the turn that did."""
    sides = _sides(board)
    history = [tuple(0 for _ in sides)] + [tuple(turn.scores[side[0]] for side in sides) for turn in turns]
    most = max(board.target, *(score for scores in history for score in scores))
    least = min(0, *(score for scores in history for score in scores))

    def across(turn: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * turn / len(turns), 1)

    def height(score: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (score - least) / (most - least), 1)

    # Games of before players had marks are drawn with those that are free.
    marks = [mark_of(name) for name in apart(board.players[side[0]].mark for side in sides)]
    lines = []
    for index, side in enumerate(sides):
        scores = [scores[index] for scores in history]
        own = [at for at in range(len(history)) if _drawn(at, scores, turns, side)]
        points = " ".join(f"{across(at)},{height(scores[at])}" for at in own)
        names = tuple(board.players[player].name for player in side)
        end = height(scores[-1])
        short = _short(names)
        lines.append(Line(short, names, scores[-1], marks[index], DASHES[index], points, across(len(turns)), end, end))
    leads = tuple(
        Lead(side, first, last, across(first - 1), round(across(last) - across(first - 1), 1))
        for side, first, last in _leads(history)
    )
    step = _step(most - least)
    ticks = tuple((height(score), number(score)) for score in range(-(-least // step) * step, most + 1, step))
    where = None if decided is None else across(decided)
    return Graph(_apart(lines), leads, ticks, height(board.target), len(turns), where)


def leads_text(found: Graph) -> str:
    """Who led when; who did longest, where the lead went to and fro."""
    if not found.leads:
        return ""
    names = [listed(line.players) for line in found.lines]
    if len(found.leads) > MOST_LEADS:
        held = [
            sum(lead.last - lead.first + 1 for lead in found.leads if lead.side == side) for side in range(len(names))
        ]
        longest = held.index(max(held))
        return say(
            "The lead changed {times} times; {name} led longest, after {held} of {turns} turns.",
            times=len(found.leads) - 1,
            name=names[longest],
            held=held[longest],
            turns=found.turns,
        )
    return say("{leads}.", leads=joined([_led(names[lead.side], lead) for lead in found.leads], "; "))


def _led(name: str, lead: Lead) -> Sentence:
    if lead.first == lead.last:
        return say("{name} led after turn {turn}", name=name, turn=lead.first)
    return say("{name} led from turn {first} to {last}", name=name, first=lead.first, last=lead.last)


def _sides(board: Scoreboard) -> list[tuple[int, ...]]:
    return [team.players for team in board.teams] or [(index,) for index in range(len(board.players))]


def _drawn(at: int, scores: Sequence[int], turns: Sequence[ToldTurn], side: Sequence[int]) -> bool:
    """After turns of one's own, and wherever the score has changed."""
    return at in (0, len(turns)) or turns[at - 1].player in side or scores[at] != scores[at - 1]


def _leads(history: Sequence[Sequence[int]]) -> list[tuple[int, int, int]]:
    """Side, first turn and last turn of each lead. Who is caught up with still leads."""
    found: list[tuple[int, int, int]] = []
    for turn, scores in enumerate(history[1:], 1):
        best = max(scores)
        if best <= 0 and not found:
            continue
        if found and scores[found[-1][0]] == best:
            found[-1] = (found[-1][0], found[-1][1], turn)
        else:
            found.append((scores.index(best), turn, turn))
    return found


def _apart(lines: Sequence[Line]) -> tuple[Line, ...]:
    """With their names one under the other."""
    placed: dict[int, float] = {}
    lowest = HEIGHT - BOTTOM - LABELS_APART * (len(lines) - 1)
    above = float(TOP - LABELS_APART)
    for index in sorted(range(len(lines)), key=lambda index: lines[index].y):
        above = placed[index] = max(min(lines[index].y, lowest), above + LABELS_APART)
        lowest += LABELS_APART
    return tuple(replace(line, label_y=round(placed[index], 1)) for index, line in enumerate(lines))


def _step(span: int) -> int:
    """Points between lines across: one, two or five and zeros."""
    step = 1
    while True:
        for many in (1, 2, 5):
            if span / (many * step) <= MOST_TICKS:
                return many * step
        step *= 10


def _short(names: Sequence[str]) -> str:
    name = " + ".join(names)
    return name if len(name) <= NAME_LENGTH else f"{name[: NAME_LENGTH - 1]}…"
