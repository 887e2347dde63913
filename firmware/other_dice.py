"""Do other dice than those of the set in use lie in the tray? Then their own set is offered. Runs in the eye."""

from collections.abc import Iterable
from pathlib import Path

from calibration import store
from firmware.link import AT_REST, Offered
from vision import drifting
from vision.belonging import Belonging, belonging, better
from vision.errors import VisionError
from vision.frame import Frame
from vision.happening import Happening
from vision.profile import Profile
from vision.watcher import Read

# One set is tried at a time, so that nothing waits long: to load it and read with it takes 50 ms on a desktop.
_EVERY_S = 0.3
_ALIKE = 0.05  # so far from the set's own looks nobody asks whose dice they are


class OtherDice:
    """Owned by the eye's thread. `folder`: where the sets are kept."""

    def __init__(self, folder: Path, read: Read) -> None:
        self._folder, self._read = folder, read
        self._begun, self._next_s = False, 0.0
        self._left: list[Path] = []
        self._best: tuple[Belonging, Offered] | None = None
        self._told: Offered | None = None  # the table may have been told something by an eye before this one

    def see(
        self, frame: Frame, happenings: Iterable[Happening], profile: Profile | None, used: Path | None
    ) -> Offered | None:
        """After each frame: what there is to tell. `used`: the file of `profile`."""
        for happening in happenings:
            self._begun = happening.kind in AT_REST
            if self._begun:
                self._left, self._best = [], None
                self._next_s = frame.at_s + _EVERY_S
        if not self._begun or profile is None or used is None or frame.at_s < self._next_s:
            return None
        self._next_s = frame.at_s + _EVERY_S
        if self._best is None and not self._left:
            return self._begin(frame, profile, used)
        return self._try(frame)

    def afresh(self) -> Offered | None:
        """With another profile: what was offered is taken, or over."""
        told, self._told, self._begun = self._told, None, False
        return None if told in (None, Offered()) else Offered()

    def _begin(self, frame: Frame, profile: Profile, used: Path) -> Offered | None:
        """How well the dice fit the set in use; the others are tried where they do not."""
        # A profile that was named at the start is the only one.
        others = [] if used.parent != self._folder else [p for p in self._folder.glob("*.toml") if p != used]
        if others:
            height, width = frame.image.shape[:2]
            profile = profile.for_size(width, height)
            own = belonging(frame.image, profile, self._read)
        if not others or _fits(own, frame, profile):
            self._begun = False
            return self._tell(Offered())
        self._left, self._best = sorted(others), (own, Offered())
        return None

    def _try(self, frame: Frame) -> Offered | None:
        path = self._left.pop()
        height, width = frame.image.shape[:2]
        try:
            profile = store.load(path).for_size(width, height)
        except VisionError:
            profile = None  # damaged, or of another camera: the page of the sets says so
        if profile is not None and self._best is not None:
            found = belonging(frame.image, profile, self._read)
            if better(found, self._best[0]):
                self._best = (found, Offered(path.stem, profile.learned.name or path.stem))
        if self._left or self._best is None:
            return None
        self._begun = False
        return self._tell(self._best[1])

    def _tell(self, offered: Offered) -> Offered | None:
        if offered == self._told:
            return None
        self._told = offered
        return offered


def _fits(own: Belonging, frame: Frame, profile: Profile) -> bool:
    if own.doubts:
        return False
    if own.dice:
        return own.away < _ALIKE
    # Dice that have nothing in common with the set are no dice to its reader, but things that lie there.
    return all(one.kind != "thing" for one in drifting.compare(frame.image, profile))
