"""What the stickman calls at craps: two dice and the point, as a value."""

from web.table_talk import Call

CRAPS = (2, 3, 12)
HARD = {4: "little-joe", 6: "hard-six", 8: "hard-eight", 10: "hard-ten"}
NAMED = {2: "snake-eyes", 3: "ace-deuce", 5: "fever-five", 7: "seven", 9: "nina", 11: "yo-leven"}


def roll(dice: tuple[int, int], point: int | None = None) -> tuple[Call, ...]:
    """`point`: 4, 5, 6, 8, 9 or 10, None on the come-out. What the dice are called, then what they do.

    >>> [call.name for call in roll((5, 1))]
    ['easy', 'the-point-is']
    >>> [call.name for call in roll((3, 4), point=6)]
    ['seven-out']
    """
    total = sum(dice)
    done = _done(total, point)
    return done if total == 7 and point is not None else (_name(dice, point), *done)


def _name(dice: tuple[int, int], point: int | None) -> Call:
    total = sum(dice)
    if total == 12:
        return Call("boxcars" if point is None else "midnight")
    if dice[0] == dice[1] and total in HARD:
        return Call(HARD[total])
    return Call(NAMED[total]) if total in NAMED else Call("easy", {"total": total})


def _done(total: int, point: int | None) -> tuple[Call, ...]:
    match point:
        case None if total in CRAPS:
            return (Call("craps"),)
        case None if total in (7, 11):
            return (Call("front-line"),)
        case None:
            return (Call("the-point-is", {"total": total}),)
        case _ if total == 7:
            return (Call("seven-out"),)
        case _ if total == point:
            return (Call("point-made"),)
    return ()
