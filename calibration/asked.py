"""Faces without pips that the owner is asked about, and what the answers mean: small values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from speech.sentence import say
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.frame import Image

POKER = {"9": 1, "10": 2, "J": 3, "Q": 4, "K": 5, "A": 6}
FEW = 2  # logos that sets with pips have at most; one face that was never shown could be taken for another


@dataclass(frozen=True, slots=True, eq=False)
class Unnamed:
    """A face of one kind of dice that has no pips. `picture`: see `vision.emblem.Emblem`, what to ask about. `places`:
    index of the dice picture, and pixels, of each that shows it, the middle one of them first."""

    kind: int
    picture: "Image"
    places: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a face stands for. `value`: 1-6, what it counts in play. `name`: what people call it."""

    value: int
    name: str


def meaning(name: str) -> Meaning:
    """Of a face that people call "1" to "6", or of poker dice 9 = 1, 10 = 2, J, Q, K, A = 6.

    Raises `VisionError` for other names.
    """
    plain = name.strip().upper()
    if plain in ("1", "2", "3", "4", "5", "6"):
        return Meaning(int(plain), name.strip())
    if plain not in POKER:
        raise VisionError(
            say("A face cannot stand for '{name}': say 1 to 6, or 9, 10, J, Q, K, A of poker dice.", name=name)
        )
    return Meaning(POKER[plain], name.strip())


Answer = tuple[Unnamed, Meaning | None]


def answered(asked: Sequence[Unnamed], said: Sequence[Meaning | None]) -> tuple[Answer, ...]:
    """Each face with its answer, None for a pattern that is none. Raises `VisionError` when there are more or fewer."""
    if len(said) != len(asked):
        raise VisionError(
            say(
                "{found} faces without pips were found and {given} names were given: "
                "name each, in the order they are shown.",
                found=len(asked),
                given=len(said),
            )
        )
    return tuple(zip(asked, said, strict=True))


def asked_again(found: Sequence[Unnamed], answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers, with what was `found` of the same faces since in more pictures."""
    out: list[Answer] = []
    for one, said in answers:
        same = [other for other in found if said is not None and _same(one, other)]
        out += [(other, said) for other in same if all(other is not each for each, _ in out)] or [(one, said)]
    return tuple(out)


def _same(one: Unnamed, other: Unnamed) -> bool:
    """Whether one place shows both."""
    return any(k == j and math.hypot(x - u, y - v) < _NEAR for k, x, y in one.places for j, u, v in other.places)


_NEAR = 12.0  # pixels: dice are larger


def check(answers: Sequence[Answer]) -> None:
    """Raises `VisionError` when dice that have no pips at all have no face for a value."""
    for kind in {one.kind for one, _ in answers}:
        shown = {said.value for one, said in answers if said is not None and one.kind == kind}
        if FEW < len(shown) < 6:
            missing = ", ".join(str(value) for value in sorted(set(range(1, 7)) - shown))
            raise VisionError(
                say(
                    "No face was shown that counts {missing}: dice without pips must show each of their faces once, "
                    "in one more picture if need be.",
                    missing=missing,
                )
            )
