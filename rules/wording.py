"""How dice and points are written in sentences."""


def dice_text(dice: tuple[int, ...]) -> str:
    """ "1-1-5"."""
    return "-".join(str(die) for die in dice)


def points_text(points: int) -> str:
    return "1 point" if points == 1 else f"{points:,} points"


def count_text(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"
