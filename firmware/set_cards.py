"""The shelf of dice sets as the pages know it."""

import contextlib
from collections.abc import Callable, Iterator
from typing import IO

from calibration import kept
from firmware.errors import BadInput, BadState
from firmware.sets import Shelf
from vision.dice_set import Kind
from vision.errors import VisionError
from web.records import DiceSet
from web.refusals import SetRefused, TrayBusy


class SetCards:
    """Fits `web.ports.DiceSets`. `forgotten`: told the set that was forgotten. `watches`: waits until the eye watches
    with the set in use."""

    def __init__(
        self, shelf: Shelf, forgotten: Callable[[str], object] = str, watches: Callable[[], object] = bool
    ) -> None:
        self._shelf, self._forgotten, self._watches = shelf, forgotten, watches

    def all(self) -> tuple[DiceSet, ...]:
        active = self._shelf.active()
        cards = (self._card(slug, slug == active) for slug in self._shelf.slugs())
        return tuple(sorted(cards, key=lambda card: card.name.casefold()))

    def fixed(self) -> str | None:
        return None if self._shelf.fixed is None else str(self._shelf.fixed)

    def activate(self, slug: str) -> None:
        with _sentences():
            self._shelf.activate(slug)
        self._watches()

    def rename(self, slug: str, name: str) -> None:
        with _sentences():
            self._shelf.rename(slug, name)

    def forget(self, slug: str) -> None:
        with _sentences():
            self._shelf.forget(slug)
            self._forgotten(slug)

    def undo(self, slug: str) -> None:
        with _sentences():
            self._shelf.undo(slug)
        self._watches()

    def pack(self, slug: str, out: IO[bytes]) -> None:
        with _sentences():
            self._shelf.pack(slug, out)

    def take_in(self, file: IO[bytes]) -> str:
        with _sentences():
            return self._shelf.take_in(file)

    def called(self, slug: str) -> tuple[str, tuple[Kind, ...]] | None:
        """Name and dice of a set, that of the profile named at the start too; None when there is no such set."""
        fixed = self._shelf.fixed
        try:
            if fixed is not None and slug == fixed.stem:
                return slug, kept.told(fixed).kinds
            return self._shelf.name(slug), self._shelf.told(slug).kinds
        except (VisionError, BadInput):
            return None

    def _card(self, slug: str, active: bool) -> DiceSet:
        name = self._shelf.name(slug)
        try:
            profile, before = self._shelf.told(slug), self._shelf.before(slug)
        except (VisionError, BadInput) as error:
            return DiceSet(slug, name, active, trouble=str(error))
        return DiceSet(
            slug,
            name,
            active,
            profile.kinds,
            profile.learned.made,
            len(profile.rolls),
            min((roll.least for roll in profile.rolls), default=None),
            None if before is None else before.learned.made,
        )


@contextlib.contextmanager
def _sentences() -> Iterator[None]:
    try:
        yield
    except (BadInput, VisionError) as error:
        raise SetRefused(str(error)) from None
    except BadState as error:
        raise TrayBusy(str(error)) from None
