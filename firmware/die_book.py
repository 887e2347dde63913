"""Every die's record: what it showed in each throw that was read, taken from the journal.

A throw counts when the eye read it for sure and the game took it. One that was entered by hand, or corrected, does not;
an undo takes it back. Nothing is kept but the journal, so the record is right after any crash, whatever was undone, and
a throw can count no more than once.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from firmware.errors import BadState
from firmware.journal import Journal, Move, Rolled
from firmware.standing import throws_of
from rules import fairness
from vision.dice_set import Kind
from vision.happening import Happening
from web.records import DieRecord, SetRecord
from web.refusals import TrayBusy

Told = tuple[str, tuple[Kind, ...]]


def rolled(happening: Happening, dice_set: str | None) -> Rolled | None:
    """What a settled throw adds to the records of this set; None when it is not known which dice are thrown."""
    seen = [die for die in happening.thrown if die.counts and die.zone == "tray"]
    dice = tuple((die.colour, die.value) for die in seen if die.value is not None)
    return Rolled(dice_set, dice) if dice_set is not None and dice else None


def counted(moves: Sequence[Move], rolls: Mapping[int, Rolled]) -> tuple[Rolled, ...]:
    """The throws of one game that count, in the order in which they fell. `rolls`: by number of the move."""
    return tuple(rolls[throw.move] for throw in throws_of(moves) if throw.move in rolls and not throw.corrected)


class DieBook:
    """Fits `web.ports.DieBook`; any thread may ask. `told`: name and kinds of dice of a set, None when there is no such
    set any more."""

    def __init__(self, path: Path, told: Callable[[str], Told | None]) -> None:
        self._journal = Journal(path)
        self._told = told
        self._lock = threading.Lock()
        # Of games that are over: they change no more.
        self._over: dict[str, tuple[Rolled, ...]] = {}

    def record(self, slug: str) -> SetRecord | None:
        told = self._told(slug)
        try:
            with self._lock:
                throws = self._throws(slug)
        except BadState as error:
            raise TrayBusy(str(error)) from None
        if told is None and not throws:
            return None
        name, kinds = told or (slug, ())
        return SetRecord(slug, name, _records(throws, kinds))

    def forget(self, slug: str) -> None:
        """The set is gone for good, and with it what its dice have shown. Raises `BadState`."""
        with self._lock:
            self._journal.forget_rolls(slug)
            self._over.clear()

    def close(self) -> None:
        with self._lock:
            self._journal.close()

    def _throws(self, slug: str) -> list[Rolled]:
        last = self._journal.last()
        found: list[Rolled] = []
        for game in self._journal.games_with(slug):
            throws = self._over.get(game) or counted(self._journal.moves(game), self._journal.rolls(game))
            if last is not None and game != last[0]:
                self._over[game] = throws
            found += (throw for throw in throws if throw.dice_set == slug)
        return found


def _records(throws: Sequence[Rolled], kinds: Sequence[Kind]) -> tuple[DieRecord, ...]:
    """A record for each kind of dice: equal dice cannot be told apart and share theirs."""
    values: dict[str, list[int]] = {kind.name: [] for kind in kinds}
    dice = {name: sum(kind.count for kind in kinds if kind.name == name) for name in values}
    for throw in throws:
        for name in {name for name, _ in throw.dice}:
            fell = [value for kind, value in throw.dice if kind == name]
            values.setdefault(name, []).extend(fell)
            dice[name] = max(dice.get(name, 0), len(fell))
    look = {kind.name: kind for kind in kinds}
    return tuple(
        DieRecord(
            name,
            dice[name],
            tuple(fell.count(face) for face in range(1, fairness.FACES + 1)),
            fairness.bet(fell, len(values)),
            fairness.limit(len(values)),
            look.get(name),
        )
        for name, fell in values.items()
    )
