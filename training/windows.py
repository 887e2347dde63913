"""Windows cut from rendered sessions: dice, and places that are none, with what is truly there."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import learn
from vision import cube, faces, known, opinion
from vision.faces import Faces
from vision.frame import Image
from vision.geometry import size_of
from vision.lattice import BARE, ONE, PATTERNS, PLACES
from vision.profile import Profile
from vision.sampling import Floats

SIDE, EDGES = 96, 2.6  # pixels and edges of a window: wide enough to be turned and shifted afterwards
READER, TRUTH, NOTHING = 0, 1, 2  # where a window was cut: where the reader saw a face, where one is, where none is
RAISED, HIDDEN = 8, 9  # labels beside the network's own: flat on another die; partly hidden or out of the picture
_HERE = 0.3  # edges from a die's top face, within which the reader's face is that die's
_BESIDE = 0.45  # from here on it surely is not


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """One a row. `seen`, `before`: uint8 (n, SIDE, SIDE, 3) BGR, with dice and without. `cube`: uint8 (n, SIDE, SIDE),
    see `opinion.expected`. `body`, `pip`: (n, 3) BGR. `label`: (n,) what the network is to say, or `RAISED`, `HIDDEN`.
    `source`: (n,) `READER`, `TRUTH` or `NOTHING`. `likeness`: uint8 (16, 16, 16), of all of them."""

    seen: Image
    before: Image
    cube: NDArray[np.uint8]
    body: Floats
    pip: Floats
    label: NDArray[np.int64]
    source: NDArray[np.int64]
    likeness: NDArray[np.uint8]


def sessions(folder: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The labelled pictures of each complete session, by its name."""
    found = defaultdict(list)
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        found[item["session"]].append(item)
    for name, items in sorted(found.items()):
        kinds = [item["kind"] for item in items]
        if "empty" in kinds and kinds.count("calib") > 1 and "throw" in kinds:
            yield name, items


def cut(folder: Path, items: list[dict[str, Any]], rng: np.random.Generator) -> Windows:
    """The windows of one session, with a profile made from its own calibration pictures."""
    pictures = {item["file"]: cv2.imread(str(folder / item["file"])) for item in items}
    dice = [item for item in items if item["kind"] == "calib"]
    empty = next(pictures[item["file"]] for item in items if item["kind"] == "empty")
    sizes = {die["size_mm"] for item in dice for die in item["dice"]}
    size_mm = sizes.pop() if len(sizes) == 1 else 16.0
    profile = learn.build(empty, [pictures[item["file"]] for item in dice], size_mm=size_mm).profile
    parts = [
        part
        for item in items
        if item["kind"] != "empty" and item["dice"]
        for part in _of_picture(pictures[item["file"]], item["dice"], profile, rng)
    ]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    assert profile.likeness is not None
    return Windows(*columns, likeness=profile.likeness)


Part = tuple[Any, ...]  # the columns of `Windows`, without the last


def _of_picture(image: Image, dice: list[dict[str, Any]], profile: Profile, rng: np.random.Generator) -> list[Part]:
    corners = np.array([die["top_px"] for die in dice], np.float64)
    centre = np.array([die["centre_px"] for die in dice], np.float64)
    edge = np.linalg.norm(corners - np.roll(corners, -1, 1), axis=2).mean(1)
    labels = np.array([_label(die) for die in dice])

    def apart(xy: Floats) -> Floats:
        return np.asarray(np.hypot(*(xy[:, None] - centre).transpose(2, 0, 1)) / edge)

    read = known.look(image, profile).faces
    far = apart(read.xy)
    clear = (far.min(1) < _HERE) | (far.min(1) > _BESIDE)
    label = np.where(far.min(1) < _HERE, labels[far.argmin(1)], 0)
    parts = [_columns(image, read, profile, label, READER, np.nonzero(clear)[0])]

    along = corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]
    kinds = np.array([_kind(xy, size, profile) for xy, size in zip(centre, edge, strict=True)])
    true = _placed(centre, np.arctan2(along[:, 1], along[:, 0]), kinds, profile)
    true = _coloured(image, true, [die["near_value"] for die in dice], profile)
    shown = np.nonzero([die["visible"] > 0.3 for die in dice])[0]
    parts.append(_columns(image, true, profile, labels, TRUTH, shown))

    # Beside dice, where half a die, a side or a shadow is, and anywhere on the floor.
    which = np.concatenate([np.repeat(np.arange(len(dice)), 2), rng.integers(len(dice), size=1)])
    turn, reach = rng.uniform(0, 2 * np.pi, len(which)), rng.uniform(0.4, 1.1, len(which)) * edge[which]
    xy = centre[which] + np.column_stack([reach * np.cos(turn), reach * np.sin(turn)])
    xy[-1] = rng.uniform(0.15, 0.85, 2) * (image.shape[1], image.shape[0])
    free = apart(xy).min(1) > np.where(np.arange(len(which)) < len(which) - 1, 0.38, 0.6)
    wrong = _placed(xy, rng.uniform(0, 2 * np.pi, len(which)), kinds[which], profile)
    wrong = _with_colours(wrong, true.body[which], true.pip[which])
    for k in np.nonzero(free)[0]:
        # A wrong face takes the place of the die it lies on, half of the time.
        others = np.arange(len(dice)) != apart(xy[k : k + 1])[0].argmin()
        both = faces.join([wrong.pick(np.array([k])), true.pick(others | (rng.random() < 0.5))])
        parts.append(_columns(image, both, profile, np.zeros(len(both), np.int64), NOTHING, np.array([0])))
    return parts


def _label(die: dict[str, Any]) -> int:
    if die["cocked"] or die["value"] is None:
        return 7
    if die["stacked"]:
        return RAISED
    return int(die["value"]) if die["readable"] else HIDDEN


def _columns(
    image: Image,
    found: Faces,
    profile: Profile,
    label: NDArray[np.int64],
    source: int,
    rows: NDArray[np.int64],
) -> Part:
    assert profile.empty is not None
    cubes = cube.flat(found, profile)
    axes = opinion.axes_of(cubes.top[rows]) if len(rows) else np.zeros((0, 2, 3))
    drawn = np.array([opinion.expected(int(k), cubes, SIDE, EDGES) for k in rows], np.uint8)
    return (
        opinion.windows(image, axes, SIDE, EDGES),
        opinion.windows(profile.empty, axes, SIDE, EDGES),
        drawn.reshape(-1, SIDE, SIDE),
        found.body[rows],
        found.pip[rows],
        label[rows],
        np.full(len(rows), source),
    )


def _kind(xy: Floats, edge: float, profile: Profile) -> int:
    """The kind whose dice are nearest in size to one of `edge` pixels."""
    size = [float(size_of(profile.camera.scale(xy, kind.edge_mm))) * kind.edge_mm for kind in profile.kinds]
    return int(np.abs(np.log(np.array(size) / edge)).argmin())


def _placed(xy: Floats, turn: Floats, kinds: NDArray[np.int64], profile: Profile) -> Faces:
    """Flat faces of these kinds, whose x axes point to `turn` (radians) in the picture."""
    edge = np.array([profile.kinds[k].edge_mm for k in kinds])
    offset = np.array([profile.kinds[k].offset for k in kinds]) * edge
    scale = profile.camera.scale(xy, edge)
    way = np.linalg.solve(scale, np.column_stack([np.cos(turn), np.sin(turn)])[..., None])[..., 0]
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    square = np.stack([way, np.column_stack([-way[:, 1], way[:, 0]])], axis=2)
    frame = scale @ square * offset[:, None, None]
    n, one = len(xy), np.zeros(len(xy))
    radius = np.array([profile.kinds[k].radius for k in kinds]) * edge * size_of(scale)
    blank = {name: one for name in ("misfit", "margin", "uneven", "strays", "score", "half", "backed", "upright")}
    return Faces(
        xy=xy,
        frame=frame,
        value=np.zeros(n, np.int64),
        radius=radius,
        body=np.zeros((n, 3)),
        pip=np.zeros((n, 3)),
        sides=np.zeros((n, 4)),
        kind=kinds,
        rival=np.zeros(n, np.int64),
        **blank,
    )


def _coloured(image: Image, found: Faces, values: list[int], profile: Profile) -> Faces:
    """With colours measured as the reader does; of the turns of a pattern that is taken which differs most."""
    bare = np.median(faces.looks(image, found.xy, found.frame, BARE, 0.25 * found.radius), axis=1)
    places = faces.looks(image, found.xy, found.frame, PLACES, 0.3 * found.radius)
    pip = np.empty_like(bare)
    for k, value in enumerate(values):
        kind = profile.kinds[found.kind[k]]
        sets = [ONE] if value == 1 else [p for v, p in PATTERNS if v == value]
        sets += [p.reshape(3, 3)[:, ::-1].ravel() for p in sets]
        tried = [np.median(places[k][p > 0.5], axis=0) for p in sets]
        pip[k] = max(tried, key=lambda colour: float((colour - bare[k]) @ np.subtract(kind.pip, kind.body)))
    return _with_colours(found, bare, pip)


def _with_colours(found: Faces, body: Floats, pip: Floats) -> Faces:
    return replace(found, body=body, pip=pip)
