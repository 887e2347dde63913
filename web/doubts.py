"""A doubt about one die, settled with one tap."""

from dataclasses import dataclass

from web.view import GameView


@dataclass(frozen=True, slots=True)
class Answer:
    """A doubt settled with one tap: the doubtful die shows `value`, so `values` is the whole throw."""

    value: int
    values: tuple[int, ...]


def answers(game: GameView) -> tuple[Answer, ...]:
    """The likeliest first; none where one tap does not do: more than one doubt, or nothing known of what it shows."""
    if len(game.doubts) != 1 or not game.doubts[0].likely:
        return ()
    likely, read = game.doubts[0].likely, list(game.proposed)
    if None in read:
        read.remove(None)
    elif likely[0] in read:
        read.remove(likely[0])
    else:
        return ()
    known = [value for value in read if value is not None]
    whole = len(known) == len(read)
    return tuple(Answer(value, tuple(sorted([*known, value]))) for value in likely) if whole else ()
