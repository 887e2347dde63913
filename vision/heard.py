"""What a second opinion makes of the reasons that the reader found for and against a die."""

import math
from dataclasses import replace

from vision import poise
from vision.evidence import Clue, ruled, weighed
from vision.sampling import Floats

# Measured on 2,800 faces of rendered sessions that were not learned from. From this probability on a word for the
# reader is clear: of the 13 flat dice that only their sides spoke against 5 had it, of the leaning ones none.
CLEAR = 0.95
# The same where nobody else has read the die, on the mean over quarter turns: of 72 such dice in rendered sessions that
# were taken for flat all with it were so, and read right; leaning twos to sixes stayed below 0.83, ones below 0.97.
# Below it the value is asked about, and of the confidence this is left at most.
_CLEAR_ALONE, _CLEAR_ONE, _ASKED = 0.88, 0.98, 0.8
# From this probability on that no top face is here, pips of two dice or of a side make a pattern by chance. Of 5,600
# dice of rendered throws none that was read right had more than 0.8; should a die be there after all, it is left over.
NO_FACE = 0.95
_AGREES = 0.5  # below this one the value is asked about
ALONE = 0.85  # the same where neither tray nor camera are known, and it sees less
# From this probability on that a die lies askew, by both networks and by its pips together, it is called so; a one as
# soon as that is likelier than not, since its pip says less. Of 1,616 flat ones, twos and threes that nothing else
# spoke against 4 reach it, of 35 leaning ones 27; by the first network and the pips alone 1 and 16 did.
_ASKEW, _ASKEW_ONE = 0.82, 0.5
# Sides that look like floor, up to this factor beyond the limit, may be clear plastic, a shade or a reflection: there a
# clear word counts more. It has none about what sticks out (of a die on another), nor about how pips are spaced, which
# the reader measures to a tenth of a pixel.
_WEAK = 1.5
# Where what shows along the rim is as on a flat die too, die colours where no side should show, floor within the face
# and a little that sticks out (squared edges) are a shade or a neighbour as well. Of 133 leaning ones, twos and threes
# 4 had so little, of 1,630 flat ones 95 in a hundred; none of the 4 had a clear word for its value and this against it.
_FLAT_RIM, _BIT = -2.0, 0.1


def on_value(clues: tuple[Clue, ...], share: Floats, value: int, least: float = _AGREES) -> tuple[Clue, ...]:
    """The clues about its value. `share`: (8,), a row of `Opinion.share`. `least`: of agreement, or it is
    asked about."""
    agrees = shows(share, value)
    if agrees >= CLEAR:
        clues = tuple(clue if clue.leaves == 1 else replace(clue, leaves=1.0) for clue in clues)
    return (*clues, weighed("second", agrees, least, agrees / least, value))


def on_sight(share: Floats, value: int) -> tuple[Clue, ...]:
    """The only clue about the value of a die that was read by the network alone."""
    agrees, enough = float(share[value]), _CLEAR_ONE if value == 1 else _CLEAR_ALONE
    return (weighed("second", agrees, enough, 1.0 if agrees >= enough else _ASKED * agrees, value),)


def on_attitude(clues: tuple[Clue, ...], share: Floats, value: int, leans: float = math.nan) -> tuple[Clue, ...]:
    """The clues about how it lies. `leans`: see `Network.leans`, not a number where that was not asked."""
    if share[value] >= CLEAR:
        clues = tuple(_forgiven(clue, leans < _FLAT_RIM) for clue in clues)
    if not math.isnan(leans):
        clues = (*clues, Clue("rim", leans, 0.0, 1.0))
    enough = _ASKEW_ONE if value == 1 else _ASKEW
    odds = enough / (1 - enough) / poise.likelier(clues, value)
    return (*clues, ruled("poise", float(share[-1]), odds / (1 + odds)))


def shows(share: Floats, value: int) -> float:
    """The probability that its upper face shows this value, however it lies."""
    return float(share[value] / max(1e-6, 1 - share[-1]))


def _forgiven(clue: Clue, level: bool) -> Clue:
    weak = clue.name in ({"sides", "top", "hidden"} if level else {"sides"}) and clue.measured < _WEAK * clue.limit
    weak |= level and clue.name == "outline" and clue.measured < _BIT
    return replace(clue, leaves=1.0) if weak else clue
