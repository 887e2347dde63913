"""Profiles on disk: one TOML file that people can read, and its pictures in a folder beside it."""

import os
import tomllib
import zlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.written import FORMAT, pictures_of, profile_of, text_of
from vision.errors import VisionError
from vision.frame import Image
from vision.likeness import BINS
from vision.profile import Profile

# The empty tray lies there as it is: to unpack a PNG of it would take ten times as long as all else of loading.
_SUFFIX = {"empty": ".ppm", "colours": ".png"}


def save(profile: Profile, path: Path) -> None:
    """Write the profile so that a cut of power leaves the old one or the new one, never parts of both: pictures carry
    their checksum in their name, and the old ones go when the text that names the new ones is on disk."""
    folder = folder_of(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    names = {}
    for what, picture in (("empty", profile.empty), ("colours", profile.likeness)):
        if picture is not None:
            flat = picture.reshape(picture.shape[0], -1) if what == "colours" else picture
            done, packed = cv2.imencode(_SUFFIX[what], flat)
            if not done:
                raise VisionError(f"The profile's picture {what} could not be packed: take the pictures again.")
            data = packed.tobytes()
            names[what] = f"{what}-{zlib.crc32(data):08x}{_SUFFIX[what]}"
            folder.mkdir(exist_ok=True)
            _write(folder / names[what], data)
    _write(path, text_of(profile, names).encode())
    for old in set(folder.glob("*")) - {folder / name for name in names.values()}:
        old.unlink()


def load(path: Path) -> Profile:
    """Raises `VisionError` with the cure when the file is missing, damaged or none of ours."""
    cure = "make it again with: stickman calibrate --dice PICTURE --out " + path.name
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise VisionError(f"There is no profile {path}: {cure}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise VisionError(f"The profile {path} cannot be read ({_reason(error)}): {cure}") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VisionError(f"The profile {path} is damaged ({error}): {cure}") from None
    if values.get("format") != FORMAT:
        raise VisionError(f"{path} is no profile of this program, or of another version of it: {cure}")
    try:
        profile, names = profile_of(values), pictures_of(values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise VisionError(f"The profile {path} is damaged ({_reason(error)}): {cure}") from None
    return _with_pictures(profile, names, folder_of(path), cure)


def folder_of(path: Path) -> Path:
    """Where the pictures of a profile lie."""
    return path.with_name(path.stem + ".d")


def _with_pictures(profile: Profile, names: dict[str, str], folder: Path, cure: str) -> Profile:
    empty = likeness = None
    if "empty" in names:
        empty = _picture(folder / names["empty"], cv2.IMREAD_COLOR, cure)
        if empty.shape[:2] != (profile.height, profile.width):
            raise VisionError(f"The empty picture in {folder} is of another size than the profile: {cure}")
        empty.setflags(write=False)
    if "colours" in names:
        flat = _picture(folder / names["colours"], cv2.IMREAD_GRAYSCALE, cure)
        if flat.size != BINS**3:
            raise VisionError(f"The table of colours in {folder} is damaged: {cure}")
        likeness = flat.reshape(BINS, BINS, BINS)
    return replace(profile, empty=empty, likeness=likeness)


def _picture(path: Path, how: int, cure: str) -> Image:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise VisionError(f"The profile's picture {path} cannot be read ({_reason(error)}): {cure}") from None
    image = cv2.imdecode(np.frombuffer(data, np.uint8), how) if data else None
    if image is None:
        raise VisionError(f"The profile's picture {path} is damaged: {cure}")
    return np.asarray(image, np.uint8)


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
