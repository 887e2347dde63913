"""What lies in the tray as the scoreboard draws it: the dice of the throw from left to right, those kept before."""

import math
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rules.game import Turn
from vision.seen import Doubt, SeenDie
from web.view import EyeView, GameView, View

Kind = Literal["none", "moving", "seen", "past", "unsure", "open"]
# Without a game this many places are shown while dice move.
USUAL = 6
REMEMBERED = 8


@dataclass(frozen=True, slots=True)
class Spot:
    """One die, or an empty place when `value` is 0; None is a die that cannot be read. `chosen`: set aside from the
    throw. `dead`: it scores in no choice. `asked`: there is a doubt about it. `wild`: it is the coloured die."""

    value: int | None = 0
    colour: str = ""
    angle: float = 0.0
    chosen: bool = False
    dead: bool = False
    asked: bool = False
    wild: bool = False


@dataclass(frozen=True, slots=True)
class Lying:
    """`kind`: "moving" while they roll or settle, "open" when they are a throw to choose from, "unsure" when one is
    asked about, "past" and "seen" when they mean nothing now. `key`: of the open throw; another one is a new throw."""

    kind: Kind
    spots: tuple[Spot, ...] = ()
    kept: tuple[Spot, ...] = ()
    key: str = ""


class Order:
    """The dice of each open throw in the order they came to lie: one set aside afterwards keeps its place."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Spot, ...]] = OrderedDict()

    def lying(self, view: View) -> Lying:
        eye, game = view.eye, view.game
        turn = game.board.turn if game else None
        kept = _kept(eye, turn) if turn else ()
        if eye.state in ("rolling", "settling"):
            return Lying("moving", (Spot(),) * due(game), kept)
        inside = sorted((die for die in eye.dice if die.zone != "rail"), key=_from_left)
        if game and turn and game.doubts and eye.state == "unsure":
            return Lying("unsure", tuple(_spot(die, asked=_doubtful(die, game.doubts)) for die in inside), kept)
        if game and turn and turn.throw is not None:
            key = f"{game.id}/{turn.throw_id}/{' '.join(map(str, turn.throw))}"
            return Lying("open", self._open(key, turn, eye), kept, key)
        if inside:
            spots = tuple(_spot(die, asked=die.value is None) for die in inside)
            return Lying("past" if turn else "seen", spots, kept)
        return Lying("none", (Spot(),) * (turn.dice_left if turn else 0), kept)

    def _open(self, key: str, turn: Turn, eye: EyeView) -> tuple[Spot, ...]:
        if key not in self._known:
            self._known[key] = _thrown(turn, eye)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        spots = self._known[key]
        scoring = {value for option in turn.options for value in option.faces(turn.coloured)}
        chosen = _chosen(spots, turn)
        return tuple(
            replace(spot, chosen=at in chosen, dead=spot.value not in scoring) for at, spot in enumerate(spots)
        )


def _from_left(die: SeenDie) -> float:
    return die.x


def _spot(die: SeenDie, asked: bool = False) -> Spot:
    return Spot(die.value, die.colour, die.angle, asked=asked)


def _doubtful(die: SeenDie, doubts: Iterable[Doubt]) -> bool:
    near = any(math.hypot(doubt.x - die.x, doubt.y - die.y) < die.size for doubt in doubts)
    return near or die.state != "flat" or die.value is None


def _matches(values: Iterable[int], eye: EyeView, zone: str) -> list[SeenDie | None]:
    """For each value a die that shows it, one in `zone` rather than elsewhere; None where the eye sees none."""
    pool = sorted(eye.dice, key=_from_left)
    found: list[SeenDie | None] = []
    for value in values:
        fits = sorted((die for die in pool if die.value == value), key=lambda die: die.zone != zone)
        found.append(fits[0] if fits else None)
        if fits:
            pool.remove(fits[0])
    return found


def _thrown(turn: Turn, eye: EyeView) -> tuple[Spot, ...]:
    values = turn.throw or ()
    found = _matches(values, eye, "tray")
    seen = sorted((die for die in found if die is not None), key=_from_left)
    if len(seen) == len(values):
        spots = [_spot(die) for die in seen]
    else:
        spots = [_spot(die) if die else Spot(value) for value, die in zip(values, found, strict=True)]
    wild = _coloured(spots, turn.coloured)
    return tuple(replace(spot, wild=at == wild) for at, spot in enumerate(spots))


def _coloured(spots: Sequence[Spot], value: int | None) -> int | None:
    """Where the coloured die lies, of those that show what it shows: the one whose colour no other has, else any."""
    shared = Counter(spot.colour for spot in spots)
    places = [at for at, spot in enumerate(spots) if value is not None and spot.value == value]
    return min(places, key=lambda at: shared[spots[at].colour] > 1, default=None)


def _chosen(spots: Sequence[Spot], turn: Turn) -> set[int]:
    """As many of each value as are aside, the coloured die first when it is among them and last when it is not."""
    rest = Counter(turn.aside)
    first = -1 if turn.with_coloured else 1
    found = set()
    for at in sorted(range(len(spots)), key=lambda at: first if spots[at].wild else 0):
        value = spots[at].value
        if value and rest[value] > 0:
            rest[value] -= 1
            found.add(at)
    return found


def _kept(eye: EyeView, turn: Turn) -> tuple[Spot, ...]:
    """Dice set aside from earlier throws of this turn, in their colours where the tray sees them."""
    before = list((Counter(turn.kept) - Counter(turn.aside if turn.throw is not None else ())).elements())
    return tuple(
        _spot(die) if die else Spot(value) for value, die in zip(before, _matches(before, eye, "rail"), strict=True)
    )


def due(game: GameView | None) -> int:
    """How many dice the next throw has."""
    if game is None:
        return USUAL
    return game.board.turn.dice_left if game.board.turn else game.board.dice
