"""What a second opinion makes of the reasons that the reader found for and against a die."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import poise
from vision.evidence import Clue, ruled, weighed
from vision.faces import Faces
from vision.sampling import Floats

# From this probability on a word for the reader is clear: then a gleam or a pip less does not count.
CLEAR = 0.95
# The same where nobody else has read the die, on the mean over quarter turns: of 72 such dice in rendered sessions that
# were taken for flat all with it were so, and read right; leaning twos to sixes stayed below 0.83, ones below 0.97.
# Below it the value is asked about, and of the confidence this is left at most.
_CLEAR_ALONE, _CLEAR_ONE, _ASKED = 0.88, 0.98, 0.8
# Enough of a one where what shows along its rim is as on a flat die: of leaning ones hardly any has less.
_CLEAR_RIM, _FLAT_ONE = 0.95, -4.0
# From this probability on that no top face is here, pips of two dice or of a side make a pattern by chance. Of 5,600
# dice of rendered throws none that was read right had more than 0.8; should a die be there after all, it is left over.
NO_FACE = 0.95
_AGREES = 0.5  # below this one the value is asked about
ALONE = 0.85  # the same where neither tray nor camera are known, and it sees less
# From this probability on that a die lies askew, by both networks and by its pips together, it is called so; a one
# before that is likelier than not, since its pip says less and a question costs less than a wrong value: 6 of 895 flat
# ones reach it. Of 1,616 flat ones, twos and threes that nothing else spoke against 4 did at even odds, of 35 leaning
# ones 27; by the first network and the pips alone 1 and 16 did.
_ASKEW, _ASKEW_ONE = 0.82, 0.4
# Up to these odds, by both networks and by its pips together, a die lies flat: of 4,703 flat dice in rendered sessions
# 98 in a hundred have less; of 608 leaning ones none that only such things told has less than ten times as much. Then
# what looks like a side, like floor or like another die is a shade, a reflection or a neighbour; but how pips are
# spaced, which the reader measures to a tenth of a pixel, stands, and so does a thing of a die's size (squared edges)
# that sticks out.
_FLAT = 0.03
_LOOKS, _BIT = {"sides", "top", "hidden", "room"}, 0.35
# Of 330 leaning fours, fives and sixes of rendered sessions one had less than this by the first network, and its pips
# lay far off (0.087); 85 in a hundred flat ones have less. Then pips may lie as far off a level face's as this, for
# camera and spacing are never known exactly; but not on a face that is larger both ways, for the network does not tell
# a die on another: of 40 such none was larger by less than 0.03.
_LEVEL, _OFF, _LARGER = 0.002, 0.05, 0.02
_PATTERN = {"spacing", "squeeze"}
# So exactly 2,112 of 2,840 flat ones lie on a level face's, and of 357 that lean or lie on others none.
_EXACT = 0.007
# Of 689 flat dice with pictures 12 seemed more squeezed than this share of what is allowed, and of 335 leaning ones 7
# less so. Three of the 12 were looked at along the rim as well: it was far from a leaning one's (-9 and less).
_LEVEL_PICTURE = 0.5
# Half of the pips' contrast off: the places do not look as they should for its value.
_MISFIT = 0.5
# Of a four and more so few pips were found that none tells how the pattern is squeezed: they may be specks beside pips
# that a gleam hides.
_SPECKS = {"spacing"}
# What shows along the rim of a one is then as on a flat die, and that its pip is large counts no more: 6 of 581 flat
# ones had a large one, and this at -3.2 at most; of 11 such that lean or lie on others none had less than 1.5.
_FLAT_RIM = -2.0
# Where its pip is larger by half of what is allowed, two thirds of what a die below makes it, and what shows along its
# rim is not quite as on a flat die, it lies on another: of 895 flat ones none is so, of 7 on others with known pips 5.
_GROWN, _HARDLY_FLAT = 0.48, -2.5


def on_value(clues: tuple[Clue, ...], share: Floats, value: int, least: float = _AGREES) -> tuple[Clue, ...]:
    """The clues about its value. `share`: (8,), a row of `Opinion.share`. `least`: of agreement, or it is
    asked about."""
    agrees = shows(share, value)
    if agrees >= CLEAR:
        clues = tuple(clue if clue.leaves == 1 else replace(clue, leaves=1.0) for clue in clues)
    return (*clues, weighed("second", agrees, least, agrees / least, value))


def on_sight(share: Floats, value: int, leans: float = math.nan) -> tuple[Clue, ...]:
    """The only clue about the value of a die that was read by the network alone. `leans`: see `Network.leans`."""
    one = _CLEAR_RIM if leans < _FLAT_ONE else _CLEAR_ONE
    agrees, enough = float(share[value]), one if value == 1 else _CLEAR_ALONE
    return (weighed("second", agrees, enough, 1.0 if agrees >= enough else _ASKED * agrees, value),)


def on_attitude(
    clues: tuple[Clue, ...], share: Floats, value: int, leans: float = math.nan, solid: float = math.inf
) -> tuple[Clue, ...]:
    """The clues about how it lies. `leans`: see `Network.leans`, not a number where that was not asked. `solid`: area
    that sticks out and is no shadow, in squared edges."""
    if not math.isnan(leans):
        clues = (*clues, Clue("rim", leans, 0.0, 1.0))
    askew, times = float(share[-1]), poise.likelier(clues, value)
    enough = _ASKEW_ONE if value == 1 else _ASKEW
    odds = enough / (1 - enough) / times
    leaning = ruled("poise", askew, odds / (1 + odds))
    if value == 1:
        clues = tuple(_below(clue, leans, leaning.against) if clue.name == "floor" else clue for clue in clues)
    if value > 3 and askew < _LEVEL:
        clues = _level(clues)
    if askew * times < _FLAT * (1 - askew) or (value > 3 and _exact(clues)):
        looks = _LOOKS | (_SPECKS if value > 3 and all(clue.name != "squeeze" for clue in clues) else set())
        clues = tuple(_forgiven(clue, looks, solid) for clue in clues)
    return (*clues, leaning)


def on_picture(clues: tuple[Clue, ...], leans: float, solid: float) -> tuple[Clue, ...]:
    """The same for a face with a picture, of which the networks know nothing but what shows along its rim. A large
    picture reaches there, so that tells against it only where it does not lie quite as on a level face as well."""
    squeezed = any(clue.name == "squeeze" and clue.measured > _LEVEL_PICTURE * clue.limit for clue in clues)
    if leans < math.log(_FLAT):
        clues = tuple(_forgiven(clue, _LOOKS, solid) for clue in clues)
    return (*clues, Clue("rim", leans, 0.0, 0.0 if leans > 0 and squeezed else 1.0))


def seen(share: Floats) -> int:
    """The value that it likeliest shows; `share`: (8,)."""
    return 1 + int(share[1:-1].argmax())


def disputed(found: Faces, share: Floats) -> NDArray[np.bool_]:
    """(n,) faces of which not all pips were found, or that fit their pattern badly, and that the network clearly sees
    as another value: in a gleam, places without a pip have its colour. `share`: (n, 8), see `Opinion.share`."""
    other = 1 + share[:, 1:-1].argmax(1)
    clear = share[np.arange(len(share)), other] >= CLEAR
    doubtful = (found.backed < 1) | (found.misfit > _MISFIT)
    return np.asarray(clear & (other != found.value) & doubtful & ~found.pictured)


def shows(share: Floats, value: int) -> float:
    """The probability that its upper face shows this value, however it lies."""
    return float(share[value] / max(1e-6, 1 - share[-1]))


def _below(clue: Clue, leans: float, leaning: bool) -> Clue:
    """What the size of a one's pip says of a die below it, once its rim was looked at."""
    if not leaning and leans > _HARDLY_FLAT and clue.measured > _GROWN * clue.limit:
        return replace(clue, leaves=0.0)
    return replace(clue, leaves=1.0) if leans < _FLAT_RIM else clue


def _level(clues: tuple[Clue, ...]) -> tuple[Clue, ...]:
    """Those of a face that the network sees lie flat."""
    off = {clue.name: clue.measured for clue in clues}
    if off.get("spacing", 0.0) - off.get("squeeze", 0.0) > _LARGER:
        return clues
    return tuple(
        replace(clue, leaves=1.0) if clue.name in _PATTERN and clue.measured < _OFF else clue for clue in clues
    )


def _exact(clues: tuple[Clue, ...]) -> bool:
    """Whether its pips lie just as on a level face."""
    off = [clue.measured for clue in clues if clue.name in _PATTERN]
    less = any(clue.name == "exact" and clue.against for clue in clues)
    return len(off) == len(_PATTERN) and max(off) < _EXACT and not less


def _forgiven(clue: Clue, looks: set[str], solid: float) -> Clue:
    weak = clue.name in looks or (clue.name == "outline" and min(clue.measured, solid) < _BIT)
    return replace(clue, leaves=1.0) if weak else clue
