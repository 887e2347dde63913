"""Profiles as they are kept: one TOML file that people can read, and its pictures in a folder beside it.

Nothing here looks at a picture, and none is ever held in memory: it may have ten megabytes, and the table that keeps
dice sets has little to spare. See `calibration.store`.
"""

import io
import os
import re
import shutil
import tomllib
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Literal, Protocol

from calibration import whole
from calibration.written import FORMAT, Written, text_of, written_of
from speech.sentence import say
from vision.errors import VisionError

FACE_PX = 48  # edge of the picture of a face without pips
COLOURS = 16  # steps of each channel in the picture of how die-like colours are


class Picture(Protocol):
    """The file of a picture, wherever it lies: a `Path`, a `zipfile.Path`, or `InMemory`."""

    def open(self, mode: Literal["rb"], /) -> IO[bytes]: ...


@dataclass(frozen=True, slots=True)
class InMemory:
    """A picture that lies nowhere yet."""

    data: bytes

    def open(self, _: Literal["rb"], /) -> IO[bytes]:
        return io.BytesIO(self.data)


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """`pictures`: what lies in the folder, by name; all that `written` names."""

    written: Written
    pictures: Mapping[str, Picture] = field(default_factory=dict)

    @property
    def text(self) -> bytes:
        return text_of(self.written).encode()

    def called(self, name: str) -> "Kept":
        """The same under another name."""
        return replace(self, written=replace(self.written, learned=replace(self.written.learned, name=name)))


def save(profile: Kept, path: Path) -> None:
    """Write the profile so that a cut of power leaves the old one or the new one, never parts of both: pictures carry
    their checksum in their name, and the old ones go when the text that names the new ones is on disk."""
    _place(profile.text, profile.pictures, path)


def copy(source: Path, target: Path) -> None:
    """The same profile in another place as well, as safely as `save` and whatever its state. Raises `OSError`."""
    _place(source.read_bytes(), {picture.name: picture for picture in folder_of(source).glob("*")}, target)


def load(path: Path) -> Kept:
    """A profile with its pictures. Raises `VisionError` with the cure when the file is missing, damaged or none of
    ours, or a picture is not whole."""
    folder = folder_of(path)
    return read(_text(path), lambda name: folder / name, str(path), _cure(path))


def told(path: Path) -> Written:
    """What the text says: good for being told about. Raises `VisionError` as `load` does."""
    return _written(_text(path), str(path), _cure(path))


def folder_of(path: Path) -> Path:
    """Where the pictures of a profile lie."""
    return path.with_name(path.stem + ".d")


def named(what: str, data: bytes, suffix: str) -> str:
    """What a picture is called in the folder."""
    return f"{what}-{zlib.crc32(data):08x}{suffix}"


def shape(what: str, written: Written) -> tuple[int, ...]:
    """Of a picture, by the names of `calibration.written.PICTURES`: (h, w, 3), or (h, w) for one without colours."""
    return {
        "empty": (written.height, written.width, 3),
        "colours": (COLOURS, COLOURS * COLOURS),
        "faces": (FACE_PX, FACE_PX * sum(map(len, written.faces)), 3),
    }[what]


def read(text: bytes, picture: Callable[[str], Picture], place: str, cure: str) -> Kept:
    """The profile of this text. `picture`: by its name, may raise `OSError`. `place`: what it is called, `cure`: what
    helps, in the sentences of `VisionError`."""
    written, found = _written(text, place, cure), {}
    for what, name in written.pictures.items():
        try:
            found[name] = picture(name)
            _check(found[name], name, shape(what, written))
        except (OSError, ValueError) as error:
            raise VisionError(
                say(
                    "The picture {name} of {place} cannot be read ({reason}): {cure}",
                    name=name,
                    place=place,
                    reason=_reason(error),
                    cure=cure,
                )
            ) from None
    return Kept(written, found)


def _check(picture: Picture, name: str, shape: tuple[int, ...]) -> None:
    """Raises `OSError` and `ValueError`."""
    told = re.search(r"-([0-9a-f]{8})\.", name)  # profiles of the first days have none
    with picture.open("rb") as file:
        whole.check(file, shape, int(told[1], 16) if told else None)


def _written(text: bytes, place: str, cure: str) -> Written:
    try:
        values = tomllib.loads(text.decode())
    except UnicodeDecodeError:
        raise VisionError(_unreadable(place, say("it is no text"), cure)) from None
    except tomllib.TOMLDecodeError as error:
        raise VisionError(_damaged(place, str(error), cure)) from None
    if values.get("format") != FORMAT:
        raise VisionError(
            say("{place} is no profile of this program, or of another version of it: {cure}", place=place, cure=cure)
        )
    try:
        return written_of(values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise VisionError(_damaged(place, _reason(error), cure)) from None


def _text(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise VisionError(say("There is no profile {path}: {cure}", path=path, cure=_cure(path))) from None
    except OSError as error:
        raise VisionError(_unreadable(path, _reason(error), _cure(path))) from None


def _cure(path: Path) -> str:
    return say("make it again with: stickman calibrate --dice PICTURE --out {file}", file=path.name)


def _unreadable(place: object, reason: str, cure: str) -> str:
    return say("The profile {place} cannot be read ({reason}): {cure}", place=place, reason=reason, cure=cure)


def _damaged(place: str, reason: str, cure: str) -> str:
    return say("The profile {place} is damaged ({reason}): {cure}", place=place, reason=reason, cure=cure)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def _place(text: bytes, pictures: Mapping[str, Picture], path: Path) -> None:
    folder = folder_of(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        folder.mkdir(exist_ok=True)
        _write(folder / name, picture)
    _write(path, InMemory(text))
    for old in set(folder.glob("*")) - {folder / name for name in pictures}:
        old.unlink()


def _write(path: Path, source: Picture) -> None:
    new = path.with_name(path.name + ".new")
    with source.open("rb") as data, new.open("wb") as file:
        shutil.copyfileobj(data, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
