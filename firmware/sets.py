"""The shelf of dice sets: a profile each under `profiles/` in the state folder, one of them in use.

`NAME.toml` and the pictures in `NAME.d` are a set, `before/NAME.toml` its calibration before, and `active` names the
set in use and the one used before it.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

from calibration import archive, kept
from calibration.kept import Kept
from calibration.written import Written
from firmware.errors import BadInput, BadState
from firmware.files import remove, write_whole
from firmware.house_rules import short
from speech.sentence import say
from vision.errors import VisionError

FOLDER = "profiles"
MOST = 50
NAME_LENGTH = 40


class Shelf:
    """Any thread may use it. `use`: told the profile to read with when that changes. `usual`: the set in use where
    none was chosen. `fixed`: a profile that was named at the start; then the shelf's own are not read with.

    All that changes something raises `BadInput` for what cannot be and `BadState` when the disk refuses."""

    def __init__(
        self,
        state_dir: Path,
        use: Callable[[Path], object] = str,
        usual: str = "",
        fixed: Path | None = None,
    ) -> None:
        self.folder = state_dir / FOLDER
        self.fixed = fixed
        self._use, self._usual = use, usual
        self._lock = threading.RLock()

    def slugs(self) -> tuple[str, ...]:
        """The sets by the names of their files."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.toml")))

    def path(self, slug: str) -> Path:
        """Raises `BadInput` when there is no such set."""
        if slug not in self.slugs():
            raise BadInput(f"There is no dice set {slug!r}; there are {', '.join(self.slugs()) or 'none yet'}.")
        return self.folder / f"{slug}.toml"

    def found(self, name: str) -> str:
        """The set with this name, or with files of this name. Raises `BadInput` when there is none."""
        for slug in self.slugs():
            if name == slug or _folded(name) == _folded(self.name(slug)):
                return slug
        return self.path(name).stem

    def name(self, slug: str) -> str:
        """What people call it."""
        try:
            said = self.told(slug).learned.name
        except VisionError:
            said = ""
        return said or slug.replace("-", " ").capitalize()

    def told(self, slug: str) -> Written:
        """What its profile says. Raises `VisionError` for one that is damaged."""
        return kept.told(self.path(slug))

    def active(self) -> str | None:
        """The set that is read with; None without one."""
        if self.fixed is not None:
            return None
        chosen = self._marks()[0]
        return chosen if chosen in self.slugs() else self._usual if self._usual in self.slugs() else None

    @property
    def chosen(self) -> Path | None:
        """The profile that somebody chose to read with; None without one."""
        mark = self._marks()[0]
        return self.fixed or (self.path(mark) if mark in self.slugs() else None)

    def activate(self, slug: str) -> None:
        """Read with this set from now on."""
        with self._lock:
            if self.fixed is not None:
                raise BadInput(
                    say("The tray was started with {name}: start it without --profile to change sets.", name=self.fixed)
                )
            _checked(self.path(slug))
            self._read_with(slug)

    def keep(self, profile: Kept, name: str) -> str:
        """Save a calibration as the set of this name, and use it from now on. One that has the name already is kept as
        its calibration before. Returns the name of its files."""
        with self._lock:
            name = _clean(name)
            own = next((slug for slug in self.slugs() if _folded(self.name(slug)) == _folded(name)), None)
            slug = self._free(name) if own is None else own
            self._save(profile, slug, name)
            if self.fixed is None:
                self._read_with(slug)
            return slug

    def renew(self, slug: str, profile: Kept) -> None:
        """Another calibration of this set; the one before can be had back."""
        with self._lock:
            self.path(slug)
            self._save(profile, slug, self.name(slug))
            self._again(slug)

    def rename(self, slug: str, name: str) -> None:
        with self._lock:
            profile, name = kept.load(self.path(slug)), _clean(name)
            for other in self.slugs():
                if other != slug and _folded(self.name(other)) == _folded(name):
                    raise BadInput(say('There is a dice set called "{name}" already: choose another name.', name=name))
            self._store(profile.called(name), self.path(slug))

    def forget(self, slug: str) -> None:
        """Gone for good, with its calibration before."""
        with self._lock:
            path = self.path(slug)
            if slug == self.active():
                raise BadInput(
                    say("{name} is in use: use another dice set, then forget this one.", name=self.name(slug))
                )
            for place in (self._before(slug), path):
                _removed(place)

    def before(self, slug: str) -> Written | None:
        """What the calibration before says; None when there is none that can be had back."""
        try:
            return kept.told(self._before(slug))
        except VisionError:
            return None

    def undo(self, slug: str) -> None:
        """Go back to the calibration before. Once more comes back to this one."""
        with self._lock:
            path, before, aside = self.path(slug), self._before(slug), self._before(f"{slug}.now")
            if self.before(slug) is None:
                raise BadInput(say("{name} has no calibration before this one.", name=self.name(slug)))
            _checked(before)
            self._copy(path, aside)
            self._copy(before, path)
            self._copy(aside, before)
            _removed(aside)
            self._again(slug)

    def can_go_back(self) -> bool:
        active = self.active()
        return self.previous() is not None or (active is not None and self.before(active) is not None)

    def go_back(self) -> None:
        """To the calibration before of the set in use; from a new set, to the set that was in use before."""
        with self._lock:
            active, previous = self.active(), self.previous()
            if active is not None and self.before(active) is not None:
                self.undo(active)
            elif previous is not None:
                self.activate(previous)
            else:
                raise BadInput(say("There is no calibration before this one."))

    def pack(self, slug: str, out: IO[bytes]) -> None:
        """Write the set as a .zip."""
        profile = kept.load(self.path(slug))
        try:
            archive.pack(profile, slug, out)
        except OSError as error:
            raise _refused(error) from None

    def take_in(self, file: IO[bytes], called: str = archive.THIS) -> str:
        """Put the set of a .zip on the shelf, beside those that are there. Returns the name of its files. Raises
        `VisionError` for what is no such .zip."""
        return self.add(*archive.unpacked(file, called))

    def add(self, profile: Kept, name: str) -> str:
        """Put a profile that was made elsewhere on the shelf. `name`: where it has none of its own."""
        with self._lock:
            name = _clean(profile.written.learned.name or name.replace("-", " ").capitalize())
            taken = {_folded(self.name(slug)) for slug in self.slugs()}
            tries = (name, *(f"{name[: NAME_LENGTH - 3]} {k}" for k in range(2, MOST + 2)))
            name = next(each for each in tries if _folded(each) not in taken)
            slug = self._free(name)
            self._store(profile.called(name), self.folder / f"{slug}.toml")
            return slug

    def previous(self) -> str | None:
        """The set that was in use before this one."""
        before = self._marks()[1]
        return before if before in self.slugs() and before != self.active() else None

    def _read_with(self, slug: str) -> None:
        before = self.active()
        if slug != before:
            self._write(self.folder / "active", f"{slug}\n{before or ''}\n".encode())
        self._use(self.path(slug))

    def _again(self, slug: str) -> None:
        if slug == self.active():
            self._use(self.path(slug))

    def _save(self, profile: Kept, slug: str, name: str) -> None:
        path = self.folder / f"{slug}.toml"
        if path.exists():
            self._copy(path, self._before(slug))
        self._store(profile.called(name), path)

    def _free(self, name: str) -> str:
        taken, stem = self.slugs(), short(name) or "dice"
        if len(taken) >= MOST:
            raise BadInput(say("{most} dice sets are kept already: forget one of them first.", most=MOST))
        return next(each for each in (stem, *(f"{stem}-{k}" for k in range(2, MOST + 2))) if each not in taken)

    def _before(self, slug: str) -> Path:
        return self.folder / "before" / f"{slug}.toml"

    def _marks(self) -> tuple[str, str]:
        try:
            lines = (self.folder / "active").read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            lines = []
        return lines[0] if lines else "", lines[1] if len(lines) > 1 else ""

    def _store(self, profile: Kept, path: Path) -> None:
        try:
            kept.save(profile, path)
        except OSError as error:
            raise _refused(error) from None

    def _copy(self, source: Path, target: Path) -> None:
        try:
            kept.copy(source, target)
        except OSError as error:
            raise _refused(error) from None

    def _write(self, path: Path, data: bytes) -> None:
        try:
            write_whole(path, data)
        except OSError as error:
            raise _refused(error) from None


def _removed(path: Path) -> None:
    """The text first: pictures without a text are nothing, a text without its pictures is a damaged set."""
    try:
        if path.exists():
            remove(path)
        for picture in kept.folder_of(path).glob("*"):
            picture.unlink()
        if kept.folder_of(path).is_dir():
            kept.folder_of(path).rmdir()
    except OSError as error:
        raise _refused(error) from None


def _checked(path: Path) -> None:
    try:
        kept.load(path)
    except VisionError as error:
        raise BadInput(str(error)) from None


def _refused(error: OSError) -> BadState:
    return BadState(
        say("The dice sets could not be written ({reason}): check the disk, then try again.", reason=error.strerror)
    )


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _clean(name: str) -> str:
    clean = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not clean or len(clean) > NAME_LENGTH:
        raise BadInput(say("A dice set has a name of 1 to {most} characters.", most=NAME_LENGTH))
    return clean
