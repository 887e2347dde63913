"""What each option may be: for every dotted name, how its value is read and which values are allowed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from rules.options import Custom, Kind
from speech.sentence import either, say

MOST_POINTS = 1_000_000
WHOLE = say("a whole number")
TRUE_OR_FALSE = say("true or false")
NAME = say("a text of 1 to 60 characters")
_EXAMPLE = '{pattern = "aabb", value = 300, name = "two pairs"}'


class NotAllowed(Exception):
    """`where`: the place inside the option, as "[0].pattern"; empty for the option itself."""

    def __init__(self, value: object, allowed: str, where: str = "") -> None:
        super().__init__(allowed)
        self.value, self.allowed, self.where = value, allowed, where


@dataclass(frozen=True, slots=True)
class Check:
    """`allowed`: the end of a sentence. `read` raises `NotAllowed`."""

    allowed: str
    read: Callable[[Any], Any]


def said(value: object) -> str:
    """A value as a rules file writes it."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            # The escapes of JSON are TOML's as well.
            return json.dumps(value, ensure_ascii=False)
        case Mapping():
            return "{" + ", ".join(f"{key} = {said(each)}" for key, each in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(said(each) for each in value) + "]"
    return str(value)


def _is_off(value: object) -> bool:
    return value is None or value is False or value in ("off", "none", "null")


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def whole(low: int, high: int, what: str = WHOLE) -> Check:
    allowed = say("{what} from {low} to {high}", what=what, low=low, high=high)

    def read(value: object) -> object:
        if not _is_whole(value, low, high):
            raise NotAllowed(value, allowed)
        return value

    return Check(allowed, read)


def points(*usual: int) -> Check:
    """Points that are always there; 0 is allowed."""
    allowed = say("a whole number of points (usual: {usual}; at most {most})", usual=_listed(usual), most=MOST_POINTS)
    check = whole(0, MOST_POINTS)
    return Check(allowed, lambda value: _or_complain(check, value, allowed))


def maybe_points(*usual: int) -> Check:
    """Points of a combination that may be left out: off, 0 and false mean None."""
    allowed = say(
        '"off" or a whole number of points (usual: {usual}; at most {most})', usual=_listed(usual), most=MOST_POINTS
    )
    check = whole(1, MOST_POINTS)

    def read(value: object) -> object:
        return None if _is_off(value) or value == 0 else _or_complain(check, value, allowed)

    return Check(allowed, read)


def maybe_whole(low: int, high: int) -> Check:
    allowed = say('"off" or a whole number from {low} to {high}', low=low, high=high)
    check = whole(low, high)
    return Check(allowed, lambda value: None if _is_off(value) else _or_complain(check, value, allowed))


def one_of(*values: object) -> Check:
    allowed = either([said(value) for value in values])

    def read(value: object) -> object:
        if isinstance(value, bool) or value not in values:
            raise NotAllowed(value, allowed)
        return value

    return Check(allowed, read)


def word_or_off(*words: str) -> Check:
    check = one_of("off", *words)
    return Check(check.allowed, lambda value: "off" if _is_off(value) else check.read(value))


def _switch(value: object) -> bool:
    known = {"on": True, "off": False, "true": True, "false": False}
    if isinstance(value, str) and value in known:
        return known[value]
    if not isinstance(value, bool):
        raise NotAllowed(value, TRUE_OR_FALSE)
    return value


SWITCH = Check(TRUE_OR_FALSE, _switch)


def _or_complain(check: Check, value: object, allowed: str) -> object:
    try:
        return check.read(value)
    except NotAllowed as wrong:
        raise NotAllowed(value, allowed) from wrong


def _listed(usual: tuple[int, ...]) -> str:
    return ", ".join(str(value) for value in usual)


def kind(sets: tuple[int, ...], mults: tuple[int, ...]) -> Check:
    allowed = say(
        '"off", "adding", "doubling", a set value such as {sets}, or a multiplier such as {mult}',
        sets=either([f"{{set = {value}}}" for value in sets]),
        mult=f"{{mult = {mults[0]}}}",
    )

    def read(value: object) -> Kind | None:
        if _is_off(value):
            return None
        match value:
            case "adding" | "doubling":
                return Kind(value)
            case {"set": number, **rest} if not rest and _is_whole(number, 1, MOST_POINTS):
                return Kind("set", number)
            case {"mult": number, **rest} if not rest and _is_whole(number, 1, 100):
                return Kind("mult", number)
        raise NotAllowed(value, allowed)

    return Check(allowed, read)


def _triples(value: object) -> dict[int, int]:
    example = "{2 = 200, 3 = 300}"
    allowed = say("a table of points by face, such as {example}; three 1s are triple_1", example=example)
    if not isinstance(value, Mapping):
        raise NotAllowed(value, allowed)
    found = {}
    for face, worth in value.items():
        if str(face) not in ("2", "3", "4", "5", "6"):
            raise NotAllowed(value, allowed)
        if not _is_whole(worth, 0, MOST_POINTS):
            raise NotAllowed(worth, say("a whole number of points, at most {most}", most=MOST_POINTS), f".{face}")
        found[int(face)] = worth
    return found


def _customs(value: object) -> tuple[Custom, ...]:
    if not isinstance(value, list | tuple):
        raise NotAllowed(value, say("a list such as {example}", example=f"[{_EXAMPLE}]"))
    return tuple(_custom(each, f"[{place}]") for place, each in enumerate(value))


def _custom(value: object, where: str) -> Custom:
    if not isinstance(value, Mapping) or not {"pattern", "value"} <= set(value) <= {"pattern", "value", "name"}:
        raise NotAllowed(value, say("a table such as {example}", example=_EXAMPLE), where)
    worth, name = value["value"], value.get("name", "")
    if not _is_whole(worth, 1, MOST_POINTS):
        raise NotAllowed(worth, say("a whole number of points from 1 to {most}", most=MOST_POINTS), f"{where}.value")
    if not _is_text(name):
        raise NotAllowed(name, say("a text of at most 60 characters"), f"{where}.name")
    return Custom(_pattern(value["pattern"], f"{where}.pattern"), worth, name)


def _pattern(value: object, where: str) -> str:
    given = "".join(str(die) for die in value) if isinstance(value, list | tuple) else str(value)
    pattern = "".join(sorted(given.lower().replace("-", "").replace(" ", "").replace(",", "")))
    faces = {each for each in pattern if each in "123456"}
    letters = {each for each in pattern if "a" <= each <= "z"}
    readable = set(pattern) == faces | letters and len(faces) + len(letters) <= 6 and 1 <= len(pattern) <= 12
    if not readable:
        allowed = say('one sign a die: 1 to 6, or a letter for "any face", such as "55552" or "aabb"')
        raise NotAllowed(value, allowed, where)
    return pattern


_INSTANT = ("five_kind_first_throw", "six_kind", "six_ones")
_WINS = say("a list of {names}", names=", ".join(_INSTANT))


def _instant(value: object) -> tuple[str, ...]:
    if _is_off(value):
        return ()
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple) or any(each not in _INSTANT for each in given):
        raise NotAllowed(value, _WINS)
    return tuple(name for name in _INSTANT if name in given)


def _name(value: object) -> str:
    if not _is_text(value) or not value.strip():
        raise NotAllowed(value, NAME)
    return value.strip()


def _is_text(value: object) -> TypeGuard[str]:
    """On one line, and of whole characters, so that it can be written to a file."""
    return isinstance(value, str) and value.isprintable() and len(value) <= 60


# As the eye names them.
COLOURS = (
    *("white", "ivory", "grey", "black", "brown"),
    *("red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink"),
)


_A_COLOUR = say('{colours}, or "" for the die that differs from all others', colours=", ".join(COLOURS))


def _colour(value: object) -> str:
    if _is_off(value) or value == "":
        return ""
    if not isinstance(value, str) or value.casefold() not in COLOURS:
        raise NotAllowed(value, _A_COLOUR)
    return value.casefold()


def _three_farkles(value: object) -> object:
    return "all" if value == "all" else maybe_points(500, 1000).read(value) or 0


CHECKS: Mapping[str, Check] = {
    "name": Check(NAME, _name),
    "teams": whole(0, 4),
    "stake": whole(0, MOST_POINTS),
    "dice.count": one_of(5, 6, 12),
    "dice.wild": word_or_off("coloured_4"),
    "dice.wild_alone": SWITCH,
    "dice.wild_colour": Check(_A_COLOUR, _colour),
    "score.ones": points(100),
    "score.fives": points(50),
    "score.triple_1": points(1000, 300, 200),
    "score.triples": Check(say("a table of points by face"), _triples),
    "score.kind4": kind((1000, 2000), (2, 3, 4)),
    "score.kind5": kind((2000, 4000), (3, 5, 6)),
    "score.kind6": kind((3000, 6000, 10000), (4, 8, 10)),
    "score.six_ones": maybe_points(5000),
    "score.straight": maybe_points(1000, 1200, 1500, 2000, 2500, 3000),
    "score.three_pairs": maybe_points(500, 600, 750, 1000, 1500),
    "score.three_pairs_four_plus_pair": SWITCH,
    "score.three_pairs_six_kind": SWITCH,
    "score.two_triplets": maybe_points(2500),
    "score.full_house_bonus": maybe_points(250),
    "score.nothing": maybe_points(500),
    "score.nothing_hot_dice": SWITCH,
    "score.mcflurry": maybe_points(2000),
    "score.mcflurry_exact": SWITCH,
    "score.progressive": word_or_off("kinds", "all"),
    "score.custom": Check(say("a list of patterns"), _customs),
    "turn.entry_threshold": points(0, 350, 400, 500, 1000),
    "turn.minimum": points(0, 500),
    "turn.bank_min_score": points(0, 500, 1000),
    "turn.bank_max_dice_left": maybe_whole(0, 12),
    "turn.hot_dice": one_of("may", "must"),
    "turn.piggyback": word_or_off("full", "flat"),
    "turn.piggyback_flat": points(1000),
    "turn.piggyback_needs_board": SWITCH,
    "turn.straight_attempt": SWITCH,
    "turn.triple_attempt": SWITCH,
    "turn.order": one_of("clockwise", "counter"),
    "penalty.three_farkles": Check(say('"off", "all" or a whole number of points (usual: 500, 1000)'), _three_farkles),
    "penalty.floor": maybe_whole(-MOST_POINTS, 0),
    "penalty.four_twos": SWITCH,
    "win.target": whole(1, MOST_POINTS, say("a whole number of points (usual: 5000, 10000, 20000)")),
    "win.rule": one_of("at_least", "over", "exact"),
    "win.overshoot": one_of("lose_turn", "give_to_lowest"),
    "win.final_round": SWITCH,
    "win.tie": one_of("first", "shared", "playoff"),
    "win.roll_off": SWITCH,
    "win.instant": Check(_WINS, _instant),
}
