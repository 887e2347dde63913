"""What a second opinion makes of the reasons that the reader found for and against a die."""

import math
from dataclasses import replace

from vision import poise
from vision.evidence import Clue, ruled, weighed
from vision.sampling import Floats

# From this probability on a word for the reader is clear: then a gleam or a pip less does not count.
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
# Up to these odds, by both networks and by its pips together, a die lies flat: of 4,703 flat dice in rendered sessions
# 98 in a hundred have less; of 608 leaning ones none that only such things told has less than ten times as much. Then
# what looks like a side, like floor or like another die is a shade, a reflection or a neighbour; but how pips are
# spaced, which the reader measures to a tenth of a pixel, stands, and so does a thing of a die's size (squared edges)
# that sticks out.
_FLAT = 0.03
_LOOKS, _BIT = {"sides", "top", "hidden", "room"}, 0.35
# Of a four and more so few pips were found that none tells how the pattern is squeezed: they may be specks beside pips
# that a gleam hides.
_SPECKS = {"spacing"}
# What shows along the rim of a one is then as on a flat die, and that its pip is large counts no more: 6 of 581 flat
# ones had a large one, and this at -3.2 at most; of 11 such that lean or lie on others none had less than 1.5.
_FLAT_RIM = -2.0


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


def on_attitude(
    clues: tuple[Clue, ...], share: Floats, value: int, leans: float = math.nan, solid: float = math.inf
) -> tuple[Clue, ...]:
    """The clues about how it lies. `leans`: see `Network.leans`, not a number where that was not asked. `solid`: area
    that sticks out and is no shadow, in squared edges."""
    if not math.isnan(leans):
        clues = (*clues, Clue("rim", leans, 0.0, 1.0))
    if value == 1 and leans < _FLAT_RIM:
        clues = tuple(replace(clue, leaves=1.0) if clue.name == "floor" else clue for clue in clues)
    askew, times = float(share[-1]), poise.likelier(clues, value)
    if askew * times < _FLAT * (1 - askew):
        looks = _LOOKS | (_SPECKS if value > 3 and all(clue.name != "squeeze" for clue in clues) else set())
        clues = tuple(_forgiven(clue, looks, solid) for clue in clues)
    enough = _ASKEW_ONE if value == 1 else _ASKEW
    odds = enough / (1 - enough) / times
    return (*clues, ruled("poise", askew, odds / (1 + odds)))


def shows(share: Floats, value: int) -> float:
    """The probability that its upper face shows this value, however it lies."""
    return float(share[value] / max(1e-6, 1 - share[-1]))


def _forgiven(clue: Clue, looks: set[str], solid: float) -> Clue:
    weak = clue.name in looks or (clue.name == "outline" and min(clue.measured, solid) < _BIT)
    return replace(clue, leaves=1.0) if weak else clue
