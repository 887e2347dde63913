"""Options that are scored and shown but whose turn is not played yet. They are refused, never ignored."""

from rules.errors import BadRules
from rules.options import Options, flat

# Each with the value that changes nothing.
UNPLAYED = {
    "dice.wild": "off",
    "score.nothing_hot_dice": True,
    "turn.piggyback": "off",
    "turn.straight_attempt": False,
    "turn.triple_attempt": False,
    "penalty.three_farkles": 0,
    "penalty.four_twos": False,
    "win.tie": "first",
    "win.roll_off": False,
    "win.instant": [],
    "teams": 0,
}


def unplayed(options: Options) -> tuple[str, ...]:
    """Names of the options in these rules that no game can be started with yet."""
    given = flat(options.to_json())
    found = tuple(name for name, plain in UNPLAYED.items() if given[name] != plain)
    return (*found, 'win.rule = "exact"') if options.win.rule == "exact" else found


def refuse_unplayed(options: Options) -> None:
    """Raises `BadRules` that names every option a game cannot be started with."""
    found = unplayed(options)
    if found:
        raise BadRules(f"{' and '.join(found)}: not played yet by this version; leave it out to start a game.")
