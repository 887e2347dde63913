"""How much likelier a die leans, or lies flat, for where its pips lie and how round they look.

Likelihood ratios, measured on 4,300 flat and 585 leaning dice of rendered sessions: the share of the leaning ones that
look so over the share of the flat ones, rounded to what a few hundred dice can tell.
"""

from bisect import bisect_right

from vision.evidence import Clue

# Up to each of these shares of what is allowed, and beyond the last. The diagonal of a two or three that leans is as
# long as on a level face where it leans across it. A pattern that is as on a level face counts less than it could, or
# it would outweigh a network that is sure: of 2,420 flat fours, fives and sixes none had more than 0.86 from that, and
# 8 of the 9 that lean towards the camera, and so look level, more than 0.93.
_DIAGONAL = ((0.07, 0.14, 0.22, 0.36, 0.54, 0.71), (0.05, 0.2, 0.5, 1.0, 5.0, 15.0, 30.0))
# A die that leans twice as far towards the camera as it lies beside it looks level to a hundredth, but hardly ever as
# exact as the flat dice of its tray: of 507 leaning fours, fives and sixes 4 were less than 3 times as far off as they
# are, 9 less than 6 times. Flat ones that are 3 times as far off, 42 of 3,812, are flat to the network (0.2 at most):
# so what speaks for leaning counts more than it could.
_EXACT = ((1.0, 2.0, 3.0, 4.0, 6.0, 10.0), (0.05, 0.15, 0.5, 4.0, 8.0, 15.0, 50.0))
# A side that is turned away on a flat die shows: 239 of 378 leaning fours, fives and sixes, 55 of 2,944 flat ones.
_HIDDEN = ((0.3,), (1.0, 10.0))
_PATTERN = ((0.35, 0.5, 0.65, 0.8), (0.15, 0.4, 2.0, 7.0, 50.0))
# By how much the roundest pip is less round than on a flat die.
_ONE_PIP = ((0.02, 0.04, 0.06, 0.08), (0.5, 1.0, 3.0, 5.0, 20.0))
_MORE_PIPS = ((0.02, 0.04, 0.06), (0.55, 2.0, 8.0, 20.0))
# By how much a one's pip is larger than on a flat die (natural logarithm): it is smaller on a face that is
# foreshortened, larger on one that is raised. Measured on 680 flat and 62 leaning ones.
_SIZE = ((-0.05, -0.04, -0.03, -0.015, 0.02, 0.03, 0.04), (25.0, 5.0, 1.6, 1.0, 0.3, 1.0, 2.5, 5.0))
# What the network says of the rim, measured on 547 flat and 91 leaning ones, and on 1,083 and 42 twos and threes, that
# it had not learned from. What it says for flatness counts less than it could, or it would outweigh exact pips.
_RIM_ONE = ((-4.0, -2.0, -1.0, 0.0, 2.0, 6.0, 10.0), (0.1, 0.3, 0.6, 4.0, 8.0, 25.0, 150.0, 300.0))
_RIM = ((-4.0, -2.0, 0.0, 2.0, 6.0, 10.0), (0.1, 0.15, 0.3, 3.0, 13.0, 100.0, 300.0))

Table = tuple[tuple[float, ...], tuple[float, ...]]


def likelier(clues: tuple[Clue, ...], value: int) -> float:
    """Times which a die of this value leans likelier than its `clues` of pose apart tell, below 1 less likely."""
    seen = {clue.name: clue for clue in clues}
    times = 1.0
    if exact := seen.get("exact"):
        times *= _at(exact.measured, _EXACT)
    elif squeeze := seen.get("squeeze"):
        times *= _at(squeeze.measured / squeeze.limit, _PATTERN)
    elif spacing := seen.get("spacing"):
        times *= _at(spacing.measured / spacing.limit, _DIAGONAL)
    # What shows beyond a flat two or three, which the rim tells better, is often its neighbour.
    if value > 3 and (hidden := seen.get("hidden")):
        times *= _at(hidden.measured, _HIDDEN)
    if squash := seen.get("squash"):
        times *= _at(squash.measured, _ONE_PIP if value == 1 else _MORE_PIPS)
    # Where the size of its pip was not learned, that is just 0.
    if value == 1 and (size := seen.get("floor")) and size.measured:
        times *= _at(size.measured, _SIZE)
    if rim := seen.get("rim"):
        times *= _at(rim.measured, _RIM_ONE if value == 1 else _RIM)
    return times


def _at(measured: float, table: Table) -> float:
    edges, times = table
    return times[bisect_right(edges, measured)]
