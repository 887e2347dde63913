"""Every option of Farkle and Dice 10,000 as frozen values. The defaults are plain Farkle."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

InstantWin = Literal["five_kind_first_throw", "six_kind", "six_ones"]


@dataclass(frozen=True, slots=True)
class Kind:
    """What more than three alike score.

    "adding": one more triple value for each die above three. "doubling": twice as much for each die above three.
    "set": `value` points, whatever the face. "mult": `value` times the triple.
    """

    how: Literal["adding", "doubling", "set", "mult"]
    value: int = 0

    def points(self, alike: int, triple: int) -> int:
        """Points for `alike` dice of a face whose triple scores `triple`."""
        match self.how:
            case "adding":
                return triple * (alike - 2)
            case "doubling":
                return int(triple * 2 ** (alike - 3))
            case "set":
                return self.value
            case "mult":
                return triple * self.value


@dataclass(frozen=True, slots=True)
class Custom:
    """A combination that this table has agreed on.

    `pattern`: one character a die. A digit is that face; a letter is any face, the same letter the same face,
    different letters different faces, none of them a face that is named by a digit. "aabb2": two pairs and a 2.
    """

    pattern: str
    value: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Dice:
    """`wild`: one die is of another colour, and a wild card when it shows 4. `wild_alone`: the wild card may stand
    alone as a single 1; otherwise it must complete a combination. `wild_colour`: of that die, as "red"; "" when it is
    the one that differs from all others."""

    count: int = 6
    wild: Literal["off", "coloured_4"] = "off"
    wild_alone: bool = True
    wild_colour: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """Points. None: the combination does not count. `triples`: of the faces 2 to 6, in this order."""

    ones: int = 100
    fives: int = 50
    triple_1: int = 1000
    triples: tuple[int, int, int, int, int] = (200, 300, 400, 500, 600)
    kind4: Kind | None = None
    kind5: Kind | None = None
    kind6: Kind | None = None
    six_ones: int | None = None
    straight: int | None = None
    three_pairs: int | None = None
    three_pairs_four_plus_pair: bool = False
    three_pairs_six_kind: bool = False
    two_triplets: int | None = None
    full_house_bonus: int | None = None
    nothing: int | None = None
    nothing_hot_dice: bool = True
    mcflurry: int | None = None
    mcflurry_exact: bool = False
    progressive: Literal["off", "kinds", "all"] = "off"
    custom: tuple[Custom, ...] = ()

    def triple(self, face: int) -> int:
        return self.triple_1 if face == 1 else self.triples[face - 2]


@dataclass(frozen=True, slots=True)
class TurnRules:
    """Limits are in points of the turn. `entry_threshold`: to get on the board. `minimum`: to bank at all.
    `bank_min_score` and `bank_max_dice_left`: both must hold before a player may stop."""

    entry_threshold: int = 0
    minimum: int = 0
    bank_min_score: int = 0
    bank_max_dice_left: int | None = None
    hot_dice: Literal["may", "must"] = "may"
    piggyback: Literal["off", "full", "flat"] = "off"
    piggyback_flat: int = 1000
    piggyback_needs_board: bool = False
    straight_attempt: bool = False
    triple_attempt: bool = False
    order: Literal["clockwise", "counter"] = "clockwise"


@dataclass(frozen=True, slots=True)
class Penalty:
    """`three_farkles`: points lost for three farkles in a row. `floor`: no penalty takes a score below it."""

    three_farkles: int | Literal["all"] = 0
    floor: int | None = None
    four_twos: bool = False


@dataclass(frozen=True, slots=True)
class Win:
    target: int = 10_000
    rule: Literal["at_least", "over", "exact"] = "at_least"
    overshoot: Literal["lose_turn", "give_to_lowest"] = "lose_turn"
    final_round: bool = True
    tie: Literal["first", "shared", "playoff"] = "first"
    roll_off: bool = False
    instant: tuple[InstantWin, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """Complete rules of one table. `teams`: how many, 0 for none. `stake`: for information only."""

    name: str = "farkle"
    dice: Dice = field(default_factory=Dice)
    score: Score = field(default_factory=Score)
    turn: TurnRules = field(default_factory=TurnRules)
    penalty: Penalty = field(default_factory=Penalty)
    win: Win = field(default_factory=Win)
    teams: int = 0
    stake: int = 0

    def to_json(self) -> dict[str, Any]:
        """The complete options as plain JSON values; `rules.house.parse` is the inverse."""
        return _table(self)


def _plain(value: object) -> object:
    match value:
        case Kind(how=how, value=points):
            return {how: points} if how in ("set", "mult") else how
        case Score():
            return _table(value) | {"triples": {str(face): value.triple(face) for face in range(2, 7)}}
        case tuple():
            return [_plain(each) for each in value]
        case _ if is_dataclass(value):
            return _table(value)
    return value


def _table(value: Any) -> dict[str, Any]:
    return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The options of a JSON table by their dotted names, as "score.straight"."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        if prefix == "" and isinstance(value, dict):
            found |= flat(value, f"{key}.")
        else:
            found[prefix + key] = value
    return found
