"""Profiles on disk: one TOML file that people can read, and the empty picture in a folder beside it."""

import os
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import VisionError
from vision.frame import Image
from vision.geometry import Camera
from vision.likeness import BINS
from vision.profile import Colour, Kind, Learned, Polygon, Profile, Slack

# Counts up when an older program could no longer understand the file.
FORMAT = 2
_EMPTY = "empty.ppm"  # as it is: to unpack a PNG of it takes the most of loading a profile, ten times as long
_COLOURS = "colours.png"  # vision.likeness, (16, 256)


def save(profile: Profile, path: Path) -> None:
    """Write the profile so that a cut of power leaves the old file or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, picture in ((_EMPTY, profile.empty), (_COLOURS, profile.likeness)):
        if picture is not None:
            flat = picture.reshape(picture.shape[0], -1) if name == _COLOURS else picture
            done, data = cv2.imencode(Path(name).suffix, flat)
            if not done:
                raise VisionError(f"The profile's {name} could not be packed: take the pictures again.")
            _folder(path).mkdir(exist_ok=True)
            _write(_folder(path) / name, data.tobytes())
    _write(path, dumps(profile).encode())


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
        profile = _profile(values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise VisionError(f"The profile {path} is damaged ({_reason(error)}): {cure}") from None
    return _with_pictures(profile, values["picture"], path, cure)


def dumps(profile: Profile) -> str:
    """The text of the file."""
    camera, learned = profile.camera, profile.learned
    lines = [
        "# What this tray, its camera and its dice look like. Made by stickman calibrate; lengths in mm, colours blue,",
        "# green, red 0-255, shares of a die's edge, places in pixels of the picture.",
        f"format = {FORMAT}",
        "",
        "[picture]",
        f"width = {profile.width}",
        f"height = {profile.height}",
        f"empty = {str(profile.empty is not None).lower()}  # {_EMPTY} in the folder beside this file",
        f"colours = {str(profile.likeness is not None).lower()}  # {_COLOURS} there: how die-like each colour is",
        "",
        "[camera]",
        f"focal = {camera.focal:.3f}",
        f"centre = {_numbers((camera.cx, camera.cy), 2)}",
        f"tilt = {_numbers((camera.tilt_x, camera.tilt_y), 6)}",
        f"height_mm = {camera.height_mm:.3f}",
        f"bend = {camera.bend:.5f}",
        "",
    ]
    for name, polygon in (("tray", profile.tray), ("rail", profile.rail)):
        if polygon is not None:
            lines += [f"[{name}]", f"outline = [{', '.join(_numbers(p, 1) for p in polygon)}]", ""]
    for kind in profile.kinds:
        lines += [
            "[[dice]]",
            f"name = {_text(kind.name)}",
            f"body = {_numbers(kind.body, 1)}",
            f"pip = {_numbers(kind.pip, 1)}",
            f"edge_mm = {kind.edge_mm:.3f}",
            f"pip_offset = {kind.offset:.5f}",
            f"pip_radius = {kind.radius:.5f}",
            f"one_radius = {kind.one:.5f}",
            f"six = {_numbers(kind.six, 4)}",
            f"faces_seen = {kind.seen}",
            "",
        ]
    lines += [
        "[slack]",
        f"stretch = {profile.slack.stretch:.4f}",
        f"aspect = {profile.slack.aspect:.4f}",
        f"gap = {profile.slack.gap:.3f}",
        f"bare = {profile.slack.bare:.3f}",
        f"lump = {profile.slack.lump:.3f}",
        "",
        "[learned]",
        f"made = {_text(learned.made)}",
        f"version = {_text(learned.version)}",
        f"pictures = {learned.pictures}",
        f"dice = {learned.dice}",
        f"sure = {learned.sure}",
    ]
    return "\n".join(lines) + "\n"


def _profile(values: dict[str, Any]) -> Profile:
    picture, camera, learned = values["picture"], values["camera"], values.get("learned", {})
    if not values["dice"]:
        raise ValueError("it knows no dice")
    slack = values["slack"]
    return Profile(
        _whole(picture["width"]),
        _whole(picture["height"]),
        Camera(
            _positive(camera["focal"]),
            *_pair(camera["centre"]),
            *_pair(camera["tilt"], 0.9),
            _positive(camera["height_mm"]),
            _pair((camera["bend"], 0.0), 0.5)[0],
        ),
        tuple(_kind(v) for v in values["dice"]),
        _polygon(values.get("tray")),
        _polygon(values.get("rail")),
        None,
        None,
        Slack(
            _positive(slack["stretch"]),
            _positive(slack["aspect"]),
            _positive(slack["gap"]),
            _share(slack["bare"]),
            _share(slack["lump"]),
        ),
        Learned(
            str(learned.get("made", "")),
            str(learned.get("version", "")),
            int(learned.get("pictures", 0)),
            int(learned.get("dice", 0)),
            int(learned.get("sure", 0)),
        ),
    )


def _kind(values: dict[str, Any]) -> Kind:
    shares = [_positive(values[name]) for name in ("pip_offset", "pip_radius", "one_radius")]
    if max(shares) > 0.5:
        raise ValueError("a pip is larger than its die")
    offset, radius, one = shares
    along, across = (_positive(v) for v in values["six"])
    return Kind(
        str(values["name"]),
        _colour(values["body"]),
        _colour(values["pip"]),
        _positive(values["edge_mm"]),
        offset,
        radius,
        one,
        int(values["faces_seen"]),
        (along, across),
    )


def _picture(path: Path, how: int, cure: str) -> Image:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise VisionError(f"The profile's picture {path} cannot be read ({_reason(error)}): {cure}") from None
    image = cv2.imdecode(np.frombuffer(data, np.uint8), how) if data else None
    if image is None:
        raise VisionError(f"The profile's picture {path} is damaged: {cure}")
    return np.asarray(image, np.uint8)


def _with_pictures(profile: Profile, picture: dict[str, Any], path: Path, cure: str) -> Profile:
    empty = likeness = None
    if picture.get("empty", False):
        empty = _picture(_folder(path) / _EMPTY, cv2.IMREAD_COLOR, cure)
        if empty.shape[:2] != (profile.height, profile.width):
            raise VisionError(f"The empty picture in {_folder(path)} is of another size than the profile: {cure}")
        empty.setflags(write=False)
    if picture.get("colours", False):
        flat = _picture(_folder(path) / _COLOURS, cv2.IMREAD_GRAYSCALE, cure)
        if flat.size != BINS**3:
            raise VisionError(f"The table of colours in {_folder(path)} is damaged: {cure}")
        likeness = flat.reshape(BINS, BINS, BINS)
    return replace(profile, empty=empty, likeness=likeness)


def _folder(path: Path) -> Path:
    return path.with_name(path.stem + ".d")


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


def _numbers(values: tuple[float, ...], digits: int) -> str:
    return "[" + ", ".join(f"{v:.{digits}f}" for v in values) + "]"


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def _positive(value: Any) -> float:
    number = float(value)
    if not 0 < number < 1e6:
        raise ValueError(f"{value} is out of range")
    return number


def _share(value: Any) -> float:
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{value} is out of range")
    return number


def _whole(value: Any) -> int:
    number = int(value)
    if not 1 <= number <= 100_000:
        raise ValueError(f"{value} is out of range")
    return number


def _pair(value: Any, most: float = 1e6) -> tuple[float, float]:
    x, y = (float(v) for v in value)
    if not (abs(x) < most and abs(y) < most):
        raise ValueError(f"{value} is out of range")
    return x, y


def _colour(value: Any) -> Colour:
    blue, green, red = (float(v) for v in value)
    if not all(-1 <= v <= 256 for v in (blue, green, red)):
        raise ValueError(f"{value} is no colour")
    return blue, green, red


def _polygon(value: Any) -> Polygon | None:
    if value is None:
        return None
    corners = tuple(_pair(corner) for corner in value["outline"])
    if len(corners) < 3:
        raise ValueError("an outline has fewer than three corners")
    return corners
