"""Profiles on disk: one TOML file that people can read, and its pictures in a folder beside it."""

import os
import re
import struct
import tomllib
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.written import FORMAT, pictures_of, profile_of, text_of
from speech.sentence import say
from vision.dice_set import Kind
from vision.emblem import SIDE
from vision.errors import VisionError
from vision.frame import Image
from vision.likeness import BINS
from vision.profile import Profile

# The empty tray lies there as it is: to unpack a PNG of it would take ten times as long as all else of loading.
_SUFFIX = {"empty": ".ppm", "colours": ".png", "faces": ".png"}


def save(profile: Profile, path: Path) -> None:
    """Write the profile so that a cut of power leaves the old one or the new one, never parts of both: pictures carry
    their checksum in their name, and the old ones go when the text that names the new ones is on disk."""
    _place(*files(profile), path)


def copy(source: Path, target: Path) -> None:
    """The same profile in another place as well, as safely as `save` and whatever its state. Raises `OSError`."""
    pictures = {picture.name: picture.read_bytes() for picture in folder_of(source).glob("*")}
    _place(source.read_bytes(), pictures, target)


def _place(text: bytes, pictures: dict[str, bytes], path: Path) -> None:
    folder = folder_of(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, data in pictures.items():
        folder.mkdir(exist_ok=True)
        _write(folder / name, data)
    _write(path, text)
    for old in set(folder.glob("*")) - {folder / name for name in pictures}:
        old.unlink()


def load(path: Path, pictures: bool = True) -> Profile:
    """Without its `pictures` it is quick, and good for being told about. Raises `VisionError` with the cure when the
    file is missing, damaged or none of ours."""
    cure = say("make it again with: stickman calibrate --dice PICTURE --out {file}", file=path.name)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise VisionError(say("There is no profile {path}: {cure}", path=path, cure=cure)) from None
    except OSError as error:
        raise VisionError(_unreadable(path, _reason(error), cure)) from None
    folder = folder_of(path)
    return read(data, (lambda name: (folder / name).read_bytes()) if pictures else None, str(path), cure)


def _unreadable(place: object, reason: str, cure: str) -> str:
    return say("The profile {place} cannot be read ({reason}): {cure}", place=place, reason=reason, cure=cure)


def _damaged(place: str, reason: str, cure: str) -> str:
    return say("The profile {place} is damaged ({reason}): {cure}", place=place, reason=reason, cure=cure)


def folder_of(path: Path) -> Path:
    """Where the pictures of a profile lie."""
    return path.with_name(path.stem + ".d")


def files(profile: Profile) -> tuple[bytes, dict[str, bytes]]:
    """What a profile is on disk: its text, and the pictures of its folder by name."""
    names, pictures = {}, {}
    colours = None if profile.likeness is None else profile.likeness.reshape(BINS, -1)
    for what, picture in (("empty", profile.empty), ("colours", colours), ("faces", _strip(profile))):
        if picture is not None:
            done, packed = cv2.imencode(_SUFFIX[what], picture)
            if not done:
                raise VisionError(f"The profile's picture {what} could not be packed: take the pictures again.")
            data = packed.tobytes()
            names[what] = f"{what}-{zlib.crc32(data):08x}{_SUFFIX[what]}"
            pictures[names[what]] = data
    return text_of(profile, names).encode(), pictures


def read(data: bytes, picture: Callable[[str], bytes] | None, place: str, cure: str) -> Profile:
    """The profile that `files` made. `picture`: the data of a picture by its name, may raise `OSError`; None leaves
    them out. `place`: what it is called, `cure`: what helps, in the sentences of `VisionError`."""
    try:
        values = tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise VisionError(_unreadable(place, say("it is no text"), cure)) from None
    except tomllib.TOMLDecodeError as error:
        raise VisionError(_damaged(place, str(error), cure)) from None
    if values.get("format") != FORMAT:
        raise VisionError(
            say("{place} is no profile of this program, or of another version of it: {cure}", place=place, cure=cure)
        )
    try:
        profile, names = profile_of(values), pictures_of(values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise VisionError(_damaged(place, _reason(error), cure)) from None
    if picture is None:
        return profile
    found = {}
    for what, name in names.items():
        try:
            found[what] = _unpacked(picture(name), _shape(what, profile))
        except OSError as error:
            raise VisionError(
                say(
                    "The picture {name} of {place} cannot be read ({reason}): {cure}",
                    name=name,
                    place=place,
                    reason=_reason(error),
                    cure=cure,
                )
            ) from None
        except ValueError as error:
            raise VisionError(
                say(
                    "The picture {name} of {place} is damaged ({reason}): {cure}",
                    name=name,
                    place=place,
                    reason=str(error),
                    cure=cure,
                )
            ) from None
    likeness = found.get("colours")
    if likeness is not None:
        likeness = likeness.reshape(BINS, BINS, BINS)
    if "faces" in found:
        profile = replace(profile, kinds=_with_faces(profile.kinds, found["faces"]))
    return replace(profile, empty=found.get("empty"), likeness=likeness)


def _shape(what: str, profile: Profile) -> tuple[int, ...]:
    faces = sum(len(kind.emblems) for kind in profile.kinds)
    return {
        "empty": (profile.height, profile.width, 3),
        "colours": (BINS, BINS * BINS),
        "faces": (SIDE, SIDE * faces, 3),
    }[what]


def _strip(profile: Profile) -> Image | None:
    """The faces without pips, side by side."""
    pictures = [one.picture for kind in profile.kinds for one in kind.emblems]
    return np.concatenate(pictures, axis=1) if pictures else None


def _with_faces(kinds: tuple[Kind, ...], strip: Image) -> tuple[Kind, ...]:
    """With the pictures of their emblems, cut from `strip`."""
    left = iter(np.split(strip, strip.shape[1] // SIDE, axis=1))
    return tuple(
        replace(kind, emblems=tuple(replace(one, picture=next(left)) for one in kind.emblems)) for kind in kinds
    )


def _unpacked(data: bytes, shape: tuple[int, ...]) -> Image:
    """Raises `ValueError` before a picture that only pretends to be small is unpacked."""
    if _size(data) != shape[1::-1]:
        raise ValueError("it is of another size than the profile says")
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR if len(shape) == 3 else cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise ValueError("it cannot be unpacked")
    image.setflags(write=False)
    return np.asarray(image, np.uint8)


def _size(data: bytes) -> tuple[int, ...]:
    """Width and height by the picture's own head; empty when it has none."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 24:
        return struct.unpack(">II", data[16:24])
    plain = re.match(rb"P6\s+(\d{1,6})\s+(\d{1,6})\s+255\s", data)
    if plain is None or len(data) != plain.end() + 3 * int(plain[1]) * int(plain[2]):
        return ()
    return int(plain[1]), int(plain[2])


def _write(path: Path, data: bytes) -> None:
    new = path.with_name(path.name + ".new")
    with open(new, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
