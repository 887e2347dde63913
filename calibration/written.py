"""A profile as text: TOML that people can read. Who only tells of a dice set needs no more of it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vision.control import Control
from vision.dice_set import UNKNOWN, Colour, Kind, Learned, Roll, Slack
from vision.polygon import Polygon

# Counts up when an older program could no longer understand the file.
FORMAT = 2
PICTURES = {
    "empty": "the tray without dice, in the folder beside this file",
    "colours": "how die-like each colour is",
    "faces": "the faces without pips, in the order of the dice",
}
_BEFORE = {"empty": "empty.ppm", "colours": "colours.png"}


@dataclass(frozen=True, slots=True)
class Face:
    """A face without pips, as in `vision.emblem.Emblem`, but for its picture."""

    value: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the text says, see `vision.profile.Profile`. `camera`: the values of `vision.geometry.Camera` in order.
    `kinds`: without emblems; `faces`: those of each kind. `pictures`: what each is called in the folder beside the
    text, by the names of `PICTURES`."""

    width: int
    height: int
    camera: tuple[float, float, float, float, float, float, float]
    kinds: tuple[Kind, ...]
    faces: tuple[tuple[Face, ...], ...]
    tray: Polygon | None
    rail: Polygon | None
    slack: Slack
    learned: Learned
    controls: Mapping[str, Control]
    rolls: tuple[Roll, ...]
    pictures: Mapping[str, str]


def text_of(profile: Written) -> str:
    focal, cx, cy, tilt_x, tilt_y, height_mm, bend = profile.camera
    learned = profile.learned
    lines = [
        "# What this tray, its camera and its dice look like. Made by stickman calibrate; lengths in mm, colours blue,",
        "# green, red 0-255, shares of a die's edge, places in pixels of the picture.",
        f"format = {FORMAT}",
        "",
        "[picture]",
        f"width = {profile.width}",
        f"height = {profile.height}",
        *(f"{what} = {_text(name)}  # {PICTURES[what]}" for what, name in profile.pictures.items()),
        "",
        "[camera]",
        f"focal = {focal:.3f}",
        f"centre = {_numbers((cx, cy), 2)}",
        f"tilt = {_numbers((tilt_x, tilt_y), 6)}",
        f"height_mm = {height_mm:.3f}",
        f"bend = {bend:.5f}",
        "",
    ]
    for name, polygon in (("tray", profile.tray), ("rail", profile.rail)):
        if polygon is not None:
            lines += [f"[{name}]", f"outline = [{', '.join(_numbers(p, 1) for p in polygon)}]", ""]
    for kind, faces in zip(profile.kinds, profile.faces, strict=True):
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
            f"round = {kind.round:.3f}",
            f"faces_seen = {kind.seen}",
            f"count = {kind.count}",
            *([f"faces = [{', '.join(_face(one) for one in faces)}]"] if faces else ()),
            "",
        ]
    lines += [
        "[slack]",
        f"stretch = {profile.slack.stretch:.4f}",
        f"aspect = {profile.slack.aspect:.4f}",
        f"gap = {profile.slack.gap:.3f}",
        f"bare = {profile.slack.bare:.3f}",
        f"lump = {profile.slack.lump:.3f}",
        f"camera = [{', '.join(f'{value:.6g}' for value in profile.slack.camera)}]",
        f"exact = {_numbers(profile.slack.exact, 4)}",
        "",
        "[learned]",
        f"made = {_text(learned.made)}",
        f"version = {_text(learned.version)}",
        f"pictures = {learned.pictures}",
        f"dice = {learned.dice}",
        f"sure = {learned.sure}",
        f"name = {_text(learned.name)}",
        f"camera = {_text(learned.camera)}",
    ]
    if profile.controls:
        lines += ["", "[controls]", *(f"{_text(name)} = {_control(v)}" for name, v in profile.controls.items())]
    for roll in profile.rolls:
        lines += ["", "[[test]]", f"values = {list(roll.values)}"]
        lines += [f"sure = {str(roll.sure).lower()}", f"least_confidence = {roll.least:.4f}"]
    return "\n".join(lines) + "\n"


def written_of(values: dict[str, Any]) -> Written:
    """What the text says, as its TOML. Raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` with what is
    wrong."""
    picture, camera, learned = values["picture"], values["camera"], values.get("learned", {})
    if not values["dice"]:
        raise ValueError("it knows no dice")
    slack, pictures = values["slack"], _pictures(picture)
    faces = tuple(tuple(_read_face(face) for face in kind.get("faces", [])) for kind in values["dice"])
    if any(faces) and "faces" not in pictures:
        raise ValueError("the picture of its faces is missing")
    return Written(
        width=_whole(picture["width"]),
        height=_whole(picture["height"]),
        camera=(
            _positive(camera["focal"]),
            *_pair(camera["centre"]),
            *_pair(camera["tilt"], 0.9),
            _positive(camera["height_mm"]),
            _pair((camera["bend"], 0.0), 0.5)[0],
        ),
        kinds=tuple(_kind(v) for v in values["dice"]),
        faces=faces,
        tray=_polygon(values.get("tray")),
        rail=_polygon(values.get("rail")),
        slack=Slack(
            _positive(slack["stretch"]),
            _positive(slack["aspect"]),
            _positive(slack["gap"]),
            _share(slack["bare"]),
            _share(slack["lump"]),
            _covariance(slack.get("camera", [])),
            _pair(slack.get("exact", (0.0, 0.0)), 1.0),
        ),
        learned=Learned(
            str(learned.get("made", "")),
            str(learned.get("version", "")),
            int(learned.get("pictures", 0)),
            int(learned.get("dice", 0)),
            int(learned.get("sure", 0)),
            str(learned.get("name", "")),
            str(learned.get("camera", "")),
        ),
        controls={str(name): _controlled(value) for name, value in values.get("controls", {}).items()},
        rolls=tuple(_roll(v) for v in values.get("test", [])),
        pictures=pictures,
    )


def _pictures(values: dict[str, Any]) -> dict[str, str]:
    """What each is called."""
    found = {}
    for what in PICTURES:
        # Files of before said only that there is one.
        named = values.get(what, False)
        name = _BEFORE[what] if named is True else named
        if name is not False:
            if not re.fullmatch(r"[a-z]+(-[0-9a-f]{8})?\.(ppm|png)", str(name)):
                raise ValueError(f"{name} is no name of a picture")
            found[what] = str(name)
    return found


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
        int(values.get("count", 0)),
        round=_positive(values.get("round", 0.0), zero=True),
    )


def _face(face: Face) -> str:
    return f"{{ value = {face.value}, name = {_text(face.name)} }}"


def _read_face(values: dict[str, Any]) -> Face:
    value = int(values["value"])
    if not 1 <= value <= 6:
        raise ValueError(f"a face cannot be worth {value}")
    return Face(value, str(values["name"]))


def _roll(values: dict[str, Any]) -> Roll:
    return Roll(tuple(int(v) for v in values["values"]), values["sure"] is True, _share(values["least_confidence"]))


def _controlled(value: Any) -> Control:
    if isinstance(value, list):
        return tuple(float(v) for v in value)
    if isinstance(value, bool | int | float | str):
        return value
    raise ValueError(f"{value} is no setting of a camera")


def _numbers(values: tuple[float, ...], digits: int) -> str:
    return "[" + ", ".join(f"{v:.{digits}f}" for v in values) + "]"


def _text(value: str) -> str:
    # TOML's strings are JSON's, but for this one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _control(value: Control) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(repr(float(v)) for v in value) + "]"
    return _text(value) if isinstance(value, str) else repr(value).lower()


def _positive(value: Any, zero: bool = False) -> float:
    number = float(value)
    if not 0 <= number < 1e6 or (number == 0 and not zero):
        raise ValueError(f"{value} is out of range")
    return number


def _share(value: Any) -> float:
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{value} is out of range")
    return number


def _covariance(values: Any) -> tuple[float, ...]:
    numbers = tuple(float(value) for value in values)
    if len(numbers) not in (0, UNKNOWN**2) or not all(abs(number) < 1e6 for number in numbers):
        raise ValueError(f"{values} is no {UNKNOWN} by {UNKNOWN} covariance")
    return numbers


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
